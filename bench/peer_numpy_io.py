"""numpy on an edge list, as bench_io prints it: one JSON object a line. numpy.loadtxt reads the
pairs; numpy.unique after it gives the compacted ids that bench_io's times include.

usage: peer_numpy_io.py edges FILE
"checksum" is the sum of both id columns over the rows that are no self-loops."""
import json
import sys
import time

import numpy as np

REPETITIONS = 15


def options(path):
    """The arguments that loadtxt needs for this file, found out before the clock starts."""
    with open(path) as file:
        first = file.readline()
    delimiter = "," if "," in first else None
    header = not first.split(delimiter)[0].strip().isdigit()
    only_pairs = len(first.split(delimiter)) == 2
    return {"delimiter": delimiter, "skiprows": int(header), "dtype": np.int64,
            "usecols": None if only_pairs else (0, 1)}


def report(name, seconds, pairs):
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    print(json.dumps({"name": name, "value": min(seconds),
                      "median": sorted(seconds)[REPETITIONS // 2], "unit": "s",
                      "n_edges": len(pairs), "checksum": int(pairs.sum())}))


def main(path):
    chosen = options(path)
    loaded, compacted = [], []
    for _ in range(REPETITIONS):
        start = time.perf_counter()
        pairs = np.loadtxt(path, **chosen)
        loaded.append(time.perf_counter() - start)
        np.unique(pairs, return_inverse=True)
        compacted.append(time.perf_counter() - start)
    report("numpy.loadtxt", loaded, pairs)
    report("numpy.loadtxt+unique", compacted, pairs)


if len(sys.argv) != 3 or sys.argv[1] != "edges":
    sys.exit(__doc__)
main(sys.argv[2])
