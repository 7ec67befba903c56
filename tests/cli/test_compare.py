"""compare --expected-error: rows, their order of size, and the remark about fair baselines."""
import csv
import unittest

from command import CommandTest


class Compare(CommandTest):
    def test_rows_and_remark(self):
        path = self.scratch / "errors.csv"
        done = self.succeeds("compare", "--expected-error", "--features", "8", "-o", path)
        self.assertEqual(done.stdout, "")
        self.assertTrue(done.stderr.startswith("d = 8: "), done.stderr)
        with path.open() as file:
            rows = list(csv.DictReader(file))
        mean = {(row["mechanism"], float(row["eps"])): float(row["mean_expected_error"])
                for row in rows}
        self.assertEqual(len(mean), len(rows))
        budgets = sorted({eps for _, eps in mean})
        self.assertEqual((budgets[0], budgets[-1]), (.01, 10))
        # The figure's shape: FeatureRR below every baseline that splits its budget.
        for eps in budgets:
            for name in ("duchi", "piecewise", "hybrid", "three-output", "pm-sub"):
                self.assertLess(mean["featurerr", eps], mean[name, eps], (name, eps))
        # Laplace noise of scale d/eps, and random features: |U - x| has mean 1/3.
        self.assertAlmostEqual(mean["laplace", 1] / 8, 1, delta=.03)
        self.assertAlmostEqual(mean["featfree", 1], 1 / 3, delta=.01)
        self.fails(2, "compare", "--expected-error", "-o", path, says="exists already")

    def test_the_papers_measure_is_a_formula(self):
        answer = self.json("compare", "--expected-error", "--features", "1", "--bins", "10")
        row = next(row for row in answer["rows"]
                   if row["mechanism"] == "featurerr-bins" and row["eps"] == 4)
        self.assertTrue(row["exact"])
        self.assertAlmostEqual(row["expected_error"], .16681, places=5)
        self.assertAlmostEqual(row["mean_expected_error"], .15580, places=5)
        self.assertEqual(len(answer["remarks"]), 1)

    def test_bad_requests(self):
        self.fails(2, "compare", says="--expected-error")
        self.fails(2, "compare", "--expected-error", "--bins", "1", says="--bins")


if __name__ == "__main__":
    unittest.main()
