"""protect(): from a private Graph to a Release."""
import ctypes
import difflib
import inspect
import warnings
from ctypes import POINTER, byref
from typing import Any, Dict, List, Optional, Sequence, Union

import numpy as np

from . import _declarations as c
from ._arrays import bounds_of, dense, matrix, pointer, vector
from ._errors import BudgetExceeded, Caution, InvalidRequest, translate
from ._library import (Handle, Progress, budget, encode, has_option, lib, long_call, make, names, new_options,
                       option_names, plain, rows, set_option, text)
from ._public import declared
from ._release import Release, want_graph

#: Members that parameters of another name fill, or that say in the certificate what was chosen and by which rule.
RESERVED = {"declared_public", "allow_undeclared", "with_ledger", "mechanism", "eps", "blocks_from", "dry_run",
            "bounds_from_data", "directions_from", "features_because", "edges_because"}

Budget = Union[int, float, str, None]


def new_random(insecure_seed: Optional[int]) -> Handle:
    """The generator: keyed by the system, or by a seed, which is not private."""
    if insecure_seed is None:
        return make("hrr_random_new", c.hrr_random, "hrr_random_free")
    if isinstance(insecure_seed, bool) or not 0 <= insecure_seed.__index__() < 2 ** 64:
        raise ValueError("insecure_seed is a whole number from 0 to 2^64 - 1")
    return make("hrr_random_new_insecure", c.hrr_random, "hrr_random_free", insecure_seed)


