"""Reports in a real browser: Debian's chromium, driven by playwright-core (browser/package.json), which
npm puts into the build directory. Where one of them is missing, the test says so and is skipped."""
import json
import pathlib
import shutil
import struct
import subprocess
import sys
import unittest
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from command import CommandTest, skip_all
from npm import install

import make_results

try:
    import numpy
except ImportError as missing:
    skip_all(f"{missing}; install python3-numpy")

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent / "browser"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


def png(path):
    """A grey square."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(
            ">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + bytes([128] * 32) for _ in range(32))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 32, 32, 8, 0, 0, 0, 0))
                     + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class Browser(CommandTest):
    def whole(self):
        """Everything that a report can have."""
        graph, bundle, images = (self.scratch / name for name in ("graph", "bundle", "images"))
        self.succeeds("generate", "--nodes", 60, "--features", 4, "--classes", 2,
                      "--private-fraction", 0.5, "--seed", 1, "-o", graph)
        self.succeeds("protect", graph, "-o", bundle, "--eps-features", 1, "--eps-edges", 1,
                      "--edge-mechanism", "edgerr")
        images.mkdir()
        png(images / "sheet.png")
        rnd = numpy.random.default_rng(1)
        alpha, beta = rnd.exponential(size=200), rnd.random(200)
        numpy.savez(self.scratch / "s.npz", alpha=alpha, beta=beta, theta=(1 + alpha - beta) / 2,
                    gamma=[0.5], public=[True])
        errors = make_results.write(
            self.scratch / "e.csv", ["mechanism", "eps", "features", "expected_error",
                                     "mean_expected_error", "how"],
            [[f"mechanism-{i}", e, d, 10 / e, d * (i + 1) / e, "draws"] for i in range(12)
             for e in (0.01, 0.1, 1, 2, 3, 4, 5, 6, 8, 10) for d in (1, 100)])
        (self.scratch / "commands.txt").write_text("heterorr compare learning graph --mechanisms edgerr "
                                                   "--eps-edges 0.1,0.5,1,2,4 -o results.csv\n")
        return self.report("whole", make_results.utility(self.scratch / "u.csv"),
                           make_results.attacks(self.scratch / "a.csv"),
                           make_results.roc(self.scratch / "r.csv"),
                           make_results.chain(self.scratch / "c.csv"), errors,
                           ROOT / "docs" / "results" / "figure11-cora.csv", "--bundle", bundle,
                           "--scores", self.scratch / "s.npz", "--images", images, "--commands",
                           self.scratch / "commands.txt")

    def report(self, name, *words):
        out = self.scratch / name
        self.succeeds("report", *words, "-o", out)
        return out

    def test_pages_are_as_they_should_be(self):
        evil = "<script>alert(1)</script>\"'& x"
        long = [f"a mechanism with quite a long name, number {i}" for i in range(8)]
        many = [f"mechanism-{i}" for i in range(100)]
        reports = [
            self.whole(),
            self.report("two-budgets", make_results.both(self.scratch / "b.csv")),
            self.report("hundred", make_results.utility(
                self.scratch / "h.csv", mechanisms=many, fractions=("0.3",), runs=2)),
            self.report("long", make_results.utility(
                self.scratch / "l.csv", mechanisms=long, fractions=("0.9",))),
            self.report("pgb", make_results.pgb(self.scratch / "p.csv", self.scratch / "published.csv"),
                        self.scratch / "published.csv"),
            self.report("single", make_results.write(
                self.scratch / "s.csv", ["graph", "mechanism", "eps", "run", "accuracy"],
                [[evil, evil + "-" + m, 1, r, 0.5 + r / 10] for m in "abc" for r in (0, 1)])),
        ]
        home = install(HERE, "playwright-core", "check.js")
        done = subprocess.run(["node", home / "check.js", CHROMIUM, *reports], cwd=home,
                              capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        for check, problems in json.loads(done.stdout).items():
            with self.subTest(check):
                self.fail(f"{len(problems)} problems:\n" + "\n".join(problems[:12]))


if __name__ == "__main__":
    for program in ("node", "npm"):
        if not shutil.which(program):
            skip_all(f"there is no {program}; install nodejs and npm")
    if not CHROMIUM:
        skip_all("there is no chromium; install it")
    unittest.main()
