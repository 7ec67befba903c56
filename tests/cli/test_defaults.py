"""What protect does where no mechanism is named: it measured best, says by which rule it was chosen, and depends on
public facts alone. Where something that costs nothing does as well, that is said before the budget is spent."""
import json
import shutil
import unittest

import numpy

from command import CommandTest, heterorr

TELLS_NOTHING = "more than random features"
SYNTHETIC = "synthetic edges"
FEW = "counts of neighbours at this budget"


class Defaults(CommandTest):
    def setUp(self):
        super().setUp()
        self.graph, self.bundle = self.scratch / "graph", self.scratch / "released"

    def generate(self, *words, nodes=300):
        self.succeeds("generate", "--nodes", nodes, "--seed", 1, "-o", self.graph, "--force", *words)

    def protect(self, *words):
        return self.json("protect", self.graph, "-o", self.bundle, "--insecure-seed", 5, "--force", *words)

    def accuracy(self, *words):
        self.protect(*words)
        trained = self.json("train", self.bundle, "-o", self.scratch / "model", "--force")
        return trained["test"]["accuracy"]

    def test_the_journey_of_the_readme_beats_what_costs_nothing(self):
        """Graph, noise and network have fixed seeds: nothing here is left to chance. A budget of .001 tells nothing."""
        self.generate(nodes=5000)
        budget = ("--eps-features", 4, "--eps-edges", 1)
        default = self.accuracy(*budget)
        free = max(self.accuracy(*words) for words in (["--feature-mechanism", "featfree", "--propagate", 4],
                                                       ["--feature-mechanism", "featfree", "--propagate", 8],
                                                       ["--eps-features", .001]))
        paper = self.accuracy(*budget, "--feature-mechanism", "featurerr", "--edge-mechanism", "edgerr")
        self.assertGreater(default, free + .1)
        self.assertGreater(default, paper + .2)

    def test_the_choice_is_named_with_its_rule(self):
        self.generate()
        answer = self.protect("--eps-features", 4, "--eps-edges", 1)
        certificate = json.loads((self.bundle / "certificate.json").read_text())
        page = " ".join((self.bundle / "CERTIFICATE.txt").read_text().split())
        said = self.succeeds("protect", self.graph, "-o", self.bundle, "--insecure-seed", 5, "--force",
                             "--eps-features", 4, "--eps-edges", 1).stdout
        for part, mechanism in (("features", "pm-sub-sampled"), ("edges", "edgerr-node")):
            why = certificate[part]["default_because"]
            self.assertIn("docs/experiments.md#why-these-defaults", why)
            self.assertEqual(answer[part], {"mechanism": mechanism, "default_because": why})
            self.assertEqual(certificate[part]["mechanism"], mechanism)
            self.assertIn(f"{part}: {mechanism}, the default: {why}", said)
            self.assertIn(why, page)
        self.succeeds("verify", self.bundle)
        answer = self.protect("--eps-features", 4, "--feature-mechanism", "multibit")
        self.assertEqual(answer["features"], {"mechanism": "multibit", "default_because": None})
        self.assertNotIn("propagated_steps", json.loads((self.bundle / "certificate.json").read_text())["features"])

    def test_what_is_wanted_decides(self):
        self.generate()
        budget = ("--eps-features", 4, "--eps-edges", 1)

        def chosen(*words):
            answer = self.protect(*budget, *words)
            return answer["features"]["mechanism"], answer["edges"]["mechanism"]

        self.assertEqual(chosen("--for", "learning"), ("pm-sub-sampled", "edgerr-node"))
        self.assertEqual(chosen("--for", "structure"), ("pm-sub-sampled", "edgerr"))
        self.assertEqual(chosen("--mode", "paper"), ("featurerr", "edgerr"))
        self.assertEqual(chosen("--bins", 4), ("featurerr", "edgerr-node"))
        self.assertEqual(chosen("--tree", "uniform"), ("pm-sub-sampled", "edgerr"))
        self.assertEqual(chosen("--eps-labels", 1), ("pm-sub-sampled", "edgerr-node"))
        self.assertEqual(self.protect("--eps-features", 4)["edges"]["mechanism"], "public-only")

    def test_structure_of_a_graph_whose_edges_are_all_private_is_wired_to_its_degrees(self):
        self.generate("--private-fraction", 1)
        answer = self.protect("--eps-features", 4, "--eps-edges", 1, "--for", "structure")
        self.assertEqual(answer["edges"]["mechanism"], "edgerr-degrees")
        self.assertGreater(answer["edges_out"], 0)

    def test_notes_stand_where_the_table_says(self):
        self.generate()
        start = ["protect", self.graph, "-o", self.bundle, "--insecure-seed", 5, "--force"]
        for words, notes in ((["--eps-features", 4, "--eps-edges", 1], []),
                             (["--eps-features", 1, "--eps-edges", 1], [TELLS_NOTHING]),
                             (["--eps-features", .001], []),
                             (["--eps-features", 4, "--eps-edges", .5], [FEW]),
                             (["--eps-features", 1, "--eps-edges", 4, "--edge-mechanism", "edgerr"],
                              [TELLS_NOTHING, SYNTHETIC]),
                             (["--eps-features", 1, "--eps-edges", 1, "--for", "structure"], []),
                             (["--feature-mechanism", "featfree"], [])):
            with self.subTest(words):
                lines = [line for line in self.succeeds(*start, *words).stderr.splitlines() if "why-these" in line]
                self.assertEqual(len(lines), len(notes), lines)
                for line, note in zip(lines, notes):
                    self.assertIn(note, line)
                    self.assertIn("heterorr: note: ", line)

    def test_the_note_comes_before_the_charge(self):
        self.generate()
        done = heterorr("protect", self.graph, "-o", self.bundle, "--eps-features", 1, "--limit", .5)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertLess(done.stderr.index(TELLS_NOTHING), done.stderr.index("heterorr: error"))

    def test_nothing_private_decides(self):
        """Other features and other private edges: the same choice, the same notes, word for word."""
        self.generate()
        other = self.scratch / "other"
        shutil.copytree(self.graph, other)
        features = numpy.load(other / "features.npy")
        numpy.save(other / "features.npy", numpy.zeros_like(features))
        edges, private = numpy.load(other / "edges.npy"), numpy.load(other / "private.npy")
        kept = numpy.flatnonzero((private == 0) | (numpy.cumsum(private) <= 3))
        numpy.save(other / "edges.npy", numpy.ascontiguousarray(edges[:, kept]))
        numpy.save(other / "private.npy", private[kept])
        description = json.loads((other / "graph.json").read_text())
        description["n_edges"] = len(kept)
        (other / "graph.json").write_text(json.dumps(description))
        for words in (["--eps-features", 4, "--eps-edges", 1], ["--eps-features", 1, "--eps-edges", .5],
                      ["--eps-features", 1, "--eps-edges", 1, "--for", "structure"]):
            seen = []
            for graph in self.graph, other:
                done = heterorr("protect", graph, "-o", self.bundle, "--insecure-seed", 5, "--force", "--json", *words)
                answer = json.loads(done.stdout)
                seen.append((done.returncode, done.stderr, answer["features"], answer["edges"]))
            with self.subTest(words):
                self.assertEqual(seen[0], seen[1])


if __name__ == "__main__":
    unittest.main()
