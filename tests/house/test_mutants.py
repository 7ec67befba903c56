"""Every planted mistake of tests/mutants still applies and compiles, and its tests exist: the table cannot rot.

The argument is the build directory, which knows how each file is compiled.
"""
import json
import shlex
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(sys.argv.pop(1))
sys.path.insert(0, str(ROOT / "tests/mutants"))

from mutants import MUTANTS  # noqa: E402


def compile_flags():
    """{file: the compiler and its flags, without what is read and written}."""
    found = {}
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        words = shlex.split(entry["command"])
        if Path(words[0]).name == "ccache":
            words.pop(0)
        keep = [word for at, word in enumerate(words) if not word.startswith("-M") and word not in ("-c", "-o")
                and words[at - 1] not in ("-c", "-o", "-MT", "-MF")]
        path = Path(entry["file"])
        if path.is_relative_to(ROOT):
            found[str(path.relative_to(ROOT))] = keep
    return found


class Mutants(unittest.TestCase):
    def test_each_applies_exactly_once(self):
        for mutant in MUTANTS:
            with self.subTest(mutant.name):
                text = (ROOT / mutant.file).read_text()
                self.assertNotEqual(mutant.planted(text), text)

    def test_each_names_tests_that_exist(self):
        for mutant in MUTANTS:
            with self.subTest(mutant.name):
                self.assertTrue(mutant.tests)
                for test in mutant.tests:
                    name = test if test.endswith(".py") else test + ".c"
                    self.assertTrue((ROOT / "tests" / name).is_file(), name)

    def test_each_compiles(self):
        flags = compile_flags()
        for mutant in MUTANTS:
            if mutant.file not in flags:  # a header; tests/mutants/run.py builds those
                continue
            with self.subTest(mutant.name):
                done = subprocess.run([*flags[mutant.file], "-O0", "-x", "c", "-c", "-", "-o", "/dev/null"], text=True,
                                      input=mutant.planted((ROOT / mutant.file).read_text()), capture_output=True)
                self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(len(flags), 100)

    def test_there_are_enough_and_no_name_twice(self):
        names = [mutant.name for mutant in MUTANTS]
        self.assertEqual(len(names), len(set(names)))
        self.assertGreaterEqual(len(names), 30)
        rooms = {mutant.file.split("/")[1] for mutant in MUTANTS}
        self.assertLessEqual({"random", "privacy", "feature", "edge", "release"}, rooms)

    def test_a_text_that_is_gone_fails_loudly(self):
        with self.assertRaises(ValueError):
            MUTANTS[0].planted("something else")


if __name__ == "__main__":
    unittest.main()
