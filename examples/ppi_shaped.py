#!/usr/bin/env python3
"""The 24 PPI graphs with features and labels drawn in the shape of PPI, where the real ones are not at hand.

    examples/ppi_shaped.py HETERORR PPI OUT [--marks private_01] [--seed N] [--sample FILE.npy] [--parts DIR]

PPI holds train_00.csv .. test_1.csv (src, dst and columns of private marks). OUT becomes a collection in the native
layout: the real edges, marks and split into 20, 2 and 2 graphs; 50 features and 121 labels a node, drawn. Each node
has 16 hidden numbers that are like its neighbours'; labels are noisy half-spaces of them with the rates of rare and
frequent functions (mean about .3), features noisier linear views. So edges help, features help, and both together
help most. What comes out of experiments on it is about this graph, not about proteins. --sample writes the features of the
two validation graphs, for experiments in which these are public; --parts writes the validation and the test graphs as graphs of
their own, DIR/valid and DIR/test, for a head that is learnt from the first and asked about the second.
"""
import argparse
import json
import pathlib
import subprocess
import sys

import numpy

N_HIDDEN, N_FEATURES, N_LABELS = 16, 50, 121


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("heterorr")
    parser.add_argument("ppi", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--marks", default="private_01")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sample", type=pathlib.Path)
    parser.add_argument("--parts", type=pathlib.Path)
    args = parser.parse_args()
    done = subprocess.run([args.heterorr, "convert", str(args.ppi), "--private-column", args.marks, "-o",
                           str(args.out), "--force"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    draw_attributes(args.out, numpy.random.default_rng(args.seed))
    if args.sample:
        valid = numpy.load(args.out / "split.npy") == 1
        numpy.save(args.sample, numpy.load(args.out / "features.npy")[valid])
    for number, part in ((1, "valid"), (2, "test")) if args.parts else ():
        cut(args.out, number, args.parts / part)


def cut(whole, number, out):
    """The graphs of one part of the split, as one graph without marks."""
    out.mkdir(parents=True, exist_ok=True)
    kept = numpy.load(whole / "split.npy") == number
    edges = numpy.load(whole / "edges.npy")
    edges = (numpy.cumsum(kept) - 1)[edges[:, kept[edges[0]]]].astype(edges.dtype)
    numpy.save(out / "edges.npy", edges)
    for name in ("features.npy", "labels.npy"):
        numpy.save(out / name, numpy.load(whole / name)[kept])
    about = json.loads((whole / "graph.json").read_text())
    about.pop("n_graphs", None)
    about.update(name=f"ppi-shaped-{out.name}", n_nodes=int(kept.sum()), n_edges=edges.shape[1])
    (out / "graph.json").write_text(json.dumps(about, indent=2))


def draw_attributes(out, random):
    source, target = numpy.load(out / "edges.npy")
    graph = numpy.load(out / "graph_ids.npy")
    n = len(graph)
    degree = numpy.bincount(source, minlength=n) + numpy.bincount(target, minlength=n)
    hidden = random.standard_normal((n, N_HIDDEN))
    for _ in range(4):
        total = hidden.copy()
        numpy.add.at(total, source, hidden[target])
        numpy.add.at(total, target, hidden[source])
        hidden = total / (1 + degree)[:, None]
    hidden = unit(hidden, graph)
    hidden /= numpy.linalg.norm(hidden, axis=1, keepdims=True)  # nodes with many edges say as much as others

    rate = random.beta(2, 4.7, N_LABELS)
    belief = unit(hidden @ random.standard_normal((N_HIDDEN, N_LABELS)), graph)
    belief += .6 * random.standard_normal(belief.shape)
    threshold = numpy.array([numpy.quantile(b, 1 - r) for b, r in zip(belief.T, rate)])
    features = unit(hidden @ random.standard_normal((N_HIDDEN, N_FEATURES)), graph)
    features = unit(features + 3 * random.standard_normal(features.shape), graph)

    numpy.save(out / "features.npy", features.astype(numpy.float32))
    numpy.save(out / "labels.npy", (belief > threshold).astype(numpy.uint8))
    about = json.loads((out / "graph.json").read_text())
    about.update(n_features=N_FEATURES, n_classes=N_LABELS, multilabel=True,
                 provenance=f"{about['provenance']}; features and labels drawn")
    (out / "graph.json").write_text(json.dumps(about, indent=2))


def unit(x, graph):
    """Columns of mean 0 and deviation 1 in each graph."""
    x = x.copy()
    for g in numpy.unique(graph):
        x[graph == g] -= x[graph == g].mean(0)
        x[graph == g] /= x[graph == g].std(0)
    return x


if __name__ == "__main__":
    main()
