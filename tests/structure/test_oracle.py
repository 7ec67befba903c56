"""compare structure against networkx and scipy on karate and polblogs: every figure it prints."""
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import networkx
    import numpy
    import scipy.sparse
    import scipy.stats
except ImportError as missing:
    print(f"SKIPPED: {missing}; install python3-networkx and python3-scipy", file=sys.stderr)
    sys.exit(77)

HETERORR = os.environ.get("HETERORR", "heterorr")
DATA = pathlib.Path(os.environ.get("HETERORR_DATA", "../shared/data")) / "structure"


def read(path):
    pairs = numpy.loadtxt(path, dtype=int)
    graph = networkx.Graph()
    graph.add_edges_from(pairs[pairs[:, 0] != pairs[:, 1]][:, :2].tolist())
    return graph


def changed(graph, seed, drop, add):
    """The graph without a share of its edges and with as many others as a share of them."""
    rng = numpy.random.default_rng(seed)
    nodes, edges = sorted(graph), sorted(map(tuple, map(sorted, graph.edges)))
    keep = rng.random(len(edges)) >= drop
    other = networkx.Graph()
    other.add_nodes_from(nodes)
    other.add_edges_from(edge for edge, kept in zip(edges, keep) if kept)
    for u, v in rng.choice(nodes, (int(add * len(edges)), 2)).tolist():
        if u != v:
            other.add_edge(u, v)
    return other


def walk_matrix(graph, nodes):
    adjacency = networkx.to_scipy_sparse_array(graph, nodelist=nodes, dtype=float)
    degree = numpy.asarray(adjacency.sum(axis=1)).ravel()
    inverse = numpy.divide(1, degree, out=numpy.zeros_like(degree), where=degree > 0)
    return scipy.sparse.csr_matrix(scipy.sparse.diags(inverse) @ adjacency)


def walk_distances(a, b, nodes, hops):
    p, q = walk_matrix(a, nodes), walk_matrix(b, nodes)
    x, y = numpy.eye(len(nodes)), numpy.eye(len(nodes))
    for hop in range(hops + 1):
        yield numpy.sqrt(((x - y) ** 2).mean())
        x, y = p @ x, q @ y


def largest_eigenvalues(graph, nodes, count):
    """Those of D^-1/2 A D^-1/2 after one 1 for each component with edges."""
    adjacency = networkx.to_numpy_array(graph, nodelist=nodes)
    degree = adjacency.sum(axis=1)
    scale = numpy.divide(1, numpy.sqrt(degree), out=numpy.zeros_like(degree), where=degree > 0)
    values = numpy.linalg.eigvalsh(scale[:, None] * adjacency * scale)[::-1]
    components = sum(len(c) > 1 for c in networkx.connected_components(graph))
    assert numpy.allclose(values[:components], 1)
    return components, values[components:components + count]


def path_lengths(graph, nodes):
    """Steps between every ordered pair; 65 for what is farther than 64, or not joined."""
    found = dict(networkx.all_pairs_shortest_path_length(graph))
    return numpy.array([min(found[u].get(v, 65), 65) for u in nodes for v in nodes if u != v])


