"""Releases and their certificates."""
import ctypes
from ctypes import POINTER, byref
from typing import Any, List, NamedTuple, Optional

import numpy as np

from . import _declarations as c
from ._arrays import address, give, vector, view
from ._attributed import Attributed
from ._errors import PrivateData
from ._graph import Graph
from ._html import block, figure_table
from ._library import Handle, Progress, call, choices, encode, lib, long_call, make, make_long, text


class Term(NamedTuple):
    """How features, edges or labels were treated, with epsilon and delta."""

    treatment: str
    eps: float
    delta: float


class Certificate:
    """The terms of a release: what is protected, published or left out.

    >>> import heterorr
    >>> graph = heterorr.Graph.from_numpy([[0, 1, 2], [1, 2, 3]], n_nodes=4, private="all")
    >>> release = heterorr.protect(graph, eps_edges=1, insecure_seed=1)
    >>> release.certificate.edges
    Term(treatment='protected', eps=1.0, delta=0.0)
    >>> release.certificate.private  # a seed is not secret
    False
    """

    def __init__(self, terms: Any, owner: Handle):
        self._terms, self._owner = terms, owner

    @property
    def private(self) -> bool:
        """Whether the release is private."""
        return lib.hrr_terms_are_private(self._terms)

    @property
    def statement(self) -> str:
        """The promise in one sentence; begins with NOT PRIVATE if there is none."""
        return text(lib.hrr_terms_statement(self._terms)) or ""

    @property
    def badge(self) -> str:
        """What is protected, in capitals: PRIVATE, FEATURES ONLY and the like, NOT PRIVATE."""
        return text(lib.hrr_terms_badge(self._terms)) or ""

    def _term(self, part: int) -> Term:
        term = lib.hrr_terms_of(self._terms, part)
        word = next(word for word, number in choices("hrr_treatment").items() if number == term.treatment)
        return Term(word, term.eps_nano / c.HRR_EPS_UNIT, term.delta)

    @property
    def features(self) -> Term:
        """How the features were treated."""
        return self._term(c.HRR_PART_FEATURES)

    @property
    def edges(self) -> Term:
        """How the private edges were treated."""
        return self._term(c.HRR_PART_EDGES)

    @property
    def labels(self) -> Term:
        """How the labels were treated."""
        return self._term(c.HRR_PART_LABELS)

    def __repr__(self) -> str:
        return f"<Certificate {self.badge}: {self.statement}>"

    def _repr_html_(self) -> str:
        rows = [(part, *getattr(self, part)) for part in ("features", "edges", "labels")]
        return block(self.badge, self.private, self.statement) + figure_table(("part", *Term._fields), rows)


class Counts(NamedTuple):
    """Noisy counts of each node's private neighbours in public blocks (edgerr-node)."""

    count: np.ndarray
    eps: float
    counted: Optional[np.ndarray]
    need: Optional[np.ndarray]
    block: Optional[np.ndarray]


class Reports(NamedTuple):
    """The output of featurerr-head: the answers that each node names, and how much each is worth."""

    named: np.ndarray
    log_ratio: np.ndarray
    report_size: int