class _Request:
    """The options of one release, with the arrays that they point to."""

    def __init__(self, graph: Any, wishes: Dict[str, Any]):
        self.graph = want_graph(graph, "protect")
        self.options = new_options(c.hrr_protect_options)
        self.options.features.mechanism = self.options.edges.mechanism = None
        self.keeps: List[Any] = [self.graph._owner()]
        self.seed = wishes.pop("insecure_seed")
        self._ledger(wishes.pop("ledger"), wishes.pop("limit"), wishes.pop("account"))
        self.options.declared_public = declared(wishes.pop("public"))
        self.options.allow_undeclared = bool(wishes.pop("not_private")) or self.seed is not None
        self._budgets(wishes.pop("eps_features"), wishes.pop("eps_edges"), wishes.pop("eps_labels"))
        for part in ("feature", "edge"):
            name = wishes.pop(f"{part}_mechanism")
            getattr(self.options, f"{part}s").mechanism = encode(name)
        self._features(wishes.pop("bounds"), wishes.pop("theta"), wishes.pop("directions"), wishes.pop("head"))
        self._blocks(wishes.pop("blocks"), wishes.pop("need"))
        self._sign(wishes.pop("sign"))
        use = wishes.pop("use")
        self._others(wishes)
        self._choose(use, wishes)

    def _budgets(self, features: Budget, edges: Budget, labels: Budget) -> None:
        o = self.options
        if features is not None:
            o.features.eps_nano = budget(features, "eps_features")
        if edges is not None:
            o.edges.eps_nano = budget(edges, "eps_edges")
        if labels is not None:
            o.eps_labels_nano = budget(labels, "eps_labels")

    def _ledger(self, ledger: Any, limit: Budget, account: Optional[str]) -> None:
        o = self.options
        if ledger is False and (limit is not None or account is not None):
            raise InvalidRequest(f"`{'limit' if limit is not None else 'account'}` needs a ledger to know what was spent before")
        o.with_ledger = ledger is not False and (ledger is not None or limit is not None or account is not None
                                                 or self.seed is None)
        o.ledger = encode(ledger) if ledger not in (None, True, False) else None
        o.account = encode(account)
        if limit is not None:
            o.limit_nano = budget(limit, "limit", "hrr_limit_parse")

    def _array(self, value: Any, what: str, dtype: Any, length: int, kind: Any) -> Any:
        found = vector(value, what, dtype, length)
        self.keeps.append(found)
        return pointer(found, kind)

    def _features(self, bounds: Any, theta: Any, directions: Any, head: Any) -> None:
        f = self.options.features
        width = 0 if self.graph.features is None else self.graph.features.shape[1]
        if isinstance(bounds, str) and bounds == "data":
            self.options.bounds_from_data = True
        elif bounds is not None:
            low, high = bounds_of(bounds, width)
            self.keeps += [low, high]
            f.lo, f.hi = pointer(low, ctypes.c_double), pointer(high, ctypes.c_double)
        if theta is not None:
            f.theta = self._array(theta, "theta", np.float64, width, ctypes.c_double)
        if directions is not None:
            rows = matrix(np.atleast_2d(directions), "directions").astype(np.float64, copy=False)
            described = dense(rows)
            self.keeps += [rows, described]
            f.directions = ctypes.pointer(described)
        if head is not None:
            from ._learn import Head
            if not isinstance(head, Head):
                raise TypeError(f"head is a heterorr.Head, not {type(head).__name__}")
            self.keeps.append(head._handle)
            f.head = head._handle.pointer

    def _blocks(self, blocks: Any, need: Any) -> None:
        o, n = self.options, self.graph.n_nodes
        self.communities = isinstance(blocks, str) and blocks == "communities"
        if isinstance(blocks, str):
            set_option(o, "blocks_from", blocks)
        elif blocks is not None:
            o.edges.blocks = self._array(blocks, "blocks", np.uint32, n, ctypes.c_uint32)
            o.edges.n_blocks = int(np.max(blocks)) + 1
            o.blocks_from = c.HRR_BLOCKS_GIVEN
        if need is not None:
            o.edges.need = self._array(need, "need", np.uint32, n, ctypes.c_uint32)

    def _sign(self, sign: Any) -> None:
        if sign is not None:
            key = make("hrr_signing_key_read", c.hrr_signing_key, "hrr_signing_key_free", encode(sign))
            self.keeps.append(key)
            self.options.sign_with = key.pointer

    def _others(self, wishes: Dict[str, Any]) -> None:
        """Any other member of the three structs, by its name; new ones arrive with the library."""
        o = self.options
        for name, value in wishes.items():
            places = [place for place in (o, o.features, o.edges) if has_option(place, name)]
            if not places or name in RESERVED:
                members = option_names(c.hrr_protect_options, c.hrr_feature_options, c.hrr_edge_options)
                known = dict.fromkeys([*WISHES, *(member for member in members if member not in RESERVED)])
                near = difflib.get_close_matches(name, known, 1)
                raise TypeError(f"protect() has no option {name!r}" + (f"; did you mean {near[0]!r}?" if near else
                                                                       f"; it has {', '.join(known)}"))
            set_option(places[0], name, value)
        if o.paper_mode and "decoding" not in wishes:
            o.features.decoding = c.HRR_DECODE_PAPER

    def _choose(self, use: Optional[str], wishes: Dict[str, Any]) -> None:
        """What was not named is what measured best; what was named beside it stays. As the command does it."""
        o = self.options
        uses = names(lib.hrr_uses())
        if use is not None and use not in uses:
            raise ValueError(f"use: there is no {use!r}; choose one of {', '.join(uses)}")
        graph = self.graph._graph()
        purpose = lib.hrr_usual_use(graph) if use is None else uses.index(use)
        n_propagate = o.n_propagate
        lib.hrr_protect_choose(byref(o), graph, purpose)
        self._purpose = purpose
        if self.communities:
            o.blocks_from = c.HRR_BLOCKS_COMMUNITIES
        if "n_propagate" in wishes:
            o.n_propagate = n_propagate
        row = lib.hrr_edge_mechanism_find(o.edges.mechanism)
        if row and not row.contents.has_counts:
            o.edges.count_ends, o.edges.sample_edges = c.HRR_ENDS_USUAL, False
        if row and o.paper_mode and not o.edges.tree and row.contents.chooses_tree:
            o.edges.tree = next(tree.name for tree in rows(lib.hrr_edge_trees()) if tree.of_paper_mode)

    def warn(self) -> None:
        """Said before the budget is spent, from public facts alone."""
        graph = self.graph._graph()
        facts = lib.hrr_public_facts_of(graph, byref(self.options), self._purpose)
        for caution in (lib.hrr_caution_features, lib.hrr_caution_edges):
            found = text(caution(byref(facts), byref(self.options)))
            if found:
                warnings.warn(translate(found), Caution, stacklevel=3)

    def requested(self) -> float:
        o = self.options
        return (o.features.eps_nano + o.edges.eps_nano + o.eps_labels_nano) / c.HRR_EPS_UNIT

    def run(self, out: Any, bundle: Any, progress: Progress) -> dict:
        random = new_random(self.seed)
        summary = c.hrr_protect_summary()
        try:
            long_call("hrr_protect", out, byref(summary), encode(bundle), self.graph._graph(), byref(self.options),
                      random.pointer, progress=progress)
        except BudgetExceeded as refused:
            self._explain(refused, random)
            raise
        return plain(summary)

    def _explain(self, refused: BudgetExceeded, random: Handle) -> None:
        """How much was spent: a dry run without the limit says it."""
        limit, self.options.limit_nano, self.options.dry_run = self.options.limit_nano, 0, True
        summary = c.hrr_protect_summary()
        refused.requested, refused.limit = self.requested(), limit / c.HRR_EPS_UNIT
        if not lib.hrr_protect(POINTER(POINTER(c.hrr_release))(), byref(summary), None, self.graph._graph(),
                               byref(self.options), random.pointer, None, None):
            spent = summary.spent_in_all
            refused.spent = (spent.features_nano + spent.edges_nano + spent.labels_nano) / c.HRR_EPS_UNIT


