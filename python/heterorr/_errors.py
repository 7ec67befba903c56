"""Exceptions. The text comes from the library; fields of its option structs become Python parameters."""
import re
from typing import Dict, Optional


class Error(Exception):
    """An error of the library. `field` is the parameter that the message is about, or "".

    >>> import heterorr
    >>> issubclass(heterorr.BadInput, heterorr.Error)
    True
    """

    status = "failed"
    field = ""


class InvalidRequest(Error, ValueError):
    """An option, or a combination of options, is not valid."""

    status = "bad_request"


class BadInput(Error, ValueError):
    """The data is not what it should be."""

    status = "bad_data"


class SystemRefused(Error, OSError):
    """The operating system reported a failure: a file cannot be read or written, or the disk is full."""

    status = "io_error"


class OutOfMemory(Error, MemoryError):
    """There is not enough memory."""

    status = "out_of_memory"


class BudgetExceeded(Error):
    """The privacy budget does not allow it. Epsilons: `spent` so far, `requested` now, and their `limit`."""

    status = "budget_refused"
    spent: Optional[float] = None
    requested: Optional[float] = None
    limit: Optional[float] = None


class Cancelled(Error):
    """The call was interrupted. Nothing remains except the charge in a ledger."""

    status = "interrupted"


class CheckFailed(Error):
    """A verification or an audit failed."""

    status = "check_failed"


class RanksUnavailable(Error):
    """The processes that share the work cannot be reached, or one of them ended."""

    status = "ranks_unavailable"


class PrivateData(Error, TypeError):
    """A private Graph was passed to a function that needs a Release."""

    status = "private_data"


class Caution(UserWarning):
    """A warning, from public facts, that a request may not be worth its budget.

    >>> import heterorr, warnings
    >>> warnings.simplefilter("ignore", heterorr.Caution)  # to hear none
    """


#: By the number of hrr_status.
BY_STATUS = [Error, InvalidRequest, BadInput, SystemRefused, OutOfMemory, BudgetExceeded, Cancelled, CheckFailed,
             RanksUnavailable]

#: Fields whose parameter has another name than their last part without `_nano`.
PARAMETERS: Dict[str, str] = {
    "features.mechanism": "feature_mechanism", "edges.mechanism": "edge_mechanism",
    "features.eps_nano": "eps_features", "edges.eps_nano": "eps_edges",
    "features.lo": "bounds", "features.hi": "bounds",
    "declared_public": "public", "with_ledger": "ledger", "all_private": "private", "private_fraction": "private",
    "private_edges": "private", "private_column": "private", "allow_undeclared": "not_private", "blocks_from": "blocks",
}

#: What a message tells C programs to call or set, as Python says it. tests/python/test_errors.py finds what is missing.
WORDS: Dict[str, str] = {
    "hrr_graph_mark_edges()": "private=[(u, v), ...]",
    "hrr_graph_choose_mark()": 'private="column"',
    "hrr_graph_mark_all()": 'private="all"',
    "hrr_graph_mark_none()": 'private="none"',
    "hrr_graph_set_feature_range()": "bounds=(lo, hi)",
    "hrr_graph_set_feature_bounds()": "bounds=(lo, hi)",
    "hrr_split_new()": "heterorr.split()",
    "hrr_graph_take_split()": "split=",
    "HRR_BLOCKS_GIVEN": "an array",
    "hrr_protect()": "protect()",
    "hrr_release_save()": "Release.save()",
    "hrr_release_open()": "heterorr.open()",
}


def parameter(field: str) -> str:
    """The Python parameter that fills a field."""
    return PARAMETERS.get(field) or re.sub(r"_nano$", "", field.rsplit(".", 1)[-1])


def translate(message: str) -> str:
    """A message of the library in the words of a Python caller."""
    message = re.sub(r"`([a-z_.]+)`", lambda found: f"`{parameter(found[1])}`", message)
    message = re.sub(r"(`[a-z_]+`), \1", r"\1", message)  # lo and hi are one parameter
    message = re.sub(r"\bHRR_PUBLIC_([A-Z]+)", lambda found: f'"{found[1].lower()}"', message)
    return re.sub(r"\bhrr_\w+\(\)|\bHRR_\w+", lambda found: WORDS.get(found[0], found[0]), message)


def from_library(status: int, message: str, field: str) -> Error:
    """The exception for a failed call."""
    error = BY_STATUS[status](translate(message))
    error.field = parameter(field) if field else ""
    return error
