"""One private edge more or less changes nothing that can be seen but the released data itself: no
log line, exit code, file name, shape, field or step count, for every edge mechanism and tree."""
import json
import unittest

import numpy

from command import CommandTest, heterorr, mechanisms

NODES = 60
# Of the machine, not of the data.
MEASURED = {"seconds", "peak_rss_bytes", "features_per_second", "chain_steps_per_second",
            "phases"}
# Of the release itself. How many counts there are follows from the tree, which is released.
DRAWN = {"edges_out"}
RELEASED_SHAPES = {"edges.npy", "edge_index.npy", "tree_counts.npy"}


def neighbours():
    """Public edges, and lists of private ones that differ in one pair; the last has none."""
    random = numpy.random.default_rng(7)
    pairs = [(u, v) for u in range(NODES) for v in range(u + 1, NODES)]
    random.shuffle(pairs)
    public, private = pairs[:150], pairs[150:200]
    one_more = private + [tuple(pairs[200])]
    return public, [private, one_more, private[:-1], []]


class Metamorphic(CommandTest):
    def write(self, public, private, marked=True):
        edges = sorted([(int(u), int(v), 0) for u, v in public]
                       + [(int(u), int(v), 1) for u, v in private])
        graph = self.scratch / "graph"
        graph.mkdir(exist_ok=True)
        (graph / "graph.json").write_text(json.dumps(
            {"name": "tiny", "n_nodes": NODES, "n_features": 0, "n_classes": 0,
             "multilabel": False}))
        table = numpy.array(edges, dtype=numpy.int32)
        numpy.save(graph / "edges.npy", numpy.ascontiguousarray(table[:, :2].T))
        if marked:
            numpy.save(graph / "private.npy", table[:, 2].astype(numpy.uint8))
        return graph

    def observe(self, public, private, words):
        """Everything that an onlooker sees, without what is meant to differ."""
        return self.observe_graph(self.write(public, private), words)

    def observe_graph(self, graph, words):
        bundle = self.scratch / "bundle"
        done = heterorr("protect", graph, "-o", bundle, "--force", "--json", "--insecure-seed", "3",
                        *words)
        answer = json.loads(done.stdout)
        seen = {"exit": done.returncode, "log": done.stderr,
                "fields": {name: value for name, value in answer.items()
                           if name not in MEASURED | DRAWN}}
        if done.returncode == 0:
            seen["files"] = {path.name: numpy.load(path).shape
                             if path.suffix == ".npy" and path.name not in RELEASED_SHAPES else None
                             for path in bundle.iterdir()}
            certificate = json.loads((bundle / "certificate.json").read_text())
            certificate["edges"].pop("edges")
            certificate["files"] = sorted(certificate["files"])
            seen["certificate"] = certificate
            seen["text"] = (bundle / "CERTIFICATE.txt").read_text()
        return seen

    def check(self, *words):
        public, worlds = neighbours()
        first = self.observe(public, worlds[0], words)
        self.assertEqual(first["exit"], 0, first["log"])
        for private in worlds[1:]:
            self.assertEqual(self.observe(public, private, words), first, words)
        return first

    def test_every_edge_mechanism(self):
        for mechanism in mechanisms("edges"):
            with self.subTest(mechanism=mechanism):
                words = ["--edge-mechanism", mechanism]
                if mechanism not in ("public-only", "none"):
                    words += ["--eps-edges", "2"]
                if mechanism.startswith("privhrg"):
                    words += ["--mode", "paper"]
                self.check(*words)

    def test_every_certified_tree(self):
        """The paper's tree stops by the private likelihood, which is one reason why it is not
        certified: it is left out."""
        for tree in mechanisms("trees"):
            if tree == "paper":
                continue
            with self.subTest(tree=tree):
                words = ["--eps-edges", "2", "--tree", tree, "--tree-steps", "20"]
                self.check(*words, *(["--mode", "paper"] if tree == "single" else []))

    def test_every_list_of_private_edges(self):
        """However short the list is, and whatever stands in it that is no edge."""
        public, worlds = neighbours()
        graph = self.write(public, [], marked=False)
        path = self.scratch / "private.csv"
        texts = ["".join(f"{u},{v}\n" for u, v in private) for private in worlds]
        one = "%d,%d\n" % worlds[0][0]
        texts += [one, "source,target\n" + one, "source,target\n", "# none\n", "one,other\n",
                  "7,7\n", "0,0\n", one + "7,7\n" + one, one.strip(), "\n"]
        first = None
        for text in texts:
            path.write_text(text)
            seen = self.observe_graph(graph, ["--eps-edges", "2", "--private-edges", path])
            self.assertEqual(seen["exit"], 0, seen["log"])
            first = first or seen
            self.assertEqual(seen, first, text)

    def test_every_list_of_names(self):
        """Whether the first row is a header does not hang on one private edge: not in the list of
        edges, with a header and without, and not in the list of private ones."""
        public, worlds = neighbours()
        name = lambda node: "".join(chr(97 + (node // 7 ** i) % 7) for i in range(3))
        rows = lambda pairs, mark="": "".join(f"{name(u)},{name(v)}{mark}\n" for u, v in pairs)
        path, listed = self.scratch / "names.csv", self.scratch / "private.csv"
        words = ["--eps-edges", "2", "--public", "nodes"]
        whole = [*words, "--edge-mechanism", "edgerand"]
        for header in ("", "follower,followee\n", "alpha,beta,private\n"):
            first = None
            for private in worlds[:3]:
                marked = "private" in header
                path.write_text(header + rows(public, ",0" * marked) + rows(private, ",1" * marked))
                seen = self.observe_graph(path, words if marked else whole)
                self.assertEqual(seen["exit"], 0, seen["log"])
                first = first or seen
                self.assertEqual(seen, first, header)
        path.write_text("source,target\n" + rows(public))
        for header in ("", "follower,followee\n"):
            first = None
            for private in worlds:
                listed.write_text(header + rows(private))
                seen = self.observe_graph(path, [*words, "--private-edges", listed])
                self.assertEqual(seen["exit"], 0, seen["log"])
                first = first or seen
                self.assertEqual(seen, first, header)

    def test_every_list_of_edges(self):
        """An edge list whose nodes stand elsewhere may have no edge at all."""
        folder = self.scratch / "musae"
        folder.mkdir()
        (folder / "features.json").write_text(json.dumps({str(i): [i % 3] for i in range(NODES)}))
        (folder / "target.csv").write_text("id,target\n" + "".join(f"{i},{i % 2}\n"
                                                                   for i in range(NODES)))
        words = ["--eps-edges", "2", "--feature-mechanism", "featfree", "--public", "columns"]
        whole = [*words, "--edge-mechanism", "edgerand"]  # takes edges without marks for private
        marked = ("1,2,1\n3,4,1\n", "1,2,1\n", "", "5,5,1\n")
        plain = ("1,2\n3,4\n", "1,2\n", "", "5,5\n")
        for header, texts, asked in (("id1,id2,private\n", marked, words),
                                     ("id1,id2\n", plain, whole), ("", plain, whole)):
            first = None
            for rows in texts:
                (folder / "edges.csv").write_text(header + rows)
                seen = self.observe_graph(folder, asked)
                self.assertEqual(seen["exit"], 0, seen["log"])
                first = first or seen
                self.assertEqual(seen, first, header + rows)

    def test_every_list_of_edges_between_named_nodes(self):
        """As above, where a table names the nodes."""
        nodes = self.scratch / "nodes.csv"
        nodes.write_text("id,label\n" + "".join(f"n{i},{i % 2}\n" for i in range(NODES)))
        path, first = self.scratch / "edges.csv", None
        for rows in ("n1,n2,1\nn3,n4,1\n", "n1,n2,1\n", "", "n5,n5,1\n"):
            path.write_text("source,target,private\n" + rows)
            seen = self.observe_graph(path, ["--eps-edges", "2", "--node-labels", nodes])
            self.assertEqual(seen["exit"], 0, seen["log"])
            first = first or seen
            self.assertEqual(seen, first, rows)

    def test_one_row_of_features_does_not_change_how_others_are_read(self):
        """A sparse matrix may have two entries for one place: they are added up, or not, by its
        type alone."""
        ones = numpy.ones(3)
        graph = {"adj_data": ones[:2], "adj_indices": [1, 0], "adj_indptr": [0, 1, 2, 2],
                 "adj_shape": [3, 3], "attr_indices": [0, 0, 1], "attr_indptr": [0, 2, 3, 3],
                 "attr_shape": [3, 2]}
        path, native = self.scratch / "graph.npz", self.scratch / "native"
        for values, twice in (([1, 1, 1], 2), ([1, 1, .5], 2), ([1, 1, 0], 2),
                              (numpy.array([1, 1, 1], bool), 1), (numpy.array([1, 1, 0], bool), 1)):
            numpy.savez(path, attr_data=values, **graph)
            self.succeeds("convert", path, "-o", native, "--force")
            features = numpy.load(native / "features.npy").astype(float).tolist()
            self.assertEqual(features, [[twice, 0], [0, float(values[2])], [0, 0]])

    def test_the_observer_sees_a_difference(self):
        """The control: one public edge less changes the number of candidate pairs."""
        public, worlds = neighbours()
        self.assertNotEqual(self.observe(public[:-1], worlds[0], []),
                            self.observe(public, worlds[0], []))


if __name__ == "__main__":
    unittest.main()
