"""Spellings from before verbs had subcommands: they work for one version more, and the note says how they are written
now."""
import json
import shlex
import unittest

from command import CommandTest


class OldSpellings(CommandTest):
    def setUp(self):
        super().setUp()
        self.graph, self.model = self.scratch / "graph", self.scratch / "model"
        self.json("generate", "--nodes", 60, "--features", 4, "--private-fraction", .3, "-o", self.graph)

    def modern(self, *words):
        """What the note says to write; that prints the same, without a note."""
        old = self.succeeds(*words)
        self.assertIn("heterorr: note: the next version does not know this spelling", old.stderr)
        command, = (line for line in old.stderr.splitlines() if line.startswith("  heterorr "))
        new = self.succeeds(*shlex.split(command)[1:])
        self.assertEqual(new.stdout, old.stdout)
        self.assertNotIn("spelling", new.stderr)
        return shlex.split(command)[1:]

    def test_an_attack_after_its_options(self):
        self.json("train", self.graph, "-o", self.model, "--non-private", "--epochs", 2)
        links = self.scratch / "links"  # a value that has the name of another attack
        self.assertEqual(self.modern("attack", "--roc", links, "--force", "linkteller", self.model, self.graph),
                         ["attack", "linkteller", "--roc", str(links), "--force", str(self.model), str(self.graph)])
        self.assertEqual(self.modern("attack", "--seed=5", "attributes", self.graph),
                         ["attack", "attributes", "--seed=5", str(self.graph)])

    def test_options_that_a_job_has_no_use_for_are_refused(self):
        self.fails(2, "attack", "--runs", 2, "attributes", self.graph, says="attributes has no --runs")


if __name__ == "__main__":
    unittest.main()
