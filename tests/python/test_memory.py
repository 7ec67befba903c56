"""Nothing that Python code does to arrays can make the library look outside its memory. Run under the address sanitizer by
`make asan`."""
import ctypes
import gc
import os
import pickle
import signal
import subprocess
import sys
import threading
import types
import unittest

import support
import numpy as np

import heterorr
from heterorr import _declarations
from heterorr._library import lib

Graph = heterorr.Graph
EDGES = np.array([[0, 1, 2, 3], [1, 2, 3, 4]])


def build(edges=EDGES, **options):
    return Graph.from_numpy(edges, **{**dict(n_nodes=5, private="all"), **options})


def unaligned(array):
    """The same numbers one byte off."""
    memory = np.zeros(array.nbytes + 1, np.uint8)[1:]
    found = np.frombuffer(memory, array.dtype).reshape(array.shape)
    found[...] = array
    assert not found.flags.aligned
    return found


#: (what, arguments, what is raised)
WRONG = [
    ("edges of floats", dict(edges=EDGES.astype(float)), TypeError),
    ("edges of texts", dict(edges=EDGES.astype(str)), TypeError),
    ("edges of objects", dict(edges=EDGES.astype(object)), TypeError),
    ("edges of three dimensions", dict(edges=EDGES[None]), heterorr.BadInput),
    ("edges that stand upright", dict(edges=EDGES.T), heterorr.BadInput),
    ("edges of one dimension", dict(edges=EDGES[0]), heterorr.BadInput),
    ("a negative node", dict(edges=-EDGES), heterorr.BadInput),
    ("a node that is not there", dict(edges=EDGES + 1), heterorr.BadInput),
    ("a node beyond 32 bits", dict(edges=EDGES + 2 ** 32), heterorr.BadInput),
    ("a node beyond 31 bits", dict(edges=EDGES + 2 ** 31), heterorr.BadInput),
    ("a negative number of nodes", dict(n_nodes=-1), (ValueError, TypeError, heterorr.Error)),
    ("no nodes", dict(n_nodes=0, edges=None), heterorr.BadInput),
    ("more nodes than ids", dict(n_nodes=2 ** 40), heterorr.BadInput),
    ("a number of nodes that wraps round", dict(n_nodes=2 ** 64 + 5), (ValueError, TypeError, heterorr.Error)),
    ("features of three dimensions", dict(features=np.zeros((5, 2, 2))), heterorr.BadInput),
    ("too few rows of features", dict(features=np.zeros((4, 2))), heterorr.BadInput),
    ("too many rows of features", dict(features=np.zeros((6, 2))), heterorr.BadInput),
    ("features that are not finite", dict(features=np.full((5, 2), np.nan)), heterorr.BadInput),
    ("complex features", dict(features=np.zeros((5, 2), complex)), TypeError),
    ("features of objects", dict(features=np.zeros((5, 2), object)), TypeError),
    ("features of texts", dict(features=np.full((5, 2), "x")), TypeError),
    ("features of dates", dict(features=np.zeros((5, 2), "M8[s]")), TypeError),
    ("features of records", dict(features=np.zeros((5, 2), [("a", "f4"), ("b", "i4")])), TypeError),
    ("features without columns", dict(features=np.zeros((5, 0))), heterorr.Error),
    ("too few labels", dict(labels=[0, 1]), heterorr.BadInput),
    ("labels that are fractions", dict(labels=np.zeros(5)), TypeError),
    ("a label beyond the classes", dict(labels=[0, 1, 2, 3, 4], n_classes=3), heterorr.BadInput),
    ("a label beyond 32 bits", dict(labels=[0, 1, 2, 3, 2 ** 40]), heterorr.BadInput),
    ("a label below -1", dict(labels=[0, 1, 2, 3, -2]), heterorr.BadInput),
    ("several labels that are not 0 and 1", dict(labels=np.full((5, 2), 2)), heterorr.BadInput),
    ("too few names of classes", dict(labels=[0, 1, 2, 1, 0], class_names=["a"]), heterorr.BadInput),
    ("too few marks", dict(private=[1, 0]), heterorr.BadInput),
    ("too many marks", dict(private=[1] * 9), heterorr.BadInput),
    ("marks that are not 0 and 1", dict(private=[0, 1, 2, 3]), heterorr.BadInput),
    ("marks of floats", dict(private=[0.0, 1.0, 0.0, 0.5]), TypeError),
    ("a private pair of a node that is not there", dict(private=[(0, 9)]), heterorr.BadInput),
    ("private pairs of three", dict(private=[(0, 1, 2)]), heterorr.BadInput),
    ("private by yes or no", dict(private=True), TypeError),
    ("a fraction above one", dict(private=1.5), heterorr.Error),
    ("a fraction that is no number", dict(private=float("nan")), heterorr.Error),
    ("a split of other numbers", dict(split=[0, 1, 2, 3, 4]), heterorr.BadInput),
    ("too short a split", dict(split=[0, 1]), heterorr.BadInput),
    ("candidates of other numbers", dict(candidates=[0, 1, 2, 0, 0]), heterorr.BadInput),
    ("graphs that an edge crosses", dict(graph_ids=[0, 0, 0, 1, 1]), heterorr.BadInput),
    ("graphs out of order", dict(graph_ids=[1, 0, 0, 0, 0]), heterorr.BadInput),
    ("too few names of nodes", dict(node_ids=["a"]), heterorr.BadInput),
    ("the same name twice", dict(node_ids=["a", "a", "b", "c", "d"]), heterorr.BadInput),
    ("a name with a NUL", dict(name="a\0b"), ValueError),
    ("bounds without features", dict(bounds=(0, 1)), heterorr.BadInput),
    ("bounds of the wrong length", dict(features=np.zeros((5, 3)), bounds=([0, 0], [1, 1])), ValueError),
    ("bounds the wrong way round", dict(features=np.zeros((5, 3)), bounds=(1, 0)), heterorr.BadInput),
    ("one bound", dict(features=np.zeros((5, 3)), bounds=(1,)), heterorr.BadInput),
]


