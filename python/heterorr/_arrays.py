"""NumPy arrays and the library's memory: in without a copy where that is safe, out as views that hold their owner.

What the library only reads as numbers (features) is looked at where it lies. What it uses as positions (ids of nodes,
classes) is copied: an array that is changed later must not lead it outside its memory."""
import ctypes
import math
from typing import Any, Optional, Sequence, Tuple

import numpy as np

from . import _declarations as c
from ._errors import BadInput
from ._library import call, lib

DTYPES = {c.HRR_U8: np.dtype(np.uint8), c.HRR_F32: np.dtype(np.float32), c.HRR_F64: np.dtype(np.float64)}
CODES = {dtype: code for code, dtype in DTYPES.items()}
ARRAY_TYPES = {c.HRR_ARRAY_BOOL: "?", c.HRR_ARRAY_I8: "i1", c.HRR_ARRAY_I16: "i2", c.HRR_ARRAY_I32: "i4",
               c.HRR_ARRAY_I64: "i8", c.HRR_ARRAY_U8: "u1", c.HRR_ARRAY_U16: "u2", c.HRR_ARRAY_U32: "u4",
               c.HRR_ARRAY_U64: "u8", c.HRR_ARRAY_F16: "f2", c.HRR_ARRAY_F32: "f4", c.HRR_ARRAY_F64: "f8"}


class View(np.ndarray):
    """Memory of the library, read-only; the graph or release that it belongs to lives as long as the view."""

    def __dlpack__(self, **kwargs: Any) -> Any:
        # Without a word for "read-only" in the protocol a consumer might write: it gets a copy then.
        try:
            return super().__dlpack__(**kwargs)
        except (BufferError, TypeError):
            return np.array(self, subok=False).__dlpack__()

    def __array_wrap__(self, result: Any, *_: Any, **__: Any) -> Any:
        plain = np.asarray(result)
        return plain[()] if plain.ndim == 0 else plain

    def __repr__(self) -> str:
        return repr(np.asarray(self))

    def __reduce__(self) -> Any:  # a copy of the numbers: the owner does not travel
        return np.array(self, subok=False).__reduce__()


def view(address: Optional[int], dtype: Any, shape: Sequence[int], owner: Any, writable: bool = False) -> Any:
    """A view of memory that belongs to owner, read-only unless nobody else looks at it; None for NULL."""
    if not address:
        return None
    dtype = np.dtype(dtype)
    size = math.prod(shape) * dtype.itemsize
    if size == 0:
        return np.empty(shape, dtype)
    memory = (ctypes.c_char * size).from_address(address)
    memory.owner = owner
    if writable:
        return np.ndarray(shape, dtype, memory)
    # frombuffer() and not ndarray(): its base is the read-only view, so that nobody can make the array writable again
    return np.frombuffer(memoryview(memory).toreadonly(), dtype).reshape(shape).view(View)


def address(pointer: Any) -> Optional[int]:
    """Where a typed pointer points."""
    return ctypes.cast(pointer, ctypes.c_void_p).value


def view_dense(matrix: Any, owner: Any) -> Optional[np.ndarray]:
    """A view of an hrr_dense, given by pointer or value."""
    if isinstance(matrix, ctypes._Pointer):
        if not matrix:
            return None
        matrix = matrix.contents
    if not matrix.rows:
        return None
    return view(matrix.data, DTYPES[matrix.dtype], (matrix.rows, matrix.cols), owner)


def as_array(value: Any, what: str) -> np.ndarray:
    """Whatever offers the array interface or DLPack, without a copy."""
    if hasattr(value, "__dlpack__") and not hasattr(value, "__array__"):
        return np.from_dlpack(value)
    if hasattr(value, "tocsr"):
        raise TypeError(f"{what} is a sparse matrix; hand over {what}.toarray()")
    return np.asarray(value)