class Release(Attributed):
    """What may be published: the released graph and its certificate. protect() makes one, heterorr.open() reads one.

    >>> import heterorr
    >>> graph = heterorr.Graph.from_numpy([[0, 1, 2], [1, 2, 3]], n_nodes=4, private=[0, 1, 0])
    >>> release = heterorr.protect(graph, insecure_seed=1)
    >>> release.edge_index.tolist()
    [[0, 2], [1, 3]]
    """

    def __init__(self, *_: Any, **__: Any) -> None:
        raise TypeError("a Release is made by protect(), heterorr.open() or Release.non_private()")

    @classmethod
    def _of(cls, handle: Handle, summary: Any = None) -> "Release":
        self = cls.__new__(cls)
        self._handle = handle
        self._summary = summary
        return self

    @classmethod
    def non_private(cls, graph: Graph) -> "Release":
        """The non-private baseline: the private graph as it is. Everything that is made from it is marked as not private.

        >>> import heterorr
        >>> graph = heterorr.Graph.from_numpy([[0], [1]], n_nodes=2, private="all")
        >>> heterorr.Release.non_private(graph).private
        False
        """
        if not isinstance(graph, Graph):
            raise TypeError(f"non_private() needs a Graph, not {type(graph).__name__}")
        owner = graph._owner()
        return cls._of(make("hrr_release_non_private", c.hrr_release, "hrr_release_free", owner.pointer, keeps=[owner]))

    def _pointer(self) -> Any:
        return self._owner().lend()

    def _graph(self) -> Any:
        owner = self._owner()
        graph = lib.hrr_release_graph(owner.pointer)
        graph.owner = owner
        return graph

    # ---- promises
    @property
    def private(self) -> bool:
        """Whether the guarantee covers all of it."""
        return lib.hrr_release_is_private(self._pointer())

    @property
    def is_reference(self) -> bool:
        """Whether it is the non-private baseline, made by Release.non_private()."""
        return lib.hrr_release_is_reference(self._pointer())

    @property
    def is_mixed(self) -> bool:
        """Whether other files replaced some of its data."""
        return lib.hrr_release_is_mixed(self._pointer())

    @property
    def statement(self) -> str:
        """The promise in one sentence; begins with NOT PRIVATE if there is none."""
        return text(lib.hrr_release_statement(self._pointer())) or ""

    @property
    def certificate(self) -> Optional[Certificate]:
        """The terms of the release. None: it has no certificate."""
        terms = lib.hrr_release_terms(self._pointer())
        return Certificate(terms, self._owner()) if terms else None

    @property
    def label_eps(self) -> float:
        """The budget that labels were randomised with; 0: they are as they were."""
        return lib.hrr_release_label_eps(self._pointer())

    @property
    def summary(self) -> Optional[dict]:
        """The summary of protect(): budgets, times, the ledger entry. None for a release that was opened."""
        return self._summary

    # ---- what a mechanism released beside edges and features
    @property
    def counts(self) -> Optional[Counts]:
        """Noisy counts of neighbours, if the mechanism released them."""
        found = lib.hrr_release_counts(self._pointer())
        if not found:
            return None
        f, n, owner = found.contents, found.contents.n_nodes, self._owner()
        return Counts(view(address(f.count), np.int64, (n, f.n_blocks), owner), f.eps,
                      view(address(f.counted), np.uint8, (n,), owner), view(address(f.need), np.uint32, (n,), owner),
                      view(address(f.block), np.uint32, (n,), owner))

    @property
    def reports(self) -> Optional[Reports]:
        """Reports of a head's answers, if the mechanism released them."""
        found = lib.hrr_release_reports(self._pointer())
        if not found:
            return None
        f, owner = found.contents, self._owner()
        return Reports(view(address(f.named), np.uint8, (f.n_nodes, f.n_answers), owner),
                       view(address(f.log_ratio), np.float64, (f.n_answers,), owner), f.report_size)

    def take_split(self, split: Any) -> None:
        """Train on other nodes than the release says: 0 for training, 1 for validation, 2 for test. A choice of whoever
        trains; such a release is not saved any more.

        >>> import heterorr
        >>> release = heterorr.protect(heterorr.generate(n_nodes=100), eps_features=4, insecure_seed=1)
        >>> release.take_split(heterorr.split(100, 0.8, 0.1))
        >>> int((release.split == 0).sum())
        80
        """
        give("hrr_release_take_split", self._pointer(), vector(split, "split", np.uint8, self.n_nodes), ctypes.c_uint8)

    # ---- files
    def save(self, path: Any, *, replace: bool = False, sign: Any = None, progress: Progress = None) -> None:
        """Write the bundle that protect() would have written itself. Nothing is drawn or spent. sign: a private key's file.

        >>> import heterorr, tempfile
        >>> graph = heterorr.Graph.from_numpy([[0, 1], [1, 2]], n_nodes=3, private="all")
        >>> bundle = tempfile.mkdtemp() + "/bundle"
        >>> heterorr.protect(graph, eps_edges=1, insecure_seed=1).save(bundle)
        >>> heterorr.open(bundle).n_nodes
        3
        """
        key = None
        if sign is not None:
            key = make("hrr_signing_key_read", c.hrr_signing_key, "hrr_signing_key_free", encode(sign))
        long_call("hrr_release_save", self._pointer(), encode(path), bool(replace), key.pointer if key else None,
                  progress=progress)

    def __repr__(self) -> str:
        if self._handle is None:
            return "<Release, closed>"
        badge = "NOT PRIVATE" if self.certificate is None else self.certificate.badge
        return f"<Release {self.name!r}, {badge}: {self.n_nodes} nodes, {self.n_edges} edges>"

    def _repr_html_(self) -> str:
        badge = "NOT PRIVATE" if self.certificate is None else self.certificate.badge
        features = 0 if self.features is None else self.features.shape[1]
        rows = [(self.name, self.n_nodes, self.n_edges, features, self.n_classes)]
        terms = "" if self.certificate is None else figure_table(
            ("part", *Term._fields), [(part, *getattr(self.certificate, part)) for part in ("features", "edges", "labels")])
        return (block(badge, self.private, self.statement) +
                figure_table(("graph", "nodes", "edges", "features", "classes"), rows) + terms)


