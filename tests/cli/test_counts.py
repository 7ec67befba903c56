"""Counts of private neighbours, from the blocks of a public model to predictions that use them."""
import hashlib
import json
import unittest

import numpy

from command import CommandTest, heterorr


class Counts(CommandTest):
    def setUp(self):
        super().setUp()
        self.graph = self.scratch / "graph"
        self.json("generate", "--nodes", "600", "--features", "20", "--classes", "3",
                  "--private-fraction", "0.9", "--homophily", "0.9", "-o", self.graph)

    def protect(self, name, *words):
        return self.json("protect", self.graph, "-o", self.scratch / name, "--eps-features", "1",
                         *words)

    def blocks_are(self, name):
        return json.loads((self.scratch / name / "certificate.json").read_text())["edges"][
            "blocks_are"]

    def test_from_a_public_model_to_combined_predictions(self):
        public, counted = self.scratch / "public", self.scratch / "counted"
        model, both = self.scratch / "model", self.scratch / "both"
        blocks, out = self.scratch / "blocks.npy", self.scratch / "out.npy"
        self.protect("public")
        alone = self.json("train", public, "-o", model, "--hidden", "8")
        self.json("predict", model, public, "-o", blocks, "--blocks")
        labels, split = numpy.load(self.graph / "labels.npy"), numpy.load(self.graph / "split.npy")
        self.assertTrue((numpy.load(blocks) == labels)[split != 2].all())

        node = ("--edge-mechanism", "edgerr-node", "--eps-edges", "8", "--blocks", blocks)
        self.assertFalse(self.protect("undeclared", *node, "--not-private")["private"])
        self.assertTrue(self.protect("counted", *node, "--public", "blocks")["private"])
        edges = json.loads((counted / "certificate.json").read_text())["edges"]
        self.assertEqual((edges["blocks"], edges["count_ends"]), (3, 2))
        self.assertEqual((counted / "edges.npy").read_bytes(),
                         (public / "edges.npy").read_bytes())
        self.json("verify", counted)
        # The same request again is the same release, if it is asked for.
        again = self.protect("again", *node, "--public", "blocks", "--again")
        self.assertTrue(again["stored"])
        self.assertIsNone(self.protect("one", *node, "--public", "blocks", "--count-ends",
                                       "1")["charge_before"])

        combined = self.json("train", counted, "-o", both, "--hidden", "8")
        ignored = self.json("train", counted, "-o", model, "--hidden", "8", "--force", "--counts",
                            "ignore")
        self.assertTrue((both / "counts.npz").exists())
        self.assertFalse((model / "counts.npz").exists())
        # Features at eps 1 say little, edges at eps 8 nearly everything.
        self.assertGreater(combined["test"]["accuracy"], ignored["test"]["accuracy"] + .1)
        self.assertGreater(combined["test"]["accuracy"], alone["test"]["accuracy"] + .1)
        self.json("predict", both, counted, "-o", out)
        right = numpy.load(out).argmax(1) == labels
        self.assertAlmostEqual(right[split == 2].mean(), combined["test"]["accuracy"], places=6)

    def base_of(self, model, bundle):
        """What counts join, from the files of a model, as docs/learning.md describes them."""
        self.json("predict", model, bundle, "-o", self.scratch / "network.npy", "--counts", "ignore",
                  "--logits")
        base = numpy.load(model / "base.npz")
        parts = {0: numpy.load(self.scratch / "network.npy")}
        if (model / "no_edges.npz").exists():
            mlp = numpy.load(model / "no_edges.npz")
            mean, factor = mlp["standards"]
            features = (numpy.load(bundle / "features.npy") - mean) * factor
            hidden = numpy.maximum(features @ mlp["weight_0"] + mlp["bias_0"], 0)
            parts[1] = hidden @ mlp["weight_1"] + mlp["bias_1"]
        if "free_scores" in base:
            parts[2] = base["free_scores"]
        best = int(base["best"][0])
        return sum(base["part_weights"][i] * (part - (part[:, :1] if i != best else 0))
                   for i, part in parts.items())

    def test_blocks_predicted_from_the_release_itself(self):
        node = ("--edge-mechanism", "edgerr-node", "--eps-edges", "8")
        predicted = (*node, "--blocks", "predicted")
        made = self.protect("made", *predicted)
        made_at = self.scratch / "made"
        self.assertTrue(made["private"])  # on nobody's word
        self.assertEqual((made["eps_features"], made["eps_edges"]), (1, 8))  # features once
        certificate = json.loads((made_at / "certificate.json").read_text())
        self.assertEqual(certificate["declared_public"], [])
        self.assertIn("post-processing", self.blocks_are("made"))
        self.json("verify", made_at)
        labels, split = numpy.load(self.graph / "labels.npy"), numpy.load(self.graph / "split.npy")
        blocks = numpy.load(made_at / "blocks.npy")
        self.assertTrue((blocks == labels)[split != 2].all())
        self.assertTrue((blocks < 3).all())
        # They are what counts join in a model that sees the bundle: the same, trained anew.
        combined = self.json("train", made_at, "-o", self.scratch / "both")
        said = self.base_of(self.scratch / "both", made_at)
        self.assertTrue((numpy.where(split == 2, said.argmax(1), labels) == blocks).all())
        self.assertGreater(combined["test"]["accuracy"], .8)

        self.assertTrue(self.protect("again", *predicted, "--again")["stored"])
        self.assertTrue(self.protect("default", *node, "--again")["stored"])
        self.assertIsNone(self.protect("communities", *node, "--blocks",
                                       "communities")["charge_before"])
        self.assertEqual(self.blocks_are("communities"), "communities of the public edges")
        # Protected classes are learnt from as they are released.
        self.protect("labels", *node, "--eps-labels", "1")
        self.assertEqual(self.blocks_are("labels"), self.blocks_are("default"))
        dry = self.protect("dry", *predicted, "--dry-run")
        self.assertEqual(dry["realised_eps_edges"], 8)
        self.assertFalse((self.scratch / "dry").exists())

    @staticmethod
    def forge(bundle, name, array):
        """Another array under a certificate that says its hash."""
        def hash_of():
            return hashlib.sha256((bundle / name).read_bytes()).hexdigest()

        before = hash_of()
        numpy.save(bundle / name, array)
        path = bundle / "certificate.json"
        path.write_text(path.read_text().replace(before, hash_of()))

    def test_a_pair_is_counted_at_the_end_that_needs_it(self):
        node = ("--edge-mechanism", "edgerr-node", "--eps-edges", "20", "--count-ends", "needed")
        private = numpy.load(self.graph / "edges.npy")[:, numpy.load(self.graph / "private.npy") > 0]
        for name, words, says in (("made", ("--blocks", "predicted"), "less sure"),
                                  ("communities", ("--blocks", "communities"), "fewer public")):
            self.assertTrue(self.protect(name, *node, *words)["private"])
            self.json("verify", self.scratch / name)
            need, blocks, counts = (numpy.load(self.scratch / name / f"{part}.npy") for part in
                                    ("need", "blocks", "block_counts"))
            edges = json.loads((self.scratch / name / "certificate.json").read_text())["edges"]
            self.assertEqual(edges["count_ends"], 1)
            self.assertIn(says, edges["need_is"])
            self.assertIn("end that needs it more", edges["statement"])
            shared = self.scratch / name / "rivals.npy"
            self.assertEqual(shared.exists(), name == "made")
            rivals = numpy.load(shared) if shared.exists() else numpy.zeros((len(need), 2), int)
            true = numpy.zeros_like(counts)
            for u, v in private.T:
                owner, other = max((need[u], u, v), (need[v], v, u))[1:]
                first, second = rivals[owner]
                away = first != second and blocks[other] == second
                true[owner, first if away else blocks[other]] += -1 if away else 1
            self.assertEqual((true < 0).any(), name == "made")
            # Noise of eps 20 moves one count in 200 million.
            self.assertTrue((counts == true).all())
        need, split = numpy.load(self.scratch / "made/need.npy"), numpy.load(self.graph / "split.npy")
        self.assertEqual(sorted(need), list(range(600)))
        self.assertLess(need[split == 0].max(), need[split == 2].min())
        self.json("train", self.scratch / "made", "-o", self.scratch / "model")
        # The second rival's count is nobody's: whatever stands there was paid for by nobody.
        rivals, counts = (numpy.load(self.scratch / "made" / f"{part}.npy") for part in ("rivals", "block_counts"))
        divided = numpy.flatnonzero(rivals[:, 0] != rivals[:, 1])[0]
        true_made = counts.copy()
        counts[divided, rivals[divided, 1]] = 7
        self.forge(self.scratch / "made", "block_counts.npy", counts)
        self.fails(5, "verify", self.scratch / "made", says="share one count")
        self.forge(self.scratch / "made", "block_counts.npy", true_made)
        self.forge(self.scratch / "made", "need.npy", need.reshape(-1, 1))
        self.fails(5, "verify", self.scratch / "made", says="need.npy does not contain one number for each of")
        self.forge(self.scratch / "made", "need.npy", need)
        self.json("verify", self.scratch / "made")
        path = self.scratch / "made" / "certificate.json"
        said = json.loads(path.read_text())
        self.assertIn("share one count", said["edges"]["rivals_are"])
        self.assertIn("share one count", " ".join((self.scratch / "made/CERTIFICATE.txt").read_text().split()))
        path.write_text("".join(line for line in path.read_text().splitlines(True) if '"rivals_are"' not in line))
        found = heterorr("verify", self.scratch / "made")
        self.assertIn("rivals.npy is not a file that edgerr-node writes", found.stdout + found.stderr)
        self.fails(2, "protect", self.graph, "-o", self.scratch / "b", "--eps-features", "1", *node,
                   "--node-edges", "sampled", says="--count-ends")

    def test_nodes_that_were_not_counted_have_no_counts(self):
        private = numpy.load(self.graph / "private.npy")
        edges, candidates = numpy.load(self.graph / "edges.npy"), self.scratch / "candidates.txt"
        other = 7  # it loses its private edges, and so need not be a candidate
        numpy.save(self.graph / "private.npy", private * (edges != other).all(0).astype(private.dtype))
        candidates.write_text("".join(f"{node}\n" for node in range(600) if node != other))
        self.protect("some", "--edge-mechanism", "edgerr-node", "--eps-edges", "1", "--blocks", "communities",
                     "--candidates", candidates, "--public", "candidates")
        bundle = self.scratch / "some"
        self.json("verify", bundle)
        counts = numpy.load(bundle / "block_counts.npy")
        self.assertFalse(counts[other].any())
        counts[other, 0] = 3
        self.forge(bundle, "block_counts.npy", counts)
        self.fails(5, "verify", bundle, says="were not counted")

    def test_reports_hold_nothing_but_reports(self):
        weight, rng = numpy.random.default_rng(1).normal(size=(20, 3)), numpy.random.default_rng(2)
        for output in (0, 1):
            head, name = self.scratch / f"head{output}.npz", f"reports{output}"
            numpy.savez(head, weight=weight, bias=numpy.zeros(3), output=output)
            self.protect(name, "--head", head, "--public", "head")
            bundle = self.scratch / name
            self.json("verify", bundle)
            good = numpy.load(bundle / "features.npy")
            for change in ("between", "more", "other"):
                bad = good.copy()
                row = bad[int(rng.integers(len(bad)))]
                if change == "between":
                    row[1] = numpy.nextafter(row[1], 1, dtype="f4")
                elif change == "more":  # one more answer than a report names
                    row[:] = good.max()
                else:
                    row[0] = -7
                self.forge(bundle, "features.npy", bad)
                self.fails(5, "verify", bundle, says="a report contains a value that is impossible with these budgets")
            self.forge(bundle, "features.npy", good)
            self.json("verify", bundle)

    def test_predicted_blocks_do_not_depend_on_threads(self):
        words = ("--edge-mechanism", "edgerr-node", "--eps-edges", "2", "--blocks", "predicted",
                 "--eps-labels", "2", "--propagate", "1", "--insecure-seed", "3")
        self.protect("one", *words, "--threads", "1")
        self.protect("three", *words, "--threads", "3")
        for file in (self.scratch / "one").iterdir():
            self.assertEqual(file.read_bytes(), (self.scratch / "three" / file.name).read_bytes(),
                             file.name)
        # Labels were randomised: the blocks are what the network says, also of nodes that have one.
        released = numpy.load(self.scratch / "one" / "labels.npy")
        split = numpy.load(self.scratch / "one" / "split.npy")
        blocks = numpy.load(self.scratch / "one" / "blocks.npy")
        self.assertFalse((blocks == released)[split == 0].all())

    def test_what_cannot_be_predicted_is_refused(self):
        predicted = ("--edge-mechanism", "edgerr-node", "--eps-edges", "1", "--blocks", "predicted")
        other = self.scratch / "other"
        self.json("generate", "--nodes", "60", "--features", "5", "--classes", "3", "--multilabel",
                  "--private-fraction", "0.5", "-o", other)
        self.fails(2, "protect", other, "-o", self.scratch / "b", "--eps-features", "1", *predicted,
                   says="several labels")
        (self.graph / "labels.npy").unlink()
        description = json.loads((self.graph / "graph.json").read_text())
        del description["n_classes"], description["multilabel"]
        (self.graph / "graph.json").write_text(json.dumps(description))
        self.fails(2, "protect", self.graph, "-o", self.scratch / "b", "--eps-features", "1",
                   *predicted, says="there are no classes")
        self.fails(2, "protect", self.graph, "-o", self.scratch / "b", "--eps-features", "1",
                   "--eps-edges", "1", "--edge-mechanism", "edgerr", "--blocks", "predicted",
                   says="--blocks applies to edgerr-node,")

    def test_bad_blocks_are_refused(self):
        bad = self.scratch / "bad.npy"
        node = ("--edge-mechanism", "edgerr-node", "--eps-edges", "1", "--blocks", bad)
        for array, words in ((numpy.zeros(5), "600 nodes"), (numpy.full(600, .5), "row 0"),
                             (numpy.full(600, -1), "row 0")):
            numpy.save(bad, array)
            self.fails(3, "protect", self.graph, "-o", self.scratch / "b", "--eps-features", "1",
                       *node, says=words)


if __name__ == "__main__":
    unittest.main()
