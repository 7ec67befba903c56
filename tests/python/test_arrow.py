"""Arrow tables by the PyCapsule interface. Debian has no Arrow library: the producer here is built by the specification, and
counts how often each piece is released."""
import ctypes
import gc
import threading
import unittest

from support import main

import numpy as np

import heterorr
from heterorr import _arrow
from heterorr import _declarations as c

LETTERS = {np.dtype(dtype): letter for letter, dtype in _arrow.NUMBERS.items()}


class Producer:
    """A table of NumPy arrays; those of two dimensions are lists. `released` counts calls of callbacks."""

    def __init__(self, columns, *, chunks=1, stream=False, offset=0, missing=None):
        self.columns, self.n_chunks, self.offset, self.missing = columns, chunks, offset, missing
        self.made = self.released = 0
        self.kept = []
        if stream:
            self.__arrow_c_stream__ = self._stream
        else:
            self.__arrow_c_array__ = self._array

    def _release(self, kind):
        def release(place):
            self.released += 1
            held = place.contents
            for i in range(held.n_children):
                child = held.children[i].contents
                if child.release:
                    child.release(ctypes.byref(child))
            held.release = type(held.release)()
        made = dict(kind._fields_)["release"](release)
        self.kept.append(made)
        self.made += 1
        return made

    def _keep(self, thing):
        self.kept.append(thing)
        return thing

    def _schema_of(self, out, name, found):
        out.name = name.encode()
        out.release = self._release(c.ArrowSchema)
        if found.ndim == 2:
            out.format = f"+w:{found.shape[1]}".encode()
            self._children(out, c.ArrowSchema, [lambda child: self._schema_of(child, "item", found.ravel())])
        else:
            out.format = b"b" if found.dtype == np.bool_ else LETTERS[found.dtype].encode()

    def _array_of(self, out, found, missing=None):
        out.length, out.offset = len(found), 0
        out.release = self._release(c.ArrowArray)
        buffers = [None]
        if missing is not None:
            bits = self._keep(np.packbits([i != missing for i in range(len(found))], bitorder="little"))
            buffers, out.null_count = [bits.ctypes.data], 1
        if found.ndim == 2:
            self._children(out, c.ArrowArray, [lambda child: self._array_of(child, found.reshape(-1))])
        else:
            values = np.packbits(found, bitorder="little") if found.dtype == np.bool_ else found
            buffers.append(self._keep(values).ctypes.data)
        out.n_buffers = len(buffers)
        out.buffers = self._keep((ctypes.c_void_p * len(buffers))(*buffers))

    def _children(self, out, kind, fill):
        items = self._keep((kind * len(fill))())
        out.n_children = len(fill)
        out.children = self._keep((ctypes.POINTER(kind) * len(fill))(*[ctypes.pointer(item) for item in items]))
        for item, function in zip(items, fill):
            function(item)

    def _table_schema(self, out):
        out.format, out.name, out.release = b"+s", b"", self._release(c.ArrowSchema)
        self._children(out, c.ArrowSchema, [lambda child, n=n, a=a: self._schema_of(child, n, a) for n, a in self.columns.items()])

    def _table_array(self, out, first, last):
        out.length, out.offset, out.n_buffers = last - first - self.offset, self.offset, 1
        out.release = self._release(c.ArrowArray)
        out.buffers = self._keep((ctypes.c_void_p * 1)(None))
        self._children(out, c.ArrowArray, [lambda child, n=n, a=a: self._array_of(
            child, a[first:last], self.missing[1] if self.missing and self.missing[0] == n else None)
            for n, a in self.columns.items()])

    def _array(self, requested_schema=None):
        (schema_capsule, schema), (array_capsule, array) = _arrow._capsule(b"arrow_schema"), _arrow._capsule(b"arrow_array")
        self._table_schema(schema)
        self._table_array(array, 0, len(next(iter(self.columns.values()))))
        return schema_capsule, array_capsule

    def _stream(self, requested_schema=None):
        capsule, stream = _arrow._capsule(b"arrow_array_stream")
        n = len(next(iter(self.columns.values())))
        cuts = iter(np.array_split(np.arange(n), self.n_chunks))

        def get_schema(_, out):
            self._table_schema(out.contents)
            return 0

        def get_next(_, out):
            rows = next(cuts, None)
            out[0] = c.ArrowArray()
            if rows is not None:
                self._table_array(out.contents, int(rows[0]), int(rows[-1]) + 1)
            return 0

        def release(place):
            self.released += 1
            place.contents.release = type(place.contents.release)()

        fields = dict(_arrow.Stream._fields_)
        self.made += 1
        for name, function in (("get_schema", get_schema), ("get_next", get_next), ("release", release)):
            setattr(stream, name, self._keep(fields[name](function)))
        return capsule


EDGES = {"source": np.array([0, 1, 2, 3, 0], np.int64), "target": np.array([1, 2, 3, 4, 4], np.uint32),
         "secret": np.array([1, 0, 0, 1, 1], np.bool_), "weight": np.ones(5, np.float32)}


