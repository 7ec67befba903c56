"""The private graph: where sensitive data enters."""
import ctypes
import numbers
from ctypes import POINTER, byref
from typing import Any, Dict, Optional, Sequence

import numpy as np

from . import _declarations as c
from ._arrays import address, as_array, bounds_of, dense, give, matrix, owned, pointer, vector, view, view_dense
from ._arrow import columns
from ._attributed import Attributed
from ._errors import BadInput
from ._library import (Handle, Progress, call, choices, encode, lib, long_call, make, make_long, names, new_options,
                       set_options, whole)

SPLITS = ("train_mask", "val_mask", "test_mask")


class Graph(Attributed):
    """A private attributed graph. It belongs to the owner of the data; protect() makes what may be published from it.

    Graphs come from Graph.read() and from Graph.from_numpy() and its relatives. All of these take `private`, which says
    which edges are secret. Without it, this is not known, and protect() refuses the graph:

    - "all" or "none";
    - an array with a 0 or 1 for each edge, or the name of a column or edge attribute that holds it;
    - pairs [(u, v), ...], added if the graph does not have them yet;
    - for experiments, a fraction such as 0.2 of the edges drawn at random by `mark_seed`.

    >>> import heterorr
    >>> graph = heterorr.Graph.from_numpy([[0, 1, 2], [1, 2, 3]], n_nodes=4, private=[0, 1, 0])
    >>> graph
    <private Graph 'graph': 4 nodes, 3 edges (1 private), no features, no labels>
    """

    #: What read() decided because the files leave it open, a sentence each; they name files and columns, never a value.
    notes: Sequence[str] = ()

    def __init__(self, *_: Any, **__: Any) -> None:
        raise TypeError("a Graph is made by Graph.read(), Graph.from_numpy(), Graph.from_pandas() and the like")

    @classmethod
    def _of(cls, handle: Handle) -> "Graph":
        self = cls.__new__(cls)
        self._handle = handle
        return self

    def _graph(self) -> Any:
        return self._owner().lend()

    def __repr__(self) -> str:
        if self._handle is None:
            return "<private Graph, closed>"
        marking = lib.hrr_graph_marking(self._graph())
        private = {c.HRR_MARKED: f"{self.n_private_edges} private", c.HRR_ALL_PUBLIC: "all public"}
        features = "no features" if self.features is None else f"{self.features.shape[1]} features"
        labels = f"{self.n_classes} classes" if self.n_classes else "no labels"
        said = private.get(marking, "nothing says which are private")
        return f"<private Graph {self.name!r}: {self.n_nodes} nodes, {self.n_edges} edges ({said}), {features}, {labels}>"

    # ---- what only the owner may see
    @property
    def n_private_edges(self) -> int:
        """How many edges are private; this number is private as well."""
        return lib.hrr_graph_n_private_edges(self._graph())

    @property
    def private(self) -> Optional[np.ndarray]:
        """Which edges are private (uint8, 0 or 1). None: this is not known, or all are public."""
        return self._array(lib.hrr_graph_is_private, np.uint8, self.n_edges)

    @property
    def masked_features(self) -> Optional[np.ndarray]:
        """The masked copy of the features that sensitivity scores need, or None."""
        return view_dense(lib.hrr_graph_masked_features(self._graph()), self._owner())

    @property
    def candidates(self) -> Optional[np.ndarray]:
        """The candidate set (uint8, 0 or 1 for each node). None: all nodes."""
        return self._array(lib.hrr_graph_candidates, np.uint8, self.n_nodes)

    @property
    def bounds(self) -> Any:
        """(lo, hi) of each feature, as far as the data states it; otherwise None."""
        low, high = lib.hrr_graph_feature_lo(self._graph()), lib.hrr_graph_feature_hi(self._graph())
        width = 0 if self.features is None else self.features.shape[1]
        if not low or not high:
            return None
        return tuple(view(address(part), np.float64, (width,), self._owner()) for part in (low, high))

    def _edge_columns(self) -> Dict[str, np.ndarray]:
        return {} if self.private is None else {"private": self.private}

    # ---- copies
    def copy(self, parts: Optional[Sequence[str]] = None) -> "Graph":
        """A copy with some of the parts: edges, marks, public-edges, features, labels, split and so on.

        >>> import heterorr
        >>> graph = heterorr.Graph.from_numpy([[0, 1], [1, 2]], n_nodes=3, private="all")
        >>> graph.copy(["edges"])
        <private Graph 'graph': 3 nodes, 2 edges (nothing says which are private), no features, no labels>
        """
        known = choices("hrr_graph_parts")
        wrong = [part for part in parts or () if part not in known]
        if wrong:
            raise ValueError(f"there is no part {wrong[0]!r}; choose one of {', '.join(known)}")
        bits = known["all"] if parts is None else sum({known[part] for part in parts})
        return Graph._of(make("hrr_graph_copy", c.hrr_graph, "hrr_graph_free", self._graph(), bits, keeps=[self._owner()]))

    def marked(self, private: Any, mark_seed: int = 1) -> "Graph":
        """A copy with other private edges; `private` as for every way to make a graph.

        >>> import heterorr
        >>> graph = heterorr.Graph.from_numpy([[0, 1], [1, 2]], n_nodes=3)
        >>> graph.marked("all").n_private_edges
        2
        """
        if isinstance(private, str) and private not in ("all", "none"):
            copy = self.copy()
            call("hrr_graph_choose_mark", copy._graph(), encode(private))
            return copy
        left_out = ("all", "marks", "public-edges", "as-views")
        copy = self.copy([part for part in choices("hrr_graph_parts") if part not in left_out])
        if not _mark(copy._graph(), private, mark_seed):
            marks = vector(private, "private", np.uint8, copy.n_edges)
            _mark_pairs(copy._graph(), copy.edge_index[:, marks != 0])
        return copy

    # ---- files
    @classmethod
    def read(cls, path: Any, *, private: Any = None, mark_seed: int = 1, progress: Progress = None, **options: Any) -> "Graph":
        """Read a graph in any format that the command reads. options: members of hrr_read_options, such as format,
        header, candidates, features, labels, label_column, private_edges.

        >>> import heterorr, tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "pairs.csv"
        >>> _ = path.write_text("source,target,private\\n0,1,1\\n1,2,0\\n")
        >>> heterorr.Graph.read(path)
        <private Graph 'pairs': 3 nodes, 2 edges (1 private), no features, no labels>
        """
        read = new_options(c.hrr_read_options)
        set_options(read, "read", options)
        if isinstance(private, str) and private not in ("all", "none"):
            read.private_column = encode(private)
        elif isinstance(private, str) and private == "all":
            read.all_private = True
        elif isinstance(private, numbers.Real) and not isinstance(private, bool):
            read.private_fraction, read.mark_seed = float(private), whole(mark_seed, "mark_seed")
        report = c.hrr_read_report()
        read.report = ctypes.pointer(report)
        try:
            handle = make_long("hrr_graph_read", c.hrr_graph, "hrr_graph_free", encode(path), byref(read), progress=progress)
            notes = [ctypes.string_at(report.notes[i]).decode("utf-8", "replace") for i in range(report.n_notes)]
        finally:
            lib.hrr_read_report_clear(byref(report))
        if isinstance(private, str) and private == "none":
            lib.hrr_graph_mark_none(handle.pointer)
        elif private is not None and not isinstance(private, (str, numbers.Real)):
            _mark(handle.pointer, private, mark_seed)
        graph = cls._of(handle)
        graph.notes = notes
        return graph

    def write(self, path: Any, *, replace: bool = False, progress: Progress = None, **options: Any) -> None:
        """Write the PRIVATE graph, for its owner. options: members of hrr_write_options.

        >>> import heterorr, tempfile
        >>> graph = heterorr.Graph.from_numpy([[0], [1]], n_nodes=2, private="all")
        >>> graph.write(tempfile.mkdtemp() + "/kept")
        """
        write = new_options(c.hrr_write_options)
        set_options(write, "write", {"replace": replace, **options})
        long_call("hrr_graph_write", self._graph(), encode(path), byref(write), progress=progress)

    # ---- arrays and other packages
    @classmethod
    def from_numpy(cls, edges: Any, features: Any = None, labels: Any = None, *, n_nodes: Optional[int] = None,
                   private: Any = None, mark_seed: int = 1, n_classes: Optional[int] = None, split: Any = None,
                   bounds: Any = None, masked_features: Any = None, candidates: Any = None, graph_ids: Any = None,
                   node_ids: Any = None, class_names: Optional[Sequence[str]] = None, name: str = "graph",
                   provenance: Optional[str] = None) -> "Graph":
        """A graph from arrays: edges 2 x E, features n x d, labels n (or n x C of 0 and 1).

        Features of float32, float64, uint8 or bool that lie row after row are not copied: do not change them while the
        graph is in use. Ids and classes are copied. What is not given is inferred from the data, and protect() then requires
        a declaration: n_nodes from features or labels (their rows are the nodes), else from the edges; n_classes from
        the labels. bounds=(lo, hi) are publicly known bounds of the features, never computed from them; features of type
        bool have 0 and 1.

        >>> import heterorr, numpy
        >>> features = numpy.zeros((4, 3), numpy.float32)
        >>> graph = heterorr.Graph.from_numpy([[0, 1, 2], [1, 2, 3]], features, private="all", bounds=(0, 1))
        >>> graph.features.ctypes.data == features.ctypes.data
        True
        """
        return _build(cls, edges, features, labels, n_nodes=n_nodes, private=private, mark_seed=mark_seed,
                      n_classes=n_classes, split=split, bounds=bounds, masked_features=masked_features,
                      candidates=candidates, graph_ids=graph_ids, node_ids=node_ids, class_names=class_names, name=name,
                      provenance=provenance)

    @classmethod
    def from_scipy(cls, adjacency: Any, features: Any = None, labels: Any = None, **options: Any) -> "Graph":
        """A graph from a square scipy.sparse matrix; entries other than 0 are edges, in either direction.

        >>> import heterorr, scipy.sparse
        >>> heterorr.Graph.from_scipy(scipy.sparse.eye(3, k=1), private="all")
        <private Graph 'graph': 3 nodes, 2 edges (2 private), no features, no labels>
        """
        if adjacency.shape[0] != adjacency.shape[1]:
            raise BadInput(f"the adjacency has {adjacency.shape[0]} rows and {adjacency.shape[1]} columns")
        found = adjacency.tocoo()
        there = found.data != 0
        ends = np.stack([found.row[there], found.col[there]])
        return cls.from_numpy(ends, features, labels, n_nodes=adjacency.shape[0], **options)

    @classmethod
    def from_networkx(cls, graph: Any, *, features: Any = None, label: Optional[str] = None, private: Any = None,
                      **options: Any) -> "Graph":
        """A graph from a networkx.Graph. features: an array in the order of its nodes, or the names of node attributes;
        label: a node attribute; private: also the name of an edge attribute. The nodes of a networkx graph may be inferred from
        its edges, so protect() requires the declaration "nodes".

        >>> import heterorr, networkx
        >>> club = networkx.karate_club_graph()
        >>> heterorr.Graph.from_networkx(club, label="club", private="all").class_names
        ['Mr. Hi', 'Officer']
        """
        nodes = list(graph.nodes)
        place = {node: i for i, node in enumerate(nodes)}
        edges = list(graph.edges)
        ends = np.array([[place[edge[0]] for edge in edges], [place[edge[1]] for edge in edges]], np.int64)
        if isinstance(private, str) and private not in ("all", "none"):
            marks = [data.get(private) for *_, data in graph.edges(data=True)]
            private = _marks(marks, private)
        if isinstance(features, (str, list)) and (isinstance(features, str) or features and isinstance(features[0], str)):
            wanted = [features] if isinstance(features, str) else features
            columns = [np.asarray([graph.nodes[node][key] for node in nodes], np.float64) for key in wanted]
            features = np.concatenate([column.reshape(len(nodes), -1) for column in columns], axis=1)
        labels = None if label is None else np.asarray([graph.nodes[node][label] for node in nodes])
        return _named(cls, ends, nodes, True, features, labels, private, name=options.pop("name", graph.name or "graph"),
                      place=place, **options)

    @classmethod
    def from_igraph(cls, graph: Any, *, features: Any = None, label: Optional[str] = None, private: Any = None,
                    **options: Any) -> "Graph":
        """A graph from an igraph.Graph, whose vertices are 0 to n - 1. label: a vertex attribute; private: also the name of
        an edge attribute.

        >>> import heterorr, igraph
        >>> heterorr.Graph.from_igraph(igraph.Graph.Ring(5), private="all").n_edges
        5
        """
        ends = np.array(graph.get_edgelist(), np.int64).reshape(-1, 2).T
        if isinstance(private, str) and private not in ("all", "none"):
            private = _marks(graph.es[private], private)
        if isinstance(features, str):
            features = np.asarray(graph.vs[features], np.float64)
        labels = None if label is None else np.asarray(graph.vs[label])
        nodes = graph.vs["name"] if "name" in graph.vs.attributes() else list(range(graph.vcount()))
        place = {node: i for i, node in enumerate(nodes)}
        return _named(cls, ends, nodes, False, features, labels, private, place=place, **options)

    @classmethod
    def from_pandas(cls, edges: Any, nodes: Any = None, *, source: str = "source", target: str = "target",
                    node_id: Optional[str] = None, features: Optional[Sequence[str]] = None, label: Optional[str] = None,
                    private: Any = None, **options: Any) -> "Graph":
        """A graph from a frame with one row per edge. private: also the name of its column. nodes: a frame with one row per node,
        named by its index or by the column node_id; features and label are columns of it. Without it the nodes are those
        that occur in edges, and protect() requires the declaration "nodes".

        >>> import heterorr, pandas
        >>> edges = pandas.DataFrame({"source": ["ann", "bob"], "target": ["bob", "cy"], "secret": [1, 0]})
        >>> heterorr.Graph.from_pandas(edges, private="secret")
        <private Graph 'graph': 3 nodes, 2 edges (1 private), no features, no labels>
        """
        return _from_frame(cls, edges, nodes, source, target, node_id, features, label, private, options)

    @classmethod
    def from_arrow(cls, edges: Any, features: Any = None, labels: Any = None, *, source: str = "source", target: str = "target",
                   private: Any = None, **options: Any) -> "Graph":
        """A graph from Arrow tables: objects that offer __arrow_c_array__ or __arrow_c_stream__, such as tables of pyarrow, polars
        and DuckDB. edges has columns of node numbers, `source` and `target`; features has a column of numbers for each feature,
        or one of lists of equal length; labels has one column of classes, or one of lists of 0 and 1. private may name a column
        of edges. options: those of from_numpy().

        Features in one column of lists, float32, float64 or uint8, in a single chunk are not copied.

        >>> import heterorr, numpy
        >>> graph = heterorr.Graph.from_numpy([[0, 1], [1, 2]], numpy.eye(3), private=[0, 1])
        >>> again = heterorr.Graph.from_arrow(graph.to_arrow("edges"), graph.to_arrow("features"), private="private")
        >>> again.features.ctypes.data == graph.features.ctypes.data
        True
        """
        found = columns(edges)
        for name in (source, target):
            if name not in found:
                raise BadInput(f"the table of edges has no column {name!r}")
        ends = [np.asarray(found[name]) for name in (source, target)]
        if any(end.dtype.kind not in "iu" for end in ends):
            raise BadInput(f"columns {source} and {target} hold node numbers: integers")
        if isinstance(private, str) and private not in ("all", "none"):
            if private not in found:
                raise BadInput(f"the table of edges has no column {private!r}")
            private = _marks(np.asarray(found[private]), private)
        return cls.from_numpy(np.stack([end.astype(np.int64) for end in ends]), _table_matrix(features), _table_matrix(labels),
                              private=private, **options)

    @classmethod
    def from_pyg(cls, data: Any, *, private: Any = None, **options: Any) -> "Graph":
        """A graph from a torch_geometric.data.Data: x, edge_index, y, train_mask, val_mask, test_mask, batch.

        >>> import heterorr, numpy, types
        >>> data = types.SimpleNamespace(edge_index=numpy.array([[0, 1], [1, 0]]), x=numpy.zeros((2, 3)), num_nodes=2)
        >>> heterorr.Graph.from_pyg(data, private="all")
        <private Graph 'graph': 2 nodes, 1 edges (1 private), 3 features, no labels>
        """
        def part(key: str) -> Any:
            found = getattr(data, key, None)
            return None if found is None else _from_tensor(found)

        masks = [part(key) for key in SPLITS]
        return cls.from_numpy(part("edge_index"), part("x"), part("y"), n_nodes=int(data.num_nodes), private=private,
                              split=options.pop("split", _split_of(masks)), graph_ids=options.pop("graph_ids", part("batch")),
                              **options)

    @classmethod
    def from_dgl(cls, graph: Any, *, private: Any = None, features: str = "feat", label: str = "label",
                 **options: Any) -> "Graph":
        """A graph from a homogeneous dgl.DGLGraph; features, label and masks are looked for in its ndata.

        >>> import heterorr, numpy, types
        >>> ends = (numpy.array([0, 1]), numpy.array([1, 2]))
        >>> graph = types.SimpleNamespace(edges=lambda: ends, ndata={}, num_nodes=lambda: 3)
        >>> heterorr.Graph.from_dgl(graph, private="none").n_edges
        2
        """
        ends = np.stack([_from_tensor(part) for part in graph.edges()])

        def part(key: str) -> Any:
            return _from_tensor(graph.ndata[key]) if key in graph.ndata else None

        return cls.from_numpy(ends, part(features), part(label), n_nodes=int(graph.num_nodes()), private=private,
                              split=options.pop("split", _split_of([part(key) for key in SPLITS])), **options)


