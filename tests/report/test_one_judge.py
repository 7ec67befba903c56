"""compare and report say the same of one file: every mean, interval, test and verdict. The file has
what files get in the long run: calls whose seeds overlap, rows twice, runs that diverged, two graphs."""
import csv
import json
import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from command import CommandTest

QUICK = ["--hidden", "8", "--epochs", "15"]
TRAINING = ["learning", "--mechanisms", "multibit,edgerr,multibit+edgerr", "--eps-features", "1,4", "--eps-edges",
            "1,4", "--private-fractions", ".3,.6", *QUICK]
STRUCTURE = ["structure", "--mechanisms", "edgerr,lapgraph-private", "--eps-edges", "1,4",
             "--private-fractions", ".3,1"]
QUESTIONS = {"test": "the best that spends nothing", "edge_test": "the same with nothing spent on edges",
             "feature_test": "the same with nothing spent on features"}


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


class OneJudge(CommandTest):
    def graph(self, name, seed, *more):
        path = self.scratch / name
        self.succeeds("generate", "--nodes", 80, "--avg-degree", 5, "--features", 6, "--classes", 3,
                      "--private-fraction", 0, "--seed", seed, "-o", path, *more)
        about = json.loads((path / "graph.json").read_text())
        (path / "graph.json").write_text(json.dumps({**about, "name": name}))
        return path

    def results(self, words, kinds=()):
        """A file of two graphs whose seeds overlap, with rows twice and some that diverged."""
        path = self.scratch / "r.csv"
        first, second = self.graph("first", 1), self.graph("second", 2, *kinds)
        for graph, runs, seed in ((first, 3, 1), (first, 3, 2), (second, 2, 7)):
            self.succeeds("compare", *words, graph, "--runs", runs, "--seed", seed, "-o", path)
        header, *rows = path.read_text().splitlines()
        rows.sort()  # threads finish in any order
        rnd = random.Random(1)
        if "status" in header.split(","):
            at = header.split(",").index("status")
            always = [i for i, row in enumerate(rows) if ",second,80," in row and ",multibit,none," in row
                      and ",4,0," in row]  # a setting without any number
            for i in always + rnd.sample(range(len(rows)), 6):
                fields = rows[i].split(",")
                fields[at] = "diverged"
                fields[at + 3:at + 11] = ["0"] + 7 * ["nan"]
                rows[i] = ",".join(fields)
        rows += rnd.sample(rows, 15)  # the same runs once more, as joined files have them
        path.write_text("\n".join([header, *rows]) + "\n")
        return path, first

    def both(self, words, kinds=()):
        path, graph = self.results(words, kinds)
        before = path.read_text()
        said = self.json("compare", *words, graph, "--runs", 3, "--seed", 2, "-o", path)
        self.assertEqual(path.read_text(), before)  # nothing was left to run
        out = self.scratch / "report"
        self.succeeds("report", path, "-o", out)
        return said["means"], out, read(path)

    def close(self, found, expected, key):
        if expected is None:
            self.assertIn(found, ("", "nan"), key)
        else:
            self.assertAlmostEqual(float(found), expected, delta=1e-8 * max(1, abs(expected)), msg=key)

    def check_tests(self, means, out):
        drawn = {}
        for row in read(out / "significance.csv"):
            key = (row["setting"].split(",")[0], row["setting"].partition("private fraction ")[2] or "any",
                   row["mechanism"], row["eps_features"], row["eps_edges"], row["question"])
            self.assertNotIn(key, drawn)
            drawn[key] = row
        for mean in means:
            for name, question in QUESTIONS.items():
                test = mean[name]
                if not test or test["verdict"] == "untested":
                    continue
                row = drawn.pop((mean["graph"], mean["private_fraction"], mean["treatment"],
                                 mean["eps_features"], mean["eps_edges"], question))
                control = means[test["control"]]
                self.assertEqual((row["against"], row["against_eps_features"], row["against_eps_edges"],
                                  row["verdict"], int(row["pairs"]), int(row["controls"])),
                                 (control["treatment"], control["eps_features"], control["eps_edges"],
                                  test["verdict"], test["pairs"], test["controls"]))
                for column, field in (("difference", "difference"), ("p", "p"), ("p_holm", "p_adjusted")):
                    self.close(row[column], test[field], (mean["treatment"], column))
        self.assertEqual(drawn, {})

    def check_gains(self, means, out):
        """What is drawn of gains is what was tested, whatever there is no room for."""
        drawn = [row for row in read(out / "gains.csv") if row["epsilon"]]
        self.assertGreater(len(drawn), 10)
        label = next(name for name in drawn[0] if name.startswith("gain"))
        for row in drawn:
            name, _, budget = row["name"].partition(", features ")
            found = []
            for m in means:
                features, edges = float(m["eps_features"]), float(m["eps_edges"])
                if (m["treatment"] == name and (features if edges else 0) == float(budget or 0)
                        and (edges or features) == float(row["epsilon"]) and m["test"]
                        and row["panel"].startswith(m["graph"]) and m["test"]["verdict"] != "untested"
                        and row["panel"].partition("private fraction ")[2] in ("", m["private_fraction"])):
                    found.append(m["test"])
            self.assertEqual(len(found), 1, row)
            self.close(row[label], found[0]["difference"], row)
            for sign, column in ((-1, "95% low"), (1, "95% high")):
                self.close(row[column], found[0]["difference"] + sign * found[0]["half_width"], row)
        page = (out / "index.html").read_text()
        pays = [m["test"] for m in means if m["test"] and m["test"]["verdict"] == "better"]
        for test in pays:
            table = page.split('aria-label="what pays"')[1].split("</table>")[0]
            self.assertIn(f"+{test['difference']:.3f}&nbsp;\u00b1&nbsp;{test['half_width']:.3f}", table)
        self.assertEqual("No budget pays here" in page, not pays)

    def check_means(self, means, out, measure):
        """Every point that is drawn is a mean that compare prints, and every mean is drawn."""
        known = {}
        for mean in means:
            known.setdefault((mean["treatment"], mean["eps_features"], mean["eps_edges"]), []).append(mean)
        seen = set()
        for path in sorted(out.glob("utility*.csv")):
            for row in read(path):
                value = row.get(measure) or row.get("value")
                if not value:  # every run diverged
                    self.assertEqual(int(row["runs"] or 0), 0)
                    continue
                found = [m for key, group in known.items() if key[0] == row["name"] for m in group
                         if m["mean"] is not None and abs(float(value) - m["mean"]) < 1e-8
                         and int(row["runs"]) == m["runs"] - m["diverged"]]
                self.assertTrue(found, (path.name, row))
                half_width = (float(row["95% high"]) - float(row["95% low"])) / 2 if row["95% low"] else None
                self.assertTrue(any(m["half_width"] is None if half_width is None else
                                    abs(half_width - m["half_width"]) < 1e-8 for m in found), row)
                seen |= {id(m) for m in found}
        for mean in means:
            self.assertTrue(id(mean) in seen or mean["mean"] is None, mean)

    def test_networks(self):
        means, out, rows = self.both(TRAINING)
        self.assertEqual({m["graph"] for m in means}, {"first", "second"})
        self.assertTrue(any(m["diverged"] and m["mean"] is not None for m in means))
        self.assertTrue(any(m["mean"] is None for m in means))
        self.assertIn("majority", {m["treatment"] for m in means})
        for mean in means:  # seeds 1 to 4 and 7, 8: once each, however often they are there
            self.assertEqual(mean["runs"], 4 if mean["graph"] == "first" else 2)
        self.assertGreater(len(rows), sum(m["runs"] for m in means))
        self.check_tests(means, out)
        self.check_gains(means, out)
        self.check_means(means, out, "test accuracy")

    def test_several_labels_a_node(self):
        """Each graph has the measure that suits it, in both."""
        means, out, _ = self.both(["--mechanisms", "multibit", "--eps-features", "1,4", *QUICK],
                                  ["--multilabel"])
        self.assertEqual({(m["graph"], m["metric"]) for m in means},
                         {("first", "accuracy"), ("second", "f1_micro")})
        self.check_tests(means, out)
        for path, measure in (("utility-1.csv", "test accuracy"), ("utility-2.csv", "micro F1")):
            self.assertIn(measure, read(out / path)[0])

    def test_structure(self):
        means, out, _ = self.both(STRUCTURE)
        page = (out / "index.html").read_text()
        rows = page.split("statistics of structure")[1].split("</table>")[0].split("<tr>")[2:]
        rows = [row for row in rows if "rowgroup" not in row]
        self.assertEqual(len(rows), len(means))
        for row, mean in zip(rows, means):
            self.assertIn(mean["mechanism"], row)
            for name, statistic in mean["statistics"].items():
                cell = row.split(f'data-l="{name}">')[1].split("<")[0]
                self.assertAlmostEqual(float(cell.split()[0].replace("\u2212", "-")), statistic["mean"],
                                       delta=6e-3 * abs(statistic["mean"]))
                words = cell.split(" ", 1)[1].split(",")[0] if " " in cell else "untested"
                self.assertEqual(words, (statistic["test"] or {"verdict": "untested"})["verdict"])
        self.assertIn("public-only is the graph without edges", " ".join(page.split()))

    def test_chain(self):
        """Every figure of the chain that is drawn is a mean that attack chain prints."""
        path, out = self.scratch / "r.csv", self.scratch / "report"
        graph = self.graph("first", 1)
        words = ["attack", "chain", graph, "--private-fraction", ".4", "--eps-edges", "1,4", "--samples", "60", *QUICK,
                 "-o", path]
        self.succeeds(*words, "--runs", 2)
        means = self.json(*words, "--runs", 3)["rows"]
        self.succeeds("report", path, "-o", out)
        for file, title, figure in (("link-auc-1.csv", "ROC-AUC of links", "link_auc"),
                                    ("attribute-r2-1.csv", "R\u00b2 of attributes", "attribute_r2")):
            rows = read(out / file)
            self.assertEqual(len(rows), len(means))
            for row in rows:
                world = "none" if row["name"] == "non-private" else row["name"]
                mean, = (m[figure] for m in means if (m["mechanism"], m["eps_edges"] or "") == (world, row["epsilon of edges"]))
                self.assertEqual(row["runs"], "3")
                self.close(row[title], mean["mean"], row)
                self.close((float(row["95% high"]) - float(row["95% low"])) / 2, mean["half_width"], row)


if __name__ == "__main__":
    unittest.main()