class WrongInputs(unittest.TestCase):
    def test_each_is_refused(self):
        for what, arguments, error in WRONG:
            with self.subTest(what), self.assertRaises(error):
                build(**arguments)

    def test_a_graph_is_not_made_by_hand(self):
        for kind in (Graph, heterorr.Release):
            with self.assertRaises(TypeError):
                kind()

    def test_every_layout_holds_the_same_numbers(self):
        numbers = np.arange(10).reshape(5, 2) / 16
        layouts = {
            "float64": numbers, "float32": numbers.astype(np.float32), "float16": numbers.astype(np.float16),
            "big-endian": numbers.astype(">f8"), "big-endian float32": numbers.astype(">f4"),
            "column after column": np.asfortranarray(numbers), "every other row": np.repeat(numbers, 2, axis=0)[::2],
            "backwards": numbers[::-1, ::-1].copy()[::-1, ::-1], "misaligned": unaligned(numbers),
            "a list": numbers.tolist(), "long double": numbers.astype(np.longdouble),
        }
        for what, array in layouts.items():
            with self.subTest(what):
                self.assertEqual(build(features=array).features.tolist(), numbers.tolist())
        for dtype in ("i1", ">i2", "u2", "i4", ">i8", "u8", "?"):
            with self.subTest(dtype):
                array = (np.arange(10).reshape(5, 2) % 2).astype(dtype)
                self.assertEqual(build(features=array).features.tolist(), array.tolist())

    def test_edges_of_every_layout(self):
        for array in (EDGES.astype(">i8"), EDGES.astype(np.uint8), np.asfortranarray(EDGES), unaligned(EDGES),
                      np.repeat(EDGES, 2, axis=1)[:, ::2], EDGES.astype(np.uint64), EDGES.tolist()):
            self.assertEqual(build(edges=array).edge_index.tolist(), EDGES.tolist())