# ---- putting a graph together

def _build(cls: Any, edges: Any, features: Any, labels: Any, *, n_nodes: Optional[int], private: Any, mark_seed: int,
           n_classes: Optional[int], split: Any, bounds: Any, masked_features: Any, candidates: Any, graph_ids: Any,
           node_ids: Any, class_names: Optional[Sequence[str]], name: str, provenance: Optional[str],
           inferred_nodes: bool = False) -> Graph:
    ends = _ends(edges)
    marks = None
    is_marks = private is not None and not isinstance(private, (str, numbers.Real)) and np.ndim(private) == 1 and len(private)
    if is_marks:
        marks = vector(private, "private", np.uint8, ends.shape[1])
        if marks.size and marks.max() > 1:
            raise BadInput("`private` has values other than 0 and 1")
    if n_nodes is None:
        for part in (features, labels, node_ids):
            if part is not None:
                n_nodes = len(part)
                break
        else:
            n_nodes, inferred_nodes = (int(ends.max()) + 1 if ends.size else 0), True
    found = None if features is None else matrix(features, "features", n_nodes)
    masked = None if masked_features is None else matrix(masked_features, "masked_features", n_nodes)
    graph = make("hrr_graph_new", c.hrr_graph, "hrr_graph_free", encode(name), whole(n_nodes, "n_nodes"),
                 keeps=[found, masked])
    at = graph.pointer
    _take_edges(at, ends, marks)
    if inferred_nodes:
        lib.hrr_graph_add_inferred(at, c.HRR_INFERRED_NODES)
    if found is not None:
        call("hrr_graph_take_features", at, byref(dense(found)))
        if bounds is None and as_array(features, "features").dtype == np.bool_:
            bounds = (0, 1)
        if bounds is not None:
            low, high = bounds_of(bounds, found.shape[1])
            call("hrr_graph_set_feature_bounds", at, pointer(low, ctypes.c_double), pointer(high, ctypes.c_double))
    elif bounds is not None:
        raise BadInput("`bounds` are for features, but the graph has none")
    if masked is not None:
        call("hrr_graph_take_masked_features", at, byref(dense(masked)))
    if labels is not None:
        _take_labels(at, labels, n_nodes, n_classes, class_names)
    for value, what, function, dtype, kind in (
            (split, "split", "hrr_graph_take_split", np.uint8, ctypes.c_uint8),
            (graph_ids, "graph_ids", "hrr_graph_take_graph_ids", np.uint32, ctypes.c_uint32),
            (candidates, "candidates", "hrr_graph_take_candidates", np.uint8, ctypes.c_uint8)):
        if value is not None:
            give(function, at, vector(value, what, dtype, n_nodes), kind)
    if node_ids is not None:
        _take_node_ids(at, node_ids, n_nodes)
    if provenance is not None:
        call("hrr_graph_set_provenance", at, encode(provenance))
    if private is not None and not is_marks:
        _mark(at, private, mark_seed)
    return cls._of(graph)


