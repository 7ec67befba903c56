"""attack: LinkTeller against numpy and scikit-learn, what it says, and what can be wrong."""
import json
import unittest

import numpy

from command import CommandTest, skip_all

try:
    import sklearn.metrics
except ImportError as missing:
    skip_all(f"{missing}; install python3-sklearn")


def influence(model, graph, delta):
    """The published way, in numpy: one forward pass for each node."""
    record = json.loads((model / "model.json").read_text())
    weights = numpy.load(model / "weights.npz")
    x = numpy.load(graph / "features.npy").astype(float)
    source, target = numpy.load(graph / "edges.npy")
    a = numpy.zeros((len(x), len(x)))
    a[source, target] = a[target, source] = 1
    degree = a.sum(1)
    if record["normalisation"] == "first-order":
        scale = numpy.divide(1, numpy.sqrt(degree), where=degree > 0, out=numpy.zeros(len(x)))
        a = numpy.eye(len(x)) + scale[:, None] * a * scale
    else:
        scale = 1 / numpy.sqrt(degree + 1)
        a = scale[:, None] * (a + numpy.eye(len(x))) * scale

    def forward(x):
        if record["standardised"]:
            mean, factor = weights["standards"].astype(float)
            x = (x - mean) * factor
        for layer in range(record["layers"]):
            x = a @ x @ weights[f"weight_{layer}"].astype(float) + weights[f"bias_{layer}"]
            if layer + 1 < record["layers"]:
                x = numpy.maximum(x, 0)
        return x

    calm, out = forward(x), []
    for v in range(len(x)):
        moved = x.copy()
        moved[v] *= 1 + delta
        out.append(numpy.linalg.norm((forward(moved) - calm) / delta, axis=1))
    return numpy.array(out)


class LinkTeller(CommandTest):
    def setUp(self):
        super().setUp()
        self.graph, self.model = self.scratch / "graph", self.scratch / "model"

    def prepare(self, *train, fraction=".3", nodes=150):
        self.json("generate", "--nodes", nodes, "--features", "8", "--classes", "3",
                  "--avg-degree", "6", "--private-fraction", fraction, "-o", self.graph)
        self.json("train", self.graph, "-o", self.model, "--non-private", "--hidden", "12",
                  "--epochs", "30", *train)

    def attack(self, *words):
        return self.json("attack", "linkteller", self.model, self.graph, *words)

    def test_agrees_with_numpy_and_scikit_learn(self):
        self.prepare("--aggregation", "first-order", "--standardise")
        n = 150
        score = influence(self.model, self.graph, 1e-6)
        source, target = numpy.load(self.graph / "edges.npy")
        private = numpy.load(self.graph / "private.npy").astype(bool)
        kind = numpy.zeros((n, n), int)
        kind[source, target] = numpy.where(private, 1, -1)
        kind = kind + kind.T
        i, j = numpy.triu_indices(n, 1)
        i, j = i[kind[i, j] >= 0], j[kind[i, j] >= 0]
        truth, found = kind[i, j], score[j, i]
        answer = self.attack("--samples", n, "--runs", "1")
        self.assertEqual((answer["pairs"], answer["positives"]), (len(truth), truth.sum()))
        self.assertTrue(answer["exact"])
        self.assertAlmostEqual(answer["auc"], sklearn.metrics.roc_auc_score(truth, found), 5)
        self.assertAlmostEqual(answer["average_precision"],
                               sklearn.metrics.average_precision_score(truth, found), 4)
        top = numpy.argsort(-found, kind="stable")[:truth.sum()]
        self.assertAlmostEqual(answer["precision_at_k"], truth[top].mean(), 4)
        self.assertEqual([row["k_hat"] for row in answer["at_k_hat"]], [.25, .5, 1, 2, 4])

    def test_fields_and_means(self):
        self.prepare()
        answer = self.attack("--samples", 100)
        for field in ("auc", "average_precision", "precision_at_k", "recall_at_k", "pairs", "seconds"):
            self.assertIsInstance(answer[field], (int, float), field)
        self.assertEqual((answer["nodes"], answer["runs"], len(answer["samples"])), (100, 3, 3))
        self.assertAlmostEqual(answer["auc"], numpy.mean([s["auc"] for s in answer["samples"]]))
        self.assertAlmostEqual(answer["auc_deviation"],
                               numpy.std([s["auc"] for s in answer["samples"]], ddof=1))
        self.assertGreater(answer["auc"], .9)
        asked = self.attack("--samples", 100, "--differences")
        self.assertAlmostEqual(asked["auc"], answer["auc"], 3)
        self.assertEqual((asked["exact"], asked["delta"]), (False, 1e-4))

    def test_less_is_told_less_is_found(self):
        self.prepare()
        found = {what: self.attack("--samples", 100, "--returns", what)["auc"]
                 for what in ("logits", "probabilities", "rounded", "labels")}
        self.assertGreater(found["probabilities"], .9)
        self.assertLess(found["rounded"], found["logits"])
        self.assertLess(found["labels"], found["rounded"] + .05)

    def test_a_release_is_scored_with_the_truth(self):
        self.prepare()
        bundle, other = self.scratch / "bundle", self.scratch / "other"
        self.json("protect", self.graph, "-o", bundle, "--eps-edges", "0.1",
                  "--feature-mechanism", "none")
        self.json("train", bundle, "-o", other, "--hidden", "12", "--epochs", "30")
        open_door = self.attack()
        closed = self.json("attack", "linkteller", other, bundle, "--truth", self.graph)
        self.assertEqual(closed["positives"], open_door["positives"])
        self.assertLess(closed["auc"], open_door["auc"] - .15)
        self.fails(3, "attack", "linkteller", other, bundle, says="--truth")

    def test_people_read_it_on_stdout(self):
        self.prepare()
        done = self.succeeds("attack", "linkteller", self.model, self.graph)
        self.assertIn("AUC", done.stdout)
        self.assertIn("only 150 of the 500", done.stderr)

    def test_what_can_be_wrong(self):
        self.prepare(fraction="0")
        self.fails(2, "attack", "linkteller", self.model, says="needs MODEL and GRAPH")
        self.fails(2, "attack", "mindreading", self.model, self.graph, says="linkteller")
        self.fails(3, "attack", "linkteller", self.model, self.graph, says="--all-edges")
        self.fails(3, "attack", "linkteller", self.graph, self.graph, says="model")
        self.assertGreater(self.attack("--all-edges")["auc"], .9)
        self.fails(3, "attack", "linkteller", self.model, self.graph, "--pool", "high",
                   "--high-degree", "140", "--all-edges", says="pool")
        wide = self.scratch / "wide"
        self.json("generate", "--nodes", 50, "--features", "9", "-o", wide)
        self.fails(3, "attack", "linkteller", self.model, wide, says="9 features")
        self.fails(3, "attack", "linkteller", self.model, self.graph, "--truth", wide,
                   says="same nodes")
        few = self.scratch / "few"
        self.json("generate", "--nodes", 150, "--features", "8", "--private-fraction", ".01", "-o", few)
        self.fails(3, "attack", "linkteller", self.model, few, "--samples", "2",
                   says="no private edge")


if __name__ == "__main__":
    unittest.main()
