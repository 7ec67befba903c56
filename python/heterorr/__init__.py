"""heterorr: permanent differentially private graphs. A thin layer over libheterorr: see docs/python.md.

>>> import heterorr
>>> graph = heterorr.Graph.from_numpy([[0, 1, 2], [1, 2, 3]], n_nodes=4, private="all")
>>> release = heterorr.protect(graph, eps_edges=1.0, insecure_seed=1)
>>> release.n_nodes
4
"""
from ._arrow import ArrowTable
from ._attack import linkteller
from ._errors import (BadInput, BudgetExceeded, Cancelled, Caution, CheckFailed, Error, InvalidRequest, OutOfMemory,
                      PrivateData, RanksUnavailable, SystemRefused)
from ._graph import Graph, formats
from ._judge import audit, audit_names, compare, ledger
from ._learn import Head, Model, add_counts, generate, measure, predict, split, train
from ._library import VERSION as __version__
from ._library import threads
from ._mechanisms import (FeaturePlan, Random, expected_error, featurerr, randomise, randomise_edges, randomise_labels)
from ._protect import dry_run, edge_mechanisms, edge_trees, feature_mechanisms, protect
from ._public import public_names
from ._release import Certificate, Counts, Release, Reports, Term, new_keys, open, verify
from ._report import Report, report
from ._tables import Figures, Table

__all__ = ["ArrowTable", "BadInput", "BudgetExceeded", "Cancelled", "Caution", "Certificate", "CheckFailed", "Counts", "Error",
           "FeaturePlan", "Figures", "Graph", "Head", "InvalidRequest", "Model", "OutOfMemory", "PrivateData",
           "Random", "RanksUnavailable", "Release", "Report", "Reports", "SystemRefused", "Table", "Term", "__version__", "add_counts",
           "audit", "audit_names", "compare", "dry_run", "edge_mechanisms", "edge_trees", "expected_error",
           "feature_mechanisms", "featurerr", "formats", "generate", "ledger", "linkteller", "measure", "new_keys", "open",
           "predict", "protect", "public_names", "randomise", "randomise_edges", "randomise_labels", "report",
           "split", "threads", "train", "verify"]
