"""demo: runs, ends with a report, its printed commands work, and it never touches what is not its own."""
import shlex
import unittest

from command import CommandTest


class Demo(CommandTest):
    def check_answer(self, answer):
        """Every step is there, and the noise is what it says."""
        self.assertEqual(set(answer["steps"]), {"noise", "generate", "inspect", "protect", "verify", "audit",
                                                "train", "reference", "attack", "chain", "compare",
                                                "structure", "report"})
        self.assertTrue((self.scratch / answer["report"] / "index.html").exists())
        noise = answer["steps"]["noise"]
        for row in noise["rows"]:
            p, n = row["probability"], noise["draws"]
            # Six standard deviations: a false alarm once in a hundred million runs.
            self.assertAlmostEqual(row["drawn"] / n, p, delta=6 * (p * (1 - p) / n) ** 0.5)

    def test_it_runs_again_and_again(self):
        """A demo is long: what three of them show is looked at together."""
        done = self.succeeds("demo", "--nodes", 100, cwd=self.scratch)
        self.assertIn("The files are in heterorr-demo", done.stdout)
        self.assertEqual(self.json("inspect", self.scratch / "heterorr-demo/graph")["nodes"], 100)
        self.assertEqual(self.names(), ["heterorr-demo"])

        answer = self.json("demo", "--nodes", 100, cwd=self.scratch)
        self.assertEqual(self.names(), ["heterorr-demo"])  # the earlier one is replaced
        self.check_answer(answer)

        (self.scratch / "heterorr-demo-2").mkdir()  # or kept
        self.assertEqual(self.json("demo", "--nodes", 100, "--keep", cwd=self.scratch)["directory"],
                         "heterorr-demo-3")

    def test_printed_commands_do_the_same(self):
        text = self.succeeds("demo", "--nodes", 100, "-o", "a demo", cwd=self.scratch).stdout
        commands = [shlex.split(line.strip()[2:]) for line in text.splitlines()
                    if line.strip().startswith("$ ")]
        self.assertEqual([words[1] for words in commands], ["generate", "inspect", "protect", "verify",
                                                           "audit", "train", "train", "attack", "attack",
                                                           "compare", "compare", "report"])
        made = self.scratch / "a demo/graph/edges.npy"
        before = made.read_bytes()
        for words in commands:
            writes = "-o" in words and words[1] not in ("compare", "attack")  # which go on with their rows
            force = ["--force"] if writes else []
            self.succeeds(*words[1:], *force, cwd=self.scratch)
        self.assertEqual(made.read_bytes(), before)

    def test_other_files_are_left_alone(self):
        place = self.scratch / "heterorr-demo"
        place.mkdir()
        (place / "letter.txt").write_text("mine")
        self.fails(2, "demo", "--nodes", 100, cwd=self.scratch, says="contains files that the demo did not write;")
        self.assertEqual([path.name for path in place.iterdir()], ["letter.txt"])
        (self.scratch / "file").write_text("mine")
        self.fails(2, "demo", "--nodes", 100, "-o", "file", cwd=self.scratch, says="choose another")


if __name__ == "__main__":
    unittest.main()
