"""Statistics and fusion against scipy, metrics against scikit-learn, through the program in
HRR_DUMP_LEARN."""
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy
    import scipy.optimize
    import scipy.special
    import scipy.stats
    import sklearn.metrics
except ImportError as missing:
    print(f"SKIPPED: {missing}; install python3-scipy and python3-sklearn", file=sys.stderr)
    sys.exit(77)


def dump(what, *rows):
    text = "\n".join(" ".join(f"{x:.17g}" for x in row) for row in rows) + "\n"
    done = subprocess.run([os.environ["HRR_DUMP_LEARN"], *map(str, what)], input=text, text=True,
                          capture_output=True, check=True)
    return [float(line) for line in done.stdout.split()]


class Statistics(unittest.TestCase):
    def setUp(self):
        self.random = numpy.random.default_rng(1)

    def close(self, found, expected, tolerance=1e-10):
        numpy.testing.assert_allclose(found, expected, rtol=tolerance, atol=1e-15)

    def test_tails_and_quantiles(self):
        t = [0, 1e-8, .1, 1, 2.5, -3, 10, 100, 1e6]
        p = [1e-12, .001, .025, .3, .5, .6, .975, .9999]
        for degrees in (1, 1.5, 2, 4, 9, 29.7, 1000, 1e6):
            self.close(dump(["tail", degrees], t), 2 * scipy.stats.t.sf(numpy.abs(t), degrees), 1e-9)
            self.close(dump(["quantile", degrees], p), scipy.stats.t.ppf(p, degrees), 1e-8)

    def test_t_tests(self):
        for n in (2, 5, 10, 100):
            a = self.random.normal(1, 2, n)
            b = a + self.random.normal(.1, 1, n)
            difference, t, degrees, p = dump(["paired"], a, b)
            self.close([difference, t, p], [(a - b).mean(), *scipy.stats.ttest_rel(a, b)], 1e-9)
            self.assertEqual(degrees, n - 1)

    def test_no_variance_is_undefined(self):
        self.assertTrue(math.isnan(dump(["paired"], [1, 2, 3], [0, 1, 2])[3]))
        # one node of 75 in both runs, as a results file keeps it: rounding is no variance
        self.assertTrue(math.isnan(dump(["paired"], [.96, .946666667], [.973333333, .96])[3]))

    def test_holm(self):
        # By the definition: reject in order while p_(i) <= alpha / (n - i); statsmodels gives these.
        self.close(dump(["holm"], [.01, .04, .03, .005]), [.03, .06, .06, .02])
        self.close(dump(["holm"], [.5, .9]), [1, 1])
        found = dump(["holm"], [.01, math.nan, .02])
        self.close([found[0], found[2]], [.02, .02])
        self.assertTrue(math.isnan(found[1]))

    def test_intervals(self):
        for n in (2, 5, 30):
            x = self.random.normal(3, 1, n)
            low, high = scipy.stats.t.interval(.95, n - 1, x.mean(), scipy.stats.sem(x))
            mean, half_width = dump(["interval", .95], x)
            self.close([mean - half_width, mean + half_width], [low, high], 1e-9)


class Metrics(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="heterorr-learn-")
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)
        self.random = numpy.random.default_rng(2)

    def measure(self, scores, labels):
        numpy.save(self.scratch / "scores.npy", scores.astype("f4"))
        numpy.save(self.scratch / "labels.npy", labels)
        return dump(["measure", self.scratch / "scores.npy", self.scratch / "labels.npy"], [])

    def test_ranks_with_ties(self):
        for n, levels in ((10, 3), (200, 5), (1000, 100000)):
            scores = self.random.integers(0, levels, n) / levels
            truth = self.random.integers(0, 2, n)
            truth[:2] = 0, 1
            auc, precision = dump(["rank"], scores, truth)
            scores = scores.astype("f4")
            self.assertAlmostEqual(auc, sklearn.metrics.roc_auc_score(truth, scores), 12)
            self.assertAlmostEqual(precision,
                                   sklearn.metrics.average_precision_score(truth, scores), 12)
        self.assertTrue(all(map(math.isnan, dump(["rank"], [1, 2, 3], [1, 1, 1]))))

    def test_one_class_a_node(self):
        scores = self.random.normal(size=(300, 5))
        truth = self.random.integers(0, 5, 300).astype("i4")
        scores[numpy.arange(300), truth] += 1
        found = self.measure(scores, truth)
        guess = scores.astype("f4").argmax(1)
        onehot = numpy.eye(5)[truth]
        expected = [sklearn.metrics.accuracy_score(truth, guess),
                    sklearn.metrics.f1_score(truth, guess, average="micro"),
                    sklearn.metrics.f1_score(truth, guess, average="macro"),
                    sklearn.metrics.roc_auc_score(onehot, scores.astype("f4"), average="macro"),
                    sklearn.metrics.average_precision_score(onehot, scores.astype("f4"),
                                                            average="macro"), 0]
        numpy.testing.assert_allclose(found, expected, rtol=1e-12)

    def test_a_class_that_nobody_has(self):
        scores = self.random.normal(size=(50, 4))
        scores[:, 3] = -10
        truth = self.random.integers(0, 3, 50).astype("i4")
        found = self.measure(scores, truth)
        guess = scores.argmax(1)
        self.assertAlmostEqual(found[2], sklearn.metrics.f1_score(truth, guess, average="macro"))
        self.assertEqual(found[5], 1)
        expected = sklearn.metrics.roc_auc_score(numpy.eye(3)[truth], scores[:, :3].astype("f4"))
        self.assertAlmostEqual(found[3], expected)

    def test_several_labels_a_node(self):
        scores = self.random.normal(size=(400, 6))
        truth = (scores + self.random.normal(size=(400, 6)) > .8).astype("u1")
        found = self.measure(scores, truth)
        scores = scores.astype("f4")
        guess = scores > 0
        expected = [sklearn.metrics.accuracy_score(truth, guess),
                    sklearn.metrics.f1_score(truth, guess, average="micro"),
                    sklearn.metrics.f1_score(truth, guess, average="macro"),
                    sklearn.metrics.roc_auc_score(truth, scores, average="macro"),
                    sklearn.metrics.average_precision_score(truth, scores, average="macro"), 0]
        numpy.testing.assert_allclose(found, expected, rtol=1e-12)


