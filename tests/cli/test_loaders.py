"""What other libraries open: metadata.yaml against the specification of GraphBolt's OnDiskDataset,
every path of it with the shape that GraphBolt wants, and the lines that docs/formats.md has for PyTorch
Geometric, run with torch (or numpy in its place, where torch is not installed)."""
import copy
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

try:
    import torch
except ImportError:
    torch = None

# What https://www.dgl.ai/dgl_docs/stochastic_training/ondisk-dataset-specification.html says: of each
# object the fields that it must have and those that it may have, with their types; a list holds objects
# of one kind. `type` is for graphs of several kinds of nodes and has no place here. Formats and domains
# are the words that it names.
ARRAYS, DOMAINS, EDGES = {"numpy", "torch"}, {"node", "edge"}, {"numpy", "csv"}
DATA = ({"name": str, "format": ARRAYS, "path": str}, {"in_memory": bool})
SETS = [({"data": [DATA]}, {})]
SPECIFICATION = (
    {"graph": ({"nodes": [({"num": int}, {})], "edges": [({"format": EDGES, "path": str}, {})]}, {})},
    {"dataset_name": str,
     "feature_data": [({"domain": DOMAINS, "name": str, "format": ARRAYS, "path": str},
                       {"in_memory": bool})],
     "tasks": [({"train_set": SETS, "validation_set": SETS, "test_set": SETS},
                {"name": str, "num_classes": int})]})


def departures(value, kind, where="metadata"):
    """How a value differs from what the specification allows: a list of sentences."""
    if isinstance(kind, set):
        return [] if value in kind else [f"{where}: {value!r} is none of {sorted(kind)}"]
    if isinstance(kind, list):
        if not isinstance(value, list):
            return [f"{where}: no list"]
        return [d for i, v in enumerate(value) for d in departures(v, kind[0], f"{where}[{i}]")]
    if isinstance(kind, tuple):
        if not isinstance(value, dict):
            return [f"{where}: no object"]
        must, may = kind
        found = [f"{where}: no {name}" for name in must if name not in value]
        found += [f"{where}: {name} is not known" for name in value if name not in {**must, **may}]
        return found + [d for name, k in {**must, **may}.items() if name in value
                        for d in departures(value[name], k, f"{where}.{name}")]
    return [] if type(value) is kind else [f"{where}: {value!r} is no {kind.__name__}"]


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
        self.assertEqual(departures(metadata, SPECIFICATION), [])
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
            if not task[name]:
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
        self.assertEqual((task["validation_set"], task["test_set"]), ([], []))
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
        self.assertEqual(departures(metadata, SPECIFICATION), [])

    def test_the_specification_can_be_broken(self):
        """The control: what is not as it should be is found."""
        good = self.release()
        for change in (lambda m: m.pop("graph"), lambda m: m.update(extra=1),
                       lambda m: m["graph"]["nodes"][0].update(num="200"),
                       lambda m: m["graph"]["edges"][0].update(format="npz"),
                       lambda m: m["feature_data"][0].update(in_memory="yes"),
                       lambda m: m["feature_data"][0].update(domain="graph"),
                       lambda m: m["feature_data"][0].pop("name"),
                       lambda m: m["tasks"][0].pop("test_set"),
                       lambda m: m["tasks"][0]["train_set"][0]["data"][0].pop("name"),
                       lambda m: m["tasks"][0].update(train_set={})):
            bad = copy.deepcopy(good)
            change(bad)
            self.assertEqual(len(departures(bad, SPECIFICATION)), 1, bad)

    def test_the_documented_lines(self):
        """docs/formats.md: each python block that opens released/. PyG itself is not in Debian: Data
        only keeps what it is given."""
        self.release()
        geometric, data = types.ModuleType("torch_geometric"), types.ModuleType("torch_geometric.data")
        data.Data = lambda **parts: types.SimpleNamespace(**parts)
        sys.modules.update({"torch_geometric": geometric, "torch_geometric.data": data})
        if torch is None:
            print("SKIPPED: python3-torch is not installed; numpy takes its place", file=sys.stderr)
            stand_in = types.ModuleType("torch")
            stand_in.from_numpy = lambda array: array.view(Tensor)
            sys.modules["torch"] = stand_in
        blocks = re.findall(r"```python\n(.*?)```", (DOCS / "formats.md").read_text(), re.S)
        blocks = [b for b in blocks if "released/" in b and "graphbolt" not in b]
        self.assertEqual(len(blocks), 1)
        names = {}
        exec(blocks[0].replace("released/", f"{self.bundle}/"), names)
        graph = names["data"]
        self.assertEqual((graph.x.shape, graph.y.shape), ((200, 7), (200,)))
        n_edges = numpy.load(self.bundle / "edges.npy").shape[1]
        self.assertEqual(tuple(graph.edge_index.shape), (2, 2 * n_edges))
        self.assertEqual(graph.edge_index.dtype, torch.int64 if torch else numpy.int64)
        if torch:
            self.assertTrue(all(isinstance(part, torch.Tensor) for part in vars(graph).values()))
            self.assertEqual((graph.x.dtype, graph.y.dtype), (torch.float32, torch.int64))
            self.assertEqual(graph.train_mask.dtype, torch.bool)
            self.assertTrue(0 <= int(graph.edge_index.min()) and int(graph.edge_index.max()) < 200)
            # What a layer of a graph network does with it: sum over neighbours.
            summed = torch.zeros_like(graph.x).index_add(0, graph.edge_index[1],
                                                         graph.x[graph.edge_index[0]])
            self.assertEqual(tuple(summed.shape), (200, 7))
        self.assertEqual(graph.train_mask.sum() + graph.val_mask.sum() + graph.test_mask.sum(), 200)


if __name__ == "__main__":
    unittest.main()