def _ends(edges: Any) -> np.ndarray:
    """2 x E of whole numbers that fit an id."""
    if edges is None:
        return np.empty((2, 0), np.uint32)
    found = as_array(edges, "edges")
    if found.size == 0:
        return np.empty((2, 0), np.uint32)
    if found.ndim != 2 or found.shape[0] != 2:
        hint = "; transpose it" if found.ndim == 2 and found.shape[1] == 2 else ""
        raise BadInput(f"edges has shape {found.shape}; it must be 2 x E, a row of sources and one of targets{hint}")
    if found.dtype.kind not in "iu":
        raise TypeError(f"edges holds {found.dtype}; it must contain whole numbers, the positions of nodes")
    if int(found.min()) < 0 or int(found.max()) > 0xFFFFFFFF:
        raise BadInput("edges contains numbers that are not nodes; nodes are numbered from 0")
    return found


def _edge_list(ends: np.ndarray, marks: Optional[np.ndarray]) -> c.hrr_edge_list:
    """A copy of the edges in the library's memory."""
    edges = c.hrr_edge_list()
    n_edges = ends.shape[1]
    call("hrr_edge_list_init", byref(edges), n_edges, marks is not None)
    if n_edges:
        for start, row in ((edges.source, ends[0]), (edges.target, ends[1])):
            np.copyto(np.ctypeslib.as_array(start, (n_edges,)), row, casting="unsafe")  # they fit: _ends() looked
        if marks is not None:
            np.copyto(np.ctypeslib.as_array(edges.marks, (n_edges,)), marks)
    return edges


