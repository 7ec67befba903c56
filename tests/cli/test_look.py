"""The animated picture of the README shows what the program prints."""
import importlib.util
import pathlib
import re
import sys
import unittest

from command import HETERORR, SANITIZED

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
SPEC = importlib.util.spec_from_file_location("look", ROOT / "examples" / "look.py")
look = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(look)


class Look(unittest.TestCase):
    def setUp(self):
        self.picture = look.PICTURE.read_text()

    @unittest.skipIf(SANITIZED, "the same commands are run under the sanitizers by test_documented.py")
    def test_it_shows_what_the_program_prints(self):
        screens = look.record(pathlib.Path(HETERORR).resolve())
        self.assertEqual(look.difference(look.PICTURE, screens), [], "record it again: examples/look.py HETERORR")
        title, parts = screens[0]
        comment, command, lines = parts[0]
        other = [(title, [(comment, command, ["something else", *lines[1:]]), *parts[1:]]), *screens[1:]]
        self.assertTrue(look.difference(look.PICTURE, other))  # a changed line is noticed

    def test_masks_hide_what_differs_from_run_to_run_and_nothing_else(self):
        lines = ["made in 1.5 s with 20 MiB of memory", "train  600  0.97", "0123abcd  4  1  0", "eps_f = 4, 1,000 nodes"]
        self.assertEqual(look.masked(lines), ["made in <amount> with <amount> of memory", "train <scores>", "<hash> 4 1 0",
                                              "eps_f = 4, 1,000 nodes"])

    def test_it_needs_no_script_and_no_network(self):
        self.assertNotRegex(self.picture, r"(?i)<script|javascript:|@import|url\((?!#)|href")
        self.assertEqual(set(re.findall(r"https?://[^\"]*", self.picture)), {"http://www.w3.org/2000/svg"})

    def test_it_follows_the_reader_and_has_a_still_screen(self):
        for query in ("prefers-color-scheme: dark", "prefers-reduced-motion: reduce"):
            self.assertIn(query, self.picture)
        groups = re.findall(r'<g class="a\d+( later)?">(.*?)</g>', self.picture)
        still = [text for later, text in groups if not later]
        self.assertTrue(any("heterorr protect" in text for text in still))
        self.assertFalse(any("heterorr train" in text for text in still))

    def test_its_commands_are_those_of_the_readme(self):
        shown = {command.replace(*look.SMALLER) for command, _ in look.readme_commands()}
        recorded = [re.sub(r"^\$ ", "", line) for line in look.stored(look.PICTURE) if line.startswith("$ ")]
        self.assertGreater(len(recorded), 5)
        for command in recorded:
            self.assertIn(command, shown)


if __name__ == "__main__":
    unittest.main()