class WrongRequests(unittest.TestCase):
    """Arrays of the wrong size or kind in every function that takes one."""

    def test_each_is_refused(self):
        graph = heterorr.generate(n_nodes=60, n_features=4, n_classes=3, seed=1)
        release = heterorr.Release.non_private(graph)
        model = heterorr.train(release, epochs=1)
        head = heterorr.Head.train(np.eye(4), [0, 1, 0, 1], epochs=1)
        wide = heterorr.Head.train(np.eye(9), np.arange(9) % 3, epochs=1)
        X, protect = np.zeros((8, 4)), dict(eps_features=1, eps_edges=1, insecure_seed=1)
        counts = dict(mechanism="edgerr-node", insecure_seed=1)
        wrong = [
            lambda: heterorr.protect(graph, theta=[1, 1], **protect),
            lambda: heterorr.protect(graph, theta=[np.nan] * 4, **protect),
            lambda: heterorr.protect(graph, directions=np.eye(3), feature_mechanism="featurerr-projected", **protect),
            lambda: heterorr.protect(graph, directions=np.zeros((1, 4)), feature_mechanism="featurerr-projected", **protect),
            lambda: heterorr.protect(graph, head=wide, feature_mechanism="featurerr-head", **protect),
            lambda: heterorr.protect(graph, head="head.npz", feature_mechanism="featurerr-head", **protect),
            lambda: heterorr.protect(graph, blocks=[0, 1], edge_mechanism="edgerr-node", **protect),
            lambda: heterorr.protect(graph, blocks=np.arange(60), n_blocks=2, edge_mechanism="edgerr-node", **protect),
            lambda: heterorr.protect(graph, blocks=-np.arange(60), edge_mechanism="edgerr-node", **protect),
            lambda: heterorr.protect(graph, need=[1], edge_mechanism="edgerr-node", **protect),
            lambda: heterorr.protect(graph, bounds=([0] * 9, [1] * 9), **protect),
            lambda: heterorr.randomise(X, 1, bounds=(0, 1), theta=[1, 2]),
            lambda: heterorr.randomise(X, 1, "featurerr-head", bounds=(0, 1), head=wide),
            lambda: heterorr.randomise(X, 1, "no-such-mechanism", bounds=(0, 1)),
            lambda: heterorr.randomise(np.zeros((8, 0)), 1, bounds=(0, 1)),
            lambda: heterorr.FeaturePlan(2 ** 70, 1, bounds=(0, 1)),
            lambda: heterorr.randomise_edges([[0], [9]], [[1], [2]], 5, 1),
            lambda: heterorr.randomise_edges([[0], [1]], [[1], [9]], 5, 1),
            lambda: heterorr.randomise_edges([[0], [1]], [[0], [1]], 5, 1),  # a public edge is no candidate pair
            lambda: heterorr.randomise_edges([[0], [1]], [[0], [2]], 5, 1, blocks=[0, 1], **counts),
            lambda: heterorr.randomise_edges([[0], [1]], [[0], [2]], 5, 1, blocks=[0, 1, 9, 1, 0], n_blocks=2, **counts),
            lambda: heterorr.randomise_edges([[0], [1]], [[0], [2]], 5, 1, candidates=[1, 1]),
            lambda: heterorr.randomise_edges([[0], [1]], [[0], [2]], 5, 1, candidates=[1, 1, 7, 1, 1]),
            lambda: heterorr.randomise_labels([0, 1], 1, 0),
            lambda: heterorr.randomise_labels([0, 1], 1, 2 ** 33),
            lambda: heterorr.predict(model, release, features=np.zeros((60, 3))),
            lambda: heterorr.predict(model, release, features=np.zeros((59, 4))),
            lambda: heterorr.predict(model, heterorr.Release.non_private(heterorr.generate(n_nodes=60, n_features=5, seed=1))),
            lambda: heterorr.linkteller(model, release, heterorr.generate(n_nodes=50, seed=1)),
            lambda: heterorr.linkteller(lambda x: x, release, heterorr.generate(n_nodes=50, seed=1)),
            lambda: heterorr.measure(np.zeros((3, 2)), [0, 1]),
            lambda: heterorr.measure(np.zeros((3, 2)), [0, 1, 2]),
            lambda: heterorr.measure(np.full((3, 2), np.nan), [0, 1, 1]),
            lambda: heterorr.measure(np.zeros((3, 2)), np.full((3, 2), 5)),
            lambda: heterorr.measure(np.zeros((3, 2)), [0, 1, 1], nodes=[True]),
            lambda: heterorr.split(10, 0.9, 0.9),
            lambda: heterorr.Head.train(np.eye(4), [0, 1]),
            lambda: heterorr.Head.train(np.eye(4), [0, 1, 0, 5], n_classes=2),
            lambda: heterorr.Head.train(np.zeros((0, 4)), []),
            lambda: heterorr.Head.from_graphs([], public="head"),
            lambda: heterorr.Head.from_graphs([graph], public="heads"),
            lambda: head.predict(np.zeros((3, 9))),
            lambda: heterorr.compare(graph, []),
            lambda: heterorr.compare(graph, ["no-such-mechanism"], eps_edges=[1]),
            lambda: heterorr.audit("no-such-mechanism"),
            lambda: heterorr.add_counts(np.zeros((60, 3)), release),
            lambda: release.take_split([0] * 60),  # the reference's graph is borrowed
            lambda: heterorr.protect(graph, **protect).take_split([0] * 3),
            lambda: heterorr.protect(graph, **protect).take_split([9] * 60),
        ]
        for number, use in enumerate(wrong):
            with self.subTest(number), self.assertRaises((heterorr.Error, TypeError, ValueError)):
                use()

    def test_nothing_is_nothing(self):
        self.assertEqual(heterorr.randomise(np.zeros((0, 3)), 1, bounds=(0, 1)).shape, (0, 3))
        self.assertEqual(heterorr.split(0).shape, (0,))
        self.assertEqual(heterorr.randomise_labels(np.zeros(0, int), 1, 3).shape, (0,))
        self.assertEqual(heterorr.randomise_edges(None, None, 5, 1, insecure_seed=1).edges.shape[0], 2)