class Fusion(unittest.TestCase):
    """Weights of opinions, against a general optimiser with bounds."""
    prior = numpy.array([1, 1, 0, 0])

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="heterorr-learn-")
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)
        self.random = numpy.random.default_rng(3)

    def fuse(self, terms, labels, eps=0):
        paths = [self.scratch / f"{k}.npy" for k in range(len(terms) + 1)]
        numpy.save(paths[0], labels)
        for path, term in zip(paths[1:], terms):
            numpy.save(path, term)
        found = dump(["fusion", eps, *paths], [])
        return numpy.array(found[:-1]), found[-1]

    @staticmethod
    def likelihoods(weights, terms, labels, eps):
        """ln P(released labels) of each node."""
        z = numpy.tensordot(weights, terms, 1)
        if labels.ndim == 1:
            p = scipy.special.softmax(z, axis=1)[numpy.arange(len(z)), labels]
            others = z.shape[1] - 1
        else:
            p = scipy.special.expit(numpy.where(labels, z, -z))
            others = 1
        if eps:
            p = 1 / (numpy.exp(eps) + others) * (1 + (numpy.exp(eps) - 1) * p)
        return numpy.log(p) if labels.ndim == 1 else numpy.log(p).sum(1)

    def best(self, terms, labels, eps, rows):
        prior = self.prior[:len(terms)]
        loss = lambda w: (((w - prior)**2).sum() / 2
                          - self.likelihoods(w, terms[:, rows], labels[rows], eps).sum())
        return scipy.optimize.minimize(loss, prior, method="L-BFGS-B", bounds=[(0, None)] * len(terms),
                                       options={"ftol": 1e-15, "gtol": 1e-9}).x

    def gain(self, terms, labels, eps):
        """What the guard looks at, by the words of fusion.h."""
        n = len(labels)
        folds = ((numpy.arange(1, n + 1, dtype="u8") * numpy.uint64(0x9e3779b97f4a7c15))
                 >> numpy.uint64(32)) % numpy.uint64(5)
        score = lambda w, t, rows: self.likelihoods(w, t[:, rows], labels[rows], eps).sum()
        left_out = lambda t: sum(score(self.best(t, labels, eps, folds != k), t, folds == k)
                                 for k in range(5))
        alone = max(score(numpy.ones(1), terms[:1], slice(None)), left_out(terms[:1]))
        return (left_out(terms) - alone) / n

    def agree(self, terms, labels, eps=0):
        weights, gain = self.fuse(terms, labels, eps)
        numpy.testing.assert_allclose(gain, self.gain(terms, labels, eps), rtol=1e-4, atol=1e-7)
        self.assertGreater(gain, 0)
        numpy.testing.assert_allclose(weights, self.best(terms, labels, eps, slice(None)),
                                      rtol=1e-4, atol=1e-5)
        return weights

    def draw(self, n, n_classes, strengths):
        """Terms that speak for the truth with these strengths, and the truth."""
        truth = self.random.integers(0, n_classes, n).astype("i4")
        terms = self.random.normal(size=(len(strengths), n, n_classes))
        for term, strength in zip(terms, strengths):
            term[numpy.arange(n), truth] += strength
        return terms.astype("f4"), truth

    def test_one_class_a_node(self):
        for strengths in ([1, 2], [2, .5, 1, .3], [1, 1, -.5]):
            weights = self.agree(*self.draw(400, 5, strengths))
            if strengths[-1] < 0:
                self.assertEqual(weights[2], 0)  # held at 0, although it would go below

    def test_protected_classes(self):
        terms, truth = self.draw(600, 4, [1, 1.5, 1])
        for eps in (1, 3):
            keep = self.random.random(600) < math.exp(eps) / (math.exp(eps) + 3)
            other = (truth + self.random.integers(1, 4, 600)) % 4
            self.agree(terms, numpy.where(keep, truth, other).astype("i4"), eps)

    def test_several_labels_a_node(self):
        terms = self.random.normal(size=(3, 300, 6)).astype("f4")
        odds = terms[0] + .8 * terms[1]
        labels = (self.random.random(odds.shape) < scipy.special.expit(odds)).astype("u1")
        self.agree(terms, labels)
        flip = self.random.random(labels.shape) < 1 / (1 + math.exp(2))
        self.agree(terms, labels ^ flip, 2)


if __name__ == "__main__":
    unittest.main()
