#!/usr/bin/env python3
"""Distance of random-walk matrices in scipy, the peer of bench_structure: 4 hops of two graphs.

    peer_scipy_structure.py make CORA.npz DIR     write original and released graph (30 % of the edges
                                                  dropped) as native layouts into DIR
    peer_scipy_structure.py DIR                   measure

Two versions: powers as sparse matrices, which is what the sparsity of four hops calls for, and as
dense ones, which a denser graph would call for. Both multiply from the side that is cheaper for
scipy. Milliseconds of the fastest repetition in four seconds, starting from the adjacency matrices.
"""
import json
import pathlib
import sys
import time

import numpy as np
import scipy.sparse as sp

HOPS, PATIENCE = 4, 4.


def make(source, directory):
    with np.load(source) as data:
        n = int(data["adj_shape"][0])
        matrix = sp.csr_matrix((np.ones(len(data["adj_indices"])), data["adj_indices"],
                                data["adj_indptr"]), shape=(n, n))
    upper = sp.triu(matrix + matrix.T, k=1).tocoo()
    edges = np.vstack([upper.row, upper.col]).astype(np.uint32)
    edges = edges[:, np.lexsort((edges[1], edges[0]))]
    kept = edges[:, np.random.default_rng(1).random(edges.shape[1]) >= .3]
    for name, part in (("original", edges), ("released", kept)):
        folder = pathlib.Path(directory) / name
        folder.mkdir(parents=True)
        np.save(folder / "edges.npy", np.ascontiguousarray(part))
        (folder / "graph.json").write_text(json.dumps({"name": name, "n_nodes": n}))


def read(folder):
    n = json.loads((folder / "graph.json").read_text())["n_nodes"]
    source, target = np.load(folder / "edges.npy").astype(np.int32)
    half = sp.coo_matrix((np.ones(len(source)), (source, target)), shape=(n, n))
    return (half + half.T).tocsr()


def walk_matrix(adjacency):
    """D^-1 A without a product: each row's entries are one over how many there are."""
    degree = np.diff(adjacency.indptr)
    inverse = np.divide(1., degree, out=np.zeros(len(degree)), where=degree > 0)
    return sp.csr_matrix((np.repeat(inverse, degree), adjacency.indices, adjacency.indptr),
                         shape=adjacency.shape)


def sparse(a, b):
    p, q = walk_matrix(a), walk_matrix(b)
    x, y, rms = p, q, [0.]
    for hop in range(1, HOPS + 1):
        if hop > 1:
            x, y = x @ p, y @ q
        gap = (x - y).data
        rms.append(float(np.sqrt(gap @ gap)) / a.shape[0])
    return rms


def dense(a, b):
    p, q = walk_matrix(a), walk_matrix(b)
    x, y, rms = p.toarray(), q.toarray(), [0.]
    for hop in range(1, HOPS + 1):
        if hop > 1:
            x, y = p @ x, q @ y
        gap = (x - y).ravel()
        rms.append(float(np.sqrt(gap @ gap)) / a.shape[0])
    return rms


def main(directory):
    a, b = (read(pathlib.Path(directory) / name) for name in ("original", "released"))
    for version in (sparse, dense):
        took, cpu, start = [], [], time.perf_counter()
        while time.perf_counter() - start < PATIENCE:
            begin, begin_cpu = time.perf_counter(), time.process_time()
            rms = version(a, b)
            took.append(time.perf_counter() - begin)
            cpu.append(time.process_time() - begin_cpu)
        print(json.dumps({"name": f"scipy_{version.__name__}", "value": 1e3 * min(took),
                          "cpu": 1e3 * min(cpu), "unit": "ms", "rms": rms}))


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(*sys.argv[2:])
    else:
        main(sys.argv[1])
