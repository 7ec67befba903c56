"""scores: a sample where one feature decides and another is masked, and what protect makes of it."""
import unittest

import numpy

from command import CommandTest


class Scores(CommandTest):
    def setUp(self):
        super().setUp()
        random = numpy.random.default_rng(1)
        z = random.random((400, 4)).astype("f4")
        masked = z.copy()
        masked[:, 3] = 0
        numpy.save(self.scratch / "z.npy", z)
        numpy.save(self.scratch / "zhat.npy", masked)
        numpy.save(self.scratch / "y.npy", (z[:, 0] > .5).astype("i8"))
        self.words = ["scores", "--embeddings", self.scratch / "z.npy",
                      "--masked", self.scratch / "zhat.npy"]
        self.output = self.scratch / "s.npz"

    def score(self, *words):
        answer = self.json(*self.words, "-o", self.output, "--force", *words)
        return answer, dict(numpy.load(self.output))

    def test_importance_and_sensitivity_are_found(self):
        for explainer in ("gradient", "linear", "kernel"):
            answer, scores = self.score("--labels", self.scratch / "y.npy", "--public",
                                        "--explainer", explainer)
            self.assertEqual((answer["features"], answer["rows"], answer["public"]), (4, 400, True))
            self.assertEqual(scores["alpha"].argmax(), 0, explainer)
            self.assertGreater(scores["alpha"][0], .6)
            numpy.testing.assert_allclose(scores["beta"], [0, 0, 0, 1])
            self.assertAlmostEqual(scores["alpha"].sum(), 1)
            self.assertAlmostEqual(scores["theta"].sum(), 1)
            self.assertEqual(scores["theta"].argmin(), 3)
            self.assertTrue(scores["public"][0])
            self.assertIn(explainer.encode(), scores["record"][0])

    def test_a_head_that_exists(self):
        weight = numpy.zeros((4, 2))
        weight[1] = [1, -1]
        numpy.savez(self.scratch / "head.npz", weight=weight, bias=numpy.zeros(2))
        answer, scores = self.score("--head", self.scratch / "head.npz", "--gamma", "1")
        numpy.testing.assert_allclose(scores["theta"], [0, 1, 0, 0], atol=1e-12)
        self.assertFalse(answer["public"])

    def test_protect_takes_public_scores_only(self):
        graph, bundle = self.scratch / "g", self.scratch / "b"
        self.json("generate", "--nodes", "100", "--features", "4", "-o", graph)
        protect = ["protect", graph, "-o", bundle, "--eps-features", "4", "--scores", self.output]
        self.score("--labels", self.scratch / "y.npy")
        self.fails(2, *protect, says="declared public")
        self.assertFalse(bundle.exists())
        self.assertFalse(self.json(*protect, "--mode", "paper")["private"])
        self.score("--labels", self.scratch / "y.npy", "--public")
        self.assertTrue(self.json(*protect, "--force")["private"])
        self.assertTrue(self.json(*protect, "--force", "--gamma", "0")["private"])
        self.fails(2, "protect", graph, "-o", bundle, "--eps-features", "4", "--gamma", "0",
                   says="--scores")

    def test_scores_of_another_width(self):
        graph = self.scratch / "g"
        self.json("generate", "--nodes", "100", "--features", "5", "-o", graph)
        self.score("--labels", self.scratch / "y.npy", "--public")
        self.fails(3, "protect", graph, "-o", self.scratch / "b", "--eps-features", "4",
                   "--scores", self.output, says="4 numbers, but 5 are needed")

    def test_bad_requests(self):
        labels = ["--labels", self.scratch / "y.npy"]
        self.fails(2, *self.words, "-o", self.output, says="--head or --labels")
        numpy.save(self.scratch / "short.npy", numpy.zeros(3))
        numpy.save(self.scratch / "odd.npy", numpy.full(400, .5))
        self.fails(3, *self.words, "-o", self.output, "--labels", self.scratch / "short.npy",
                   says="3 rows")
        self.fails(3, *self.words, "-o", self.output, "--labels", self.scratch / "odd.npy",
                   says="row 0")
        self.assertFalse(self.output.exists())
        self.score(*labels)
        self.fails(2, *self.words, "-o", self.output, *labels, says="exists already")


if __name__ == "__main__":
    unittest.main()
