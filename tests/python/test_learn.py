"""Training, prediction, attacks, audits and comparisons say what the command and other programs say."""
import json
import pathlib
import subprocess
import tempfile
import unittest

import support
import numpy as np

import heterorr


def run(*words):
    done = subprocess.run([support.command(), *map(str, words), "--json"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


class Command(unittest.TestCase):
    """The same numbers as the command."""

    @classmethod
    def setUpClass(cls):
        cls.where = tempfile.TemporaryDirectory()
        place = pathlib.Path(cls.where.name)
        cls.path, cls.bundle, cls.model = place / "graph", place / "bundle", place / "model"
        heterorr.generate(n_nodes=400, average_degree=6, n_features=8, n_classes=3, seed=5).write(cls.path)
        cls.graph = heterorr.Graph.read(cls.path)
        cls.release = heterorr.protect(cls.graph, eps_features=6, insecure_seed=2, bundle=cls.bundle)

    @classmethod
    def tearDownClass(cls):
        cls.where.cleanup()

    def test_generate_is_the_commands(self):
        other = pathlib.Path(self.where.name) / "generated"
        run("generate", "--nodes", 400, "--avg-degree", 6, "--features", 8, "--classes", 3, "--seed", 5, "-o", other)
        self.assertEqual(heterorr.Graph.read(other).features.tolist(), self.graph.features.tolist())

    def test_training_prediction_and_attack_are_the_commands(self):
        said = run("train", self.bundle, "-o", self.model, "--epochs", 30, "--seed", 3, "--threads", 1)
        model = heterorr.train(heterorr.open(self.bundle), epochs=30, seed=3, threads=1)
        self.assertAlmostEqual(model.summary.test["accuracy"], said["test"]["accuracy"])
        again = heterorr.Model.read(self.model)
        for ours, theirs in zip(model.weights, again.weights):
            self.assertEqual(ours.tolist(), theirs.tolist())
        self.assertEqual((model.private, model.statement), (again.private, again.statement))
        scores = pathlib.Path(self.where.name) / "scores.npy"
        run("predict", self.model, self.bundle, "-o", scores)
        self.assertEqual(np.load(scores).tolist(), heterorr.predict(model, self.release).tolist())
        said = run("attack", "linkteller", self.model, self.bundle, "--truth", self.path, "--samples", 100, "--seed", 4)
        found = heterorr.linkteller(model, self.release, self.graph, n_samples=100, seed=4)
        self.assertAlmostEqual(found.auc, said["auc"])
        self.assertAlmostEqual(found.average_precision, said["average_precision"])

    def test_an_audit_is_the_commands(self):
        said = run("audit", "multibit", "--trials", 20000, "--seed", 9)
        rows = heterorr.audit("multibit", trials=20000, seed=9)
        self.assertEqual([row["lower_bound"] for row in said["rows"]], [max(x, 0) for x in rows["lower_bound"].tolist()])
        self.assertEqual(set(rows["verdict"].tolist()), {"holds"})

    def test_a_comparison_continues_and_has_controls(self):
        results = pathlib.Path(self.where.name) / "results.csv"
        wishes = dict(eps_features=[4], runs=2, results=results, seed=3, epochs=10, bounds=(0, 1))
        means = heterorr.compare(self.graph, ["multibit"], **wishes)
        treatments = set(means["treatment"].tolist())
        self.assertTrue({"multibit", "majority", "non-private"} <= treatments, treatments)
        lines = results.read_text().count("\n")
        heterorr.compare(self.graph, ["multibit"], **wishes)
        self.assertEqual(results.read_text().count("\n"), lines)


class OwnModel(unittest.TestCase):
    """A model of one's own behind a callback."""

    @classmethod
    def setUpClass(cls):
        cls.graph = heterorr.generate(n_nodes=200, average_degree=6, n_features=6, n_classes=3, seed=1)
        cls.release = heterorr.Release.non_private(cls.graph)
        n = cls.graph.n_nodes
        cls.adjacency = np.zeros((n, n))
        first, second = cls.graph.edge_index
        cls.adjacency[first, second] = cls.adjacency[second, first] = 1

    def test_the_librarys_own_model_behind_a_callback_leaks_as_much(self):
        model = heterorr.train(self.release, epochs=30)
        inside = heterorr.linkteller(model, self.release, self.graph, n_samples=80, runs=2, seed=3, differences=True)
        outside = heterorr.linkteller(
            lambda features: heterorr.predict(model, self.release, features=features, logits=True), self.release, self.graph,
            n_samples=80, runs=2, seed=3)
        self.assertGreater(inside.auc, 0.8)
        self.assertAlmostEqual(inside.auc, outside.auc, delta=0.01)  # float32 predictions, float64 inside
        self.assertEqual(inside.verdict["verdict"], outside.verdict["verdict"])
        self.assertEqual(outside.verdict["verdict"], "leaks")

    def test_a_model_that_looks_at_no_edge_leaks_nothing(self):
        found = heterorr.linkteller(lambda features: features[:, :3], self.release, self.graph, n_samples=150, runs=3, seed=9)
        self.assertEqual(found.auc, 0.5)
        self.assertEqual(found.verdict["verdict"], "public-knowledge")

    def test_a_head_is_learnt_from_what_is_declared_public(self):
        for undeclared in ((), ["nodes", "classes"]):
            with self.assertRaisesRegex(heterorr.InvalidRequest, r'nothing was learned.*public=\["head"\]'):
                heterorr.Head.from_graphs([self.graph], public=undeclared)
        with self.assertRaises(heterorr.InvalidRequest):  # before anything is looked at
            heterorr.Head.from_graphs([None])
        self.assertEqual(heterorr.Head.from_graphs([self.graph], public="head").predict(self.graph.features).shape[0], 200)

    def test_a_model_that_adds_up_neighbours_is_seen_through(self):
        found = heterorr.linkteller(lambda features: self.adjacency @ features, self.release, self.graph, n_samples=60, runs=1)
        self.assertEqual(found.auc, 1.0)
        self.assertEqual(found.n_nodes, 60)

    def test_exceptions_of_the_model_arrive(self):
        asked = []

        def fails(features):
            asked.append(1)
            if len(asked) == 5:
                raise LookupError("out of order")
            return features

        with self.assertRaises(LookupError):
            heterorr.linkteller(fails, self.release, self.graph, n_samples=60, runs=1)

    def test_answers_of_the_wrong_shape_are_refused(self):
        widths = iter([3, 3, 2])
        for wrong in (lambda x: x[0], lambda x: x[:5], lambda x: x[:, :0], lambda x: x[:, :next(widths)]):
            with self.assertRaises(ValueError):
                heterorr.linkteller(wrong, self.release, self.graph, n_samples=60, runs=1)
        with self.assertRaises(heterorr.BadInput):
            heterorr.linkteller(lambda x: x * np.nan, self.release, self.graph, n_samples=60, runs=1)


class Refusals(unittest.TestCase):
    def test_what_wants_a_release_refuses_a_graph_and_says_why(self):
        graph = heterorr.generate(n_nodes=100, seed=1)
        release = heterorr.Release.non_private(graph)
        model = heterorr.train(release, epochs=1)
        for use in (lambda: heterorr.train(graph), lambda: heterorr.predict(model, graph),
                    lambda: heterorr.linkteller(model, graph, graph), lambda: heterorr.add_counts(np.zeros((100, 4)), graph)):
            with self.assertRaises(heterorr.PrivateData) as caught:
                use()
            self.assertIn("A Graph is private", str(caught.exception))
            self.assertIsInstance(caught.exception, TypeError)
        for use in (lambda: heterorr.compare(release, ["edgerr"]), lambda: heterorr.linkteller(model, release, release),
                    lambda: heterorr.train("graph"), lambda: heterorr.predict(3, release)):
            with self.assertRaises(TypeError):
                use()

    def test_what_was_trained_on_the_reference_says_so(self):
        model = heterorr.train(heterorr.Release.non_private(heterorr.generate(n_nodes=100, seed=1)), epochs=1)
        self.assertFalse(model.private)


class Metrics(unittest.TestCase):
    @unittest.skipUnless(support.has("sklearn"), "sklearn is not installed")
    def test_measure_agrees_with_scikit_learn(self):
        from sklearn.metrics import accuracy_score, f1_score, roc_auc_score
        random = np.random.default_rng(3)
        scores, labels = random.random((300, 4)).astype(np.float32), random.integers(0, 4, 300)
        found = heterorr.measure(scores, labels)
        guess = scores.argmax(axis=1)
        self.assertAlmostEqual(found.accuracy, accuracy_score(labels, guess))
        self.assertAlmostEqual(found.f1_macro, f1_score(labels, guess, average="macro"))
        self.assertAlmostEqual(found.auc, roc_auc_score(np.eye(4)[labels], scores, average="macro"))
        mask = labels > 0
        self.assertAlmostEqual(heterorr.measure(scores, labels, nodes=mask).accuracy, accuracy_score(labels[mask], guess[mask]))


class OnArrays(unittest.TestCase):
    X = np.random.default_rng(1).random((400, 3))

    def test_every_feature_mechanism_by_its_name(self):
        for row in heterorr.feature_mechanisms():
            with self.subTest(row["name"]):
                options = {}
                if row["needs_directions"]:
                    options["directions"] = np.eye(3)[:2]
                if row["needs_delta"]:
                    options["delta"] = 1e-5
                if row["needs_head"]:
                    options["head"] = heterorr.Head.train(self.X, np.arange(400) % 2, epochs=2)
                bounds = (0, 1) if row["needs_bounds"] else None
                eps = 2 if row["effect"] == "protect" else None
                plan = heterorr.FeaturePlan(3, eps, row["name"], bounds=bounds, **options)
                found = plan.apply(self.X, insecure_seed=1)
                self.assertEqual(found.shape, (400, plan.claim.n_features_out))
                again = heterorr.randomise(self.X, eps, row["name"], bounds=bounds, insecure_seed=1, **options)
                self.assertEqual(found.tobytes(), again.tobytes())
                if row["needs_bounds"]:
                    with self.assertRaises(heterorr.InvalidRequest):
                        heterorr.randomise(self.X, eps, row["name"], **options)

    def test_every_edge_mechanism_by_its_name(self):
        nodes = np.arange(30)
        public, private = np.stack([nodes, (nodes + 1) % 30]), np.stack([nodes[:10], nodes[:10] + 15])
        for row in heterorr.edge_mechanisms():
            with self.subTest(row["name"]):
                found = heterorr.randomise_edges(public, private, 30, 2 if row["effect"] == "protect" else None, row["name"],
                                                 insecure_seed=1)
                self.assertEqual(found.edges.shape[0], 2)
                self.assertEqual("block_counts" in found, bool(row["has_counts"]))

    def test_fresh_noise_each_time_unless_a_seed_is_named(self):
        draw = lambda **how: heterorr.featurerr(self.X, 1, bounds=(0, 1), **how).tobytes()  # noqa: E731
        self.assertEqual(draw(insecure_seed=4), draw(insecure_seed=4))
        self.assertNotEqual(draw(insecure_seed=4), draw(insecure_seed=5))
        self.assertNotEqual(draw(), draw())
        random = heterorr.Random(insecure_seed=4)
        self.assertNotEqual(draw(random=random), draw(random=random))  # children, never the same draws twice
        with self.assertRaises(heterorr.InvalidRequest):
            draw(random=random, insecure_seed=1)

    def test_results_belong_to_the_caller(self):
        found = heterorr.featurerr(self.X, 1, bounds=(0, 1))
        found[0, 0] = 7
        self.assertEqual(found[0, 0], 7)
        self.assertFalse((found[1:] == 7).any())

    def test_large_arrays_take_the_long_way_to_the_same_numbers(self):
        large = np.tile(self.X, (1000, 1))
        self.assertEqual(heterorr.featurerr(large, 1, bounds=(0, 1), insecure_seed=1)[:400].tolist(),
                         heterorr.featurerr(self.X, 1, bounds=(0, 1), insecure_seed=1).tolist())

    def test_wrong_arrays_are_refused(self):
        for wrong in (np.full((4, 3), np.nan), np.zeros((4, 3), complex), np.zeros((2, 2, 2)), np.zeros((4, 3), object)):
            with self.subTest(wrong.dtype), self.assertRaises((TypeError, ValueError)):
                heterorr.featurerr(wrong, 1, bounds=(0, 1))
        plan = heterorr.FeaturePlan(3, 1, bounds=(0, 1))
        with self.assertRaises(heterorr.InvalidRequest):
            plan.apply(np.zeros((4, 2)))
        for wrong in ([5, -2], [[0, 1]], [0.5], [3]):
            with self.subTest(wrong), self.assertRaises((TypeError, ValueError)):
                heterorr.randomise_labels(wrong, 1, 3)


if __name__ == "__main__":
    support.main()
