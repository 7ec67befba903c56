"""What the tests of the Python package share. A test that lacks a package exits with 77 and says which."""
import importlib.util
import os
import pathlib
import sys
import unittest
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77


def need(*packages):
    """End the test as skipped unless these can be imported."""
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    if missing:
        print(f"skipped: {', '.join(missing)} not installed (Debian: {' '.join('python3-' + name for name in missing)})")
        sys.exit(SKIPPED)


def has(package):
    return importlib.util.find_spec(package) is not None


def main():
    """Run the tests of the calling file, and name those that were skipped."""
    program = unittest.main(module="__main__", exit=False, argv=[sys.argv[0]], warnings="ignore")
    for test, why in program.result.skipped:
        print(f"skipped: {test.id()}: {why}")
    sys.exit(0 if program.result.wasSuccessful() else 1)


def command():
    return os.environ["HETERORR"]


need("numpy")
warnings.filterwarnings("ignore", message=".*docs/experiments.md")  # cautions: tests ask for what helps nobody
