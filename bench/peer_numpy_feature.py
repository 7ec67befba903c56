#!/usr/bin/env python3
"""FeatureRR with k = 10 on 10,000 x 2,048 floats in numpy, the peer of bench_feature.

Two ways to write it: `whole`, one comparison of every draw with its k - 1 cumulative probabilities,
as numpy is usually written; `by_threshold`, one pass for each threshold over blocks that stay in the
cache, the fastest that was found. Each with two kinds of draws: `secure`, 64-bit integers from the
operating system against integer tables, which is what heterorr does; `fast`, doubles from SFC64,
which protects nobody. Frequencies are checked first. One JSON object a line; rates by processor
time.
"""
import json
import os
import sys
import time

import numpy as np

K, ROWS, FEATURES = 10, 10000, 2048
REPETITIONS = 3


def cumulative(theta, eps):
    """P(first bin .. bin j | t) of each feature: d x k x (k - 1)."""
    distance = np.abs(np.arange(K)[:, None] - np.arange(K))
    p = np.exp(-(eps * theta / theta.sum())[:, None, None] / (K - 1) * distance)
    return np.cumsum(p / p.sum(2, keepdims=True), 2)[:, :, :-1]


def integers(table):
    """The same in units of 2^-64."""
    return (table * 2.0**64).astype(np.uint64)


def fast(shape, generator=np.random.Generator(np.random.SFC64(1))):
    return generator.random(shape)


def secure(shape):
    return np.frombuffer(os.urandom(8 * shape[0] * shape[1]), np.uint64).reshape(shape)


def bins(x):
    return np.minimum((x * K).astype(np.intp), K - 1)


def whole(x, table, draws, block=64):
    out = np.empty(x.shape, np.float32)
    features = np.arange(x.shape[1])
    for begin in range(0, len(x), block):
        part = x[begin:begin + block]
        draw = draws(part.shape)
        out[begin:begin + block] = ((table[features, bins(part)] <= draw[..., None]).sum(-1) + 0.5) / K
    return out


def by_threshold(x, table, draws, block=16):
    out = np.empty(x.shape, np.float32)
    columns = np.ascontiguousarray(table.transpose(2, 0, 1)).reshape(K - 1, -1)
    first = np.arange(x.shape[1]) * K
    for begin in range(0, len(x), block):
        part = x[begin:begin + block]
        draw = draws(part.shape)
        place = first + bins(part)
        u = np.zeros(part.shape, np.uint8)
        for column in columns:
            u += column.take(place) <= draw
        out[begin:begin + block] = (u + np.float32(0.5)) / np.float32(K)
    return out


def frequencies_are_right(randomise, draws):
    """The lowest value everywhere, 6 standard errors, as in bench_feature."""
    table = cumulative(0.5 + np.arange(16) / 16, 20)
    rows = 200000
    out = randomise(np.zeros((rows, 16), np.float32), integers(table) if draws is secure else table,
                    draws)
    count = np.bincount(np.round(out * K - 0.5).astype(int).ravel(), minlength=K)
    p = np.diff(table[:, 0], axis=1, prepend=0, append=1).sum(0) * rows
    return bool((np.abs(count - p) < 6 * np.sqrt(p)).all())


def main():
    took = []
    for _ in range(REPETITIONS):
        began = time.process_time()
        table = cumulative(0.5 + np.arange(FEATURES) / FEATURES, 20)
        integers(table)
        took.append(time.process_time() - began)
    print(json.dumps({"name": "numpy_2048_tables", "value": 1e3 * sorted(took)[REPETITIONS // 2],
                      "best": 1e3 * min(took), "unit": "ms"}), flush=True)
    x = fast((ROWS, FEATURES)).astype(np.float32)
    for draws in (secure, fast):
        for randomise in (whole, by_threshold):
            name = f"{randomise.__name__}_{draws.__name__}"
            if not frequencies_are_right(randomise, draws):
                sys.exit(f"peer_numpy_feature: the frequencies of {name} are wrong")
            limits = integers(table) if draws is secure else table
            took = []
            for _ in range(REPETITIONS):
                began = time.process_time()
                randomise(x, limits, draws)
                took.append(time.process_time() - began)
            print(json.dumps({"name": f"numpy_{name}_one_thread",
                              "value": round(x.size / sorted(took)[REPETITIONS // 2]),
                              "best": round(x.size / min(took)), "unit": "features/s"}), flush=True)


if __name__ == "__main__":
    main()
