#!/usr/bin/env python3
"""How much the counts of edgerr-node help a classifier, against leaving private edges out.

    examples/node_counts.py HETERORR DATA [--runs N] [--first-run N] [--datasets LIST]
                            [--fractions LIST] [--features NAME:EPS] [--methods "A;B"]
                            [--blocks release|file] [--out FILE.csv]

DATA holds facebook/ (MUSAE), planetoid/cora.npz and planetoid/citeseer.npz. Each run has a split (50 % training, 25 %
validation), private edges, weights and noise of its own, drawn from the number of the run. Features
are taken to be public, or go through the mechanism that --features names. One row a run: test
accuracy of
  public-only        the network on public edges alone;
  whole graph        the network on all edges, NOT PRIVATE: what could be reached;
  predicted, needed  counts into classes that are predicted from the release, each edge at the end that
                     needs it more, the default;
  predicted, 2 ends  the same, each edge counted at both ends;
  predicted, 1 end   the same, each edge counted at one end;
  communities        counts into communities of the public edges (--blocks communities);
  sampled edges      the network on edges sampled from the counts, the counts themselves unused.
With --blocks file, which takes less time, classes are those that the network of public-only predicts
(heterorr predict --blocks), once for all releases of a run. A node then needs its edges the more the
fewer public ones it has. --methods picks some of those with a
budget.
"""
import argparse
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy

METHODS = ["predicted, needed", "predicted, 2 ends", "predicted, 1 end", "communities",
           "sampled edges"]
FIELDS = ["dataset", "features", "blocks", "private_fraction", "eps_edges", "method", "run",
          "test_accuracy"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("heterorr")
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--first-run", type=int, default=0)
    parser.add_argument("--datasets", default="cora,facebook")
    parser.add_argument("--fractions", default="0.9,0.6")
    parser.add_argument("--features", default="none")
    parser.add_argument("--blocks", default="release", choices=["release", "file"])
    parser.add_argument("--methods", default=";".join(METHODS))
    parser.add_argument("--out", default="-")
    args = parser.parse_args()
    places = {"cora": args.data / "planetoid" / "cora.npz", "facebook": args.data / "facebook",
              "citeseer": args.data / "planetoid" / "citeseer.npz"}

    def call(*words):
        done = subprocess.run([args.heterorr, *map(str, words), "--json"], capture_output=True,
                              text=True)
        if done.returncode:
            sys.exit(f"{' '.join(map(str, words))}: {done.stdout}{done.stderr}")
        return json.loads(done.stdout)

    out = sys.stdout if args.out == "-" else open(args.out, "w", newline="")
    rows = csv.DictWriter(out, FIELDS)
    rows.writeheader()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        for dataset in args.datasets.split(","):
            for fraction in map(float, args.fractions.split(",")):
                for run in range(args.first_run, args.first_run + args.runs):
                    for eps, method, accuracy in one_run(call, places[dataset], scratch, fraction,
                                                         run, args):
                        rows.writerow(dict(zip(FIELDS, (dataset, args.features, args.blocks,
                                                        fraction, eps, method, run,
                                                        f"{accuracy:.4f}"))))
                    out.flush()


def one_run(call, source, scratch, fraction, run, args):
    graph, bundle, model = scratch / "graph", scratch / "bundle", scratch / "model"
    mechanism, _, eps_features = args.features.partition(":")
    features = ["--feature-mechanism", mechanism]
    if eps_features:
        features += ["--eps-features", eps_features]
    call("convert", source, "-o", graph, "--force")
    random = numpy.random.default_rng(run)
    n = len(numpy.load(graph / "labels.npy"))
    order, split = random.permutation(n), numpy.full(n, 2, numpy.uint8)
    split[order[:n // 2]], split[order[n // 2:3 * n // 4]] = 0, 1
    numpy.save(graph / "split.npy", split)
    n_edges = numpy.load(graph / "edges.npy").shape[1]
    numpy.save(graph / "private.npy", (random.random(n_edges) < fraction).astype(numpy.uint8))

    def protect(*words):
        call("protect", graph, "-o", bundle, "--force", "--insecure-seed", run, *features, *words)

    def train(*words):
        result = call("train", bundle, "-o", model, "--force", "--seed", run, "--hidden", 64, *words)
        return result["test"]["accuracy"]

    protect("--edge-mechanism", "none")
    yield "inf", "whole graph", train()
    protect()
    yield 0, "public-only", train()
    blocks = ["--blocks", "predicted"]
    if args.blocks == "file":
        blocks = ["--blocks", scratch / "blocks.npy", "--public", "blocks"]
        call("predict", model, bundle, "-o", blocks[1], "--force", "--blocks")
    words = dict(zip(METHODS, ([*blocks, "--count-ends", "needed"], [*blocks, "--count-ends", 2],
                               [*blocks, "--count-ends", 1], ["--blocks", "communities"],
                               [*blocks, "--node-edges", "sampled"])))
    for eps in (1, 2, 4):
        for method in args.methods.split(";"):
            protect("--edge-mechanism", "edgerr-node", "--eps-edges", eps, *words[method])
            ignore = ["--counts", "ignore"] if method == "sampled edges" else []
            yield eps, method, train(*ignore)


if __name__ == "__main__":
    main()
