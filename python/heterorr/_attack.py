"""Attacks that an owner runs to see what an adversary could find out about private edges."""
import ctypes
from ctypes import byref
from typing import Any, Callable, List, Optional, Union

import numpy as np

from . import _declarations as c
from ._graph import Graph
from ._learn import Model
from ._library import Progress, lib, long_call, new_options, plain, set_options, text
from ._release import Release, want_graph, want_release
from ._tables import Figures

Predict = Callable[[np.ndarray], Any]


def linkteller(model: Union[Model, Predict], release: Release, truth: Graph, *, progress: Progress = None,
               **options: Any) -> Figures:
    """LinkTeller (Wu et al., S&P 2022): find private edges by changing features and observing which predictions change.

    model: a Model, or your own function that takes features (n x d, float64) and returns scores (n x C) for all nodes,
    in any framework. It is called once with the original features and once for each of n_samples nodes. truth: the private graph,
    which is used to score the attack and is never passed to the model. options: members of
    hrr_linkteller_options, such as n_samples, runs, pool ("all", "low", "high"), delta, all_edges, seed.

    The result has auc, average_precision, precision and recall, mean over samples, and a verdict: whether the model leaks more
    than public data reveals anyway ("leaks", "public-knowledge" or "undecided").

    >>> import heterorr
    >>> graph = heterorr.generate(n_nodes=200, seed=1)
    >>> release = heterorr.Release.non_private(graph)
    >>> found = heterorr.linkteller(heterorr.train(release, epochs=50), release, graph, n_samples=100)
    >>> found.auc > 0.8
    True
    >>> blind = lambda features: features[:, :3]  # looks at no edge
    >>> found = heterorr.linkteller(blind, release, graph, n_samples=50, runs=1)
    >>> found.auc, found.verdict["verdict"] == "leaks"
    (0.5, False)
    """
    served, private = want_release(release, "linkteller"), want_graph(truth, "linkteller")
    o = new_options(c.hrr_linkteller_options)
    set_options(o, "linkteller", options)
    service = None
    if not isinstance(model, Model):
        if not callable(model):
            raise TypeError("linkteller() needs a Model, or a function that takes features and returns scores")
        if served.features is None:
            raise ValueError("the release has no features that could be changed")
        service = _Service(model, served.features)
        o.service = ctypes.pointer(service.service)
    found = c.hrr_linkteller_result()
    samples = (c.hrr_link_quality * max(o.runs, 1))()
    try:
        long_call("hrr_linkteller", byref(found), samples, None if service else model._handle.lend(), served._pointer(),
                  private._graph(), byref(o), progress=progress)
    except Exception:
        if service and service.failed is not None:
            raise service.failed
        raise
    result = plain(found)
    result["verdict"]["verdict"] = text(lib.hrr_leak_name(found.verdict.verdict))
    return _result([plain(sample) for sample in samples], result)


def _result(samples: List[dict], others: dict) -> Figures:
    """Means over samples, with the deviations."""
    means = {name: np.mean([sample[name] for sample in samples], axis=0).tolist() for name in samples[0]}
    spread = {name: np.std([sample[name] for sample in samples], axis=0, ddof=1 if len(samples) > 1 else 0).tolist()
              for name in samples[0]}
    return Figures({**others, **means, "deviation": spread, "samples": samples,
                    "k_hat": [lib.hrr_k_hat(k) for k in range(c.HRR_K_HATS)]})


class _Service:
    """A function of Python's behind the library's question: what do you say if one node had other features?"""

    def __init__(self, predict: Predict, features: np.ndarray):
        self.predict = predict
        self.features = np.array(features, np.float64)
        self.failed: Optional[BaseException] = None
        scores = self._ask()
        self.service = c.hrr_service(c.hrr_query(self._query), None, *self.features.shape, scores.shape[1], 0, 0.0)

    def _ask(self) -> np.ndarray:
        given = self.features.copy()  # theirs to change
        scores = self.predict(given)
        found = np.asarray(scores.detach().cpu() if hasattr(scores, "detach") else scores, np.float64)
        if found.ndim != 2 or len(found) != len(self.features) or not found.shape[1]:
            raise ValueError(f"the model returned an array of shape {found.shape}; it must be {len(self.features)} x C")
        return found

    def _query(self, _: Any, answer: Any, question: Any, __: Any) -> int:
        """Called by the library; an exception waits until the call is over."""
        try:
            asked = question.contents
            nodes = np.ctypeslib.as_array(asked.asked, (asked.n_asked,))
            kept = None
            if asked.changed >= 0:
                kept = self.features[asked.changed].copy()
                self.features[asked.changed] = np.ctypeslib.as_array(asked.features, (self.features.shape[1],))
            try:
                scores = self._ask()
            finally:
                if kept is not None:
                    self.features[asked.changed] = kept
            if scores.shape[1] != self.service.n_classes:
                raise ValueError(f"the model returned {scores.shape[1]} scores a node, and {self.service.n_classes} before")
            np.ctypeslib.as_array(answer, (asked.n_asked, scores.shape[1]))[...] = scores[nodes]
            return c.HRR_OK
        except BaseException as problem:
            self.failed = problem
            return c.HRR_EINVAL
