"""A transform for PyTorch Geometric. Needs torch_geometric."""
from typing import Any

from torch_geometric.transforms import BaseTransform

from ._graph import Graph
from ._protect import protect


class Protect(BaseTransform):
    """Release a Data object: features, edges and labels are those that may be published, and `statement` is the promise.
    private says which edges are secret; options are those of protect(). Every call draws and charges again: use it as a
    pre_transform, which runs once, never as a transform, which runs in every epoch.

        dataset = Planetoid(root, "Cora", pre_transform=Protect(private="all", eps_features=4, eps_edges=1, bounds=(0, 1)))
    """

    def __init__(self, *, private: Any = "all", n_classes: Any = None, **options: Any):
        self.private, self.n_classes, self.options = private, n_classes, options

    def forward(self, data: Any) -> Any:
        """A released Data object."""
        graph = Graph.from_pyg(data, private=self.private, n_classes=self.n_classes)
        release = protect(graph, **self.options)
        released = release.to_pyg()
        released.statement = release.statement
        return released

    def __call__(self, data: Any) -> Any:
        return self.forward(data)
