"""Learning from releases: the library's networks, and heads on features."""
import ctypes
from ctypes import byref
from typing import Any, List, Optional, Sequence, Union

import numpy as np

from . import _declarations as c
from ._arrays import Matrix, address, dense, matrix, pointer, vector, view, view_dense
from ._errors import InvalidRequest, from_library
from ._graph import Graph
from ._library import (Handle, Progress, call, encode, lib, long_call, make, make_long, new_options, plain, set_options, text,
                       whole)
from ._public import declared
from ._release import Release, want_release
from ._tables import Figures

PARTS = ("train", "valid", "test")


def split(n: int, train: float = c.HRR_TRAIN_SHARE, valid: float = c.HRR_VALID_SHARE, seed: int = 1) -> np.ndarray:
    """Draw a random split of n nodes into training (0), validation (1) and test (2).

    >>> import heterorr
    >>> heterorr.split(4, 0.5, 0.25).tolist().count(0)
    2
    """
    err = c.hrr_error()
    found = lib.hrr_split_new(whole(n, "n"), float(train), float(valid), whole(seed, "seed"), byref(err))
    if not found:
        raise from_library(err.status, err.message.decode(), err.field.decode())
    return view(address(found), np.uint8, (n,), Handle(found, lambda block: lib.hrr_free(block)), True)


class Model:
    """A trained network. train() makes one, Model.read() reads one.

    >>> import heterorr
    >>> release = heterorr.Release.non_private(heterorr.generate(n_nodes=200, seed=1))
    >>> model = heterorr.train(release, epochs=5)
    >>> model.shape.arch, model.private
    ('gcn', False)
    """

    def __init__(self, *_: Any) -> None:
        raise TypeError("a Model is made by train() or Model.read()")

    @classmethod
    def _of(cls, handle: Handle, summary: Optional[Figures] = None) -> "Model":
        self = cls.__new__(cls)
        self._handle = handle
        self.summary = summary
        return self

    @classmethod
    def read(cls, path: Any) -> "Model":
        """Read a model that was saved, also by the command.

        >>> import heterorr, tempfile
        >>> release = heterorr.Release.non_private(heterorr.generate(n_nodes=200, seed=1))
        >>> place = tempfile.mkdtemp() + "/model"
        >>> heterorr.train(release, epochs=2).save(place)
        >>> heterorr.Model.read(place).shape.n_layers
        2
        """
        return cls._of(make("hrr_model_read", c.hrr_model, "hrr_model_free", encode(path)))

    def save(self, path: Any, *, replace: bool = False) -> None:
        """Write the model to a directory, with the statement of its release.

        >>> import heterorr, tempfile
        >>> release = heterorr.Release.non_private(heterorr.generate(n_nodes=200, seed=1))
        >>> heterorr.train(release, epochs=2).save(tempfile.mkdtemp() + "/model")
        """
        call("hrr_model_write", self._handle.pointer, None, encode(path), bool(replace))

    @property
    def shape(self) -> Figures:
        """Layers, widths and so on."""
        return Figures(plain(lib.hrr_model_get_shape(self._handle.pointer).contents))

    @property
    def weights(self) -> List[np.ndarray]:
        """The weight (n_in x n_out) of each layer."""
        return [view_dense(lib.hrr_model_weight(self._handle.pointer, i), self._handle) for i in range(self.shape.n_layers)]

    @property
    def biases(self) -> List[Optional[np.ndarray]]:
        """The bias of each layer, or None."""
        return [view_dense(lib.hrr_model_bias(self._handle.pointer, i), self._handle) for i in range(self.shape.n_layers)]

    @property
    def standards(self) -> Optional[np.ndarray]:
        """Means (first row) and factors (second) that features are standardised with, or None."""
        return view_dense(lib.hrr_model_standards(self._handle.pointer), self._handle)

    @property
    def private(self) -> bool:
        """Whether the guarantee of the release holds for the model."""
        return lib.hrr_model_provenance(self._handle.pointer).is_private

    @property
    def statement(self) -> Optional[str]:
        """The guarantee, as the release states it."""
        return text(lib.hrr_model_provenance(self._handle.pointer).statement)

    def __repr__(self) -> str:
        shape = self.shape
        return f"<Model {shape.arch}, {shape.n_layers} layers, {shape.n_features} features to {shape.n_classes} classes>"

    def _repr_html_(self) -> str:
        from ._html import block, figure_table
        badge = "PRIVATE" if self.private else "NOT PRIVATE"
        rows = [] if self.summary is None else [(part, *self.summary[part].values()) for part in PARTS]
        columns = ("nodes",) if self.summary is None else ("nodes", *self.summary["test"])
        return block(badge, self.private, self.statement or "") + (figure_table(columns, rows) if rows else "")


