"""Two releases in a row. Whoever sees both must not learn from them whether the private data is what
it was: not from the bundles, not from what the command says, not from its exit codes."""
import json
import random
import re
import shutil
import unittest

import numpy

from command import CommandTest, heterorr

NODES, FEATURES = 40, 4
# Of the machine, not of the data; and what is drawn.
MEASURED = {"seconds", "peak_rss_bytes", "features_per_second", "chain_steps_per_second", "phases",
            "expected_seconds", "expected_memory_bytes", "edges_out"}
REQUEST = ["--bounds", "0,1", "--eps-features", ".1", "--eps-edges", ".1", "--eps-labels", ".1"]


def without_draws(certificate):
    """What a certificate says beside the day, the hashes of what was drawn, and the ledger's name."""
    certificate.pop("date")
    certificate["edges"].pop("edges")
    certificate["files"] = sorted(certificate["files"])
    for secret in ("ledger", "link"):
        certificate["ledger_entry"].pop(secret)
    return certificate


class InARow(CommandTest):
    def setUp(self):
        super().setUp()
        self.graph, self.ledger = self.scratch / "graph", self.scratch / "ledger"
        self.write()

    def write(self, pair=False, feature=False, label=False):
        """The graph, or a neighbour of it in any of its secrets."""
        numbers = numpy.random.default_rng(3)
        self.graph.mkdir(exist_ok=True)
        (self.graph / "graph.json").write_text(json.dumps(
            {"name": "people", "n_nodes": NODES, "n_features": FEATURES, "n_classes": 2,
             "multilabel": False}))
        ring = [(i, i + 1) for i in range(NODES - 1)] + [(0, 20)] * pair
        edges = numpy.array(sorted(ring), dtype=numpy.int32)
        private = (edges[:, 0] % 2 == 0).astype(numpy.uint8)
        features = numbers.random((NODES, FEATURES), dtype=numpy.float32)
        labels = numbers.integers(0, 2, NODES).astype(numpy.int32)
        features[5, 2] += .25 * feature
        labels[7] ^= label
        for name, array in (("edges", numpy.ascontiguousarray(edges.T)), ("private", private),
                            ("features", features), ("labels", labels)):
            numpy.save(self.graph / f"{name}.npy", array)

    def forget(self):
        for path in self.scratch.iterdir():
            if path != self.graph:
                shutil.rmtree(path) if path.is_dir() else path.unlink()

    def observe(self, bundle, *words):
        """What an onlooker sees of one run, without what is drawn or measured."""
        done = heterorr("protect", self.graph, "-o", self.scratch / bundle, "--ledger", self.ledger,
                        "--json", *REQUEST, *words)
        seen = {"exit": done.returncode, "log": done.stderr,
                "fields": {name: value for name, value in json.loads(done.stdout).items()
                           if name not in MEASURED}}
        path = self.scratch / bundle / "certificate.json"
        if path.exists():
            seen["certificate"] = without_draws(json.loads(path.read_text()))
            seen["files"] = sorted(file.name for file in path.parent.iterdir())
        return seen

    def follow(self, changed, *words):
        """A release, a change of one secret or none, and what is seen of the next one."""
        self.forget()
        self.write()
        self.assertEqual(self.observe("first")["exit"], 0)
        self.write(**changed)
        seen = self.observe("second", *words)
        text = heterorr("protect", self.graph, "-o", self.scratch / "text", "--ledger", self.ledger,
                        *REQUEST, *words)
        lines = text.stdout + text.stderr
        seen["text"] = re.sub(r"[\d,]+ edges, made in .* memory", "made", lines)
        seen["text"] = re.sub(r"about [\d.]+ \S+ more, .* of memory", "about", seen["text"])
        return seen

    def test_an_adversary_who_compares_two_bundles_is_at_chance(self):
        """He says "unchanged" if the certificates are equal, and else guesses. Copies where the data
        is the same made him right 40 of 40 times; now there is nothing to compare: he never sees
        equal certificates, whether or not the data changed."""
        coins = random.Random(1)
        for trial in range(10):
            same = coins.random() < .5
            self.forget()
            self.write()
            self.assertEqual(self.observe("first")["exit"], 0)
            self.write(pair=not same, feature=not same, label=not same)
            self.assertEqual(self.observe("second")["exit"], 0)
            one, two = ((self.scratch / bundle / "certificate.json").read_bytes()
                        for bundle in ("first", "second"))
            self.assertNotEqual(one, two, f"trial {trial}: told that the data is the same")

    def test_nothing_that_is_seen_tells_whether_the_data_changed(self):
        for words in ([], ["--limit", "50"], ["--limit", ".5"], ["--dry-run"],
                      ["--limit", ".5", "--dry-run"], ["--again"], ["--again", "--dry-run"]):
            unchanged = self.follow({}, *words)
            for changed in ({"pair": True}, {"feature": True}, {"label": True}):
                with self.subTest(words=words, changed=changed):
                    self.assertEqual(self.follow(changed, *words), unchanged)
        self.assertEqual(self.follow({}, "--limit", ".5")["exit"], 4)

    def test_again_copies_whatever_became_of_the_data(self):
        for changed in ({}, {"pair": True, "feature": True, "label": True}):
            seen = self.follow(changed, "--again")
            self.assertEqual(seen["exit"], 0, seen["log"])
            self.assertTrue(seen["fields"]["stored"])
            for file in (self.scratch / "first").iterdir():
                self.assertEqual(file.read_bytes(),
                                 (self.scratch / "second" / file.name).read_bytes())
            charges = self.json("ledger", "show", "--ledger", self.ledger)["charges"]
            self.assertEqual(len(charges), 1)

    def test_a_second_release_is_drawn_and_charged_and_says_so(self):
        seen = self.follow({})
        self.assertEqual(seen["fields"]["charge_before"], 1)
        self.assertIn("a second one", seen["log"])
        self.assertIn("--again", seen["log"])
        charges = self.json("ledger", "show", "--ledger", self.ledger)["charges"]
        self.assertEqual(len(charges), 3)
        self.forget()
        self.assertNotIn("--again", self.observe("first")["log"])

    def test_again_needs_the_same_public_request(self):
        """Nothing is given out for what was not asked for: by options, account and public parts."""
        self.assertEqual(self.observe("first", "--account", "a")["exit"], 0)
        words = ["protect", self.graph, "-o", self.scratch / "second", "--ledger", self.ledger,
                 "--again"]
        self.assertEqual(heterorr(*words, *REQUEST, "--account", "a", "--dry-run").returncode, 0)
        for other in ([*REQUEST], [*REQUEST, "--account", "b"],
                      [*REQUEST[:-2], "--account", "a"], [*REQUEST[:-1], ".2", "--account", "a"],
                      ["--bounds", "0,2", *REQUEST[2:], "--account", "a"]):
            for dry in ([], ["--dry-run"]):
                self.fails(2, *words, *other, *dry, says="has no release of")
        edges = numpy.load(self.graph / "edges.npy")
        private = numpy.load(self.graph / "private.npy")
        public = int(numpy.flatnonzero(private == 0)[0])
        numpy.save(self.graph / "edges.npy", numpy.delete(edges, public, axis=1))
        numpy.save(self.graph / "private.npy", numpy.delete(private, public))
        self.fails(2, *words, *REQUEST, "--account", "a", says="has no release of")


if __name__ == "__main__":
    unittest.main()
