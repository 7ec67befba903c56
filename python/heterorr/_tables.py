"""Results: figures with names, and tables, which are pandas frames where pandas is installed."""
from typing import Any, Dict, List

import numpy as np

from ._html import figure_table


class Figures(dict):
    """A dict whose entries are attributes too.

    >>> from heterorr import Figures
    >>> Figures(auc=0.5).auc
    0.5
    """

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"there is no {name!r}; there are {', '.join(map(str, self))}") from None

    def _repr_html_(self) -> str:
        return figure_table(("figure", "value"), flat(self).items())


class Table(np.ndarray):
    """A structured array that a notebook shows as a table: what results are where pandas is not installed.

    >>> from heterorr import Table
    >>> Table.of([{"a": 1, "b": "x"}, {"a": 2, "b": "y"}])["a"].tolist()
    [1, 2]
    """

    @classmethod
    def of(cls, rows: List[Dict[str, Any]]) -> "Table":
        """A table of rows that have the same columns.

        >>> from heterorr import Table
        >>> len(Table.of([{"a": 1}]))
        1
        """
        columns = {name: np.array([row[name] for row in rows]) for name in (rows[0] if rows else {})}
        kinds = [(name, column.dtype, column.shape[1:]) for name, column in columns.items()]
        found = np.zeros(len(rows), kinds or [("empty", "?")])
        for name, column in columns.items():
            found[name] = column
        return found.view(cls)

    def _repr_html_(self) -> str:
        return figure_table(self.dtype.names or (), ([row[name] for name in self.dtype.names] for row in np.asarray(self)))


def flat(found: Dict[str, Any], before: str = "") -> Dict[str, Any]:
    """Dicts inside become columns: {"test": {"p": 1}} is {"test.p": 1}."""
    row: Dict[str, Any] = {}
    for name, value in found.items():
        if isinstance(value, dict):
            row.update(flat(value, f"{before}{name}."))
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            for i, item in enumerate(value):
                row.update(flat(item, f"{before}{name}.{i}."))
        else:
            row[before + name] = value
    return row


def table(rows: List[Dict[str, Any]]) -> Any:
    """A pandas.DataFrame, or a Table."""
    found = [flat(row) for row in rows]
    try:
        import pandas
    except ImportError:
        return Table.of(found)
    return pandas.DataFrame(found)