def _take_edges(graph: Any, ends: np.ndarray, marks: Optional[np.ndarray]) -> None:
    edges = _edge_list(ends, marks)
    try:
        long_call("hrr_graph_take_edges", graph, byref(edges), None, 0, progress=False)
    finally:
        lib.hrr_edge_list_clear(byref(edges))


def _mark_pairs(graph: Any, ends: np.ndarray) -> None:
    edges = _edge_list(ends, None)
    try:
        call("hrr_graph_mark_edges", graph, byref(edges))
    finally:
        lib.hrr_edge_list_clear(byref(edges))


def _mark(graph: Any, private: Any, mark_seed: int) -> bool:
    """Mark all, none, a fraction or pairs; False if `private` is none of these."""
    if isinstance(private, str):
        if private == "all":
            call("hrr_graph_mark_all", graph)
        elif private == "none":
            lib.hrr_graph_mark_none(graph)
        else:
            raise ValueError(f'`private` is {private!r}; as a text it is "all" or "none"')
    elif isinstance(private, numbers.Real) and not isinstance(private, bool):
        call("hrr_graph_mark_fraction", graph, float(private), whole(mark_seed, "mark_seed"))
    elif private is None or isinstance(private, bool):
        raise TypeError('`private` is "all", "none", an array of 0 and 1, pairs [(u, v), ...] or a fraction')
    elif len(private) == 0:
        _mark_pairs(graph, np.empty((2, 0), np.uint32))
    elif np.ndim(private) == 2:
        pairs = np.asarray(private)
        if pairs.shape[1] != 2:
            raise BadInput(f"`private` has shape {pairs.shape}; pairs are K x 2")
        _mark_pairs(graph, _ends(pairs.T))
    else:
        return False
    return True


