"""protect() draws what the command draws, byte for byte, and private and released data are not taken for each other."""
import pathlib
import subprocess
import tempfile
import unittest
import warnings

import support
import numpy as np

import heterorr


def run(*words):
    subprocess.run([support.command(), *map(str, words)], check=True, capture_output=True)


class SameBytes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.where = tempfile.TemporaryDirectory()
        cls.graph = pathlib.Path(cls.where.name) / "graph"
        run("generate", "--nodes", 300, "--avg-degree", 6, "--features", 5, "--classes", 3, "--private-fraction", 0.4,
            "--seed", 5, "-o", cls.graph)

    @classmethod
    def tearDownClass(cls):
        cls.where.cleanup()

    def same(self, words, wishes):
        ours, theirs, saved = (pathlib.Path(self.where.name) / f"{name}{len(words)}{hash(tuple(words))}"
                               for name in ("ours", "theirs", "saved"))
        run("protect", self.graph, "-o", theirs, "--insecure-seed", 7, *words)
        graph = heterorr.Graph.read(self.graph)
        release = heterorr.protect(graph, insecure_seed=7, bundle=ours, **wishes)
        heterorr.protect(graph, insecure_seed=7, **wishes).save(saved)
        files = sorted(path.name for path in theirs.iterdir())
        self.assertIn("certificate.json", files)
        for other in (ours, saved):
            self.assertEqual(sorted(path.name for path in other.iterdir()), files)
            for name in files:
                self.assertEqual((theirs / name).read_bytes(), (other / name).read_bytes(), name)
        opened = heterorr.open(theirs)
        self.assertEqual(opened.statement, release.statement)
        self.assertEqual(np.asarray(opened.features).tobytes(), np.asarray(release.features).tobytes())
        self.assertEqual(opened.edge_index.tolist(), release.edge_index.tolist())

    def test_what_measured_best(self):
        self.same(["--eps-features", 2, "--eps-edges", 1], dict(eps_features=2, eps_edges=1))

    def test_the_papers_mechanisms(self):
        self.same(["--eps-features", "0.3", "--eps-edges", 1, "--feature-mechanism", "featurerr", "--edge-mechanism", "edgerr",
                   "--bins", 5, "--tree-share", 0.2, "--tree", "select"],
                  dict(eps_features=0.3, eps_edges=1.0, feature_mechanism="featurerr", edge_mechanism="edgerr", n_bins=5,
                       tree_share=0.2, tree="select"))

    def test_paper_mode(self):
        self.same(["--eps-features", 1, "--eps-edges", 2, "--mode", "paper"],
                  dict(eps_features=1, eps_edges=2, paper_mode=True))

    def test_labels_bounds_and_other_words(self):
        self.same(["--eps-features", 1, "--eps-labels", 3, "--bounds", "0,2", "--propagate", 2, "--feature-mechanism",
                   "multibit", "--issuer", "us"],
                  dict(eps_features=1, eps_labels=3, bounds=(0, 2), n_propagate=2, feature_mechanism="multibit", issuer="us"))

    def test_counts_of_neighbours(self):
        self.same(["--eps-features", 1, "--eps-edges", 1, "--edge-mechanism", "edgerr-node", "--blocks", "communities",
                   "--count-ends", 2],
                  dict(eps_features=1, eps_edges=1, edge_mechanism="edgerr-node", blocks="communities", count_ends="both"))

    def test_every_edge_mechanism_by_its_name(self):
        graph = heterorr.Graph.read(self.graph)
        for row in heterorr.edge_mechanisms():
            with self.subTest(row["name"]):
                spends = row["effect"] == "protect"
                release = heterorr.protect(graph, edge_mechanism=row["name"], feature_mechanism="featfree",
                                           eps_edges=2 if spends else None, paper_mode=not row["certified"], insecure_seed=3)
                self.assertEqual(release.n_nodes, 300)
                self.assertEqual(release.counts is not None, bool(row["has_counts"]))


