"""Printed commands are complete: pasted into a shell they do what was described, on the same input."""
import csv
import json
import os
import re
import shlex
import shutil
import subprocess
import unittest

import numpy

from command import HETERORR, CommandTest

AWKWARD = "we're \"$HOME\" & co"  # of a file: a shell must not look into it
FAST = ["--runs", "2", "--eps-edges", "1"]
CHOICE = ("--feature-mechanism", "--eps-features", "--propagate", "--edge-mechanism", "--eps-edges")

# The files of setUp() are named here. Graph, what is said about it.
INPUTS = [
    ("graph", ["--threads", "1"]),
    ("-graph", []),
    (AWKWARD, []),
    ("plain", ["--private-edges", "half.csv"]),
    ("plain", [f"--private-edges={AWKWARD}.csv"]),
    ("plain", ["--private-edges=--half.csv"]),
    ("plain", ["--private-fraction", ".3000000001", "--mark-seed", "12345678901"]),
    ("graph", ["--candidates", "some.txt", "--public", "candidates"]),
    ("graph", ["--bounds=-1,1"]),
    ("graph", ["--bounds", "wide.csv"]),
    ("marked.csv", ["--private-column", "is secret", "--public", "nodes", "--node-features", "x.npy",
                    "--node-labels", "y.npy", "--bounds", "0,1"]),
    ("marked.data", ["--format", "edges", "--private-column", "is secret", "--public", "nodes",
                     "--node-features", "x.npy", "--node-labels", "y.npy", "--bounds", "0,1"]),
    ("marked.csv", ["--header", "yes", "--private-column", "is secret", "--public", "nodes", "--node-features", "x.npy",
                    "--node-labels", "people.csv", "--label-column", "favourite colour", "--bounds", "0,1"]),
    ("twitch", ["--private-edges", "half.csv", "--n-features", "9", "--public", "nodes"]),
]
ALL = ("plain", ["--all-private"])  # of which advise knows nothing


