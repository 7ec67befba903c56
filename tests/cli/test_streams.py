"""Where output goes: results on stdout, the rest on stderr, and nothing is lost in silence."""
import json
import os
import pty
import select
import subprocess
import time
import unittest

from command import HETERORR, CommandTest, heterorr

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

    def test_results_go_to_stdout_and_talk_to_stderr(self):
        done = self.succeeds("generate", "--nodes", "100", "-o", self.scratch / "graph")
        self.assertEqual(done.stdout, "")
        self.assertIn("100 nodes", done.stderr)
        done = self.succeeds("inspect", self.scratch / "graph")
        self.assertEqual(done.stderr, "")
        self.assertIn("Nodes", done.stdout)

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


if __name__ == "__main__":
    unittest.main()
