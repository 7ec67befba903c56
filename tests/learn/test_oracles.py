"""Statistics against scipy, metrics against scikit-learn, through the program in HRR_DUMP_LEARN."""
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy
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


if __name__ == "__main__":
    unittest.main()
