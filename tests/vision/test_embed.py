"""heterorr embed on pictures and networks whose embeddings are known in advance."""
import csv
import json
import os
import shutil
import signal
import time
import unittest

import fetched
from fetched import helper, numpy, pixels_of, save, save_network
from command import CommandTest, heterorr

fetched.libvips()
fetched.runtime()


class Embed(CommandTest):
    def setUp(self):
        super().setUp()
        self.model = fetched.pixel_network(self.scratch / "m.onnx")
        (self.scratch / "m.json").write_text(fetched.PIXELS)
        self.photos = self.scratch / "photos"
        draw = numpy.random.default_rng(1)
        self.truth = draw.integers(0, 256, (7, 8, 8, 3), dtype=numpy.uint8)
        self.names = [f"{'in/' if i % 2 else ''}p{i}.png" for i in range(7)]
        for name, picture in zip(self.names, self.truth):
            save(self.photos / name, picture)
        self.order = sorted(range(7), key=lambda i: self.names[i])
        self.sorted = self.truth[self.order].astype(float)

    def embed(self, *words, out="g", model=None):
        return self.json("embed", self.photos, "-o", self.scratch / out, "--model", model or self.model, *words)

    def z(self, out="g", name="z"):
        return numpy.load(self.scratch / out / f"{name}.npy")

    def test_rows_are_the_pictures_in_the_order_of_their_names(self):
        said = self.embed()
        self.assertEqual((said["pictures"], said["features"], said["masked"], said["private"]), (7, 192, False, False))
        numpy.testing.assert_allclose(pixels_of(self.z()), self.sorted, atol=1e-4)
        with open(self.scratch / "g" / "ids.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["picture"] for row in rows], [self.names[i] for i in self.order])
        self.assertFalse((self.scratch / "g" / "zhat.npy").exists())
        self.assertFalse((self.scratch / "g.unfinished").exists())

    def test_the_summary_goes_to_stdout_and_says_that_it_is_private(self):
        done = self.succeeds("embed", self.photos, "-o", self.scratch / "g", "--model", self.model)
        self.assertIn("7 pictures, 192 features each", done.stdout)
        self.assertRegex(done.stdout, "(?i)private")
        for said in done.stderr.splitlines():
            self.assertRegex(said, "^heterorr: (note|warning): ")

    def test_threads_and_batches_change_nothing(self):
        self.embed("--threads", 1, "--batch", 1, out="one")
        self.embed("--threads", 4, "--batch", 3, out="many")
        for name in sorted(os.listdir(self.scratch / "one")):
            self.assertEqual((self.scratch / "one" / name).read_bytes(), (self.scratch / "many" / name).read_bytes(), name)

    def test_a_network_with_a_batch_of_its_own_is_filled_up(self):
        model = fetched.pixel_network(self.scratch / "five.onnx", batch=5)
        shutil.copy(self.scratch / "m.json", self.scratch / "five.json")
        self.embed(model=model)
        numpy.testing.assert_allclose(pixels_of(self.z()), self.sorted, atol=1e-4)

    def test_channels_last_and_blue_first(self):
        model = fetched.pixel_network(self.scratch / "last.onnx", channels_last=True)
        (self.scratch / "last.json").write_text(json.dumps(
            {**json.loads(fetched.PIXELS), "layout": "nhwc", "channels": "bgr"}))
        self.embed(model=model)
        numpy.testing.assert_allclose(self.z().reshape(7, 8, 8, 3)[..., ::-1] * 255, self.sorted, atol=1e-4)

    def test_a_tensor_between_layers_can_be_the_features(self):
        weight = numpy.random.default_rng(2).normal(size=(5, 3, 3, 3)).astype(numpy.float32)
        nodes = [helper.make_node("Conv", ["x", "w"], ["maps"]), helper.make_node("Relu", ["maps"], ["inner"]),
                 helper.make_node("GlobalAveragePool", ["inner"], ["pooled"]),
                 helper.make_node("Flatten", ["pooled"], ["flat"]), helper.make_node("Softmax", ["flat"], ["classes"])]
        model = save_network(self.scratch / "deep.onnx", nodes, [("x", ["N", 3, 8, 8])], [("classes", ["N", 5])], [("w", weight)])
        x = self.sorted.transpose(0, 3, 1, 2) / 255
        maps = numpy.zeros((7, 5, 6, 6))
        for i in range(3):
            for j in range(3):
                maps += numpy.einsum("nchw,oc->nohw", x[:, :, i:i + 6, j:j + 6], weight[:, :, i, j])
        expected = numpy.maximum(maps, 0).mean(axis=(2, 3))
        for tensor in ("inner", "pooled", "flat"):  # maps are averaged
            (self.scratch / "deep.json").write_text(json.dumps(
                {**json.loads(fetched.PIXELS), "output": tensor, "features": 5}))
            self.embed("--force", model=model)
            numpy.testing.assert_allclose(self.z(), expected, rtol=1e-5, atol=1e-6)

    def regions(self, rows):
        path = self.scratch / "r.csv"
        path.write_text("picture,left,top,right,bottom\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
        return path

    def test_regions_are_masked_and_the_rest_is_not(self):
        said = self.embed("--regions", self.regions([("p0.png", 1, 2, 4, 5), ("p0.png", 6, 6, 20, 7), ("in/p1.png", 0, 0, 8, 8)]),
                          "--margin", 0, "--masked-pictures", self.scratch / "look")
        self.assertEqual((said["boxes"], said["without_boxes"]), (3, 5))
        expected = self.sorted.copy()
        at = {self.names[i]: row for row, i in enumerate(self.order)}
        expected[at["p0.png"], 2:5, 1:4] = 0
        expected[at["p0.png"], 6:7, 6:8] = 0
        expected[at["in/p1.png"]] = 0
        numpy.testing.assert_allclose(pixels_of(self.z(name="zhat")), expected, atol=1e-4)
        numpy.testing.assert_allclose(pixels_of(self.z()), self.sorted, atol=1e-4)
        unmasked = [row for row in range(7) if row not in (at["p0.png"], at["in/p1.png"])]
        numpy.testing.assert_array_equal(self.z(name="zhat")[unmasked], self.z()[unmasked])
        with open(self.scratch / "g" / "ids.csv", newline="") as file:
            counts = {row["picture"]: int(row["boxes"]) for row in csv.DictReader(file)}
        self.assertEqual(counts, {name: {"p0.png": 2, "in/p1.png": 1}.get(name, 0) for name in self.names})
        seen = {name[9:]: numpy.asarray(fetched.Image.open(self.scratch / "look" / name)) for name in os.listdir(self.scratch / "look")}
        self.assertEqual(sorted(seen), ["p0.png.png", "p1.png.png"])
        numpy.testing.assert_array_equal(seen["p0.png.png"], expected[at["p0.png"]])

    def test_boxes_it_wrote_are_regions_it_reads(self):
        self.embed("--regions", self.regions([("p0.png", 1, 2, 4, 5)]))
        self.embed("--regions", self.scratch / "g" / "boxes.csv", out="again")
        numpy.testing.assert_array_equal(self.z(name="zhat"), self.z("again", "zhat"))

    def test_the_result_walks_into_scores_train_and_protect(self):
        (self.scratch / "edges.csv").write_text("source,target,private\np0.png,in/p1.png,1\np2.png,p4.png,0\np4.png,p6.png,1\n")
        (self.scratch / "y.csv").write_text("id,class\n" + "".join(f"{name},{i % 2}\n" for i, name in enumerate(self.names)))
        said = self.embed("--edges", self.scratch / "edges.csv", "--labels", self.scratch / "y.csv",
                          "--regions", self.regions([("p0.png", 1, 2, 4, 5)]), "--margin", 0)
        self.assertEqual(said["edges"], 3)
        graph = self.scratch / "g"
        seen = self.json("inspect", graph)
        self.assertEqual((seen["nodes"], seen["edges"], seen["private_edges"], seen["features"], seen["classes"]), (7, 3, 2, 192, 2))
        labels = numpy.load(graph / "labels.npy")
        self.assertEqual(labels.tolist(), [i % 2 for i in self.order])
        self.succeeds("scores", "--embeddings", graph / "z.npy", "--masked", graph / "zhat.npy", "--labels", graph / "labels.npy",
                      "--public", "-o", self.scratch / "s.npz")
        beta = numpy.load(self.scratch / "s.npz")["beta"].reshape(3, 8, 8)
        masked = numpy.zeros((8, 8), bool)
        masked[2:5, 1:4] = True
        self.assertGreater(beta[:, masked].min(), 0)
        self.assertEqual(beta[:, ~masked].max(), 0)
        released = self.json("protect", graph, "-o", self.scratch / "bundle", "--eps-features", 4, "--eps-edges", 4, "--eps-labels", 4,
                             "--bounds", "0,1", "--scores", self.scratch / "s.npz", "--public", "classes")
        self.assertTrue(released["private"])
        self.succeeds("train", self.scratch / "bundle", "-o", self.scratch / "model", "--epochs", 3)

    def test_several_labels_a_picture(self):
        rows = [[i % 2, i % 3 == 0, 1] for i in range(7)]
        (self.scratch / "y.csv").write_text("id,cat,dog,sky\n" + "".join(
            f"{name},{','.join(str(int(v)) for v in row)}\n" for name, row in zip(self.names, rows)))
        self.embed("--labels", self.scratch / "y.csv")
        self.assertEqual(numpy.load(self.scratch / "g" / "labels.npy").tolist(), [[int(v) for v in rows[i]] for i in self.order])

    def test_the_result_is_no_release(self):
        self.embed()
        graph = self.scratch / "g"
        self.assertIn("PRIVATE", (graph / "PRIVATE.txt").read_text())
        self.assertIn("PRIVATE", json.loads((graph / "graph.json").read_text())["provenance"])
        self.assertNotEqual(heterorr("verify", graph).returncode, 0)
        self.assertFalse([name for name in os.listdir(graph) if name.lower().startswith("certificate")])

    def test_an_interrupted_run_goes_on_where_it_stopped(self):
        for i in range(150):
            save(self.photos / "many" / f"{i:03}.png", numpy.full((256, 256, 3), i % 256, numpy.uint8))
        command = ["embed", self.photos, "-o", self.scratch / "g", "--model", self.model, "--threads", 1, "--batch", 2]
        running = self.start(*command, stderr=-3, stdout=-3)
        journal = self.scratch / "g.unfinished" / "journal"
        deadline = time.monotonic() + 60
        while running.poll() is None and time.monotonic() < deadline and not (journal.exists() and journal.stat().st_size > 60):
            time.sleep(0.002)
        running.send_signal(signal.SIGINT)
        self.assertEqual(running.wait(60), 130)
        self.assertFalse((self.scratch / "g").exists())
        other = heterorr(*command, "--long-side", 64)
        self.assertEqual(other.returncode, 2, other.stderr)
        self.assertIn("other pictures or settings", other.stderr)
        said = self.json(*command)
        self.assertGreater(said["from_before"], 0)
        self.assertLess(said["from_before"], 157)
        fresh = self.embed(out="fresh")
        self.assertEqual(fresh["from_before"], 0)
        numpy.testing.assert_array_equal(self.z(), self.z("fresh"))
        self.assertFalse((self.scratch / "g.unfinished").exists())

    def test_without_a_runtime_it_says_what_to_do(self):
        environment = {**os.environ, "HOME": str(self.scratch), "XDG_CACHE_HOME": ""}
        del environment["HETERORR_ONNXRUNTIME"]
        command = ["embed", self.photos, "-o", self.scratch / "g", "--model", self.model]
        done = heterorr(*command, env=environment)
        if done.returncode == 0:
            self.skipTest("this system has an ONNX Runtime of its own")
        self.assertEqual(done.returncode, 2)
        for words in ("tools/onnxruntime", "--runtime", "HETERORR_ONNXRUNTIME", str(self.scratch / ".cache")):
            self.assertIn(words, done.stderr)
        self.fails(2, *command, "--runtime", "/nowhere", says="--runtime is not a shared library")
        self.fails(2, *command, "--runtime", "libm.so.6", says="is not ONNX Runtime")
        self.succeeds(*command, "--runtime", os.environ["HETERORR_ONNXRUNTIME"], env=environment)

    def test_networks_that_do_not_fit_are_refused(self):
        pixels = ["N", 3, 8, 8]
        flat = helper.make_node("Flatten", ["x"], ["y"])
        (self.scratch / "bad.json").write_text(fetched.PIXELS)
        bad = self.scratch / "bad.onnx"
        wide = {**json.loads(fetched.PIXELS), "features": 2048}

        def refused(says, profile=None):
            (self.scratch / "bad.json").write_text(json.dumps(profile) if profile else fetched.PIXELS)
            self.fails(3, "embed", self.photos, "-o", self.scratch / "g", "--model", bad, says=says)
            shutil.rmtree(self.scratch / "g.unfinished", ignore_errors=True)

        save_network(bad, [flat], [("x", ["N", 3, 9, 9])], [("y", ["N", 243])])
        refused("is any x 3 x 9 x 9, but the profile produces any x 3 x 8 x 8")
        save_network(bad, [flat], [("x", ["N", 192])], [("y", ["N", 192])])
        refused("the input of the network is any x 192")
        save_network(bad, [helper.make_node("Add", ["x", "b"], ["y"])], [("x", pixels), ("b", pixels)], [("y", pixels)])
        refused("has 2 inputs")
        save_network(bad, [flat, helper.make_node("Relu", ["y"], ["u"])], [("x", pixels)], [("y", ["N", 192]), ("u", ["N", 192])])
        refused("has several outputs (y, u)")
        refused("nonsense", {**json.loads(fetched.PIXELS), "output": "nonsense"})
        save_network(bad, [flat], [("x", pixels)], [("y", ["N", 192])])
        refused("has 192 features, but the profile states 2048", wide)
        save_network(bad, [helper.make_node("Flatten", ["x"], ["y"], axis=0)], [("x", pixels)], [("y", [1, "D"])])
        refused("changes its shape")  # one picture is one row by chance, several are not
        save_network(bad, [helper.make_node("Sub", ["x", "x"], ["o"]), helper.make_node("Flatten", ["o"], ["f"]),
                           helper.make_node("Log", ["f"], ["y"])], [("x", pixels)], [("y", ["N", 192])])
        refused("not finite")
        bad.write_bytes(b"not a network")
        refused("ONNX Runtime")
        bad.write_bytes(b"")
        refused("is empty")

    def test_mistakes_in_edges_and_labels_are_told_before_any_work(self):
        (self.scratch / "edges.csv").write_text("source,target\np0.png,nobody.png\n")
        self.fails(3, "embed", self.photos, "-o", self.scratch / "g", "--model", self.model, "--edges", self.scratch / "edges.csv",
                   says="edges.csv:2")
        self.assertFalse((self.scratch / "g.unfinished").exists())
        (self.scratch / "y.csv").write_text("id,class\np0.png,1\n")
        self.fails(3, "embed", self.photos, "-o", self.scratch / "g", "--model", self.model, "--labels", self.scratch / "y.csv",
                   says="y.csv")

    def test_faces_and_regions_together_are_refused(self):
        self.fails(2, "embed", self.photos, "-o", self.scratch / "g", "--model", self.model, "--faces", self.model,
                   "--regions", self.model, says="--faces and --regions both give boxes")
        self.fails(2, "embed", self.photos, "-o", self.scratch / "g", "--model", self.model, "--masked-pictures",
                   self.scratch / "look", says="--masked-pictures")
        self.fails(3, "embed", self.photos, "-o", self.scratch / "g", "--model", self.model, "--faces", self.model,
                   says="is not the RetinaFace network")

    def test_a_place_that_is_taken_is_not_replaced_unasked(self):
        self.embed()
        self.fails(2, "embed", self.photos, "-o", self.scratch / "g", "--model", self.model, says="--force")
        self.embed("--force")


if __name__ == "__main__":
    unittest.main()
