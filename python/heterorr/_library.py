"""The shared library: found, loaded, and called so that failures are exceptions, long calls can be interrupted and
options are set by their names. Nothing here knows what a function is for."""
import _thread
import ctypes
import numbers
import os
import pathlib
import sys
import threading
from ctypes import POINTER, byref
from typing import Any, Callable, Iterable, List, Optional

from . import _declarations as c
from ._errors import from_library

NEEDS = "libopenblas0 libjansson4 libzip4 libzstd1 libsqlite3-0 libssl3 libexpat1 libmicrohttpd12 libcurl4 libgomp1"


#: The shared library where a system installs it. A wheel brings its own.
INSTALLED = "libheterorr.so.0"


def _load() -> ctypes.CDLL:
    """The library that HETERORR_LIBRARY names, or the one beside this file, or the one that the system has."""
    beside = pathlib.Path(__file__).with_name("libheterorr.so")
    path = os.environ.get("HETERORR_LIBRARY") or (str(beside) if beside.exists() else INSTALLED)
    try:
        return ctypes.CDLL(path)
    except OSError as problem:
        raise ImportError(f"heterorr cannot load its library: {problem}. It needs these (Debian names): {NEEDS}") from None


lib = _load()
for _name, (_result, _parameters) in c.FUNCTIONS.items():
    _function = getattr(lib, _name)
    _function.restype, _function.argtypes = _result, _parameters

#: The version of the library.
VERSION = lib.hrr_version().decode()


def text(value: Optional[bytes]) -> Optional[str]:
    """A C string; None for NULL."""
    return None if value is None else value.decode("utf-8", "replace")


def encode(value: Any) -> Optional[bytes]:
    """A text or path for C. A NUL byte inside would cut it: refused."""
    if value is None:
        return None
    if not isinstance(value, (str, bytes, os.PathLike)):
        raise TypeError(f"a text or a path is needed, not {type(value).__name__}")
    data = os.fsencode(value)
    if b"\0" in data:
        raise ValueError("a text with a NUL character cannot be passed to the library")
    return data


def check(status: int, err: c.hrr_error) -> None:
    if status:
        raise from_library(status, err.message.decode("utf-8", "replace"), err.field.decode())


def call(name: str, *args: Any) -> None:
    """A function whose last parameter is the error."""
    err = c.hrr_error()
    check(getattr(lib, name)(*args, byref(err)), err)


class Handle:
    """An object of the library, freed with the last reference to it: views of its arrays hold one too."""

    __slots__ = ("pointer", "_free", "_keeps", "__weakref__")

    def __init__(self, pointer: Any, free: Callable, keeps: Iterable[Any] = ()):
        self.pointer, self._free, self._keeps = pointer, free, list(keeps)

    def lend(self) -> Any:
        """The pointer for one call, holding the object while the call runs: another thread may close it meanwhile."""
        pointer = ctypes.cast(self.pointer, type(self.pointer))
        pointer.owner = self
        return pointer

    def __del__(self) -> None:
        self._free(self.pointer)


def make(name: str, kind: Any, free: str, *args: Any, keeps: Iterable[Any] = ()) -> Handle:
    """Call a function that hands out an object by its first parameter."""
    out = POINTER(kind)()
    call(name, byref(out), *args)
    return Handle(out, getattr(lib, free), keeps)


def threads(requested: int = 0) -> int:
    """The number of threads that a call uses if it requests this many; 0: all processors of this process.

    >>> import heterorr
    >>> heterorr.threads(1)
    1
    """
    return lib.hrr_threads(whole(requested, "threads", ctypes.c_int))


# ---- long calls

Progress = Any  # None, bool, or a function of (phase, done, total)


