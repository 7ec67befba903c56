"""numpy.loadtxt on an edge list, as bench_io prints it: one JSON object.

usage: peer_numpy_io.py edges FILE
"checksum" is the sum of both id columns over the rows that are no self-loops."""
import json
import sys
import time

import numpy as np

REPETITIONS = 7


def options(path):
    """The arguments that loadtxt needs for this file, found out before the clock starts."""
    with open(path) as file:
        first = file.readline()
    delimiter = "," if "," in first else None
    header = not first.split(delimiter)[0].strip().isdigit()
    return {"delimiter": delimiter, "skiprows": int(header), "usecols": (0, 1), "dtype": np.int64}


def main(path):
    chosen = options(path)
    seconds = []
    for _ in range(REPETITIONS):
        start = time.perf_counter()
        pairs = np.loadtxt(path, **chosen)
        seconds.append(time.perf_counter() - start)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    print(json.dumps({"name": "numpy.loadtxt", "value": min(seconds),
                      "median": sorted(seconds)[REPETITIONS // 2], "unit": "s",
                      "n_edges": len(pairs), "checksum": int(pairs.sum())}))


if len(sys.argv) != 3 or sys.argv[1] != "edges":
    sys.exit(__doc__)
main(sys.argv[2])