class Oracle(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="heterorr-structure-")
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)

    def compare(self, original, released, *options):
        """Both through files; a node without edges is in neither list, and must be found by name."""
        for name, graph in (("a", original), ("b", released)):
            with (self.scratch / f"{name}.csv").open("w") as file:
                file.write("source,target\n")
                file.writelines(f"{u},{v}\n" for u, v in graph.edges)
        done = subprocess.run(
            [HETERORR, "compare", "structure", self.scratch / "a.csv", self.scratch / "b.csv",
             "--json", *options], capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def check(self, original, released, hops=4):
        nodes = sorted(original)
        answer = self.compare(original, released, "--exact", "--hops", str(hops))
        self.assertEqual(answer["nodes"], len(nodes))
        self.assertTrue(answer["walk"]["exact"])
        expected = list(walk_distances(original, released, nodes, hops))
        numpy.testing.assert_allclose(answer["walk"]["rms"], expected, rtol=1e-10, atol=1e-15)

        degrees = [[d for _, d in g.degree] for g in (original, released)]
        self.assertAlmostEqual(answer["degree_kolmogorov_smirnov"],
                               scipy.stats.ks_2samp(*degrees).statistic, 12)
        self.assertAlmostEqual(answer["degree_earth_mover"],
                               scipy.stats.wasserstein_distance(*degrees), 10)
        lengths = [path_lengths(g, nodes) for g in (original, released)]
        paths = answer["paths"]
        self.assertEqual(paths["sources"], len(nodes))
        self.assertAlmostEqual(paths["kolmogorov_smirnov"], scipy.stats.ks_2samp(*lengths).statistic, 12)
        for side, steps in zip(("original", "released"), lengths):
            self.assertAlmostEqual(paths[f"joined_{side}"], (steps <= 64).mean(), 12)
            self.assertAlmostEqual(paths[f"mean_{side}"], steps[steps <= 64].mean(), 10)
        for side, graph in (("original", original), ("released", released)):
            ours = answer[side]
            self.assertEqual(ours["edges"], graph.number_of_edges())
            self.assertEqual(ours["triangles"], sum(networkx.triangles(graph).values()) // 3)
            self.assertAlmostEqual(ours["transitivity"], networkx.transitivity(graph), 12)
            self.assertAlmostEqual(ours["mean_local_clustering"],
                                   networkx.average_clustering(graph), 12)
            components, values = largest_eigenvalues(graph, nodes, 10)
            self.assertEqual(ours["components"], components)
            self.assertLessEqual(ours["eigenvalue_residual"], 1e-7)
            numpy.testing.assert_allclose(ours["eigenvalues"], values, atol=1e-9)
        edges = [{frozenset(e) for e in g.edges} for g in (original, released)]
        overlap = answer["edge_overlap"]
        common = len(edges[0] & edges[1])
        self.assertEqual(overlap["common"], common)
        self.assertAlmostEqual(overlap["precision"], common / len(edges[1]), 12)
        self.assertAlmostEqual(overlap["recall"], common / len(edges[0]), 12)
        return answer

    def graph(self, name):
        path = DATA / f"{name}.pairs"
        if not path.exists():
            self.skipTest(f"{path} is not here; set HETERORR_DATA")
        return read(path)

    def test_karate(self):
        karate = self.graph("karate")
        for seed in range(3):
            self.check(karate, changed(karate, seed, .3, .2), hops=6)

    def test_polblogs(self):
        polblogs = self.graph("polblogs")
        self.check(polblogs, changed(polblogs, 2, .6, .3))

    def test_many_equal_components(self):
        """Eigenvalues of high multiplicity, and nodes that lose every edge."""
        rings = networkx.disjoint_union_all([networkx.cycle_graph(5) for _ in range(12)])
        self.check(rings, changed(rings, 3, .3, 0))

    def test_modularity(self):
        """Our communities are about as good as those of networkx."""
        karate = self.graph("karate")
        answer = self.compare(karate, karate)
        best = networkx.algorithms.community.louvain_communities(karate, seed=1)
        self.assertAlmostEqual(answer["original"]["modularity"],
                               networkx.algorithms.community.modularity(karate, best), delta=.02)
        self.assertEqual(answer["original"]["modularity"], answer["released"]["modularity"])

    def test_modularity_where_every_edge_is_private(self):
        """Alone or in a sweep it is that of the original's communities, whatever is private."""
        karate = self.graph("karate")
        alone = self.compare(karate, karate)["original"]["modularity"]
        best = networkx.algorithms.community.louvain_communities(karate, seed=1)
        expected = networkx.algorithms.community.modularity(karate, best)
        for fraction in ("0", "0.5", "1"):
            results = self.scratch / f"{fraction}.csv"
            done = subprocess.run(
                [HETERORR, "compare", "structure", self.scratch / "a.csv", "--mechanisms", "none",
                 "--private-fractions", fraction, "--runs", "1", "-o", results],
                capture_output=True, text=True, timeout=300)
            self.assertEqual(done.returncode, 0, done.stderr)
            with results.open() as file:
                rows = {row["edge_mechanism"]: row for row in csv.DictReader(file)}
            for row in rows.values():
                self.assertAlmostEqual(float(row["modularity_original"]), expected, delta=.02)
                self.assertAlmostEqual(float(row["modularity_original"]), alone, places=8)
            self.assertEqual(rows["none"]["modularity_released"], rows["none"]["modularity_original"])
            if fraction == "1":
                self.assertEqual(rows["public-only"]["edges_released"], "0")
                self.assertEqual(float(rows["public-only"]["modularity_released"]), 0)

    def test_long_chains(self):
        """Beyond 64 steps nobody counts."""
        chain = networkx.path_graph(150)
        self.check(chain, changed(chain, 5, .02, .01))

    def test_probing_is_within_its_error(self):
        """Five standard errors, 200 probes, fixed seed: false failure below 1e-5."""
        polblogs = self.graph("polblogs")
        other = changed(polblogs, 4, .3, 0)
        exact = self.compare(polblogs, other, "--exact")["walk"]
        probed = self.compare(polblogs, other, "--probes", "200")["walk"]
        self.assertEqual((probed["exact"], probed["probes"]), (False, 200))
        for hop in range(1, 5):
            error = probed["standard_error"][hop]
            self.assertLess(abs(exact["rms"][hop] - probed["rms"][hop]), 5 * error, hop)
            self.assertLess(error, .1 * exact["rms"][hop], hop)


if __name__ == "__main__":
    done = unittest.main(exit=False).result
    sys.exit(1 if not done.wasSuccessful() else 77 if done.skipped else 0)
