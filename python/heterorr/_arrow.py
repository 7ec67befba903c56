"""Arrow tables without pyarrow: the PyCapsule interface (https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html),
by which pyarrow, polars, pandas and DuckDB hand tables to each other."""
import ctypes
import itertools
from ctypes import CFUNCTYPE, POINTER, byref, c_char_p, c_int, c_int64, c_void_p, sizeof
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from . import _declarations as c
from ._arrays import view
from ._errors import BadInput
from ._library import Handle, call

#: The letters of formats that are numbers, as NumPy calls them; "b" is a bit a value.
NUMBERS = {"c": "i1", "C": "u1", "s": "i2", "S": "u2", "i": "i4", "I": "u4", "l": "i8", "L": "u8", "f": "f4", "g": "f8"}
PARTS = {"edges": c.HRR_ARROW_EDGES, "features": c.HRR_ARROW_FEATURES, "labels": c.HRR_ARROW_LABELS}

_py = ctypes.pythonapi
_py.PyCapsule_New.restype, _py.PyCapsule_New.argtypes = ctypes.py_object, [c_void_p, c_char_p, c_void_p]
_py.PyCapsule_GetName.restype, _py.PyCapsule_GetName.argtypes = c_void_p, [c_void_p]
_py.PyCapsule_GetPointer.restype, _py.PyCapsule_GetPointer.argtypes = c_void_p, [c_void_p, c_void_p]
_py.PyMem_RawCalloc.restype, _py.PyMem_RawCalloc.argtypes = c_void_p, [ctypes.c_size_t, ctypes.c_size_t]
_py.PyMem_RawFree.restype, _py.PyMem_RawFree.argtypes = None, [c_void_p]


class Stream(ctypes.Structure):
    """struct ArrowArrayStream."""


Stream._fields_ = [("get_schema", CFUNCTYPE(c_int, POINTER(Stream), POINTER(c.ArrowSchema))),
                   ("get_next", CFUNCTYPE(c_int, POINTER(Stream), POINTER(c.ArrowArray))),
                   ("get_last_error", CFUNCTYPE(c_void_p, POINTER(Stream))),
                   ("release", CFUNCTYPE(None, POINTER(Stream))), ("private_data", c_void_p)]
STRUCTS = {b"arrow_schema": c.ArrowSchema, b"arrow_array": c.ArrowArray, b"arrow_array_stream": Stream}


def _let_go(held: Any) -> None:
    """Release a struct, once: whoever releases it, or moves it elsewhere, sets the callback to NULL."""
    if held.release:
        held.release(byref(held))


# ---- capsules that we hand out

@ctypes.PYFUNCTYPE(None, c_void_p)
def _destroy(capsule: int) -> None:
    """Nobody took what the capsule holds, or all of it was taken."""
    name = _py.PyCapsule_GetName(capsule)
    place = _py.PyCapsule_GetPointer(capsule, name)
    _let_go(STRUCTS[ctypes.string_at(name)].from_address(place))
    _py.PyMem_RawFree(place)


def _capsule(name: bytes) -> Tuple[Any, Any]:
    """A capsule and the empty struct in it. Names are literals that live as long as the module."""
    kind = STRUCTS[name]
    place = _py.PyMem_RawCalloc(1, sizeof(kind))
    if not place:
        raise MemoryError
    return _py.PyCapsule_New(place, name, ctypes.cast(_destroy, c_void_p)), kind.from_address(place)


#: What tables that were handed out look at: it stays until the last piece of a table is released, by whichever thread.
_lent: Dict[int, Any] = {}
_numbers = itertools.count(1)


@CFUNCTYPE(None, c_void_p)
def _done(number: int) -> None:
    _lent.pop(number, None)


def _export(table: "ArrowTable", array: Any, schema: Any) -> None:
    number = next(_numbers)
    _lent[number] = table._handle
    try:
        call("hrr_graph_to_arrow", byref(array), byref(schema), table._graph, PARTS[table.part], _done, number)
    except BaseException:
        _lent.pop(number, None)
        raise


@CFUNCTYPE(c_int, POINTER(Stream), POINTER(c.ArrowSchema))
def _stream_schema(stream: Any, out: Any) -> int:
    try:
        array = c.ArrowArray()
        out[0] = c.ArrowSchema()
        _export(_lent[stream.contents.private_data][0], array, out.contents)
        _let_go(array)
        return 0
    except BaseException:
        return 5  # EIO


