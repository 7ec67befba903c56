#!/usr/bin/env python3
"""Embeddings of real scans of handwritten digits, as the private features of a graph, and a public head for them.

    examples/digits.py OUT [--homophily H] [--degree D] [--seed N] [--mask ROWS]

The 1,797 scans of 8 x 8 pixels come with scikit-learn (load_digits); they are digits, not photographs. One half is public: a
small network (64 pixels, 32 hidden units, 10 classes) learns to read it. The other half are people with a secret scan:
OUT/graph is a graph of them, whose features are the network's 32 hidden numbers of each scan, divided by the largest
of the public half and cut off at 1, so that they lie between 0 and 1. OUT/head.npz is the network's last layer for these features.

--mask ROWS: the upper ROWS rows of pixels are what nobody should be known by. OUT/public is the public half as a graph,
OUT/public-masked.npy its embeddings with these rows blank, OUT/masked.npy those of the private half: for `heterorr scores`, for a
head that is steered by them, and to see how often its answers change (examples/steered_head.py).

Edges are drawn: D a node on average, of which a share H joins two scans of the same digit and the others any two. Nothing but
the edges is made up.
"""
import argparse
import json
import pathlib
import warnings

import numpy
from sklearn.datasets import load_digits
from sklearn.neural_network import MLPClassifier

N_HIDDEN = 32


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--homophily", type=float, default=.3)
    parser.add_argument("--degree", type=float, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mask", type=int, default=0, metavar="ROWS")
    args = parser.parse_args()
    random = numpy.random.default_rng(args.seed)
    scans, digits = load_digits(return_X_y=True)
    order = random.permutation(len(digits))
    public, private = order[:len(order) // 2], order[len(order) // 2:]

    network = MLPClassifier((N_HIDDEN,), max_iter=60, random_state=args.seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # 60 rounds are enough, whether or not it has settled
        network.fit(scans[public] / 16, digits[public])
    largest = hidden(network, scans[public]).max()

    def embed(pixels):
        return numpy.clip(hidden(network, pixels) / largest, 0, 1).astype(numpy.float32)

    features = embed(scans[private])

    args.out.mkdir(parents=True, exist_ok=True)
    weight, bias = network.coefs_[1] * largest, network.intercepts_[1]
    numpy.savez(args.out / "head.npz", weight=weight, bias=bias)
    answers = (features @ weight + bias).argmax(1)
    write(args.out / "graph", features, digits[private], draw_edges(digits[private], args, random), args)
    if args.mask:
        masked = scans * (numpy.arange(64) >= 8 * args.mask)
        numpy.save(args.out / "public-masked.npy", embed(masked[public]))
        numpy.save(args.out / "masked.npy", embed(masked[private]))
        write(args.out / "public", embed(scans[public]), digits[public], draw_edges(digits[public], args, random), args)
    print(f"{args.out}: {len(private)} scans as nodes, the head reads {100 * (answers == digits[private]).mean():.1f} of 100 right")


def hidden(network, scans):
    return numpy.maximum(scans / 16 @ network.coefs_[0] + network.intercepts_[0], 0)


def draw_edges(digits, args, random):
    n = len(digits)
    pairs = set()
    while len(pairs) < n * args.degree / 2:
        a = random.integers(n)
        like = random.random() < args.homophily
        b = random.choice(numpy.flatnonzero(digits == digits[a])) if like else random.integers(n)
        if a != b:
            pairs.add((min(a, b), max(a, b)))
    return numpy.array(sorted(pairs)).T


def write(out, features, digits, edges, args):
    out.mkdir(exist_ok=True)
    numpy.save(out / "features.npy", features)
    numpy.save(out / "labels.npy", digits.astype(numpy.int32))
    numpy.save(out / "edges.npy", edges.astype(numpy.uint32))
    about = {"format_version": 1, "name": f"digits-h{args.homophily:g}", "n_nodes": len(digits), "n_edges": edges.shape[1],
             "n_features": N_HIDDEN, "n_classes": 10, "multilabel": False,
             "provenance": f"scikit-learn's scans of digits, drawn edges of homophily {args.homophily:g}"}
    (out / "graph.json").write_text(json.dumps(about, indent=2) + "\n")


if __name__ == "__main__":
    main()
