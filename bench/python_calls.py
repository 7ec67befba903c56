#!/usr/bin/env python3
"""The Python package's side of bench/run python: the cost of small calls, memory for large arrays, and protect() on Cora.
The result is checked first. One JSON object a line; small calls by processor time, protect by the clock.

    python_calls.py calls | memory | protect CORA.npz
"""
import json
import os
import sys
import time

import numpy as np

import heterorr


def say(name, **figures):
    print(json.dumps({"name": name, **figures}), flush=True)


def best(call, times=4000, repetitions=9):
    """Microseconds of processor time."""
    found = []
    for _ in range(repetitions):
        begin = time.process_time()
        for _ in range(times):
            call()
        found.append((time.process_time() - begin) / times * 1e6)
    return min(found)


def calls():
    plan, x, random = heterorr.FeaturePlan(4, 1, bounds=(0, 1)), np.zeros((1, 4)), heterorr.Random()
    assert plan.apply(x, random=random, threads=1).shape == (1, 4)
    graph = heterorr.generate(n_nodes=100, seed=1)
    say("apply", best=best(lambda: plan.apply(x, random=random, threads=1)), unit="us")
    say("n_nodes", best=best(lambda: graph.n_nodes), unit="us")
    say("features", best=best(lambda: graph.features), unit="us")


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2 ** 20


def memory():
    """What a graph of 200 MB of features takes beside the array."""
    features = np.ones((50000, 1000), np.float32)
    before = resident()
    graph = heterorr.Graph.from_numpy(None, features, private="none", bounds=(0, 1))
    view = graph.features
    assert view.ctypes.data == features.ctypes.data
    say("features_in_and_out", best=max(resident() - before, 0.0), array=features.nbytes / 2 ** 20, unit="MB")


def protect(path):
    graph = heterorr.Graph.read(path, private=0.5, mark_seed=1)
    took = []
    for seed in range(5):
        begin = time.perf_counter()
        release = heterorr.protect(graph, eps_features=20, eps_edges=1, bounds=(0, 1), n_bins=10, threads=1,
                                   feature_mechanism="featurerr", edge_mechanism="edgerr", tree="public", insecure_seed=seed)
        took.append(time.perf_counter() - begin)
    ends = graph.edge_index
    public = np.asarray(graph.private) == 0
    np.savez("cora_peer.npz", features=graph.features, edges=ends, public=public)
    say("protect_cora", best=min(took), value=sorted(took)[2], mean=float(np.mean(release.features)),
        steps=release.summary["chain_steps"], unit="s")


{"calls": calls, "memory": memory, "protect": protect}[sys.argv[1]](*sys.argv[2:])
