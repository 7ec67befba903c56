"""mpirun -n R heterorr protect: the bundle that one process writes with the same seed, byte for byte; what a rank that
differs, fails or is missing its plug-in leaves behind."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import mpi

HETERORR = os.environ["HETERORR"]
SANITIZED = "HETERORR_SANITIZED" in os.environ
RANKS = (2, 4) if SANITIZED else (1, 2, 3, 4)

# What is shared among ranks, and what rank 0 draws alone.
SHARED = {
    "featurerr": ["--eps-features", "2", "--feature-mechanism", "featurerr", "--edge-mechanism", "public-only"],
    "edgerr": ["--eps-edges", "1", "--edge-mechanism", "edgerr", "--eps-features", "4", "--feature-mechanism", "pm-sub"],
    "edgerr-node and labels": ["--eps-edges", "1", "--edge-mechanism", "edgerr-node", "--eps-labels", "1",
                               "--eps-features", "2", "--feature-mechanism", "featurerr-sampled"],
}
MORE = {
    "uniform tree, averaged": ["--eps-edges", "1", "--edge-mechanism", "edgerr", "--tree", "uniform", "--eps-features", "4",
                               "--feature-mechanism", "multibit", "--propagate", "2"],
    "predicted blocks": ["--eps-edges", "1", "--edge-mechanism", "edgerr-node", "--blocks", "predicted",
                         "--eps-features", "4", "--feature-mechanism", "multibit"],
    "sampled from counts": ["--eps-edges", "2", "--edge-mechanism", "edgerr-node", "--node-edges", "sampled",
                            "--feature-mechanism", "featfree"],
    "edgerr-degrees": ["--eps-edges", "2", "--edge-mechanism", "edgerr-degrees", "--feature-mechanism", "featfree"],
    "tree of private edges": ["--eps-edges", "2", "--edge-mechanism", "edgerr", "--tree", "select",
                              "--feature-mechanism", "featfree"],
}


def contents(bundle):
    """{file: bytes} of a bundle. The certificate names what was measured in a run nowhere."""
    return {path.name: path.read_bytes() for path in sorted(bundle.iterdir())}


class Protect(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.place = pathlib.Path(cls.directory.name)
        for name, more in ("graph", []), ("several", ["--graphs", "3"]), ("marked", ["--multilabel"]):
            cls.alone("generate", "--nodes", 700, "--avg-degree", 8, "--features", 9, "--classes", 3,
                      "--private-fraction", "0.4", "--seed", 5, *more, "-o", cls.place / name)

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    @staticmethod
    def alone(*words, code=0):
        done = subprocess.run([HETERORR, *map(str, words)], env=mpi.environment(), text=True, capture_output=True,
                              stdin=subprocess.DEVNULL)
        assert done.returncode == code, done.stderr
        return done

    def words(self, options, bundle, graph="graph", seed=7):
        return ["protect", self.place / graph, "-o", self.place / bundle, "--insecure-seed", seed, "--force",
                *options]

    def assert_same(self, name, options, graph="graph", ranks=RANKS):
        self.alone(*self.words(options, "one", graph))
        expected = contents(self.place / "one")
        for n in ranks:
            with self.subTest(name, ranks=n):
                done = mpi.mpirun(n, HETERORR, *self.words(options, "many", graph))
                self.assertEqual(done.returncode, 0, done.stderr)
                found = contents(self.place / "many")
                self.assertEqual(sorted(found), sorted(expected))
                for file in expected:
                    self.assertEqual(found[file], expected[file], f"{file} differs")
        return expected

    def test_the_bundle_is_that_of_one_process(self):
        for name, options in SHARED.items():
            self.assert_same(name, options)

    def test_so_it_is_for_whatever_rank_0_draws_alone(self):
        for name, options in MORE.items():
            self.assert_same(name, options, ranks=(3,))

    def test_so_it_is_for_collections_and_several_labels(self):
        self.assert_same("collection", SHARED["edgerr"], "several", ranks=(3,))
        self.assert_same("label bits", SHARED["edgerr-node and labels"], "marked", ranks=(2,))

    def test_threads_of_the_ranks_do_not_show(self):
        self.alone(*self.words(SHARED["edgerr"], "one"))
        done = mpi.mpirun(2, HETERORR, *self.words([*SHARED["edgerr"], "--threads", "3"], "many"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(contents(self.place / "one"), contents(self.place / "many"))

    def test_only_rank_0_talks(self):
        done = mpi.mpirun(3, HETERORR, *self.words([*SHARED["featurerr"], "--json"], "many"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["bundle"], str(self.place / "many"))

    def test_a_bad_option_is_said_once(self):
        done = mpi.mpirun(3, HETERORR, "protect", self.place / "graph", "--no-such-option")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count("heterorr: error"), 1, done.stderr)

    def test_a_system_key_gives_another_bundle_each_time_that_verifies(self):
        bundles = []
        for name in "first", "second":
            done = mpi.mpirun(3, HETERORR, "protect", self.place / "graph", "-o", self.place / name, *SHARED["edgerr"],
                              "--ledger", self.place / "ledger.sqlite")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.alone("verify", self.place / name)
            bundles.append(contents(self.place / name))
        self.assertNotEqual(bundles[0]["features.npy"], bundles[1]["features.npy"])
        charges = json.loads(self.alone("ledger", "show", "--ledger", self.place / "ledger.sqlite", "--json").stdout)
        self.assertEqual(len(charges["charges"]), 2)


if __name__ == "__main__":
    mpi.need_mpi()
    unittest.main()