class In(unittest.TestCase):
    def check(self, graph):
        self.assertEqual(graph.edge_index.tolist(), [[0, 0, 1, 2, 3], [1, 4, 2, 3, 4]])
        self.assertEqual(graph.private.tolist(), [1, 1, 0, 0, 1])

    def test_tables_and_streams_of_any_producer_are_read_and_released_once(self):
        for settings in ({}, {"stream": True}, {"stream": True, "chunks": 3}):
            producer = Producer(EDGES, **settings)
            self.check(heterorr.Graph.from_arrow(producer, private="secret"))
            gc.collect()
            self.assertGreater(producer.made, 8)
            self.assertEqual(producer.released, producer.made, settings)

    def test_features_of_lists_are_not_copied_and_live_with_the_graph(self):
        for dtype in (np.float32, np.float64, np.uint8):
            features = np.arange(15).reshape(5, 3).astype(dtype)
            producer = Producer({"features": features})
            graph = heterorr.Graph.from_arrow(Producer(EDGES), producer, private="secret")
            self.assertEqual(graph.features.ctypes.data, features.ctypes.data)
            seen = graph.features
            graph.close()
            del graph
            gc.collect()
            self.assertLess(producer.released, producer.made)
            self.assertEqual(seen.tolist(), features.tolist())
            del seen
            gc.collect()
            self.assertEqual(producer.released, producer.made)

    def test_columns_are_features_side_by_side(self):
        wide = {"a": np.arange(5, dtype=np.float64), "b": np.array([0, 1, 0, 1, 1], np.int16)}
        graph = heterorr.Graph.from_arrow(Producer(EDGES), Producer(wide, stream=True, chunks=2), private="secret")
        self.assertEqual(graph.features.tolist(), [[0, 0], [1, 1], [2, 0], [3, 1], [4, 1]])

    def test_labels_are_a_column(self):
        graph = heterorr.Graph.from_arrow(Producer(EDGES), labels=Producer({"class": np.array([0, 1, -1, 2, 0], np.int32)}))
        self.assertEqual(graph.labels.tolist(), [0, 1, -1, 2, 0])

    def test_slices_begin_where_they_say(self):
        graph = heterorr.Graph.from_arrow(Producer(EDGES, offset=2), n_nodes=5, private="secret")
        self.assertEqual(graph.edge_index.tolist(), [[0, 2, 3], [4, 3, 4]])
        self.assertEqual(graph.private.tolist(), [1, 0, 1])

    def test_wrong_tables_are_refused_and_released(self):
        wrong = [
            (Producer(EDGES, missing=("target", 3)), {}, "column target, row 3 .* is missing"),
            (Producer(EDGES), {"source": "from"}, "no column 'from'"),
            (Producer(EDGES), {"source": "weight"}, "node numbers"),
            (Producer(EDGES), {"private": "hidden"}, "no column 'hidden'"),
            (Producer({**EDGES, "source": np.array([0, 1, 2, 3, -1])}), {"n_nodes": 5}, ""),
            (Producer(EDGES), {"n_nodes": 3}, ""),
        ]
        for producer, options, says in wrong:
            with self.assertRaisesRegex((heterorr.BadInput, ValueError), says):
                heterorr.Graph.from_arrow(producer, **options)
            gc.collect()
            self.assertEqual(producer.released, producer.made, says)
        for nothing in (None, [[0], [1]], object()):
            with self.assertRaises(TypeError):
                heterorr.Graph.from_arrow(nothing)
        other = _arrow._capsule(b"arrow_schema")[0]
        with self.assertRaises(TypeError):
            _arrow._Taken(other, b"arrow_array")
        with self.assertRaises(heterorr.BadInput):  # released already
            _arrow._Taken(other, b"arrow_schema")
        with self.assertRaises(TypeError):
            _arrow._Taken(7, b"arrow_schema")


class Out(unittest.TestCase):
    def setUp(self):
        self.graph = heterorr.generate(n_nodes=50, n_features=3, seed=1)

    def tearDown(self):
        gc.collect()
        self.assertEqual(_arrow._lent, {})  # nothing is held that nobody looks at

    def test_what_goes_out_comes_back_without_a_copy(self):
        for graph in (self.graph, heterorr.Release.non_private(self.graph)):
            edges, features, labels = (graph.to_arrow(part) for part in ("edges", "features", "labels"))
            again = heterorr.Graph.from_arrow(edges, features, labels)
            np.testing.assert_array_equal(again.edge_index, graph.edge_index)
            np.testing.assert_array_equal(again.labels, graph.labels)
            self.assertEqual(again.features.ctypes.data, graph.features.ctypes.data)
            del again, edges, features, labels

    def test_the_memory_outlives_the_graph_and_the_table(self):
        wanted = np.array(self.graph.features)
        table = self.graph.to_arrow("features")
        self.graph.close()
        found = np.asarray(_arrow.columns(table)["features"])
        del table
        gc.collect()
        np.testing.assert_array_equal(found, wanted)

    def test_capsules_that_nobody_takes_are_released(self):
        table = self.graph.to_arrow("edges")
        for _ in range(3):
            schema = table.__arrow_c_schema__()
            pair = table.__arrow_c_array__()
            stream = table.__arrow_c_stream__()
            del schema, pair, stream

    def test_a_stream_is_a_table_of_one_chunk(self):
        class Only:
            def __init__(self, table):
                self.__arrow_c_stream__ = table.__arrow_c_stream__

        found = _arrow.columns(Only(self.graph.to_arrow("edges")))
        np.testing.assert_array_equal(np.asarray(found["source"]), self.graph.sources)

    def test_pieces_may_be_released_by_another_thread(self):
        taken = [_arrow._Taken(capsule, name) for capsule, name in
                 zip(self.graph.to_arrow("edges").__arrow_c_array__(), (b"arrow_schema", b"arrow_array"))]
        thread = threading.Thread(target=taken.clear)
        thread.start()
        thread.join()

    def test_parts_that_there_are_not_are_refused(self):
        bare = heterorr.Graph.from_numpy([[0], [1]], n_nodes=2)
        for part in ("features", "labels"):
            with self.assertRaisesRegex(heterorr.InvalidRequest, "the graph has no " + part):
                bare.to_arrow(part)
        with self.assertRaises(ValueError):
            bare.to_arrow("nodes")


if __name__ == "__main__":
    main()
