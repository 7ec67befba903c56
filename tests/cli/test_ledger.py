"""ledger: what show prints, what check refuses, and the exit codes. The ledgers are made by a small
program that calls the library, charge by charge."""
import os
import pathlib
import re
import sqlite3
import subprocess
import unittest

from command import CommandTest

MAKE = os.environ.get("HETERORR_MAKE_LEDGER")


class Ledger(CommandTest):
    def setUp(self):
        super().setUp()
        self.path = self.scratch / "ledger.sqlite"

    def make(self, *charges):
        """Each charge: INPUT:FEATURES:EDGES:LABELS[:BUNDLE], epsilons in units of 1e-9; BUNDLE "": kept in memory."""
        subprocess.run([MAKE, self.path, *charges], check=True)

    def show(self):
        return self.json("ledger", "show", "--ledger", self.path)

    def test_show_lists_inputs_and_charges(self):
        self.make("1:1500000000:0:500000000:/published/a", "2:1:0:0", "1:0:2000000000:0")
        answer = self.show()
        self.assertEqual(answer["ledger"], str(self.path))
        by_name = {i["name"]: i["spent"] for i in answer["inputs"]}
        self.assertEqual(by_name["graph1"]["eps_features"], "1.5")
        self.assertEqual(by_name["graph1"]["eps_edges"], "2")
        self.assertEqual(by_name["graph1"]["eps_labels"], "0.5")
        self.assertEqual(by_name["graph1"]["eps_total"], "4")
        self.assertEqual(by_name["graph2"]["eps_total"], "0.000000001")
        states = [(c["charge"], c["entry"], c["state"], c["bundle"]) for c in answer["charges"]]
        self.assertEqual(states, [(1, 1, "released", "/published/a"), (2, 3, "charged", None),
                                  (3, 4, "charged", None)])
        self.assertRegex(answer["charges"][0]["time"], r"^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        text = self.succeeds("ledger", "show", "--ledger", self.path).stdout
        for word in ["graph1", "graph2", "/published/a", "interrupted", "2 of 3 charges"]:
            self.assertIn(word, text)
        self.assertEqual(re.findall(r"^  (\d) ", text, re.MULTILINE), ["1", "2", "3"])

    def test_show_tells_a_release_in_memory_from_an_interrupted_one(self):
        self.make("1:1000000000:0:0:", "1:1000000000:0:0")
        answer = self.show()
        self.assertEqual([(c["state"], c["bundle"]) for c in answer["charges"]],
                         [("kept in memory", None), ("charged", None)])
        self.assertEqual(answer["inputs"][0]["spent"]["eps_total"], "2")
        text = self.succeeds("ledger", "show", "--ledger", self.path).stdout
        self.assertRegex(text, r"(?m)^  1 .* a release that was kept in memory$")
        self.assertIn("1 of 2 charges did not produce a release", text)

    def test_an_empty_ledger(self):
        self.make()
        self.assertEqual(self.show()["charges"], [])
        self.assertIn("Nothing has been spent yet.", self.succeeds("ledger", "show", "--ledger", self.path).stdout)

    def test_default_path_and_missing_ledger(self):
        home = dict(os.environ, XDG_DATA_HOME=str(self.scratch / "data"))
        self.fails(3, "ledger", "show", env=home, says="heterorr/ledger.sqlite")
        self.assertEqual(self.names(), [])
        place = self.scratch / "data" / "heterorr"
        place.mkdir(parents=True)
        self.path = place / "ledger.sqlite"
        self.make("1:1:0:0")
        self.assertEqual(self.json("ledger", "check", env=home)["charges"], 1)

    def test_check_and_an_auditor_without_the_key(self):
        self.make("1:1:0:0")
        self.assertEqual(self.json("ledger", "check", "--ledger", self.path),
                         {"whole": True, "charges": 1, "with_key": True})
        pathlib.Path(f"{self.path}.key").unlink()
        self.assertEqual(self.json("ledger", "check", "--ledger", self.path)["with_key"], False)
        self.assertIn("key is not here",
                      self.succeeds("ledger", "check", "--ledger", self.path).stdout)
        self.assertEqual(len(self.show()["charges"]), 1)

    def test_damage_is_exit_5_for_check_and_3_for_show(self):
        self.make("1:1:0:0", "1:1:0:0")
        connection = sqlite3.connect(self.path)
        trigger, = connection.execute("SELECT sql FROM sqlite_schema WHERE name = 'entry_stays'").fetchone()
        connection.executescript("DROP TRIGGER entry_stays; UPDATE entry SET eps_features = 0 "
                                 f"WHERE number = 2; {trigger}")
        connection.close()
        self.fails(5, "ledger", "check", "--ledger", self.path, says="entry 2")
        self.fails(3, "ledger", "show", "--ledger", self.path, says="entry 2")
        self.path.write_bytes(self.path.read_bytes()[:4096])
        self.fails(5, "ledger", "check", "--ledger", self.path, says="damaged")
        self.path.write_text("not a database, and long enough to have had the chance to be one" * 20)
        self.fails(5, "ledger", "check", "--ledger", self.path, says="is not a ledger")

    def test_usage(self):
        self.fails(2, "ledger", says="ACTION")
        self.fails(2, "ledger", "shwo", says="did you mean show?")


if __name__ == "__main__":
    unittest.main()
