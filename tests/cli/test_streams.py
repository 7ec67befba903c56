"""Where output goes: results on stdout, the rest on stderr, and nothing is lost in silence."""
import json
import os
import pty
import select
import subprocess
import time
import unittest

from command import CommandTest, HETERORR, for_a_service, heterorr

ESCAPE = "\x1b"


class Streams(CommandTest):
    def on_terminal(self, *words, seconds=120, **environment):
        """Run with stderr on a pseudo-terminal; (exit code, stdout, what the terminal got)."""
        try:
            ours, theirs = pty.openpty()
        except OSError as reason:
            self.skipTest(f"no pseudo-terminal here: {reason}")
        process = self.start(*words, stdout=subprocess.PIPE, stderr=theirs,
                             env={**os.environ, "TERM": "xterm", **environment})
        os.close(theirs)
        seen, deadline = b"", time.monotonic() + seconds
        while time.monotonic() < deadline:
            if not select.select([ours], [], [], 0.2)[0]:
                continue
            try:
                piece = os.read(ours, 65536)
            except OSError:  # the other side is closed
                break
            if not piece:
                break
            seen += piece
        os.close(ours)
        out, _ = process.communicate(timeout=10)
        return process.returncode, out.decode(), seen.decode()

    def test_a_full_device_is_noticed(self):
        with open("/dev/full", "w") as full:
            for words in (["--version"], ["--help"], ["help", "inspect"], ["completion", "bash"],
                          ["inspect", "nothing-here", "--json"]):
                done = heterorr(*words, stdout=full)
                self.assertEqual(done.returncode, 3, words)
                self.assertIn("standard output cannot be written", done.stderr)

    def test_a_closed_pipe_is_noticed(self):
        reader, writer = os.pipe()
        os.close(reader)
        done = heterorr("--help", stdout=writer)
        os.close(writer)
        self.assertEqual(done.returncode, 3)
        self.assertIn("standard output cannot be written", done.stderr)

    def test_closed_stdout_is_noticed(self):
        done = subprocess.run(["sh", "-c", 'exec "$1" --version >&-', "sh", HETERORR],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 3, done.stderr)

    def test_no_escapes_unless_on_a_terminal(self):
        done = self.fails(2, "inspect")
        self.assertNotIn(ESCAPE, done.stdout + done.stderr)

    def test_errors_are_coloured_on_a_terminal_unless_refused(self):
        code, _, seen = self.on_terminal("inspect", NO_COLOR="")
        self.assertEqual(code, 2)
        self.assertIn(ESCAPE, seen)
        for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            _, _, seen = self.on_terminal("inspect", **environment)
            self.assertNotIn(ESCAPE, seen)
            self.assertIn("heterorr: error: ", seen)

    def test_progress_is_shown_when_work_is_long_and_erased(self):
        for nodes in ["1e6", "3e6", "9e6"]:  # until this machine needs long enough
            code, out, seen = self.on_terminal("generate", "--nodes", nodes, "--avg-degree", "20",
                                               "--features", "4", "--threads", "1", "--json",
                                               "--force", "-o", self.scratch / "graph")
            self.assertEqual(code, 0, seen)
            if json.loads(out)["seconds"] > 3:
                break
        self.assertRegex(seen, r"\d %")
        self.assertTrue(seen.endswith(f"\r{ESCAPE}[K"), repr(seen[-40:]))

    def test_no_progress_for_short_work(self):
        code, out, seen = self.on_terminal("generate", "--nodes", "2e5", "--features", "64",
                                           "--json", "-o", self.scratch / "graph")
        self.assertEqual(code, 0, seen)
        if json.loads(out)["seconds"] >= 2:
            self.skipTest("this machine is too busy for short work")
        self.assertEqual(seen, "")

    def test_bars_follow_the_locale(self):
        self.succeeds("generate", "--nodes", "100", "-o", self.scratch / "graph")
        plain = self.succeeds("inspect", self.scratch / "graph",
                              env={**os.environ, "LC_ALL": "C"}).stdout
        self.assertTrue(plain.isascii())
        self.assertIn("###", plain)
        if "C.utf8" in subprocess.run(["locale", "-a"], capture_output=True, text=True).stdout:
            fine = self.succeeds("inspect", self.scratch / "graph",
                                 env={**os.environ, "LC_ALL": "C.utf8"}).stdout
            self.assertIn("█", fine)


NETWORK = "--hidden 4 --epochs 3"
SWEEP = f"compare learning graph --mechanisms multibit --eps-features 1 --runs 2 {NETWORK}"
WALKS = "compare structure graph --mechanisms edgerr --eps-edges 1 --runs 1"
MASKED = "--embeddings graph/features.npy --masked graph/masked_features.npy"
ROWS = "mechanism,eps,features"