def _take_labels(graph: Any, labels: Any, n_nodes: int, n_classes: Optional[int], class_names: Any) -> None:
    found = as_array(labels, "labels")
    if found.ndim == 2 and found.shape[1] == 1:
        found = found[:, 0]
    if found.ndim == 2:
        bits = matrix(found, "labels", n_nodes)
        if not np.isin(bits, (0, 1)).all():
            raise BadInput("several labels per node must be 0 and 1")
        out = c.hrr_dense()
        call("hrr_dense_init", byref(out), c.HRR_U8, *bits.shape)
        np.copyto(view(out.data, np.uint8, bits.shape, None, True), bits, casting="unsafe")
        try:
            call("hrr_graph_take_label_matrix", graph, byref(out))
        finally:
            lib.hrr_dense_clear(byref(out))
    else:
        if found.dtype.kind in "OUS":  # names
            words, found = np.unique(found.astype(str), return_inverse=True)
            class_names, n_classes = words.tolist(), None
        found = vector(found, "labels", np.int32, n_nodes)
        if n_classes is None:
            n_classes = int(found.max(initial=-1)) + 1
            lib.hrr_graph_add_inferred(graph, c.HRR_INFERRED_CLASSES)
        give("hrr_graph_take_classes", graph, found, ctypes.c_int32, whole(n_classes, "n_classes", ctypes.c_uint32))
    if class_names is not None:
        if len(class_names) != lib.hrr_graph_n_classes(graph):
            raise BadInput(f"there are {len(class_names)} class_names and {lib.hrr_graph_n_classes(graph)} classes")
        texts = (ctypes.c_char_p * len(class_names))(*[encode(str(word)) for word in class_names])
        call("hrr_graph_set_class_names", graph, texts)


