"""Every planted mistake of tests/mutants still applies, and its tests exist: the table cannot rot."""
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/mutants"))

from mutants import MUTANTS  # noqa: E402


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
