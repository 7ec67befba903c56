"""What `advise` says of graphs without public edges is what docs/results/structure-guide.csv holds: for each purpose the
mechanism whose mean distance over the graphs is smallest, and the distance of the graph without edges."""
import collections
import csv
import math
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "cli"))
from command import CommandTest


def distances(row):
    """The five statistics of docs/structure.md."""
    hops = [float(row[f"rms_{h}"]) for h in range(1, 5)]
    return {"degrees": float(row["degree_ks"]),
            "clustering": abs(float(row["transitivity_original"]) - float(row["transitivity_released"])),
            "paths": float(row["path_ks"]),
            "communities": abs(float(row["modularity_original"]) - float(row["modularity_released"])),
            "walks": math.sqrt(sum(h * h for h in hops) / 4)}


class Guide(CommandTest):
    def test_the_table_is_what_was_measured(self):
        found = collections.defaultdict(lambda: collections.defaultdict(list))
        with (ROOT / "docs" / "results" / "structure-guide.csv").open() as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len({row["graph"] for row in rows}), 5)
        for row in rows:
            self.assertIn(float(row["eps_edges"]), (0, 1))
            self.assertEqual((row["private_fraction"], int(row["edges_released"]) == 0),
                             ("as marked", row["edge_mechanism"] == "public-only"))
            for purpose, value in distances(row).items():
                found[purpose][row["edge_mechanism"], row["graph"]].append(value)
        graph = self.scratch / "graph.csv"
        graph.write_text("source,target\n1,2\n2,3\n1,3\n")
        said = self.succeeds("advise", graph, "--all-private").stdout
        for purpose, values in found.items():
            mean = collections.defaultdict(list)
            for (mechanism, _), runs in values.items():
                self.assertEqual(len(runs), 3)
                mean[mechanism].append(sum(runs) / 3)
            mean = {mechanism: sum(of) / 5 for mechanism, of in mean.items()}
            without = mean.pop("public-only")
            best = min(mean, key=mean.get)
            line = re.search(rf"^{purpose} +(\S+) +(\S+) +(\S+) *(.*)$", said, re.M)
            self.assertEqual(line.group(1), best)
            self.assertAlmostEqual(float(line.group(2)) / mean[best], 1, delta=.006)
            self.assertAlmostEqual(float(line.group(3)) / without, 1, delta=.006)
            self.assertEqual(line.group(4).strip(), "" if mean[best] <= without / 2 else "not kept")


if __name__ == "__main__":
    unittest.main()
