"""convert: copies are equal, and what a layout cannot hold is said."""
import unittest

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
        for name in ["e.csv", "e.tsv", "e.csv.gz", "e.tsv.zst", "e.npz", "e.mtx"]:
            with self.subTest(name):
                copy, back = self.scratch / name, self.scratch / f"{name}.back"
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
        for name in ["e.csv", "e.npz", "e.mtx"]:
            done = self.succeeds("convert", self.graph, "-o", self.scratch / name)
            answer = self.json("convert", self.graph, "-o", self.scratch / name, "--force")
            lost = "private marks" in answer["dropped"]
            self.assertEqual(lost, "takes all of them for public" in done.stderr, name)
            self.assertEqual(lost, self.json("inspect", self.scratch / name)["private_edges"] == 0)

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

    def test_existing_places_are_kept(self):
        place = self.scratch / "e.csv"
        place.write_text("mine")
        self.fails(2, "convert", self.graph, "-o", place, says="e.csv")
        self.assertEqual(place.read_text(), "mine")
        self.json("convert", self.graph, "-o", place, "--force")
        self.assertNotEqual(place.read_text(), "mine")

    def test_people_are_told_what_is_missing(self):
        done = self.succeeds("convert", self.graph, "-o", self.scratch / "e.csv")
        self.assertIn("read again and found equal: edges", done.stdout)
        self.assertIn("features", done.stdout.split("cannot hold")[1])

    def test_a_device_is_not_read_again(self):
        done = self.succeeds("convert", self.graph, "--to", "edges", "--force", "-o", "/dev/null")
        self.assertIn("not checked", done.stdout)

    def test_unwritable_place(self):
        self.fails(3, "convert", self.graph, "-o", "/proc/nowhere/e.csv", says="/proc/nowhere")

    def test_a_directory_that_is_not_there_is_named(self):
        for name in ("e.csv", "e.npz", "e.mtx", "folder", "folder/"):
            self.fails(3, "convert", self.graph, "-o", self.scratch / "lost" / name,
                       says=f"the directory {self.scratch}/lost does not exist; make it first")


if __name__ == "__main__":
    unittest.main()
