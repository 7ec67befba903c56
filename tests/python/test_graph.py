"""Graphs from arrays and from other packages, and back: what goes in comes out."""
import tempfile
import types
import unittest

import support
import numpy as np

import heterorr

Graph = heterorr.Graph


def small(**options):
    """Five nodes, two of them called otherwise in files; edge (1, 2) is private."""
    defaults = dict(features=np.arange(10, dtype=np.float32).reshape(5, 2), labels=[0, 1, 2, 1, -1], n_classes=3,
                    private=[0, 1, 0, 0], split=[0, 0, 1, 2, 2], bounds=(0, 10), name="small")
    return Graph.from_numpy(np.array([[0, 1, 2, 3], [1, 2, 3, 4]]), **{**defaults, **options})


class Arrays(unittest.TestCase):
    def test_what_goes_in_comes_out(self):
        graph = small()
        self.assertEqual(graph.edge_index.tolist(), [[0, 1, 2, 3], [1, 2, 3, 4]])
        self.assertEqual(graph.private.tolist(), [0, 1, 0, 0])
        self.assertEqual(graph.features.tolist(), np.arange(10).reshape(5, 2).tolist())
        self.assertEqual(graph.labels.tolist(), [0, 1, 2, 1, -1])
        self.assertEqual(graph.split.tolist(), [0, 0, 1, 2, 2])
        self.assertEqual([part.tolist() for part in graph.bounds], [[0, 0], [10, 10]])
        self.assertEqual((graph.n_nodes, graph.n_edges, graph.n_private_edges, graph.n_classes), (5, 4, 1, 3))

    def test_edges_are_canonical(self):
        graph = Graph.from_numpy([[3, 1, 1, 2], [0, 1, 0, 3]], n_nodes=4, private=[0, 0, 1, 0])
        self.assertEqual(graph.edge_index.tolist(), [[0, 0, 2], [1, 3, 3]])
        self.assertEqual(graph.private.tolist(), [1, 0, 0])

    def test_private_edges_can_be_said_in_every_way(self):
        for private, marks in (("all", [1, 1, 1, 1]), ([(2, 1), (4, 3)], [0, 1, 0, 1]), (0.5, None),
                               (np.array([True, False, False, True]), [1, 0, 0, 1])):
            graph = small(private=private)
            self.assertEqual(graph.n_private_edges, 2 if marks is None else sum(marks))
            if marks is not None:
                self.assertEqual(graph.private.tolist(), marks)
        self.assertIsNone(small(private="none").private)
        self.assertIn("all public", repr(small(private="none")))
        self.assertIn("nothing says", repr(small(private=None)))

    def test_private_pairs_are_added_if_they_are_missing(self):
        graph = small(private=[(0, 4)])
        self.assertEqual((graph.n_edges, graph.n_private_edges), (5, 1))

    def test_marking_leaves_the_graph_as_it_was(self):
        graph = small()
        marked = graph.marked([(0, 1)])
        self.assertEqual((graph.private.tolist(), marked.private.tolist()), ([0, 1, 0, 0], [1, 0, 0, 0]))
        self.assertEqual(graph.marked(np.array([0, 0, 0, 1])).private.tolist(), [0, 0, 0, 1])
        self.assertEqual(marked.features.tolist(), graph.features.tolist())

    def test_several_labels_a_node(self):
        labels = np.array([[0, 1], [1, 1], [0, 0], [1, 0], [0, 0]])
        graph = small(labels=labels, n_classes=None)
        self.assertEqual(graph.labels.tolist(), labels.tolist())

    def test_names_of_nodes_and_classes(self):
        graph = small(node_ids=["a", "b", "ä", "d", "e"], labels=np.array(["x", "y", "x", "y", "z"]))
        self.assertEqual(graph.node_ids.tolist(), ["a", "b", "ä", "d", "e"])
        self.assertEqual(graph.class_names, ["x", "y", "z"])
        self.assertEqual(graph.labels.tolist(), [0, 1, 0, 1, 2])
        self.assertEqual(small(node_ids=[10, 20, 30, 40, 50]).node_ids.tolist(), [10, 20, 30, 40, 50])
        self.assertIsNone(small(node_ids=range(5)).node_ids)

    def test_files_hold_the_same_graph(self):
        with tempfile.TemporaryDirectory() as where:
            graph = small()
            graph.write(where + "/kept")
            again = Graph.read(where + "/kept")
            for part in ("edge_index", "private", "features", "labels", "split"):
                self.assertEqual(getattr(again, part).tolist(), getattr(graph, part).tolist(), part)

    def test_bool_features_state_their_bounds(self):
        graph = small(features=np.ones((5, 2), bool), bounds=None)
        self.assertEqual([part.tolist() for part in graph.bounds], [[0, 0], [1, 1]])
        self.assertIsNone(small(bounds=None).bounds)