class Printed(CommandTest):
    def setUp(self):
        super().setUp()
        place = self.scratch
        self.json("generate", "--nodes", 200, "--features", 6, "--classes", 2, "--private-fraction", .4,
                  "-o", place / "graph")
        for name in ("-graph", AWKWARD, "plain"):
            shutil.copytree(place / "graph", place / name)
        (place / "plain" / "private.npy").unlink()
        edges = numpy.load(place / "graph" / "edges.npy").T
        private = numpy.load(place / "graph" / "private.npy")
        self.n_public = int((private == 0).sum())
        listed = "source,target\n" + "".join(f"{a},{b}\n" for a, b in edges[::2])
        for name in ("half", AWKWARD, "--half"):
            (place / f"{name}.csv").write_text(listed)
        rows = "".join(f"{a},{b},{p}\n" for (a, b), p in zip(edges, private))
        for name in ("marked.csv", "marked.data"):
            (place / name).write_text("source,target,is secret\n" + rows)
        for name, array in (("x", "features"), ("y", "labels")):
            shutil.copy(place / "graph" / f"{array}.npy", place / f"{name}.npy")
        (place / "some.txt").write_text("".join(f"{i}\n" for i in set(edges[private == 1].flat)))
        (place / "wide.csv").write_text("-2,2\n" * 6)
        labels = numpy.load(place / "graph" / "labels.npy")
        (place / "people.csv").write_text("id,age,favourite colour\n" + "".join(
            f"{i},{i % 7},{label}\n" for i, label in enumerate(labels)))
        (place / "twitch").mkdir()
        (place / "twitch" / "musae_edges.csv").write_text("from,to\n" + listed.split("\n", 1)[1] + "".join(
            f"{a},{b}\n" for a, b in edges[1::2]))
        (place / "twitch" / "musae_features.json").write_text(json.dumps(
            {i: [i % 5, 5] for i in range(200)}))
        (place / "twitch" / "musae_target.csv").write_text("id,target,new_id\n" + "".join(
            f"{i},{label},{i}\n" for i, label in enumerate(labels)))
        (place / "path").mkdir()
        (place / "path" / "heterorr").symlink_to(HETERORR)

    def paste(self, command):
        """As people do it: into a shell that finds the program on its path."""
        path = f"{self.scratch}/path:{os.environ['PATH']}"
        done = subprocess.run(["sh", "-c", command], cwd=self.scratch, capture_output=True, text=True,
                              timeout=300, env={**os.environ, "PATH": path})
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stderr}")
        return done

    def released(self, name):
        """All of a seeded release: the certificate has no time or place in it."""
        return {path.name: path.read_bytes() for path in (self.scratch / name).iterdir()}

    def protect(self, name, *words):
        shutil.rmtree(self.scratch / name, ignore_errors=True)
        self.succeeds("protect", *words, "-o", name, "--insecure-seed", 3, cwd=self.scratch)
        return self.released(name)

    def test_every_input_option_has_a_row(self):
        text = self.succeeds("advise", "--help").stdout
        text = re.search(r"Passed on to protect:.*?(?=\nOptions:)", text, re.S)[0]
        named = {word.split("=")[0] for _, words in [*INPUTS, ALL] for word in words}
        named.add("--head")  # test_advise.py runs the command
        self.assertEqual(set(re.findall(r"^ +(--[a-z-]+)", text, re.M)) - named, set())

    def test_advice_pasted_back_protects_the_same(self):
        for graph, words in INPUTS:
            with self.subTest(graph=graph, words=words):
                shutil.rmtree(self.scratch / "BUNDLE", ignore_errors=True)
                done = self.succeeds("advise", *words, *FAST, "--", graph, cwd=self.scratch)
                self.assertNotIn("refuses", done.stderr)
                command = done.stdout.splitlines()[-1]
                self.paste(f"{command} --insecure-seed 3")
                pasted = shlex.split(command)
                choice = [word for i, word in enumerate(pasted)
                          if word in CHOICE or pasted[i - 1] in CHOICE]
                self.assertTrue({"--feature-mechanism", "--eps-features"} & set(choice), command)
                self.assertEqual(self.released("BUNDLE"), self.protect("same", f"./{graph}", *words, *choice))

    def test_private_edges_stay_private(self):
        command = self.json("advise", "plain", "--private-edges", "half.csv", *FAST, cwd=self.scratch)["command"]
        self.paste(command)
        edges = numpy.load(self.scratch / "plain" / "edges.npy").T
        released = {tuple(edge) for edge in numpy.load(self.scratch / "BUNDLE" / "edges.npy").T}
        if "--edge-mechanism" not in command:  # private edges are left out
            self.assertEqual(released, {tuple(edge) for edge in edges[1::2]})
        self.assertLess(len(released & {tuple(edge) for edge in edges[::2]}), len(edges) / 8)

    def test_a_command_that_protect_refuses_is_called_so(self):
        words = ["advise", "marked.csv", "--private-column", "is secret", "--node-features", "x.npy",
                 "--node-labels", "y.npy", *FAST]
        self.assertIn("--bounds LO,HI", self.json(*words, cwd=self.scratch)["refused"])
        done = self.succeeds(*words, cwd=self.scratch)
        self.assertRegex(done.stderr, "note: protect refuses this command: .*--bounds LO,HI")
        self.assertFalse((self.scratch / "BUNDLE").exists())

    def test_where_advice_is_blind_the_owner_can_look(self):
        total = self.json("inspect", self.scratch / "graph")["edges"]
        for graph, words in [*INPUTS, ALL]:
            if "--private-fraction" in words:
                continue
            listed = any("--private-edges" in word for word in words)
            public_edges = 0 if words == ALL[1] else total // 2 if listed else self.n_public
            with self.subTest(graph=graph, words=words):
                done = self.json("advise", f"./{graph}", *words, "--eps-labels", 1, *FAST, cwd=self.scratch)
                self.assertIn("labels", done["cannot_know"])
                results = self.scratch / "results.csv"
                results.unlink(missing_ok=True)
                self.paste(done["command"] + " --runs 1 --epochs 2")
                with results.open() as file:
                    kept = {row["edges_released"] for row in csv.DictReader(file)
                            if row["edge_mechanism"] == "public-only"}
                self.assertEqual(kept, {str(public_edges)})


if __name__ == "__main__":
    unittest.main()
