"""A dry run gives the answer of the run: for every refusal the same exit code and the same message."""
import os
import pathlib
import shutil
import subprocess
import unittest

import numpy

from command import CommandTest, heterorr

USUAL = ["--eps-features", "1", "--bounds", "0,1"]
EDGES = [*USUAL, "--eps-edges", "1"]
NODE = [*EDGES, "--edge-mechanism", "edgerr-node"]

# Why, exit code, words after `protect`. Names are those of the files that setUp() makes.
REFUSED = [
    ("no graph", 3, ["nothing-here", "-o", "out", *USUAL]),
    ("damaged features", 3, ["damaged", "-o", "out", *USUAL]),
    ("a value that is not finite", 3, ["nan", "-o", "out", *USUAL]),
    ("no marks", 3, ["plain", "-o", "out", *USUAL, "--private-edges", "nothing-here.csv"]),
    ("marks twice", 2, ["plain", "-o", "out", *USUAL, "--private-edges", "few.csv", "--private-fraction", ".5"]),
    ("edges undecided", 2, ["plain", "-o", "out", *USUAL]),
    ("nodes undeclared", 2, ["marked.csv", "-o", "out", "--private-column", "private"]),
    ("candidates undeclared", 2, ["graph", "-o", "out", *EDGES, "--candidates", "some.txt"]),
    ("directions undeclared", 2, ["graph", "-o", "out", *USUAL, "--feature-mechanism", "featurerr-projected",
                                  "--directions", "pca:1", "--public-sample", "sample.npy"]),
    ("blocks undeclared", 2, ["graph", "-o", "out", *NODE, "--blocks", "blocks.npy"]),
    ("scores undeclared", 2, ["graph", "-o", "out", *USUAL, "--scores", "scores.npz"]),
    ("no budget of features", 2, ["graph", "-o", "out"]),
    ("no budget of edges", 2, ["graph", "-o", "out", *USUAL, "--edge-mechanism", "edgerr"]),
    ("a budget for nothing", 2, ["graph", "-o", "out", *EDGES, "--edge-mechanism", "none"]),
    ("no bounds", 2, ["marked.csv", "-o", "out", "--private-column", "private", "--node-features", "ages.csv",
                      "--eps-features", "1"]),
    ("bounds from the data", 2, ["graph", "-o", "out", "--eps-features", "1", "--bounds", "data"]),
    ("bounds of another width", 3, ["graph", "-o", "out", "--eps-features", "1", "--bounds", "narrow.csv"]),
    ("not certified", 2, ["graph", "-o", "out", *EDGES, "--edge-mechanism", "privhrg"]),
    ("a published tree", 2, ["graph", "-o", "out", *EDGES, "--tree", "paper"]),
    ("no delta", 2, ["graph", "-o", "out", *USUAL, "--feature-mechanism", "gaussian"]),
    ("a delta too large", 2, ["graph", "-o", "out", *USUAL, "--feature-mechanism", "gaussian", "--delta", ".5"]),
    ("bins that are not used", 2, ["graph", "-o", "out", *USUAL, "--feature-mechanism", "multibit", "--bins", "4"]),
    ("bins averaged", 2, ["graph", "-o", "out", *USUAL, "--decode", "bins", "--propagate", "2"]),
    ("too few candidates", 2, ["plain", "-o", "out", *EDGES, "--private-edges", "one.csv", "--candidates",
                               "two.txt", "--public", "candidates"]),
    ("blocks of another graph", 3, ["graph", "-o", "out", *NODE, "--public", "blocks", "--blocks", "few.npy"]),
    ("too many edges", 2, ["graph", "-o", "out", *EDGES, "--edge-mechanism", "edgerand", "--max-edges-out", "10"]),
    ("a private edge that no candidate has", 3, ["graph", "-o", "out", *EDGES, "--candidates", "three.txt",
                                                 "--public", "candidates"]),
    ("a bundle there", 2, ["graph", "-o", "bundle", *USUAL]),
    ("a file there", 2, ["graph", "-o", "marked.csv", *USUAL]),
    ("something else there", 2, ["graph", "-o", "other", *USUAL, "--force"]),
    ("the graph itself", 2, ["graph", "-o", "graph", *USUAL, "--force"]),
    ("no directory", 3, ["graph", "-o", "no/where/out", *USUAL]),
    ("a file for a directory", 3, ["graph", "-o", "marked.csv/out", *USUAL]),
    ("over the limit at once", 4, ["graph", "-o", "out", *USUAL, "--limit", ".5", "--ledger", "fresh"]),
    ("over the limit with what was spent", 4, ["graph", "-o", "out", *USUAL, "--limit", "1.5"]),
    ("over the limit with edges", 4, ["graph", "-o", "out", *EDGES, "--limit", "2.5"]),
    ("over the limit of an account", 4, ["graph", "-o", "out", *USUAL, "--limit", ".5", "--account", "ward"]),
    ("no name of an account", 2, ["graph", "-o", "out", *USUAL, "--account", "-ward"]),
    ("not private, with a limit", 4, ["graph", "-o", "out", *USUAL, "--limit", "9", "--insecure-seed", "1"]),
    ("a limit without a ledger", 2, ["graph", "-o", "out", *USUAL, "--limit", "9", "--ledger", "none"]),
    ("an existing place before a limit", 2, ["graph", "-o", "bundle", *USUAL, "--limit", "1.5"]),
    ("a ledger before an existing place", 3, ["graph", "-o", "bundle", *USUAL, "--ledger", "no/where/ledger"]),
    ("no directory of a ledger", 3, ["graph", "-o", "out", *USUAL, "--ledger", "no/where/ledger"]),
    ("no ledger", 3, ["graph", "-o", "out", *USUAL, "--ledger", "marked.csv"]),
    ("a ledger without its key", 3, ["graph", "-o", "out", *USUAL, "--ledger", "keyless"]),
    ("a key without its ledger", 3, ["graph", "-o", "out", *USUAL, "--ledger", "lost"]),
    ("nothing to give out again", 2, ["graph", "-o", "out", *EDGES, "--again"]),
    ("again to a place that is taken", 2, ["graph", "-o", "other", *USUAL, "--again"]),
    ("again without a ledger", 2, ["graph", "-o", "out", *USUAL, "--again", "--ledger", "none"]),
    ("again what is gone", 2, ["graph", "-o", "out", "--eps-features", "2", "--bounds", "0,1", "--again"]),
    ("no key to sign with", 3, ["graph", "-o", "out", *USUAL, "--sign", "nothing-here"]),
]


