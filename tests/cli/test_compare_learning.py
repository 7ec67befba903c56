"""compare learning: networks trained on releases. Rows, controls, what the summary says
(recomputed from the rows with scipy where it is installed), going on after Ctrl-C, bad requests."""
import collections
import csv
import json
import math
import signal
import subprocess
import time
import unittest

import numpy

from command import CommandTest, heterorr

try:
    import scipy.stats
except ImportError:
    scipy = None

QUICK = ["--hidden", "8", "--epochs", "30"]


class CompareTraining(CommandTest):
    def graph(self, *words, nodes=150):
        self.succeeds("generate", "--nodes", nodes, "--avg-degree", "6", "--features", "10",
                      "--classes", "3", *words, "-o", self.scratch / "graph", "--force")
        return self.scratch / "graph"

    def test_unprotected_features_of_any_size_are_learnt_from(self):
        """Salaries as they are drown a network: it has what the same features between 0 and 1 give."""
        right = {}
        for top in (1, 50000):
            graph, path = self.graph("--private-fraction", ".3", nodes=400), self.scratch / f"{top}.csv"
            features = numpy.load(graph / "features.npy")
            numpy.save(graph / "features.npy", (features * top).astype(numpy.float32))
            facts = json.loads((graph / "graph.json").read_text())
            facts["feature_bounds"] = [0, top]
            (graph / "graph.json").write_text(json.dumps(facts))
            self.succeeds("compare", "learning", graph, "--mechanisms", "multibit", "--eps-features", "1", "--runs", "2", "-o", path)
            rows = [row for row in self.rows(path) if row["treatment"] in ("non-private", "mlp")]
            self.assertEqual({row["scale"] for row in rows}, {"none" if top == 1 else "standard"})
            right[top] = sum(float(row["test_accuracy"]) for row in rows) / len(rows)
        self.assertGreater(right[50000], right[1] - .05)

    def rows(self, path):
        with path.open() as file:
            return list(csv.DictReader(file))

    def test_a_row_has_every_setting(self):
        path = self.scratch / "r.csv"
        answer = self.json("compare", "learning", self.graph(), "--mechanisms", "featurerr,edgerr",
                           "--eps-features", "1", "--eps-edges", "2.5", "--private-fractions", ".3",
                           "--runs", "2", "--seed", "5", "--lr", ".02", "-o", path, *QUICK)
        rows = self.rows(path)
        self.assertEqual(len(rows), 2 * 16)
        self.assertEqual(answer["metric"], "accuracy")
        by_name = collections.defaultdict(list)
        for row in rows:
            by_name[row["treatment"]].append(row)
        self.assertEqual(sorted(by_name), ["edgerr", "featfree", "featfree-rows", "featfree-rows+public-only", "featurerr",
                                           "free", "free+public-only", "label-propagation", "label-propagation+public-only", "majority", "mlp",
                                           "non-private", "predicted-links", "public-best", "public-only"])
        row = by_name["edgerr"][0]
        expected = {"graph": "generated", "nodes": "150", "feature_mechanism": "none", "arch": "gcn",
                    "edge_mechanism": "edgerr", "tree": "public", "eps_features": "0",
                    "eps_edges": "2.5", "private_fraction": "0.3", "hidden": "8", "layers": "2",
                    "lr": "0.02", "epochs": "30", "patience": "50", "dropout": "0.5",
                    "weight_decay": "0.0005", "aggregation": "symmetric", "split": "0.5:0.25",
                    "status": "ok", "realised_eps_features": "inf"}
        self.assertEqual({key: row[key] for key in expected}, expected)
        self.assertAlmostEqual(float(row["realised_eps_edges"]), 2.5, places=3)
        self.assertEqual({row["seed"] for row in rows}, {"5", "6"})
        self.assertEqual(by_name["mlp"][0]["arch"], "mlp")
        guess = by_name["majority"][0]
        self.assertEqual([guess[key] for key in ("arch", "private_fraction", "ran_epochs", "test_auc",
                                                 "realised_eps_features", "realised_eps_edges")],
                         ["majority", "any", "0", "0.5", "0", "0"])
        self.assertEqual(by_name["featurerr"][0]["propagate"], "4")
        for row in rows:
            self.assertEqual(int(row["seed"]), 5 + int(row["run"]))
            self.assertTrue(0 <= float(row["test_accuracy"]) <= 1)
            self.assertEqual(int(row["test_nodes"]), 37)

    @unittest.skipUnless(scipy, "scipy is not installed")
    def test_the_summary_is_what_scipy_makes_of_the_rows(self):
        path = self.scratch / "r.csv"
        request = ["compare", "learning", self.graph(), "--mechanisms", "multibit,multibit+edgerr-node,edgerr",
                   "--eps-features", "2,8", "--eps-edges", "4", "--private-fractions", ".3,.7",
                   "--runs", "6", "-o", path, *QUICK]
        answer = self.json(*request, "--metric", "f1_macro")
        values = collections.defaultdict(dict)
        for row in self.rows(path):
            key = tuple(row[k] for k in ("treatment", "eps_features", "eps_edges",
                                         "private_fraction", "propagate"))
            values[key][row["seed"]] = float(row["test_f1_macro"])
        keys = [tuple(mean[k] for k in ("treatment", "eps_features", "eps_edges",
                                        "private_fraction", "propagate"))
                for mean in answer["means"]]
        self.assertEqual(sorted(keys), sorted(values))
        tests, corrected = [], 0
        for key, mean in zip(keys, answer["means"]):
            sample = list(values[key].values())
            average = sum(sample) / len(sample)
            self.assertAlmostEqual(mean["mean"], average, places=12)
            half_width = scipy.stats.t.ppf(.975, len(sample) - 1) * scipy.stats.sem(sample)
            self.assertAlmostEqual(mean["half_width"], half_width, places=9)
            self.assertEqual(mean["test"] is not None, mean["spends"])
            for kind in ("test", "edge_test", "feature_test"):
                test = mean[kind]
                if not test:
                    continue
                control = values[keys[test["control"]]]
                pairs = [(value, control[seed]) for seed, value in values[key].items()]
                self.assertEqual(test["pairs"], 6)
                self.assertAlmostEqual(test["difference"],
                                       sum(a - b for a, b in pairs) / 6, places=12)
                gaps = [a - b for a, b in pairs]
                self.assertAlmostEqual(test["half_width"], scipy.stats.t.ppf(.975, 5) * scipy.stats.sem(gaps), places=9)
                p = scipy.stats.ttest_rel(*zip(*pairs)).pvalue
                if not math.isnan(p):
                    self.assertAlmostEqual(test["p"], p, places=9)
                    # Below the best of several controls: the choice is corrected for.
                    chosen = test["controls"] if test["difference"] < 0 else 1
                    corrected += chosen > 1
                    tests.append((min(1, chosen * p), test["p_adjusted"]))
        self.assertGreater(corrected, 0)
        # Holm: the largest so far of (n - rank) p.
        tests.sort()
        largest = 0
        for rank, (p, adjusted) in enumerate(tests):
            largest = max(largest, min(1, (len(tests) - rank) * p))
            self.assertAlmostEqual(adjusted, largest, places=9)
        self.check_controls(keys, answer["means"])

    def check_controls(self, keys, means):
        """The best of those that spend nothing and see nothing that is private in the setting."""
        whole = {"featfree", "featfree-rows", "label-propagation", "free"}
        public = {f"{name}+public-only" for name in whole}
        allowed = {"multibit": whole, "multibit+mlp": whole, "edgerr": {"public-only", "mlp", "public-best", "predicted-links"} | public,
                   "multibit+public-only": public, "multibit+public-best": public, "multibit+predicted-links": public,
                   "multibit+edgerr-node": public, "featfree+edgerr-node": public}
        without = {"multibit+mlp", "multibit+public-only", "multibit+public-best", "multibit+predicted-links"}  # nothing of private edges
        for key, mean in zip(keys, means):
            self.assertEqual(mean["spends"], float(key[1]) > .001 or float(key[2]) > 0, key)
            if not mean["spends"]:
                continue
            # The same features at a budget that buys nothing are free as well.
            at_nothing = set() if key[0].startswith("featfree") else without
            if key[0] in ("multibit", "multibit+mlp"):
                at_nothing = without | {"multibit"}
            free = [i for i, (other_key, other) in enumerate(zip(keys, means))
                    if other_key[3] in ("any", key[3]) and not other["spends"] and
                    (other_key[0] in allowed[key[0]] | {"majority"} or
                     other_key[0] in at_nothing and other_key[1] == "0.001")]
            control = mean["test"]["control"]
            self.assertIn(control, free, key)
            self.assertEqual(means[control]["mean"], max(means[i]["mean"] for i in free))
            self.assertEqual(mean["edge_test"] is not None,
                             key[0] == "multibit+edgerr-node" and float(key[1]) > .001)
            if mean["edge_test"]:
                half = keys[mean["edge_test"]["control"]]
                self.assertIn(half[0], without)
                self.assertEqual(half[1], key[1])
                half = keys[mean["feature_test"]["control"]]
                self.assertIn((half[0], half[1]), {("featfree+edgerr-node", "0"),
                                                   ("multibit+edgerr-node", "0.001")})
                self.assertEqual(half[2], key[2])

    def test_it_goes_on_after_an_interruption(self):
        path = self.scratch / "r.csv"
        words = ["compare", "learning", self.graph(nodes=2000), "--mechanisms", "duchi,piecewise,hybrid",
                 "--eps-features", "1,2", "--runs", "40", "-o", path, "--hidden", "16",
                 "--patience", "0"]
        process = self.start(*words, stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and (not path.exists() or
                                               path.read_text().count("\n") < 4):
            time.sleep(.05)
        self.assertIsNone(process.poll(), "it ended before it could be interrupted")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, err)
        self.assertIn("continues", err)
        before = path.read_text()
        self.assertTrue(before.endswith("\n"))
        finished = self.rows(path)
        self.assertLess(len(finished), 40 * 9)
        # The runs that are missing, and those only: ask for as many as the interruption left begun.
        words[words.index("40")] = "2"
        self.succeeds(*words)
        self.assertTrue(path.read_text().startswith(before))
        rows = self.rows(path)
        seen = collections.Counter((row["treatment"], row["eps_features"], row["run"])
                                   for row in rows)
        self.assertEqual(max(seen.values()), 1)
        self.assertTrue({run for _, _, run in seen} >= {"0", "1"})

    def test_several_labels_and_a_split_of_its_own(self):
        graph = self.graph("--multilabel", "--graphs", "4", "--private-fraction", ".3", nodes=200)
        path = self.scratch / "r.csv"
        answer = self.json("compare", "learning", graph, "--mechanisms", "multibit+edgerr-node-edges",
                           "--eps-features", "4", "--eps-edges", "2", "--runs", "2", "-o", path,
                           *QUICK)
        self.assertEqual(answer["metric"], "f1_micro")
        rows = self.rows(path)
        self.assertEqual({row["split"] for row in rows}, {"own"})
        self.assertEqual({row["private_fraction"] for row in rows}, {"any", "as marked"})
        self.json("compare", "learning", graph, "--mechanisms", "mlp", "--split", ".4,.3", "--runs", "1", "-o",
                  path, *QUICK)
        self.assertEqual({row["split"] for row in self.rows(path)}, {"own", "0.4:0.3"})

    def test_reports_of_a_head_join_what_is_free(self):
        graph, path, head = self.graph(), self.scratch / "r.csv", self.scratch / "head.npz"
        self.succeeds("head", graph, "--public", "head", "-o", head)
        words = ["compare", "learning", graph, "--mechanisms", "featurerr-head", "--eps-features", "2",
                 "--runs", "1", "--epochs", "3", "-o", path]
        self.fails(2, *words, says="needs a public head (--head)")
        self.succeeds(*words, "--head", head)
        rows = {(row["treatment"], row["eps_features"]): row for row in self.rows(path)}
        self.assertIn(("free", "0"), rows)
        self.assertEqual(rows["featurerr-head", "2"]["directions"], "head.npz")
        self.assertEqual(rows["featurerr-head", "2"]["realised_eps_features"], "2")
        self.assertEqual(rows["head-noiseless", "0"]["realised_eps_features"], "inf")
        # Spending next to nothing is as good as what is free.
        self.assertIn(("featurerr-head", "0.001"), rows)

    def test_volunteers_are_a_control_of_their_own(self):
        graph, path = self.graph(), self.scratch / "r.csv"
        words = ["compare", "learning", graph, "--mechanisms", "featurerr-head", "--eps-features", "2",
                 "--runs", "2", "--epochs", "3", "-o", path]
        self.fails(2, *words, "--volunteers", "2", says="--volunteers")
        numpy.savez(self.scratch / "h.npz", weight=numpy.zeros((numpy.load(graph / "features.npy").shape[1], 3)),
                    bias=numpy.zeros(3))
        self.fails(2, *words, "--volunteers", ".1", "--head", self.scratch / "h.npz", says="leave one of them out")
        self.fails(2, "compare", "learning", graph, "--mechanisms", "volunteers", "-o", path, says="needs a share of volunteers (--volunteers)")
        answer = self.json(*words, "--volunteers", ".1")
        rows = {(row["treatment"], row["eps_features"]): row for row in self.rows(path)}
        self.assertEqual(rows["featurerr-head", "2"]["directions"], "volunteers")
        self.assertEqual(rows["volunteers", "0"]["realised_eps_features"], "0")
        self.assertTrue(rows["volunteers", "0"]["split"].endswith(" with 0.1 volunteers"))
        # It is among the controls that a budget has to beat, and those of other sweeps are not.
        tests = [m["test"] for m in answer["means"] if m["spends"]]
        without = self.json("compare", "learning", graph, "--mechanisms", "multibit", "--eps-features", "2", "--runs", "2",
                            "--epochs", "3", "-o", self.scratch / "other.csv")
        others = [m["test"] for m in without["means"] if m["spends"]]
        self.assertEqual({t["controls"] for t in tests}, {t["controls"] + 1 for t in others})

    def test_directions_are_for_those_who_project(self):
        graph, path = self.graph(), self.scratch / "r.csv"
        words = ["compare", "learning", graph, "--mechanisms", "featurerr-projected,featurerr",
                 "--eps-features", "4", "--runs", "1", "-o", path, *QUICK]
        self.fails(2, *words, says="directions")
        self.succeeds(*words, "--directions", "pca:2", "--public-sample", graph / "features.npy")
        said = {row["treatment"]: row["directions"] for row in self.rows(path)}
        self.assertEqual(said["featurerr-projected"], "pca:2")
        self.assertEqual(said["featurerr"], "")
        # Other directions are another setting, whose free control has the same ones.
        words[words.index("--runs") + 1] = "2"
        for directions in ("pca:1", "pca:2"):
            answer = self.json(*words, "--directions", directions, "--public-sample", graph / "features.npy")
        means = answer["means"]
        projected = [m for m in means if m["treatment"] == "featurerr-projected"]
        self.assertEqual(sorted(m["directions"] for m in projected), ["pca:1", "pca:1", "pca:2", "pca:2"])
        for mean in projected:
            control = mean["spends"] and means[mean["test"]["control"]]
            self.assertIn(control and control["directions"], (False, "", mean["directions"]))
        self.assertIn("featurerr-projected, pca:1, K=4 ", self.succeeds(*words, "--directions", "pca:1", "--public-sample",
                                                                       graph / "features.npy").stdout)

    def test_label_rates_are_a_dimension(self):
        path = self.scratch / "r.csv"
        words = ["compare", "learning", self.graph(), "--mechanisms", "duchi", "--eps-features", "1", "--runs", "2",
                 "-o", path, *QUICK]
        answer = self.json(*words, "--label-rate", ".1,.5")
        rows = self.rows(path)
        self.assertEqual({(row["label_rate"], row["split"], row["test_nodes"]) for row in rows},
                         {("0.1", "0.1:0.1", "120"), ("0.5", "0.5:0.25", "37")})
        means = answer["means"]
        self.assertEqual(len({mean["treatment"] for mean in means if mean["label_rate"] == "0.1"}), len(means) // 2 - 1)
        for mean in means:
            if mean["test"]:
                self.assertEqual(means[mean["test"]["control"]]["label_rate"], mean["label_rate"])
        # The default split is one of them: nothing is run again.
        self.assertEqual(len(self.json(*words)["means"]), len(means))
        self.assertEqual(len(self.rows(path)), len(rows))
        table = self.succeeds(*words, "--label-rate", ".1").stdout
        self.assertIn("split 0.1:0.1)", table)
        self.succeeds("report", path, "-o", self.scratch / "report")
        page = (self.scratch / "report" / "index.html").read_text()
        self.assertIn("generated, label rate 0.1<", page)
        self.assertIn("generated, label rate 0.5<", page)
        self.fails(2, *words, "--label-rate", ".1", "--split", ".5,.25", says="leave --split out")
        self.fails(2, *words, "--label-rate", ".9", says="--label-rate")

    def test_the_table_is_plain(self):
        done = self.succeeds("compare", "learning", self.graph(), "--mechanisms", "multibit", "--eps-features",
                             "1", "--runs", "3", "-o", self.scratch / "r.csv", *QUICK)
        self.assertRegex(done.stdout, r"of 1 setting that spends a budget beats the best baseline")
        self.assertIn("featfree, K=4", done.stdout)
        self.assertRegex(done.stdout, r"than (label-propagation|free)\n")
        # The best control is the mechanism itself where it buys nothing: its budget tells them apart.
        with open(self.scratch / "r.csv") as rows, open(self.scratch / "without.csv", "w") as left:
            left.writelines(line for line in rows if "label-propagation" not in line and ",free," not in line)
        done = self.succeeds("compare", "learning", self.graph(), "--mechanisms", "mlp", "--runs", "3", "-o",
                             self.scratch / "without.csv", *QUICK)
        self.assertRegex(done.stdout, r"than multibit, K=4, eps_f 0\.001\n")
        one = self.succeeds("compare", "learning", self.graph(), "--mechanisms", "featurerr", "--eps-features",
                            "1", "--runs", "1", "-o", self.scratch / "one.csv", *QUICK)
        self.assertIn("could be tested", one.stdout)

    def test_bad_requests(self):
        graph, path = self.graph(), self.scratch / "r.csv"
        base = ["compare", "learning", graph, "-o", path, "--mechanisms"]
        self.fails(2, "compare", "learning", "--mechanisms", "edgerr", "-o", path, says="GRAPH is missing")
        self.fails(2, "compare", "learning", graph, graph, "--mechanisms", "edgerr", "-o", path,
                   says="' is one argument too many for heterorr")
        self.fails(2, "compare", "learning", graph, says="--mechanisms A,B,.. is missing")
        self.fails(2, *base, "edgerr", "--hops", "2", says="it is an option of compare structure ")
        self.fails(2, *base, "nonsense", says="nonsense")
        self.fails(2, *base, "featurerr", says="--eps-features")
        self.fails(2, *base, "edgerr", "--private-fractions", ".1", says="--eps-edges")
        self.fails(2, *base, "edgerr", "--eps-edges", "1", "--private-fractions", "2",
                   says="between 0 and 1")
        self.fails(2, *base, "featurerr", "--eps-features", "1,,2", says="--eps-features")
        self.fails(2, *base, "featurerr", "--eps-features", "99", says="eps-features")
        self.fails(2, *base, "featurerr", "--eps-features", "1", "--propagate", "x",
                   says="--propagate")
        self.fails(2, *base, "featurerr", "--eps-features", "1", "--split", "1", says="--split")
        self.fails(2, *base, "featurerr", "--eps-features", "1", "--split", ".7,.3", says="split")
        self.fails(2, *base, "featurerr", "--eps-features", "1", "--bounds", "data",
                   says="NOT PRIVATE")
        self.assertFalse(path.exists())
        edges = self.scratch / "edges.csv"
        edges.write_text("source,target\n1,2\n2,3\n")
        self.fails(3, "compare", "learning", edges, "-o", path, "--mechanisms", "mlp", says="no features")
        # Results of something else, and of another version.
        path.write_text("a,b\n1,2\n")
        self.fails(3, *base, "mlp", "--runs", "1", says="other columns")
        path.unlink()
        self.succeeds(*base, "mlp", "--runs", "1", *QUICK)
        header, *rows = path.read_text().splitlines()
        path.write_text("\n".join([header] + ["0.0.1" + row[row.index(","):] for row in rows]) +
                        "\n")
        self.fails(3, *base, "mlp", "--runs", "1", says="version 0.0.1")


if __name__ == "__main__":
    unittest.main()
