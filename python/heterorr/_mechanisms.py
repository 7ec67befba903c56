"""Mechanisms as functions on arrays. They do not charge a ledger: the caller adds up what is spent."""
import ctypes
from ctypes import byref
from typing import Any, Dict, List, Optional

import numpy as np

from . import _declarations as c
from ._arrays import (ARRAY_TYPES, Matrix, address, as_array, bounds_of, dense, matrix, pointer, vector, view)
from ._errors import BadInput, InvalidRequest
from ._graph import Graph, _ends
from ._library import (Progress, budget, call, encode, lib, long_call, make, make_long, new_options, plain, set_options, text,
                       whole)
from ._protect import Budget, new_random
from ._tables import Figures

#: Rows times columns below which a call takes less than a twentieth of a second: it is not worth a thread.
SMALL = 1 << 20


class Random:
    """The secure generator, keyed by the system. Every use draws from its own child generator, so that no two
    secrets are hidden by the same draws. Random(insecure_seed=1) is for tests, and NOT PRIVATE.

    >>> import heterorr
    >>> heterorr.Random(insecure_seed=1)
    <Random with a seed: NOT PRIVATE>
    >>> heterorr.Random()
    <Random keyed by the system>
    """

    def __init__(self, insecure_seed: Optional[int] = None):
        self._handle = new_random(insecure_seed)

    @property
    def insecure(self) -> bool:
        """Whether its draws can be repeated with a seed."""
        return lib.hrr_random_is_insecure(self._handle.pointer)

    def _child(self) -> Any:
        return make("hrr_random_new_child", c.hrr_random, "hrr_random_free", self._handle.pointer)

    def __repr__(self) -> str:
        return "<Random with a seed: NOT PRIVATE>" if self.insecure else "<Random keyed by the system>"


def _random(random: Optional[Random], insecure_seed: Optional[int]) -> Any:
    if random is not None and insecure_seed is not None:
        raise InvalidRequest("`random` and `insecure_seed` cannot be combined; leave one of them out")
    return (random or Random(insecure_seed))._child()


class FeaturePlan:
    """Everything that a feature mechanism decides before it sees private rows.

    bounds: publicly known (lo, hi) of the features; mechanisms that clip values need them. options: members
    of hrr_feature_options, such as n_bins, n_sampled, decoding, delta.

    >>> import heterorr, numpy
    >>> plan = heterorr.FeaturePlan(3, eps=1, bounds=(0, 1))
    >>> plan.claim.realised_eps <= 1
    True
    >>> plan.apply(numpy.zeros((5, 3)), insecure_seed=1).shape
    (5, 3)
    """

    def __init__(self, n_features: int, eps: Budget = None, mechanism: str = "featurerr", *, bounds: Any = None,
                 theta: Any = None, directions: Any = None, head: Any = None, **options: Any):
        row = lib.hrr_feature_mechanism_find(encode(mechanism))
        o = new_options(c.hrr_feature_options)
        o.mechanism = encode(mechanism)
        self.mechanism, self._n_features = mechanism, whole(n_features, "n_features")
        keeps: List[Any] = []
        if row and row.contents.needs_bounds and bounds is None:
            raise InvalidRequest(f"{mechanism} clips values to public bounds: give bounds=(lo, hi). There is no default, "
                                 "because wrong bounds would clip all values to a constant")
        if eps is not None:
            o.eps_nano = budget(eps, "eps")
        if bounds is not None:
            low, high = bounds_of(bounds, n_features)
            keeps += [low, high]
            o.lo, o.hi = pointer(low, ctypes.c_double), pointer(high, ctypes.c_double)
        if theta is not None:
            keeps.append(vector(theta, "theta", np.float64, n_features))
            o.theta = pointer(keeps[-1], ctypes.c_double)
        if directions is not None:
            keeps.append(matrix(np.atleast_2d(directions), "directions").astype(np.float64, copy=False))
            keeps.append(dense(keeps[-1]))
            o.directions = ctypes.pointer(keeps[-1])
        if head is not None:
            keeps.append(head._handle)
            o.head = head._handle.pointer
        set_options(o, mechanism, options)
        self._handle = make("hrr_feature_plan_new", c.hrr_feature_plan, "hrr_feature_plan_free", self._n_features, byref(o),
                            keeps=keeps)

    @property
    def claim(self) -> Figures:
        """The guarantee: eps, realised_eps, delta, statement, evidence and so on."""
        return Figures(plain(lib.hrr_feature_plan_claim(self._handle.pointer)))

    def apply(self, X: Any, *, random: Optional[Random] = None, insecure_seed: Optional[int] = None, threads: int = 0,
              progress: Progress = None) -> np.ndarray:
        """Randomise private rows. Fresh noise each time: a second call spends the budget again.

        >>> import heterorr, numpy
        >>> plan = heterorr.FeaturePlan(2, eps=4, mechanism="duchi", bounds=(-1, 1))
        >>> plan.apply(numpy.zeros((4, 2)), insecure_seed=1).dtype
        dtype('float32')
        """
        found = matrix(X, "X")
        claim = lib.hrr_feature_plan_claim(self._handle.pointer)
        out = Matrix()
        call("hrr_dense_init", byref(out.dense), claim.dtype_out, found.shape[0], claim.n_features_out)
        arguments = (byref(out.dense), self._handle.pointer, byref(dense(found)), 0, _random(random, insecure_seed).lend(),
                     whole(threads, "threads", ctypes.c_int))
        if found.size < SMALL:
            call("hrr_feature_plan_apply", *arguments, None)
        else:
            long_call("hrr_feature_plan_apply", *arguments, progress=progress)
        return out.array()


