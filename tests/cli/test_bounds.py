"""Bounds of features are declared or stated by the format, never taken for granted, and what is asked does not depend
on a value."""
import json
import os
import pathlib
import unittest

import numpy

from command import CommandTest, heterorr

ASKED = "the input does not state the bounds of its"


class Bounds(CommandTest):
    def people(self, rows, name="people"):
        """Ages and salaries beside an edge list."""
        place = self.scratch / name
        place.mkdir()
        (place / "edges.csv").write_text("0,1\n1,2\n2,3\n3,0\n")
        (place / "people.csv").write_text("age,salary\n" + "".join(f"{a},{s}\n" for a, s in rows))
        return [place / "edges.csv", "--node-features", place / "people.csv"]

    def protect(self, *graph):
        return ["protect", *graph, "-o", self.scratch / "out", "--eps-features", "1", "--public", "edges,nodes"]

    def native(self, features, **more):
        """A folder with these features and more in its graph.json."""
        place = self.scratch / f"native{len(os.listdir(self.scratch))}"
        place.mkdir()
        numpy.save(place / "edges.npy", numpy.array([[0, 1, 2], [1, 2, 3]], numpy.int32))
        numpy.save(place / "features.npy", features)
        (place / "graph.json").write_text(json.dumps({"n_nodes": 4, **more}))
        return place

    def test_ages_and_salaries_are_not_clipped_to_a_constant(self):
        graph = self.people([(17, 10000), (94, 93000), (44, 52000), (31, 0)])
        self.fails(2, *self.protect(*graph), says=ASKED)
        self.fails(2, *self.protect(*graph), "--dry-run", says="--bounds LO,HI")
        self.fails(2, *self.protect(*graph), "--mode", "paper", says=ASKED)
        self.assertEqual(self.names(), ["people"])
        self.assertEqual(os.listdir(os.environ["XDG_DATA_HOME"]), [], "not even a ledger is made")

    def test_what_is_asked_does_not_depend_on_the_values(self):
        wide = self.people([(17, 10000), (94, 93000), (44, 52000), (31, 0)], "a")
        unit = self.people([(0, 1), (1, 0), (0, 0), (1, 1)], "b")
        said = [heterorr(*self.protect(*graph)) for graph in (wide, unit)]
        self.assertEqual([done.returncode for done in said], [2, 2])
        self.assertEqual(said[0].stderr, said[1].stderr)

    def test_inspect_writes_a_file_that_protect_takes_once_it_is_declared(self):
        graph = self.people([(17, 10000), (94, 93000), (44, 52000), (31, 0)])
        file = self.scratch / "bounds.csv"
        shown = self.succeeds("inspect", *graph, "--bounds-out", file).stdout
        self.assertIn(f"--bounds {file}", shown)
        self.assertIn("17 to 94", shown)
        self.assertIn("commonly known", shown)
        lines = [line.split("#")[0].strip() for line in file.read_text().splitlines()]
        self.assertEqual([line for line in lines if line], ["0,100", "0,100000"])
        self.fails(2, *self.protect(*graph), "--bounds", file,
                   says="line 1 says that these bounds were rounded from private values")
        file.write_text("".join(file.read_text().splitlines(keepends=True)[1:]))
        self.succeeds(*self.protect(*graph), "--bounds", file)
        certificate = json.loads((self.scratch / "out/certificate.json").read_text())
        self.assertEqual(certificate["features"]["bounds"]["hi"], [100, 100000])
        released = numpy.load(self.scratch / "out/features.npy")
        self.assertTrue((abs(released[:, 1]) > 1).all(), "in the units of the input")

    def test_inspect_suggests_an_option_that_protect_takes(self):
        graph = self.people([(17, 12), (94, 93), (44, 52), (31, 0)])
        found = self.json("inspect", *graph)["feature_bounds"]
        self.assertEqual(found["suggested"], "--bounds 0,100")
        self.assertEqual((found["low"], found["high"]), ([17, 0], [94, 93]))
        self.assertIsNone(found["stated_lo"])
        self.succeeds(*self.protect(*graph), *found["suggested"].split())

    def test_typed_or_in_a_file_bounds_are_the_owners_word(self):
        graph = self.people([(17, 12), (94, 93), (44, 52), (31, 0)])
        file = self.scratch / "bounds.csv"
        file.write_text("0,120\n0,120\n")
        certificates = []
        for bounds in ("0,120", file):
            self.succeeds(*self.protect(*graph), "--force", "--bounds", bounds)
            self.succeeds("verify", self.scratch / "out")
            certificates.append(json.loads((self.scratch / "out/certificate.json").read_text()))
            self.assertIn("the owner, who declared them public", (self.scratch / "out/CERTIFICATE.txt").read_text())
        for certificate in certificates:
            self.assertIn("bounds", certificate["declared_public"])
            self.assertTrue(certificate["private"])
        self.assertEqual(certificates[0]["features"]["bounds"], certificates[1]["features"]["bounds"])

    def test_types_that_are_zero_and_one_state_their_bounds(self):
        place = self.native(numpy.eye(4, 3, dtype=bool))
        self.succeeds(*self.protect(place))
        certificate = json.loads((self.scratch / "out/certificate.json").read_text())
        self.assertEqual(certificate["features"]["bounds"],
                         {"lo": 0, "hi": 1, "stated_by": "the format of the input"})
        self.assertNotIn("bounds", certificate["declared_public"])
        for dtype in (numpy.uint8, numpy.int64, numpy.float32):
            self.fails(2, *self.protect(self.native(numpy.eye(4, 3, dtype=dtype))), says=ASKED)

    def test_graph_json_may_state_them(self):
        features = numpy.array([[1, 20], [2, 30], [3, 40], [4, 50]], numpy.float32)
        for stated, hi in (([0, 50], 50), ([[0, 4], [0, 50]], [4, 50])):
            place = self.native(features, feature_bounds=stated)
            self.succeeds(*self.protect(place), "--force")
            certificate = json.loads((self.scratch / "out/certificate.json").read_text())
            self.assertEqual(certificate["features"]["bounds"]["hi"], hi)
            copy = self.scratch / "copy"
            self.succeeds("convert", place, "-o", copy, "--force")
            self.assertEqual(json.loads((copy / "graph.json").read_text())["feature_bounds"], stated)
        self.assertNotIn("feature_bounds", (self.scratch / "out/graph.json").read_text())
        for wrong in ([1, 0], [0], "0,1", [[0, 1]], [[0, 1], [0, "1"]], [0, 0]):
            self.fails(3, "inspect", self.native(features, feature_bounds=wrong), says="bounds")

    def test_generated_graphs_state_them(self):
        for words, hi in (((), 1), (("--feature-type", "u8"), 255)):
            place = self.scratch / f"generated{hi}"
            self.succeeds("generate", "--nodes", "100", "-o", place, *words)
            self.assertEqual(json.loads((place / "graph.json").read_text())["feature_bounds"], [0, hi])

    def test_an_archive_without_values_states_them(self):
        parts = {"adj_indices": [1, 0, 3, 2], "adj_indptr": [0, 1, 2, 3, 4], "adj_shape": [4, 4],
                 "attr_indices": [0, 1, 2, 0], "attr_indptr": [0, 1, 2, 3, 4], "attr_shape": [4, 3]}
        for values, stated in ((None, True), (numpy.ones(4, bool), True), (numpy.ones(4, numpy.float32), False)):
            more = {} if values is None else {"attr_data": values}
            numpy.savez(self.scratch / "graph.npz", **parts, **more)
            found = self.json("inspect", self.scratch / "graph.npz")["feature_bounds"]
            self.assertEqual(found["stated_hi"], [1, 1, 1] if stated else None)

    def test_compare_asks_too(self):
        place = self.native(numpy.eye(4, 3, dtype=numpy.float32), n_classes=2)
        numpy.save(place / "labels.npy", numpy.array([0, 1, 0, 1], numpy.int32))
        words = ["compare", "learning", place, "--mechanisms", "multibit", "--eps-features", "1", "-o", self.scratch / "r.csv"]
        self.fails(2, *words, says=ASKED)
        self.assertFalse((self.scratch / "r.csv").exists())


if __name__ == "__main__":
    unittest.main()
