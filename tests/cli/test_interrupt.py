"""Ctrl-C: answered soon, exit code 130, and nothing half-written stays behind."""
import json
import signal
import subprocess
import time
import unittest

from command import CommandTest


class Interrupt(CommandTest):
    def interrupt(self, after, signals, *words):
        """Start a long generate, send the signals, and return (code, stdout, stderr, seconds)."""
        process = self.start("generate", "--nodes", "1e7", "--avg-degree", "30", "--features",
                             "8", "-o", self.scratch / "graph", *words, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
        time.sleep(after)
        self.assertIsNone(process.poll(), "it ended before it could be interrupted")
        for number in signals:
            process.send_signal(number)
            time.sleep(0.05)
        sent = time.monotonic()
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err, time.monotonic() - sent

    def check(self, after, signals, *words):
        code, out, err, seconds = self.interrupt(after, signals, *words)
        self.assertEqual(code, 130, err)
        self.assertIn("interrupted", err)
        self.assertLess(seconds, 10)
        self.assertEqual(self.names(), [])
        return out

    def test_ctrl_c_leaves_nothing(self):
        self.assertEqual(self.check(0.3, [signal.SIGINT]), "")

    def test_termination_leaves_nothing(self):
        self.check(0.3, [signal.SIGTERM])

    def test_impatience_leaves_nothing_either(self):
        self.check(0.3, [signal.SIGINT] * 3)

    def test_later_phases_answer_too(self):
        self.check(2, [signal.SIGINT])

    def test_json_says_so(self):
        answer = json.loads(self.check(0.3, [signal.SIGINT], "--json"))
        self.assertEqual(answer["error"]["code"], "interrupted")

    def test_waiting_on_a_pipe_ends(self):
        graph, pipe = self.scratch / "graph", self.scratch / "pipe"
        self.json("generate", "--nodes", "100", "-o", graph)
        subprocess.run(["mkfifo", pipe], check=True)  # nobody reads it
        process = self.start("convert", graph, "--to", "edges", "--force", "-o", pipe,
                             stderr=subprocess.PIPE, text=True)
        time.sleep(0.5)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=10)
        self.assertEqual(process.returncode, 130, err)


if __name__ == "__main__":
    unittest.main()