@CFUNCTYPE(c_int, POINTER(Stream), POINTER(c.ArrowArray))
def _stream_next(stream: Any, out: Any) -> int:
    try:
        schema = c.ArrowSchema()
        state = _lent[stream.contents.private_data]
        out[0] = c.ArrowArray()  # without a release callback: the end
        if not state[1]:
            _export(state[0], out.contents, schema)
            _let_go(schema)
        state[1] = True
        return 0
    except BaseException:
        return 5


@CFUNCTYPE(c_void_p, POINTER(Stream))
def _stream_error(_: Any) -> None:
    return None


@CFUNCTYPE(None, POINTER(Stream))
def _stream_release(stream: Any) -> None:
    _lent.pop(stream.contents.private_data, None)
    stream.contents.release = type(stream.contents.release)()


for _kept in (_destroy, _done, _stream_schema, _stream_next, _stream_error, _stream_release):
    _py.Py_IncRef(ctypes.py_object(_kept))  # may be called when modules are gone already


class ArrowTable:
    """A part of a graph or release as an Arrow table without a copy, for consumers such as pyarrow.table(),
    polars.DataFrame(), pandas.DataFrame.from_arrow(), a DuckDB query.

    >>> import heterorr
    >>> graph = heterorr.Graph.from_numpy([[0, 1], [1, 2]], n_nodes=3, private="all")
    >>> edges = graph.to_arrow("edges")
    >>> heterorr.Graph.from_arrow(edges, n_nodes=3, private="private")
    <private Graph 'graph': 3 nodes, 2 edges (2 private), no features, no labels>
    """

    def __init__(self, handle: Handle, graph: Any, part: str):
        if part not in PARTS:
            raise ValueError(f"there is no part {part!r}; choose one of {', '.join(PARTS)}")
        self._handle, self._graph, self.part = handle, graph, part  # the graph lives as long as the handle
        schema, array = c.ArrowSchema(), c.ArrowArray()
        _export(self, array, schema)  # says at once what the graph does not have
        _let_go(array)
        _let_go(schema)

    def __arrow_c_schema__(self) -> Any:
        return self.__arrow_c_array__()[0]

    def __arrow_c_array__(self, requested_schema: Any = None) -> Tuple[Any, Any]:
        (schema_capsule, schema), (array_capsule, array) = _capsule(b"arrow_schema"), _capsule(b"arrow_array")
        _export(self, array, schema)
        return schema_capsule, array_capsule

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        capsule, stream = _capsule(b"arrow_array_stream")
        number = next(_numbers)
        _lent[number] = [self, False]
        stream.get_schema, stream.get_next, stream.get_last_error = _stream_schema, _stream_next, _stream_error
        stream.private_data, stream.release = number, _stream_release
        return capsule

    def __repr__(self) -> str:
        return f"<Arrow table of {self.part}>"


# ---- tables that we are handed

class _Taken:
    """A struct that was moved out of its capsule; released with the last array that looks at it."""

    def __init__(self, capsule: Any, name: bytes):
        at = id(capsule)
        if type(capsule).__name__ != "PyCapsule" or ctypes.string_at(_py.PyCapsule_GetName(at) or b"") != name:
            raise TypeError(f"this is not an Arrow capsule {name.decode()!r}")
        place = _py.PyCapsule_GetPointer(at, _py.PyCapsule_GetName(at))
        self._take(STRUCTS[name].from_address(place))

    def _take(self, there: Any) -> None:
        if not there.release:
            raise BadInput("the Arrow table was already released or used")
        self.struct = type(there)()
        ctypes.memmove(byref(self.struct), byref(there), sizeof(there))
        there.release = type(there.release)()

    @classmethod
    def next_of(cls, stream: Any, function: Any, kind: Any) -> Optional["_Taken"]:
        """What a stream hands out; None at its end."""
        found = kind()
        failed = function(byref(stream), byref(found))
        if failed:
            why = stream.get_last_error(byref(stream))
            raise BadInput("the Arrow stream failed: " + (ctypes.string_at(why).decode("utf-8", "replace") if why else str(failed)))
        if not found.release:
            return None
        self = cls.__new__(cls)
        self._take(found)
        return self

    def __del__(self) -> None:
        if hasattr(self, "struct"):
            _let_go(self.struct)


