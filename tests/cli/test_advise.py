"""heterorr advise: the advice of a graph depends on nothing that is private."""
import json
import shutil

import numpy

from command import SANITIZED, CommandTest, unittest

FAST = ["--runs", "2", "--eps-edges", "1,4", "--threads", "1"]
FASTER = ["--runs", "2", "--eps-edges", "1", "--threads", "1"]  # where the table does not matter


class Advise(CommandTest):
    def setUp(self):
        super().setUp()
        self.graph = self.scratch / "graph"
        self.succeeds("generate", "--nodes", 80 if SANITIZED else 200, "--features", 8, "--private-fraction", .3, "-o", self.graph)

    def changed(self, *, features=False, private_edges=False):
        """A graph with the same public part."""
        other = self.scratch / "other" / "graph"
        shutil.rmtree(other.parent, ignore_errors=True)
        shutil.copytree(self.graph, other)
        random = numpy.random.default_rng(5)
        if features:
            values = numpy.load(other / "features.npy")
            numpy.save(other / "features.npy", random.random(values.shape).astype(values.dtype))
            (other / "masked_features.npy").unlink()
        if private_edges:
            edges, marks = numpy.load(other / "edges.npy"), numpy.load(other / "private.npy")
            keep = (marks == 0) | (random.random(len(marks)) < .2)
            numpy.save(other / "edges.npy", numpy.ascontiguousarray(edges[:, keep]))
            numpy.save(other / "private.npy", marks[keep])
            about = json.loads((other / "graph.json").read_text())
            about["n_edges"] = int(keep.sum())
            (other / "graph.json").write_text(json.dumps(about))
        return other

    @unittest.skipIf(SANITIZED, "half of this file's time; experiment/test_advice runs the code under the sanitizers")
    def test_a_head_is_rehearsed_without_private_features(self):
        head = self.scratch / "head.npz"
        numpy.savez(head, weight=numpy.eye(8, 4), bias=numpy.zeros(4))
        self.succeeds("generate", "--nodes", 300, "--features", 8, "--private-fraction", .3, "--homophily", .3, "--force", "-o",
                      self.graph)  # neighbours tell little
        words = ["--head", head, "--public", "head", "--head-right", ".99", "--label-rate", ".1", "--eps-features", "8"]
        runs = ["advise", "graph", "--runs", "4", "--eps-edges", "4", "--threads", "1"]  # two cannot show anything
        said = self.succeeds(*runs, *words, cwd=self.graph.parent).stdout
        other = self.changed(features=True, private_edges=True)
        self.assertEqual(said, self.succeeds(*runs, *words, cwd=other.parent).stdout)
        self.assertIn("-> from eps 8 on, such a head can say more than labels and public edges", said)
        self.assertIn("--feature-mechanism featurerr-head --eps-features 8", said)
        self.succeeds(*said.splitlines()[-1].split()[1:], "--dry-run", cwd=self.graph.parent)
        poor = self.advice(self.graph, "--head-right", ".26", "--eps-features", ".5")
        self.assertIn("-> spend nothing on features", poor)
        self.assertIn("--feature-mechanism featfree", poor)
        answer = self.json("advise", self.graph, *FAST, *words)
        self.assertEqual(answer["eps_head"], "8")
        self.assertEqual({row["treatment"] for row in answer["head"] if row["spends"]}, {"featurerr-head"})
        for code, says, *more in ((2, "above 0.25", "--head-right", ".25"),
                                  (2, "will be protected", "--head-right", ".9", "--eps-labels", "1"),
                                  (2, "no private features", "--head-right", ".9", "--public-features")):
            self.fails(code, "advise", self.graph, *FAST, *more, says=says)

    def advice(self, graph, *more):
        done = self.succeeds("advise", "graph", *FAST, *more, cwd=graph.parent)
        return done.stdout + done.stderr

    usual = None

    def usual_advice(self):
        """Of the graph as setUp() makes it; every test makes the same one."""
        Advise.usual = Advise.usual or self.advice(self.graph)
        return self.usual

    def test_it_says_why_features_cannot_pay(self):
        for homophily, pays in ((.97, False), (.25, True)):
            self.succeeds("generate", "--nodes", 400, "--avg-degree", 16, "--features", 8, "--private-fraction", .1, "--homophily",
                          homophily, "--force", "-o", self.graph)
            row, = self.json("advise", self.graph, *FASTER, "--eps-features", "1")["features"]
            self.assertEqual(row["can_pay"], pays)
            self.assertLessEqual(row["most_right"], 1)
            self.assertEqual(row["settled"] > .9, not pays)
            if not pays:
                said = self.succeeds("advise", self.graph, *FASTER, "--eps-features", "1").stdout
                self.assertIn("features cannot pay here, because labels and edges already determine the class", said)

    def test_nothing_private_shows(self):
        said = self.usual_advice()
        self.assertIn("already decide the guess", said)
        self.assertIn("featfree+public-only", said)
        self.assertIn("--head-right P rehearses it", said)
        self.assertEqual(said, self.advice(self.changed(features=True)))
        self.assertEqual(said, self.advice(self.changed(private_edges=True)))

    def test_results_of_the_private_graph_stay_out(self):
        """Somebody's file may hold what compare found on the whole graph."""
        rows = self.scratch / "rows.csv"
        self.succeeds("compare", "learning", self.graph, "--mechanisms", "edgerr", "--eps-edges", 1, "--runs", 2, "-o", rows)
        self.assertEqual(self.advice(self.graph, "-o", rows), self.usual_advice())

    def test_a_release_that_is_not_private_is_called_so(self):
        bundle, words = self.scratch / "bundle", FASTER
        self.succeeds("protect", self.graph, "-o", bundle, "--mode", "paper", "--feature-mechanism", "none",
                      "--edge-mechanism", "none")
        self.assertIn("is NOT PRIVATE", self.succeeds("advise", bundle, *words).stderr)

    def test_a_long_name(self):
        name = "./" * 600 + "graph"
        done = self.succeeds("advise", name, "--runs", 2, "--eps-edges", 1, cwd=self.graph.parent)
        self.assertIn(f"heterorr protect {name} -o BUNDLE", done.stdout + done.stderr)

    def test_what_the_format_leaves_open_is_said(self):
        """As wide as the largest feature id needs, nodes that only private rows name, edges that are
        not marked: the advice shows them, so it says so."""
        other = self.changed()
        path = other / "graph.json"
        about = json.loads(path.read_text())
        self.assertEqual(self.succeeds("advise", other, *FASTER, "--json").stderr, "")
        for bit, says in ((1, "nodes are those"), (4, "number of features")):
            path.write_text(json.dumps({**about, "inferred": bit}))
            self.assertIn(says, self.succeeds("advise", other, *FASTER, "--json").stderr)
        self.assertEqual(self.succeeds("advise", other, *FASTER, "--json", "--public-features").stderr, "")
        path.write_text(json.dumps(about))
        (other / "private.npy").unlink()
        self.assertIn("the graph marks no edge as private,", self.succeeds("advise", other, *FASTER, "--json").stderr)
        self.assertNotIn("marks no edge", self.succeeds("advise", other, *FASTER, "--json", "--public", "edges").stderr)
        self.fails(2, "advise", other, "--public", "edegs", says="--public: there is no 'edegs'")

    def test_public_features_are_used(self):
        said = self.advice(self.graph, "--public-features")
        self.assertNotIn("featfree+", said)
        self.assertIn("--feature-mechanism none", said)
        self.assertNotEqual(said, self.advice(self.changed(features=True), "--public-features"))

    def test_a_bundle_has_public_features(self):
        self.succeeds("protect", "graph", "-o", "bundle", "--eps-features", 2, cwd=self.scratch)
        said = self.json("advise", "bundle", *FAST, cwd=self.scratch)
        self.assertEqual({row["treatment"].split("+")[0] for row in said["edges"]} & {"featfree"}, set())
        self.assertIsNone(said["eps_features"])
        self.assertIsNone(said["command"])  # it would be about a graph that is not here
        self.assertIn("graph that bundle was made from", self.succeeds("advise", "bundle", *FAST, cwd=self.scratch).stdout)

    def test_the_command_it_ends_with_works(self):
        said = self.json("advise", "graph", *FAST, cwd=self.scratch)
        self.succeeds(*said["command"].split()[1:], cwd=self.scratch)
        self.assertTrue((self.scratch / "BUNDLE" / "certificate.json").exists())

    def test_it_says_where_it_cannot_know(self):
        """No public edge, too few, labels that are to be protected: no table and no recommendation."""
        for words, why in ((["--private-fraction", "1"], "no public edge to rehearse with"),
                           (["--private-fraction", ".97"], "public edges are too few to rehearse with"),
                           (["--eps-labels", "1"], "labels are to be protected")):
            with self.subTest(why):
                (self.graph / "private.npy").unlink(missing_ok=True)
                said = self.advice(self.graph, *words)
                self.assertIn("public data cannot show", said)
                self.assertIn(why, said)
                self.assertNotIn("were hidden", said)
                self.assertNotIn("heterorr protect", said)
                self.assertIn("heterorr compare learning graph", said)
                answer = self.json("advise", self.graph, *FAST, *words)
                self.assertTrue(answer["cannot_know"])
                self.assertEqual((answer["edges"], answer["edge_mechanism"], answer["eps_edges"]), ([], None, None))
        self.fails(2, "advise", self.graph, "--eps-labels", "x", says="--eps-labels")

    def test_labels_to_be_protected_do_not_show(self):
        def with_other_labels(*words):
            other = self.changed()
            numpy.save(other / "labels.npy", numpy.load(other / "labels.npy")[::-1].copy())
            return self.advice(other, *words)

        self.assertEqual(self.advice(self.graph, "--eps-labels", "1"), with_other_labels("--eps-labels", "1"))
        said = self.usual_advice()
        self.assertIn("Networks learned from the labels", said)
        self.assertNotEqual(said, with_other_labels())

    def test_rows_are_kept_if_asked(self):
        self.succeeds("advise", "graph", *FAST, "-o", "runs.csv", cwd=self.scratch)
        rows = (self.scratch / "runs.csv").read_text().splitlines()
        self.assertGreater(len(rows), 10)
        self.succeeds("advise", "graph", *FAST, "-o", "runs.csv", cwd=self.scratch)
        self.assertEqual(rows, (self.scratch / "runs.csv").read_text().splitlines())
        self.succeeds("advise", "graph", *FAST, "-o", 300 * "./" + "long.csv", cwd=self.scratch)
        self.assertEqual(len(rows), len((self.scratch / "long.csv").read_text().splitlines()))

    def test_bad_requests(self):
        self.fails(2, "advise", self.graph, "--private-share", 0, says="between 0 and 1")
        self.fails(2, "advise", self.graph, "--eps-edges", "x", says="eps-edges")

    def without_labels(self, graph):
        (graph / "labels.npy").unlink()
        about = json.loads((graph / "graph.json").read_text())
        for key in ("n_classes", "multilabel"):
            about.pop(key, None)
        (graph / "graph.json").write_text(json.dumps(about))
        (graph / "split.npy").unlink(missing_ok=True)

    def test_a_graph_without_labels_is_advised_by_purpose(self):
        """A rehearsal on public edges; nothing private shows, whatever the results file holds."""
        self.without_labels(self.graph)
        words = ["--runs", "3", "--eps-edges", "1,8", "--threads", "1", "--private-share", ".5"]
        answer = self.json("advise", "graph", *words, cwd=self.scratch)
        self.assertIsNone(answer["cannot_know"])
        purposes = ["degrees", "clustering", "paths", "communities", "walks"]
        self.assertEqual([p["purpose"] for p in answer["purposes"]], purposes)
        self.assertEqual({row["mechanism"] for row in answer["structure"]},
                         {"edgerr", "edgerr-node", "edgerr-degrees", "edgerr-links", "public-only"})
        for purpose in answer["purposes"]:
            name = purpose["purpose"]
            nearer = [(float(row["eps_edges"]), row["statistics"][name]["mean"], row["mechanism"]) for row in answer["structure"]
                      if row["spends"] and row["statistics"][name]["test"]["verdict"] == "nearer"]
            chosen = (purpose["edge_mechanism"], purpose["eps_edges"] and float(purpose["eps_edges"]))
            self.assertEqual(chosen, (min(nearer)[2], min(nearer)[0]) if nearer else (None, None), name)
            if purpose["command"]:
                self.succeeds(*purpose["command"].split()[1:], "--dry-run", cwd=self.scratch)
        self.assertTrue(any(p["command"] for p in answer["purposes"]))
        said = self.succeeds("advise", "graph", *words, cwd=self.scratch)
        rows = self.scratch / "rows.csv"
        self.succeeds("compare", "structure", self.graph, "--mechanisms", "edgerr", "--eps-edges", "1,8", "--runs", 3,
                      "--private-fractions", ".5", "-o", rows)
        for graph, more in ((self.changed(private_edges=True), ()), (self.graph, ("-o", rows))):
            again = self.succeeds("advise", "graph", *words, *more, cwd=graph.parent)
            self.assertEqual((said.stdout, said.stderr), (again.stdout, again.stderr))

    def test_without_labels_or_public_edges_there_is_what_others_measured(self):
        self.without_labels(self.graph)
        (self.graph / "private.npy").unlink()
        words = ["advise", "graph", "--all-private", *FAST]
        answer = self.json(*words, cwd=self.scratch)
        self.assertIn("too few public edges", answer["cannot_know"])
        self.assertEqual(answer["structure"], [])
        said = self.succeeds(*words, cwd=self.scratch).stdout
        self.assertIn("no public edge to rehearse with", said)
        for purpose in answer["purposes"]:
            self.assertIn(purpose["purpose"], said)
            if purpose["command"]:
                self.assertIn(purpose["command"], said)
                self.succeeds(*purpose["command"].split()[1:], "--dry-run", cwd=self.scratch)


if __name__ == "__main__":
    unittest.main()
