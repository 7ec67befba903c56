"""One thing is one: no "1 edges" and no number with an exponent before a unit, in any verb's output."""
import re
import unittest

import numpy

from command import CommandTest

NETWORK = "--hidden 2 --epochs 1"
# Command, what it says of the one thing it has or makes. Each may use what those before it wrote.
SAID = [
    ("convert one.csv -o one.mtx --private-column private", "2 nodes, 1 edge (0 private)"),
    ("protect one.csv -o one --private-column private --public nodes", "one: 1 edge, made in"),
    ("protect one.csv -o dry --private-column private --public nodes --dry-run", "at least 1 edge;"),
    ("ledger check", "intact: 1 charge."),
    ("generate --nodes 60 --avg-degree 6 --features 1 --classes 2 --private-fraction .5 -o graph", "1 feature, 2 classes"),
    ("generate --nodes 60 --avg-degree 6 --features 2 --classes 1 --private-fraction .5 -o same", "2 features, 1 class\n"),
    ("scores --embeddings z.npy --masked zhat.npy --labels y.npy -o s.npz", "weights of 1 feature from 20 rows"),
    (f"train graph --non-private -o model {NETWORK}", "model: 1 epoch of "),
    ("attack linkteller model graph --samples 30 --runs 1", ", 1 sample of 30 nodes:"),
    (f"compare learning graph --mechanisms multibit --eps-features 1 --bounds 0,1 --runs 2 -o rows.csv {NETWORK}",
     " of 1 setting that spends a budget beats the best baseline"),
    ("compare structure graph graph --eigenvalues 1", "RMS over 1 eigenvalue\n"),
]
THINGS = ("edges|nodes|features|classes|rows|charges|samples|settings|epochs|runs|pairs|charts|vectors|columns|"
          "eigenvalues|communities|labels|points|logits|probabilities|files|graphs|values|entries")


class Wording(CommandTest):
    def check(self, line, text):
        self.assertIsNone(re.search(rf"(?<![\d.,])1 (public |private |training |test |random )?({THINGS})\b", text),
                          f"{line}\n{text}")
        self.assertIsNone(re.search(r"\de[+-]\d+ (ms|s|min|h|bytes|[KMG]iB)\b", text), f"{line}\n{text}")

    def test_one_is_singular(self):
        (self.scratch / "one.csv").write_text("source,target,private\n0,1,0\n")
        z = numpy.linspace(0, 1, 20, dtype="f4")[:, None]
        numpy.save(self.scratch / "z.npy", z)
        numpy.save(self.scratch / "zhat.npy", z * 0)
        numpy.save(self.scratch / "y.npy", (z[:, 0] > .5).astype("i8"))
        for line, said in SAID:
            with self.subTest(line):
                done = self.succeeds(*line.split(), cwd=self.scratch)
                self.assertIn(said, done.stdout)
                self.check(line, done.stdout + done.stderr)

    def test_errors_too(self):
        self.json("generate", "--nodes", 60, "--features", 2, "--private-fraction", 0, "-o", self.scratch / "graph")
        edges = self.scratch / "edges.csv"
        self.json("convert", self.scratch / "graph", "-o", edges)
        (self.scratch / "x.csv").write_text("0.5,0.5\n")
        (self.scratch / "y.csv").write_text("0.5,0.5\n0.5\n")
        for name, says in (("x", "has 1 row,"), ("y", "has 1 value, but 2 are expected")):
            done = self.fails(3, "inspect", edges, "--node-features", self.scratch / f"{name}.csv", says=says)
            self.check(name, done.stderr)
        (self.scratch / "b.csv").write_text("0,1\n")
        done = self.fails(3, "protect", self.scratch / "graph", "-o", self.scratch / "bundle", "--eps-features", 1, "--bounds",
                          self.scratch / "b.csv", says="has bounds for 1 feature, but the graph has 2")
        self.check("b", done.stderr)


if __name__ == "__main__":
    unittest.main()
