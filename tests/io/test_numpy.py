"""Arrays against numpy as the oracle: every type, byte order, memory order and format version is
read as numpy reads it, and what the library writes numpy loads (allow_pickle=False)."""
import itertools
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("SKIPPED: numpy is not installed for", sys.executable)
    sys.exit(77)

DUMP = os.environ["HRR_DUMP_ARRAYS"]
NAMES = {"U": "text", "S": "bytes"}
checked = 0


def run(*words, expect=0):
    done = subprocess.run([DUMP, *words], capture_output=True)
    assert done.returncode == expect, (words, done.returncode, done.stderr.decode())
    return done


def check_read(array, *words, mapped=None):
    """The dump of words must be array, in native byte order and row-major order."""
    global checked
    line, data = run("read", *words).stdout.split(b"\n", 1)
    name, item_size, shape, where = line.decode().split(" ")
    kind = array.dtype.kind
    assert name == NAMES.get(kind, array.dtype.name), (name, array.dtype)
    assert int(item_size) == array.dtype.itemsize
    assert shape == "[" + ",".join(map(str, array.shape)) + "]", (shape, array.shape)
    native = np.ascontiguousarray(array.astype(array.dtype.newbyteorder("=")))
    assert data == native.tobytes(), words
    if mapped is not None:
        assert where == ("mapped" if mapped else "heap"), (words, where)
    checked += 1


def arrays():
    rng = np.random.default_rng(7)
    kinds = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "S5", "U3"]
    shapes = [(), (7,), (3, 4), (4, 0), (2, 3, 2, 5)]
    for kind, shape, order, layout in itertools.product(kinds, shapes, "<>", "CF"):
        dtype = np.dtype(kind).newbyteorder(order)
        count = int(np.prod(shape))
        if dtype.kind in "SU":
            values = ["", "a", "b\u00e9z" if dtype.kind == "U" else "bez"] * (count + 1)
            array = np.array(values[:count], dtype=dtype).reshape(shape)
        else:
            raw = rng.integers(0, 256, count * dtype.itemsize, dtype=np.uint8)
            if dtype.kind == "b":
                raw &= 1
            array = np.frombuffer(raw.tobytes(), dtype=dtype).reshape(shape)
        yield np.asarray(array, order=layout)


def main(directory):
    npy = os.path.join(directory, "x.npy")
    copy = os.path.join(directory, "copy.npy")
    npz = os.path.join(directory, "x.npz")
    for number, array in enumerate(arrays()):
        fortran = array.flags.f_contiguous and not array.flags.c_contiguous
        as_it_lies = not fortran and (array.dtype.isnative or array.dtype.itemsize == 1)
        with open(npy, "wb") as file:
            version = (1 + number % 3, 0)
            np.lib.format.write_array(file, array, version=version, allow_pickle=False)
        check_read(array, npy, mapped=as_it_lies)
        run("copy", npy, copy)
        back = np.load(copy, allow_pickle=False)
        assert back.shape == array.shape and back.tobytes() == array.astype(back.dtype).tobytes()
        assert back.dtype == array.dtype.newbyteorder("=")
        if number % 11 == 0:
            for save in np.savez, np.savez_compressed:
                save(npz, first=np.arange(3), wanted=array)
                check_read(array, npz, "wanted")
            run("pack", npz, "a", npy, "b", npy)
            with np.load(npz, allow_pickle=False) as archive:
                assert sorted(archive.files) == ["a", "b"]
                assert archive["b"].tobytes() == back.tobytes()
                assert archive["a"].dtype == back.dtype

    large = np.arange(3_000_000, dtype=np.float32).reshape(3000, 1000)
    np.savez_compressed(npz, large=large, turned=np.asfortranarray(large))
    check_read(large, npz, "large")
    check_read(large, npz, "turned")

    for array, word in [
        (np.array([{}, None], dtype=object), b"allow_pickle=False"),
        (np.zeros(3, dtype="c16"), b"complex"),
        (np.zeros(3, dtype="M8[s]"), b"dates"),
        (np.zeros(3, dtype="m8[s]"), b"time spans"),
        (np.zeros(3, dtype=[("a", "f4"), ("b", "i2")]), b"structured"),
    ]:
        np.save(npy, array, allow_pickle=True)
        assert word in run("read", npy, expect=3).stderr
        np.savez(npz, x=array)
        assert word in run("read", npz, "x", expect=3).stderr
    print(f"{checked} arrays read as numpy {np.__version__} reads them")


with tempfile.TemporaryDirectory() as scratch:
    main(scratch)
