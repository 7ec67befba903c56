"""Files that are not what they should be, and results that are unusual: a clear error, or a page."""
import json
import pathlib
import sys
import unittest
import xml.dom.minidom

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from command import CommandTest

import make_results

EVIL = "<script>alert(1)</script>\"'&, x"


class BadInput(CommandTest):
    def refused(self, text, says, *options):
        path = self.scratch / "r.csv"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        done = self.fails(3, "report", path, *options, "-o", self.scratch / "out", says=says)
        self.assertEqual(self.names(), ["r.csv"])
        return done

    def page(self, *results, options=()):
        out = self.scratch / "out"
        self.succeeds("report", *results, *options, "-o", out, "--force")
        for svg in out.glob("*.svg"):
            xml.dom.minidom.parse(str(svg))  # well-formed, whatever the names were
        return (out / "index.html").read_text(encoding="utf-8")

    def shows(self, words, page):  # not assertIn, which would print the page
        self.assertTrue(words in page, f"the page does not say {words}")

    def hides(self, words, page):
        self.assertTrue(words not in page, f"the page says {words}")

    def test_files_that_are_no_results(self):
        self.refused("", "the file is empty")
        self.refused("hello\n", "the columns do not show what kind of results these are")
        self.refused("graph,nodes\ncora,1\n", "the columns do not show what kind of results these are")
        self.refused(b"\x89PNG\r\n\x1a\n\0\0\0", "the columns do not show what kind of results these are")
        self.refused("mechanism,eps,accuracy\n", "has a header but no rows,")
        self.refused("mechanism,eps,accuracy\na,1\n", "r.csv:2: the row has 2 fields, but the header has 3")
        self.refused("mechanism,eps,accuracy\na,one,0.5\n", "r.csv:2: column eps or epsilon is not a number")
        self.refused("mechanism,eps,accuracy\na,1,nan\n", "no run in the results has a number")

    def test_columns_that_are_missing_are_named(self):
        for header, names in (("mechanism,test_accuracy", "eps_edges"),
                              ("eps_edges,test_accuracy", "mechanism or treatment"),
                              ("rms_0,rms_1,edge_mechanism", "eps_edges"),
                              ("expected_error,mechanism,eps,features", "mean_expected_error"),
                              ("mechanism,eps,features,mean_expected_error,fpr", "tpr"),
                              ("attack,mechanism,eps", "auc")):
            fields = ",".join("1" for _ in header.split(","))
            self.refused(f"{header}\n{fields}\n", names)
            self.refused(f"{header}\n{fields}\n", "another version of heterorr")

    def test_files_that_are_not_there(self):
        for words in (["none.csv"], ["--bundle", "none"], ["--scores", "none.npz"],
                      ["--images", "none"], ["--commands", "none.txt"]):
            done = self.fails(3, "report", *words, "-o", self.scratch / "out", says="none")
            self.assertEqual(self.names(), [], done.stderr)

    def test_options_that_make_no_sense(self):
        path = make_results.utility(self.scratch / "u.csv")
        out = self.scratch / "out"
        self.fails(2, "report", "-o", out, says="nothing to report")
        self.fails(3, "report", path, "-o", out, "--metric", "average_precision", says="no column test_average_precision")
        self.fails(2, "report", path, "-o", path, says="not a directory")
        self.fails(2, "report", *[path] * 257, "-o", out, says="at most 256")

    def test_what_is_no_bundle_no_scores_no_image(self):
        other = self.scratch / "other"
        other.mkdir()
        (other / "a.png").write_bytes(b"no picture")
        out = self.scratch / "out"
        self.fails(3, "report", "--bundle", other, "-o", out, says="certificate")
        self.fails(3, "report", "--images", other, "-o", out, says="a.png")
        self.fails(3, "report", "--scores", other / "a.png", "-o", out, says="a.png")

    def test_names_are_text_not_markup(self):
        path = make_results.write(self.scratch / "u.csv",
                                  ["graph", "mechanism", "eps", "run", "accuracy"],
                                  [[EVIL, EVIL + str(m), e, r, 0.5 + 0.1 * r] for m in range(2)
                                   for e in (1, 2) for r in (0, 1)])
        commands = self.scratch / "commands.txt"
        commands.write_text(EVIL + "\n")
        page = self.page(path, options=["--title", EVIL, "--commands", commands])
        self.hides("<script>alert", page)
        self.assertEqual(page.count("<script>"), 1)
        self.shows("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;, x", page)

    def test_names_that_are_no_utf_8(self):
        path = self.scratch / "u.csv"
        path.write_bytes(b"graph,mechanism,eps,accuracy\ncaf\xe9,\xff\x01,1,0.5\n"
                         b"caf\xe9,\xff\x01,2,0.6\n")
        self.shows("caf\ufffd", self.page(path))
        json.loads((self.scratch / "out" / "report.json").read_text())

    def test_a_single_point_is_a_bar(self):
        path = make_results.write(self.scratch / "u.csv", ["mechanism", "eps", "accuracy"],
                                  [["a", 1, 0.5]])
        self.shows("Bar chart", self.page(path))

    def test_one_value_everywhere(self):
        path = make_results.write(self.scratch / "u.csv", ["mechanism", "eps", "run", "accuracy"],
                                  [["a", e, r, 0.5] for e in (1, 2) for r in (0, 1)])
        self.hides("nan", self.page(path).split("<main>")[1].split("<script>")[0])

    def test_a_hundred_mechanisms_at_few_budgets_are_rows_of_dots(self):
        path = make_results.utility(self.scratch / "u.csv", fractions=("0.3",), runs=2,
                                    mechanisms=[f"mechanism-{i}" for i in range(100)])
        self.shows("Dot plot of test accuracy against epsilon of edges: 100 rows and 4 references",
                   self.page(path))
        svg = (self.scratch / "out" / "utility-1.svg").read_text()
        for i in range(100):
            self.shows(f">mechanism-{i}<", svg)

    def test_a_hundred_mechanisms_at_many_budgets_are_small_multiples(self):
        path = make_results.utility(self.scratch / "u.csv", budgets=(.1, .2, .5, 1, 2, 4, 8),
                                    fractions=("0.3",), runs=2,
                                    mechanisms=[f"mechanism-{i}" for i in range(100)])
        self.shows("in 100 panels", self.page(path))
        self.assertEqual((self.scratch / "out" / "utility-1.svg").read_text().count(
            'class="name"'), 100)

    def test_results_of_another_version_are_shown_with_it(self):
        path = make_results.utility(self.scratch / "u.csv", version="0.0.1")
        self.shows("Some runs were made by version 0.0.1.", self.page(path))

    def test_columns_nobody_knows_are_passed_over(self):
        path = make_results.write(self.scratch / "u.csv",
                                  ["mechanism", "eps", "colour", "accuracy", "accuracy_of_cats"],
                                  [["a", 1, "red", 0.5, "x"], ["a", 2, "blue", 0.6, "y"]])
        self.shows("Line chart", self.page(path))

    def test_a_touched_bundle_is_not_trusted(self):
        graph, bundle = self.scratch / "graph", self.scratch / "bundle"
        self.succeeds("generate", "--nodes", 50, "--features", 4, "--classes", 2,
                      "--private-fraction", 0.5, "--seed", 1, "-o", graph)
        self.succeeds("protect", graph, "-o", bundle, "--eps-features", 1, "--eps-edges", 1,
                      "--edge-mechanism", "edgerr")
        page = self.page(options=["--bundle", bundle])
        self.shows(">FEATURES AND EDGES ONLY<", page)  # the labels are in it as they are
        self.shows("Checked for this report", page)
        with open(bundle / "features.npy", "r+b") as file:
            file.seek(-1, 2)
            last = file.read(1)
            file.seek(-1, 2)
            file.write(bytes([last[0] ^ 1]))
        page = self.page(options=["--bundle", bundle])
        self.hides(">FEATURES AND EDGES ONLY<", page)
        self.shows('class="badge bad">DOES NOT MATCH ITS CERTIFICATE', page)
        self.shows("DO NOT RELY ON THIS BUNDLE", page)
        self.shows("features.npy", page)


if __name__ == "__main__":
    unittest.main()