class Words(unittest.TestCase):
    def test_what_public_facts_say_against_it_is_a_warning_before_anything_is_spent(self):
        graph = heterorr.generate(n_nodes=100, n_features=200, seed=1)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            heterorr.protect(graph, eps_features=0.1, feature_mechanism="featurerr", insecure_seed=1)
        cautions = [str(warning.message) for warning in said if warning.category is heterorr.Caution]
        self.assertTrue(cautions)
        self.assertNotIn("hrr_", " ".join(cautions))

    def test_notebooks_show_names_as_text(self):
        graph = heterorr.Graph.from_numpy([[0, 1], [1, 2]], n_nodes=3, private="all", name="<script>alert(1)</script>")
        release = heterorr.protect(graph, eps_edges=1, insecure_seed=1)
        shown = [release._repr_html_(), release.certificate._repr_html_(), heterorr.Table.of([{"<b>": "<i>"}])._repr_html_(),
                 heterorr.Figures({"<b>": {"x": "<i>"}})._repr_html_()]
        for html in shown:
            self.assertTrue(html.startswith("<"))
            for tag in ("<script", "<b>", "<i>"):
                self.assertNotIn(tag, html)
        self.assertIn("&lt;script&gt;", shown[0])
        self.assertIn("NOT PRIVATE", shown[1])

    def test_readers_say_what_they_decided(self):
        with tempfile.TemporaryDirectory() as where:
            path = pathlib.Path(where) / "pairs.csv"
            path.write_text("follower,followee\nann,bob\nbob,eve\n")
            self.assertIn("was read as column names;", heterorr.Graph.read(path).notes[0])
            self.assertEqual(list(heterorr.generate(n_nodes=50).notes), [])

    def test_signatures_are_checked(self):
        with tempfile.TemporaryDirectory() as where:
            for name in ("ours", "theirs"):
                heterorr.new_keys(f"{where}/{name}", f"{where}/{name}.pub")
            graph = heterorr.generate(n_nodes=50)
            release = heterorr.protect(graph, eps_features=1, insecure_seed=1)
            release.save(where + "/bundle", sign=where + "/ours")
            self.assertEqual(heterorr.verify(where + "/bundle", signer=where + "/ours.pub"), [])
            self.assertTrue(heterorr.verify(where + "/bundle", signer=where + "/theirs.pub"))
            (pathlib.Path(where) / "bundle" / "features.npy").write_bytes(b"forged")
            self.assertTrue(heterorr.verify(where + "/bundle"))
            with self.assertRaises(heterorr.CheckFailed):
                heterorr.open(where + "/bundle")


class Types(unittest.TestCase):
    def graph(self):
        nodes = np.arange(20)
        return heterorr.Graph.from_numpy([nodes, (nodes + 1) % 20], n_nodes=20, private="all")

    def test_a_release_is_not_protected_again(self):
        release = heterorr.protect(self.graph(), eps_edges=1, insecure_seed=1)
        with self.assertRaises(TypeError):
            heterorr.protect(release, eps_edges=1)

    def test_private_columns_stay_behind(self):
        release = heterorr.protect(self.graph(), eps_edges=1, insecure_seed=1)
        self.assertFalse(hasattr(release, "n_private_edges"))
        self.assertNotIn("private", release.to_numpy())

    def test_options_that_do_not_fit_are_refused_not_cut(self):
        for wishes in (dict(threads=2 ** 40), dict(n_bins=-1), dict(count_ends="three"), dict(count_ends=99),
                       dict(decoding=17), dict(no_such_option=1), dict(paper_mode="yes"), dict(mechanism="edgerr"),
                       dict(eps=3), dict(declared_public=1), dict(dry_run=True), dict(public="everything"),
                       dict(use="fun"), dict(eps_edges=True)):
            with self.subTest(wishes), self.assertRaises((TypeError, ValueError)):
                heterorr.protect(self.graph(), **{**dict(eps_edges=1, insecure_seed=1), **wishes})

    def test_a_slip_is_told_what_was_meant(self):
        with self.assertRaisesRegex(TypeError, "did you mean 'n_bins'"):
            heterorr.protect(self.graph(), eps_edges=1, nbins=4, insecure_seed=1)

    def test_budgets_are_exact_decimals(self):
        release = heterorr.protect(self.graph(), eps_edges=0.1, insecure_seed=1)
        self.assertEqual(release.summary["eps_edges"], 0.1)
        self.assertEqual(heterorr.protect(self.graph(), eps_edges="0.3", insecure_seed=1).summary["eps_edges"], 0.3)


if __name__ == "__main__":
    support.main()
