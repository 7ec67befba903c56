"""compare errors: rows, their order of size, and the remark about fair baselines.
compare structure: private edges are judged apart, and nodes are found by name. Its figures are
checked in tests/structure."""
import csv
import unittest

from command import CommandTest


class Compare(CommandTest):
    def test_rows_and_remark(self):
        path = self.scratch / "errors.csv"
        done = self.succeeds("compare", "errors", "--features", "8", "-o", path)
        self.assertTrue(done.stdout.startswith("d = 8: "), done.stdout)
        with path.open() as file:
            rows = list(csv.DictReader(file))
        mean = {(row["mechanism"], float(row["eps"])): float(row["mean_expected_error"])
                for row in rows}
        self.assertEqual(len(mean), len(rows))
        budgets = sorted({eps for _, eps in mean})
        self.assertEqual((budgets[0], budgets[-1]), (.01, 10))
        # The figure's shape: FeatureRR below every baseline that splits its budget.
        for eps in budgets:
            for name in ("duchi", "piecewise", "hybrid", "three-output", "pm-sub"):
                self.assertLess(mean["featurerr", eps], mean[name, eps], (name, eps))
        # Laplace noise of scale d/eps, and random features: |U - x| has mean 1/3.
        self.assertAlmostEqual(mean["laplace", 1] / 8, 1, delta=.03)
        self.assertAlmostEqual(mean["featfree", 1], 1 / 3, delta=.01)
        self.fails(2, "compare", "errors", "-o", path, says="exists already")

    def test_the_papers_measure_is_a_formula(self):
        answer = self.json("compare", "errors", "--features", "1", "--bins", "10")
        row = next(row for row in answer["rows"]
                   if row["mechanism"] == "featurerr-bins" and row["eps"] == 4)
        self.assertTrue(row["exact"])
        self.assertAlmostEqual(row["expected_error"], .16681, places=5)
        self.assertAlmostEqual(row["mean_expected_error"], .15580, places=5)
        self.assertEqual(len(answer["remarks"]), 1)

    def write(self, name, *rows):
        path = self.scratch / name
        path.write_text("\n".join(rows) + "\n")
        return path

    def test_structure_judges_private_edges_apart(self):
        original = self.write("a.csv", "source,target,private", "1,2,0", "2,3,0", "1,3,1", "3,7,1")
        released = self.write("b.csv", "source,target", "2,3", "1,2", "7,3", "7,1")
        answer = self.json("compare", "structure", original, released)
        self.assertEqual(answer["nodes"], 4)
        overlap = answer["edge_overlap"]
        self.assertEqual((overlap["original"], overlap["released"], overlap["common"]), (2, 2, 1))
        self.assertEqual((overlap["precision"], overlap["recall"]), (.5, .5))
        self.assertEqual((answer["original"]["triangles"], answer["released"]["triangles"]), (1, 0))
        self.assertEqual(len(answer["walk"]["rms"]), 5)
        self.assertEqual(answer["walk"]["rms"][0], 0)
        table = self.succeeds("compare", "structure", original, released, "--hops", "2").stdout
        self.assertIn("Private edges", table)
        self.assertIn("hop 2", table)
        self.assertNotIn("hop 3", table)
        self.assertIn("do not publish", table)

    def test_structure_finds_nodes_by_name(self):
        """The same edges in another order, and then without the edges of one node."""
        for names in (("10", "20", "30", "5"), ("ann", "bob", "cy", "dee")):
            a, b, c, d = names
            original = self.write("a.csv", "source,target", f"{a},{b}", f"{b},{c}", f"{c},{d}")
            same = self.write("b.csv", "source,target", f"{d},{c}", f"{c},{b}", f"{b},{a}")
            answer = self.json("compare", "structure", original, same)
            self.assertEqual(max(answer["walk"]["rms"]), 0, names)
            self.assertEqual(answer["edge_overlap"]["precision"], 1)
            fewer = self.write("b.csv", "source,target", f"{c},{d}", f"{b},{c}")
            answer = self.json("compare", "structure", original, fewer)
            self.assertEqual(answer["edge_overlap"]["precision"], 1)
            self.assertEqual(answer["edge_overlap"]["common"], 2)
            other = self.write("b.csv", "source,target", f"{c},{d}1")
            self.fails(3, "compare", "structure", original, other, says="not in the original")

    def test_structure_of_a_bundle(self):
        self.succeeds("generate", "--nodes", "200", "--avg-degree", "6", "--features", "4",
                      "--classes", "2", "--private-fraction", ".3", "-o", self.scratch / "graph")
        self.succeeds("protect", self.scratch / "graph", "-o", self.scratch / "bundle",
                      "--eps-features", "1")
        answer = self.json("compare", "structure", self.scratch / "graph",
                           self.scratch / "bundle", "--probes", "16")
        self.assertEqual(answer["nodes"], 200)
        self.assertEqual(answer["walk"]["probes"], 16)
        self.assertGreater(answer["walk"]["rms"][1], 0)
        self.assertEqual(answer["edge_overlap"]["recall"], 0)  # private edges were left out

    def test_structure_by_the_queries_of_pgb(self):
        """Their figures are checked in tests/structure; here, what is printed."""
        original = self.write("a.csv", "source,target", "1,2", "2,3", "1,3", "3,7")
        released = self.write("b.csv", "source,target", "2,3", "1,2", "7,3")
        answer = self.json("compare", "structure", original, released, "--suite", "pgb")
        self.assertEqual(answer["suite"], "pgb")
        self.assertEqual(answer["original"]["values"]["triangles"], 1)
        self.assertEqual((answer["distances"]["triangles"], answer["distances"]["edges"]), (1, .25))
        table = self.succeeds("compare", "structure", original, released, "--suite", "pgb").stdout
        self.assertIn("NMI, 1 at best", table)
        self.assertIn("do not publish", table)
        lines = [line for line in table.splitlines() if line.startswith("  ")]
        self.assertEqual(len(lines), 1 + 15)
        for option in (["--hops", "2"], ["--probes", "8"], ["--eigenvalues", "3"]):
            self.fails(2, "compare", "structure", original, released, "--suite", "pgb", *option,
                       says="applies to --suite standard;")

    def test_bad_requests(self):
        graph = self.write("a.csv", "source,target", "1,2")
        self.fails(2, "compare", "structure", says="GRAPH is missing")
        self.fails(2, "compare", "structure", graph, says="RELEASED is missing")
        for option in (["-o", "x.csv"], ["--eps-edges=1"], ["--private-fractions", ".1"], ["--tree", "uniform"], ["--runs", 2]):
            self.fails(2, "compare", "structure", graph, graph, *option, says="applies to --mechanisms,")
        for option in (["--exact"], ["--probes", 8], ["--eigenvalues", 3]):
            self.fails(2, "compare", "structure", graph, "--mechanisms", "none", *option, says="applies to one RELEASED;")
        self.fails(2, "compare", "structure", graph, graph, "--mechanisms", "none", says="their own releases")
        self.fails(2, "compare", "structure", graph, graph, "--force", says="it is an option of compare errors ")
        self.fails(2, "compare", "structure", graph, graph, "--exact", "--probes", "8",
                   says="contradict")
        self.fails(2, "compare", "structure", graph, graph, "--hops", "17", says="--hops")
        self.fails(2, "compare", "errors", graph, says="' is one argument too many for heterorr")
        self.fails(2, "compare", "errors", "--bins", "1", says="--bins")


if __name__ == "__main__":
    unittest.main()