def train(release: Release, *, progress: Progress = None, **options: Any) -> Model:
    """Train a graph network on a release. options: members of hrr_train_options, such as arch ("gcn" or "mlp"), n_hidden,
    n_layers, epochs, patience, learning_rate, dropout, n_propagate, seed, threads.

    A Graph is refused, because a model that is trained on private data reveals information about it.

    >>> import heterorr
    >>> graph = heterorr.generate(n_nodes=200, seed=1)
    >>> release = heterorr.protect(graph, eps_features=4, insecure_seed=1)
    >>> model = heterorr.train(release, epochs=20)
    >>> 0 <= model.summary.test["accuracy"] <= 1
    True
    """
    served = want_release(release, "train")
    o = new_options(c.hrr_train_options)
    set_options(o, "train", options)
    summary = c.hrr_train_summary()
    handle = make_long("hrr_model_train", c.hrr_model, "hrr_model_free", byref(summary), served._pointer(), byref(o),
                       progress=progress)
    found = plain(summary)
    found.update(zip(PARTS, found.pop("parts")))
    return Model._of(handle, Figures(found))


def predict(model: Model, release: Release, *, features: Any = None, progress: Progress = None, **options: Any) -> np.ndarray:
    """Probabilities (n x C) of a model on a release; logits=True for logits. features: instead of those of the release.

    >>> import heterorr
    >>> release = heterorr.Release.non_private(heterorr.generate(n_nodes=200, seed=1))
    >>> heterorr.predict(heterorr.train(release, epochs=5), release).shape
    (200, 4)
    """
    served = want_release(release, "predict")
    if not isinstance(model, Model):
        raise TypeError(f"predict() needs a Model, not {type(model).__name__}")
    o = new_options(c.hrr_predict_options)
    set_options(o, "predict", options)
    keeps: List[Any] = []
    if features is not None:
        keeps.append(matrix(features, "features", served.n_nodes))
        keeps.append(dense(keeps[0]))
        o.features = ctypes.pointer(keeps[1])
    out = Matrix()
    long_call("hrr_model_predict", byref(out.dense), model._handle.lend(), served._pointer(), byref(o), progress=progress)
    return out.array()


def measure(scores: Any, labels: Any, *, nodes: Any = None, threshold: float = 0.0) -> Figures:
    """Metrics of the predictions of any model: accuracy, F1, ROC-AUC and average precision. scores: n x C, the larger the
    likelier; labels: n classes (-1: not counted) or n x C of 0 and 1, predicted where scores exceed threshold. nodes: a
    mask of those that count.

    >>> import heterorr
    >>> heterorr.measure([[1, 0], [0, 1], [1, 0]], [0, 1, 1]).f1_micro
    0.6666666666666666
    """
    found = np.require(matrix(scores, "scores"), np.float32, ["C", "A"])
    n = len(found)
    truth = np.asarray(labels)
    chosen = None
    if nodes is not None:
        chosen = np.where(np.asarray(nodes, bool), c.HRR_TRAIN, c.HRR_TEST).astype(np.uint8)
        if chosen.shape != (n,):
            raise ValueError(f"nodes is a mask of {n} values")
    classes, label_matrix = None, None
    if truth.ndim == 2:
        truth = matrix(truth, "labels", n).astype(np.uint8)
        if truth.shape != found.shape or truth.max(initial=0) > 1:
            raise ValueError("several labels per node must be 0 and 1, as many as scores")
        label_matrix = ctypes.pointer(dense(truth))
    else:
        truth = vector(truth, "labels", np.int32, n)
        if truth.size and (truth.min() < -1 or truth.max() >= found.shape[1]):
            raise ValueError(f"labels are classes from 0 to {found.shape[1] - 1}, or -1")
        classes = pointer(truth, ctypes.c_int32)
    out = c.hrr_metrics()
    call("hrr_measure", byref(out), byref(dense(found)), classes, label_matrix, float(threshold),
         pointer(chosen, ctypes.c_uint8) if chosen is not None else None, c.HRR_TRAIN)
    return Figures(plain(out))


