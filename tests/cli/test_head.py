"""head: learnt from public graphs, asked about another one, and what verify says."""
import unittest

import numpy

from command import CommandTest


class Head(CommandTest):
    def generate(self, name, seed, *words):
        self.succeeds("generate", "--nodes", "300", "--features", "12", "--seed", seed, "-o",
                      self.scratch / name, *words)
        return self.scratch / name

    def test_answers_about_another_graph(self):
        head, bundle = self.scratch / "head.npz", self.scratch / "bundle"
        sources = [self.generate("a", "1", "--classes", "3"), self.generate("b", "2", "--classes", "3")]
        target = self.generate("c", "3", "--classes", "3")
        answer = self.json("head", *sources, "--public", "head", "-o", head, "--ridge", "10")
        self.assertEqual([answer[k] for k in ("features", "answers", "output", "graphs", "nodes")],
                         [12, 3, "class", 2, 600])
        self.assertTrue(0 < answer["right_elsewhere"] <= 1)
        made = numpy.load(head)
        self.assertEqual(made["weight"].shape, (12, 3))
        self.fails(2, "head", *sources, "--public", "head", "-o", head, says="exists")
        self.succeeds("protect", target, "-o", bundle, "--eps-features", "2", "--head", head, "--public", "head")
        self.assertEqual(numpy.load(bundle / "features.npy").shape, (300, 3))
        self.succeeds("verify", bundle)

    def test_labels_have_shares(self):
        head = self.scratch / "head.npz"
        source = self.generate("a", "1", "--classes", "4", "--multilabel")
        self.assertIn("4 labels from 12 features", self.succeeds("head", source, "--public", "head", "-o", head).stdout)
        made = numpy.load(head)
        self.assertEqual(made["output"].tolist(), [1])
        self.assertEqual(made["shares"].shape, (4,))

    def test_of_many_labels_a_few_questions_are_asked(self):
        head = self.scratch / "head.npz"
        source = self.generate("a", "1", "--classes", "9", "--multilabel")
        words = ["head", source, "--public", "head", "-o", head, "--force"]
        self.assertIn("4 questions about labels, from 12 features", self.succeeds(*words).stdout)
        self.assertEqual(numpy.load(head)["weight"].shape, (12, 4))
        self.assertEqual(self.json(*words, "--questions", "2")["answers"], 2)
        self.assertEqual(self.json(*words, "--questions", "0")["answers"], 9)

    def test_few_features_have_few_questions(self):
        head = self.scratch / "head.npz"
        self.succeeds("generate", "--nodes", "300", "--features", "2", "--classes", "9", "--multilabel",
                      "--seed", "1", "-o", self.scratch / "few")
        said = self.succeeds("head", self.scratch / "few", "--public", "head", "-o", head).stdout
        self.assertIn("2 questions about labels, from 2 features", said)
        self.assertIn("vary in only 2 directions", said)

    def test_scores_steer_it(self):
        source, head, scores = self.generate("a", "1", "--classes", "3"), self.scratch / "head.npz", self.scratch / "s.npz"
        z = numpy.load(source / "features.npy")
        masked = z.copy()
        masked[:, :4] = 0  # the first four features are what nobody should be known by
        for name, values in (("z", z), ("zhat", masked), ("y", numpy.load(source / "labels.npy"))):
            numpy.save(self.scratch / f"{name}.npy", values)
        sample = ["scores", "--embeddings", self.scratch / "z.npy", "--masked", self.scratch / "zhat.npy", "--labels",
                  self.scratch / "y.npy", "-o", scores, "--force"]
        words = ["head", source, "--public", "head", "-o", head, "--force", "--ridge", "10"]
        self.succeeds(*sample)
        self.fails(2, *words, "--scores", scores, says="not declared public")
        self.succeeds(*sample, "--public")

        def sensitive_part(*more):
            self.succeeds(*words, *more)
            weight = numpy.abs(numpy.load(head)["weight"])
            return weight[:4].sum() / weight.sum()

        plain = sensitive_part()
        self.assertEqual(sensitive_part("--scores", scores, "--steer", "0"), plain)
        self.assertLess(sensitive_part("--scores", scores), .5 * plain)
        self.fails(2, *words, "--scores", scores, "--steer", "-1", says="--steer")
        self.fails(3, "head", self.generate_wide(), "--public", "head", "-o", head, "--force", "--scores", scores, says="features")

    def generate_wide(self):
        self.succeeds("generate", "--nodes", "100", "--features", "13", "--classes", "3", "-o", self.scratch / "wide")
        return self.scratch / "wide"

    def test_what_it_learns_from_must_be_declared_public(self):
        source, head = self.generate("a", "1"), self.scratch / "head.npz"
        for words in ([], ["--public", "edges"]):
            self.fails(2, "head", source, "-o", head, *words, says="--public head")
        self.assertFalse(head.exists())
        self.fails(2, "head", source, "-o", head, "--public", "heads", says="heads")

    def test_graphs_must_go_together(self):
        wide = self.generate("a", "1", "--classes", "3")
        other = self.generate("b", "1", "--classes", "4")
        self.fails(3, "head", wide, other, "--public", "head", "-o", self.scratch / "head.npz", says="have different classes")


if __name__ == "__main__":
    unittest.main()