def matrix(value: Any, what: str, rows: Optional[int] = None) -> np.ndarray:
    """Two dimensions of numbers that the library can look at: as it is if it is float32, float64, uint8 or bool, aligned,
    in this machine's byte order and row after row; otherwise a copy that is."""
    found = as_array(value, what)
    if found.ndim == 1:
        found = found[:, None]
    if found.ndim != 2:
        raise BadInput(f"{what} has {found.ndim} dimensions; it must have two, with one row per node")
    if rows is not None and found.shape[0] != rows:
        raise BadInput(f"{what} has {found.shape[0]} rows, and there are {rows} nodes")
    if found.dtype.kind not in "biuf":
        raise TypeError(f"{what} holds {found.dtype}; it must hold numbers")
    if found.dtype == np.bool_:
        wanted = np.dtype(np.uint8)
        if found.flags.c_contiguous:
            return found.view(wanted)
    elif found.dtype.newbyteorder("=") in CODES:
        wanted = found.dtype.newbyteorder("=")
    else:
        wanted = np.dtype(np.float32 if found.dtype.itemsize == 2 and found.dtype.kind == "f" else np.float64)
    return np.require(found, wanted, ["C", "A"])


def dense(found: np.ndarray) -> c.hrr_dense:
    """The library's description of what matrix() returned. The caller keeps the array alive."""
    start = found.ctypes.data
    return c.hrr_dense(CODES[found.dtype], *found.shape, start, c.hrr_region(start, found.nbytes, c.HRR_REGION_BORROWED))


def vector(value: Any, what: str, dtype: Any, length: Optional[int] = None) -> np.ndarray:
    """One dimension of whole numbers (or floats), converted only if every value stays what it is."""
    found = as_array(value, what)
    wanted = np.dtype(dtype)
    if found.ndim != 1:
        raise BadInput(f"{what} has {found.ndim} dimensions; it must have one")
    if length is not None and found.shape[0] != length:
        raise BadInput(f"{what} has {found.shape[0]} values; there must be {length}")
    if found.dtype.kind not in ("biu" if wanted.kind in "iu" else "biuf"):
        kind = "whole numbers" if wanted.kind in "iu" else "numbers"
        raise TypeError(f"{what} holds {found.dtype}; it must hold {kind}")
    if wanted.kind in "iu" and found.size and found.dtype.kind != "b":
        low, high = np.iinfo(wanted).min, np.iinfo(wanted).max
        if int(found.min()) < low or int(found.max()) > high:
            raise BadInput(f"{what} has values outside {low} to {high}")
    return np.require(found, wanted, ["C", "A"])


def pointer(found: np.ndarray, kind: Any) -> Any:
    """A typed pointer to an array's first value. The caller keeps the array alive."""
    return ctypes.cast(found.ctypes.data, ctypes.POINTER(kind))


def owned(found: np.ndarray) -> c.hrr_dense:
    """A copy in the library's own memory, for functions that take it over."""
    out = c.hrr_dense()
    call("hrr_dense_init", ctypes.byref(out), c.HRR_U8, max(found.nbytes, 1), 1)
    ctypes.memmove(out.data, found.ctypes.data, found.nbytes)
    return out


def give(function: str, graph: Any, found: np.ndarray, kind: Any, *args: Any) -> None:
    """Hand a copy over to a hrr_graph_take_x() that wants a pointer to its own memory."""
    copy = owned(found)
    start = ctypes.cast(copy.data, ctypes.POINTER(kind))
    try:
        call(function, graph, ctypes.byref(start), *args)
    except BaseException:
        lib.hrr_dense_clear(ctypes.byref(copy))
        raise


def bounds_of(value: Any, n_features: int) -> Tuple[np.ndarray, np.ndarray]:
    """(lo, hi): two numbers for all features, or two arrays of one each."""
    if value is None or len(value) != 2:
        raise BadInput("`bounds` are a pair: (lo, hi), two numbers or two arrays with one for each feature")
    low, high = (np.ascontiguousarray(np.broadcast_to(np.asarray(part, np.float64), (n_features,))) for part in value)
    return low, high


class Matrix:
    """An hrr_dense that the library fills, as an array that owns it."""

    def __init__(self) -> None:
        self.dense = c.hrr_dense()

    def __del__(self) -> None:
        lib.hrr_dense_clear(ctypes.byref(self.dense))

    def array(self) -> np.ndarray:
        found = self.dense
        shape = (found.rows, found.cols)
        return view(found.data, DTYPES[found.dtype], shape, self, True) if found.rows else np.empty(shape, np.float32)
