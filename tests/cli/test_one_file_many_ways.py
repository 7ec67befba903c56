"""One file, used in two ways: each pair of ways is counted, so that a limit of 1.5 refuses the second
use of a budget of 1. Marks, lists, columns, candidates, mechanisms, names, formats and the order of
rows are ways to look at one secret, not new ones."""
import itertools
import json
import shutil
import unittest

import numpy

from command import CommandTest

NODES = 30
EDGES = [(i, (i * 7 + 3) % NODES) for i in range(NODES)] + [(i, i + 1) for i in range(NODES - 1)]
EDGES = sorted({(min(e), max(e)) for e in EDGES if e[0] != e[1]})
PRIVATE = EDGES[::2]
EDGE_BUDGET = ["--feature-mechanism", "featfree", "--eps-edges", "1"]


def rows(pairs, marks=False):
    return "".join(f"{u},{v}{',' + str(int((u, v) in PRIVATE)) if marks else ''}\n" for u, v in pairs)


class OneFile(CommandTest):
    def setUp(self):
        super().setUp()
        at = self.scratch
        (at / "plain.csv").write_text("source,target\n" + rows(EDGES))
        (at / "marked.csv").write_text("source,target,private\n" + rows(EDGES, True))
        (at / "named.csv").write_text("source,target,hidden\n" + rows(EDGES, True))
        (at / "backwards.csv").write_text(
            "source,target,private\n" + "".join(f"{v},{u},{int((u, v) in PRIVATE)}\n"
                                                for u, v in reversed(EDGES)))
        (at / "all.csv").write_text("source,target,private\n"
                                    + "".join(f"{u},{v},1\n" for u, v in EDGES))
        (at / "private.csv").write_text(rows(PRIVATE))
        (at / "shuffled.csv").write_text("".join(f"{v},{u}\n" for u, v in PRIVATE[::-1]))
        (at / "other.csv").write_text(rows(EDGES[1::3]))
        (at / "candidates").write_text("".join(f"{i}\n" for i in range(NODES)))
        for name, source in (("native", "marked.csv"), ("packed.npz", "marked.csv")):
            self.succeeds("convert", at / source, "-o", at / name)
        renamed = at / "renamed"
        shutil.copytree(at / "native", renamed)
        facts = json.loads((renamed / "graph.json").read_text())
        (renamed / "graph.json").write_text(json.dumps({**facts, "name": "quite another"}))

    def ways(self):
        """Each way to use the file, and the words that say it."""
        at = self.scratch
        whole = ["--edge-mechanism", "lapgraph"]
        return {
            "whole graph": [at / "plain.csv", *whole],
            "whole graph, by another mechanism": [at / "plain.csv", "--edge-mechanism", "edgerand"],
            "whole graph, marked": [at / "marked.csv", *whole],
            "whole graph, another name": [at / "renamed", *whole],
            "all private": [at / "all.csv"],
            "a list": [at / "plain.csv", "--private-edges", at / "private.csv"],
            "a list in another order": [at / "plain.csv", "--private-edges", at / "shuffled.csv"],
            "another list": [at / "plain.csv", "--private-edges", at / "other.csv"],
            "a column": [at / "marked.csv"],
            "a column by name": [at / "named.csv", "--private-column", "hidden"],
            "rows in another order": [at / "backwards.csv"],
            "candidates": [at / "marked.csv", "--candidates", at / "candidates"],
            "the suffix -private": [at / "marked.csv", "--edge-mechanism", "lapgraph-private"],
            "node counts": [at / "marked.csv", "--edge-mechanism", "edgerr-node", "--blocks",
                            "communities"],
            "the native layout": [at / "native"],
            "an archive": [at / "packed.npz"],
            "another name": [at / "renamed"],
        }

    def protect(self, way, ledger, code):
        words = ["protect", *way, "-o", self.scratch / "bundle", "--force", "--ledger", ledger,
                 "--limit", "1.5", "--public", "nodes,candidates", *EDGE_BUDGET]
        if code:
            self.fails(code, *words, says="spent 1 + requested 1 > limit 1.5")
        else:
            self.succeeds(*words)

    def test_every_pair_of_ways_is_counted(self):
        ways = self.ways()
        for number, (first, way) in enumerate(ways.items()):
            ledger = self.scratch / f"ledger{number}"
            self.protect(way, ledger, 0)
            for second in ways:
                with self.subTest(first=first, second=second):
                    self.protect(ways[second], ledger, 4)

    def test_marks_drawn_for_an_experiment_have_no_budget_left(self):
        """--private-fraction is never private: under a limit it is refused before and after."""
        words = [self.scratch / "plain.csv", "--private-fraction", ".5", "--mark-seed", "1", "-o",
                 self.scratch / "bundle", "--force", "--public", "nodes", *EDGE_BUDGET]
        for number, way in enumerate(self.ways().values()):
            ledger = self.scratch / f"ledger{number}"
            self.fails(4, "protect", *words, "--not-private", "--ledger", ledger, "--limit", "1.5",
                       says="this release is NOT PRIVATE")
            self.succeeds("protect", *words, "--not-private", "--ledger", ledger)
            self.fails(4, "protect", *way, "-o", self.scratch / "bundle", "--force", "--ledger",
                       ledger, "--limit", "1.5", "--public", "nodes,candidates", *EDGE_BUDGET,
                       says="a release that is NOT PRIVATE was charged before")

    def test_another_graph_has_a_budget_of_its_own(self):
        """The control: what is refused above is refused for the edges, not for everything."""
        ledger = self.scratch / "ledger"
        self.protect([self.scratch / "marked.csv"], ledger, 0)
        different = self.scratch / "different.csv"
        different.write_text("source,target,private\n" + "".join(
            f"{u},{v},1\n" for u, v in itertools.combinations(range(NODES), 2) if (u * v) % 5 == 1))
        self.protect([different], ledger, 0)


