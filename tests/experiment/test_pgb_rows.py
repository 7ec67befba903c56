"""compare structure --suite pgb --mechanisms: its rows against networkx on a small graph, its wins against a count
of our own, and an interrupted sweep that is completed."""
import collections
import csv
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

try:
    import networkx
    import numpy
except ImportError as missing:
    print(f"SKIPPED: {missing}; install python3-networkx, python3-scipy and python3-sklearn", file=sys.stderr)
    sys.exit(77)

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "cli"), str(TESTS / "structure")]
from command import CommandTest  # noqa: E402
from test_pgb_oracle import answers, central, divergence, path_histogram  # noqa: E402

MAKE_DRAW = os.environ.get("HETERORR_MAKE_DRAW", "experiment_make_draw")
QUERIES = ["nodes", "edges", "triangles", "mean_degree", "degree_variance", "degree_kl", "diameter", "mean_path",
           "distance_kl", "gcc", "acc", "nmi", "modularity", "assortativity", "evc_mae"]
UNSCORED = {"nodes", "edges", "mean_degree"}


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def wins_of(ours, published):
    """(eps, mechanism, is published) -> [cells, wins, shared, beats], by the definition and nothing else."""
    values = collections.defaultdict(lambda: collections.defaultdict(list))
    graphs = {row["graph"] for row in ours}
    for row in ours:
        values[row["graph"], row["query"], float(row["eps"])][row["mechanism"], False].append(float(row["value"]))
    for row in published:
        cell = row["graph"], row["query"], float(row["eps"])
        if row["graph"] in graphs and cell in values:
            values[cell][row["mechanism"], True].append(float(row["value"]))
    tally = collections.defaultdict(lambda: [0, 0, 0, 0])
    for (_, query, eps), cell in values.items():
        if query in UNSCORED or not any(is_published for _, is_published in cell):
            continue
        sign = -1 if query == "nmi" else 1
        mean = {who: sign * numpy.mean(runs) for who, runs in cell.items()}
        mean = {who: value if numpy.isfinite(value) else numpy.inf for who, value in mean.items()}
        best = min(mean.values())
        first = [who for who, value in mean.items() if value == best]
        bar = min(value for (_, is_published), value in mean.items() if is_published)
        for who in cell:
            entry = tally[eps, *who]
            entry[0] += 1
            entry[1] += first == [who]
            entry[2] += who in first and len(first) > 1
            entry[3] += not who[1] and mean[who] < bar
    return dict(tally)


