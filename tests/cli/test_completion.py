"""Completion scripts: bash is asked what it would complete; zsh and fish are checked for syntax
when they are installed, and for content anyway."""
import re
import shutil
import subprocess
import unittest

from command import CommandTest

COMPLETE = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
_heterorr
printf '%s\\n' "${COMPREPLY[@]}"
"""


class Completion(CommandTest):
    def setUp(self):
        super().setUp()
        self.script = self.scratch / "script"

    def write(self, shell):
        self.script.write_text(self.succeeds("completion", shell).stdout)

    def complete(self, *words):
        """What bash offers after these words, the last of which is being typed."""
        done = subprocess.run(["bash", "-c", COMPLETE, "bash", self.script, *words],
                              capture_output=True, text=True, cwd=self.scratch, check=True)
        self.assertEqual(done.stderr, "")
        return done.stdout.splitlines() if done.stdout.strip() else []

    def test_bash_completes_verbs_options_values_and_files(self):
        self.write("bash")
        subprocess.run(["bash", "-n", self.script], check=True)
        (self.scratch / "graph.csv").touch()
        (self.scratch / "folder").mkdir()
        (self.scratch / "two words.csv").touch()
        self.assertEqual(self.complete("heterorr", "ins"), ["inspect"])
        self.assertIn("generate", self.complete("heterorr", ""))
        self.assertEqual(self.complete("heterorr", "generate", "--no"), ["--nodes"])
        self.assertEqual(self.complete("heterorr", "inspect", "x", "--format", "m"),
                         ["musae", "mtx"])
        self.assertEqual(self.complete("heterorr", "inspect", "x", "--format", "=", "nat"),
                         ["native"])
        self.assertIn("native", self.complete("heterorr", "inspect", "x", "--format", "="))
        self.assertEqual(self.complete("heterorr", "inspect", "gra"), ["graph.csv"])
        self.assertEqual(self.complete("heterorr", "inspect", "tw"), ["two words.csv"])
        self.assertEqual(self.complete("heterorr", "generate", "-o", ""), ["folder"])
        self.assertEqual(self.complete("heterorr", "generate", "--nodes", ""), [])
        self.assertEqual(self.complete("heterorr", "protect", "x", "--public", "c"),
                         ["classes", "columns", "candidates"])
        self.assertEqual(self.complete("heterorr", "protect", "x", "--public", "nodes,cl"),
                         ["nodes,classes"])
        self.assertEqual(self.complete("heterorr", "protect", "x", "--public", "=", "nodes,edges,b"),
                         ["nodes,edges,bounds", "nodes,edges,blocks"])
        self.assertEqual(self.complete("heterorr", "compare", "learning", "x", "--mechanisms", "multibit,edgerr-"),
                         ["multibit,edgerr-node", "multibit,edgerr-links", "multibit,edgerr-degrees",
                          "multibit,edgerr-node-edges"])
        self.assertEqual(self.complete("heterorr", "completion", "z"), ["zsh"])
        self.assertEqual(self.complete("heterorr", "help", "con"), ["convert"])
        self.assertEqual(self.complete("heterorr", "attack", "li"), ["linkteller", "links"])
        self.assertEqual(self.complete("heterorr", "attack", "chain", "--kn"), ["--known"])
        self.assertEqual(self.complete("heterorr", "attack", "linkteller", "--kn"), [])
        self.assertEqual(self.complete("heterorr", "attack", "linkteller", "x", "--returns", "lab"), ["labels"])
        self.assertEqual(self.complete("heterorr", "attack", "linkteller", "x", "gra"), ["graph.csv"])
        self.assertEqual(self.complete("heterorr", "help", "attack", "li"), ["linkteller", "links"])
        self.assertEqual(self.complete("heterorr", "help", "inspect", ""), [])
        self.assertEqual(self.complete("heterorr", "generate", "--feature-type", ""),
                         ["f32", "u8"])

    def test_bash_offers_every_option_of_the_help(self):
        self.write("bash")
        for verb in ["generate", "inspect", "convert", "scores", "protect", "audit", "ledger", "attack links",
                     "attack release", "compare learning", "compare errors", "demo"]:
            told = re.findall(r"^  (?:-\w,|   ) (--[a-z-]+)",
                              self.succeeds(*verb.split(), "--help").stdout, re.MULTILINE)
            self.assertGreater(len(told), 2)
            self.assertEqual(sorted(self.complete("heterorr", *verb.split(), "--")), sorted(told), verb)

    def check_with(self, shell, *command):
        self.write(shell)
        text = self.script.read_text()
        for word in ["generate", "private-fraction", "graphsage", "u8"]:
            self.assertIn(word, text)
        if shutil.which(shell):
            subprocess.run([shell, *command, self.script], check=True)
        else:
            print(f"SKIPPED: {shell} is not installed, so the syntax was not checked")

    def test_zsh(self):
        self.check_with("zsh", "-n")
        self.assertTrue(self.script.read_text().startswith("#compdef heterorr\n"))

    def test_fish(self):
        self.check_with("fish", "--no-execute")


if __name__ == "__main__":
    unittest.main()
