#!/usr/bin/env python3
"""An epoch of the same GCN in PyTorch, the peer of bench_learn: peer_torch_gcn.py DIR [THREADS].

Reads the graph and the first weights that bench_learn prepared. The adjacency is a coalesced sparse
tensor with the symmetric normalisation as its values, COO and CSR are both tried, and the faster one
is timed; A (X W) as usual, Adam, dropout .5 on the hidden layer. --once computes A X before the first
epoch instead, which bench_learn does where the features are not wider than the hidden layer.
"""
import json
import pathlib
import statistics
import sys
import time

import numpy as np
import torch


def peak_mb():
    """Not by getrusage, which counts the program that started this one, too."""
    status = pathlib.Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


class Network:
    def __init__(self, directory, layout, once):
        graph = directory / "graph"
        edges = np.load(graph / "edges.npy").astype(np.int64)
        x = torch.from_numpy(np.load(graph / "features.npy").astype(np.float32))
        labels = np.load(graph / "labels.npy")
        self.train = torch.from_numpy(np.load(graph / "split.npy") == 0)
        n = len(x)
        loops = np.arange(n)
        rows = np.concatenate([edges[0], edges[1], loops])
        cols = np.concatenate([edges[1], edges[0], loops])
        scale = 1 / np.sqrt(np.bincount(rows, minlength=n))
        values = torch.from_numpy((scale[rows] * scale[cols]).astype(np.float32))
        del edges
        self.a = torch.sparse_coo_tensor(torch.from_numpy(np.stack([rows, cols])), values,
                                         (n, n)).coalesce()
        del rows, cols, values
        if layout == "csr":
            self.a = self.a.to_sparse_csr()
        self.multilabel = labels.ndim == 2
        self.y = torch.from_numpy(labels.astype(np.float32 if self.multilabel else np.int64))
        self.y = self.y[self.train]
        self.once = once
        self.x = self.a @ x if once else x
        first = np.load(directory / "first" / "weights.npz")
        self.parameters = [torch.nn.Parameter(torch.from_numpy(first[name]))
                           for name in ("weight_0", "bias_0", "weight_1", "bias_1")]
        self.optimiser = torch.optim.Adam(self.parameters, lr=.01, weight_decay=5e-4)

    def epoch(self, dropout):
        w0, b0, w1, b1 = self.parameters
        self.optimiser.zero_grad()
        h = self.x @ w0
        h = torch.relu((h if self.once else self.a @ h) + b0)
        h = torch.nn.functional.dropout(h, dropout)
        z = (self.a @ (h @ w1) + b1)[self.train]
        if self.multilabel:
            loss = torch.nn.functional.binary_cross_entropy_with_logits(z, self.y)
        else:
            loss = torch.nn.functional.cross_entropy(z, self.y)
        loss.backward()
        self.optimiser.step()
        return loss.item()


def fastest_layout(directory, once):
    """The layout with the faster epoch; CSR is not supported by every build of PyTorch."""
    took = {}
    for layout in ("coo", "csr"):
        try:
            network = Network(directory, layout, once)
            network.epoch(.5)
            begin = time.process_time()
            network.epoch(.5)
            took[layout] = time.process_time() - begin
        except RuntimeError:
            pass
    return min(took, key=took.get)


def main():
    words = [w for w in sys.argv[1:] if not w.startswith("--")]
    once, directory = "--once" in sys.argv, pathlib.Path(words[0])
    torch.set_num_threads(int(words[1]) if len(words) > 1 else 2)
    if "--layout" in sys.argv:  # a process of its own, so that memory is that of one layout
        print(fastest_layout(directory, once))
        return
    layout = "csr" if "--csr" in sys.argv else "coo"
    begun_mb = peak_mb()
    network = Network(directory, layout, once)
    losses = [network.epoch(0) for _ in range(5)]
    begin = time.monotonic()
    network.epoch(.5)
    one = time.monotonic() - begin
    wall, cpu = [], []
    for _ in range(5 if one > 1 else 15 if one > .05 else 50):
        at = time.monotonic(), time.process_time()
        network.epoch(.5)
        wall.append(time.monotonic() - at[0])
        cpu.append(time.process_time() - at[1])
    print(json.dumps({"name": "epoch", "wall_ms": 1e3 * min(wall),
                      "wall_median_ms": 1e3 * statistics.median(wall), "cpu_ms": 1e3 * min(cpu),
                      "cpu_median_ms": 1e3 * statistics.median(cpu), "peak_mb": peak_mb(),
                      "begun_mb": begun_mb, "layout": layout, "losses": losses}))


main()