def _take_node_ids(graph: Any, node_ids: Any, n_nodes: int) -> None:
    if len(node_ids) != n_nodes:
        raise BadInput(f"there are {len(node_ids)} node_ids and {n_nodes} nodes")
    ids = c.hrr_node_ids()
    if all(isinstance(node, numbers.Integral) for node in node_ids):
        numbered = np.asarray(node_ids, np.int64)
        if (numbered == np.arange(n_nodes)).all():
            return
        ids.integer = ctypes.cast(owned(numbered).data, POINTER(ctypes.c_int64))
    else:
        texts = [encode(str(node)) + b"\0" for node in node_ids]
        if len(set(texts)) != n_nodes:
            raise BadInput("two nodes have the same name")
        starts = np.concatenate([[0], np.cumsum([len(word) for word in texts])]).astype(np.uint64)
        ids.text = ctypes.cast(owned(np.frombuffer(b"".join(texts), np.uint8)).data, POINTER(ctypes.c_char))
        ids.text_start = ctypes.cast(owned(starts).data, POINTER(ctypes.c_uint64))
    try:
        call("hrr_graph_take_node_ids", graph, byref(ids))
    finally:
        lib.hrr_node_ids_clear(byref(ids))


def _named(cls: Any, ends: np.ndarray, nodes: list, inferred: bool, features: Any, labels: Any, private: Any, *,
           place: dict, **options: Any) -> Graph:
    """A graph whose nodes have names: pairs of `private` are names as well."""
    if private is not None and not isinstance(private, (str, numbers.Real)) and len(private) and np.ndim(private) == 2:
        private = [(place[u], place[v]) for u, v in private]
    defaults: Dict[str, Any] = dict(mark_seed=1, n_classes=None, split=None, bounds=None, masked_features=None,
                                    candidates=None, graph_ids=None, class_names=None, name="graph", provenance=None)
    wrong = sorted(set(options) - set(defaults))
    if wrong:
        raise TypeError(f"there is no option {wrong[0]!r}; there are {', '.join(defaults)}")
    return _build(cls, ends, features, labels, n_nodes=len(nodes), private=private, node_ids=nodes,
                  inferred_nodes=inferred, **{**defaults, **options})