def _chunks(table: Any) -> Tuple[_Taken, List[_Taken]]:
    if hasattr(table, "__arrow_c_array__"):
        schema, array = table.__arrow_c_array__()
        return _Taken(schema, b"arrow_schema"), [_Taken(array, b"arrow_array")]
    if not hasattr(table, "__arrow_c_stream__"):
        raise TypeError(f"{type(table).__name__} offers neither __arrow_c_array__ nor __arrow_c_stream__: it is not an Arrow table")
    stream = _Taken(table.__arrow_c_stream__(), b"arrow_array_stream")
    at = stream.struct
    schema = _Taken.next_of(at, at.get_schema, c.ArrowSchema)
    if schema is None:
        raise BadInput("the Arrow stream has no schema")
    chunks = []
    while True:
        chunk = _Taken.next_of(at, at.get_next, c.ArrowArray)
        if chunk is None:
            return schema, chunks
        chunks.append(chunk)


def _bits(start: int, first: int, n: int, owner: Any) -> np.ndarray:
    packed = np.asarray(view(start, np.uint8, ((first + n + 7) // 8,), owner))
    return np.unpackbits(packed, bitorder="little")[first:first + n]


def _refuse_missing(array: Any, first: int, n: int, name: str, owner: Any) -> None:
    if array.null_count and n and array.n_buffers > 0 and array.buffers[0]:
        present = _bits(array.buffers[0], first, n, owner)
        if not present.all():
            raise BadInput(f"column {name}, row {int(np.argmin(present))} (counting from 0) is missing")


def _values(array: Any, schema: Any, first: int, n: int, name: str, owner: Any) -> np.ndarray:
    """n values from `first` on, without a copy but of single bits. The length of buffers is the producer's promise."""
    letter = schema.format.decode()
    if schema.dictionary or (letter != "b" and letter not in NUMBERS):
        raise BadInput(f"column {name} contains neither numbers nor booleans")
    if array.n_buffers != 2 or array.offset < 0 or array.length < first + n or (n and not array.buffers[1]):
        raise BadInput(f"column {name} is shorter than the table")
    first += array.offset
    _refuse_missing(array, first, n, name, owner)
    if n == 0:
        return np.empty(0, np.bool_ if letter == "b" else NUMBERS[letter])
    if letter == "b":
        return _bits(array.buffers[1], first, n, owner).astype(np.bool_)
    dtype = np.dtype(NUMBERS[letter])
    return np.asarray(view(array.buffers[1] + first * dtype.itemsize, dtype, (n,), owner))


def _columns(schema: Any, array: Any, owner: Any) -> Dict[str, np.ndarray]:
    if schema.format != b"+s":
        raise BadInput("the Arrow table is not a struct of columns (a record batch)")
    if array.n_children != schema.n_children or array.length < 0 or array.offset < 0:
        raise BadInput("the Arrow table does not match its schema")
    _refuse_missing(array, array.offset, array.length, "", owner)
    found = {}
    for i in range(schema.n_children):
        child, described = array.children[i].contents, schema.children[i].contents
        name = (described.name or b"").decode("utf-8", "replace")
        if name in found:
            raise BadInput(f"there are two columns {name}")
        width = described.format.decode()
        if not width.startswith("+w:"):
            found[name] = _Later(child, described, array.offset, array.length, name, owner)
            continue
        cols, first = int(width[3:]), array.offset + child.offset
        if child.offset < 0 or child.n_children != 1 or child.length < array.offset + array.length or cols < 0:
            raise BadInput(f"column {name} is shorter than the table")
        _refuse_missing(child, first, array.length, name, owner)
        flat = _values(child.children[0].contents, described.children[0].contents, first * cols, array.length * cols, name, owner)
        found[name] = flat.reshape(array.length, cols)
    return found


class _Later:
    """A column that is read only when it is needed: a table may have columns that are not used here."""

    def __init__(self, *arguments: Any):
        self.arguments = arguments

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        found = _values(*self.arguments)
        return found if dtype is None else found.astype(dtype)


def columns(table: Any) -> Dict[str, Any]:
    """The columns of a table; those of a single chunk look at its memory, which lives as long as they do. A column without numbers
    fails when it is made an array."""
    schema, chunks = _chunks(table)
    pieces = [_columns(schema.struct, chunk.struct, (schema, chunk)) for chunk in chunks]
    if len(pieces) == 1:
        return pieces[0]
    if not pieces:
        return {(schema.struct.children[i].contents.name or b"").decode(): np.empty(0, np.int64)
                for i in range(schema.struct.n_children)}
    return {name: _Joined([piece[name] for piece in pieces]) for name in pieces[0]}


class _Joined:
    """The pieces of a column in several chunks, joined when they are needed."""

    def __init__(self, pieces: List[Any]):
        self.pieces = pieces

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        found = np.concatenate([np.asarray(piece) for piece in self.pieces])
        return found if dtype is None else found.astype(dtype)
