"""--shard and --merge: the rows of a sweep that several processes made are those of one process, in
its order, byte for byte but for the seconds; and what is wrong with shards is told by name."""
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

from command import HETERORR, CommandTest

STRUCTURE = ("--mechanisms", "edgerr,lapgraph", "--eps-edges", "1", "--hops", "1")


class Shards(CommandTest):
    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory(prefix="heterorr-shards-")
        cls.addClassCleanup(place.cleanup)
        cls.graph = pathlib.Path(place.name) / "graph"
        subprocess.run([HETERORR, "generate", "--nodes", "60", "--avg-degree", "4", "--features",
                        "4", "--classes", "2", "--private-fraction", ".3", "--seed", "5", "-o",
                        cls.graph], check=True, capture_output=True)

    def rows(self, path, without=None):
        """The lines of a file; without: a column that is left out, as seconds differ."""
        lines = [line.split(",") for line in path.read_text().splitlines()]
        at = lines[0].index(without) if without else None
        return [line[:at] + line[at + 1:] if without else line for line in lines]

    def files(self):
        return sorted(path.name for path in self.scratch.iterdir())

    def check_equal(self, *command, without=None):
        whole, path = self.scratch / "whole.csv", self.scratch / "r.csv"
        one = self.succeeds(*command, "--threads", "1", "-o", whole)
        for shard in (3, 1, 2):  # in any order
            done = self.succeeds(*command, "-o", path, "--shard", f"{shard}/3")
            self.assertIn("--merge 3", done.stdout)
        self.assertNotIn("r.csv", self.files())
        self.fails(3, *command, "-o", path, "--merge", "2", says="r.csv.shard-1-of-2: is missing")
        path.unlink()
        merged = self.succeeds(*command, "-o", path, "--merge", "3")
        self.assertEqual(self.rows(path, without), self.rows(whole, without))
        self.assertEqual(merged.stdout.replace("r.csv", "whole.csv"), one.stdout)
        self.assertEqual([name for name in self.files() if "shard" in name], [])

    def test_structure(self):
        self.check_equal("compare", "structure", self.graph, *STRUCTURE, "--runs", "3",
                         without="seconds")

    def test_learning(self):
        self.check_equal("compare", "learning", self.graph, "--mechanisms", "edgerr",
                         "--eps-edges", "1", "--runs", "2", "--epochs", "5", without="seconds")

    def test_pgb_has_fifteen_rows_a_run(self):
        self.check_equal("compare", "structure", self.graph, "--suite", "pgb", "--all-private",
                         "--mechanisms", "edgerr,lapgraph", "--eps-edges", "1", "--runs", "2")

    def test_attack_chain_with_curves(self):
        command = ("attack", "chain", self.graph, "--mechanisms", "edgerr", "--eps-edges", "1",
                   "--runs", "2", "--epochs", "5", "--samples", "20")
        whole, path = self.scratch / "whole.csv", self.scratch / "r.csv"
        curves, roc = self.scratch / "curves.csv", self.scratch / "roc.csv"
        self.succeeds(*command, "--threads", "1", "-o", whole, "--roc", curves)
        for shard in (1, 2):
            self.succeeds(*command, "-o", path, "--roc", roc, "--shard", f"{shard}/2")
        self.succeeds(*command, "-o", path, "--roc", roc, "--merge", "2")
        self.assertEqual(self.rows(path, "seconds"), self.rows(whole, "seconds"))
        self.assertEqual(roc.read_text(), curves.read_text())
        self.assertEqual(self.files(), ["curves.csv", "r.csv", "roc.csv", "whole.csv"])

    def test_a_file_is_extended_by_shards(self):
        path = self.scratch / "r.csv"
        command = ("compare", "structure", self.graph, *STRUCTURE, "-o", path)
        self.succeeds(*command, "--runs", "1", "--threads", "1")
        before = path.read_text()
        command += ("--runs", "3")
        for shard in (1, 2):
            self.succeeds(*command, "--shard", f"{shard}/2")
        made = sum(len(self.rows(self.scratch / f"r.csv.shard-{i}-of-2")) - 1 for i in (1, 2))
        self.assertEqual(made, 6)  # three settings, runs 1 and 2
        self.succeeds(*command, "--merge", "2")
        self.assertTrue(path.read_text().startswith(before))
        self.assertEqual(len(self.rows(path)), 1 + 9)

    def test_a_killed_shard_goes_on(self):
        command = ["compare", "structure", str(self.graph), *STRUCTURE, "--runs", "400",
                   "--threads", "1", "-o", str(self.scratch / "r.csv")]
        mine = self.scratch / "r.csv.shard-2-of-2"
        process = self.start(*command, "--shard", "2/2", stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
        while not mine.exists() or mine.read_bytes().count(b"\n") < 5:
            self.assertIsNone(process.poll(), "it ended before it was killed")
            time.sleep(.01)
        # While it runs, nobody else writes its file.
        process.send_signal(signal.SIGSTOP)
        self.fails(3, *command, "--shard", "2/2", says="another process is writing this file")
        process.kill()
        process.wait()
        command[command.index("400")] = "6"
        # The first three runs, which a sweep of six runs has as well, and a row that is torn.
        few = "".join(mine.read_text().splitlines(keepends=True)[:4])
        mine.write_text(few + "synthetic,torn")
        self.fails(3, *command, "--merge", "2", says="r.csv.shard-1-of-2: is missing")
        self.succeeds(*command, "--shard", "1/2")
        self.fails(3, *command, "--merge", "2", says="r.csv.shard-2-of-2: lacks 6 of 9 runs")
        self.succeeds(*command, "--shard", "2/2")
        self.assertTrue(mine.read_text().startswith(few))
        self.succeeds(*command, "--merge", "2")
        self.assertEqual(len(self.rows(self.scratch / "r.csv")), 1 + 18)

    def test_shards_of_other_settings(self):
        path = self.scratch / "r.csv"
        command = ("compare", "structure", self.graph, *STRUCTURE, "-o", path)
        self.succeeds(*command, "--shard", "1/2")
        self.succeeds(*command, "--shard", "2/2", "--seed", "7")
        self.fails(3, *command, "--merge", "2",
                   says="r.csv.shard-2-of-2: contains a run that shard 2 of 2 of this sweep does not have")
        self.assertEqual(len(self.rows(path)), 1)  # nothing is put into the file
        learning = self.scratch / "r.csv.shard-2-of-2"
        learning.write_text("other,columns\n1,2\n")
        self.fails(3, *command, "--merge", "2", says="r.csv.shard-2-of-2: has other columns")

    def test_words(self):
        command = ("compare", "structure", self.graph, *STRUCTURE)
        file = ("-o", self.scratch / "r.csv")
        for text in ("5/4", "0/4", "0/0"):
            self.fails(2, *command, *file, "--shard", text, says="shards are numbered 1 to")
        for text in ("3", "1/x", "a/2", "-1/2", "1/2/3", "1/999999999999", "1.5/2"):
            self.fails(2, *command, *file, "--shard", text, says="such as 1/8")
        self.fails(2, *command, "--shard", "1/2", says="-o RESULTS.csv")
        self.fails(2, *command, "--merge", "2", says="-o RESULTS.csv")
        self.fails(2, *command, *file, "--shard", "1/2", "--merge", "2", says="leave one of them")
        self.assertEqual(self.files(), [])


if __name__ == "__main__":
    unittest.main()
