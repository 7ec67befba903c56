#!/usr/bin/env python3
"""LinkTeller as published, in PyTorch: peer_torch_linkteller.py MODEL GRAPH ROWS.npy.

One forward pass of the whole graph for each node, features dense and standardised, the adjacency a
sparse tensor, in floats. Ten nodes are timed and multiplied to 500. Then the ten rows are computed in
doubles and held against ROWS.npy, which bench_attack wrote: "agreement" is the largest difference as a
share of the largest influence.
"""
import json
import pathlib
import sys
import time

import numpy as np
import torch


def adjacency(graph, n, dtype):
    """I + D^-1/2 A D^-1/2."""
    source, target = np.load(graph / "edges.npy").astype(np.int64)
    degree = np.bincount(np.concatenate([source, target]), minlength=n)
    value = 1 / np.sqrt(degree[source] * degree[target])
    rows = np.concatenate([source, target, np.arange(n)])
    cols = np.concatenate([target, source, np.arange(n)])
    values = torch.from_numpy(np.concatenate([value, value, np.ones(n)])).to(dtype)
    return torch.sparse_coo_tensor(torch.from_numpy(np.stack([rows, cols])), values, (n, n)).coalesce()


class Attack:
    def __init__(self, model, graph, dtype):
        weights = np.load(model / "weights.npz")
        self.w = [torch.from_numpy(weights[f"weight_{i}"]).to(dtype) for i in range(2)]
        self.b = [torch.from_numpy(weights[f"bias_{i}"]).to(dtype) for i in range(2)]
        self.raw = torch.from_numpy(np.load(graph / "features.npy").astype(np.float64)).to(dtype)
        self.mean, self.factor = torch.from_numpy(weights["standards"]).to(dtype)
        self.x = (self.raw - self.mean) * self.factor
        self.a = adjacency(graph, len(self.x), dtype)

    def forward(self, x):
        hidden = torch.relu(self.a @ (x @ self.w[0]) + self.b[0])
        return self.a @ (hidden @ self.w[1]) + self.b[1]

    def row(self, v, nodes, calm, delta=1e-4):
        moved = self.x.clone()
        moved[v] += delta * self.raw[v] * self.factor  # the service is given raw features
        return torch.linalg.norm((self.forward(moved) - calm)[nodes] / delta, dim=1)


def main(model, graph, rows):
    torch.set_num_threads(2)
    stored = np.load(rows)
    nodes, ours = stored[0].astype(np.int64), stored[1:]
    with torch.no_grad():
        attack = Attack(model, graph, torch.float32)
        calm = attack.forward(attack.x)
        began, busy = time.perf_counter(), time.process_time()
        for v in nodes[:len(ours)]:
            attack.row(v, nodes, calm)
        times = 500 / len(ours)
        seconds, cpu = times * (time.perf_counter() - began), times * (time.process_time() - busy)
        attack = Attack(model, graph, torch.float64)
        calm = attack.forward(attack.x)
        theirs = np.stack([attack.row(v, nodes, calm).numpy() for v in nodes[:len(ours)]])
    apart = np.abs(theirs - ours).max() / ours.max()
    print(json.dumps({"name": "torch", "value": seconds, "cpu": cpu, "agreement": apart}))


main(*map(pathlib.Path, sys.argv[1:4]))
