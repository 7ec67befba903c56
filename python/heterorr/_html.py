"""Small pieces of HTML for notebooks. Every text is escaped."""
from html import escape
from typing import Any, Iterable, Sequence


def _cell(value: Any) -> str:
    return escape(f"{value:.4g}" if isinstance(value, float) else str(value))


def block(badge: str, good: bool, sentence: str) -> str:
    """A badge and what it stands for."""
    colour = "#1a7f37" if good else "#b35900"
    return (f'<p><span style="background:{colour};color:#fff;padding:1px 8px;border-radius:8px">{escape(badge)}</span> '
            f"{escape(sentence)}</p>")


def figure_table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A plain table."""
    head = "".join(f"<th>{escape(str(column))}</th>" for column in columns)
    body = "".join("<tr>" + "".join(f"<td>{_cell(value)}</td>" for value in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
