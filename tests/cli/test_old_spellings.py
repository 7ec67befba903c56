"""Spellings from before verbs had subcommands: they work for one version more, and the note says how they are written
now."""
import json
import re
import shlex
import unittest

from command import CommandTest, heterorr


class OldSpellings(CommandTest):
    def setUp(self):
        super().setUp()
        self.graph, self.model = self.scratch / "graph", self.scratch / "model"
        self.json("generate", "--nodes", 60, "--features", 4, "--private-fraction", .3, "-o", self.graph)

    def modern(self, *words):
        """What the note says to write; that prints the same, without a note."""
        old = self.succeeds(*words)
        self.assertIn("heterorr: note: the next version will not accept this spelling", old.stderr)
        command, = (line for line in old.stderr.splitlines() if line.startswith("  heterorr "))
        new = self.succeeds(*shlex.split(command)[1:])
        self.assertEqual(*(re.sub(r",[\d.]+$", "", done.stdout, flags=re.M) for done in (new, old)))  # but for seconds
        self.assertNotIn("spelling", new.stderr)
        return shlex.split(command)[1:]

    def test_an_attack_after_its_options(self):
        self.json("train", self.graph, "-o", self.model, "--non-private", "--epochs", 2)
        links = self.scratch / "links"  # a value that has the name of another attack
        self.assertEqual(self.modern("attack", "--roc", links, "--force", "linkteller", self.model, self.graph),
                         ["attack", "linkteller", "--roc", str(links), "--force", str(self.model), str(self.graph)])
        self.assertEqual(self.modern("attack", "--seed=5", "attributes", self.graph),
                         ["attack", "attributes", "--seed=5", str(self.graph)])

    def test_structure_was_a_flag(self):
        graph = str(self.graph)
        self.assertEqual(self.modern("compare", "--structure", graph, graph, "--hops", "2"),
                         ["compare", "structure", graph, graph, "--hops", "2"])
        self.assertEqual(self.modern("compare", graph, "--mechanisms=none", "--threads", "1", "--structure"),
                         ["compare", "structure", graph, "--mechanisms=none", "--threads", "1"])

    def test_expected_errors_were_a_flag(self):
        self.assertEqual(self.modern("compare", "--features", "2", "--expected-error"),
                         ["compare", "errors", "--features", "2"])

    def test_learning_was_what_mechanisms_meant(self):
        file = str(self.scratch / "we're here.csv")  # quoted for a shell
        self.assertEqual(self.modern("compare", self.graph, "--mechanisms", "mlp", "--runs", "1", "--epochs", "2",
                                     "--bounds=-1,1", "-o", file),
                         ["compare", "learning", str(self.graph), "--mechanisms", "mlp", "--runs", "1", "--epochs", "2",
                          "--bounds=-1,1", "-o", file])

    def test_scripts_read_the_same(self):
        done = self.succeeds("compare", "--structure", self.graph, self.graph, "--json")
        self.assertIn("spelling", done.stderr)
        self.assertEqual(json.loads(done.stdout), self.json("compare", "structure", self.graph, self.graph))

    def test_what_never_meant_anything_does_not_now(self):
        self.fails(2, "compare", self.graph, says="it has learning, structure, errors")
        self.fails(2, "compare", "--seed", "1", says="it is an option of compare learning, compare structure ")
        done = heterorr("compare", "--", "--structure")
        self.assertEqual((done.returncode, "spelling" in done.stderr), (2, False), done.stderr)

    def test_options_that_a_job_has_no_use_for_are_refused(self):
        self.fails(2, "attack", "--runs", 2, "attributes", self.graph, says="attributes has no --runs")
        self.fails(2, "compare", "--structure", self.graph, self.graph, "--bins", 4,
                   says="structure has no --bins; it is an option of compare learning, compare errors")
        self.fails(2, "compare", "--structure", "--expected-error", says="no option --expected-error")


if __name__ == "__main__":
    unittest.main()
