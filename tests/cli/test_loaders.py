"""What other libraries open: every path of metadata.yaml with the shape that GraphBolt wants, and the
lines that docs/formats.md has for PyTorch Geometric, run with numpy in the place of torch."""
import pathlib
import re
import sys
import types
import unittest

import numpy

from command import CommandTest, skip_all

try:
    import yaml
except ImportError:
    skip_all("python3-yaml is not installed")

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"


class Tensor(numpy.ndarray):
    def long(self):
        return self.astype(numpy.int64)


class Loaders(CommandTest):
    def setUp(self):
        super().setUp()
        self.graph, self.bundle = self.scratch / "graph", self.scratch / "released"

    def release(self, *more, split=True):
        self.succeeds("generate", "--nodes", 200, "--avg-degree", 5, "--features", 7, "--classes", 4,
                      "--private-fraction", ".3", "--seed", 3, *more, "-o", self.graph)
        if not split:
            (self.graph / "split.npy").unlink()
        self.succeeds("protect", self.graph, "-o", self.bundle, "--eps-features", 1, "--eps-edges",
                      1, "--eps-labels", 2, "--insecure-seed", 1)
        self.succeeds("verify", self.bundle)
        return yaml.safe_load((self.bundle / "metadata.yaml").read_text())

    def load(self, entry):
        self.assertEqual(entry["format"], "numpy")
        self.assertNotIn("/", entry["path"])
        return numpy.load(self.bundle / entry["path"], allow_pickle=False)

    def check(self, metadata, multilabel=False):
        """The YAML specification of OnDiskDataset, for one kind of nodes and edges."""
        self.assertEqual(set(metadata), {"dataset_name", "graph", "feature_data", "tasks"})
        self.assertEqual(metadata["graph"]["nodes"], [{"num": 200}])
        (edges,) = metadata["graph"]["edges"]
        index = self.load(edges)
        once = numpy.load(self.bundle / "edges.npy")
        self.assertEqual(index.shape, (2, 2 * once.shape[1]))
        self.assertEqual({tuple(e) for e in index.T.tolist()},
                         {tuple(e) for e in once.T.tolist()} | {tuple(e[::-1]) for e in once.T.tolist()})
        data = {entry["name"]: self.load(entry) for entry in metadata["feature_data"]}
        self.assertTrue(all(entry["domain"] == "node" for entry in metadata["feature_data"]))
        self.assertEqual(data["feat"].shape, (200, 7))
        self.assertEqual(data["label"].shape, (200, 4) if multilabel else (200,))
        (task,) = metadata["tasks"]
        self.assertEqual((task["name"], task["num_classes"]), ("node_classification", 4))
        for name, mask in (("train_set", "train"), ("validation_set", "valid"), ("test_set", "test")):
            member = numpy.load(self.bundle / f"{mask}_mask.npy")
            self.assertEqual((member.shape, member.dtype), ((200,), bool))
            if name not in task:
                self.assertFalse(member.any())
                continue
            (one,) = task[name]
            parts = {entry["name"]: self.load(entry) for entry in one["data"]}
            self.assertEqual(list(parts), ["seeds", "labels"])
            self.assertEqual(parts["seeds"].dtype, numpy.int64)
            known = numpy.ones(200, bool) if multilabel else data["label"] >= 0
            numpy.testing.assert_array_equal(parts["seeds"], numpy.flatnonzero(member & known))
            numpy.testing.assert_array_equal(parts["labels"], data["label"][parts["seeds"]])
        return task

    def test_graphbolt(self):
        self.assertEqual(len(self.check(self.release())), 5)

    def test_graphbolt_with_several_labels(self):
        self.check(self.release("--multilabel"), multilabel=True)

    def test_without_a_split_every_node_is_for_training(self):
        task = self.check(self.release(split=False))
        self.assertEqual(set(task), {"name", "num_classes", "train_set"})
        self.assertTrue(numpy.load(self.bundle / "train_mask.npy").all())
        self.assertFalse((self.bundle / "split.npy").exists())
        self.assertIn("no split was given", (self.bundle / "graph.json").read_text())

    def test_without_features_and_labels(self):
        edges = self.scratch / "edges.csv"
        edges.write_text("src,dst,private\n0,1,0\n1,2,1\n2,3,0\n")
        self.succeeds("protect", edges, "-o", self.bundle, "--eps-edges", 1, "--insecure-seed", 1)
        self.succeeds("verify", self.bundle)
        metadata = yaml.safe_load((self.bundle / "metadata.yaml").read_text())
        self.assertEqual(set(metadata), {"dataset_name", "graph"})

    def test_the_documented_lines(self):
        """docs/formats.md: each python block that opens released/."""
        self.release()
        torch = types.ModuleType("torch")
        torch.from_numpy = lambda array: array.view(Tensor)
        geometric, data = types.ModuleType("torch_geometric"), types.ModuleType("torch_geometric.data")
        data.Data = lambda **parts: types.SimpleNamespace(**parts)
        sys.modules.update({"torch": torch, "torch_geometric": geometric,
                            "torch_geometric.data": data})
        blocks = re.findall(r"```python\n(.*?)```", (DOCS / "formats.md").read_text(), re.S)
        blocks = [b for b in blocks if "released/" in b and "graphbolt" not in b]
        self.assertEqual(len(blocks), 1)
        names = {}
        exec(blocks[0].replace("released/", f"{self.bundle}/"), names)
        graph = names["data"]
        self.assertEqual((graph.x.shape, graph.y.shape), ((200, 7), (200,)))
        self.assertEqual(graph.edge_index.dtype, numpy.int64)
        self.assertEqual(graph.train_mask.sum() + graph.val_mask.sum() + graph.test_mask.sum(), 200)


if __name__ == "__main__":
    unittest.main()
