"""Parquet against two other implementations, hyparquet and arrow-rs (parquet/package.json): what they write is read, in every
codec, encoding and version of pages that they offer, and what is written they read."""
import json
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from command import CommandTest, heterorr, skip_all
from npm import install

try:
    import numpy
except ImportError as missing:
    skip_all(f"{missing}; install python3-numpy")

HOME = install(pathlib.Path(__file__).resolve().parent / "parquet", "parquet-wasm", "oracle.mjs")
NOT_READ = ("BROTLI", "LZ4_RAW")
N = 200


def oracle(*words):
    done = subprocess.run(["node", "oracle.mjs", *map(str, words)], cwd=HOME, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Parquet(CommandTest):
    def theirs(self, columns):
        """The table as the others write it: {name of the writer and its settings: file}."""
        table, folder = self.scratch / "table.json", self.scratch / "theirs"
        folder.mkdir(exist_ok=True)
        table.write_text(json.dumps(columns))
        names = oracle("write", table, folder)
        self.assertGreaterEqual(len(names), 20)
        return {name: folder / (name + ".parquet") for name in names}

    def arrays(self, path):
        out = self.scratch / "native"
        self.succeeds("convert", path, "-o", out, "--force")
        return {file.stem: numpy.load(file) for file in out.glob("*.npy")}

    def test_edges_that_others_wrote_are_read(self):
        draw = numpy.random.default_rng(1)
        source, target = draw.integers(0, 60, N), draw.integers(60, 120, N)
        marks = draw.random(N) < .5
        columns = [{"name": "when", "type": "DOUBLE", "data": list(draw.random(N))},
                   {"name": "target", "type": "INT32", "data": target.tolist()},
                   {"name": "source", "type": "INT64", "data": (source + 2 ** 40).tolist()},
                   {"name": "private", "type": "BOOLEAN", "data": marks.tolist()}]
        # The same as text, read by the reader that is tested without Parquet.
        text = self.scratch / "same.csv"
        text.write_text("source,target,private\n" + "".join(
            f"{s + 2 ** 40},{t},{int(m)}\n" for s, t, m in zip(source, target, marks)))
        expected = self.arrays(text)
        for name, file in self.theirs(columns).items():
            with self.subTest(name):
                if any(codec in name for codec in NOT_READ):
                    self.fails(3, "convert", file, "-o", self.scratch / "x", says="write it with zstd, gzip, snappy or no")
                    continue
                found = self.arrays(file)
                self.assertEqual(found.keys(), expected.keys())
                for key in expected:
                    numpy.testing.assert_array_equal(found[key], expected[key])

    def test_marks_that_others_left_out_are_refused(self):
        columns = [{"name": "source", "type": "INT32", "data": [0, 1, 2]}, {"name": "target", "type": "INT32", "data": [1, 2, 3]},
                   {"name": "private", "type": "BOOLEAN", "data": [True, None, False]}]
        for name, file in self.theirs(columns).items():
            if not any(codec in name for codec in NOT_READ):
                with self.subTest(name):
                    self.fails(3, "convert", file, "-o", self.scratch / "x", says=f"{file}:2: a private mark is neither 0 nor 1")
        folder = self.scratch / "both"
        folder.mkdir()
        (folder / "edges.parquet").write_bytes((self.scratch / "theirs" / "arrow-ZSTD-V1-plain.parquet").read_bytes())
        nodes = [{"name": "id", "type": "INT32", "data": [0, 1, 2, 3]}]
        (folder / "nodes.parquet").write_bytes(self.theirs(nodes)["arrow-ZSTD-V1-plain"].read_bytes())
        self.fails(3, "convert", folder, "-o", self.scratch / "x", says="edges.parquet:2")

    def test_protect_asks_about_a_file_of_others_what_it_asks_about_text(self):
        source, target = list(range(40)), [(i * 7 + 1) % 40 for i in range(40)]
        ends = [{"name": "source", "type": "INT64", "data": source}, {"name": "target", "type": "INT64", "data": target}]
        for third in (None, "private", "hush"):
            columns = ends + ([{"name": third, "type": "BOOLEAN", "data": [i % 2 == 0 for i in range(40)]}] if third else [])
            text = self.scratch / "e.csv"
            text.write_text(",".join(c["name"] for c in columns) + "\n"
                            + "".join(",".join(str(int(v)) for v in row) + "\n" for row in zip(*(c["data"] for c in columns))))
            file = self.scratch / "e.parquet"
            file.write_bytes(self.theirs(columns)["arrow-SNAPPY-V1-dictionary"].read_bytes())
            out = self.scratch / "released"
            for said in ([], ["--public", "nodes"], ["--all-private", "--public", "nodes"], ["--private-column", "hush", "--public", "nodes"]):
                with self.subTest(third=third, said=said):
                    answers = [heterorr("protect", path, "--eps-edges", 1, "--dry-run", "-o", out, *said) for path in (text, file)]
                    self.assertEqual(*(answer.returncode for answer in answers))
                    self.assertEqual(*(answer.stderr.replace(path.name, "e") for answer, path in zip(answers, (text, file))))
                    stops = not said or (third != "private" and said == ["--public", "nodes"])
                    self.assertEqual(answers[1].returncode != 0, stops or ("hush" in said and third != "hush"), answers[1].stderr)

    def test_nodes_that_others_wrote_are_read(self):
        draw = numpy.random.default_rng(2)
        names = [f"n{i:03}é" for i in range(N)]
        classes = [None if i % 7 == 0 else "abc"[i % 3] for i in range(N)]
        single = draw.random(N).astype("f4")
        columns = [{"name": "id", "type": "STRING", "data": names},
                   {"name": "x", "type": "FLOAT", "data": single.tolist()},
                   {"name": "class", "type": "STRING", "data": classes},
                   {"name": "y", "type": "FLOAT", "data": [i % 2 for i in range(N)]}]
        folder = self.scratch / "both"
        folder.mkdir()
        marks = [i % 3 == 0 for i in range(N - 1)]
        edges = {name: file.read_bytes() for name, file in self.theirs(
            [{"name": "private", "type": "BOOLEAN", "data": marks}, {"name": "source", "type": "STRING", "data": names[:-1]},
             {"name": "target", "type": "STRING", "data": names[1:]}]).items()}
        files = self.theirs(columns)
        for name, file in files.items():
            if any(codec in name for codec in NOT_READ):
                continue
            with self.subTest(name):
                (folder / "nodes.parquet").write_bytes(file.read_bytes())
                (folder / "edges.parquet").write_bytes(edges[name])
                found = self.arrays(folder)
                numpy.testing.assert_array_equal(found["features"][:, 0], single)
                numpy.testing.assert_array_equal(found["features"][:, 1], numpy.arange(N) % 2)
                self.assertEqual(found["labels"].tolist(), [-1 if c is None else "abc".index(c) for c in classes])
                self.assertEqual([s.decode() for s in found["node_ids"]], names)
                numpy.testing.assert_array_equal(found["edges"], [range(N - 1), range(1, N)])
                self.assertEqual(found["private"].tolist(), marks)

    def test_what_is_written_others_read(self):
        graph = self.scratch / "graph"
        self.succeeds("generate", "--nodes", 300, "--features", 4, "--classes", 3, "-o", graph)
        wanted = {file.stem: numpy.load(file) for file in graph.glob("*.npy")}
        for options in ([], ["--compression", "none"]):
            out = self.scratch / "tables"
            self.succeeds("convert", graph, "--to", "parquet", *options, "-o", out, "--force")
            nodes, edges = oracle("read", out / "nodes.parquet", out / "edges.parquet")
            for reader in ("hyparquet", "arrow"):
                with self.subTest(reader=reader, options=options):
                    numpy.testing.assert_array_equal([edges[reader]["source"], edges[reader]["target"]], wanted["edges"])
                    numpy.testing.assert_array_equal(edges[reader]["private"], wanted["private"] == 1)
                    self.assertEqual(nodes[reader]["id"], list(range(300)))
                    for i in range(4):
                        numpy.testing.assert_array_equal(nodes[reader][f"feature_{i}"], wanted["features"][:, i])
                    self.assertEqual(nodes[reader]["split"], [["train", "valid", "test"][s] for s in wanted["split"]])
                    self.assertEqual([int(str(c).lstrip("class_")) if c is not None else -1 for c in nodes[reader]["class"]],
                                     wanted["labels"].tolist())

    def test_missing_classes_texts_and_many_pages_are_read_by_others(self):
        n = 70000  # more than a page of rows
        rows = self.scratch / "labels.csv"
        rows.write_text("id,label\n" + "".join(f"ä{i},{-1 if i % 3 else i % 5}\n" for i in range(n)))
        edges = self.scratch / "long.csv"
        edges.write_text("source,target\nä0,ä1\nä7,ä9\n")
        out = self.scratch / "tables"
        self.succeeds("convert", edges, "--node-labels", rows, "--label-column", "label", "--to", "parquet", "-o", out)
        nodes, = oracle("read", out / "nodes.parquet")
        for reader in ("hyparquet", "arrow"):
            names, classes = nodes[reader]["id"], nodes[reader]["class"]
            self.assertEqual(set(names), {f"ä{i}" for i in range(n)})
            for name, label in zip(names, classes):
                i = int(name[1:])
                self.assertEqual(label, None if i % 3 else i % 5)


if __name__ == "__main__":
    unittest.main()
