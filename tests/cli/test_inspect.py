"""inspect on generated graphs, whose figures are known from how they were made, and on graphs
written by hand."""
import unittest

from command import CommandTest


class Inspect(CommandTest):
    def write(self, name, text):
        path = self.scratch / name
        path.write_text(text)
        return path

    def test_edges_that_nobody_spoke_of_are_not_called_public(self):
        edges = self.write("edges.csv", "source,target,Hidden\n0,1,1\n1,2,0\n")
        shown = self.succeeds("inspect", edges).stdout
        self.assertRegex(shown, r"\n +undecided +2 +nothing says which edges are private\n")
        self.assertNotRegex(shown, r"\n +public ")
        shown = self.succeeds("inspect", edges, "--private-column", "Hidden").stdout
        self.assertRegex(shown, r"\n +private +1\n +public +1\n")
        said = self.fails(2, "inspect", edges, "--private-column", "hidden", says="upper and lower case included").stderr
        self.assertNotIn("nor any other", said)  # there is one

    def test_every_figure_of_a_graph_small_enough_to_count(self):
        # A triangle 0-1-2, a tail 2-3, one repetition (reversed), one self-loop.
        path = self.write("tiny.csv", "source,target,private\n0,1,1\n1,2,0\n2,0,0\n2,3,1\n"
                                      "1,0,0\n3,3,0\n")
        answer = self.json("inspect", path)
        wanted = {"nodes": 4, "edges": 4, "private_edges": 2, "public_edges": 2, "features": 0,
                  "classes": 0, "self_loops_removed": 1, "duplicates_removed": 1,
                  "isolated_nodes": 0, "isolated_nodes_removed": 0, "graphs": 1,
                  "multilabel": False, "format": "edges", "max_degree": 3, "mean_degree": 2.0,
                  "candidates": 4, "homophily": None, "split": None, "feature_type": None,
                  "labels": []}
        self.assertEqual({key: answer[key] for key in wanted}, wanted)
        self.assertAlmostEqual(answer["density"], 4 / 6)
        self.assertEqual(answer["degree_quantiles"],
                         {"0.25": 1, "0.5": 2, "0.75": 2, "0.9": 3, "0.99": 3})

    def test_several_private_columns_are_united_until_one_is_chosen(self):
        path = self.write("marks.csv", "src,dst,private_a,private_b\n0,1,1,0\n1,2,0,1\n2,3,0,0\n"
                                       "3,4,1,1\n")
        done = self.succeeds("inspect", path, "--format", "edges")
        self.assertIn("--private-column", done.stderr)
        answer = self.json("inspect", path, "--format", "edges")
        self.assertEqual(answer["private_edges"], 3)
        self.assertEqual(sorted(answer["private_columns"].values()), [2, 2])
        for name in answer["private_columns"]:
            done = self.succeeds("inspect", path, "--format", "edges", "--private-column", name)
            self.assertEqual(done.stderr, "")
            chosen = self.json("inspect", path, "--format", "edges", "--private-column", name)
            self.assertEqual(chosen["private_edges"], 2)
        self.fails(2, "inspect", path, "--format", "edges", "--private-column", "nonsense",
                   says="nonsense")

    def test_a_generated_graph_is_what_was_asked_for(self):
        made = self.json("generate", "--nodes", "3000", "--avg-degree", "8", "--features", "12",
                         "--classes", "3", "--private-fraction", "0.25", "--homophily", "0.9",
                         "--feature-type", "u8", "-o", self.scratch / "graph")
        answer = self.json("inspect", self.scratch / "graph")
        for field in ["nodes", "edges", "private_edges", "public_edges", "features", "classes"]:
            self.assertEqual(answer[field], made[field], field)
        self.assertEqual(answer["private_edges"] + answer["public_edges"], answer["edges"])
        self.assertEqual(answer["undecided_edges"], 0)
        self.assertEqual(answer["feature_type"], "u8")
        self.assertGreaterEqual(answer["feature_min"], 0)
        self.assertLessEqual(answer["feature_max"], 255)
        self.assertTrue(answer["masked_features"])
        self.assertEqual(sum(label["nodes"] for label in answer["labels"]), 3000)
        self.assertEqual(sum(answer["split"].values()), 3000)
        self.assertAlmostEqual(answer["mean_degree"], 2 * answer["edges"] / 3000)
        self.assertAlmostEqual(answer["mean_degree"], 8, delta=1)
        self.assertAlmostEqual(answer["homophily"], 0.9, delta=0.1)

    def test_private_edges_and_candidates_come_from_files(self):
        graph = self.write("g.csv", "source,target\n10,20\n20,30\n30,40\n")
        private = self.write("private.csv", "source,target\n20,10\n10,40\n")
        nodes = self.write("nodes.txt", "10\n40\n")
        answer = self.json("inspect", graph, "--private-edges", private, "--candidates", nodes)
        self.assertEqual((answer["edges"], answer["private_edges"], answer["candidates"]),
                         (4, 2, 2))

    def test_private_fraction_marks_that_share(self):
        ring = self.write("ring.csv", "source,target\n" +
                          "".join(f"{i},{(i + 1) % 101}\n" for i in range(101)))
        for name, seed in [("a", 1), ("b", 1), ("c", 2)]:
            answer = self.json("convert", ring, "--private-fraction", "0.3", "--mark-seed", seed,
                               "-o", self.scratch / name)
            self.assertEqual((answer["edges"], answer["private_edges"]), (101, 30))
        a, b, c = ((self.scratch / name / "private.npy").read_bytes() for name in "abc")
        self.assertEqual(a, b)
        self.assertNotEqual(a, c)

    def test_people_get_a_table_and_a_warning(self):
        self.json("generate", "--nodes", "3000", "--classes", "20", "-o", self.scratch / "graph")
        text = self.succeeds("inspect", self.scratch / "graph").stdout
        self.assertIn("3,000", text)
        self.assertIn("and 8 more", text)
        self.assertTrue(text.endswith("These results describe the private graph itself; "
                                      "do not publish them.\n"))


if __name__ == "__main__":
    unittest.main()