def _bar() -> Optional[Callable]:
    """What shows progress with tqdm, if it is installed."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    state: List[Any] = [None, ""]

    def show(phase: str, done: int, total: int) -> None:
        if state[1] != phase:
            if state[0] is not None:
                state[0].close()
            state[:] = [tqdm(total=total or None, desc=phase, leave=False), phase]
        state[0].update(done - state[0].n)

    def close() -> None:
        if state[0] is not None:
            state[0].close()

    show.close = close  # type: ignore[attr-defined]
    return show


def _shower(progress: Progress) -> Optional[Callable]:
    if callable(progress):
        return progress
    if progress or progress is None and sys.stderr is not None and sys.stderr.isatty():
        return _bar()
    return None


def _interruptible(function: Callable[[], int], handle: Any) -> int:
    """Run on a thread of its own. Python looks at signals only between its own steps: the main thread waits for the
    result where Ctrl-C wakes it up, and tells the library to stop."""
    result: List[Any] = []
    finished = _thread.allocate_lock()
    finished.acquire()

    def work() -> None:
        try:
            result.append(function())
        except BaseException as problem:  # ctypes refused an argument
            result.append(problem)
        finally:
            finished.release()

    _thread.start_new_thread(work, ())
    interrupted: Optional[BaseException] = None
    while True:
        try:
            finished.acquire()
            break
        except BaseException as problem:  # KeyboardInterrupt, or what another signal's handler raises
            interrupted = interrupted or problem
            lib.hrr_progress_cancel(handle)
    if interrupted is not None:
        raise interrupted
    if isinstance(result[0], BaseException):
        raise result[0]
    return result[0]


def long_call(name: str, *args: Any, progress: Progress = None) -> None:
    """A function whose last parameters are progress and error. The GIL is released; Ctrl-C cancels it."""
    function = getattr(lib, name)
    err = c.hrr_error()
    failed: List[BaseException] = []
    shower = _shower(progress)

    def show(_: Any, view: Any) -> None:
        try:
            seen = view.contents
            shower(text(seen.phase) or "", seen.done, seen.total)  # type: ignore[misc]
        except BaseException as problem:  # it cannot pass through C: the task ends, then it is raised
            failed.append(problem)
            lib.hrr_progress_cancel(handle)

    handle = POINTER(c.hrr_progress)()
    callback = c.hrr_progress_show(show) if shower else c.hrr_progress_show()
    call("hrr_progress_new", byref(handle), callback, None)
    try:
        if threading.current_thread() is threading.main_thread():
            status = _interruptible(lambda: function(*args, handle, byref(err)), handle)
        else:
            status = function(*args, handle, byref(err))
    finally:
        lib.hrr_progress_free(handle)
        if hasattr(shower, "close"):
            shower.close()  # type: ignore[union-attr]
    if failed:
        raise failed[0]
    check(status, err)


def make_long(name: str, kind: Any, free: str, *args: Any, progress: Progress = None, keeps: Iterable[Any] = ()) -> Handle:
    """make() for a long call."""
    out = POINTER(kind)()
    long_call(name, byref(out), *args, progress=progress)
    return Handle(out, getattr(lib, free), keeps)


# ---- options

def _plain(name: str) -> str:
    return name.lower().replace("_", "-")


def choices(enum: str) -> dict:
    """The names of an enum's values without what they have in common: {"midpoint": 0, "paper": 1, ...}."""
    values = c.ENUMS[enum]
    parts = [name.split("_") for name in values]
    common = 0
    while len({tuple(part[:common + 1]) for part in parts}) == 1 and common + 1 < min(map(len, parts)):
        common += 1
    return {_plain("_".join(part[common:])): number for part, number in zip(parts, values.values())}


def budget(value: Any, name: str, parse: str = "hrr_eps_parse") -> int:
    """An epsilon in units of 1e-9, exactly as its decimal digits say."""
    if isinstance(value, bool) or not isinstance(value, (numbers.Real, str)):
        raise TypeError(f"{name} is a number, not {type(value).__name__}")
    out = ctypes.c_uint64()
    digits = value if isinstance(value, str) else repr(int(value)) if isinstance(value, numbers.Integral) else repr(float(value))
    call(parse, byref(out), encode(digits), encode(name))
    return out.value


def new_options(kind: Any) -> Any:
    """An option struct with its defaults, as its hrr_x_options_init() would make it."""
    options = kind()
    getattr(lib, f"{kind.__name__}_init_sized")(byref(options), ctypes.sizeof(options))
    _set_sizes(options)
    return options


def _members(kind: Any) -> dict:
    """Name -> type, with those of nameless unions (HRR_ROOM)."""
    found = {}
    for name, member in kind._fields_:
        if name in getattr(kind, "_anonymous_", ()):
            found.update({inner: kind_ for inner, kind_ in member._fields_ if not inner.endswith("_room")})
        else:
            found[name] = member
    return found


def _set_sizes(options: Any) -> None:
    for name, kind in _members(type(options)).items():
        if isinstance(kind, type) and issubclass(kind, ctypes.Structure) and kind.__name__.endswith("_options"):
            getattr(options, name).size = ctypes.sizeof(kind)
            _set_sizes(getattr(options, name))


