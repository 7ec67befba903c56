"""--scratch: large arrays in nameless files. The results are those without it, byte for byte; memory stays small; a full
disk, a signal or a wrong directory leaves nothing behind."""
import gzip
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from command import HETERORR, SANITIZED, CommandTest, heterorr, ls

ONE_THREAD = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # it takes memory for each thread, and tries forever if there is none
N_NODES, N_ROWS = 20_000, 1_300_000  # more rows than a run of the sort has


def contents(directory):
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def write_rows(path, rows, opener=open):
    with opener(path, "wt") as file:
        file.write("source,target,private,private_too\n")
        file.writelines(rows)


def limited(kind, size):
    """For preexec_fn."""
    return lambda: resource.setrlimit(kind, (size, size))


class Scratch(CommandTest):
    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory(prefix="heterorr-scratch-")
        cls.addClassCleanup(place.cleanup)
        cls.place = pathlib.Path(place.name)
        cls.graph = cls.place / "graph"
        subprocess.run([HETERORR, "generate", "--nodes", "30000", "--avg-degree", "60", "--features", "4", "--classes", "3",
                        "--private-fraction", ".5", "--seed", "5", "-o", cls.graph], check=True, capture_output=True)
        draw = random.Random(5)
        cls.rows = [f"{int(N_NODES * draw.random() ** 2)},{draw.randrange(N_NODES)},{draw.randrange(2)},"
                    f"{draw.randrange(9) // 8}\n" for _ in range(N_ROWS)]

    def setUp(self):
        super().setUp()
        self.disk = self.scratch / "disk"
        self.disk.mkdir()

    def check_convert(self, path):
        """Returns the copy; stderr, which says what was decided, must agree as well."""
        usual = self.succeeds("convert", path, "-o", self.scratch / "usual")
        sorted_outside = self.succeeds("convert", path, "--scratch", self.disk, "-o", self.scratch / "outside")
        self.assertEqual(contents(self.scratch / "outside"), contents(self.scratch / "usual"))
        self.assertEqual(sorted_outside.stderr, usual.stderr)
        self.assertEqual(ls(self.disk), [])
        shutil.rmtree(self.scratch / "usual")
        return self.scratch / "outside"

    def test_an_edge_list_is_converted_to_the_same_bytes(self):
        path = self.scratch / "edges.csv"
        write_rows(path, self.rows)
        copy = self.check_convert(path)
        found = json.loads((copy / "graph.json").read_text())
        self.assertEqual(found["n_nodes"], N_NODES)
        self.assertLess(found["n_edges"], N_ROWS)
        inspected = [self.json("inspect", path, *more) for more in ((), ("--scratch", self.disk))]
        self.assertEqual(*inspected)
        self.assertGreater(inspected[0]["duplicates_removed"], 1000)
        self.assertGreater(inspected[0]["self_loops_removed"], 10)

    def test_compressed_with_gaps_in_the_ids(self):
        path = self.scratch / "edges.csv.gz"
        write_rows(path, (f"{3 * int(a) + 5},{3 * int(b) + 5},{c}" for a, b, c in
                          (row.split(",", 2) for row in self.rows)), gzip.open)
        self.assertIn("node_ids.npy", ls(self.check_convert(path)))

    def test_names(self):
        path = self.scratch / "edges.csv"
        write_rows(path, (f"n{row.replace(',', ',n', 1)}" for row in self.rows))
        self.assertIn("node_ids.npy", ls(self.check_convert(path)))

    def test_ids_that_are_far_apart(self):
        path = self.scratch / "edges.csv"
        write_rows(path, (f"{int(a) ** 3 * 1009},{int(b) ** 3 * 1009},{c}" for a, b, c in
                          (row.split(",", 2) for row in self.rows)))
        self.assertIn("node_ids.npy", ls(self.check_convert(path)))

    def protect(self, bundle, *words, **options):
        return heterorr("protect", self.graph, "-o", bundle, "--eps-features", "2", "--eps-edges", "1", "--insecure-seed", "3",
                        "--threads", "1", *words, **options)

    def check_protect(self, *words):
        for more in ((), ("--scratch", self.disk)):
            done = self.protect(self.scratch / ("outside" if more else "usual"), *words, *more)
            self.assertEqual(done.returncode, 0, done.stderr)
        usual, outside = (contents(self.scratch / name) for name in ("usual", "outside"))
        self.assertEqual(sorted(usual), sorted(outside))
        self.assertEqual([name for name in usual if usual[name] != outside[name]], [])
        self.assertEqual(ls(self.disk), [])
        self.succeeds("verify", self.scratch / "outside")

    def test_a_release_is_the_same_with_edgerr(self):
        self.check_protect("--edge-mechanism", "edgerr")

    def test_a_release_is_the_same_with_edgerr_node(self):
        self.check_protect("--edge-mechanism", "edgerr-node", "--blocks", "communities")

    def data_of(self, *words):
        """The most anonymous memory, in bytes, that was seen while the command ran."""
        process = self.start(*words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ONE_THREAD)
        most = 0
        while process.poll() is None:
            seen = re.search(r"VmData:\s*(\d+) kB", pathlib.Path(f"/proc/{process.pid}/status").read_text())
            most = max(most, 1024 * int(seen[1]) if seen else 0)
            time.sleep(.001)
        self.assertEqual(process.wait(), 0)
        return most

    @unittest.skipIf(SANITIZED, "the sanitizers take more memory than any limit")
    def test_memory_is_bounded(self):
        """64 bytes a node beyond what a small graph takes, and 16 MiB for blocks too small for a file, are enough; without
        scratch files they are not."""
        small = self.scratch / "small"
        self.succeeds("generate", "--nodes", "100", "--avg-degree", "4", "--features", "4", "-o", small)
        fixed = self.data_of("protect", small, "-o", self.scratch / "fits", "--eps-features", "2", "--eps-edges", "1",
                             "--insecure-seed", "3", "--threads", "1", "--edge-mechanism", "edgerr")
        limit = limited(resource.RLIMIT_DATA, fixed + 64 * 30_000 + (16 << 20))
        refused = self.protect(self.scratch / "refused", "--edge-mechanism", "edgerr", preexec_fn=limit, env=ONE_THREAD)
        self.assertEqual(refused.returncode, 1, refused.stderr)
        self.assertIn("out of memory", refused.stderr)
        done = self.protect(self.scratch / "outside", "--edge-mechanism", "edgerr", "--scratch", self.disk, preexec_fn=limit,
                            env=ONE_THREAD)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_full_disk_stops_everything(self):
        """A limit on the size of files stands in for a disk without room."""
        path = self.scratch / "edges.csv"
        write_rows(path, self.rows)
        before = self.names()
        for room in (1 << 12, 2 << 20, 3 << 20, 6 << 20):
            limit = limited(resource.RLIMIT_FSIZE, room)
            self.fails(3, "convert", path, "--scratch", self.disk, "-o", self.scratch / "copy", preexec_fn=limit,
                       says=f"{self.disk}: a scratch file of ")
            done = self.protect(self.scratch / "bundle", "--edge-mechanism", "edgerr", "--scratch", self.disk,
                                preexec_fn=limit)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertEqual(self.names(), before)
            self.assertEqual(ls(self.disk), [])

    def test_a_disk_of_four_megabytes_is_full(self):
        """Room is asked for before it is used: with files that only grow when they are written to, this would be SIGBUS."""
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", self.disk], capture_output=True, text=True)
        if mounted.returncode != 0:
            self.skipTest(f"a small file system cannot be mounted here: {mounted.stderr.strip()}")
        self.addCleanup(subprocess.run, ["umount", self.disk], check=True)
        done = self.protect(self.scratch / "bundle", "--edge-mechanism", "edgerr", "--scratch", self.disk)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("No space left on device; make room there", done.stderr)
        self.assertEqual(self.names(), ["disk"])
        self.assertEqual(ls(self.disk), [])

    def test_signals_leave_nothing(self):
        path = self.scratch / "edges.csv"
        write_rows(path, self.rows)
        before = self.names()
        for number, code in ((signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)):
            process = self.start("convert", path, "--scratch", self.disk, "-o", self.scratch / "copy",
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            maps = pathlib.Path(f"/proc/{process.pid}/maps")
            while process.poll() is None and str(self.disk) not in maps.read_text():
                time.sleep(.001)
            self.assertEqual(ls(self.disk), [])
            process.send_signal(number)
            self.assertEqual(process.wait(), code)
            self.assertEqual([name for name in self.names() if "partial" not in name or number == signal.SIGINT], before)
            self.assertEqual(ls(self.disk), [])

    def test_a_wrong_directory_is_refused_before_the_work(self):
        for name, says in (("absent", "No such file"), ("file", "Not a directory")):
            (self.scratch / "file").write_text("")
            self.fails(3, "convert", self.graph, "--scratch", self.scratch / name, "-o", self.scratch / "copy",
                       says=f"{self.scratch / name}: cannot hold scratch files: {says}")
            self.fails(3, "protect", self.graph, "--scratch", self.scratch / name, "-o", self.scratch / "bundle",
                       "--eps-features", "2", "--eps-edges", "1", says="--scratch")
        self.assertEqual(self.names(), ["disk", "file"])


if __name__ == "__main__":
    unittest.main()