class Copies(unittest.TestCase):
    def test_features_are_not_copied(self):
        for dtype in (np.float32, np.float64, np.uint8, np.bool_):
            array = np.ones((5, 2), dtype)
            self.assertEqual(build(features=array).features.ctypes.data, array.ctypes.data)

    def test_read_only_features_are_not_copied_either(self):
        array = np.ones((5, 2))
        array.flags.writeable = False
        self.assertEqual(build(features=array).features.ctypes.data, array.ctypes.data)

    def test_what_offers_only_dlpack_is_not_copied(self):
        array = np.ones((5, 2))

        class Other:
            def __dlpack__(self, **kwargs):
                return array.__dlpack__(**kwargs)

            def __dlpack_device__(self):
                return array.__dlpack_device__()

        other = Other()
        self.assertEqual(build(features=other).features.ctypes.data, array.ctypes.data)

    def test_the_graph_keeps_the_array_alive(self):
        graph = build(features=np.full((5, 2), 0.25))
        gc.collect()
        np.full((5, 2), 9.0)
        self.assertEqual(graph.features.tolist(), [[0.25, 0.25]] * 5)

    def test_features_that_were_changed_are_checked_again(self):
        array = np.zeros((5, 2))
        graph = build(features=array, bounds=(0, 1))
        array[3, 1] = np.nan
        with self.assertRaises(heterorr.BadInput):
            heterorr.protect(graph, eps_features=1, insecure_seed=1)
        array[...] = 1e300
        release = heterorr.protect(graph, eps_features=1, insecure_seed=1)
        self.assertTrue(np.isfinite(release.features).all())

    def test_edges_that_are_changed_later_do_not_matter(self):
        edges, labels = EDGES.astype(np.uint32), np.array([0, 1, 2, 1, 0], np.int32)
        graph = build(edges=edges, labels=labels, n_classes=3)
        edges[...] = labels[...] = 4000000
        self.assertEqual(graph.edge_index.tolist(), EDGES.tolist())
        self.assertEqual(graph.labels.tolist(), [0, 1, 2, 1, 0])


