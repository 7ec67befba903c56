"""Ctrl-C: answered soon, exit code 130, and nothing half-written stays behind."""
import json
import signal
import subprocess
import time
import unittest

from command import CommandTest, ls


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

    def interrupt_drawing(self, graph, bundle, ledger):
        """Stop protect when it has begun to draw, and interrupt it before it goes on. None if it was
        faster than that."""
        process = self.start("protect", graph, "-o", bundle, "--eps-features", "1", "--eps-edges",
                             ".5", "--threads", "1", "--ledger", ledger,
                             stderr=subprocess.PIPE, text=True)
        while process.poll() is None and not any(map(ls, bundle.parent.glob(".*"))):
            pass
        process.send_signal(signal.SIGSTOP)
        published = bundle.exists()
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGCONT)
        _, err = process.communicate(timeout=60)
        if published:
            return None
        self.assertEqual(process.returncode, 130, err)
        return err

    def test_after_the_charge_it_says_what_is_spent(self):
        graph, out = self.scratch / "graph", self.scratch / "out"
        ledger = self.scratch / "ledger.sqlite"
        self.json("generate", "--nodes", "20000", "--features", "64", "-o", graph)
        out.mkdir()
        said = None
        for entry in range(1, 20):
            bundle = out / f"bundle{entry}"
            said = self.interrupt_drawing(graph, bundle, ledger)
            if said:
                break
        self.assertIn("interrupted", said)
        number = len(self.json("ledger", "show", "--ledger", ledger)["charges"])
        self.assertIn("of the ledger: eps_f = 1, eps_e = 0.5, eps_y = 0) and remains spent", said)
        self.assertFalse(bundle.exists())
        self.assertEqual(list(out.glob(".*")), [])
        self.json("ledger", "check", "--ledger", ledger)
        spent = self.json("ledger", "show", "--ledger", ledger)["inputs"][0]["spent"]
        self.assertEqual(float(spent["eps_total"]), 1.5 * number)

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
