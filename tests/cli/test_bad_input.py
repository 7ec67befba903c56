"""Inputs that are not graphs, and graphs that are not what they seem: exit code 3, and a message that
names the file, the place and what to do."""
import gzip
import json
import os
import shutil
import struct
import unittest

from command import CommandTest


def npy(array_type, shape, payload):
    """A version 1.0 npy file."""
    header = f"{{'descr': '{array_type}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + payload


class BadInput(CommandTest):
    def refused(self, path, *words, says=None):
        for verb in (["inspect"], ["convert", "-o", self.scratch / "out"]):
            self.fails(3, verb[0], path, *verb[1:], *words, says=says or os.path.basename(path))
        self.assertNotIn("out", self.names())

    def write(self, name, content):
        path = self.scratch / name
        path.write_bytes(content)
        return path

    def test_nothing_there(self):
        self.refused(self.scratch / "nothing.csv")
        self.refused(self.scratch / "nothing.csv", "--format", "edges")

    def test_directory_without_a_graph(self):
        (self.scratch / "empty").mkdir()
        self.refused(self.scratch / "empty")

    def test_empty_file(self):
        for name in ["empty.csv", "empty.npz", "empty.mtx", "empty.pairs", "empty.graphml", "empty.gexf"]:
            self.refused(self.write(name, b""))

    def test_garbage(self):
        garbage = bytes((i * 7919 + i // 256) % 256 for i in range(1, 5000))
        for name in ["garbage.csv", "garbage.npz", "garbage.mtx", "garbage.graphml", "garbage.gexf", "garbage.csv.gz",
                     "garbage.csv.zst", "garbage"]:
            self.refused(self.write(name, garbage))

    def test_a_graph_without_edges_names_the_file(self):
        self.refused(self.write("header.csv", b"source,target\n"))

    def test_wrong_line_is_named(self):
        path = self.write("wrong.csv", b"source,target\n1,2\n2,3\n4\n")
        self.refused(path, says="4")

    def make(self, name):
        graph = self.scratch / name
        self.json("generate", "--nodes", "50", "--features", "2", "-o", graph)
        return graph

    def test_features_that_are_not_numbers(self):
        graph = self.make("nan")
        values = [0.5] * 100
        values[33] = float("nan")
        (graph / "features.npy").write_bytes(npy("<f4", "(50, 2)", struct.pack("<100f", *values)))
        self.refused(graph, says="features")

    def test_arrays_that_do_not_fit_together(self):
        graph = self.make("short")
        (graph / "features.npy").write_bytes(npy("<f4", "(49, 2)", bytes(4 * 98)))
        self.refused(graph, says="features")

    def test_truncated_array(self):
        graph = self.make("cut")
        whole = (graph / "edges.npy").read_bytes()
        (graph / "edges.npy").write_bytes(whole[:-5])
        self.refused(graph, says="edges.npy")

    def test_edges_that_point_nowhere(self):
        graph = self.make("far")
        (graph / "edges.npy").write_bytes(npy("<i8", "(2, 1)", struct.pack("<2q", 0, 50)))
        (graph / "private.npy").write_bytes(npy("|u1", "(1,)", b"\0"))
        self.refused(graph, says="far")

    def test_native_directory_without_its_description(self):
        graph = self.make("bare")
        (graph / "graph.json").write_text("{")
        self.refused(graph, says="graph.json")
        shutil.rmtree(graph)

    def test_a_file_that_may_not_be_read(self):
        path = self.write("secret.csv", b"source,target\n1,2\n")
        path.chmod(0)
        if os.access(path, os.R_OK):
            self.skipTest("this user may read everything")
        self.refused(path)

    def reads(self, content, *words):
        """The graph that inspect sees, and what it notes."""
        path = self.write("odd.csv", content)
        done = self.succeeds("inspect", path, "--json", *words)
        answer = json.loads(done.stdout)
        return answer["nodes"], answer["edges"], done.stderr

    def test_a_wrong_delimiter(self):
        self.refused(self.write("colon.csv", b"1:2\n2:3\n"),
                     says="colon.csv:1: fewer than two columns")
        self.refused(self.write("mixed.csv", b"1,2\n2;3\n"), says="mixed.csv:2: ")

    def test_byte_order_mark_and_line_ends_are_fine(self):
        for content in (b"\xef\xbb\xbfsource,target\n1,2\n", b"source,target\r\n1,2\r\n",
                        b"\xef\xbb\xbf1,2\r\n", b'"source","target"\n"1","2"\n'):
            self.assertEqual(self.reads(content), (2, 1, ""), content)

    def test_utf16_is_named(self):
        for encoding in ("utf-16", "utf-16-be", "utf-16-le"):
            text = "\ufeff" * (encoding != "utf-16") + "source,target\n1,2\n"
            self.refused(self.write("wide.csv", text.encode(encoding)),
                         says="wide.csv: is text in UTF-16")

    def test_latin_1_is_named(self):
        self.refused(self.write("latin.csv", "source,target\nann,bob\nzoé,ann\n".encode("latin-1")),
                     says="latin.csv:3: an id is not UTF-8 text")

    def test_blank_cells(self):
        self.refused(self.write("blank.csv", b"source,target\nann,\n"),
                     says="blank.csv:2: an id is empty")
        self.refused(self.write("blank.csv", b"source,target\n1,2\n1,\n"),
                     says="blank.csv:3: fewer than two columns")
        graph = self.write("g.csv", b"source,target\n0,1\n")
        labels = self.write("l.csv", b"id,pay,kind\n0,1,0\n1,2,\n")
        self.refused(graph, "--node-labels", labels, "--label-column", "kind",
                     says="l.csv:3: column 3 (kind) is blank; labels are")

    def test_a_delimiter_at_the_end_is_fine(self):
        self.assertEqual(self.reads(b"source,target\n1,2,\n2,3,\n"), (3, 2, ""))

    def test_ids_that_are_no_whole_numbers(self):
        self.refused(self.write("n.csv", b"source,target\n1,-2\n"), says="n.csv:2: an id is negative")
        self.refused(self.write("n.csv", b"source,target\n1.0,2.0\n"),
                     says="n.csv:2: an id is a number but not an integer")
        self.refused(self.write("n.csv", b"1,2\n1e3,2\n"), says="n.csv:2: an id is not an integer")
        self.refused(self.write("n.csv", b"1,2\n1,99999999999999999999\n"),
                     says="n.csv:2: an id is above 2^63 - 1")

    def test_large_ids_are_names(self):
        self.assertEqual(self.reads(b"source,target\n9007199254740993,9007199254740992\n"),
                         (2, 1, ""))
        self.assertEqual(self.reads(b"99999999999999999999,99999999999999999998\n"), (2, 1, ""))

    def test_a_directory_where_a_file_belongs(self):
        graph = self.write("g.csv", b"source,target\n0,1\n")
        (self.scratch / "folder").mkdir()
        for option in ("--private-edges", "--node-features", "--node-labels", "--candidates"):
            self.refused(graph, option, self.scratch / "folder", says="folder: is a directory")
            self.refused(graph, option, self.scratch / "absent.csv", says="absent.csv: cannot be read")

    def test_what_is_called_gz_and_is_not(self):
        self.assertEqual(self.json("inspect", self.write("plain.csv.gz", b"1,2\n"))["edges"], 1)
        self.refused(self.write("cut.csv.gz", gzip.compress(b"1,2\n" * 1000)[:-9]),
                     says="cut.csv.gz: the gzip data")

    def test_a_header_that_comes_twice(self):
        twice = b"source,target\n1,2\nsource,target\n2,3\n"
        self.refused(self.write("twice.csv", twice), says="but the same names occur as ids (or the header occurs twice in the file)")
        self.refused(self.write("twice.csv", twice), "--header", "yes",
                     says="twice.csv:3: the header is repeated here")

    def test_columns_that_are_not_where_they_belong(self):
        for content, says in ((b",source,target\n0,1,2\n1,2,3\n", "odd.csv:1: a column of ids has no"),
                              (b"w,source,target\n7,1,2\n", "columns 2 and 3 have names of edge ends"),
                              (b"source target\n1 7 8\n2 8 9\n", "odd.csv:2: the row has 3 columns"),
                              (b"source,target,private\n1,2,0\n1,2\n", "odd.csv:3: fewer columns")):
            self.refused(self.write("odd.csv", content), says=says)

    def test_headers_of_words_are_no_people(self):
        for header in (b"follower,followee", b"person,friend", b"account_from,account_to,amount"):
            nodes, edges, said = self.reads(header + (b"\nann,bob,3\nbob,eve,4\n" if b"amount" in header
                                                       else b"\nann,bob\nbob,eve\n"))
            self.assertEqual((nodes, edges), (3, 2), header)
            self.assertIn("odd.csv:1: was read as column names", said)

    def test_a_first_row_in_doubt_is_asked_about(self):
        path = self.write("odd.csv", b"ann,bob\neve,dan\n")
        self.refused(path, says="set --header to yes if this row names the columns")
        self.assertEqual(self.reads(b"ann,bob\neve,dan\n", "--header", "no"), (4, 2, ""))
        self.assertEqual(self.reads(b"ann,bob\neve,dan\n", "--header", "yes"), (2, 1, ""))
        self.refused(self.write("odd.csv", b"1.5,2.5\n1,2\n"), says="odd.csv:1: an id is a number")
        self.fails(2, "inspect", path, "--header", "maybe", says="--header")

    def test_odd_bytes_in_a_path_stay_valid_json(self):
        self.fails(3, "inspect", os.fsdecode(b"/nowhere/\xff\xfe.csv"), says="/nowhere/")


if __name__ == "__main__":
    unittest.main()