# Command, what of its result must be in `> file`, whether there is a JSON form. In this order: a
# command may use what those before it wrote.
RESULTS = [
    ("demo --nodes 100 -o demo", "The report is demo/report", True),
    ("generate --nodes 120 --features 6 --classes 2 --private-fraction .3 --force -o graph", "120 nodes", True),
    ("inspect graph", "Nodes", True),
    ("convert graph --force -o copy.npz", "copy.npz: 120 nodes", True),
    (f"scores {MASKED} --labels graph/labels.npy --force -o s.npz", "s.npz: weights of 6 features", True),
    ("head graph --public head --force -o h.npz", "h.npz", True),
    ("protect graph --eps-features 2 --force -o bundle", "eps_f = 2", True),
    ("protect graph --eps-features 2 --force -o bundle --dry-run", "nothing was drawn or written;", True),
    ("verify bundle", "eps_f = 2", True),
    ("audit laplace --trials 20000", "lower bound", True),
    ("ledger show", "Charge", True),
    ("keys new --output signer", "signer", False),
    (f"train bundle --force -o model {NETWORK}", "accuracy", True),
    ("predict model bundle --force -o p.npy", "p.npy: 120 nodes", True),
    ("attack linkteller model bundle --truth graph --samples 20", "AUC", True),
    ("attack chain graph --eps-edges 1 --epochs 3 --samples 20 --force -o runs.csv", "random guess", True),
    (f"{SWEEP} -o rows.csv", "the best baseline", True),
    (f"{WALKS} -o walks.csv", "distance from the original", True),
    ("compare structure graph bundle", "Triangles", True),
    ("compare errors --features 1 --force -o errors.csv", "d = 1: ", True),
    ("advise graph --runs 2 --eps-edges 1", "heterorr protect graph", True),
    ("report rows.csv --force -o page", "page/index.html", True),
    ("export model --release bundle --force --onnx m.onnx", "m.onnx", True),
    ("serve model --listen 127.0.0.1:0 --log none", "http://127.0.0.1:", True),
    ("completion bash", "complete", False),
    ("help", "Verbs:", False),
]
ELSEWHERE = {"embed"}  # in tests/vision/test_embed.py, which has a network and pictures
# The product itself goes to standard output, and nothing else does.
PRODUCTS = [
    (SWEEP, "version,graph,", "the best baseline"),
    (f"{SWEEP} -o -", "version,graph,", "the best baseline"),
    (WALKS, "graph,edge_mechanism,", "distance from the original"),
    ("compare errors --features 1", ROWS, "d = 1: "),
    ("compare errors --features 1 -o /dev/stdout --force", ROWS, "d = 1: "),
    ("convert graph --to edges -o /dev/stdout --force", "source,target", "120 nodes"),
]


class Results(CommandTest):
    def serve_once(self, line, *more):
        """A service says where it is, and ends when it is told to."""
        process = self.start(*line.split(), *more, cwd=self.scratch, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             text=True, env=for_a_service())
        said = process.stdout.readline()
        process.terminate()
        out, err = process.communicate(timeout=60)
        return subprocess.CompletedProcess(process.args, process.returncode, said + out, err)

    def run_line(self, line, *more):
        done = self.serve_once(line, *more) if line.startswith("serve ") else heterorr(*line.split(), *more, cwd=self.scratch)
        self.assertEqual(done.returncode, 0, f"{line}: {done.stderr}")
        return done

    def test_results_of_every_verb_go_to_stdout(self):
        listing = self.succeeds("help").stdout.split("Verbs:\n")[1].split("\n\n")[0]
        verbs = {line.split()[0] for line in listing.splitlines()}
        self.assertEqual(verbs - {line.split()[0] for line, _, _ in RESULTS} - ELSEWHERE, set(), "no row in RESULTS")
        for line, result, has_json in RESULTS:
            with self.subTest(line):
                done = self.run_line(line)
                self.assertIn(result, done.stdout)
                self.assertNotIn(result, done.stderr)
                for said in done.stderr.splitlines():  # notes, warnings; no progress without a terminal
                    self.assertRegex(said, "^heterorr: (note|warning): ")
                self.assertNotIn("heterorr: note", done.stdout)
                if has_json:
                    self.assertIsInstance(json.loads(self.run_line(line, "--json").stdout), dict)

    def test_a_product_on_stdout_has_it_to_itself(self):
        self.run_line(RESULTS[1][0])
        for line, header, summary in PRODUCTS:
            with self.subTest(line):
                done = self.run_line(line)
                rows = done.stdout.splitlines()
                self.assertTrue(rows[0].startswith(header), rows[0])
                self.assertEqual({row.count(",") for row in rows}, {rows[0].count(",")})
                self.assertNotIn(summary, done.stdout)
                self.assertIn(summary, done.stderr)

    def test_reasons_of_a_verdict_are_results(self):
        self.run_line(RESULTS[1][0])
        self.run_line("protect graph --eps-features 2 -o bundle")
        (self.scratch / "bundle" / "labels.npy").unlink()
        done = self.fails(5, "verify", self.scratch / "bundle", says="labels.npy")
        self.assertIn("labels.npy", done.stdout)


if __name__ == "__main__":
    unittest.main()