def _from_frame(cls: Any, edges: Any, nodes: Any, source: str, target: str, node_id: Optional[str], features: Any,
                label: Optional[str], private: Any, options: dict) -> Graph:
    first, second = (edges[column].tolist() for column in (source, target))
    if nodes is None:
        if features is not None or label is not None:
            raise BadInput("features and label are columns of the frame `nodes`, which is missing")
        ids = list(dict.fromkeys(first + second))
    else:
        ids = (nodes.index if node_id is None else nodes[node_id]).tolist()
    place = {node: i for i, node in enumerate(ids)}
    if len(place) != len(ids):
        raise BadInput("two rows of `nodes` have the same name")
    missing = next((row for row, pair in enumerate(zip(first, second)) if pair[0] not in place or pair[1] not in place), None)
    if missing is not None:
        raise BadInput(f"row {missing} of the edges names a node that `nodes` does not have")
    ends = np.array([[place[node] for node in first], [place[node] for node in second]], np.int64)
    if isinstance(private, str) and private not in ("all", "none"):
        private = _marks(edges[private].tolist(), private)
    columns = None if features is None else nodes[list(features)].to_numpy()
    labels = None if label is None else nodes[label].to_numpy()
    return _named(cls, ends, ids, nodes is None, columns, labels, private, place=place, **options)


