"""attack: LinkTeller against numpy and scikit-learn, what it says, and what can be wrong."""
import csv
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

import numpy

from command import CommandTest, HETERORR, skip_all

try:
    import scipy.special
    import scipy.stats
    import sklearn.metrics
except ImportError as missing:
    skip_all(f"{missing}; install python3-scipy and python3-sklearn")


def influence(model, graph, delta):
    """The published way, in numpy: one forward pass for each node."""
    record = json.loads((model / "model.json").read_text())
    weights = numpy.load(model / "weights.npz")
    x = numpy.load(graph / "features.npy").astype(float)
    source, target = numpy.load(graph / "edges.npy")
    a = numpy.zeros((len(x), len(x)))
    a[source, target] = a[target, source] = 1
    degree = a.sum(1)
    if record["normalisation"] == "first-order":
        scale = numpy.divide(1, numpy.sqrt(degree), where=degree > 0, out=numpy.zeros(len(x)))
        a = numpy.eye(len(x)) + scale[:, None] * a * scale
    else:
        scale = 1 / numpy.sqrt(degree + 1)
        a = scale[:, None] * (a + numpy.eye(len(x))) * scale

    def forward(x):
        if record["standardised"]:
            mean, factor = weights["standards"].astype(float)
            x = (x - mean) * factor
        for layer in range(record["layers"]):
            x = a @ x @ weights[f"weight_{layer}"].astype(float) + weights[f"bias_{layer}"]
            if layer + 1 < record["layers"]:
                x = numpy.maximum(x, 0)
        return x

    calm, out = forward(x), []
    for v in range(len(x)):
        moved = x.copy()
        moved[v] *= 1 + delta
        out.append(numpy.linalg.norm((forward(moved) - calm) / delta, axis=1))
    return numpy.array(out)


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def walks(graph):
    """Walks of 2 to 4 public edges; nodes on the way divide by their degree."""
    n = len(numpy.load(graph / "features.npy"))
    source, target = numpy.load(graph / "edges.npy")
    public = ~numpy.load(graph / "private.npy").astype(bool)
    a = numpy.zeros((n, n))
    a[source[public], target[public]] = a[target[public], source[public]] = 1
    share = numpy.divide(a, a.sum(1)[:, None], where=a.sum(1)[:, None] > 0, out=numpy.zeros((n, n)))
    return a @ share + a @ share @ share + a @ share @ share @ share


def excess(truth, mine, guess, i, j):
    """The difference of two AUCs and the half-width of its 99 % interval, by the definitions."""
    def shares(score):
        one, none = score[truth == 1], score[truth == 0]
        out = numpy.empty(len(score))
        out[truth == 1] = [(x > none).mean() + (x == none).mean() / 2 for x in one]
        out[truth == 0] = [(one > x).mean() + (one == x).mean() / 2 for x in none]
        return out - out[truth == 1].mean()

    pull = (shares(mine) - shares(guess)) / numpy.where(truth == 1, truth.sum(), (1 - truth).sum())
    meet = (i[:, None] == i) | (i[:, None] == j) | (j[:, None] == i) | (j[:, None] == j)
    variance = max((meet * numpy.outer(pull, pull)).sum(), (pull ** 2).sum())
    difference = sklearn.metrics.roc_auc_score(truth, mine) - sklearn.metrics.roc_auc_score(truth, guess)
    return difference, scipy.stats.norm.ppf(.995) * variance ** .5


class Attack(CommandTest):
    def setUp(self):
        super().setUp()
        self.graph, self.model = self.scratch / "graph", self.scratch / "model"

    def prepare(self, *train, fraction=".3", nodes=150):
        self.json("generate", "--nodes", nodes, "--features", "8", "--classes", "3",
                  "--avg-degree", "6", "--private-fraction", fraction, "-o", self.graph)
        self.json("train", self.graph, "-o", self.model, "--non-private", "--hidden", "12",
                  "--epochs", "30", *train)

    def attack(self, *words):
        return self.json("attack", "linkteller", self.model, self.graph, *words)


