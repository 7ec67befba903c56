"""Exported networks say in ONNX Runtime what predict says. The runtime is onnxruntime-node (onnx/package.json), which npm puts
into the build directory; where it cannot be had, the test says so and is skipped. Debian's python3-onnx, if it is there,
checks every file, too."""
import json
import pathlib
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from command import DATA, CommandTest, skip_all
from npm import install

try:
    import numpy
except ImportError as missing:
    skip_all(f"{missing}; install python3-numpy")
try:
    import onnx
except ImportError:
    onnx = None
    print("python3-onnx is not installed: files are run, and not checked", file=sys.stderr)

HERE = pathlib.Path(__file__).resolve().parent / "onnx"


class Onnx(CommandTest):
    def setUp(self):
        super().setUp()
        self.graph, self.bundle, self.model, self.file = (self.scratch / name for name in
                                                          ("graph", "bundle", "model", "network.onnx"))

    def generate(self, *more, nodes=80):
        self.succeeds("generate", "--nodes", nodes, "--features", 6, "--classes", 3, "--avg-degree", 5,
                      "--private-fraction", .3, "--seed", 4, "-o", self.graph, "--force", *more)

    def protect(self, *more, eps_features=4, eps_edges=4):
        features = ["--eps-features", eps_features] if eps_features else []
        self.succeeds("protect", self.graph, "-o", self.bundle, "--force", *features, "--eps-edges", eps_edges, *more)

    def train(self, graph, *more, hidden=8):
        self.succeeds("train", graph, "-o", self.model, "--force", "--epochs", 15, "--hidden", hidden, "--seed", 2,
                      "--threads", 1, *more)

    def export(self, *more):
        told = self.json("export", self.model, "--onnx", self.file, "--force", *more)
        if onnx:
            onnx.checker.check_model(onnx.load(str(self.file)), full_check=True)
        return told

    def run_it(self, nodes=None, features=None):
        asked = {}
        if nodes is not None:
            asked["nodes"] = list(map(int, nodes))
        if features is not None:
            (self.scratch / "features.f32").write_bytes(numpy.ascontiguousarray(features, "<f4").tobytes())
            asked.update(features=str(self.scratch / "features.f32"), dims=list(features.shape))
        (self.scratch / "asked.json").write_text(json.dumps(asked))
        done = subprocess.run(["node", HOME / "run.js", self.file, self.scratch / "asked.json", self.scratch / "out"],
                              capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        told = json.loads(done.stdout)
        kinds = {"float32": "<f4", "int64": "<i8", "uint8": "u1"}
        return {name: numpy.frombuffer((self.scratch / f"out-{name}").read_bytes(), kinds[t["type"]]).reshape(t["dims"])
                for name, t in told.items() if name != "inputs"}

    def predict(self, graph, *more):
        out = self.scratch / "predicted.npy"
        self.succeeds("predict", self.model, graph, "-o", out, "--force", *more)
        return numpy.load(out)

    def agree(self, graph, *more, several=False):
        """About all nodes, in another order, one of them twice."""
        logits = self.predict(graph, "--logits", *more)
        nodes = [*range(len(logits) - 1, -1, -1), 3]
        said = self.run_it(nodes=nodes)
        numpy.testing.assert_allclose(said["logits"], logits[nodes], rtol=2e-5, atol=2e-5)
        numpy.testing.assert_allclose(said["probabilities"], self.predict(graph, *more)[nodes], rtol=2e-5, atol=2e-6)
        labels = said["logits"] > 0 if several else said["logits"].argmax(1)
        numpy.testing.assert_array_equal(said["labels"], labels)
        return logits

    def test_whole_networks_say_what_predict_says(self):
        self.generate()
        for protect, train in (
                ((), ()),  # with counts of neighbours
                (("--edge-mechanism", "edgerr"), ()),
                (("--edge-mechanism", "edgerr"), ("--aggregation", "mean", "--layers", 3, "--no-bias")),
                (("--edge-mechanism", "edgerr"), ("--aggregation", "first-order", "--propagate", 2)),
                (("--edge-mechanism", "edgerr"), ("--arch", "mlp", "--standardise")),
                (("--edge-mechanism", "edgerr"), ("--arch", "mlp", "--propagate", 3)),
                (("--eps-labels", 4, "--feature-mechanism", "featfree"), ("--propagate", 2))):
            with self.subTest(protect=protect, train=train):
                self.protect(*protect, eps_features=None if "featfree" in protect else 4)
                self.train(self.bundle, *train, hidden=2 if "mlp" in train else 8)
                told = self.export()
                self.assertTrue(told["private"])
                logits = self.agree(self.bundle)
                self.assertGreater(logits.std(), .01)

    def test_counts_can_be_left_out(self):
        self.generate(nodes=200)
        self.protect(eps_edges=12)
        self.train(self.bundle)
        self.assertTrue((self.model / "counts.npz").exists())
        self.export()
        with_counts = self.agree(self.bundle)
        self.export("--counts", "ignore")
        without = self.agree(self.bundle, "--counts", "ignore")
        self.assertGreater(abs(with_counts - without).max(), .1)

    def test_a_second_network_that_counts_join_keeps_its_features(self):
        self.generate()
        self.protect("--insecure-seed", 1)
        self.train(self.bundle)
        self.assertTrue((self.model / "no_edges.npz").exists())  # or there is nothing to test here
        words = ("export", self.model, "--release", self.bundle, "--non-private", "--onnx", self.file, "--features", "given")
        self.fails(2, *words, says="keep the features inside the file (--features)")
        self.succeeds(*words, "--counts", "ignore")

    def test_reports_of_a_head(self):
        self.generate(nodes=200)
        head = self.scratch / "head.npz"
        numpy.savez(head, weight=numpy.random.default_rng(1).normal(size=(6, 3)), bias=numpy.zeros(3))
        self.protect("--head", head, "--public", "head")
        self.train(self.bundle)
        self.export()
        self.agree(self.bundle)

    def test_several_labels_a_node(self):
        self.generate("--multilabel")
        self.train(self.graph, "--non-private")
        self.export("--non-private")
        self.agree(self.graph, several=True)

    def test_other_features_can_be_tried(self):
        self.generate()
        self.train(self.graph, "--non-private")
        self.export("--non-private")
        whole = self.file.stat().st_size
        x = numpy.load(self.graph / "features.npy")
        calm = self.run_it(nodes=range(len(x)))["logits"]
        x[5] += 1
        self.export("--non-private", "--features", "given")
        self.assertLess(self.file.stat().st_size, whole - x.size * 3)
        said = self.run_it(nodes=range(len(x)), features=x)["logits"]
        numpy.save(self.graph / "features.npy", x)
        numpy.testing.assert_allclose(said, self.predict(self.graph, "--logits"), rtol=2e-5, atol=2e-5)
        self.assertGreater(abs(said - calm).max(), .01)

    def test_the_part_of_one_node(self):
        """Says what predict says of the same nodes without any edge."""
        self.generate()
        self.protect("--edge-mechanism", "edgerr")
        alone = self.scratch / "alone"
        shutil.copytree(self.graph, alone)
        about = json.loads((alone / "graph.json").read_text())
        about["n_edges"] = 0
        (alone / "graph.json").write_text(json.dumps(about))
        numpy.save(alone / "edges.npy", numpy.load(alone / "edges.npy")[:, :0])
        numpy.save(alone / "private.npy", numpy.load(alone / "private.npy")[:0])
        x = numpy.load(alone / "features.npy")
        for train in ((), ("--aggregation", "first-order"), ("--aggregation", "mean", "--propagate", 1), ("--arch", "mlp")):
            self.train(self.bundle, *train)
            self.export("--per-node")
            said = self.run_it(features=x)
            numpy.testing.assert_allclose(said["logits"], self.predict(alone, "--logits"), rtol=2e-5, atol=2e-5)

    def test_what_is_not_private_is_refused_and_marked(self):
        self.generate()
        self.protect("--edge-mechanism", "edgerr")
        self.train(self.graph, "--non-private")
        for more in ((), ("--per-node",), ("--release", self.bundle)):
            self.fails(5, "export", self.model, "--onnx", self.file, *more, says="--non-private")
        self.assertFalse(self.file.exists())
        self.assertFalse(self.export("--non-private")["private"])
        self.assertIn(b"NOT PRIVATE", self.file.read_bytes())
        self.fails(2, "export", self.model, "--onnx", self.file, "--non-private", says="--force")
        self.train(self.bundle)
        self.fails(5, "export", self.model, "--onnx", self.file, "--force", "--release", self.graph, says="--non-private")
        self.export()
        self.assertNotIn(b"NOT PRIVATE", self.file.read_bytes())
        certificate = json.loads((self.bundle / "certificate.json").read_text())
        self.assertIn(certificate["statement"].encode(), self.file.read_bytes())
        twin = self.scratch / "twin"
        self.succeeds("protect", self.graph, "-o", twin, "--eps-features", 4, "--eps-edges", 4, "--edge-mechanism", "edgerr")
        self.fails(5, "export", self.model, "--onnx", self.file, "--force", "--release", twin, says="another release")

    def test_cora(self):
        cora = DATA / "planetoid/cora.npz"
        if not cora.exists():
            self.skipTest(f"{cora} is not there")
        self.succeeds("protect", cora, "-o", self.bundle, "--private-fraction", .3, "--bounds", "0,1",
                      "--eps-features", 8, "--eps-edges", 4)
        self.train(self.bundle)
        self.export("--non-private")  # the marks are drawn: an experiment, and no release
        self.assertEqual(len(self.agree(self.bundle)), 2708)


if __name__ == "__main__":
    if not shutil.which("node") or not shutil.which("npm"):
        skip_all("install nodejs and npm")
    HOME = install(HERE, "onnxruntime-node", "run.js")
    unittest.main(verbosity=2)