class Features(CommandTest):
    """Values count, not how they are stored, and what a mechanism sees counts too."""

    def setUp(self):
        super().setUp()
        self.values = numpy.random.default_rng(1).random((20, 3)).astype(numpy.float32)
        self.values[0] = 0

    def write(self, name, features):
        graph = self.scratch / name
        graph.mkdir()
        (graph / "graph.json").write_text(json.dumps(
            {"name": name, "n_nodes": 20, "n_features": 3, "n_classes": 0, "multilabel": False}))
        numpy.save(graph / "edges.npy", numpy.array([[0], [1]], dtype=numpy.int32))
        numpy.save(graph / "private.npy", numpy.zeros(1, dtype=numpy.uint8))
        numpy.save(graph / "features.npy", features)
        return graph

    def spent_before(self, graph, bounds="0,1"):
        answer = self.json("protect", graph, "-o", self.scratch / "b", "--eps-features", "1",
                           "--bounds", bounds, "--dry-run")
        return answer["spent_before"]["eps_features"]

    def test_one_secret_however_it_is_stored(self):
        self.succeeds("protect", self.write("first", self.values), "-o", self.scratch / "first_b",
                      "--eps-features", "1", "--bounds", "0,1")
        signed, large, other = self.values.copy(), self.values.copy(), self.values.copy()
        signed[0] = -0.0
        self.assertTrue(numpy.signbit(signed[0]).all())
        other[3, 1] += .125
        self.assertEqual(self.spent_before(self.write("signed", signed)), 1)
        self.assertEqual(self.spent_before(self.write("wide", self.values.astype(float))), 1)
        self.assertEqual(self.spent_before(self.write("fortran", numpy.asfortranarray(self.values))), 1)
        self.assertEqual(self.spent_before(self.write("same", self.values), "0,5"), 1)
        self.assertEqual(self.spent_before(self.write("other", other)), 0)  # the control
        # Beyond the bounds every value is the bound.
        large[0, 0], other[0, 0] = 7, 3
        other[3, 1] -= .125
        self.succeeds("protect", self.write("large", large), "-o", self.scratch / "large_b",
                      "--eps-features", "1", "--bounds", "0,1")
        graph = self.write("larger", other)
        self.assertEqual(self.spent_before(graph, "0,1"), 1)
        self.assertEqual(self.spent_before(graph, "0,9"), 0)
        clipped = numpy.clip(large, 0, 1)
        self.assertEqual(self.spent_before(self.write("clipped", clipped), "0,1"), 1)
        self.assertEqual(self.spent_before(self.write("clipped_wide", clipped), "0,9"), 1)

    def test_no_payload_makes_a_value_that_is_not_finite_a_new_secret(self):
        bits = numpy.array([0x7fc00000, 0x7fc00001, 0xffc12345, 0x7f800000], dtype=numpy.uint32)
        for i, value in enumerate(bits.view(numpy.float32)):
            features = self.values.copy()
            features[4, 1] = value
            self.fails(3, "protect", self.write(f"g{i}", features), "-o", self.scratch / "b",
                       "--eps-features", "1", "--bounds", "0,1", says="row 4, column 1")


if __name__ == "__main__":
    unittest.main()
