"""What a security officer reads in a certificate, a report and a refusal is true of this very release, and says the
same everywhere."""
import html
import re
import unittest

from command import CommandTest


class SecurityOfficer(CommandTest):
    def setUp(self):
        super().setUp()
        self.graph, self.bundle = self.scratch / "graph", self.scratch / "bundle"
        self.succeeds("generate", "--nodes", "200", "--features", "4", "-o", self.graph)

    def page(self, *words):
        """CERTIFICATE.txt of a release, in one line."""
        self.succeeds("protect", self.graph, "-o", self.bundle, "--force", *words)
        self.succeeds("verify", self.bundle)
        return " ".join((self.bundle / "CERTIFICATE.txt").read_text().split())

    def report(self):
        """What a report says of the bundle: its text, and the cells of each row."""
        out = self.scratch / "report"
        self.succeeds("report", "--bundle", self.bundle, "-o", out, "--force")
        page = html.unescape((out / "index.html").read_text())
        rows = {name: re.findall(r"<td[^>]*>(.*?)</td>", cells)
                for name, cells in re.findall(r'<tr><th scope="row">(\w+)</th>(.*?)</tr>', page)}
        return page, rows

    def test_what_is_not_private_promises_nothing(self):
        budgets = ["--eps-features", "1", "--eps-edges", "1"]
        for words in (["--feature-mechanism", "none", "--edge-mechanism", "none"],
                      [*budgets, "--insecure-seed", "1"],
                      [*budgets, "--mode", "paper", "--edge-mechanism", "edgerr", "--tree", "paper"]):
            with self.subTest(words=words):
                text = self.page(*words)
                self.assertIn("Nothing is guaranteed, whatever epsilons are stated", text)
                self.assertIn("may reveal as much as the release itself: NOT PRIVATE", text)
                for promise in ("used for ever", "epsilon is guaranteed", "What is hidden is", "The guarantee covers",
                                "every epsilon is proved"):
                    self.assertNotIn(promise, text)

    def test_no_more_is_said_than_the_documents_say(self):
        text = self.page("--eps-features", "1")
        self.assertIn("give the same exit codes, messages and file names, except for the faults that docs/privacy.md lists", text)
        self.assertIn("from the parameters in certificate.json. That these parameters were used is a statement of the "
                      "maker of this release", text)
        self.assertIn("Their units differ, and none of them is a recommendation", text)

    def test_numbers_stand_as_they_were_typed(self):
        text = self.page("--feature-mechanism", "gaussian", "--eps-features", "1", "--delta", "1e-6", "--bounds",
                         ".1,.7", "--edge-mechanism", "lapgraph", "--eps-edges", "1")
        self.assertTrue(text.startswith("(eps_f, delta) = (1, 1e-06) per node feature vector; "), text[:80])
        self.assertIn("gaussian: (eps = 1, delta = 1e-06)", text)
        self.assertIn("clipped to 0.1 to 0.7", text)
        page = html.unescape(self.report()[0])
        for sentence in ("Features: an attacker who knows everything else, and considers any two values of one node's whole "
                         "feature vector equally likely, guesses right in at most 73.2 % of cases, including delta = 1e-06.",
                         "Edges: an attacker who knows everything else, and considers an edge between two candidate nodes and no "
                         "edge between them equally likely, becomes at most 73.2 % certain.",
                         "Epsilon bounds how much the probability of any release changes when one item of the input changes",
                         "bounds (the bounds of the features were given,"):
            self.assertIn(sentence, text)
            self.assertIn(sentence, page)

    def test_the_report_says_what_the_certificate_says(self):
        (self.graph / "private.npy").unlink()
        self.assertIn("mechanism none: every edge is published as it is",
                      self.page("--eps-features", "1", "--public", "edges"))
        self.assertEqual(self.report()[1]["Edges"], ["none", "–", "–", "–", "published as it is"])
        text = self.page("--all-private", "--feature-mechanism", "none", "--edge-mechanism", "none")
        self.assertIn("epsilon infinity", text)
        self.assertNotIn("clipped", text)
        answer = self.json("protect", self.graph, "-o", self.bundle, "--force", "--all-private",
                           "--feature-mechanism", "none", "--edge-mechanism", "none")
        for name in ("eps_features", "eps_edges", "realised_eps_features", "realised_eps_edges"):
            self.assertIsNone(answer[name], name)  # not 0, which is the strongest
        rows = self.report()[1]
        for part in ("Features", "Edges"):
            self.assertEqual(rows[part][:3] + rows[part][4:], ["none", "–", "infinity", "always"])

    def test_releases_of_an_account_are_added_up(self):
        def others(*words):
            return self.page("--account", "ward", *words).split(" Other releases - ")[1].split(" Who, when")[0]

        self.assertIn("Together with this release: eps_f = 1, eps_e = 0, eps_y = 0.", others("--eps-features", "1"))
        text = others("--feature-mechanism", "gaussian", "--delta", "1e-6", "--eps-features", "19.5", "--eps-edges", "2")
        self.assertIn("in total eps_f = 1, eps_e = 0, eps_y = 0. Releases", text)
        self.assertIn("Together with this release: eps_f = 20.5, eps_e = 2, eps_y = 0, delta = 1e-06.", text)
        text = others("--eps-features", "1", "--eps-labels", ".5")
        self.assertIn("in total eps_f = 20.5, eps_e = 2, eps_y = 0, delta = 1e-06.", text)
        self.assertIn("Together with this release: eps_f = 21.5, eps_e = 2, eps_y = 0.5, delta = 1e-06.", text)
        self.assertNotIn("NOT PRIVATE", text)
        self.assertNotIn("Together", others("--feature-mechanism", "none"))
        text = others("--eps-features", "1")
        self.assertIn("Some of the earlier releases are NOT PRIVATE. No epsilon bounds what somebody learns", text)
        self.assertNotIn("Together", text)

    def test_a_limit_that_can_hold_no_more_says_why(self):
        words = ["protect", self.graph, "-o", self.bundle, "--force", "--limit", "5"]
        self.fails(4, *words, "--feature-mechanism", "none", says="this release is NOT PRIVATE: no epsilon bounds")
        self.succeeds(*words[:-2], "--feature-mechanism", "none")
        done = self.fails(4, *words, "--eps-features", "1", "--account", "ward",
                          says="a release that is NOT PRIVATE was charged before")
        self.assertNotIn("raise the limit", done.stderr)

    def test_predictions_on_what_is_no_release_say_so(self):
        model, out = self.scratch / "model", self.scratch / "p.npy"
        self.page("--eps-features", "1", "--eps-edges", "1")
        self.succeeds("train", self.bundle, "-o", model, "--epochs", "5")
        self.assertNotIn("note", self.succeeds("predict", model, self.bundle, "-o", out).stderr)
        (self.graph / "private.npy").unlink()
        self.assertIn("nothing is guaranteed about",
                      self.succeeds("predict", model, self.graph, "-o", out, "--force").stderr)


if __name__ == "__main__":
    unittest.main()