def add_counts(logits: Any, release: Release, *, threads: int = 0, progress: Progress = None) -> np.ndarray:
    """Combine logits (n x C) of your own model with the counts of neighbours of a release (edgerr-node). How
    counts depend on classes is learned from the labelled nodes of the release's split. This costs no budget.

    >>> import heterorr, numpy
    >>> graph = heterorr.generate(n_nodes=200, seed=1)
    >>> release = heterorr.protect(graph, eps_features=4, eps_edges=1, edge_mechanism="edgerr-node", insecure_seed=1)
    >>> heterorr.add_counts(numpy.zeros((200, 4)), release).shape
    (200, 4)
    """
    served = want_release(release, "add_counts")
    if served.counts is None:
        raise ValueError("the release has no counts of neighbours: edgerr-node is the mechanism that releases them")
    found = np.array(matrix(logits, "logits", served.n_nodes), np.float32, order="C")
    if found.shape[1] != served.n_classes:
        raise ValueError(f"logits has {found.shape[1]} columns, and there are {served.n_classes} classes")
    described = dense(found)
    model = c.hrr_count_model()
    counts = lib.hrr_release_counts(served._pointer())
    workers = whole(threads, "threads", ctypes.c_int)
    try:
        long_call("hrr_count_model_fit", byref(model), byref(described), counts, served._graph(), served.label_eps, workers,
                  progress=progress)
        call("hrr_count_model_apply", byref(described), byref(model), counts, served._graph(), workers)
    finally:
        lib.hrr_count_model_clear(byref(model))
    return found


