"""What a report says of PGB's queries is what the judge says: values, who is nearest, how often."""
import csv
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from command import CommandTest

import make_results


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


class Pgb(CommandTest):
    def setUp(self):
        super().setUp()
        self.results, self.published = self.scratch / "r.csv", self.scratch / "published.csv"
        make_results.pgb(self.results, self.published)

    def judged(self):
        """A sweep that has nothing left to run says what its file holds."""
        graph = self.scratch / "own.csv"
        graph.write_text("source,target\n1,2\n2,3\n1,3\n")
        with self.published.open("a") as file:
            file.write("own,triangles,DGG,1,0.5\n")
        return self.json("compare", "structure", graph, "--suite", "pgb", "--all-private", "--mechanisms", "edgerr,lapgraph",
                         "--eps-edges", "0.5,1", "--runs", 3, "--published", self.published, "-o", self.results)

    def test_the_report_says_what_compare_says(self):
        said = self.judged()
        out = self.scratch / "report"
        done = self.succeeds("report", self.results, self.published, "-o", out)
        self.assertIn("PGB at epsilon", done.stdout)
        drawn = {(r["graph"], r["eps"], r["query"], r["mechanism"], r["published"]): r for r in read(out / "pgb-values.csv")}
        self.assertEqual(len(drawn), len(said["means"]))
        for m in said["means"]:
            row = drawn[m["graph"], m["eps"], m["query"], m["mechanism"], str(int(m["published"]))]
            self.assertEqual((row["best"], row["beats_published"], int(row["runs"])),
                             (str(int(m["best"])), str(int(m["beats_published"])), m["runs"]))
            if m["mean"] is None:
                self.assertEqual(row["mean"], "")
            else:
                self.assertAlmostEqual(float(row["mean"]), m["mean"], places=8)
        page = (out / "index.html").read_text()
        table = page.split('aria-label="wins"')[1].split("</table>")[0]
        eps, found = None, []
        for row in table.split("<tr")[2:]:
            if "rowgroup" in row:
                eps = re.search("epsilon ([0-9.]+)", row).group(1)
                continue
            cells = [cell.split(">", 1)[1] for cell in row.split("</tr>")[0].split("<td")[1:]]
            found.append([eps, *cells])
        expected = [[t["eps"], t["mechanism"] + " (published)" * t["published"], str(t["wins"]), str(t["shared"]),
                     "\u2013" if t["published"] else str(t["beats_published"]), str(t["cells"])] for t in said["wins"]]
        self.assertEqual(found, expected)

    def test_points_are_ratios_to_the_best_published_value(self):
        out = self.scratch / "report"
        self.succeeds("report", self.results, self.published, "-o", out)
        means, best = {}, {}
        for r in read(self.results):
            means.setdefault((r["graph"], r["query"], r["mechanism"], r["eps"]), []).append(float(r["value"]))
        for r in read(self.published):
            value = 1 - float(r["value"]) if r["query"] == "nmi" else float(r["value"])
            key = r["graph"], r["query"], r["eps"]
            best[key] = min(best.get(key, value), value)
        titles = {"triangles": "triangles", "nmi": "communities", "gcc": "transitivity", "diameter": "diameter"}
        checked = 0
        for row in read(out / "pgb-1.csv"):
            for query, title in titles.items():
                if row["name"] != title or row["panel"] not in ("CA-HepPh", "Facebook"):
                    continue
                runs = means[row["panel"], query, row["mechanism"], "1"]
                own = sum(runs) / len(runs)
                own, bar = (1 - own if query == "nmi" else own), best[row["panel"], query, "1"]
                ratio = 1 if own == bar else min(1000, max(.001, own / bar)) if bar else 1000
                self.assertAlmostEqual(float(row["ratio to the best published value"]), ratio, places=6)
                checked += 1
        self.assertEqual(checked, 2 * 3 * 4)
        alone = {row["panel"] for row in read(out / "pgb-alone-1.csv")} if "panel" in read(out / "pgb-alone-1.csv")[0] else {"own"}
        self.assertEqual(alone, {"own"})
        self.assertNotIn("own", {row["panel"] for row in read(out / "pgb-1.csv")})

    def test_what_charts_have_no_room_for_is_said(self):
        out, rows = self.scratch / "report", self.scratch / "many.csv"
        make_results.pgb(rows, self.published, mechanisms=[f"edgerr:{i}" for i in range(14)], runs=1)
        self.succeeds("report", rows, self.published, "-o", out)
        self.assertIn("Charts have room for 12 mechanisms", (out / "index.html").read_text())
        self.assertEqual(len({row["mechanism"] for row in read(out / "pgb-1.csv") if row["mechanism"]}), 12)
        self.assertEqual(len({row["mechanism"] for row in read(out / "pgb-values.csv")}), 14 + 3)

    def test_published_values_alone_are_refused(self):
        self.fails(3, "report", self.published, "-o", self.scratch / "report", says="no runs")


if __name__ == "__main__":
    unittest.main()