class LinkTeller(Attack):
    def test_agrees_with_numpy_and_scikit_learn(self):
        self.prepare("--aggregation", "first-order", "--standardise")
        n = 150
        score = influence(self.model, self.graph, 1e-6)
        source, target = numpy.load(self.graph / "edges.npy")
        private = numpy.load(self.graph / "private.npy").astype(bool)
        kind = numpy.zeros((n, n), int)
        kind[source, target] = numpy.where(private, 1, -1)
        kind = kind + kind.T
        i, j = numpy.triu_indices(n, 1)
        i, j = i[kind[i, j] >= 0], j[kind[i, j] >= 0]
        truth, found = kind[i, j], score[j, i]
        answer = self.attack("--samples", n, "--runs", "1")
        self.assertEqual((answer["pairs"], answer["positives"]), (len(truth), truth.sum()))
        self.assertTrue(answer["exact"])
        self.assertAlmostEqual(answer["auc"], sklearn.metrics.roc_auc_score(truth, found), 5)
        self.assertAlmostEqual(answer["average_precision"],
                               sklearn.metrics.average_precision_score(truth, found), 4)
        top = numpy.argsort(-found, kind="stable")[:truth.sum()]
        self.assertAlmostEqual(answer["precision_at_k"], truth[top].mean(), 4)
        self.assertEqual([row["k_hat"] for row in answer["at_k_hat"]], [.25, .5, 1, 2, 4])

    def test_the_verdict_and_the_curves_agree_with_numpy(self):
        n = 70
        self.prepare(nodes=n)
        roc = self.scratch / "roc.csv"
        answer = self.attack("--runs", "1", "--roc", roc)
        source, target = numpy.load(self.graph / "edges.npy")
        kind = numpy.zeros((n, n), int)
        kind[source, target] = numpy.where(numpy.load(self.graph / "private.npy"), 1, -1)
        i, j = numpy.triu_indices(n, 1)
        i, j = i[kind[i, j] >= 0], j[kind[i, j] >= 0]
        truth, rank = kind[i, j], lambda score: scipy.stats.rankdata(numpy.round(score, 9))
        x = numpy.load(self.graph / "features.npy").astype(float)
        x -= x.mean(0)
        scores = {"linkteller": influence(self.model, self.graph, 1e-6)[j, i], "public-walks": walks(self.graph)[i, j],
                  "lsa2-attr": (x @ x.T)[i, j] / numpy.linalg.norm(x[i], axis=1) / numpy.linalg.norm(x[j], axis=1)}
        scores["public-both"] = rank(scores["public-walks"]) + rank(scores["lsa2-attr"])
        for part in ("beside_public", "with_public"):
            told = answer[part]
            mine, guess = scores["linkteller"], rank(scores[told["guess"]])
            if part == "with_public":
                mine = rank(mine) + guess
            difference, half_width = excess(truth, mine, guess, i, j)
            self.assertAlmostEqual(told["excess"], difference, 4)
            self.assertAlmostEqual(told["excess_half_width"], half_width, 4)
        self.assertEqual(answer["public_auc"], answer["beside_public"]["public_auc"])
        self.assertEqual(answer["verdict"], "leaks")
        points = read(roc)
        self.assertEqual(list(dict.fromkeys(point["mechanism"] for point in points)), list(scores))
        for name, score in scores.items():
            fpr, tpr = zip(*((float(p["false_positive_rate"]), float(p["true_positive_rate"]))
                             for p in points if p["mechanism"] == name))
            self.assertAlmostEqual(numpy.trapz(tpr, fpr), sklearn.metrics.roc_auc_score(truth, score), 3)
        self.succeeds("report", roc, "-o", self.scratch / "report")
        drawn = read(self.scratch / "report" / "roc-1-1.csv")
        self.assertEqual({row["name"] for row in drawn}, set(scores))

    def test_fields_and_means(self):
        self.prepare()
        answer = self.attack("--samples", 100)
        for field in ("auc", "average_precision", "precision_at_k", "recall_at_k", "pairs", "seconds"):
            self.assertIsInstance(answer[field], (int, float), field)
        self.assertEqual((answer["nodes"], answer["runs"], len(answer["samples"])), (100, 3, 3))
        self.assertAlmostEqual(answer["auc"], numpy.mean([s["auc"] for s in answer["samples"]]))
        self.assertAlmostEqual(answer["auc_deviation"],
                               numpy.std([s["auc"] for s in answer["samples"]], ddof=1))
        self.assertGreater(answer["auc"], .9)
        asked = self.attack("--samples", 100, "--differences")
        self.assertAlmostEqual(asked["auc"], answer["auc"], 3)
        self.assertEqual((asked["exact"], asked["delta"]), (False, 1e-4))

    def test_less_is_told_less_is_found(self):
        self.prepare()
        found = {what: self.attack("--samples", 100, "--returns", what)["auc"]
                 for what in ("logits", "probabilities", "rounded", "labels")}
        self.assertGreater(found["probabilities"], .9)
        self.assertLess(found["rounded"], found["logits"])
        self.assertLess(found["labels"], found["rounded"] + .05)

    def test_a_release_is_scored_with_the_truth(self):
        self.prepare()
        bundle, other = self.scratch / "bundle", self.scratch / "other"
        self.json("protect", self.graph, "-o", bundle, "--eps-edges", "0.1",
                  "--feature-mechanism", "none", "--insecure-seed", "1")
        self.json("train", bundle, "-o", other, "--hidden", "12", "--epochs", "30")
        open_door = self.attack()
        closed = self.json("attack", "linkteller", other, bundle, "--truth", self.graph)
        self.assertEqual(closed["positives"], open_door["positives"])
        self.assertLess(closed["auc"], open_door["auc"] - .15)
        self.assertEqual(open_door["verdict"], "leaks")
        self.assertNotEqual(closed["verdict"], "leaks")
        self.fails(3, "attack", "linkteller", other, bundle, says="--truth")
        # The same model on the private graph: what leaks there is the serving.
        done = self.succeeds("attack", "linkteller", other, self.graph)
        self.assertIn("so the leak comes from this graph and not from the model.", done.stderr)
        self.assertIn("The model leaks:", done.stdout)
        self.assertNotIn("serving", self.succeeds("attack", "linkteller", self.model, self.graph).stderr)

    def test_people_read_it_on_stdout(self):
        self.prepare()
        done = self.succeeds("attack", "linkteller", self.model, self.graph)
        self.assertIn("AUC", done.stdout)
        self.assertIn("only 150 instead of the 500 nodes requested", done.stderr)
        self.assertIn("The model leaks:", done.stdout.splitlines()[-1])
        nothing = self.succeeds("attack", "linkteller", self.model, self.graph, "--returns", "labels", "--delta", "1e-9")
        self.assertIn("No leak found:", nothing.stdout.splitlines()[-1])

    def test_what_can_be_wrong(self):
        self.prepare(fraction="0")
        self.fails(2, "attack", "linkteller", self.model, says="GRAPH is missing")
        self.fails(2, "attack", "mindreading", self.model, self.graph, says="it has linkteller, links")
        self.fails(3, "attack", "linkteller", self.model, self.graph, says="--all-edges")
        self.fails(3, "attack", "linkteller", self.graph, self.graph, says="model")
        self.assertGreater(self.attack("--all-edges")["auc"], .9)
        self.fails(3, "attack", "linkteller", self.model, self.graph, "--pool", "high",
                   "--high-degree", "140", "--all-edges", says="pool")
        wide = self.scratch / "wide"
        self.json("generate", "--nodes", 50, "--features", "9", "-o", wide)
        self.fails(3, "attack", "linkteller", self.model, wide, says="9 features")
        self.fails(3, "attack", "linkteller", self.model, self.graph, "--truth", wide,
                   says="same nodes")
        few = self.scratch / "few"
        self.json("generate", "--nodes", 150, "--features", "8", "--private-fraction", ".01", "-o", few)
        self.fails(3, "attack", "linkteller", self.model, few, "--samples", "2",
                   says="no private edge")
        record = json.loads((self.model / "model.json").read_text())
        (self.model / "model.json").write_text(json.dumps(record | {"propagate": 2**32 - 1}))
        self.fails(3, "attack", "linkteller", self.model, self.graph, "--all-edges", says="whole number up to 1000")


