"""What a private Graph and a Release have in common: nodes, edges, features and labels, and ways to hand them to other
packages. Only here are those packages imported, and only when asked for."""
from ctypes import byref
from typing import Any, Dict, List, Optional

import numpy as np

from . import _declarations as c
from ._arrays import address, view, view_dense
from ._arrow import ArrowTable
from ._library import Handle, call, lib, new_options, text


class Attributed:
    """An attributed graph of the library. Arrays are read-only views of its memory, and keep it alive."""

    _handle: Optional[Handle]

    # ---- life
    def _owner(self) -> Handle:
        if self._handle is None:
            raise ValueError(f"this {type(self).__name__} was closed")
        return self._handle

    def _graph(self) -> Any:
        """The hrr_graph."""
        raise NotImplementedError

    def close(self) -> None:
        """Release the memory, which is freed with the last view of it. Closing twice is allowed.

        >>> import heterorr
        >>> graph = heterorr.Graph.from_numpy([[0, 1], [1, 2]], n_nodes=3, private=[0, 1])
        >>> graph.close()
        >>> graph
        <private Graph, closed>
        """
        self._handle = None

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    # ---- numbers and arrays
    @property
    def name(self) -> str:
        """The name of the graph."""
        return text(lib.hrr_graph_name(self._graph())) or ""

    @property
    def n_nodes(self) -> int:
        """How many nodes there are."""
        return lib.hrr_graph_n_nodes(self._graph())

    @property
    def n_edges(self) -> int:
        """How many undirected edges there are."""
        return lib.hrr_graph_n_edges(self._graph())

    @property
    def n_classes(self) -> int:
        """How many classes or labels there are; 0: none."""
        return lib.hrr_graph_n_classes(self._graph())

    @property
    def sources(self) -> np.ndarray:
        """The smaller node of each edge (uint32)."""
        found = self._array(lib.hrr_graph_sources, np.uint32, self.n_edges)
        return np.empty(0, np.uint32) if found is None else found

    @property
    def targets(self) -> np.ndarray:
        """The larger node of each edge (uint32)."""
        found = self._array(lib.hrr_graph_targets, np.uint32, self.n_edges)
        return np.empty(0, np.uint32) if found is None else found

    @property
    def edge_index(self) -> np.ndarray:
        """2 x E, each undirected edge once (int64, a copy: the library holds two arrays of uint32)."""
        return np.stack([self.sources, self.targets]).astype(np.int64)

    @property
    def features(self) -> Optional[np.ndarray]:
        """n x d, or None."""
        return view_dense(lib.hrr_graph_features(self._graph()), self._owner())

    @property
    def labels(self) -> Optional[np.ndarray]:
        """One class per node (int32, -1: unknown), or n x C of 0 and 1 (uint8) if nodes have several labels, or None."""
        if lib.hrr_graph_is_multilabel(self._graph()):
            return view_dense(lib.hrr_graph_label_matrix(self._graph()), self._owner())
        return self._array(lib.hrr_graph_classes, np.int32, self.n_nodes)

    @property
    def split(self) -> Optional[np.ndarray]:
        """0 for training, 1 for validation, 2 for test nodes (uint8, a copy, because a release may get another split), or None."""
        found = self._array(lib.hrr_graph_split, np.uint8, self.n_nodes)
        return None if found is None else np.array(found, subok=False)

    @property
    def graph_ids(self) -> Optional[np.ndarray]:
        """Of a collection: which graph each node is in (uint32). None: there is one graph."""
        return self._array(lib.hrr_graph_graph_ids, np.uint32, self.n_nodes)

    @property
    def node_ids(self) -> Optional[np.ndarray]:
        """The ids of the nodes, integers or texts (a copy). None: 0 to n - 1."""
        ids = lib.hrr_graph_node_ids(self._graph())
        if not ids:
            return None
        if ids.contents.integer:
            return np.array(self._view(ids.contents.integer, np.int64, self.n_nodes))
        if not ids.contents.text_start:
            return None
        start = self._view(ids.contents.text_start, np.uint64, self.n_nodes + 1)
        texts = bytes(self._view(ids.contents.text, np.uint8, int(start[-1])))
        return np.array([texts[int(a):int(b) - 1].decode("utf-8", "replace") for a, b in zip(start[:-1], start[1:])])

    @property
    def class_names(self) -> Optional[List[str]]:
        """The names of the classes, or None."""
        found = [text(lib.hrr_graph_class_name(self._graph(), i)) for i in range(self.n_classes)]
        return None if not found or found[0] is None else [name or "" for name in found]

    def _view(self, pointer: Any, dtype: Any, *shape: int) -> Any:
        return view(address(pointer), dtype, shape, self._owner())

    def _array(self, getter: Any, dtype: Any, *shape: int) -> Optional[np.ndarray]:
        return self._view(getter(self._graph()), dtype, *shape)

    # ---- to other packages
    def _both_ways(self) -> np.ndarray:
        """2 x 2E: every edge in both directions, as PyG and DGL have undirected graphs."""
        once = self.edge_index
        return np.concatenate([once, once[::-1]], axis=1)

    def _edge_columns(self) -> Dict[str, np.ndarray]:
        """What is known of each edge beside its ends."""
        return {}

    def _names(self) -> Any:
        ids = self.node_ids
        return range(self.n_nodes) if ids is None else ids.tolist()

    def to_numpy(self) -> Dict[str, np.ndarray]:
        """Every array that there is, by its name in the native layout.

        >>> import heterorr
        >>> graph = heterorr.Graph.from_numpy([[0, 1], [1, 2]], n_nodes=3, private=[0, 1])
        >>> sorted(graph.to_numpy())
        ['edges', 'private']
        """
        found = {"edges": self.edge_index, "features": self.features, "labels": self.labels, "split": self.split,
                 "node_ids": self.node_ids, "graph_ids": self.graph_ids, **self._edge_columns()}
        return {name: array for name, array in found.items() if array is not None}

    def to_scipy(self) -> Any:
        """The symmetric adjacency as a scipy.sparse.csr_matrix.

        >>> import heterorr, scipy
        >>> graph = heterorr.Graph.from_numpy([[0, 1], [1, 2]], n_nodes=3, private=[0, 1])
        >>> graph.to_scipy().sum()
        4.0
        """
        import scipy.sparse

        options = new_options(c.hrr_adjacency_options)
        matrix = c.hrr_csr()
        call("hrr_graph_adjacency", byref(matrix), self._graph(), byref(options))
        owner = Handle(byref(matrix), lib.hrr_csr_clear, [matrix])
        start = view(address(matrix.row_start), np.uint64, (matrix.rows + 1,), owner)
        column = view(address(matrix.col), np.uint32, (int(start[-1]),), owner)
        column = np.empty(0, np.uint32) if column is None else column
        data = np.ones(len(column), np.float32)
        return scipy.sparse.csr_matrix((data, column.astype(np.int32), start.astype(np.int64)),
                                       shape=(matrix.rows, matrix.cols))

    def to_networkx(self) -> Any:
        """A networkx.Graph with node attributes `features`, `label` and `split` and edge attributes, if they exist.

        >>> import heterorr, networkx
        >>> graph = heterorr.Graph.from_numpy([[0, 1], [1, 2]], n_nodes=3, private=[0, 1])
        >>> graph.to_networkx().edges[1, 2]
        {'private': 1}
        """
        import networkx

        names = list(self._names())
        graph = networkx.Graph(name=self.name)
        graph.add_nodes_from(names)
        for key, column in (("features", self.features), ("label", self.labels), ("split", self.split)):
            if column is not None:
                values = list(np.asarray(column)) if column.ndim > 1 else column.tolist()
                networkx.set_node_attributes(graph, dict(zip(names, values)), key)
        columns = {key: values.tolist() for key, values in self._edge_columns().items()}
        for i, (u, v) in enumerate(self.edge_index.T.tolist()):
            graph.add_edge(names[u], names[v], **{key: values[i] for key, values in columns.items()})
        return graph

    def to_igraph(self) -> Any:
        """An igraph.Graph with vertex attributes `name`, `features`, `label` and `split`, if they exist.

        >>> import heterorr, igraph
        >>> graph = heterorr.Graph.from_numpy([[0, 1], [1, 2]], n_nodes=3, private=[0, 1])
        >>> graph.to_igraph().vcount()
        3
        """
        import igraph

        graph = igraph.Graph(n=self.n_nodes, edges=self.edge_index.T.tolist())
        for key, column in (("features", self.features), ("label", self.labels), ("split", self.split)):
            if column is not None:
                graph.vs[key] = column.tolist()
        if self.node_ids is not None:
            graph.vs["name"] = [str(name) for name in self.node_ids.tolist()]
        for key, column in self._edge_columns().items():
            graph.es[key] = column.tolist()
        return graph

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with one row per edge: source, target and its attributes.

        >>> import heterorr, pandas
        >>> graph = heterorr.Graph.from_numpy([[0, 1], [1, 2]], n_nodes=3, private=[0, 1])
        >>> graph.to_pandas()["target"].tolist()
        [1, 2]
        """
        import pandas

        ends = self.edge_index
        ids = self.node_ids
        source, target = (ends if ids is None else ids[ends])
        return pandas.DataFrame({"source": source, "target": target, **self._edge_columns()})

    def to_arrow(self, part: str = "edges") -> ArrowTable:
        """A part, "edges", "features" or "labels", as an Arrow table without a copy, for pyarrow, polars, pandas and DuckDB. Edges have
        columns source and target (uint32), and of a Graph private; features are one column of lists.

        >>> import heterorr
        >>> heterorr.generate(n_nodes=100).to_arrow("features")
        <Arrow table of features>
        """
        return ArrowTable(self._owner(), self._graph(), part)

    def to_pyg(self) -> Any:
        """A torch_geometric.data.Data: x, edge_index (both directions), y, and masks of the split.

        >>> import heterorr, torch_geometric
        >>> graph = heterorr.Graph.from_numpy([[0, 1], [1, 2]], n_nodes=3, private=[0, 1])
        >>> graph.to_pyg().edge_index.shape
        torch.Size([2, 4])
        """
        import torch
        from torch_geometric.data import Data

        tensors = {"edge_index": torch.from_numpy(self._both_ways())}
        tensors.update({name: torch.from_numpy(array) for name, array in self._tensors("x", "y").items()})
        tensors.update({f"edge_{name}": torch.from_numpy(np.concatenate([column, column]))
                        for name, column in self._edge_columns().items()})
        return Data(num_nodes=self.n_nodes, **tensors)

    def to_dgl(self) -> Any:
        """A dgl.DGLGraph: ndata feat, label and masks; edges in both directions.

        >>> import heterorr, dgl
        >>> graph = heterorr.Graph.from_numpy([[0, 1], [1, 2]], n_nodes=3, private=[0, 1])
        >>> graph.to_dgl().num_edges()
        4
        """
        import dgl
        import torch

        ends = self._both_ways()
        graph = dgl.graph((torch.from_numpy(ends[0].copy()), torch.from_numpy(ends[1].copy())), num_nodes=self.n_nodes)
        for name, array in self._tensors("feat", "label").items():
            graph.ndata[name] = torch.from_numpy(array)
        for name, column in self._edge_columns().items():
            graph.edata[name] = torch.from_numpy(np.concatenate([column, column]))
        return graph

    def _tensors(self, features: str, labels: str) -> Dict[str, np.ndarray]:
        """Writable copies, as PyTorch wants them."""
        found = {}
        if self.features is not None:
            found[features] = np.array(self.features, np.float32)
        if self.labels is not None:
            found[labels] = np.array(self.labels, np.int64 if self.labels.ndim == 1 else np.float32)
        if self.split is not None:
            for i, part in enumerate(("train_mask", "val_mask", "test_mask")):
                found[part] = np.array(self.split == i)
        return found