def has_option(options: Any, name: str) -> bool:
    members = _members(type(options))
    return name != "size" and (name in members or f"{name}_nano" in members)


def set_option(options: Any, name: str, value: Any) -> None:
    """Set a member by the type that the header gives it. Numbers that do not fit are refused, not cut."""
    kind = type(options)
    members = _members(kind)
    if f"{name}_nano" in members and members[f"{name}_nano"] is ctypes.c_uint64:
        parse = "hrr_limit_parse" if name == "limit" else "hrr_eps_parse"
        setattr(options, f"{name}_nano", budget(value, name, parse))
        return
    member = members[name]
    enum = c.ENUM_MEMBERS.get(kind.__name__, {}).get(name)
    if enum and isinstance(value, str):
        known = choices(enum)
        if value.replace("_", "-") not in known:
            raise ValueError(f"{name}: there is no {value!r}; choose one of {', '.join(known)}")
        value = known[value.replace("_", "-")]
    if enum and value not in c.ENUMS[enum].values():
        raise ValueError(f"{name}: {value!r} is none of {', '.join(choices(enum))}")
    if member is ctypes.c_bool:
        setattr(options, name, _truth(value, name))
    elif member in (ctypes.c_float, ctypes.c_double):
        setattr(options, name, float(value))
    elif member is ctypes.c_char_p:
        setattr(options, name, encode(value))
    elif isinstance(member, type) and issubclass(member, ctypes._SimpleCData) and member is not ctypes.c_void_p:
        setattr(options, name, whole(value, name, member))
    else:
        raise TypeError(f"the option {name} is not a number or a text; Python has no way to set it")


def _truth(value: Any, name: str) -> bool:
    if isinstance(value, (bool, int)) and value in (0, 1):
        return bool(value)
    if type(value).__name__ in ("bool_", "bool"):  # numpy's
        return bool(value)
    raise TypeError(f"{name} is True or False, not {value!r}")


def whole(value: Any, name: str, kind: Any = ctypes.c_uint64) -> int:
    """A number that fits the C type: ctypes would cut it."""
    try:
        number = value.__index__()
    except AttributeError:
        raise TypeError(f"{name} is a whole number, not {type(value).__name__}") from None
    if kind(number).value != number:
        raise ValueError(f"{name}: {number} is out of range")
    return number


def option_names(*kinds: Any) -> List[str]:
    """What set_option() takes for these structs."""
    names = []
    for kind in kinds:
        for name, member in _members(kind).items():
            simple = isinstance(member, type) and issubclass(member, ctypes._SimpleCData) and member is not ctypes.c_void_p
            if name != "size" and simple:
                names.append(name[:-5] if name.endswith("_nano") else name)
    return names


def set_options(options: Any, function: str, wishes: dict) -> None:
    """Set several, of one struct."""
    for name, value in wishes.items():
        if not has_option(options, name):
            raise TypeError(f"{function}() has no option {name!r}; it has {', '.join(option_names(type(options)))}")
        set_option(options, name, value)


# ---- results

def plain(value: Any, kind_name: str = "", name: str = "") -> Any:
    """A value of the library as Python's: structs become dicts, enums their names, arrays lists, budgets epsilons."""
    if isinstance(value, ctypes.Structure):
        kind = type(value)
        found = {}
        for member in _members(kind):
            item = plain(getattr(value, member), kind.__name__, member)
            found.update({member[:-5]: item / c.HRR_EPS_UNIT} if member.endswith("_nano") else {member: item})
        return found
    if isinstance(value, bytes):
        return text(value)
    if isinstance(value, POINTER(ctypes.c_char)):  # a text of the library's own
        return text(ctypes.string_at(value)) if value else None
    if isinstance(value, ctypes.Array):
        return [plain(item, kind_name, name) for item in value]
    enum = c.ENUM_MEMBERS.get(kind_name, {}).get(name)
    if enum and isinstance(value, int):
        return next((word for word, number in choices(enum).items() if number == value), value)
    return value


def names(first: Any) -> List[str]:
    """The texts of a NULL-terminated list."""
    found, i = [], 0
    while first[i]:
        found.append(text(first[i]) or "")
        i += 1
    return found


def rows(table: Any) -> list:
    """The rows of a NULL-terminated table."""
    found, i = [], 0
    while table[i]:
        found.append(table[i].contents)
        i += 1
    return found