class Others(Attack):
    def test_links_beside_each_other(self):
        self.prepare()
        answer = self.json("attack", "links", self.model, self.graph, "--runs", "1")
        rows = {row["attack"]: row["auc"] for row in answer["rows"]}
        self.assertEqual(list(rows), ["linkteller", "lsa2-post", "lsa2-attr", "trained", "public-walks", "public-both"])
        self.assertEqual(answer["verdict"], "leaks")
        self.assertAlmostEqual(answer["public_auc"],
                               max(rows[name] for name in ("lsa2-attr", "public-walks", "public-both")))
        self.assertEqual(rows["linkteller"], self.attack("--runs", "1")["auc"])
        done = self.succeeds("attack", "links", self.model, self.graph, "--all-edges", "--runs", "1")
        self.assertIn("too few public edges", done.stderr)

    def test_membership(self):
        self.prepare()
        answer = self.json("attack", "membership", self.model, self.graph)
        split = numpy.load(self.graph / "split.npy")
        self.assertEqual((answer["members"], answer["others"]), ((split == 0).sum(), (split == 2).sum()))
        out = self.scratch / "p.npy"
        self.json("predict", self.model, self.graph, "-o", out)
        p, y = numpy.load(out), numpy.load(self.graph / "labels.npy")
        asked = split != 1
        own = p[numpy.arange(len(y)), y]
        for field, score in (("auc_label", own), ("auc_confidence", p.max(1))):
            self.assertAlmostEqual(
                answer[field], sklearn.metrics.roc_auc_score(split[asked] == 0, score[asked]), 6)

    def test_membership_draws_the_split_that_train_drew(self):
        self.prepare(nodes=300)
        (self.graph / "split.npy").unlink()
        noise = numpy.random.default_rng(1)  # labels that can only be learnt by heart
        numpy.save(self.graph / "labels.npy", noise.integers(0, 3, 300).astype(numpy.int32))
        numpy.save(self.graph / "features.npy", noise.normal(size=(300, 8)).astype(numpy.float32))
        self.json("train", self.graph, "-o", self.model, "--non-private", "--hidden", "64", "--arch",
                  "mlp", "--patience", "0", "--dropout", "0", "--weight-decay", "0", "--seed", "5", "--force")
        own = self.json("attack", "membership", self.model, self.graph, "--seed", "5")
        other = self.json("attack", "membership", self.model, self.graph, "--seed", "6")
        self.assertEqual(own["members"], 150)
        self.assertGreater(own["auc_label"], other["auc_label"] + .1)

    def test_attributes(self):
        self.prepare()
        answer = self.json("attack", "attributes", self.graph)
        self.assertEqual(answer["known"] + answer["guessed"], 150)
        self.assertAlmostEqual(answer["mean"]["r2"], 0)
        self.assertIsNone(answer["mean"]["auc"])
        for edges in ("public_edges", "all_edges"):
            for how in ("propagation", "regression"):
                self.assertLess(answer[edges][how]["r2"], 1)
        self.fails(2, "attack", "attributes", self.model, self.graph, says="one argument too many for heterorr attack attr")
        features = numpy.load(self.graph / "features.npy")  # one yes or no among numbers has an AUC
        features[:, 0] = numpy.arange(len(features)) % 2
        numpy.save(self.graph / "features.npy", features)
        self.assertAlmostEqual(self.json("attack", "attributes", self.graph)["mean"]["auc"], .5)

    def test_chain(self):
        self.prepare()
        table = self.scratch / "out.csv"
        about = json.loads((self.graph / "graph.json").read_text())
        (self.graph / "graph.json").write_text(json.dumps({**about, "name": 'a,b"c'}))  # is not to break rows
        words = ("attack", "chain", self.graph, "--runs", "2", "--eps-edges", "0.5", "--epochs", "5",
                 "--hidden", "8", "-o", table)
        roc = self.scratch / "roc.csv"
        answer = self.json(*words, "--roc", roc)
        rows = {row["mechanism"]: row for row in answer["rows"]}
        self.assertEqual(list(rows), ["none", "public-only", "public-tree", "edgerr", "public-walks", "lsa2-attr",
                                      "public-both", "guess"])
        self.assertGreater(rows["none"]["link_auc"]["mean"], .9)
        self.assertEqual(rows["public-only"]["link_auc"]["excess"], 0)
        lines = read(table)
        self.assertEqual(rows["public-tree"]["link_auc"]["tree_excess"], 0)
        self.assertIsNone(rows["public-both"]["accuracy"]["mean"])
        self.assertEqual(len(lines), 2 * 8)
        self.assertEqual({line["graph"] for line in lines}, {"a_b_c"})
        self.assertEqual([(line["seed"], line["eps_edges"]) for line in lines if line["edge_mechanism"] == "edgerr"],
                         [("1", "0.5"), ("2", "0.5")])
        found = [float(line["link_auc"]) for line in lines if line["edge_mechanism"] == "edgerr"]
        self.assertAlmostEqual(numpy.mean(found), rows["edgerr"]["link_auc"]["mean"], 8)
        self.fails(2, *words[:-2], "--mechanisms", "a,,b", says="--mechanisms")
        self.fails(2, *words[:-2], "--mechanisms", "prayer", says="prayer")
        self.assertIn("random guess", self.succeeds(*words[:-2]).stdout)
        self.succeeds("report", table, roc, "-o", self.scratch / "report")
        curves = read(self.scratch / "report" / "roc-1-1.csv")
        self.assertEqual({row["name"] for row in curves}, {"non-private", *rows} - {"none"})

    def test_a_chain_goes_on_with_its_file(self):
        self.prepare()
        results, roc = self.scratch / "out.csv", self.scratch / "roc.csv"
        words = ["attack", "chain", self.graph, "--eps-edges", "0.5", "--epochs", "5", "--hidden", "8"]
        fresh = self.json(*words, "--runs", "2")
        self.json(*words, "--runs", "1", "-o", results)
        before = results.read_text()
        again = self.json(*words, "--runs", "2", "-o", results)
        self.assertEqual(again["rows"], fresh["rows"])
        self.assertTrue(results.read_text().startswith(before))
        whole = results.read_text()
        self.assertEqual(whole.count("\n"), 1 + 2 * 8)
        # Nothing is left to do but the curves; then nothing at all.
        curves = [(self.json(*words, "--runs", "2", "-o", results, "--roc", roc), roc.read_text())[1] for _ in range(2)]
        self.assertEqual(curves[0], curves[1])
        self.assertEqual(results.read_text(), whole)
        # --force begins anew, and - prints the rows.
        self.json(*words, "--runs", "1", "-o", results, "--force")
        self.assertEqual(results.read_text().count("\n"), 1 + 8)
        done = self.succeeds(*words, "--runs", "1", "-o", "-")
        self.assertEqual(done.stdout.splitlines()[0], whole.splitlines()[0])
        self.assertIn("random guess", done.stderr)
        # Rows of something else are left alone.
        results.write_text("mine\n")
        self.fails(3, *words, "-o", results, says="other columns")
        self.assertEqual(results.read_text(), "mine\n")

    def test_an_interrupted_chain_keeps_what_is_finished(self):
        self.prepare(nodes=1000)
        results = self.scratch / "out.csv"
        words = ["attack", "chain", self.graph, "--eps-edges", "0.5", "--epochs", "60", "--hidden", "16", "--runs", "99",
                 "-o", results]
        process = self.start(*words, stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and (not results.exists() or results.read_text().count("\n") < 4):
            time.sleep(.02)
        self.assertIsNone(process.poll(), "it ended before it could be interrupted")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, err)
        self.assertIn("continues", err)
        before = results.read_text()
        self.assertTrue(before.endswith("\n"))
        words[words.index("99")] = "1"
        self.succeeds(*words)
        self.assertTrue(results.read_text().startswith(before))
        seen = [(row["edge_mechanism"], row["seed"]) for row in read(results)]
        self.assertEqual(len(seen), len(set(seen)))
        self.assertEqual(len([seed for _, seed in seen if seed == "1"]), 8)

    def test_a_file_of_curves_is_asked_for_where_there_are_some(self):
        self.prepare(nodes=60)
        roc = self.scratch / "roc.csv"
        roc.write_text("mine")
        self.fails(2, "attack", "linkteller", self.model, self.graph, "--roc", roc, says="exists already")
        self.fails(2, "attack", "membership", self.model, self.graph, "--roc", roc,
                   says="--roc; it is an option of attack linkteller, attack links, attack chain")
        self.fails(2, "attack", "chain", self.graph, "--roc", roc, "-o", roc, says="same file")
        self.fails(3, "attack", "links", self.model, self.graph, "--roc", self.scratch / "no" / "roc.csv", says="no/roc.csv")
        self.assertEqual(roc.read_text(), "mine")
        self.json("attack", "links", self.model, self.graph, "--roc", roc, "--force", "--runs", "1")
        self.assertTrue(roc.read_text().startswith("graph,mechanism,run,false_positive_rate,true_positive_rate\n"))

    def test_counts_of_neighbours_are_part_of_the_answers(self):
        self.prepare(nodes=300, fraction=".8")
        bundle, model = self.scratch / "bundle", self.scratch / "counting"
        self.json("protect", self.graph, "-o", bundle, "--edge-mechanism", "edgerr-node", "--eps-edges", "8",
                  "--feature-mechanism", "none", "--insecure-seed", "1")
        self.json("train", bundle, "-o", model, "--hidden", "12", "--epochs", "30")
        words = ("attack", "links", model, bundle, "--truth", self.graph, "--runs", "1")
        with_counts, without = ({row["attack"]: row["auc"] for row in self.json(*words, "--counts", how)["rows"]}
                                for how in ("auto", "ignore"))
        # Logits move by what no feature changes. With counts LinkTeller takes differences instead of derivatives: pairs
        # whose influence is the same to six digits may swap.
        for attack in ("linkteller", "lsa2-attr"):
            self.assertAlmostEqual(with_counts[attack], without[attack], delta=1e-4)
        # LSA2-post on what predict says is the same thing.
        # predict computes in single precision, which swaps some pairs whose correlation is 1 to six digits
        # (1e-4 of AUC); counts make a hundred times that difference. tests/attack compares the answers themselves.
        self.json("predict", model, bundle, "-o", self.scratch / "z.npy", "--logits")
        p = scipy.special.softmax(numpy.load(self.scratch / "z.npy").astype(float), axis=1)
        p -= p.mean(0)
        source, target = numpy.load(self.graph / "edges.npy")
        kind = numpy.zeros((300, 300), int)
        kind[source, target] = numpy.where(numpy.load(self.graph / "private.npy"), 1, -1)
        i, j = numpy.triu_indices(300, 1)
        alike = (p @ p.T / numpy.outer(*[numpy.linalg.norm(p, axis=1)] * 2))[i, j]
        asked = kind[i, j] >= 0
        self.assertAlmostEqual(with_counts["lsa2-post"],
                               sklearn.metrics.roc_auc_score(kind[i, j][asked], alike[asked]), delta=5e-4)
        self.assertGreater(with_counts["lsa2-post"], without["lsa2-post"] + .01)
        self.fails(2, *words, "--counts", "all", says="ignore")

    def test_release(self):
        self.prepare(nodes=60)
        answer = self.json("attack", "release", self.graph, "--mechanisms", "edgerand-private,none",
                           "--eps-edges", "1", "--trials", "500", "--runs", "1")
        limited, free = answer["rows"]
        self.assertAlmostEqual(limited["bound"], numpy.tanh(.5), 2)
        self.assertLessEqual(limited["lower"], limited["bound"])
        self.assertGreaterEqual(limited["upper"], limited["bound"])
        self.assertEqual((limited["verdict"], limited["holds"]), ("holds", True))
        self.assertLessEqual(limited["eps_lower"], 1)
        self.assertEqual((free["advantage"], free["bound"]), (1, 1))
        self.assertEqual((free["verdict"], free["holds"]), ("promises nothing", False))
        self.assertEqual((answer["holds"], answer["broken"]), (False, 0))
        drawn, = self.json("attack", "release", self.graph, "--tree", "quotient", "--eps-edges", "2",
                           "--trials", "300", "--runs", "1")["rows"]
        self.assertEqual((drawn["tree"], drawn["sees"], drawn["verdict"]), ("quotient", "count and tree", "holds"))
        self.assertGreater(drawn["advantage"], .5)
        blind = self.succeeds("attack", "release", self.graph, "--mechanisms", "public-only",
                              "--eps-edges", "1", "--trials", "100", "--runs", "1")
        self.assertIn("sees nothing\n", blind.stdout)
        self.assertIn("neither support nor refute", blind.stderr)
        self.assertEqual(blind.stdout.count("mechanism "), 1)
        (self.scratch / "pairs.csv").write_text("0,1\n1,2\n2,3\n")
        refused = self.fails(3, "attack", "release", self.scratch / "pairs.csv", "--eps-edges", "1",
                             says="(--private-fraction)")
        self.assertEqual(refused.stdout, "")  # no heading of a table that does not come


class Tables(CommandTest):
    """examples/attacks.py, on a small graph in the place of Cora."""
    script = pathlib.Path(__file__).resolve().parents[2] / "examples" / "attacks.py"

    def make(self, *names):
        return subprocess.run([sys.executable, self.script, HETERORR, self.scratch, self.scratch / "out", *names],
                              env=dict(os.environ, HETERORR_QUICK="1"), capture_output=True, text=True, timeout=600)

    def test_they_are_made_by_name(self):
        graph = self.scratch / "graph"
        (self.scratch / "planetoid").mkdir()
        self.json("generate", "--nodes", "300", "--features", "8", "-o", graph)
        (graph / "private.npy").unlink()
        self.json("convert", graph, "-o", self.scratch / "planetoid" / "cora.npz")
        done = self.make("returns", "chain_cora")
        self.assertEqual(done.returncode, 0, done.stderr)
        out = self.scratch / "out"
        self.assertEqual([row["returns"] for row in read(out / "attack_returns.csv")],
                         ["logits", "probabilities", "rounded", "labels"])
        self.assertEqual(len(read(out / "attack_chain_cora.csv")), 2 * 10)
        self.assertIn("no table 'prayer'", self.make("prayer").stderr)


if __name__ == "__main__":
    unittest.main()
