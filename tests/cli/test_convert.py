"""convert: copies are equal, and what a layout cannot hold is said."""
import csv
import pathlib
import re
import unittest

import numpy
import scipy.sparse

from command import CommandTest

EVERYTHING = ["--nodes", "400", "--features", "6", "--classes", "3", "--private-fraction", "0.3"]


class Convert(CommandTest):
    def setUp(self):
        super().setUp()
        self.graph = self.scratch / "graph"
        self.json("generate", *EVERYTHING, "-o", self.graph)

    def test_native_holds_everything(self):
        answer = self.json("convert", self.graph, "-o", self.scratch / "copy")
        self.assertTrue(answer["checked"])
        self.assertEqual(answer["dropped"], [])
        for part in ["edges", "private marks", "features", "masked features", "labels", "split"]:
            self.assertIn(part, answer["kept"])
        for name in ["edges.npy", "private.npy", "features.npy", "labels.npy", "split.npy"]:
            self.assertEqual((self.scratch / "copy" / name).read_bytes(),
                             (self.graph / name).read_bytes(), name)

    def test_round_trips_keep_the_edges(self):
        for name in ["e.csv", "e.tsv", "e.csv.gz", "e.tsv.zst", "e.npz", "e.mtx", "e.txt", "e.edges.gz",
                     "e.graphml", "e.graphml.zst", "e.GEXF", "e.gexf.gz"]:
            with self.subTest(name):
                copy, back = self.scratch / name, self.scratch / ("back of " + name.replace(".", " "))
                answer = self.json("convert", self.graph, "-o", copy)
                self.assertIn("edges", answer["kept"])
                self.json("convert", copy, "-o", back)
                first, last = self.json("inspect", self.graph), self.json("inspect", back)
                self.assertEqual(first["edges"], last["edges"])
                if "nodes without edges" not in answer["dropped"]:
                    self.assertEqual((self.graph / "edges.npy").read_bytes(),
                                     (back / "edges.npy").read_bytes())
                if "private marks" in answer["kept"]:
                    self.assertEqual(first["private_edges"], last["private_edges"])

    def test_losing_the_private_marks_is_said_loudly(self):
        for name in ["e.csv", "e.npz", "e.mtx", "e.graphml", "e.gexf"]:
            done = self.succeeds("convert", self.graph, "-o", self.scratch / name)
            answer = self.json("convert", self.graph, "-o", self.scratch / name, "--force")
            lost = "private marks" in answer["dropped"]
            self.assertEqual(lost, "so its readers cannot distinguish private from public edges." in done.stderr, name)
            self.assertEqual(lost, self.json("inspect", self.scratch / name)["private_edges"] == 0)

    def test_files_of_other_programs_are_not_pretended(self):
        for name in ["g.gml", "g.GML", "g.json", "g.pkl", "g.npz.gz", "g.gz", "g.feather"]:
            self.fails(2, "convert", self.graph, "-o", self.scratch / name,
                       says="cannot be written; choose .csv, .tsv, .txt, .mtx, .graphml or .gexf (also with "
                            ".gz or .zst), .npz")
            self.fails(2, "convert", self.scratch / "absent", "-o", self.scratch / name,
                       says="files with this ending cannot be written;")  # before any work is done
        self.assertEqual(self.names(), ["graph"])
        self.json("convert", self.graph, "-o", self.scratch / "version.2")
        self.assertTrue((self.scratch / "version.2" / "graph.json").exists())

    def test_scipy_loads_the_npz(self):
        path = self.scratch / "e.npz"
        self.json("convert", self.graph, "-o", path)
        matrix = scipy.sparse.load_npz(path)
        edges = numpy.load(self.graph / "edges.npy")
        self.assertEqual(matrix.shape, (400, 400))
        self.assertEqual((matrix != matrix.T).nnz, 0)
        self.assertEqual(matrix.nnz, 2 * edges.shape[1])
        self.assertTrue(matrix.has_canonical_format)
        self.assertTrue((matrix.data == 1).all())
        self.assertTrue(numpy.asarray(matrix[edges[0], edges[1]] == 1).all())
        with numpy.load(path, allow_pickle=False) as file:
            other = scipy.sparse.csr_matrix(
                (file["adj_data"], file["adj_indices"], file["adj_indptr"]), shape=file["adj_shape"])
            private = scipy.sparse.csr_matrix(
                (file["edge_private"].astype(int) + 1, file["adj_indices"], file["adj_indptr"]),
                shape=file["adj_shape"])
        self.assertEqual((matrix != other).nnz, 0)
        marks = numpy.load(self.graph / "private.npy")
        for one, two in ((0, 1), (1, 0)):
            self.assertTrue((numpy.asarray(private[edges[one], edges[two]]).ravel() == marks + 1).all())
        back = self.json("inspect", path)
        self.assertEqual(back["private_edges"], int(marks.sum()))
        self.assertEqual(back["duplicates_removed"], 0)

    def test_what_scipy_saves_is_read(self):
        first = self.json("inspect", self.graph)
        edges = numpy.load(self.graph / "edges.npy")
        half = scipy.sparse.coo_matrix((numpy.ones(edges.shape[1]), edges), shape=(400, 400))
        for matrix in (half.tocsr(), half.tocsc(), (half + half.T).tocsr()):
            scipy.sparse.save_npz(self.scratch / "s.npz", matrix)
            seen = self.json("inspect", self.scratch / "s.npz")
            self.assertEqual((seen["nodes"], seen["edges"], seen["duplicates_removed"]),
                             (400, first["edges"], 0))

    def test_named_layout_wins_over_the_ending(self):
        self.json("convert", self.graph, "--to", "edges", "-o", self.scratch / "list.txt")
        self.assertEqual(self.json("inspect", self.scratch / "list.txt")["edges"],
                         self.json("inspect", self.graph)["edges"])

    def test_names_of_nodes_survive(self):
        path = self.scratch / "named.csv"
        path.write_text("source,target,private\nzoe,adam,1\nadam,mia,0\nmia,zoe,0\n")
        answer = self.json("convert", path, "-o", self.scratch / "named")
        self.assertIn("node names", answer["kept"])
        self.json("convert", self.scratch / "named", "-o", self.scratch / "again.csv")
        self.assertIn("zoe", (self.scratch / "again.csv").read_text())

    def test_names_are_decoded_as_documented(self):
        path = self.scratch / "named.csv"
        names = {"zoé", "Łukasz", "李", "o'neil", "a b"}
        path.write_text("source,target\nzoé,Łukasz\n李,o'neil\na b,zoé\n", encoding="utf-8")
        self.json("convert", path, "-o", self.scratch / "named")
        self.json("convert", path, "-o", self.scratch / "named.npz")
        ids = numpy.load(self.scratch / "named" / "node_ids.npy", allow_pickle=False)
        self.assertEqual(set(numpy.char.decode(ids, "utf-8")), names)
        with numpy.load(self.scratch / "named.npz", allow_pickle=False) as file:
            self.assertEqual(set(numpy.char.decode(file["node_names"], "utf-8")), names)
        numpy.save(self.scratch / "named" / "node_ids.npy", numpy.char.encode(
            numpy.array(["zoé", "b", "c", "d", "e"]), "latin-1"))
        self.fails(3, "inspect", self.scratch / "named", says="entry 0 (counting from 0) is not Unicode")

    def test_networkx_loads_the_npz_as_documented(self):
        page = (pathlib.Path(__file__).parents[2] / "docs/formats.md").read_text(encoding="utf-8")
        code = re.search(r"```python\n(import networkx.*?)```", page, re.DOTALL).group(1)
        for rows, edge in (("zoé,Łukasz\n李,zoé\n", ("zoé", "李")), ("70,3\n3,9\n", (9, 3))):
            path = self.scratch / "named.csv"
            path.write_text("source,target\n" + rows, encoding="utf-8")
            self.json("convert", path, "-o", self.scratch / "graph.npz", "--force")
            names = {}
            exec(code.replace('"graph.npz"', repr(str(self.scratch / "graph.npz"))), names)
            self.assertEqual((len(names["graph"]), names["graph"].size()), (3, 2))
            self.assertTrue(names["graph"].has_edge(*edge))

    def test_existing_places_are_kept(self):
        place = self.scratch / "e.csv"
        place.write_text("mine")
        self.fails(2, "convert", self.graph, "-o", place, says="e.csv")
        self.assertEqual(place.read_text(), "mine")
        self.json("convert", self.graph, "-o", place, "--force")
        self.assertNotEqual(place.read_text(), "mine")

    def test_a_release_is_never_replaced_whichever_certificate_is_left(self):
        for left in ("CERTIFICATE.txt", "certificate.json"):
            with self.subTest(left):
                bundle = self.scratch / left.split(".")[1]
                self.json("protect", self.graph, "--eps-features", 1, "-o", bundle, "--ledger", "none")
                for name in {"CERTIFICATE.txt", "certificate.json"} - {left}:
                    (bundle / name).unlink()
                before = sorted(path.name for path in bundle.iterdir())
                said = self.fails(2, "convert", self.graph, "-o", bundle, "--force", says=f"it also contains {left}")
                self.assertIn("--force does not replace it", said.stderr)
                self.fails(2, "generate", "--nodes", 50, "-o", bundle, "--force", says=f"it also contains {left}")
                self.assertEqual(sorted(path.name for path in bundle.iterdir()), before)

    def test_people_are_told_what_is_missing(self):
        done = self.succeeds("convert", self.graph, "-o", self.scratch / "e.csv")
        self.assertIn("read again and found equal: edges", done.stdout)
        self.assertIn("features", done.stdout.split("cannot store")[1])

    def test_tables_for_neo4j(self):
        folder = self.scratch / "import"
        done = self.succeeds("convert", self.graph, "--to", "neo4j", "-o", folder)
        self.assertIn("the copy was not checked", done.stdout)
        answer = self.json("convert", self.graph, "--to", "neo4j", "-o", folder, "--force")
        self.assertEqual((answer["checked"], answer["kept"]), (False, None))
        with open(folder / "nodes.csv", newline="", encoding="utf-8") as file:
            nodes = list(csv.DictReader(file))
        with open(folder / "relationships.csv", newline="", encoding="utf-8") as file:
            edges = list(csv.DictReader(file))
        load = lambda name: numpy.load(self.graph / f"{name}.npy")
        self.assertEqual([int(row["id:ID"]) for row in nodes], list(range(400)))
        self.assertTrue((numpy.array([[row[f"feature_{i}:float"] for i in range(6)] for row in nodes], "f4")
                         == load("features")).all())
        self.assertEqual([[int(row[":START_ID"]), int(row[":END_ID"])] for row in edges], load("edges").T.tolist())
        self.assertEqual([row["private:boolean"] == "true" for row in edges], (load("private") == 1).tolist())
        self.fails(2, "inspect", folder, "--format", "neo4j", says="neo4j")

    def test_a_device_is_not_read_again(self):
        done = self.succeeds("convert", self.graph, "--to", "edges", "--force", "-o", "/dev/null")
        self.assertIn("not checked", done.stdout)

    def test_unwritable_place(self):
        self.fails(3, "convert", self.graph, "-o", "/proc/nowhere/e.csv", says="/proc/nowhere")

    def test_a_directory_that_is_not_there_is_named(self):
        for name in ("e.csv", "e.npz", "e.mtx", "folder", "folder/"):
            self.fails(3, "convert", self.graph, "-o", self.scratch / "lost" / name,
                       says=f"the directory {self.scratch}/lost does not exist; create it first")


if __name__ == "__main__":
    unittest.main()
