"""heterorr: permanent differentially private graphs. A thin layer over libheterorr: see docs/python.md.

>>> import heterorr
>>> graph = heterorr.Graph.from_numpy([[0, 1, 2], [1, 2, 3]], n_nodes=4, private="all")
>>> release = heterorr.protect(graph, eps_edges=1.0, insecure_seed=1)
>>> release.n_nodes
4
"""
from ._errors import (BadInput, BudgetExceeded, Cancelled, CheckFailed, Error, InvalidRequest, OutOfMemory, PrivateData,
                      SystemRefused)
from ._graph import Graph, formats
from ._library import VERSION as __version__
from ._protect import dry_run, edge_mechanisms, feature_mechanisms, protect, public_names
from ._release import Certificate, Counts, Release, Reports, Term, open, verify

__all__ = ["BadInput", "BudgetExceeded", "Cancelled", "Certificate", "CheckFailed", "Counts", "Error", "Graph",
           "InvalidRequest", "OutOfMemory", "PrivateData", "Release", "Reports", "SystemRefused", "Term", "dry_run",
           "edge_mechanisms", "feature_mechanisms", "formats", "open", "protect", "public_names", "verify"]
