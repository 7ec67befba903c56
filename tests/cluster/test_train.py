"""Training and sweeps by several processes: the losses of one process to 1e-5 after 20 epochs, dropout and all; one model, or
none if a rank fails; and the rows of a sweep as one process writes them."""
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

import mpi

HETERORR = os.environ["HETERORR"]


def alone(*words):
    return subprocess.run([HETERORR, *map(str, words)], env=mpi.environment(), text=True, capture_output=True, check=True)


def commands():
    """(pid, words) of every process that can be looked at."""
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            yield int(process.name), (process / "cmdline").read_bytes().decode(errors="replace").split("\0")[:-1]
        except OSError:  # it has ended
            pass


class Train(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="heterorr-ranks-")
        self.addCleanup(place.cleanup)
        self.scratch = pathlib.Path(place.name)
        self.graph = self.scratch / "graph"
        alone("generate", "--nodes", "301", "--avg-degree", "6", "--features", "9", "--classes", "3", "--seed", "8",
              "--private-fraction", "0", "-o", self.graph)

    def train(self, n, name, *options):
        words = [HETERORR, "train", self.graph, "-o", self.scratch / name, "--non-private", "--hidden", "8", "--epochs", "20",
                 "--json", "--threads", "1", *options]
        done = mpi.mpirun(n, *words) if n else alone(*words[1:])
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_losses_are_those_of_one_process(self):
        cases = {"two layers": (), "three, by means": ("--layers", "3", "--aggregation", "mean"),
                 "first order": ("--aggregation", "first-order", "--dropout", "0"),
                 "no edges": ("--arch", "mlp", "--standardise"), "propagated": ("--propagate", "2")}
        for case, options in cases.items():
            options = [*options, "--patience", "0"]
            one = self.train(0, f"{case}-0", *options)
            for n in (1, 2, 3, 4) if case == "two layers" else (3,):
                with self.subTest(case=case, ranks=n):
                    many = self.train(n, f"{case}-{n}", *options)
                    for loss in ("train_loss", "valid_loss"):
                        self.assertAlmostEqual(many[loss] / one[loss], 1, delta=1e-5)
                    self.assertEqual(many["epochs"], 20)
                    for part in ("train", "valid", "test"):
                        self.assertAlmostEqual(many[part]["auc"], one[part]["auc"], delta=1e-3)

    def test_early_stopping_is_the_same_everywhere(self):
        one = self.train(0, "one", "--patience", "2", "--lr", ".2")
        many = self.train(3, "many", "--patience", "2", "--lr", ".2")
        self.assertLess(one["epochs"], 20)
        self.assertEqual((many["epochs"], many["best_epoch"]), (one["epochs"], one["best_epoch"]))

    def test_what_one_process_has_to_do_is_refused(self):
        done = mpi.mpirun(2, HETERORR, "train", self.graph, "-o", self.scratch / "m", "--arch", "sign", "--non-private")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stderr.count("cannot be divided among several processes"), 1)
        self.assertFalse((self.scratch / "m").exists())

    def test_a_rank_that_dies_leaves_no_model(self):
        model = self.scratch / "m"
        words = [HETERORR, "train", self.graph, "-o", model, "--non-private", "--epochs", "1000000", "--patience", "0",
                 "--threads", "1"]
        process = subprocess.Popen(mpi.command(3, words), env=mpi.environment(), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, start_new_session=True)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        ranks = []
        began = time.monotonic()
        while len(ranks) < 3 and time.monotonic() < began + 60:
            time.sleep(.1)
            ranks = [pid for pid, words_there in commands() if words_there == list(map(str, words))]
        self.assertEqual(len(ranks), 3)
        time.sleep(1)
        os.kill(ranks[1], signal.SIGKILL)
        self.assertNotEqual(process.wait(timeout=60), 0)
        self.assertFalse(model.exists())

    def test_sweeps_write_what_one_process_writes(self):
        words = ["compare", "structure", self.graph, "--suite", "pgb", "--all-private", "--mechanisms", "edgerr,lapgraph",
                 "--eps-edges", "1", "--runs", "2", "--threads", "1"]
        alone(*words, "-o", self.scratch / "one.csv")
        done = mpi.mpirun(3, HETERORR, *words, "-o", self.scratch / "many.csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.scratch / "many.csv").read_text(), (self.scratch / "one.csv").read_text())
        self.assertEqual([path.name for path in self.scratch.iterdir() if "shard" in path.name], [])
        self.assertEqual(done.stdout.count("the runs are in"), 1)
        done = mpi.mpirun(2, HETERORR, *words)
        self.assertEqual(done.returncode, 2)
        self.assertIn("-o RESULTS.csv", done.stderr)


if __name__ == "__main__":
    mpi.need_mpi()
    unittest.main()
