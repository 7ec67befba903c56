#!/usr/bin/env python3
"""Multi-bit encoder and rectifier in numpy, the peer of bench_multibit: 2,048 floats a row.

Three versions, from the published one to the leanest we can think of:
  published  line by line as LPGNN does it: a coin for every feature, a random mask, their product
  selected   the m features by partial sort of random single-precision keys, coins for these alone
  lean       the m features by drawing indices and redrawing rows with duplicates
Checks the result, then prints one JSON object a line: millions of features per second of processor
time, which other work on the machine disturbs less than the clock on the wall.
"""
import json
import math
import statistics
import time

import numpy as np

COLS, REPETITIONS = 2_048, 7


def features_drawn(eps, d):
    return max(1, min(d, int(eps / 2.18)))


def rectify(bits, d, m, e):
    return d / (2 * m) * (e + 1) / (e - 1) * (2 * bits - 1) + 0.5


def published(x, eps, rng):
    n, d = x.shape
    m = features_drawn(eps, d)
    e = math.exp(eps / m)
    mask = np.zeros((n, d))
    np.put_along_axis(mask, np.argpartition(rng.random((n, d)), m, axis=1)[:, :m], 1, axis=1)
    bits = rng.random((n, d)) < (x * (e - 1) + 1) / (e + 1)
    encoded = mask * (2 * bits - 1)
    return (d / (2 * m) * (e + 1) / (e - 1) * encoded + 0.5).astype(np.float32)


def place(x, chosen, m, e, rng):
    n, d = x.shape
    rows = np.arange(n)[:, None]
    bits = rng.random(chosen.shape) < 1 / (e + 1) + x[rows, chosen] * ((e - 1) / (e + 1))
    out = np.full((n, d), 0.5, dtype=np.float32)
    out[rows, chosen] = rectify(bits, d, m, e)
    return out


def selected(x, eps, rng):
    n, d = x.shape
    m = features_drawn(eps, d)
    keys = rng.random((n, d), dtype=np.float32)
    return place(x, np.argpartition(keys, m, axis=1)[:, :m], m, math.exp(eps / m), rng)


def lean(x, eps, rng):
    n, d = x.shape
    m = features_drawn(eps, d)
    chosen = rng.integers(0, d, (n, m))
    while True:
        ordered = np.sort(chosen, axis=1)
        again = np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1))
        if len(again) == 0:
            break
        chosen[again] = rng.integers(0, d, (len(again), m))
    return place(x, chosen, m, math.exp(eps / m), rng)


def measure(version, x, eps, rng):
    took = []
    for _ in range(REPETITIONS):
        begin = time.process_time()
        out = version(x, eps, rng)
        took.append(time.process_time() - begin)
    assert ((out != 0.5).sum(axis=1) == features_drawn(eps, COLS)).all()
    spread = math.sqrt((out.astype(np.float64) ** 2).mean() / out.size)
    assert abs(out.mean(dtype=np.float64) - x.mean(dtype=np.float64)) < 5 * spread
    print(json.dumps({"name": f"numpy_{version.__name__}_eps_{eps}_rows_{len(x)}",
                      "value": round(x.size / 1e6 / statistics.median(took), 1),
                      "best": round(x.size / 1e6 / min(took), 1), "unit": "M features/s"}))


def main():
    rng = np.random.default_rng(1)
    for rows in (10_000, 1_000):
        x = (np.arange(rows * COLS) % 7 / 10).astype(np.float32).reshape(rows, COLS)
        for eps in (1, 20):
            for version in (published, selected, lean):
                measure(version, x, eps, rng)


if __name__ == "__main__":
    main()
