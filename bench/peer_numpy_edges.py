#!/usr/bin/env python3
"""EdgeRand and LapGraph in numpy, the peer of bench_edge_baselines: peer_numpy_edges.py NODES EPS...

  published  as the code of the LinkTeller paper goes about it, vectorised: an n x n matrix of
             binomial coins (EdgeRand) or of Laplace noise (LapGraph), then the lower triangle
  lean       the leanest we can think of with the same law: single-precision draws for the n(n-1)/2
             cells alone, no matrix
Checks the number of edges, then prints one JSON object a line: seconds of processor time. The draws
are those of numpy: neither secure nor exact.
"""
import json
import math
import sys
import time

import numpy as np

EDGES_PER_NODE = 5


def make_edges(n):
    u = np.repeat(np.arange(n), EDGES_PER_NODE)
    v = u + 1 + 37 * np.tile(np.arange(EDGES_PER_NODE), n)
    return u[v < n], v[v < n]


def lower_triangle(n, u, v):
    a = np.zeros((n, n), np.int8)
    a[v, u] = 1
    return a


def edgerand_published(n, u, v, eps, rng):
    """A coin in each cell says whether it is drawn anew, by a fair coin."""
    a = lower_triangle(n, u, v)
    anew = rng.binomial(1, 2 / (math.exp(eps) + 1), (n, n)).astype(bool)
    anew &= np.tri(n, k=-1, dtype=bool)
    row, col = np.nonzero(anew)
    a[row, col] = rng.integers(0, 2, len(row), dtype=np.int8)
    return np.nonzero(a)


def cell_of(n, u, v):
    return u * (2 * n - u - 1) // 2 + v - u - 1


def pair_of(n, cell):
    first = np.cumsum(np.concatenate(([0], np.arange(n - 1, 0, -1))))
    u = np.searchsorted(first, cell, side="right") - 1
    return u, cell - first[u] + u + 1


def edgerand_lean(n, u, v, eps, rng):
    flips = rng.random(n * (n - 1) // 2, dtype=np.float32) < 1 / (math.exp(eps) + 1)
    flips[cell_of(n, u, v)] ^= True
    return pair_of(n, np.flatnonzero(flips))


def kept(u, eps, rng):
    return max(0, len(u) + int(rng.laplace(0, 1 / (.01 * eps))))


def lapgraph_published(n, u, v, eps, rng):
    a = rng.laplace(0, 1 / (.99 * eps), (n, n))
    a *= np.tri(n, k=-1, dtype=bool)
    a[v, u] += 1
    k = kept(u, eps, rng)
    largest = np.argpartition(a.ravel(), -k)[-k:]
    return largest // n, largest % n


def lapgraph_lean(n, u, v, eps, rng):
    a = rng.standard_exponential(n * (n - 1) // 2, dtype=np.float32)
    a *= np.float32(1 / (.99 * eps))
    np.negative(a, out=a, where=rng.integers(0, 2, len(a), dtype=bool))
    a[cell_of(n, u, v)] += 1
    k = kept(u, eps, rng)
    return pair_of(n, np.argpartition(a, -k)[-k:])


def check(name, n, n_in, n_out, eps):
    pairs, flip = n * (n - 1) / 2, 1 / (1 + math.exp(eps))
    if name.startswith("edgerand"):
        mean = n_in * (1 - flip) + (pairs - n_in) * flip
        good = abs(n_out - mean) < 6 * math.sqrt(pairs * flip * (1 - flip)) + 1
    else:
        good = abs(n_out - n_in) < 30 / (.01 * eps) + 1
    if not good:
        sys.exit(f"{name}: {n_out} edges are not what the law says")


def main(n, eps_list):
    rng = np.random.default_rng(1)
    u, v = make_edges(n)
    for eps in eps_list:
        for work in (edgerand_published, edgerand_lean, lapgraph_published, lapgraph_lean):
            took = []
            for _ in range(3):
                begin = time.process_time()
                out = work(n, u, v, eps, rng)
                took.append(time.process_time() - begin)
                check(work.__name__, n, len(u), len(out[0]), eps)
            print(json.dumps({"name": f"numpy_{work.__name__}_eps_{eps:g}", "value": sorted(took)[1],
                              "best": min(took), "unit": "s"}), flush=True)


main(int(sys.argv[1]), [float(e) for e in sys.argv[2:]])
