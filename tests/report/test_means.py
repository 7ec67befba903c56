"""What a report says, against numpy and scipy: means, intervals, tests, ROC curves; and that nothing
is averaged which does not belong together."""
import csv
import itertools
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from command import CommandTest, skip_all

import make_results

try:
    import numpy
    import scipy.stats
except ImportError as missing:
    skip_all(f"{missing}; install python3-scipy")

ROOT = pathlib.Path(__file__).resolve().parents[2]


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def interval(values):
    mean, n = numpy.mean(values), len(values)
    half_width = scipy.stats.t.ppf(0.975, n - 1) * scipy.stats.sem(values) if n > 1 else numpy.nan
    return mean, mean - half_width, mean + half_width


class Means(CommandTest):
    def report(self, *results):
        out = self.scratch / "report"
        self.succeeds("report", *results, "-o", out, "--force")
        return out

    def same(self, row, value_column, values):
        for found, expected in zip((row[value_column], row["95% low"], row["95% high"]),
                                   interval(values)):
            self.assertAlmostEqual(float(found or "nan"), expected, delta=1e-8)
        self.assertEqual(int(row["runs"]), len(values))

    def test_utility_has_means_and_intervals_of_its_runs(self):
        source = make_results.utility(self.scratch / "u.csv")
        out = self.report(source)
        rows = read(source)
        drawn = read(out / "utility-1.csv")
        seen = 0
        for row in drawn:
            fraction = row["panel"].split()[-1]
            values = [float(r["test_accuracy"]) for r in rows if r["treatment"] == row["name"]
                      and r["private_fraction"] in (fraction, "any")
                      and float(r["eps_edges"]) == float(row["epsilon of edges"] or 0)]
            self.same(row, "test accuracy", values)
            seen += 1
        self.assertEqual(seen, 2 * (4 + 4 * 5))  # controls, and mechanisms at their budgets

    def test_tests_are_those_of_scipy_and_holm(self):
        source = make_results.utility(self.scratch / "u.csv")
        out = self.report(source)
        runs = {}
        for r in read(source):
            for fraction in ("0.3", "0.9") if r["private_fraction"] == "any" else (
                    r["private_fraction"],):
                runs.setdefault((fraction, r["treatment"], float(r["eps_edges"])), []).append(
                    (int(r["run"]), float(r["test_accuracy"])))
        rows = read(out / "significance.csv")
        expected = []
        for row in rows:
            fraction, eps = row["setting"].split()[-1], float(row["eps_edges"])
            a = runs[fraction, row["mechanism"], eps]
            b = runs[fraction, row["against"], 0.0]
            test = scipy.stats.ttest_rel([v for _, v in sorted(a)], [v for _, v in sorted(b)])
            chosen = 2 if float(row["difference"]) < 0 else 1  # public-only or mlp: the better one
            expected.append(min(1, chosen * test.pvalue))
            self.assertAlmostEqual(float(row["p"]), test.pvalue, delta=1e-7)
            self.assertEqual((row["pairs"], row["controls"]), ("5", "2"))
        order, largest = numpy.argsort(expected), 0
        for rank, at in enumerate(order):
            largest = max(largest, min(1, expected[at] * (len(expected) - rank)))
            self.assertAlmostEqual(float(rows[at]["p_holm"]), largest, delta=1e-7)
        self.assertEqual(len(rows), 2 * 5 * 4)  # each mechanism at each budget, once

    def test_runs_without_names_are_not_tested(self):
        path = make_results.write(self.scratch / "u.csv", ["mechanism", "eps_edges", "accuracy"],
                                  [["edgerr", 1, 0.5], ["edgerr", 1, 0.6], ["edgerr", 1, 0.6],
                                   ["mlp", 0, 0.7], ["mlp", 0, 0.75]])
        out = self.report(path)
        self.assertFalse((out / "significance.csv").exists())
        (row,) = [row for row in read(out / "utility-1.csv") if row["name"] == "edgerr"]
        self.same(row, "test accuracy", [0.5, 0.6, 0.6])

    def test_only_runs_that_both_have_are_paired(self):
        a, b = {0: 0.5, 1: 0.6, 2: 0.55, 3: 0.7}, {1: 0.65, 3: 0.72, 4: 0.9, 2: 0.63}
        path = make_results.write(self.scratch / "u.csv", ["mechanism", "eps_edges", "run", "accuracy"],
                                  [["mlp", 0, *run] for run in a.items()] +
                                  [["edgerr", 1, *run] for run in b.items()] + [["edgerr", 1, 0, "nan"]])
        (row,) = read(self.report(path) / "significance.csv")
        test = scipy.stats.ttest_rel([b[i] for i in (1, 2, 3)], [a[i] for i in (1, 2, 3)])
        self.assertEqual((row["mechanism"], row["against"], row["pairs"]), ("edgerr", "mlp", "3"))
        self.assertAlmostEqual(float(row["p"]), test.pvalue, delta=1e-7)

    def test_a_run_counts_once(self):
        """By its seed; without one, by name and value: two experiments may both count from 0."""
        rows = [["edgerr", 1, 0, 0.5], ["edgerr", 1, 1, 0.6], ["edgerr", 1, 0, 0.5], ["edgerr", 1, 0, 0.7]]
        for columns, values in ((["mechanism", "eps_edges", "run", "accuracy"], [0.5, 0.6, 0.7]),
                                (["mechanism", "eps_edges", "seed", "accuracy"], [0.5, 0.6])):
            path = make_results.write(self.scratch / "u.csv", columns, rows)
            (row,) = read(self.report(path, path) / "utility-1.csv")
            self.same(row, "test accuracy", values)

    def test_two_budgets_make_a_heat_map(self):
        source = make_results.both(self.scratch / "b.csv")
        out = self.report(source)
        rows = read(source)
        cells = read(out / "utility-heat-1.csv")
        self.assertEqual(len(cells), 16)
        for cell in cells:
            values = [float(r["test_accuracy"]) for r in rows
                      if r["eps_features"] == cell["epsilon of features"]
                      and r["eps_edges"] == cell["epsilon of edges"]]
            self.same(cell, "test accuracy", values)

    def test_structure_is_averaged_hop_by_hop(self):
        source = ROOT / "docs" / "results" / "figure11-cora.csv"
        drawn = read(self.report(source) / "structure-1-1.csv")
        rows = read(source)
        names = {r["edge_mechanism"] for r in rows}
        self.assertEqual(len(drawn), len(names) * 4 * 5)
        for row in drawn:
            values = [float(r[f"rms_{row['hops']}"]) for r in rows
                      if r["edge_mechanism"] == row["name"]
                      and r["private_fraction"] == row["panel"].split()[-1]]
            self.same(row, "RMS distance", values)

    def test_roc_curves_are_averaged_at_the_same_false_positive_rate(self):
        source = make_results.roc(self.scratch / "r.csv")
        out = self.report(source)
        rows = read(source)
        for number, eps in ((1, "1"), (2, "4")):
            drawn = read(out / f"roc-{number}-1.csv")
            self.assertEqual(len(drawn), 3 * 101)
            for row in drawn:
                values = []
                for run in "012":
                    curve = [(float(r["fpr"]), float(r["tpr"])) for r in rows
                             if r["mechanism"] == row["name"] and r["run"] == run
                             and r["eps_edges"] in (eps, "inf")]
                    values.append(numpy.interp(float(row["false positive rate"]), *zip(*curve)))
                self.same(row, "true positive rate", values)

    def test_a_chain_of_attacks_has_a_chart_for_each_measure(self):
        source = make_results.chain(self.scratch / "c.csv")
        answer = self.json("report", source, "-o", self.scratch / "report")
        rows = read(source)
        for name, column, title in (("link-auc-1", "link_auc", "ROC-AUC of links"),
                                    ("attribute-r2-1", "attribute_r2", "R\u00b2 of attributes")):
            for row in read(self.scratch / "report" / f"{name}.csv"):
                world = "none" if row["name"] == "non-private" else row["name"]
                self.same(row, title, [float(r[column]) for r in rows
                                       if r["edge_mechanism"] == world
                                       and r["eps_edges"] == row["epsilon of edges"]])
        self.assertEqual(answer["charts"], 3)  # no run has an AUC of attributes
        self.assertIn("from public edges alone", answer["sentences"][0])

    def test_settings_that_differ_are_never_averaged(self):
        path = make_results.write(
            self.scratch / "u.csv", ["mechanism", "eps", "lr", "hidden", "run", "accuracy"],
            [[m, e, lr, 16, r, 0.5 + lr] for m, e, lr, r in
             itertools.product(["a", "b"], [1, 2], [0.01, 0.1], [0, 1]) if m == "a" or lr == 0.1])
        names = {row["name"] for row in read(self.report(path) / "utility-1.csv")}
        self.assertEqual(names, {"a, lr 0.01", "a, lr 0.1", "b"})

    def test_settings_that_differ_between_graphs_are_not_named(self):
        path = make_results.write(
            self.scratch / "u.csv", ["graph", "mechanism", "eps", "lr", "run", "accuracy"],
            [[g, "a", e, lr, r, 0.5] for (g, lr), e, r in
             itertools.product([("x", 0.01), ("y", 0.1)], [1, 2], [0, 1])])
        out = self.report(path)
        for chart in ("utility-1.csv", "utility-2.csv"):
            self.assertEqual({row["name"] for row in read(out / chart)}, {"a"})

    def test_several_labels_a_node_are_measured_by_f1(self):
        path = make_results.write(
            self.scratch / "u.csv", ["graph", "mechanism", "eps", "run", "accuracy", "f1_micro"],
            [[g, "a", e, r, accuracy, f1] for (g, accuracy, f1), e, r in
             itertools.product([("classes", 0.7, 0.7), ("labels", 0.1, 0.4)], [1, 2], [0, 1])])
        out = self.report(path)
        self.assertEqual({row["test accuracy"] for row in read(out / "utility-1.csv")}, {"0.7"})
        self.assertEqual({row["micro F1"] for row in read(out / "utility-2.csv")}, {"0.4"})

    def test_mechanisms_are_shown_against_controls_that_protect_the_same(self):
        """What holds for every private fraction is tested once; two budgets make two charts."""
        def runs(features, edges, eps_f, eps_e, fraction, mean):
            return [["g", features, edges, eps_f, eps_e, fraction, r, mean + r * mean / 100]
                    for r in range(4)]
        rows = runs("featfree", "none", 0, 0, "any", 0.95) + runs("none", "mlp", 0, 0, "any", 0.9)
        for eps in (1, 4):
            rows += runs("multibit", "none", eps, 0, "any", 0.6)
            rows += runs("duchi", "none", eps, 0, "any", 0.6)
        rows += runs("multibit", "none", 0.001, 0, "any", 0.97)  # which tells nothing: a control
        for fraction in ("0.3", "0.9"):
            rows += runs("none", "public-only", 0, 0, fraction, 0.7)
            for eps in (1, 2):
                rows += runs("none", "edgerr", 0, eps, fraction, 0.8)
        path = make_results.write(self.scratch / "u.csv", [
            "graph", "feature_mechanism", "edge_mechanism", "eps_features", "eps_edges",
            "private_fraction", "run", "test_accuracy"], rows)
        out = self.report(path)
        tests = [(r["setting"], r["mechanism"], r["against"]) for r in read(out / "significance.csv")]
        self.assertEqual(sorted(t for t in tests if t[1] == "multibit"),
                         2 * [("g", "multibit", "multibit")])  # the best one, at epsilon 0.001
        shown = re.findall(r'<tr[^>]*><td class="t">(.*?)<td.*?data-l="against">(.*?)<td',
                           (out / "index.html").read_text())
        self.assertEqual(sorted(shown), 2 * [("duchi", "random features")] +
                         4 * [("edgerr", "no edges (MLP)")] +
                         2 * [("multibit", "multibit at epsilon 0.001")])
        for name, mechanism in (("utility-1.csv", "multibit"), ("utility-by-1.csv", "edgerr")):
            names = {row["name"] for row in read(out / name)}
            self.assertEqual(names & {"multibit", "edgerr"}, {mechanism}, name)

    def test_attacks_on_several_graphs_share_a_chart(self):
        path = make_results.write(
            self.scratch / "a.csv", ["graph", "attack", "mechanism", "eps_edges", "run", "auc"],
            [[g, "linkteller", "edgerr", e, r, 0.6] for g, e, r in
             itertools.product(["x", "y"], [1, 2], [0, 1])])
        rows = read(self.report(path) / "auc-1.csv")
        self.assertEqual({row["panel"] for row in rows}, {"x, linkteller", "y, linkteller"})

    def test_shares_are_drawn_between_0_and_1(self):
        path = make_results.write(self.scratch / "u.csv", ["mechanism", "eps", "run", "accuracy"],
                                  [["a", e, r, (0.1, 0.9)[r]] for e in (1, 2) for r in (0, 1)])
        svg = (self.report(path) / "utility-1.svg").read_text()
        ticks = [float(t) for t in re.findall(r'text-anchor="end">([\u22120-9.]+)<', svg)]
        self.assertTrue(ticks and min(ticks) >= 0 and max(ticks) <= 1, ticks)

    def test_values_that_are_no_numbers_are_left_out_and_counted(self):
        path = make_results.write(self.scratch / "u.csv", ["mechanism", "eps", "run", "accuracy"],
                                  [["a", 1, 0, 0.5], ["a", 1, 1, "nan"], ["a", 2, 0, "inf"],
                                   ["a", 2, 1, 0.75], ["a", 4, 0, ""]])
        out = self.report(path)
        rows = read(out / "utility-1.csv")
        self.assertEqual([r["test accuracy"] for r in rows], ["0.5", "0.75", ""])
        self.assertTrue("3 runs without a number were left out." in
                        (out / "index.html").read_text())


if __name__ == "__main__":
    unittest.main()