def contents(directory):
    """Every file below it, with its bytes."""
    return {str(path): path.read_bytes() if path.is_file() else None for path in sorted(directory.rglob("*"))}


class DryRun(CommandTest):
    def setUp(self):
        super().setUp()
        place = self.place = self.scratch / "here"
        place.mkdir()
        self.json("generate", "--nodes", 60, "--features", 3, "--classes", 2, "--private-fraction", .5, "-o",
                  place / "graph")
        for name in ("plain", "damaged", "nan"):
            shutil.copytree(place / "graph", place / name)
        (place / "plain" / "private.npy").unlink()
        (place / "damaged" / "features.npy").write_bytes(b"\x93NUMPY")
        x = numpy.load(place / "graph" / "features.npy")
        x[5, 1] = numpy.nan
        numpy.save(place / "nan" / "features.npy", x)
        edges = numpy.load(place / "graph" / "edges.npy").T
        (place / "few.csv").write_text("".join(f"{a},{b}\n" for a, b in edges[:9]))
        (place / "one.csv").write_text("{},{}\n".format(*edges[0]))
        (place / "two.txt").write_text("{}\n{}\n".format(*edges[0]))
        (place / "three.txt").write_text("0\n1\n2\n")
        (place / "some.txt").write_text("".join(f"{i}\n" for i in range(60)))
        (place / "marked.csv").write_text("source,target,private\n0,1,1\n1,2,0\n2,3,0\n")
        (place / "ages.csv").write_text("20\n31.5\n64\n47\n")
        (place / "narrow.csv").write_text("0,1\n")
        numpy.save(place / "sample.npy", numpy.random.default_rng(1).random((50, 3)).astype("f4"))
        numpy.save(place / "blocks.npy", numpy.zeros(60, "i4"))
        numpy.save(place / "few.npy", numpy.zeros(6, "i4"))
        numpy.save(place / "zero.npy", numpy.zeros((50, 3), "f4"))
        numpy.save(place / "y.npy", numpy.arange(50) % 2)
        self.succeeds("scores", "--embeddings", "sample.npy", "--masked", "zero.npy", "--labels", "y.npy", "-o",
                      "scores.npz", cwd=place)
        (place / "other").mkdir()
        (place / "other" / "letter.txt").write_text("mine")
        (place / "lost.key").write_text("heterorr ledger key 1\n")
        self.succeeds("protect", "graph", "-o", "bundle", *USUAL, cwd=place)
        self.succeeds("protect", "graph", "-o", "gone", "--eps-features", 2, "--bounds", "0,1", cwd=place)
        shutil.rmtree(place / "gone")
        self.succeeds("protect", "graph", "-o", "gone", *USUAL, "--ledger", "keyless", cwd=place)
        shutil.rmtree(place / "gone")
        (place / "keyless.key").unlink()

    def charges(self):
        return self.json("ledger", "show")["charges"]

    def answer(self, words, *more):
        done = heterorr("protect", *words, *more, cwd=self.place)
        return done.returncode, [line for line in done.stderr.splitlines() if ": error: " in line]

    def test_a_refusal_is_the_same_refusal(self):
        home = pathlib.Path(os.environ["XDG_DATA_HOME"])
        for why, code, words in REFUSED:
            with self.subTest(why):
                before, ledger, charges = contents(self.place), contents(home), self.charges()
                dry = self.answer(words, "--dry-run")
                self.assertEqual((contents(self.place), contents(home)), (before, ledger))
                run = self.answer(words)
                self.assertEqual(dry, run)
                self.assertEqual(run[0], code, run)
                self.assertEqual(len(run[1]), 1)
                self.assertEqual(self.charges(), charges)
                for name in ("fresh", "fresh.key"):  # of a run that asked a ledger before it was refused
                    (self.place / name).unlink(missing_ok=True)
                self.assertEqual(contents(self.place), before)

    def test_a_new_ledger_is_not_made(self):
        os.environ["XDG_DATA_HOME"] = str(self.scratch / "data")
        self.succeeds("protect", self.place / "graph", "-o", self.scratch / "out", *USUAL, "--dry-run")
        self.assertEqual(self.names(), ["here"])
        (self.scratch / "data").write_text("a file")
        dry = self.answer(["graph", "-o", "out", *USUAL], "--dry-run")
        self.assertEqual(dry, self.answer(["graph", "-o", "out", *USUAL]))
        self.assertEqual(dry[0], 3)

    def test_what_is_allowed_is_allowed(self):
        for words in (["graph", "-o", "out", *USUAL, "--again"], ["graph", "-o", "out", *EDGES], ["graph", "-o", "bundle", *USUAL, "--force"],
                      ["graph", "-o", "out", *USUAL, "--limit", "20"],
                      ["marked.csv", "-o", "out", "--private-column", "private", "--not-private"]):
            with self.subTest(words):
                before = contents(self.place)
                self.assertEqual(self.answer(words, "--dry-run"), (0, []))
                self.assertEqual(contents(self.place), before)
                self.assertEqual(self.answer(words), (0, []))
                shutil.rmtree(self.place / "out", ignore_errors=True)

    def test_no_room(self):
        small = self.scratch / "small"
        small.mkdir()
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", small], capture_output=True, text=True)
        if done.returncode:
            self.skipTest(f"no small file system can be made here: {done.stderr.strip()}")
        self.addCleanup(subprocess.run, ["umount", small], check=True)
        self.json("generate", "--nodes", 3000, "--features", 20, "--private-fraction", .5, "-o", self.place / "wide")
        words = ["wide", "-o", small / "out", *USUAL]
        dry = self.answer(words, "--dry-run")
        self.assertEqual(dry, self.answer(words))
        self.assertEqual(dry[0], 3)
        self.assertIn("the disk of the bundle has room for", dry[1][0])


if __name__ == "__main__":
    unittest.main()
