"""The help texts, word for word: a change of the interface shows up as a change of golden/.

    HETERORR=path/to/heterorr python3 test_help.py --update

writes the golden files anew; read the difference before committing it.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

from command import CommandTest, heterorr

GOLDEN = pathlib.Path(__file__).resolve().parent / "golden"
VERBS = ["demo", "generate", "inspect", "convert", "embed", "scores", "head", "protect", "verify", "keys", "audit", "ledger", "train",
         "predict", "attack", "compare", "advise", "report", "serve", "export",
         "completion", "help"]
PARTS = {"attack": ["linkteller", "links", "attributes", "membership", "reconstruct", "chain", "release"],
         "compare": ["learning", "structure", "errors"]}
ALL = [words for verb in VERBS for words in ([verb], *([verb, part] for part in PARTS.get(verb, [])))]
TEXTS = {"overview": ["--help"], **{"-".join(words): [*words, "--help"] for words in ALL}}


class Help(CommandTest):
    def test_texts_are_the_golden_ones(self):
        for name, words in TEXTS.items():
            with self.subTest(name):
                wanted = (GOLDEN / f"{name}.txt").read_text()
                self.assertEqual(self.succeeds(*words).stdout, wanted)

    def test_every_verb_has_a_golden_text(self):
        listing = self.succeeds("help").stdout.split("Verbs:\n")[1].split("\n\n")[0]
        self.assertEqual([line.split()[0] for line in listing.splitlines()], VERBS)
        for verb in VERBS:
            _, _, listing = self.succeeds("help", verb).stdout.partition("Subcommands:\n")
            self.assertEqual([line.split()[0] for line in listing.partition("\n\n")[0].splitlines()],
                             PARTS.get(verb, []), verb)

    def test_help_begins_with_examples(self):
        for words in TEXTS.values():
            self.assertTrue(self.succeeds(*words).stdout.startswith("Examples:\n  heterorr")
                            or words[0] == "completion", words)

    def test_help_verb_and_verb_help_agree(self):
        for verb in ALL:
            texts = {self.succeeds(*words).stdout
                     for words in (["help", *verb], [*verb, "--help"], [*verb, "-h"])}
            self.assertEqual(len(texts), 1, verb)
            self.assertIn(f"Usage: heterorr {' '.join(verb)} ", texts.pop())
        self.assertEqual(self.succeeds("help").stdout, self.succeeds("--help").stdout)
        self.assertEqual(self.succeeds("-h").stdout, self.succeeds("--help").stdout)

    def test_lines_fit_the_terminal(self):
        for words in TEXTS.values():
            for line in self.succeeds(*words).stdout.splitlines():
                if not line.startswith(("  heterorr", "  source")):
                    self.assertLessEqual(len(line), 80, line)

    def test_help_of_nothing(self):
        self.fails(2, "help", "protekt", says="there is no 'protekt'")
        self.fails(2, "help", "inpsect", says="did you mean inspect?")
        self.fails(2, "help", "attack", "linkteler", says="did you mean linkteller?")
        self.fails(2, "help", "inspect", "links", says="inspect has no subcommands")

    def test_a_verb_alone_lists_its_subcommands(self):
        for verb in PARTS:
            done = self.fails(2, verb, says=f"name a subcommand of {verb}")
            self.assertEqual(done.stdout, "")
            self.assertIn(self.succeeds(verb, "--help").stdout, done.stderr)

    def test_manual_pages_have_every_option_and_example(self):
        for verb in ALL:
            text = self.succeeds(*verb, "--help").stdout
            page = self.succeeds("help", "--manual", *verb).stdout
            self.assertTrue(page.startswith(f"heterorr-{'-'.join(verb)}(1)"), page[:80])
            for option in re.findall(r"^  (?:-.,|   ) (--[a-z-]+)", text, re.M):
                self.assertIn(f"*{option}*", page, verb)
            self.assertEqual(page.count("\n*heterorr ") - 1 + page.count("\n*source "),
                             len(re.findall(r"^  (?:heterorr|source) ", text, re.M)), verb)

    def test_overview_page_names_every_page(self):
        page = self.succeeds("help", "--manual").stdout
        self.assertEqual(re.findall(r"^\*heterorr-([a-z]+)\*\(1\)$", page, re.M), VERBS)
        for verb, parts in PARTS.items():
            page = self.succeeds("help", "--manual", verb).stdout
            self.assertEqual(re.findall(rf"^\*heterorr-{verb}-([a-z]+)\*\(1\)$", page, re.M), parts)
            for part in parts:
                self.assertIn(f"*heterorr-{verb}*(1)", self.succeeds("help", "--manual", verb, part).stdout)

    def test_every_verb_has_a_file_that_its_page_is_made_for(self):
        """The build makes a page for each cmd_*.c."""
        files = (GOLDEN.parents[2] / "src" / "cli").glob("cmd_*.c")
        self.assertEqual(sorted(file.stem for file in files), sorted("_".join(["cmd", *words]) for words in ALL))

    @unittest.skipUnless(shutil.which("scdoc"), "scdoc is not installed")
    def test_scdoc_takes_the_pages(self):
        for words in ([], *ALL):
            page = self.succeeds("help", "--manual", *words).stdout
            done = subprocess.run(["scdoc"], input=page, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""), words)
            self.assertIn(".SH SYNOPSIS", done.stdout)


if __name__ == "__main__":
    if "--update" in sys.argv:
        for name, words in TEXTS.items():
            (GOLDEN / f"{name}.txt").write_text(heterorr(*words).stdout)
    else:
        unittest.main()