class Head:
    """A network that computes scores of classes or labels from a node's features; made from PUBLIC data.

    >>> import heterorr, numpy
    >>> X = numpy.random.default_rng(1).random((50, 3))
    >>> head = heterorr.Head.train(X, (X[:, 0] > 0.5).astype(int), n_classes=2, epochs=50)
    >>> head.predict(X).shape
    (50, 2)
    """

    def __init__(self, *_: Any) -> None:
        raise TypeError("a Head is made by Head.train(), Head.from_graphs() or Head.read()")

    @classmethod
    def _new(cls) -> "Head":
        self = cls.__new__(cls)
        self._handle = Handle(ctypes.pointer(c.hrr_head()), lib.hrr_head_clear)
        return self

    @classmethod
    def read(cls, path: Any, output: str = "softmax") -> "Head":
        """Read a head from an npz file, or one npy file with its weights.

        >>> import heterorr, numpy, tempfile
        >>> place = tempfile.mkdtemp() + "/head.npz"
        >>> numpy.savez(place, weight=numpy.eye(3), bias=numpy.zeros(3))
        >>> heterorr.Head.read(place).predict(numpy.eye(3)).shape
        (3, 3)
        """
        kinds = {"softmax": c.HRR_OUTPUT_SOFTMAX, "sigmoid": c.HRR_OUTPUT_SIGMOID}
        self = cls._new()
        call("hrr_head_read", self._handle.pointer, encode(path), kinds[output])
        return self

    @classmethod
    def train(cls, features: Any, labels: Any, n_classes: Optional[int] = None, *, progress: Progress = None,
              **options: Any) -> "Head":
        """Train on PUBLIC features and labels. options: members of hrr_head_train_options, such as hidden and epochs.

        >>> import heterorr, numpy
        >>> X = numpy.random.default_rng(1).random((20, 3))
        >>> head = heterorr.Head.train(X, numpy.arange(20) % 2, n_classes=2, epochs=5)
        """
        found = matrix(features, "features")
        truth = np.asarray(labels)
        o = new_options(c.hrr_head_train_options)
        set_options(o, "Head.train", options)
        classes, label_matrix = None, None
        if truth.ndim == 2:
            truth = matrix(truth, "labels", len(found)).astype(np.uint8)
            if truth.max(initial=0) > 1:
                raise ValueError("several labels per node must be 0 and 1")
            label_matrix, n_classes = ctypes.pointer(dense(truth)), truth.shape[1]
        else:
            truth = vector(truth, "labels", np.int32, len(found))
            n_classes = int(truth.max(initial=-1)) + 1 if n_classes is None else n_classes
            if truth.size and (truth.min() < -1 or truth.max() >= n_classes):
                raise ValueError(f"labels are classes from 0 to {n_classes - 1}, or -1")
            classes = pointer(truth, ctypes.c_int32)
        self = cls._new()
        long_call("hrr_head_train", self._handle.pointer, byref(dense(found)), classes, label_matrix,
                  whole(n_classes, "n_classes", ctypes.c_uint32), byref(o), progress=progress)
        return self

    @classmethod
    def from_graphs(cls, graphs: Sequence[Graph], ridge: float = 100.0, n_questions: int = 4, *, sensitivity: Any = None,
                    strength: float = float(c.HRR_USUAL_STEERING), public: Union[str, Sequence[str]] = (),
                    progress: Progress = None) -> "Head":
        """A linear head from PUBLIC graphs with the same features and classes: what featurerr-head asks about the nodes of
        another graph. If there are more than `n_questions` labels per node, it asks this many questions; 0: one per label.
        public: ["head"] declares that features and labels of the graphs are public knowledge; without it, nothing is learned.
        sensitivity: one public number per feature (beta of heterorr scores); the head relies less on sensitive features, the
        larger `strength` is.

        >>> import heterorr
        >>> head = heterorr.Head.from_graphs([heterorr.generate(n_nodes=200, seed=1), heterorr.generate(n_nodes=200, seed=2)],
        ...                                  public=["head"])
        >>> release = heterorr.protect(heterorr.generate(n_nodes=200, seed=3), eps_features=1, head=head, public=["head"],
        ...                            feature_mechanism="featurerr-head", insecure_seed=1)
        >>> release.reports.named.shape
        (200, 4)
        """
        if not declared(public) & c.HRR_PUBLIC_HEAD:
            raise InvalidRequest("nothing was learned: a head reveals information about the people whose features and labels it "
                                 "was trained on, and no budget accounts for that. If the features and labels of these graphs are "
                                 "public (another population, volunteers), declare it with public=[\"head\"]. If they must be "
                                 "protected, train on other people, or on volunteers among them in a graph of their own")
        owners = [graph._owner() for graph in graphs]
        pointers = (ctypes.POINTER(c.hrr_graph) * len(owners))(*[owner.pointer for owner in owners])
        steering, values = None, None
        if sensitivity is not None:
            values = vector(np.asarray(sensitivity), "sensitivity", np.float64)
            steering = ctypes.pointer(c.hrr_head_steering(pointer(values, ctypes.c_double), len(values), float(strength)))
        self = cls._new()
        long_call("hrr_head_from_graphs", self._handle.pointer, pointers, len(owners), float(ridge),
                  whole(n_questions, "n_questions", ctypes.c_uint32), steering, progress=progress)
        return self

    def predict(self, features: Any, *, probabilities: bool = False) -> np.ndarray:
        """Logits (n x C), or probabilities.

        >>> import heterorr, numpy
        >>> head = heterorr.Head.train(numpy.eye(4), [0, 1, 0, 1], epochs=2)
        >>> head.predict(numpy.eye(4), probabilities=True).sum(axis=1).round(6).tolist()
        [1.0, 1.0, 1.0, 1.0]
        """
        out = Matrix()
        found = matrix(features, "features")
        call("hrr_head_predict", byref(out.dense), self._handle.pointer, byref(dense(found)), bool(probabilities))
        return out.array()

    def write(self, path: Any) -> None:
        """Write the head as an npz file.

        >>> import heterorr, numpy, tempfile
        >>> heterorr.Head.train(numpy.eye(4), [0, 1, 0, 1], epochs=2).write(tempfile.mkdtemp() + "/head.npz")
        """
        call("hrr_head_write", self._handle.pointer, encode(path))


def generate(*, progress: Progress = None, **options: Any) -> Graph:
    """A synthetic attributed graph with known truth, for tests and demonstrations. options: members of
    hrr_generate_options, such as n_nodes, average_degree, n_features, n_classes, private_fraction, homophily, seed.

    >>> import heterorr
    >>> heterorr.generate(n_nodes=100, seed=1).n_nodes
    100
    """
    o = new_options(c.hrr_generate_options)
    set_options(o, "generate", options)
    return Graph._of(make_long("hrr_generate", c.hrr_graph, "hrr_graph_free", None, byref(o), progress=progress))
