"""protect: what the bundle and the JSON say, what is refused, and that nothing is left behind."""
import hashlib
import json
import os
import shutil
import unittest

import numpy

from command import CommandTest, heterorr

FIELDS = {"eps_features", "eps_edges", "eps_labels", "realised_eps_features", "realised_eps_edges",
          "realised_eps_labels", "mode", "private", "protects", "statement", "bundle", "dry_run", "seconds",
          "peak_rss_bytes", "edges_out", "features_per_second", "chain_steps",
          "chain_steps_per_second", "stored", "ledger_entry", "charge_before", "phases",
          "features", "edges"}
PHASES = {"load", "plan", "ledger", "edges", "features", "labels", "write", "hash", "publish"}


def contents(directory):
    return {path.name: path.read_bytes() for path in directory.iterdir()}


class Protect(CommandTest):
    def setUp(self):
        super().setUp()
        self.graph = self.scratch / "graph"
        self.bundle = self.scratch / "bundle"
        self.made = self.json("generate", "--nodes", "500", "--features", "20", "-o", self.graph)

    def protect(self, *words):
        return self.json("protect", self.graph, "-o", self.bundle, *words)

    def certificate(self):
        return json.loads((self.bundle / "certificate.json").read_text())

    def test_the_certificate_in_plain_words(self):
        """e^eps / (1 + e^eps), rounded up, and only where it is a promise."""
        def page(*words):
            self.protect("--force", *words)
            return " ".join((self.bundle / "CERTIFICATE.txt").read_text().split())

        text = page("--eps-features", "1", "--eps-edges", "2", "--eps-labels", "20")
        self.assertIn("two values of one node's whole feature vector equally likely, becomes at most 73.2 % certain", text)
        self.assertIn("no edge between them equally likely, becomes at most 88.1 % certain", text)
        self.assertIn("Labels: an attacker who knows everything else, and considers any two labels of one node "
                      "equally likely, may become almost certain", text)
        self.assertIn("For features, label and 10 private pairs together, an attacker's odds", text)
        self.assertIn("odds change by a factor of at most e^41. With j pairs the exponent is eps_f + eps_y "
                      "+ j eps_e.", text)
        self.assertIn("clipped to 0 to 1", text)
        text = page("--feature-mechanism", "featfree")
        self.assertIn("Features are random numbers that do not depend on anybody's features.", text)
        self.assertIn("Private edges are left out", text)
        self.assertIn("Labels are published as they are.", text)
        text = page("--eps-features", "1", "--insecure-seed", "1")
        self.assertIn("This release is NOT PRIVATE, for the reasons above", text)
        self.assertNotIn("% certain", text)

    def test_a_release_without_edges_says_so(self):
        """Who wants a graph to publish and names no budget gets none; whether there are private edges is not told."""
        none = self.scratch / "none.csv"
        none.write_text("")
        for words, empty in ((["--all-private"], True), ([], False), (["--private-edges", none], False),
                             (["--all-private", "--eps-edges", "1"], False)):
            done = self.succeeds("protect", self.graph, "-o", self.bundle, "--eps-features", "1", "--force", *words)
            self.assertEqual("the release has no edges" in done.stderr, empty, words)

    def test_it_says_where_features_are_clipped(self):
        for words, says in (((), "were clipped to the bounds that the graph states"),
                            (("--bounds", "0,2"), "were clipped to the bounds 0,2 (--bounds)"),
                            (("--dry-run",), "would be clipped to the bounds that the graph states")):
            done = self.succeeds("protect", self.graph, "-o", self.bundle, "--eps-features", "1", "--force", *words)
            self.assertIn("features " + says, done.stdout)

    def test_a_sum_names_what_is_protected_and_what_is_not(self):
        self.protect("--eps-features", "4", "--eps-edges", "4")
        text = " ".join((self.bundle / "CERTIFICATE.txt").read_text().split())
        self.assertIn("For features and 10 private pairs together", text)
        self.assertIn("at most e^44. With j pairs the exponent is eps_f + j eps_e. The label is not "
                      "included: it is published as it is.", text)
        self.assertNotIn("protected by the sum", text)
        self.protect("--feature-mechanism", "featfree", "--eps-edges", "1", "--force")
        text = " ".join((self.bundle / "CERTIFICATE.txt").read_text().split())
        self.assertIn("add up. For 10 private pairs together, an attacker's odds", text)
        self.protect("--eps-features", "1", "--feature-mechanism", "gaussian", "--delta", "1e-6", "--force")
        text = " ".join((self.bundle / "CERTIFICATE.txt").read_text().split())
        self.assertIn("guesses right in at most 73.2 % of cases, including delta = 1e-06.", text)
        self.assertIn("any release becomes at most e^1 times as likely, plus delta = 1e-06.", text)
        self.assertNotIn("but for a chance", text)  # delta is no bound of how often e^eps is passed

    def test_bias_is_that_of_the_mechanism(self):
        told = {"edgerr": "Negative counts are replaced by 0", "edgerr-node": "released as noisy counts, not as edges",
                "lapgraph": "False edges join nodes at random", None: "Without private edges"}
        for mechanism, bias in told.items():
            words = ["--eps-edges", "1", "--edge-mechanism", mechanism] if mechanism else []
            self.protect("--eps-features", "1", "--force", *words)
            text = " ".join((self.bundle / "CERTIFICATE.txt").read_text().split())
            self.assertEqual([b for b in told.values() if b in text], [bias])

    def test_what_a_security_officer_asks_for(self):
        """The headings of NIST SP 800-226, and an owner's own words where only she knows."""
        os.environ["SOURCE_DATE_EPOCH"] = "86400"
        self.addCleanup(os.environ.pop, "SOURCE_DATE_EPOCH")
        self.protect("--eps-features", "1", "--issuer", "Data Office", "--kept", "encrypted, one year")
        text = (self.bundle / "CERTIFICATE.txt").read_text()
        for heading in ("Unit of privacy", "Not protected", "Trust model", "What its correctness rests on",
                        "Utility", "Bias", "Side channels", "Other releases", "Who, when and with what"):
            self.assertIn(f"\n\n{heading}\n", text)
        for name, value in (("data set", "generated"), ("issuer", "Data Office"), ("date", "1970-01-02"),
                            ("raw data", "encrypted, one year"), ("program", "heterorr ")):
            self.assertIn(f"  {name:12} {value}", text)
        self.succeeds("verify", self.bundle)
        self.protect("--eps-features", "1", "--force", "--insecure-seed", "1")
        self.assertIn("1970-01-02", (self.bundle / "CERTIFICATE.txt").read_text())
        os.environ.pop("SOURCE_DATE_EPOCH")
        os.environ["SOURCE_DATE_EPOCH"] = "no date"
        self.protect("--eps-features", "1", "--force", "--insecure-seed", "1")
        text = (self.bundle / "CERTIFICATE.txt").read_text()  # a seed gives the same bytes every day
        for name in ("date", "issuer", "raw data"):
            self.assertIn(f"  {name:12} not stated", text)
        for words in (["--issuer", "a\nPRIVATE"], ["--issuer", "a\u2028PRIVATE"], ["--kept", "\u202ea"],
                      ["--kept", "a\u0085b"], ["--kept", "x" * 401]):
            self.fails(2, "protect", self.graph, "-o", self.bundle, "--force", "--eps-features", "1", *words,
                       says="one line of UTF-8 text")

    def test_a_name_cannot_write_lines_of_the_certificate(self):
        description = json.loads((self.graph / "graph.json").read_text())
        for name, good in (("Z\u00fcrich \u2013 2024", True), ("a\n\nPRIVATE", False), ("\u001b[2J", False)):
            (self.graph / "graph.json").write_text(json.dumps({**description, "name": name}))
            words = ["protect", self.graph, "-o", self.bundle, "--eps-features", "1", "--ledger", "none"]
            if good:
                self.succeeds(*words)
                self.assertIn(f"  data set     {name}\n", (self.bundle / "CERTIFICATE.txt").read_text())
            else:
                self.fails(2, *words, "--force", says="the name of the graph must be one line of text,")

    def test_a_certificate_says_what_its_account_spent_before(self):
        """By the account's name alone: who else protected the same data is found by a fingerprint."""
        def others():
            text = " ".join((self.bundle / "CERTIFICATE.txt").read_text().split())
            self.succeeds("verify", self.bundle)
            return self.certificate()["account"], text.split(" Other releases - ")[1].split(" Who, when")[0]

        self.protect("--eps-features", "3")
        account, text = others()
        self.assertIsNone(account)
        self.assertIn("names no account", text)
        for words, before in ((["--eps-features", "1"], (0, "0", "0")),
                              (["--eps-features", "0.5", "--eps-edges", "2"], (1, "1", "0")),
                              (["--eps-features", "1"], (2, "1.5", "2"))):
            self.protect("--force", "--account", "people", *words)
            account, text = others()
            self.assertEqual((account["name"], account["charges_before"], account["eps_features_before"],
                              account["eps_edges_before"]), ("people", *before))
            self.assertIn(f'account "people". Earlier charges to this account: {before[0]}, in total eps_f = '
                          f"{before[1]}, eps_e = {before[2]}, eps_y = 0.", text)
            self.assertIn("on another account, or on no account, are not included", text)  # as the first here
        path = self.bundle / "certificate.json"
        path.write_text(path.read_text().replace('"name": "people"', '"name": "nobody"'))
        self.fails(5, "verify", self.bundle, says='names the account "nobody"')

    def test_public_edges_have_no_epsilon_anywhere(self):
        bare, report = self.scratch / "bare", self.scratch / "report"
        shutil.copytree(self.graph, bare)
        (bare / "private.npy").unlink()
        words = "every edge is published as it is, because you declared all edges public"
        answer = self.json("protect", bare, "-o", self.bundle, "--eps-features", "1", "--public", "edges")
        self.assertIn(words, answer["statement"])
        self.assertIsNone(answer["eps_edges"])
        self.assertIsNone(answer["realised_eps_edges"])
        self.assertEqual(answer["protects"], ["features"])
        self.assertTrue(answer["private"])
        certificate = self.certificate()
        self.assertEqual(certificate["statement"], answer["statement"])
        self.assertEqual(certificate["protects"], ["features"])
        self.assertEqual(certificate["edges"]["statement"], words)
        for name in ("requested_eps", "realised_eps", "neighbours"):
            self.assertIsNone(certificate["edges"][name])
        verified = self.json("verify", self.bundle)
        self.assertEqual((verified["badge"], verified["statement"]), ("FEATURES ONLY", answer["statement"]))
        self.succeeds("report", "--bundle", self.bundle, "-o", report)
        page = (report / "index.html").read_text().split("</style>")[1].split("<script>")[0]
        self.assertIn('<span class="badge">FEATURES ONLY</span>', page)
        text = " ".join((self.bundle / "CERTIFICATE.txt").read_text().split())
        for said in (page, text):
            self.assertIn(words, said)
            self.assertNotRegex(said, r"\b50(\.0)?(&nbsp;|\s|\u00a0)?%|eps_e = 0")

    def test_the_badge_says_what_is_protected(self):
        bare = self.scratch / "bare"
        shutil.copytree(self.graph, bare)
        (bare / "private.npy").unlink()
        for graph, badge, *words in (
                (self.graph, "FEATURES AND EDGES ONLY", "--eps-features", "1", "--eps-edges", "1"),
                (self.graph, "FEATURES AND EDGES ONLY", "--eps-features", "1"),
                (self.graph, "PRIVATE", "--eps-features", "1", "--eps-labels", "1"),
                (bare, "FEATURES AND LABELS ONLY", "--eps-features", "1", "--eps-labels", "1", "--public", "edges"),
                (self.graph, "NOT PRIVATE", "--feature-mechanism", "none"),
                (self.graph, "NOT PRIVATE", "--eps-features", "1", "--insecure-seed", "1")):
            self.json("protect", graph, "-o", self.bundle, "--force", *words)
            self.assertEqual(self.json("verify", self.bundle)["badge"], badge, words)
        edges = self.scratch / "e.csv"
        edges.write_text("source,target,private\n0,1,1\n1,2,0\n2,3,1\n")
        labels = self.scratch / "y.csv"
        labels.write_text("0\n1\n1\n0\n")
        for badge, *words in (("PRIVATE", "--public", "nodes"),
                              ("EDGES ONLY", "--node-labels", labels, "--public", "nodes")):
            self.json("protect", edges, "-o", self.bundle, "--force", *words)
            self.assertEqual(self.json("verify", self.bundle)["badge"], badge, words)
        edges.write_text("source,target\n0,1\n1,2\n2,3\n")
        for badge, *words in (("LABELS ONLY", "--node-labels", labels, "--eps-labels", "1", "--public",
                               "edges,classes"),
                              ("NOT PRIVATE", "--public", "edges")):
            answer = self.json("protect", edges, "-o", self.bundle, "--force", *words)
            self.assertEqual(self.json("verify", self.bundle)["badge"], badge, words)
        self.assertIn("nothing in it is protected", answer["statement"])

    def test_fields_and_bundle(self):
        answer = self.protect("--eps-features", "2", "--eps-labels", "0.5")
        self.assertEqual(set(answer), FIELDS)
        self.assertEqual(set(answer["phases"]), PHASES)
        self.assertTrue(all(seconds >= 0 for seconds in answer["phases"].values()))
        self.assertGreaterEqual(answer["seconds"], sum(answer["phases"].values()))
        self.assertEqual((answer["eps_features"], answer["eps_labels"], answer["eps_edges"]),
                         (2, .5, 0))
        self.assertTrue(1.99 < answer["realised_eps_features"] <= 2)
        self.assertTrue(.49 < answer["realised_eps_labels"] <= .5)
        self.assertEqual(answer["realised_eps_edges"], 0)
        self.assertTrue(answer["private"])
        self.assertEqual(answer["edges_out"], self.made["public_edges"])
        self.assertEqual(self.names(), ["bundle", "graph"])
        inside = self.json("inspect", self.bundle)
        self.assertEqual(inside["edges"], self.made["public_edges"])
        self.assertEqual(inside["private_edges"], 0)
        self.assertEqual(set(contents(self.bundle)),
                         {"graph.json", "edges.npy", "features.npy", "labels.npy", "split.npy",
                          "README.txt", "CERTIFICATE.txt", "certificate.json", "metadata.yaml",
                          "edge_index.npy"} |
                         {f"{part}_{what}.npy" for part in ("train", "valid", "test")
                          for what in ("mask", "nodes", "labels")})

    def test_directions_from_a_public_sample_or_head(self):
        rng = numpy.random.default_rng(1)
        sample, head = self.scratch / "sample.npy", self.scratch / "head.npz"
        numpy.save(sample, rng.random((50, 20)))
        numpy.savez(head, weight=rng.normal(size=(20, 3)), bias=numpy.zeros(3))
        start = ["--eps-features", "1", "--feature-mechanism", "featurerr-projected", "--force"]
        cases = (("pca:4", ["--public-sample", sample], 4, "principal components", "50 rows"),
                 ("head", ["--public-head", head], 2, "weights of a head", "those of the features"),
                 ("head:1", ["--public-head", head, "--public-sample", sample], 1,
                  "weights of a head", "50 rows"))
        for word, words, n, *phrases in cases:
            words = [*start, "--directions", word, *words]
            self.assertFalse(self.protect(*words, "--not-private")["private"])
            self.assertTrue(self.protect(*words, "--public", "directions")["private"])
            features = self.certificate()["features"]
            self.assertEqual(features["directions"], n)
            for phrase in phrases:
                self.assertIn(phrase, features["directions_from"])
            self.assertIn(f"{n}, {phrases[0]}", (self.bundle / "CERTIFICATE.txt").read_text())
            released = numpy.load(self.bundle / "features.npy")
            rank = numpy.linalg.matrix_rank(released - released[0], tol=1e-4)
            self.assertEqual(rank, n)
        start = ["protect", self.graph, "-o", self.bundle, *start]
        numpy.save(self.scratch / "narrow.npy", rng.random((50, 19)))
        numpy.savez(self.scratch / "narrow.npz", weight=rng.random((19, 3)), bias=numpy.zeros(3))
        for code, says, *words in (
                (2, "pca:8", "--directions", "pca"),
                (2, "pca:8", "--directions", "pca:many"),
                (2, "needs --public-sample", "--directions", "pca:4"),
                (2, "needs --public-head", "--directions", "head:2"),
                (2, "--public-head needs --directions head", "--directions", "pca:4", "--public-sample", sample,
                 "--public-head", head),
                (2, "add --directions", "--public-sample", sample),
                (2, "vary in only 2", "--directions", "head:3", "--public-head", head),
                (3, "rows must have 20 numbers", "--directions", "pca:4", "--public-sample",
                 self.scratch / "narrow.npy"),
                (3, "takes 19 features", "--directions", "head", "--public-head",
                 self.scratch / "narrow.npz"),
                (2, "--bounds LO,HI", "--mode", "paper", "--bounds", "data", "--directions",
                 "pca:4", "--public-sample", sample)):
            self.fails(code, *start, *words, says=says)

    def test_reports_of_a_public_head(self):
        rng = numpy.random.default_rng(1)
        weight = rng.normal(size=(20, 3))
        heads = {"classes": dict(weight=weight, bias=numpy.zeros(3)),
                 "labels": dict(weight=weight, bias=numpy.zeros(3), output=1, shares=[1, 0, 3]),
                 "bit": dict(weight=weight[:, :1], bias=numpy.zeros(1))}
        for name, parts in heads.items():
            head = self.scratch / f"{name}.npz"
            numpy.savez(head, **parts)
            words = ["--eps-features", "1", "--force", "--head", head]
            self.fails(2, "protect", self.graph, "-o", self.bundle, *words, says="--public head")
            self.assertTrue(self.protect(*words, "--public", "head")["private"])
            features = self.certificate()["features"]
            self.assertEqual(features["mechanism"], "featurerr-head")
            k = parts["weight"].shape[1]
            self.assertEqual([features["answers"], features["n_features"]], [k, k])
            released = numpy.load(self.bundle / "features.npy")
            self.assertEqual(released.shape[1], k)
            e = numpy.exp(1)
            if name == "classes":
                self.assertEqual(features["report_size"], 1)
                self.assertEqual([round(float(v), 6) for v in numpy.unique(released)],
                                 [round(1 / (e + 2), 6), round(e / (e + 2), 6)])
            else:
                self.assertEqual(features["report_size"], 0)
            if name == "labels":
                self.assertEqual(features["eps_answer_nano"], [1000000000, 0, 1000000000])
                self.assertEqual(features["features_per_node"], 1)
                self.assertEqual(set((released != .5).sum(1)), {1})
                self.assertEqual(set(released[:, 1]), {0.5})
            if name == "bit":
                self.assertEqual(features["eps_answer_nano"], 1000000000)
            self.succeeds("verify", self.bundle)
            self.assertIn("answers of a head", (self.bundle / "CERTIFICATE.txt").read_text())
            self.succeeds("train", self.bundle, "-o", self.scratch / "model", "--epochs", "2", "--force")
        # Nearly without noise the report is the head's answer.
        head = self.scratch / "classes.npz"
        self.protect("--eps-features", "20", "--force", "--head", head, "--public", "head")
        x = numpy.load(self.graph / "features.npy").astype(float)
        released = numpy.load(self.bundle / "features.npy")
        self.assertEqual((released.argmax(1) == (x @ weight).argmax(1)).sum(), len(x))
        numpy.savez(self.scratch / "narrow.npz", weight=rng.random((19, 3)), bias=numpy.zeros(3))
        numpy.savez(self.scratch / "odd.npz", weight=weight, bias=numpy.zeros(3), output=7)
        start = ["protect", self.graph, "-o", self.bundle, "--eps-features", "1", "--public", "head"]
        for code, says, *words in (
                (3, "takes 19 features", "--head", self.scratch / "narrow.npz"),
                (3, "output must be 0", "--head", self.scratch / "odd.npz"),
                (2, "needs a public head", "--feature-mechanism", "featurerr-head"),
                (2, "does not use a head; leave --head out", "--feature-mechanism", "duchi", "--head", head)):
            self.fails(code, *start, *words, says=says)

    def test_what_the_format_leaves_open_must_be_declared(self):
        """Fails closed: a private mark that was not recognised must not publish the edge."""
        pairs = self.scratch / "pairs.csv"
        bundle = self.scratch / "pairs"
        start = ["protect", pairs, "-o", bundle, "--force"]
        pairs.write_text("source,target,secret\nann,bob,0\nbob,eve,1\n")
        self.fails(2, *start, says="--public edges")
        self.assertFalse(bundle.exists())
        self.fails(2, *start, "--private-column", "secret", says="nothing was spent: add --public nodes")
        self.assertFalse(bundle.exists())
        self.fails(3, "ledger", "show", says="there is no ledger")
        open_question = self.succeeds(*start, "--private-column", "secret", "--not-private")
        self.assertIn("NOT PRIVATE: the nodes are those", open_question.stdout)
        self.assertIn("add --public nodes", open_question.stderr)
        self.fails(2, *start, "--public", "everything", says="there is no 'everything'")
        answer = self.json(*start, "--private-column", "secret", "--public", "nodes")
        self.assertTrue(answer["private"])
        self.assertEqual(answer["edges_out"], 1)
        certificate = json.loads((bundle / "certificate.json").read_text())
        self.assertEqual(certificate["declared_public"], ["nodes"])
        self.assertIn("Declared public", (bundle / "CERTIFICATE.txt").read_text())
        self.fails(2, *start, "--mode", "paper", "--not-private", says="--public edges")
        self.fails(2, *start, "--private-column", "secret", "--public", "nodes,edges",
                   says="--public edges declares that no edge is private,")

    def test_marks_drawn_for_an_experiment_are_not_private(self):
        numpy.savez(self.scratch / "g.npz", adj_data=numpy.ones(3), adj_indices=[1, 2, 2],
                    adj_indptr=[0, 2, 3, 3], adj_shape=[3, 3], labels=[0, 1, 0])
        answer = self.json("protect", self.scratch / "g.npz", "-o", self.bundle,
                           "--private-fraction", "0.5")
        self.assertFalse(answer["private"])
        self.assertIn("experiment", answer["statement"])
        start = ["protect", self.scratch / "g.npz", "-o", self.bundle, "--force", "--eps-labels", "1"]
        self.assertFalse(self.json(*start, "--public", "edges", "--not-private")["private"])
        self.assertTrue(self.json(*start, "--public", "edges,classes")["private"])

    def test_a_delta_that_promises_nothing_is_refused(self):
        self.fails(2, "protect", self.graph, "-o", self.bundle, "--eps-features", "1",
                   "--feature-mechanism", "gaussian", "--delta", "0.002", says="--delta")

    def test_a_release_is_known_as_one(self):
        self.protect("--eps-features", "2")
        self.assertIn("This is a release", self.json("inspect", self.bundle)["warning"])
        self.assertIn("private graph itself", self.json("inspect", self.graph)["warning"])
        done = self.succeeds("convert", self.bundle, "-o", self.scratch / "copy.npz")
        self.assertIn("its certificate", done.stderr)
        self.fails(2, "convert", self.bundle, "-o", self.bundle, "--force", says="choose another")
        self.assertTrue((self.bundle / "certificate.json").exists())

    def test_options_that_nothing_uses_are_refused(self):
        start = ["protect", self.graph, "-o", self.bundle, "--eps-features", "2",
                 "--feature-mechanism", "duchi"]
        for words in (["--bins", "4"], ["--decode", "bins"], ["--sampled", "3"]):
            self.fails(2, *start, *words, says=f"leave {words[0]} out")

    def test_propagation_averages_released_features_over_released_edges(self):
        words = ["--eps-features", "8", "--insecure-seed", "3", "--force"]
        self.protect(*words, "--propagate", "0")
        x = numpy.load(self.bundle / "features.npy").astype(float)
        source, target = numpy.load(self.bundle / "edges.npy")
        a = numpy.zeros((len(x), len(x)))
        a[source, target] = a[target, source] = 1
        degree = a.sum(1)
        scale = numpy.where(degree > 0, 1 / numpy.sqrt(numpy.maximum(degree, 1)), 0)
        for _ in range(3):
            x = numpy.where(degree[:, None] > 0, (scale[:, None] * a * scale) @ x, x)
        self.protect(*words, "--propagate", "3")
        numpy.testing.assert_allclose(numpy.load(self.bundle / "features.npy"), x, atol=1e-5)
        self.assertEqual(self.certificate()["features"]["propagated_steps"], 3)
        self.fails(2, "protect", self.graph, "-o", self.bundle, *words, "--propagate", "1",
                   "--decode", "bins", says="--propagate")

    def test_certificate_hashes_and_statement(self):
        answer = self.protect("--eps-features", "2")
        certificate = self.certificate()
        self.assertEqual(certificate["statement"], answer["statement"])
        self.assertTrue(certificate["private"])
        self.assertEqual(set(certificate["files"]), set(contents(self.bundle)) - {"certificate.json"})
        for name, file in certificate["files"].items():
            data = (self.bundle / name).read_bytes()
            self.assertEqual(hashlib.sha256(data).hexdigest(), file["sha256"], name)
        text = (self.bundle / "CERTIFICATE.txt").read_text()
        first = " ".join(text.split("\n\n")[0].split())
        self.assertEqual(first, answer["statement"])

    def test_people_read_the_statement_and_the_place(self):
        done = self.succeeds("protect", self.graph, "-o", self.bundle, "--eps-features", "2")
        self.assertIn("eps_f = 2 per node feature vector", done.stdout)
        self.assertIn(str(self.bundle), done.stdout)

    def test_same_seed_same_bytes_and_it_says_not_private(self):
        words = ["--eps-features", "2", "--eps-labels", "1", "--insecure-seed", "7"]
        bundles = []
        for threads in (1, 2, 3):
            answer = self.protect(*words, "--threads", threads, "--force")
            self.assertFalse(answer["private"])
            self.assertTrue(answer["statement"].startswith("NOT PRIVATE"))
            bundles.append(contents(self.bundle))
        self.assertEqual(bundles[0], bundles[1])
        self.assertEqual(bundles[0], bundles[2])
        self.assertTrue(bundles[0]["CERTIFICATE.txt"].startswith(b"NOT PRIVATE"))
        self.protect(*words[:-1], "8", "--force")
        self.assertNotEqual(contents(self.bundle)["features.npy"], bundles[0]["features.npy"])

    def test_two_secure_runs_differ(self):
        self.protect("--eps-features", "2")
        first = (self.bundle / "features.npy").read_bytes()
        self.protect("--eps-features", "2", "--force")
        self.assertFalse((self.bundle / "features.npy").read_bytes() == first)

    def test_the_stored_release_is_given_out_again_when_asked_for(self):
        words = ["--eps-features", "2", "--eps-edges", "1"]
        copy = self.scratch / "copy"
        self.fails(2, "protect", self.graph, "-o", copy, *words, "--again", says="has no release of")
        first = self.protect(*words)
        self.assertFalse(first["stored"])
        kept = contents(self.bundle)
        again = self.json("protect", self.graph, "-o", copy, *words, "--again")
        self.assertTrue(again["stored"])
        self.assertIsNone(again["ledger_entry"])
        self.assertTrue(contents(copy) == kept)
        self.assertEqual(again["edges_out"], first["edges_out"])
        self.assertTrue(self.protect(*words, "--again")["stored"])  # in its own place, no --force
        for dry in ([], ["--dry-run"]):  # what its certificate does not say
            for option in ("--issuer", "--kept"):
                self.fails(2, "protect", self.graph, "-o", copy, "--force", *words, "--again", option, "another word", *dry,
                           says=f'{option} is "another word" and its certificate says nothing')
        self.assertTrue(contents(copy) == kept)
        other = ["--eps-features", "2", "--eps-edges", "1.5"]
        self.fails(2, "protect", self.graph, "-o", copy, *other, "--again", says="has no release of")
        self.protect(*other, "--force")  # in the place of the first, which is gone by that
        self.fails(2, "protect", self.graph, "-o", self.scratch / "third", *words, "--again",
                   says="is missing or was changed")
        (copy / "edges.npy").unlink()  # not the one that the ledger knows
        damaged = self.bundle / "edges.npy"
        damaged.write_bytes(damaged.read_bytes()[:-1])
        self.fails(3, "protect", self.graph, "-o", self.scratch / "third", *other, "--again",
                   says="damaged")
        self.assertEqual(len(self.json("ledger", "show")["charges"]), 2)

    def test_again_is_refused_where_nothing_can_be_stored(self):
        words = ["protect", self.graph, "-o", self.bundle, "--eps-features", "2", "--again"]
        self.fails(2, *words, "--ledger", "none", says="--again needs a ledger")
        self.fails(2, *words, "--insecure-seed", "1", says="--again needs a ledger")
        self.fails(2, *words, "--insecure-seed", "1", "--ledger", self.scratch / "ledger",
                   says="NOT PRIVATE cannot be copied")

    def test_bad_requests_about_edges(self):
        def refused(code, says, *words):
            self.fails(code, "protect", self.graph, "-o", self.bundle, "--eps-features", "1", *words,
                       says=says)
            self.assertEqual(self.names(), before)

        candidates = self.scratch / "candidates"
        before = ["candidates", "graph"]
        candidates.write_text("0\n1\n")
        for bad in ("0", "-1", "nan", "inf", "21", "1e-10", ""):
            refused(2, "--eps-edges", f"--eps-edges={bad}")
        for bad in ("-0.1", "1.1", "nan"):
            refused(2, "--tree-share", "--eps-edges", "1", "--tree", "select", f"--tree-share={bad}")
        refused(2, "no budget is left", "--eps-edges", "1", "--tree", "select", "--tree-share", "1")
        refused(2, "--tree-share", "--eps-edges", "1", "--tree", "public", "--tree-share", "0.5")
        refused(2, "--eps-edges E is missing", "--edge-mechanism", "edgerr")
        refused(2, "spends no budget", "--edge-mechanism", "public-only", "--eps-edges", "1")
        refused(2, "--tree and --tree-share apply to edgerr,", "--edge-mechanism", "lapgraph", "--eps-edges", "1", "--tree",
                "public")
        for words in (["--tree", "paper"], ["--tree", "single"], ["--edge-mechanism", "privhrg"]):
            refused(2, "refused in strict mode", "--eps-edges", "1", *words)
        declared = ["--candidates", candidates, "--public", "candidates"]
        refused(2, "fewer than three", "--eps-edges", "1", *declared)
        candidates.write_text("0\n1\n2\n")
        refused(3, "The message does not name the edge", "--eps-edges", "1", *declared)
        candidates.write_text("0\n1\nnobody\n")
        refused(3, "is not a node id of the graph;", "--eps-edges", "1", "--candidates", candidates)
        refused(2, "expected", "--eps-edges", "0.1", "--edge-mechanism", "edgerand",
                "--max-edges-out", "1000")

    def test_a_graph_that_marks_nothing_has_nothing_to_spend_on(self):
        open_graph = self.scratch / "open"
        self.json("generate", "--nodes", "50", "--private-fraction", "0", "-o", open_graph)
        (open_graph / "private.npy").unlink(missing_ok=True)
        self.fails(2, "protect", open_graph, "-o", self.bundle, "--feature-mechanism", "featfree",
                   "--eps-edges", "1", "--public", "edges", says="no edge is marked as private")
        # Taken whole for private, marks do not matter.
        answer = self.json("protect", open_graph, "-o", self.bundle, "--feature-mechanism",
                           "featfree", "--eps-edges", "8", "--edge-mechanism", "edgerand")
        self.assertIn("per pair of nodes", answer["statement"])
        self.assertTrue(answer["private"])

    def test_undecided_edges_are_refused_in_every_format(self):
        """Whether there are marks is all that matters, not how many of them are set."""
        bundle, pairs = self.scratch / "made", self.scratch / "pairs.csv"
        pairs.write_text("source,target\n0,1\n1,2\n2,3\n")
        bare = self.scratch / "bare"
        shutil.copytree(self.graph, bare)
        (bare / "private.npy").unlink()
        graphs = [pairs, bare]
        for name in ("g.npz", "g.mtx", "g.tsv.gz"):
            self.succeeds("convert", bare, "-o", self.scratch / name)
            graphs.append(self.scratch / name)
        for graph in graphs:
            seen = self.json("inspect", graph)
            self.assertEqual((seen["marking"], seen["private_edges"], seen["public_edges"]), ("undecided", 0, 0))
            self.assertEqual(seen["undecided_edges"], seen["edges"])
            start = ["protect", graph, "-o", bundle, "--feature-mechanism", "featfree", "--force"]
            for more in ([], ["--eps-edges", "1"], ["--dry-run"], ["--insecure-seed", "1"],
                         ["--not-private"], ["--mode", "paper"]):
                self.fails(2, *start, *more, says="the input does not say which edges are private")
            self.assertFalse(bundle.exists())
            self.fails(3, "ledger", "show", says="there is no ledger")
            nodes = ["--public", "nodes"]
            self.assertEqual(self.json(*start, *nodes, "--all-private")["edges_out"], 0)
            self.assertGreater(self.json(*start, "--public", "edges")["edges_out"], 0)
            self.json(*start, *nodes, "--edge-mechanism", "lapgraph", "--eps-edges", "1")
            shutil.rmtree(bundle)
            shutil.rmtree(os.environ["XDG_DATA_HOME"])

    def test_every_edge_may_be_private(self):
        edges = self.made["edges"]
        for verb in ("inspect", "protect", "compare learning", "compare structure", "advise", "attack linkteller",
                     "attack release", "train", "predict", "convert"):
            self.assertIn("--all-private", self.succeeds("help", *verb.split()).stdout, verb)
        self.assertLess(self.made["private_edges"], edges)
        self.assertEqual(self.json("inspect", self.graph, "--all-private")["private_edges"], edges)
        self.fails(2, "compare", "structure", self.graph, "--all-private", "--mechanisms", "lapgraph",
                   "--eps-edges", "1", "--private-fractions", ".3", says="--all-private makes every edge private,")
        copy = self.scratch / "copy"
        self.succeeds("convert", self.graph, "--all-private", "-o", copy)
        self.assertEqual(self.json("inspect", copy)["private_edges"], edges)
        for more in (["--private-fraction", ".5"], ["--private-column", "private"],
                     ["--private-edges", "e.csv"]):
            self.fails(2, "inspect", self.graph, "--all-private", *more, says="--all-private makes every edge private,")
        self.fails(2, "protect", self.graph, "-o", self.bundle, "--all-private", "--public", "edges",
                   "--eps-features", "1", says="leave one of them out")

    def test_a_release_has_no_private_edges_and_says_so_for_ever(self):
        """A bundle may be protected again: nobody need declare what its certificate promises."""
        self.protect("--eps-features", "1")
        again, copy = self.scratch / "again", self.scratch / "copy"
        self.succeeds("convert", self.bundle, "-o", copy)
        self.assertEqual(self.json("inspect", self.graph)["marking"], "marked")
        for graph in self.bundle, copy:
            self.assertEqual(self.json("inspect", graph)["marking"], "all public")
            answer = self.json("protect", graph, "-o", again, "--eps-features", "1", "--bounds", "0,1",
                               "--force")
            self.assertEqual(answer["edges_out"], self.json("inspect", self.bundle)["edges"])

    def test_a_tree_is_advised_against_only_where_one_is_chosen(self):
        few = self.scratch / "few"  # public edges, too few to shape a tree
        self.succeeds("generate", "--nodes", "40", "--avg-degree", "4", "-o", few)
        start = ["protect", few, "-o", self.scratch / "b", "--force", "--eps-features", "1",
                 "--eps-edges", "1"]
        self.assertNotIn("hardly", self.succeeds(*start).stderr)
        for words in (["--tree", "public"], ["--edge-mechanism", "edgerr", "--dry-run"]):
            self.assertIn("seldom be where private edges are", self.succeeds(*start, *words).stderr)

    def test_charges_are_counted_from_one(self):
        start = ["protect", self.graph, "--eps-features", "1"]
        for number in (1, 2, 3):
            bundle = self.scratch / f"b{number}"
            done = self.succeeds(*start, "-o", bundle)
            self.assertIn(f"charged to the ledger (charge {number});", done.stdout)
            self.assertIn(f"charge {number} of ledger", (bundle / "CERTIFICATE.txt").read_text())
            self.succeeds("verify", bundle)
        self.fails(3, *start, "-o", self.scratch / "lost" / "b",
                   says=f"the directory {self.scratch}/lost does not exist")
        self.assertEqual(len(self.json("ledger", "show")["charges"]), 3)  # and nothing was spent

    def test_a_certificate_of_another_version_names_the_program_that_made_it(self):
        self.protect("--eps-features", "1")
        path = self.bundle / "certificate.json"
        path.write_text(path.read_text().replace('"format_version": 4', '"format_version": 1'))
        self.fails(5, "verify", self.bundle, says="has version 1, but this program reads versions 2 to 4; use "
                   "the program that made it (heterorr ")
        self.fails(3, "report", "--bundle", self.bundle, "-o", self.scratch / "report", says="version 1")

    def test_a_seeded_release_is_never_given_out_again(self):
        words = ["--eps-features", "2", "--ledger", self.scratch / "ledger"]
        self.assertFalse(self.protect(*words, "--insecure-seed", "7")["private"])
        second = ["protect", self.graph, "-o", self.scratch / "second", *words]
        self.fails(2, *second, "--again", says="has no release of")
        self.assertIsNone(self.json(*second)["charge_before"])

    def test_pairs_are_the_same_whatever_marks_and_names_say(self):
        """A graph that is taken whole for private: marks, name and split are not its secret."""
        other = self.scratch / "other"
        shutil.copytree(self.graph, other)
        facts = json.loads((other / "graph.json").read_text())
        (other / "graph.json").write_text(json.dumps({**facts, "name": "renamed"}))
        marks = numpy.load(other / "private.npy")
        marks[0] ^= 1
        numpy.save(other / "private.npy", marks)
        (other / "split.npy").unlink()
        words = ["--feature-mechanism", "featfree", "--edge-mechanism", "edgerand", "--eps-edges",
                 "8", "--limit", "15"]
        self.protect(*words)
        self.fails(4, "protect", other, "-o", self.scratch / "second", *words,
                   says="spent 8 + requested 8 > limit 15")
        # On the very same graph, what the private pairs alone cost adds to it.
        self.fails(4, "protect", self.graph, "-o", self.scratch / "second", "--feature-mechanism",
                   "featfree", "--eps-edges", "8", "--limit", "15",
                   says="spent 8 + requested 8 > limit 15")

    def test_a_copy_leaves_open_what_the_original_did(self):
        """A node that only a private row names tells of it, in whatever layout."""
        pairs = self.scratch / "pairs.csv"
        pairs.write_text("source,target,private\na,b,0\nb,c,0\nc,d,0\nd,zed,1\n")
        for copy in ("copy", "copy.npz"):
            self.succeeds("convert", pairs, "-o", self.scratch / copy)
            words = ["protect", self.scratch / copy, "-o", self.bundle, "--force", "--eps-edges", "1"]
            self.assertFalse(self.json(*words, "--not-private")["private"], copy)
            self.assertTrue(self.json(*words, "--public", "nodes")["private"], copy)

    def test_a_candidate_set_must_be_declared(self):
        candidates = self.scratch / "candidates"
        candidates.write_text("".join(f"{i}\n" for i in range(500)))
        words = ["--eps-features", "1", "--eps-edges", "1", "--candidates", candidates, "--force"]
        answer = self.protect(*words, "--not-private")
        self.assertFalse(answer["private"])
        self.assertIn("candidate set comes from a file", answer["statement"])
        self.assertTrue(self.protect(*words, "--public", "candidates")["private"])

    def test_the_limit_is_kept(self):
        ledger = self.scratch / "ledger.sqlite"
        words = ["--ledger", ledger, "--limit", "5", "--eps-features", "2"]
        self.protect(*words, "--eps-edges", "1")
        self.fails(4, "protect", self.graph, "-o", self.scratch / "second", *words, "--eps-edges",
                   "0.5", says="spent 3 + requested 2.5 > limit 5")
        self.assertFalse((self.scratch / "second").exists())
        self.json("protect", self.graph, "-o", self.scratch / "second", *words)
        for option in (["--limit", "5"], ["--account", "a"]):
            self.fails(2, "protect", self.graph, "-o", self.scratch / "third", "--ledger", "none",
                       *option, "--eps-features", "2", says=f"{option[0]} needs a ledger")
        # A place that is taken is refused before anything is charged.
        self.fails(2, "protect", self.graph, "-o", self.bundle, *words[:2], "--eps-features", "3",
                   says="exists already")
        spent = self.json("ledger", "show", "--ledger", ledger)
        self.assertEqual(len(spent["charges"]), 2)

    def test_a_limit_may_be_above_twenty(self):
        words = ["--eps-features", "9", "--eps-edges", "9", "--limit"]
        self.protect(*words, "30")
        second = ["protect", self.graph, "-o", self.scratch / "second", *words]
        self.fails(4, *second, "30", says="spent 18 + requested 18 > limit 30")
        self.succeeds(*second, "36")
        for bad in ("0", "-1", "nan", "1e10", ""):
            self.fails(2, *second[:-1], f"--limit={bad}", says="--limit")

    def test_an_account_is_charged_whatever_the_data(self):
        """Another graph of other people's number, name and values: the account is what they share."""
        other = self.scratch / "other"
        self.json("generate", "--nodes", "90", "--features", "5", "--seed", "9", "-o", other)
        words = ["--eps-features", "1", "--limit", "1.5"]
        first = self.succeeds("protect", self.graph, "-o", self.bundle, *words, "--account", "ward-7")
        self.assertIn("spent on account ward-7 and on this data so far: eps_f = 1,", first.stdout + first.stderr)
        second = ["protect", other, "-o", self.scratch / "second", *words]
        self.fails(4, *second, "--account", "ward-7",
                   says="the budget of account ward-7 does not allow this release: spent 1 + requested 1")
        self.fails(4, *second, "--account", "ward-7", "--dry-run", says="spent 1 + requested 1 > limit 1.5")
        self.json(*second, "--account", "ward-8")
        self.fails(2, *second, "--account", "two words", says="is not a valid account name")
        # The certificate names it, and only where one was named.
        entries = {}
        for bundle in (self.bundle, self.scratch / "second"):
            self.succeeds("verify", bundle)
            entries[bundle] = json.loads((bundle / "certificate.json").read_text())["ledger_entry"]
            page = (bundle / "CERTIFICATE.txt").read_text()
            self.assertRegex(page, rf"account +{entries[bundle]['account']}\n")
        self.assertEqual([e["account"] for e in entries.values()], ["ward-7", "ward-8"])
        self.json("protect", self.graph, "-o", self.scratch / "third", "--eps-features", "1")
        certificate = (self.scratch / "third" / "certificate.json").read_text()
        self.assertNotIn("account", json.loads(certificate)["ledger_entry"])
        # The ledger shows accounts, and the charges that are on none.
        shown = self.json("ledger", "show")
        self.assertEqual([(a["account"], a["spent"]["eps_features"]) for a in shown["accounts"]],
                         [("ward-7", "1"), ("ward-8", "1")])
        self.assertEqual([c["account"] for c in shown["charges"]], ["ward-7", "ward-8", None])
        text = self.succeeds("ledger", "show").stdout
        self.assertRegex(text, r"Account .*\n .* 1 +ward-7\n .* 1 +ward-8\n")

    def test_a_budget_must_be_named(self):
        self.fails(2, "protect", self.graph, "-o", self.bundle, says="--eps-features E is missing")
        labels = ("protect", self.graph, "-o", self.bundle, "--eps-labels", "1")
        self.fails(2, *labels, says="--feature-mechanism featfree")
        self.assertTrue(self.json(*labels, "--feature-mechanism", "featfree", "--dry-run")["private"])
        for bad in ("0", "-1", "nan", "inf", "21", "1e-10", "0x1", ""):
            self.fails(2, "protect", self.graph, "-o", self.bundle, f"--eps-features={bad}",
                       says="--eps-features")
        self.fails(2, "protect", self.graph, "-o", self.bundle, "--eps-features", "1",
                   "--feature-mechanism", "none", says="spends no budget")
        self.assertEqual(self.names(), ["graph"])

    def test_bounds(self):
        start = ["protect", self.graph, "-o", self.bundle, "--eps-features", "20", "--bins", "3"]
        numpy.save(self.scratch / "rows.npy", numpy.array([[-1.0] * 20, [1.0] * 20]))
        (self.scratch / "lines.csv").write_text("-1,1\n" * 20)
        bundles = []
        for bounds in ("-1,1", self.scratch / "rows.npy", self.scratch / "lines.csv"):
            self.json(*start, "--insecure-seed", "1", "--force", "--bounds", bounds)
            bundles.append((self.bundle / "features.npy").read_bytes())
        self.assertEqual(bundles[0], bundles[1])
        self.assertEqual(bundles[0], bundles[2])
        values = numpy.unique(numpy.load(self.bundle / "features.npy").round(6))
        self.assertTrue(set(abs(values)) <= set(numpy.float32([0, .666667])), values)
        (self.scratch / "short.csv").write_text("-1,1\n" * 19)
        (self.scratch / "words.csv").write_text("-1,1\nlow,high\n")
        self.fails(3, *start, "--force", "--bounds", self.scratch / "short.csv", says="19 features")
        self.fails(3, *start, "--force", "--bounds", self.scratch / "words.csv", says="line 2")
        self.fails(2, *start, "--force", "--bounds", "1,1", says="bounds of feature 0")
        self.fails(3, *start, "--force", "--bounds", "nowhere", says="nowhere")

    def test_bounds_from_data_are_for_paper_mode_and_not_private(self):
        words = ["--eps-features", "2", "--bounds", "data"]
        self.fails(2, "protect", self.graph, "-o", self.bundle, *words, says="strict mode")
        self.assertEqual(self.names(), ["graph"])
        answer = self.protect(*words, "--mode", "paper")
        self.assertEqual((answer["mode"], answer["private"]), ("paper", False))
        self.assertEqual(len(self.certificate()["not_certified"]), 1)

    def test_paper_mode_decodes_as_the_paper_does(self):
        self.protect("--eps-features", "20", "--mode", "paper", "--bins", "4")
        self.assertEqual(set(numpy.load(self.bundle / "features.npy").ravel().tolist()),
                         {.25, .5, .75, 1})
        self.assertEqual(self.certificate()["features"]["decoding"], "paper")
        self.protect("--eps-features", "20", "--bins", "4", "--decode", "bins", "--force")
        self.assertEqual(numpy.load(self.bundle / "features.npy").dtype, numpy.uint8)

    def test_dry_run_writes_nothing(self):
        answer = self.protect("--eps-features", "2", "--dry-run")
        self.assertIsNone(answer["bundle"])
        self.assertTrue(answer["dry_run"])
        self.assertEqual(answer["edges_out"], self.made["public_edges"])
        self.assertEqual(self.names(), ["graph"])

    def test_dry_run_says_what_it_would_take(self):
        words = ["--eps-features", "2", "--ledger", self.scratch / "ledger", "--limit", "3"]
        answer = self.protect(*words, "--dry-run")
        self.assertEqual(set(answer), FIELDS | {"spent_before", "expected_seconds",
                                                "expected_edges_out_at_least",
                                                "expected_memory_bytes"})
        nothing = {"eps_features": 0, "eps_edges": 0, "eps_labels": 0, "not_private": False}
        self.assertEqual(answer["spent_before"], nothing)
        self.assertFalse(answer["stored"])
        self.assertGreater(answer["expected_seconds"], 0)
        self.assertGreater(answer["expected_memory_bytes"], answer["peak_rss_bytes"])
        self.assertEqual(self.names(), ["graph"])
        self.protect(*words)
        self.assertTrue(self.protect(*words, "--again", "--dry-run")["stored"])
        self.fails(4, "protect", self.graph, "-o", self.scratch / "more", *words, "--dry-run", says="spent 2 + requested 2")
        words[-1] = "9"
        answer = self.json("protect", self.graph, "-o", self.scratch / "more", *words, "--dry-run")
        self.assertFalse(answer["stored"])
        self.assertEqual(answer["charge_before"], 1)
        self.assertEqual(answer["spent_before"], {**nothing, "eps_features": 2})
        self.assertIsNone(self.json("protect", self.graph, "-o", self.scratch / "more", "--eps-features", "2", "--ledger",
                                    "none", "--dry-run")["spent_before"])
        done = self.succeeds("protect", self.graph, "-o", self.scratch / "more", *words, "--dry-run")
        for said in ("a second one", "--again"):
            self.assertIn(said, done.stderr)
        text = done.stdout
        for said in ("it would spend: eps_f = 2", "before: eps_f = 2", "at least ", "of memory"):
            self.assertIn(said, text)

    def test_removing_a_private_edge_changes_nothing(self):
        """Whatever is private: output, messages and every byte of the bundle stay the same."""
        edges = numpy.load(self.graph / "edges.npy")
        private = numpy.load(self.graph / "private.npy")
        gone = int(numpy.flatnonzero(private)[0])
        words = ["protect", self.graph, "-o", self.bundle, "--eps-features", "1",
                 "--insecure-seed", "1", "--force"]
        before = self.succeeds(*words).stdout.splitlines()[0], contents(self.bundle)
        numpy.save(self.graph / "edges.npy", numpy.delete(edges, gone, axis=1))
        numpy.save(self.graph / "private.npy", numpy.delete(private, gone))
        description = json.loads((self.graph / "graph.json").read_text())
        description["n_edges"] -= 1
        (self.graph / "graph.json").write_text(json.dumps(description))
        after = self.succeeds(*words).stdout.splitlines()[0], contents(self.bundle)
        self.assertEqual(before, after)

    def test_values_that_are_not_finite(self):
        features = numpy.load(self.graph / "features.npy")
        features[17, 3] = numpy.nan
        numpy.save(self.graph / "features.npy", features)
        self.fails(3, "protect", self.graph, "-o", self.bundle, "--eps-features", "1",
                   says="row 17, column 3")
        self.assertEqual(self.names(), ["graph"])

    def test_places(self):
        self.protect("--eps-features", "1")
        before = contents(self.bundle)
        self.fails(2, "protect", self.graph, "-o", self.bundle, "--eps-features", "3",
                   says="exists already")
        self.assertEqual(contents(self.bundle), before)
        self.fails(2, "protect", self.graph, "-o", self.graph, "--eps-features", "1", "--force",
                   says="is the graph itself")
        self.fails(3, "protect", self.graph, "-o", "/proc/nowhere/b", "--eps-features", "1")

    def test_graph_without_features(self):
        (self.scratch / "pairs.csv").write_text("source,target,private\n0,1,0\n1,2,1\n")
        bundle = self.scratch / "pairs"
        self.fails(2, "protect", self.scratch / "pairs.csv", "-o", bundle, "--eps-features", "1",
                   says="has no features")
        answer = self.json("protect", self.scratch / "pairs.csv", "-o", bundle, "--public", "nodes")
        self.assertEqual((answer["edges_out"], answer["private"]), (1, True))
        self.assertIn("no features are released", answer["statement"])

    def test_several_labels(self):
        graph = self.scratch / "several"
        self.json("generate", "--nodes", "300", "--features", "4", "--multilabel", "--classes", "5",
                  "-o", graph)
        answer = self.json("protect", graph, "-o", self.bundle, "--eps-features", "1",
                           "--eps-labels", "2")
        self.assertTrue(1.99 < answer["realised_eps_labels"] <= 2)
        before, after = (numpy.load(place / "labels.npy") for place in (graph, self.bundle))
        self.assertEqual(before.shape, after.shape)
        self.assertTrue((before != after).any())


if __name__ == "__main__":
    unittest.main()
