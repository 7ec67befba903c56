"""Audits of mechanisms, and comparisons of them."""
import ctypes
import os
import tempfile
from ctypes import POINTER, byref
from typing import Any, List, Optional, Sequence

import numpy as np

from . import _declarations as c
from ._arrays import bounds_of, pointer
from ._graph import Graph
from ._library import (Progress, budget, call, encode, has_option, lib, long_call, make, new_options, plain, set_options,
                       text)
from ._release import want_graph
from ._tables import table


def audit_names() -> List[str]:
    """What audit() can audit.

    >>> import heterorr
    >>> "featurerr" in heterorr.audit_names()
    True
    """
    found: List[str] = []
    while lib.hrr_audit_name(len(found)):
        found.append(text(lib.hrr_audit_name(len(found))) or "")
    return found


def audit(mechanism: Optional[str] = None, *, progress: Progress = None, **options: Any) -> Any:
    """Try to refute the claim of a mechanism: a table with one row per check. None: all, with mechanisms that are wrong on purpose and
    must be caught. options: members of hrr_audit_options: eps, trials, seed, threads.

    >>> import heterorr
    >>> rows = heterorr.audit("duchi", trials=20000)
    >>> set(rows["verdict"].tolist())
    {'holds'}
    """
    o = new_options(c.hrr_audit_options)
    o.mechanism = encode(mechanism)
    set_options(o, "audit", options)
    return _rows("hrr_audit", c.hrr_audit_row, byref(o), progress=progress)


def ledger(path: Any = None) -> Any:
    """Every charge of a ledger, oldest first: a table of what was spent on which graph. None: the default ledger.

    >>> import heterorr, tempfile
    >>> path = tempfile.mkdtemp() + "/ledger.sqlite"
    >>> graph = heterorr.Graph.from_numpy([[0, 1], [1, 2]], n_nodes=3, private="all", name="friends")
    >>> _ = heterorr.protect(graph, eps_edges=1.5, ledger=path)
    >>> heterorr.ledger(path)["spend.edges"].tolist()
    [1.5]
    """
    opened = make("hrr_ledger_open_existing", c.hrr_ledger, "hrr_ledger_free", encode(path), None)
    found = c.hrr_ledger_list()
    call("hrr_ledger_read", byref(found), opened.pointer)
    try:
        rows = [plain(found.rows[i]) for i in range(found.n_rows)]
    finally:
        lib.hrr_ledger_list_clear(byref(found))
    return table([{name: value for name, value in row.items() if name not in ("input", "request")} for row in rows])


def _rows(function: str, kind: Any, *args: Any, progress: Progress = None, long: bool = True) -> Any:
    start, count = POINTER(kind)(), ctypes.c_size_t()
    if long:
        long_call(function, byref(start), byref(count), *args, progress=progress)
    else:
        call(function, byref(start), byref(count), *args)
    try:
        return table([plain(start[i]) for i in range(count.value)])
    finally:
        lib.hrr_free(start)


def compare(graph: Graph, mechanisms: Sequence[str], *, kind: str = "learning", eps_features: Sequence[Any] = (),
            eps_edges: Sequence[Any] = (), private_fractions: Sequence[float] = (), bounds: Any = None, results: Any = None,
            metric: Optional[str] = None, progress: Progress = None, **options: Any) -> Any:
    """Release a private graph many times and measure the results: a table of means, for the owner of the data.

    kind "learning": networks are trained on each release; a mechanism is "FEATURES+EDGES", or either. Baselines are
    always added. kind "structure": distances from the original, for edge mechanisms. bounds: as for protect(). results: a CSV
    file with a row for each run, which a later call continues. options: members of hrr_training_sweep_options and of the
    hrr_train_options and hrr_feature_options in it, or of hrr_structure_sweep_options, such as runs, seed, threads, tree,
    epochs, n_bins.

    >>> import heterorr
    >>> graph = heterorr.generate(n_nodes=100, seed=1)
    >>> means = heterorr.compare(graph, ["edgerr", "public-only"], kind="structure", eps_edges=[1], runs=2)
    >>> sorted(set(means["mechanism"].tolist()))
    ['edgerr', 'public-only']
    """
    private = want_graph(graph, "compare")
    if kind not in ("learning", "structure"):
        raise ValueError(f'kind: there is no {kind!r}; choose one of "learning", "structure"')
    if isinstance(mechanisms, str):
        mechanisms = [mechanisms]
    learning = kind == "learning"
    o = new_options(c.hrr_training_sweep_options if learning else c.hrr_structure_sweep_options)
    places = [o, o.train, o.features] if learning else [o]
    for name, value in options.items():
        place = next((place for place in places if has_option(place, name)), o)
        set_options(place, "compare", {name: value})
    names = (ctypes.c_char_p * (len(mechanisms) + 1))(*[encode(name) for name in mechanisms], None)
    keeps: List[Any] = [names]

    def numbers(values: Sequence[Any], kind_: Any) -> Any:
        keeps.append((kind_ * max(len(values), 1))(*values))
        return keeps[-1]

    setattr(o, "treatments" if learning else "mechanisms", names)
    edges = [budget(value, "eps_edges") for value in _list(eps_edges)]
    o.eps_edges_nano = numbers(edges, ctypes.c_uint64)
    if learning:
        features = [budget(value, "eps_features") for value in _list(eps_features)]
        o.eps_features_nano, o.n_eps_features = numbers(features, ctypes.c_uint64), len(features)
        o.n_eps_edges = len(edges)
        if bounds is not None and private.features is not None:
            keeps += bounds_of(bounds, private.features.shape[1])
            o.features.lo, o.features.hi = (pointer(part, ctypes.c_double) for part in keeps[-2:])
    else:
        o.n_eps = len(edges)
    fractions = [float(value) for value in _list(private_fractions)]
    o.private_fractions, o.n_fractions = numbers(fractions, ctypes.c_double), len(fractions)
    with tempfile.TemporaryDirectory() as where:
        path = encode(os.path.join(where, "results.csv") if results is None else results)
        if learning:
            long_call("hrr_training_sweep", path, private._graph(), byref(o), progress=progress)
            return _rows("hrr_training_means", c.hrr_training_mean, path, private._graph(), encode(metric), long=False)
        long_call("hrr_structure_sweep", path, private._graph(), byref(o), progress=progress)
        return _rows("hrr_structure_means", c.hrr_structure_mean, path, long=False)


def _list(values: Any) -> List[Any]:
    return [values] if np.ndim(values) == 0 else list(values)