class Views(unittest.TestCase):
    def test_views_cannot_be_written_to(self):
        graph = build(features=np.ones((5, 2)), labels=[0, 1, 0, 1, 0], split=[0] * 5)
        for array in (graph.sources, graph.targets, graph.features, graph.labels, graph.private):
            with self.assertRaises(ValueError):
                array[...] = 0
            with self.assertRaises(ValueError):
                array.flags.writeable = True

    def test_views_outlive_their_owner(self):
        release = heterorr.protect(build(features=np.ones((5, 2)), bounds=(0, 2)), eps_features=1, eps_edges=1, insecure_seed=1)
        features, sources = release.features, release.sources
        kept = features.tolist(), sources.tolist()
        slice_ = release.features[1:, 1]
        part = slice_.tolist()
        release.close()
        del release
        gc.collect()
        junk = [np.full(2 ** 14, 7.0) for _ in range(20)]
        self.assertEqual((features.tolist(), sources.tolist(), slice_.tolist()), (*kept, part))
        del junk

    def test_closed_things_say_so(self):
        graph = build()
        release = heterorr.protect(graph, eps_edges=1, insecure_seed=1)
        with graph, release:
            pass
        for use in (lambda: graph.n_nodes, lambda: graph.edge_index, lambda: graph.copy(), lambda: release.features,
                    lambda: release.statement, lambda: release.save("x"), lambda: heterorr.protect(graph, eps_edges=1)):
            with self.assertRaises(ValueError) as caught:
                use()
            self.assertIn("closed", str(caught.exception))
        graph.close()
        self.assertIn("closed", repr(graph) + repr(release))

    def test_a_graph_that_is_closed_while_it_is_used_lives_until_the_call_ends(self):
        nodes = np.arange(3000)
        graph = Graph.from_numpy([nodes, (nodes + 1) % 3000], n_nodes=3000, private="all")

        def seen(*_):
            graph.close()
            gc.collect()

        release = heterorr.protect(graph, eps_edges=1, edge_mechanism="edgerr", tree="select", insecure_seed=1, progress=seen)
        self.assertEqual(release.n_nodes, 3000)

    def test_arrays_travel_by_dlpack_and_pickle(self):
        graph = build(features=np.arange(10.0).reshape(5, 2))
        self.assertEqual(np.from_dlpack(graph.features).tolist(), graph.features.tolist())
        again = np.from_dlpack(graph.sources)
        if again.flags.writeable:  # a copy then: never the graph's own
            again[...] = 999
        self.assertEqual(graph.sources.tolist(), EDGES[0].tolist())
        self.assertEqual(pickle.loads(pickle.dumps(graph.features)).tolist(), graph.features.tolist())
        self.assertIs(type(graph.features + 1), np.ndarray)

    def test_many_are_made_and_freed(self):
        before = resident()
        for _ in range(200):
            build(features=np.zeros((5, 2)), node_ids=list("abcde"), labels=["x", "y", "x", "y", "z"]).copy().close()
        large = np.zeros((1000, 1000))
        for _ in range(100):
            Graph.from_numpy(None, large, private="none").copy(["features"])  # 8 MB each, 800 in all
        self.assertLess(resident() - before, 400 << 20)  # the sanitizer holds 256 MB back


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Memory(unittest.TestCase):
    def test_each_allocation_that_fails_is_a_memory_error(self):
        c_library = ctypes.CDLL(None)
        c_library.malloc.restype = c_library.realloc.restype = ctypes.c_void_p
        c_library.malloc.argtypes = [ctypes.c_size_t]
        c_library.realloc.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
        c_library.free.argtypes = [ctypes.c_void_p]
        left = [0]

        def allowed():
            left[0] -= 1
            return left[0] >= 0

        kind = dict(_declarations.hrr_allocator._fields_)
        allocator = _declarations.hrr_allocator(
            kind["allocate"](lambda size: c_library.malloc(size) if allowed() else None),
            kind["resize"](lambda block, size: c_library.realloc(block, size) if allowed() else None),
            kind["release"](lambda block: c_library.free(block)))
        failed = 0
        lib.hrr_set_allocator(ctypes.byref(allocator))
        try:
            for allowance in range(1000):
                left[0] = allowance
                try:
                    graph = build(features=np.zeros((5, 2)), labels=[0, 1, 0, 1, 0], node_ids=list("abcde"), bounds=(0, 1))
                    break
                except MemoryError:
                    failed += 1
        finally:
            left[0] = 1 << 60
            lib.hrr_set_allocator(None)
        self.assertEqual(graph.n_nodes, 5)
        self.assertGreater(failed, 5)