def randomise(X: Any, eps: Budget = None, mechanism: str = "featurerr", *, bounds: Any = None, random: Optional[Random] = None,
              insecure_seed: Optional[int] = None, threads: int = 0, progress: Progress = None, **options: Any) -> np.ndarray:
    """Randomise the rows of X, each with budget eps for the whole row, by any feature mechanism of the library.

    The arguments are those of FeaturePlan. Bounds are never computed from the values; arrays of bool have the bounds 0 and 1.

    >>> import heterorr, numpy
    >>> X = numpy.random.default_rng(1).random((10, 4))
    >>> heterorr.randomise(X, 2.0, "multibit", bounds=(0, 1), insecure_seed=1).shape
    (10, 4)
    """
    found = as_array(X, "X")
    if found.ndim != 2:
        found = matrix(X, "X")
    if bounds is None and found.dtype == np.bool_:
        bounds = (0, 1)
    plan = FeaturePlan(found.shape[1], eps, mechanism, bounds=bounds, **options)
    return plan.apply(found, random=random, insecure_seed=insecure_seed, threads=threads, progress=progress)


def featurerr(X: Any, eps: Budget, *, bounds: Any = None, **options: Any) -> np.ndarray:
    """FeatureRR: randomised response on bins of each feature, budget eps for a row. randomise() has every other mechanism.

    >>> import heterorr, numpy
    >>> X = numpy.random.default_rng(1).random((10, 4))
    >>> heterorr.featurerr(X, 1.0, bounds=(0, 1), n_bins=4, insecure_seed=1).shape
    (10, 4)
    """
    return randomise(X, eps, "featurerr", bounds=bounds, **options)


def randomise_labels(labels: Any, eps: Budget, n_classes: int, *, random: Optional[Random] = None,
                     insecure_seed: Optional[int] = None) -> np.ndarray:
    """Randomised response on one class per node, with budget eps. -1 (unknown) stays.

    >>> import heterorr
    >>> heterorr.randomise_labels([0, 1, 2, -1], 20, 3, insecure_seed=1).tolist()
    [0, 1, 2, -1]
    """
    found = vector(labels, "labels", np.int32)
    out = np.empty(found.shape, np.int32)
    realised = ctypes.c_double()
    call("hrr_label_randomise", pointer(out, ctypes.c_int32), byref(realised), pointer(found, ctypes.c_int32), len(found),
         whole(n_classes, "n_classes", ctypes.c_uint32), budget(eps, "eps"), _random(random, insecure_seed).lend())
    return out


