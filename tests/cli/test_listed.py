"""GraphML and GEXF: networkx reads what convert writes, and what networkx writes is read."""
import pathlib
import re
import unittest

import numpy

from command import DATA, CommandTest

try:
    import networkx
except ImportError:
    from command import skip_all
    skip_all("networkx is not installed")
try:
    import igraph
except ImportError:
    igraph = None

READ = {"graphml": networkx.read_graphml, "gexf": networkx.read_gexf}
WRITE = {"graphml": networkx.write_graphml, "gexf": networkx.write_gexf}


def attributed():
    """Node 7 comes before 3, so that the order of the file is not that of the names."""
    graph = networkx.Graph()
    graph.add_node("7", x2=0.1, x10=-3, up=True, team="red", split="train", **{"class": "b"})
    graph.add_node("3", x2=2.5e-8, x10=4.5, up=False, team="blue & <white>", split="test")
    graph.add_node("5", x2=-1e300, x10=0, up=True, team="red", split="valid", **{"class": "a"})
    graph.add_edge("7", "3", private=True, weight=2)
    graph.add_edge("5", "7", private=False, weight=0.5)
    return graph


class Listed(CommandTest):
    def converted(self, source, name, *options):
        folder = self.scratch / name
        answer = self.json("convert", source, "-o", folder, *options)
        return folder, answer

    def test_an_attributed_graph_of_networkx_is_read(self):
        for ending, write in WRITE.items():
            with self.subTest(ending):
                path = self.scratch / f"g.{ending}"
                write(attributed(), path)
                folder, answer = self.converted(path, f"folder of {ending}")
                load = lambda name: numpy.load(folder / f"{name}.npy")
                self.assertEqual(load("node_ids").tolist(), [3, 5, 7])
                self.assertEqual(load("edges").tolist(), [[0, 1], [2, 2]])
                self.assertEqual(load("private").tolist(), [1, 0])
                # In the order of names: up, x2, x10.
                self.assertEqual(load("features").tolist(), [[0, 2.5e-8, 4.5], [1, -1e300, 0], [1, 0.1, -3]])
                self.assertEqual(load("labels").tolist(), [-1, 0, 1])
                self.assertEqual(load("split").tolist(), [2, 1, 0])
                self.assertEqual((answer["nodes"], answer["private_edges"]), (3, 1))
                said = self.succeeds("inspect", path, "--label-column", "team").stderr
                self.assertIn("the features are the node attributes up, x2 and x10, in this order", said)

    def test_networkx_reads_an_attributed_graph(self):
        graph = self.scratch / "graph"
        self.json("generate", "--nodes", "60", "--features", "3", "--classes", "4", "--private-fraction", "0.3",
                  "-o", graph)
        load = lambda name: numpy.load(graph / f"{name}.npy")
        private = dict(zip(map(tuple, load("edges").T.tolist()), load("private").tolist()))
        for ending, read in READ.items():
            with self.subTest(ending):
                path = self.scratch / f"g.{ending}"
                answer = self.json("convert", graph, "-o", path)
                for part in ("edges", "private marks", "features", "labels", "split"):
                    self.assertIn(part, answer["kept"])
                seen = read(path, node_type=int)
                self.assertFalse(seen.is_directed())
                self.assertEqual(sorted(seen), list(range(60)))
                self.assertEqual({tuple(sorted(edge)): int(mark) for *edge, mark in seen.edges(data="private")},
                                 private)
                for node, data in seen.nodes(data=True):
                    row = numpy.array([data[f"feature_{i}"] for i in range(3)], load("features").dtype)
                    self.assertTrue((row == load("features")[node]).all())
                    self.assertEqual(int(data["class"]), load("labels")[node])
                    self.assertEqual(data["split"], ["train", "valid", "test"][load("split")[node]])
                # And what networkx makes of it is the same graph again.
                again = self.scratch / f"again.{ending}"
                WRITE[ending](seen, again)
                folder, _ = self.converted(again, f"back from {ending}")
                for name in ("edges", "private", "labels", "split"):
                    self.assertTrue((numpy.load(folder / f"{name}.npy") == load(name)).all(), name)
                self.assertTrue((numpy.load(folder / "features.npy").astype("f4") == load("features")).all())

    def test_a_real_graph_goes_both_ways(self):
        pairs = DATA / "structure/CA-HepPh.pairs"
        if not pairs.exists():
            self.skipTest(f"{pairs} is not here")
        first, _ = self.converted(pairs, "first")
        ids = numpy.load(first / "node_ids.npy")
        edges = set(map(tuple, ids[numpy.load(first / "edges.npy")].T.tolist()))
        for ending, read in READ.items():
            with self.subTest(ending):
                path, again = self.scratch / f"g.{ending}", self.scratch / f"again.{ending}"
                self.json("convert", pairs, "-o", path)
                seen = read(path, node_type=int)
                self.assertEqual(len(seen), len(ids))
                self.assertEqual({tuple(sorted(edge)) for edge in seen.edges}, edges)
                WRITE[ending](seen, again)
                back, _ = self.converted(again, f"back from {ending}")
                for name in ("edges", "node_ids"):
                    self.assertEqual((back / f"{name}.npy").read_bytes(), (first / f"{name}.npy").read_bytes())

    @unittest.skipUnless(igraph, "igraph is not installed")
    def test_igraph_and_graphml(self):
        path, again = self.scratch / "g.graphml", self.scratch / "again.graphml"
        networkx.write_graphml(attributed(), path)
        self.json("convert", path, "-o", again)
        seen = igraph.Graph.Read_GraphML(str(again))
        self.assertEqual((seen.vcount(), seen.ecount(), seen.is_directed()), (3, 2, False))
        self.assertEqual(seen.vs["id"], ["3", "5", "7"])
        self.assertEqual(seen.vs["feature_1"], [2.5e-8, -1e300, 0.1])
        self.assertEqual([bool(mark) for mark in seen.es["private"]], [True, False])
        self.assertEqual(seen.vs["class"][1:], ["a", "b"])
        seen.write_graphml(str(path))
        self.assertEqual(self.json("inspect", path)["private_edges"], 1)

    def test_the_documented_lines_work(self):
        page = (pathlib.Path(__file__).parents[2] / "docs/formats.md").read_text(encoding="utf-8")
        code = re.search(r"```python\n(from networkx import read_graphml.*?)```", page, re.DOTALL).group(1)
        networkx.write_graphml(attributed(), self.scratch / "g.graphml")
        self.json("convert", self.scratch / "g.graphml", "-o", self.scratch / "graph.graphml")
        names = {}
        exec(code.replace('"graph.graphml"', repr(str(self.scratch / "graph.graphml"))), names)
        self.assertEqual([set(edge) for edge in names["private"]], [{"3", "7"}])

    def test_directions_are_given_up_aloud(self):
        for ending, write in WRITE.items():
            path = self.scratch / f"g.{ending}"
            write(networkx.DiGraph([(0, 1), (1, 0), (1, 2), (2, 2)]), path)
            said = self.succeeds("inspect", path).stderr
            self.assertIn(": is a directed graph; it was read as undirected, so an edge and its reverse count as one.", said)
            answer = self.json("inspect", path)
            self.assertEqual((answer["edges"], answer["duplicates_removed"], answer["self_loops_removed"]),
                             (2, 1, 1))

    def test_marks_by_another_name(self):
        graph = networkx.Graph()
        graph.add_edge(0, 1, hidden=True)
        graph.add_edge(1, 2, hidden=False)
        for ending, write in WRITE.items():
            path = self.scratch / f"g.{ending}"
            write(graph, path)
            self.assertEqual(self.json("inspect", path, "--private-column", "hidden")["private_edges"], 1)
            self.fails(2, "inspect", path, "--private-column", "secret", says="secret")

    def test_protect_asks_of_a_copy_what_it_asks_of_the_original(self):
        path = self.scratch / "e.csv"
        path.write_text("source,target,private\n1,5,1\n5,7,0\n")
        for ending in READ:
            self.json("convert", path, "-o", self.scratch / f"e.{ending}")
            for each in (path, self.scratch / f"e.{ending}"):
                self.fails(2, "protect", each, "--eps-edges", "1", "-o", self.scratch / "bundle", "--ledger", "none",
                           says="add --public nodes")

    def test_a_release_and_its_marks(self):
        graph = self.scratch / "graph"
        self.json("generate", "--nodes", "60", "--private-fraction", "0.3", "-o", graph)
        self.json("protect", graph, "-o", self.scratch / "bundle", "--eps-edges", "1", "--eps-features", "1",
                  "--ledger", "none")
        for ending, read in READ.items():
            path = self.scratch / f"g.{ending}"
            said = self.succeeds("convert", self.scratch / "bundle", "-o", path).stderr
            self.assertIn("is a release; its certificate, which states the guarantee, is not part of the copy.", said)
            self.assertFalse(any("private" in data for *_, data in read(path).edges(data=True)))
            self.json("convert", graph, "-o", path, "--force")
            self.assertEqual(self.json("inspect", path)["private_edges"],
                             self.json("inspect", graph)["private_edges"])


if __name__ == "__main__":
    unittest.main()
