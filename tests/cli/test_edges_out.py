"""A mechanism that would bury the graph in false edges is refused before anything is spent, by public numbers."""
import os
import unittest

from command import CommandTest


class EdgesOut(CommandTest):
    def words(self, nodes, eps, *more):
        graph = self.scratch / f"graph{nodes}"
        if not graph.exists():
            self.succeeds("generate", "--nodes", nodes, "--avg-degree", "6", "--features", "0", "-o", graph)
        return ["protect", graph, "-o", self.scratch / "out", "--edge-mechanism", "edgerand", "--eps-edges", eps, *more]

    def test_edgerand_asks_before_it_writes_a_million_edges(self):
        # 3,000 nodes: 4,498,500 pairs, of which 1/(1 + e) are written though they are no edges.
        for more in ([], ["--dry-run"]):
            done = self.fails(2, *self.words("3000", "1", *more), says="1.21 million false edges (403 per node")
            self.assertIn("0.029 GB", done.stderr)
            self.assertIn("--max-edges-out 2000000", done.stderr)
        self.assertEqual(self.names(), ["graph3000"])
        self.assertEqual(os.listdir(os.environ["XDG_DATA_HOME"]), [], "nothing was charged")

    def test_it_does_what_was_allowed(self):
        answer = self.json(*self.words("3000", "1", "--max-edges-out", "2000000"))
        self.assertGreater(answer["edges_out"], 1_100_000)

    def test_few_edges_need_no_word(self):
        self.succeeds(*self.words("3000", "5"))  # 30,000
        self.succeeds(*self.words("300", "1"), "--force")  # 12,000 in all


if __name__ == "__main__":
    unittest.main()
