"""Inputs that are not graphs: exit code 3, and a message that names the file."""
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
        for name in ["empty.csv", "empty.npz", "empty.mtx", "empty.pairs"]:
            self.refused(self.write(name, b""))

    def test_garbage(self):
        garbage = bytes((i * 7919 + i // 256) % 256 for i in range(1, 5000))
        for name in ["garbage.csv", "garbage.npz", "garbage.mtx", "garbage.csv.gz",
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

    def test_odd_bytes_in_a_path_stay_valid_json(self):
        self.fails(3, "inspect", os.fsdecode(b"/nowhere/\xff\xfe.csv"), says="/nowhere/")


if __name__ == "__main__":
    unittest.main()