def randomise_edges(public_edges: Any, private_edges: Any, n_nodes: int, eps: Budget = None, mechanism: str = "edgerr", *,
                    candidates: Any = None, blocks: Any = None, need: Any = None, random: Optional[Random] = None,
                    insecure_seed: Optional[int] = None, progress: Progress = None, **options: Any) -> Figures:
    """Draw synthetic edges (2 x E) that replace private edges, by any edge mechanism, with budget eps per pair.

    Edges are 2 x E; only public edges are read before the draw. In addition to `edges`, the result has the `claim` and what
    else the mechanism releases, such as the tree or counts. options: members of hrr_edge_options.

    >>> import heterorr
    >>> found = heterorr.randomise_edges([[0, 1], [1, 2]], [[0], [3]], 4, 1.0, insecure_seed=1)
    >>> found.edges.shape[0], found.claim.realised_eps
    (2, 1.0)
    """
    row = lib.hrr_edge_mechanism_find(encode(mechanism))
    public = Graph.from_numpy(_ends(public_edges), n_nodes=n_nodes, private="none")
    private = Graph.from_numpy(_ends(private_edges), n_nodes=n_nodes, private="none")
    if row and row.contents.whole_graph:  # it protects every edge: all of them are secret to it
        every = np.concatenate([public.edge_index, private.edge_index], axis=1)
        private = Graph.from_numpy(every, n_nodes=n_nodes, private="none")
        public = Graph.from_numpy(None, n_nodes=n_nodes)
    o = new_options(c.hrr_edge_options)
    o.mechanism = encode(mechanism)
    if eps is not None:
        o.eps_nano = budget(eps, "eps")
    set_options(o, "randomise_edges", options)
    keeps: List[Any] = [public, private]
    for name, value in (("blocks", blocks), ("need", need)):
        if value is not None:
            keeps.append(vector(value, name, np.uint32, n_nodes))
            setattr(o, name, pointer(keeps[-1], ctypes.c_uint32))
    if blocks is not None and "n_blocks" not in options:
        o.n_blocks = int(np.max(blocks)) + 1
    known = c.hrr_edge_public(n_nodes, public.n_edges, *_pointers(public))
    if candidates is not None:
        keeps.append(vector(candidates, "candidates", np.uint8, n_nodes))
        if keeps[-1].max(initial=0) > 1:
            raise BadInput("`candidates` has values other than 0 and 1")
        known.candidates = pointer(keeps[-1], ctypes.c_uint8)
    secret = c.hrr_edge_secret(private.n_edges, *_pointers(private))
    plan = make_long("hrr_edge_plan_new", c.hrr_edge_plan, "hrr_edge_plan_free", byref(known), byref(o), progress=progress,
                     keeps=keeps)
    release = _EdgeRelease()
    long_call("hrr_edge_plan_draw", byref(release.found), plan.pointer, byref(secret), _random(random, insecure_seed).lend(),
              progress=progress)
    claim = _edge_claim(lib.hrr_edge_plan_claim(plan.pointer))
    return Figures(edges=release.edges(), claim=claim, **release.parts())


def _pointers(graph: Graph) -> Any:
    """Sources and targets of canonical edges, which belong to the graph."""
    return lib.hrr_graph_sources(graph._graph()), lib.hrr_graph_targets(graph._graph())


def _edge_claim(found: Any) -> Figures:
    reasons: List[str] = []
    i = 0
    while found.not_certified and found.not_certified[i]:
        reasons.append(found.not_certified[i].decode())
        i += 1
    tree = lib.hrr_edge_tree_find(found.tree) if found.tree else None
    what = {"tree_what": text(tree.contents.what)} if tree else {}
    return Figures({**plain(found), **what, "not_certified": reasons})


class _EdgeRelease:
    """An hrr_edge_release, freed with the last view of it."""

    def __init__(self) -> None:
        self.found = c.hrr_edge_release()

    def __del__(self) -> None:
        lib.hrr_edge_release_clear(byref(self.found))

    def edges(self) -> np.ndarray:
        edges = self.found.edges
        ends = [view(address(part), np.uint32, (edges.n_edges,), self) for part in (edges.source, edges.target)]
        return np.stack([np.empty(0, np.int64) if end is None else end.astype(np.int64) for end in ends])

    def parts(self) -> Dict[str, np.ndarray]:
        parts = {}
        for part in self.found.parts[:self.found.n_parts]:
            array = part.array
            shape = list(array.shape[:array.n_dims])
            parts[part.name.decode().replace(".npy", "")] = view(array.data, ARRAY_TYPES[array.type], shape, self)
        return parts


def expected_error(eps: float, n_bins: int) -> Figures:
    """The expected error of FeatureRR, mean and largest, as a share of the range of a feature.

    >>> import heterorr
    >>> heterorr.expected_error(4.0, 8).mean < heterorr.expected_error(0.5, 8).mean
    True
    """
    largest, mean = ctypes.c_double(), ctypes.c_double()
    lib.hrr_featurerr_expected_error(byref(largest), byref(mean), whole(n_bins, "n_bins", ctypes.c_uint32), float(eps))
    return Figures(largest=largest.value, mean=mean.value)