class EndOfTest(Exception):
    pass


#: A chain of so many steps takes days.
ENDLESS = dict(eps_edges=1, edge_mechanism="edgerr", tree="select", steps_per_node=10 ** 9, insecure_seed=1)


def half_private(n):
    nodes = np.arange(n)
    return Graph.from_numpy([nodes, (nodes * 7 + 1) % n], n_nodes=n, private=0.5)


LONG = """
import heterorr, numpy, sys
nodes = numpy.arange(2000)
graph = heterorr.Graph.from_numpy([nodes, (nodes * 7 + 1) % 2000], n_nodes=2000, private=0.5)
print("ready", flush=True)
heterorr.protect(graph, eps_edges=1, edge_mechanism="edgerr", tree="select", steps_per_node=10 ** 9, insecure_seed=1)
"""


class Interruptions(unittest.TestCase):
    def test_ctrl_c_ends_a_call_that_would_take_days(self):
        with subprocess.Popen([sys.executable, "-c", LONG], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
            self.assertEqual(child.stdout.readline(), "ready\n")
            timer = threading.Timer(1, child.send_signal, [signal.SIGINT])
            timer.start()
            _, said = child.communicate(timeout=120)
        self.assertIn("KeyboardInterrupt", said)
        self.assertEqual(child.returncode, -signal.SIGINT)

    def test_progress_is_shown_by_whatever_is_called_and_ends_when_that_fails(self):
        seen = []

        def show(phase, done, total):
            seen.append((phase, done, total))
            if len(seen) == 3:
                raise LookupError("from the progress")

        with self.assertRaises(LookupError):
            heterorr.protect(half_private(2000), progress=show, **ENDLESS)
        self.assertTrue(all(isinstance(phase, str) and done <= (total or done) for phase, done, total in seen))
        self.assertEqual(len(seen), 3)

    def test_tqdm_is_used_when_it_is_there(self):
        bars = []

        class Bar:
            def __init__(self, total, desc, leave):
                self.n, self.desc, self.closed = 0, desc, False
                bars.append(self)

            def update(self, more):
                self.n += more
                if self.n:
                    raise EndOfTest

            def close(self):
                self.closed = True

        saved = {name: sys.modules.get(name) for name in ("tqdm", "tqdm.auto")}
        sys.modules["tqdm"] = types.ModuleType("tqdm")
        sys.modules["tqdm.auto"] = types.SimpleNamespace(tqdm=Bar)
        try:
            with self.assertRaises(EndOfTest):
                heterorr.protect(half_private(2000), progress=True, **ENDLESS)
        finally:
            for name, module in saved.items():
                sys.modules.pop(name)
                if module is not None:
                    sys.modules[name] = module
        self.assertTrue(bars and all(bar.closed for bar in bars))

    def test_threads_may_call_at_the_same_time(self):
        found = []

        def work():
            graph = build(features=np.ones((5, 2)), bounds=(0, 2))
            found.append(np.asarray(heterorr.protect(graph, eps_features=1, insecure_seed=1).features).tobytes())

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(found), 8)
        self.assertEqual(len(set(found)), 1)


if __name__ == "__main__":
    support.main()
