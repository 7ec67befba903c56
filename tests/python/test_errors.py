"""Failures are exceptions of a small hierarchy, with the library's text in the words of a Python caller."""
import pathlib
import re
import tempfile
import unittest

import support
import numpy as np

import heterorr
from heterorr import _declarations, _errors
from heterorr._library import lib, names


def ring(n=40, **options):
    nodes = np.arange(n)
    return heterorr.Graph.from_numpy([nodes, (nodes + 1) % n], n_nodes=n, **options)


class Errors(unittest.TestCase):
    def test_every_status_has_a_class_of_its_own(self):
        statuses = _declarations.ENUMS["hrr_status"]
        self.assertEqual(len(_errors.BY_STATUS), len(statuses))
        self.assertEqual(len(set(_errors.BY_STATUS)), len(statuses))

    def test_statuses_are_called_what_the_library_calls_them(self):
        for number, kind in list(enumerate(_errors.BY_STATUS))[1:]:
            self.assertEqual(kind.status, lib.hrr_status_name(number).decode())

    def test_classes_are_also_what_python_programs_catch(self):
        self.assertTrue(issubclass(heterorr.BadInput, ValueError))
        self.assertTrue(issubclass(heterorr.SystemRefused, OSError))
        self.assertTrue(issubclass(heterorr.OutOfMemory, MemoryError))
        with self.assertRaises(OSError):
            heterorr.open("/nonexistent/bundle")

    def test_fields_in_messages_become_parameters(self):
        graph = ring(private="all")
        with self.assertRaises(heterorr.InvalidRequest) as caught:
            heterorr.protect(graph, eps_edges=1, edge_mechanism="edgerr", tree_share=7.0, insecure_seed=1)
        self.assertIn("`tree_share`", str(caught.exception))
        self.assertEqual(caught.exception.field, "tree_share")

    def test_bounds_are_one_parameter(self):
        graph = heterorr.Graph.from_numpy(None, np.zeros((5, 2)), private="none")
        with self.assertRaisesRegex(heterorr.InvalidRequest, r"\(`bounds`\)"):
            heterorr.protect(graph, eps_features=1, ledger=False)

    def test_no_message_names_c(self):
        """Functions and constants that the library's messages mention have words for Python."""
        spoken = set()
        for path in (support.ROOT / "src").glob("*/*.c"):
            if path.parent.name == "cli":
                continue
            for call in re.findall(r"hrr_fail\((.*?)\);", path.read_text(), re.S):
                for text in re.findall(r'"((?:\\.|[^"\\])*)"', call):
                    spoken |= set(re.findall(r"\bhrr_\w+\(\)|\bHRR_\w+", text))
        self.assertIn("hrr_graph_mark_all()", spoken)
        left = {word for word in spoken if re.search(r"hrr_|HRR_", _errors.translate(word))}
        self.assertEqual(left, set())

    def test_what_must_be_declared_is_refused_before_anything_is_charged(self):
        with tempfile.TemporaryDirectory() as where:
            ledger = pathlib.Path(where) / "ledger.sqlite"
            nodes = np.arange(40)
            undecided = ring()
            inferred = heterorr.Graph.from_numpy([nodes, (nodes + 1) % 40], private="all")
            for graph, said in ((undecided, 'private="all"'), (inferred, '"nodes"')):
                with self.assertRaises(heterorr.InvalidRequest) as caught:
                    heterorr.protect(graph, eps_edges=1, ledger=ledger)
                self.assertIn(said, str(caught.exception))
                self.assertIn("nothing was spent", str(caught.exception))
            self.assertFalse(ledger.exists())
            self.assertTrue(heterorr.protect(inferred, eps_edges=1, ledger=ledger, public="nodes").private)
            self.assertTrue(ledger.exists())

    def test_each_declaration_has_a_name(self):
        self.assertEqual(len(names(lib.hrr_public_names())), len(_declarations.ENUMS["hrr_public"]))

    def test_a_refused_budget_says_what_was_spent(self):
        with tempfile.TemporaryDirectory() as where:
            ledger = pathlib.Path(where) / "ledger.sqlite"
            graph = ring(private="all")
            heterorr.protect(graph, eps_edges=1.5, ledger=ledger, limit=2)
            with self.assertRaises(heterorr.BudgetExceeded) as caught:
                heterorr.protect(graph, eps_edges=1, ledger=ledger, limit=2)
            self.assertEqual((caught.exception.spent, caught.exception.requested, caught.exception.limit), (1.5, 1.0, 2.0))
            with self.assertRaises(heterorr.BudgetExceeded):  # asking did not charge, and changed nothing
                heterorr.dry_run(graph, eps_edges=1, ledger=ledger, limit=2)
            self.assertTrue(heterorr.protect(graph, eps_edges=0.5, ledger=ledger, limit=2).private)
            charges = heterorr.ledger(ledger)
            self.assertEqual((charges["spend.edges"].tolist(), charges["name"].tolist()), ([1.5, 0.5], ["graph", "graph"]))
            self.assertEqual(charges["in_memory"].tolist(), [True, True])


if __name__ == "__main__":
    support.main()
