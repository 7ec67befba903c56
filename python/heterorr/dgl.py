"""A transform for DGL. Needs dgl."""
from typing import Any

from dgl import BaseTransform

from ._graph import Graph
from ._protect import protect


class Protect(BaseTransform):
    """Release a homogeneous DGLGraph: ndata and edges of the result may be published. private says which edges are secret;
    options are those of protect(). Every call draws and charges again: apply it once.

        graph = Protect(private="all", eps_features=4, eps_edges=1, bounds=(0, 1))(graph)
    """

    def __init__(self, *, private: Any = "all", n_classes: Any = None, features: str = "feat", label: str = "label",
                 **options: Any):
        self.private, self.n_classes, self.names, self.options = private, n_classes, (features, label), options

    def __call__(self, g: Any) -> Any:
        features, label = self.names
        graph = Graph.from_dgl(g, private=self.private, n_classes=self.n_classes, features=features, label=label)
        return protect(graph, **self.options).to_dgl()