class Sweep(CommandTest):
    def small_graph(self, name="small", seed=3):
        graph = networkx.powerlaw_cluster_graph(150, 3, .6, seed=seed)
        path = self.scratch / f"{name}.csv"
        path.write_text("source,target\n" + "".join(f"{u},{v}\n" for u, v in graph.edges))
        return path, graph

    def sweep(self, path, *words):
        return "compare", "structure", path, "--suite", "pgb", "--all-private", *words

    def released(self, path, mechanism, eps, seed, order):
        """The graph that a run released, under the names of the original."""
        drawn = subprocess.run([MAKE_DRAW, str(path), mechanism, str(int(eps * 1e9)), str(seed)],
                               capture_output=True, text=True, check=True).stdout
        graph = networkx.Graph()
        graph.add_nodes_from(order)
        graph.add_edges_from([order[int(v)] for v in line.split(",")] for line in drawn.split())
        return graph

    def test_rows_are_what_networkx_says(self):
        path, original = self.small_graph()
        results = self.scratch / "r.csv"
        self.succeeds(*self.sweep(path, "--mechanisms", "edgerr,lapgraph", "--eps-edges", "1,4", "--runs", 2,
                                  "--seed", 7, "-o", results))
        rows = rows_of(results)
        self.assertEqual(list(rows[0]), ["graph", "query", "mechanism", "eps", "run", "value"])
        self.assertEqual(len(rows), 2 * 2 * 2 * 15)
        found = {(r["mechanism"], float(r["eps"]), int(r["run"]), r["query"]): float(r["value"]) for r in rows}
        self.assertEqual({key[2] for key in found}, {7, 8})
        order = sorted(original)
        paths = path_histogram(original)
        before, degrees = answers(original, paths), numpy.bincount([d for _, d in original.degree])
        for mechanism, eps, run in sorted({key[:3] for key in found}):
            graph = self.released(path, mechanism, eps, run, order)
            steps = path_histogram(graph)
            expected = {query: abs(value - after) / abs(value) for (query, value), after
                        in zip(before.items(), answers(graph, steps).values())}
            expected["degree_kl"] = divergence(degrees, numpy.bincount([d for _, d in graph.degree]))
            expected["distance_kl"] = divergence(paths, steps)
            expected["evc_mae"] = abs(central(original, order)[:1] - central(graph, order)[:1]).mean()
            for query, value in expected.items():
                self.assertAlmostEqual(found[mechanism, eps, run, query], value, delta=1e-7 * max(1, abs(value)),
                                       msg=(mechanism, eps, run, query))
            self.assertGreater(expected["triangles"], 0)  # it is another graph

    def published(self, rng, graph):
        path = self.scratch / "published.csv"
        with path.open("w") as file:
            file.write("graph,query,mechanism,eps,value\n")
            for query in QUERIES[:-2]:  # not every query, and a tie in each
                for eps in ("0.5", "1", "5"):
                    for k, name in enumerate(("ALPHA", "BETA", "GAMMA")):
                        value = round(float(rng.random()) * (2 if query.endswith("kl") else 1), 3)
                        file.write(f"{graph},{query},{name},{eps},{value if k else .125}\n")
            file.write("elsewhere,triangles,ALPHA,1,0\n")
        return path

    def test_wins_are_counted(self):
        path, _ = self.small_graph()
        results, published = self.scratch / "r.csv", self.published(numpy.random.default_rng(5), "small")
        request = self.sweep(path, "--mechanisms", "edgerr,lapgraph,none", "--eps-edges", "0.5,1", "--runs", 3,
                             "--published", published, "-o", results)
        answer = self.json(*request)
        expected = wins_of(rows_of(results), rows_of(published))
        found = {(float(t["eps"]), t["mechanism"], t["published"]):
                 [t["cells"], t["wins"], t["shared"], t["beats_published"] or 0] for t in answer["wins"]}
        self.assertEqual(found, expected)
        self.assertGreater(sum(entry[1] for entry in expected.values()), 10)
        means = {(m["mechanism"], m["query"], m["eps"]): m for m in answer["means"]}
        runs = [float(r["value"]) for r in rows_of(results)
                if (r["mechanism"], r["query"], r["eps"]) == ("edgerr", "gcc", "1")]
        self.assertAlmostEqual(means["edgerr", "gcc", "1"]["mean"], numpy.mean(runs), places=8)
        self.assertTrue(means["ALPHA", "gcc", "1"]["published"])
        self.assertNotIn(("ALPHA", "gcc", "5"), means)
        table = self.succeeds(*request).stdout  # nothing is run again
        self.assertEqual(len(rows_of(results)), 3 * 5 * 15)
        for m in answer["means"]:
            if m["best"] and m["scored"]:
                self.assertRegex(table, rf"{m['mean']:.4g}\*")
        for t in answer["wins"]:
            counts = rf"{t['wins']} +{t['shared']} +{'-' if t['published'] else t['beats_published']} +of {t['cells']}"
            self.assertRegex(table, rf"{t['mechanism']} +(published)? +{counts} cells")

    def test_one_without_published_values(self):
        path, _ = self.small_graph()
        done = self.succeeds(*self.sweep(path, "--mechanisms", "edgerr", "--eps-edges", "1", "--runs", 1))
        self.assertEqual(done.stdout.splitlines()[0], "graph,query,mechanism,eps,run,value")
        self.assertNotIn("wins", done.stderr)
        self.assertIn("mean local clustering", done.stderr)

    def test_an_interrupted_sweep_goes_on(self):
        path, _ = self.small_graph()
        results, whole = self.scratch / "r.csv", self.scratch / "whole.csv"
        request = self.sweep(path, "--mechanisms", "edgerr,edgerr-node", "--eps-edges", "1,2", "--runs", 400,
                             "--threads", 1)
        process = self.start(*request, "-o", results, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        while process.poll() is None and (not results.exists() or results.stat().st_size < 4000):
            time.sleep(.01)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, said)
        self.assertIn("continues", said)
        kept = len(rows_of(results))
        self.assertGreater(kept, 15)
        self.assertEqual(kept % 15, 0)
        fewer = [word if word != 400 else 5 for word in request]
        self.succeeds(*fewer, "-o", results)
        self.succeeds(*fewer, "-o", whole)
        together = collections.Counter(map(tuple, map(dict.values, rows_of(results))))
        self.assertEqual(max(together.values()), 1)
        self.assertLessEqual(collections.Counter(map(tuple, map(dict.values, rows_of(whole)))), together)

    def test_bad_requests(self):
        path, _ = self.small_graph()
        published = self.scratch / "p.csv"
        published.write_text("graph,query,mechanism,eps,value\nother,nodes,X,1,0\n")
        budget = "--mechanisms", "edgerr", "--eps-edges", "1"
        results = self.scratch / "r.csv"
        self.fails(3, *self.sweep(path, *budget, "--published", published, "-o", results),
                   says="no values for the graph 'small', only for: other")
        self.assertFalse(results.exists() and results.stat().st_size)
        self.fails(2, "compare", "structure", path, "--suite", "pgb", *budget, says="--all-private")
        self.fails(2, *self.sweep(path, "--mechanisms", "edgerr"), says="--eps-edges")
        self.fails(2, *self.sweep(path, *budget, "--private-fractions", ".5"), says="--private-fractions")
        self.fails(2, "compare", "structure", path, "--all-private", *budget, "--published", published,
                   says="--published applies to --suite pgb with --mechanisms;")
        self.fails(2, *self.sweep(path, path, "--published", published), says="--published applies to --suite pgb with --mechanisms;")
        self.fails(2, *self.sweep(path, *budget, "--hops", "2"), says="applies to --suite standard;")


if __name__ == "__main__":
    unittest.main()