def want_release(value: Any, function: str) -> Release:
    """The release; a graph is refused with an explanation."""
    if isinstance(value, Release):
        return value
    if isinstance(value, Graph):
        raise PrivateData(f"{function}() needs a Release. A Graph is private, and everything made from it would reveal "
                          "information about it. protect() makes a Release from a Graph; Release.non_private(graph) makes "
                          "the non-private baseline, and everything made from that is marked as not private")
    raise TypeError(f"{function}() needs a Release, not {type(value).__name__}")


def want_graph(value: Any, function: str) -> Graph:
    """The private graph; a release has nothing left to protect."""
    if isinstance(value, Graph):
        return value
    if isinstance(value, Release):
        raise TypeError(f"{function}() needs the private Graph; a Release is already protected")
    raise TypeError(f"{function}() needs a Graph, not {type(value).__name__}; Graph.from_numpy() and similar functions make one")


def open(bundle: Any, *, progress: Progress = None) -> Release:
    """Read a bundle. A bundle that does not match its certificate is refused (CheckFailed).

    >>> import heterorr, tempfile
    >>> graph = heterorr.Graph.from_numpy([[0, 1], [1, 2]], n_nodes=3, private="all")
    >>> bundle = tempfile.mkdtemp() + "/bundle"
    >>> _ = heterorr.protect(graph, eps_edges=1, insecure_seed=1, bundle=bundle)
    >>> heterorr.open(bundle).statement.startswith("NOT PRIVATE")
    True
    """
    return Release._of(make_long("hrr_release_open", c.hrr_release, "hrr_release_free", encode(bundle),
                                 POINTER(c.hrr_read_options)(), progress=progress))


def new_keys(private_key: Any, public_key: Any) -> str:
    """Make a pair of keys: protect(..., sign=private_key) and Release.save() sign certificates, verify(..., signer=public_key)
    checks them. Files that are there are never replaced. The key's fingerprint, for people to compare.

    >>> import heterorr, tempfile
    >>> place = tempfile.mkdtemp()
    >>> len(heterorr.new_keys(place + "/key", place + "/key.pub"))
    32
    """
    fingerprint = ctypes.create_string_buffer(c.HRR_KEY_TEXT_SIZE)
    call("hrr_signing_key_make", fingerprint, encode(private_key), encode(public_key))
    return fingerprint.value.decode()


def verify(bundle: Any, *, signer: Any = None, progress: Progress = None) -> List[str]:
    """What is wrong with a bundle, one sentence each; an empty list means that nothing is. signer: the public key's file.

    >>> import heterorr, tempfile
    >>> graph = heterorr.Graph.from_numpy([[0, 1], [1, 2]], n_nodes=3, private="all")
    >>> bundle = tempfile.mkdtemp() + "/bundle"
    >>> _ = heterorr.protect(graph, eps_edges=1, insecure_seed=1, bundle=bundle)
    >>> heterorr.verify(bundle)
    []
    """
    found = c.hrr_findings()
    long_call("hrr_verify_bundle", byref(found), encode(bundle), progress=progress)
    if signer is not None:
        key = make("hrr_signer_read", c.hrr_signer, "hrr_signer_free", encode(signer))
        call("hrr_verify_signature", byref(found), byref(ctypes.c_bool()), encode(bundle), key.pointer)
    return [text(found.text[i].value) or "" for i in range(min(found.count, c.HRR_MOST_FINDINGS))]
