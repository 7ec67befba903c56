"""What stops mpirun heterorr protect: before the charge, ranks that differ; after it, a rank that fails or is stopped.
There is never a bundle, and the ledger keeps what was charged."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import mpi

HETERORR = os.environ["HETERORR"]


class Failures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.place = pathlib.Path(cls.directory.name)
        # Features of 20 MB: more than MPI's own files, so that a limit on the size of files meets only them.
        cls.generate("graph", 80000, 64)
        cls.generate("small", 300, 4)
        shutil.copytree(cls.place / "small", cls.place / "stale")
        changed = bytearray((cls.place / "stale" / "features.npy").read_bytes())
        changed[-1] ^= 1  # the last value, which rank 1 draws from
        (cls.place / "stale" / "features.npy").write_bytes(changed)

    @classmethod
    def generate(cls, name, nodes, features):
        subprocess.run([HETERORR, "generate", "--nodes", str(nodes), "--avg-degree", "4", "--features", str(features),
                        "--classes", "3", "--private-fraction", "0.4", "--seed", "5", "-o", str(cls.place / name)],
                       check=True, capture_output=True, env=mpi.environment())

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    def setUp(self):
        self.ledger, self.bundle = self.place / f"{self.id()}.sqlite", self.place / self.id()

    def words(self, graph="small", eps="1", more=()):
        return [HETERORR, "protect", self.place / graph, "-o", self.bundle, "--eps-features", eps,
                "--feature-mechanism", "featurerr", "--edge-mechanism", "public-only", "--ledger", self.ledger, *more]

    def differing(self, first, second):
        """Rank 0 does the first, rank 1 the second."""
        words = [*mpi.command(1, first), ":", "-n", "1", *map(str, second)]
        return subprocess.run(words, env=mpi.environment(), text=True, capture_output=True, timeout=120,
                              stdin=subprocess.DEVNULL)

    def states(self):
        if not self.ledger.exists():
            return []
        shown = subprocess.run([HETERORR, "ledger", "show", "--ledger", str(self.ledger), "--json"], check=True, text=True,
                               capture_output=True)
        return [charge["state"] for charge in json.loads(shown.stdout)["charges"]]

    def assert_nothing(self, done, code, words, states):
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(words, done.stderr)
        self.assertEqual(done.stderr.count("heterorr: error"), 1, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertFalse(self.bundle.exists())
        self.assertEqual(list(self.place.glob(f".{self.bundle.name}*")), [], "a staging directory is left")
        self.assertEqual(self.states(), states)

    def test_without_the_plug_in_nothing_is_charged(self):
        done = mpi.mpirun(3, *self.words(), HETERORR_MPI="/nowhere/heterorr-mpi.so")
        self.assert_nothing(done, 1, "libopenmpi-dev", [])

    def test_a_launcher_of_another_mpi_is_refused_before_the_charge(self):
        """Each of its processes would be alone, and charge and publish by itself."""
        for rank in "0", "1":
            environment = mpi.environment(PMI_SIZE="3", PMI_RANK=rank)
            done = subprocess.run(list(map(str, self.words())), env=environment, text=True, capture_output=True, timeout=120,
                                  stdin=subprocess.DEVNULL)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertFalse(self.bundle.exists())
            self.assertEqual(self.states(), [])
            if rank == "0":
                self.assertIn("the launcher started 3 processes, but MPI sees 1", done.stderr)

    def test_another_budget_at_one_rank_is_refused_before_the_charge(self):
        done = self.differing(self.words(), self.words(eps="2"))
        self.assert_nothing(done, 1, "options or public data are different at rank 1", [])

    def test_another_ledger_at_one_rank_is_refused_before_the_charge(self):
        done = self.differing(self.words(), [*self.words()[:-1], self.place / "other.sqlite"])
        self.assert_nothing(done, 1, "options or public data are different at rank 1", [])

    def test_ranks_that_do_not_share_the_directory_are_refused_before_the_charge(self):
        """The bundle is named from where each rank is, so that rank 1 does not see the directory that rank 0 makes."""
        words = self.words()
        words[words.index("-o") + 1] = self.bundle.name
        places = [self.place / "here", self.place / "there"]
        for place in places:
            place.mkdir()
        done = subprocess.run([*mpi.LAUNCH, "-n", "1", "--wdir", str(places[0]), *map(str, words), ":", "-n", "1", "--wdir",
                               str(places[1]), *map(str, words)], env=mpi.environment(), text=True, capture_output=True,
                              timeout=120, stdin=subprocess.DEVNULL)
        self.assert_nothing(done, 3, "rank 1: ", [])
        self.assertIn("is not the directory that rank 0 sees", done.stderr)
        self.assertEqual([list(place.iterdir()) for place in places], [[], []])

    def test_stale_features_at_one_rank_are_refused_before_the_charge(self):
        done = self.differing(self.words(), self.words("stale"))
        self.assert_nothing(done, 1, "features are different at rank 1", [])

    def test_another_seed_at_one_rank_is_refused(self):
        done = self.differing(self.words(more=["--insecure-seed", "1"]), self.words(more=["--insecure-seed", "2"]))
        self.assert_nothing(done, 1, "rank 1 has a different seed", [])

    def test_an_input_that_one_rank_cannot_read_is_told_by_rank_0(self):
        done = self.differing(self.words(), self.words("nowhere"))
        self.assert_nothing(done, 3, "rank 1: ", [])

    def test_a_full_disk_at_one_rank_stops_all_and_stays_charged(self):
        full = ["sh", "-c", 'trap "" XFSZ; ulimit -f 26000; exec "$@"', "sh", *self.words("graph")]
        done = self.differing(self.words("graph"), full)
        self.assert_nothing(done, 3, "rank 1: ", ["charged"])
        self.assertIn("charge 1 of the ledger", done.stderr)

    def start_and_hold(self):
        """Three ranks, of which rank 1 waits once the features are being released: held_engine.c."""
        held = self.place / "held"
        environment = mpi.environment(HETERORR_MPI=os.environ["HRR_HELD_ENGINE"], HRR_ENGINE=os.environ["HETERORR_MPI"],
                                      HRR_HOLD_WHEN=str(self.place / f".{self.bundle.name}*/features.npy"), HRR_HELD=str(held))
        run = subprocess.Popen(mpi.command(3, self.words()), env=environment, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        while run.poll() is None and not held.exists():
            time.sleep(0.01)
        self.assertIsNone(run.returncode, "the run ended before rank 1 was held")
        return run

    def test_ctrl_c_stops_all_and_stays_charged(self):
        run = self.start_and_hold()
        run.send_signal(signal.SIGINT)
        self.assertNotEqual(run.wait(timeout=60), 0)
        self.assertFalse(self.bundle.exists())
        self.assertEqual(self.states(), ["charged"])


if __name__ == "__main__":
    mpi.need_mpi()
    unittest.main()