def _table_matrix(table: Any) -> Optional[np.ndarray]:
    """The columns of an Arrow table side by side; one column of lists as it lies there, one of numbers as a vector."""
    if table is None:
        return None
    parts = [np.asarray(column) for column in columns(table).values()]
    if not parts:
        raise BadInput("the Arrow table has no columns")
    return parts[0] if len(parts) == 1 else np.column_stack(parts)


def _marks(values: Any, column: str) -> np.ndarray:
    """Marks from a column of 0 and 1. A value that is missing would be a guess."""
    found = np.asarray(values)
    if found.dtype.kind not in "biuf" or not np.isin(found, (0, 1)).all():
        raise BadInput(f"`private`: {column!r} is not 0 or 1, or True or False, for every edge")
    return found.astype(np.uint8)


def _from_tensor(value: Any) -> np.ndarray:
    """A tensor as an array, without a copy if it lies in this machine's memory."""
    if hasattr(value, "detach"):
        value = value.detach().cpu().numpy()
    return np.asarray(value)


def _split_of(masks: Sequence[Any]) -> Optional[np.ndarray]:
    """0, 1, 2 from three masks; nodes in none of them are for testing."""
    if any(mask is None for mask in masks):
        return None
    split = np.full(len(masks[0]), c.HRR_TEST, np.uint8)
    for part in (c.HRR_VALID, c.HRR_TRAIN):
        split[np.asarray(masks[part], bool)] = part
    return split


def formats() -> Sequence[str]:
    """The formats that Graph.read() knows.

    >>> import heterorr
    >>> "native" in heterorr.formats()
    True
    """
    return names(lib.hrr_graph_formats())
