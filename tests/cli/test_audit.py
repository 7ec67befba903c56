"""audit: claims hold, wrong mechanisms are caught, and the exit code tells."""
import signal
import subprocess
import unittest

from command import CommandTest, mechanisms


class Audit(CommandTest):
    def test_everything(self):
        answer = self.json("audit", "--all", "--trials", "20000")
        self.assertTrue(answer["holds"])
        verdicts = {(row["control"], row["verdict"]) for row in answer["rows"]}
        self.assertEqual(verdicts, {(False, "holds"), (False, "no claim"), (True, "caught")})
        for row in answer["rows"]:
            if not row["control"] and row["claimed_eps"] is not None:
                self.assertLessEqual(row["realised_eps"], row["claimed_eps"])
                self.assertLessEqual(row["lower_bound"], row["claimed_eps"])
            elif row["control"]:
                self.assertGreater(row["lower_bound"], row["claimed_eps"])
        self.assertEqual(sum(row["control"] for row in answer["rows"]), 30)
        # Nothing that protect can be told to use is left out, nor protect itself.
        names = {"labels", "protect"} | set(mechanisms("features")) | set(mechanisms("edges"))
        self.assertGreater(len(names), 25)
        for name in names:
            rows = [row for row in answer["rows"] if row["mechanism"].startswith(name)]
            self.assertGreaterEqual(len(rows), 2, name)

    def test_one_mechanism_for_people(self):
        done = self.succeeds("audit", "featurerr", "--eps", "2", "--trials", "20000")
        self.assertEqual(done.stdout.count("holds"), 4)
        self.assertIn("2.000000", done.stdout)

    def test_same_seed_same_audit(self):
        words = ["audit", "labels", "--trials", "20000", "--seed"]
        self.assertEqual(self.json(*words, "5"), self.json(*words, "5"))
        self.assertNotEqual(self.json(*words, "5"), self.json(*words, "6"))

    def test_ctrl_c_keeps_the_rows_that_are_finished(self):
        process = self.start("audit", "edgerr", "--trials", "1e6", stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
        first = [process.stdout.readline() for _ in range(2)]
        process.send_signal(signal.SIGINT)
        rest, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, err)
        self.assertRegex(first[0], "^mechanism .* verdict")
        rows = [line for line in first[1:] + rest.splitlines() if line.startswith("edgerr")]
        self.assertGreaterEqual(len(rows), 1)
        self.assertIn("lower bound:", rest)
        self.assertRegex(err, rf"the audit is incomplete: {len(rows)} rows? ha")

    def test_bad_requests(self):
        self.fails(2, "audit", says="--all")
        self.fails(2, "audit", "featurerr", "--all", says="--all")
        self.fails(2, "audit", "featurer", says="did you mean featurerr?")
        self.fails(2, "audit", "featurerr", "--trials", "10", says="--trials")
        self.fails(2, "audit", "featurerr", "--eps", "0", says="--eps")


if __name__ == "__main__":
    unittest.main()