def protect(graph: Any, *, eps_features: Budget = None, eps_edges: Budget = None, eps_labels: Budget = None,
            feature_mechanism: Optional[str] = None, edge_mechanism: Optional[str] = None,
            public: Union[str, Sequence[str]] = (), bounds: Any = None, use: Optional[str] = None, bundle: Any = None,
            ledger: Any = None, limit: Budget = None, account: Optional[str] = None, insecure_seed: Optional[int] = None,
            not_private: bool = False, theta: Any = None, directions: Any = None, head: Any = None, blocks: Any = None,
            need: Any = None, sign: Any = None, progress: Progress = None, **options: Any) -> Release:
    """Turn a private Graph into a Release that may be published.

    Budgets are epsilons of differential privacy, smaller is more private: eps_features of one node's whole feature vector,
    eps_edges of one private pair, eps_labels of one node's label. Without a budget private edges are left out, and labels
    stay as they are. Mechanisms that are not named are those that measured best for such a graph.

    public: what you declare to be public knowledge (public_names()); if a declaration is missing, the request is refused before anything is charged.
    bounds: publicly known (lo, hi) of the features; values outside are clipped. use: "learning" or "structure".
    bundle: write the release there as well. ledger: False for none, a path, or None for the default one, which a seed does
    not use; limit: refuse to spend more in all (BudgetExceeded). insecure_seed: the same draws again, NOT PRIVATE.
    options: any other member of hrr_protect_options, hrr_feature_options or hrr_edge_options, such as tree, n_bins,
    paper_mode, n_propagate, count_ends, threads, replace.

    >>> import heterorr, numpy
    >>> features = numpy.random.default_rng(1).random((50, 3))
    >>> ring = numpy.arange(50)
    >>> graph = heterorr.Graph.from_numpy([ring, (ring + 1) % 50], features, private="all", bounds=(0, 1))
    >>> release = heterorr.protect(graph, eps_features=1.0, eps_edges=1.0, insecure_seed=1)
    >>> release.features.shape, release.certificate.features.eps
    ((50, 3), 1.0)
    """
    wishes = {name: value for name, value in locals().items() if name in WISHES}
    request = _Request(graph, {**wishes, **options})
    if not lib.hrr_public_refused(request.graph._graph(), byref(request.options)):
        request.warn()
    out = POINTER(c.hrr_release)()
    summary = request.run(byref(out), bundle, progress)
    return Release._of(Handle(out, lib.hrr_release_free), summary)


#: The named parameters of protect() that are part of the request, with their defaults.
WISHES = {name: parameter.default for name, parameter in inspect.signature(protect).parameters.items()
          if name not in ("graph", "bundle", "progress", "options")}


def dry_run(graph: Any, *, bundle: Any = None, progress: Progress = None, **options: Any) -> dict:
    """What protect() with the same arguments would guarantee, spend and need. Nothing is drawn, written or charged; it fails
    as protect() would.

    >>> import heterorr
    >>> graph = heterorr.Graph.from_numpy([[0, 1], [1, 2]], n_nodes=3, private="all")
    >>> heterorr.dry_run(graph, eps_edges=1, ledger=False)["realised_eps_edges"] <= 1
    True
    """
    request = _Request(graph, {**WISHES, **options})
    request.options.dry_run = True
    return request.run(POINTER(POINTER(c.hrr_release))(), bundle, progress)


def feature_mechanisms() -> List[dict]:
    """The feature mechanisms and their properties, from the library's table.

    >>> import heterorr
    >>> [row["name"] for row in heterorr.feature_mechanisms()][0]
    'featurerr'
    """
    return [plain(row) for row in rows(lib.hrr_feature_mechanisms())]


def edge_trees() -> List[dict]:
    """The methods to build the tree of edgerr, from the library's table; the first is the default.

    >>> import heterorr
    >>> heterorr.edge_trees()[0]["name"]
    'public'
    """
    return [plain(row) for row in rows(lib.hrr_edge_trees())]


def edge_mechanisms() -> List[dict]:
    """The edge mechanisms and their properties, from the library's table.

    >>> import heterorr
    >>> "edgerr" in [row["name"] for row in heterorr.edge_mechanisms()]
    True
    """
    return [plain(row) for row in rows(lib.hrr_edge_mechanisms())]