class Packages(unittest.TestCase):
    def same(self, graph, original=None):
        original = original or small()
        self.assertEqual(graph.edge_index.tolist(), original.edge_index.tolist())
        self.assertEqual(graph.n_nodes, original.n_nodes)

    @unittest.skipUnless(support.has("scipy"), "scipy is not installed")
    def test_scipy(self):
        self.same(Graph.from_scipy(small().to_scipy(), private="all"))
        self.assertEqual(small().to_scipy().nnz, 8)

    @unittest.skipUnless(support.has("networkx"), "networkx is not installed")
    def test_networkx(self):
        theirs = small(node_ids=list("abcde")).to_networkx()
        self.assertEqual(theirs.edges["b", "c"]["private"], 1)
        graph = Graph.from_networkx(theirs, features="features", label="label", private="private", n_classes=3)
        self.same(graph)
        self.assertEqual(graph.private.tolist(), [0, 1, 0, 0])
        self.assertEqual(graph.features.tolist(), small().features.tolist())
        self.assertEqual(graph.node_ids.tolist(), list("abcde"))
        self.assertEqual(Graph.from_networkx(theirs, private=[("d", "e")]).private.tolist(), [0, 0, 0, 1])
        with self.assertRaises(heterorr.InvalidRequest):  # who is in it may follow from its edges
            heterorr.protect(Graph.from_networkx(theirs, private="all"), eps_edges=1, ledger=False)

    @unittest.skipUnless(support.has("igraph"), "igraph is not installed")
    def test_igraph(self):
        graph = Graph.from_igraph(small().to_igraph(), features="features", label="label", private="private")
        self.same(graph)
        self.assertEqual(graph.labels.tolist(), small().labels.tolist())
        self.assertEqual(graph.private.tolist(), [0, 1, 0, 0])

    @unittest.skipUnless(support.has("pandas"), "pandas is not installed")
    def test_pandas(self):
        import pandas
        nodes = pandas.DataFrame({"age": [1.0, 2, 3], "job": ["x", "y", "x"]}, index=["a", "b", "c"])
        edges = pandas.DataFrame({"source": ["a", "c"], "target": ["b", "a"], "secret": [0, 1]})
        graph = Graph.from_pandas(edges, nodes, features=["age"], label="job", private="secret", bounds=(0, 100))
        self.assertEqual(graph.edge_index.tolist(), [[0, 0], [1, 2]])
        self.assertEqual(graph.private.tolist(), [0, 1])
        self.assertEqual(graph.to_pandas()["target"].tolist(), ["b", "c"])

    def test_frames_need_no_more_than_columns(self):
        """from_pandas() asks a frame for columns by name only: whatever answers will do."""
        column = lambda *values: types.SimpleNamespace(tolist=lambda: list(values))  # noqa: E731
        edges = {"a": column("x", "z"), "b": column("y", "x"), "secret": column(True, False)}
        graph = Graph.from_pandas(edges, source="a", target="b", private="secret")
        self.assertEqual(graph.node_ids.tolist(), ["x", "z", "y"])
        self.assertEqual(graph.edge_index.tolist(), [[0, 0], [1, 2]])
        self.assertEqual(graph.private.tolist(), [0, 1])
        with self.assertRaises(heterorr.InvalidRequest):  # the nodes were taken from the edges
            heterorr.protect(graph, eps_edges=1, ledger=False)
        edges["secret"] = column(1, None)
        with self.assertRaises(heterorr.BadInput):
            Graph.from_pandas(edges, source="a", target="b", private="secret")


if __name__ == "__main__":
    support.main()
