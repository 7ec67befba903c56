"""How much the counts of edgerr-node help a classifier, against leaving private edges out.

    examples/node_counts.py HETERORR DATA [--runs N] [--datasets LIST] [--fractions LIST] [--out FILE.csv]

DATA holds facebook/ (MUSAE) and planetoid/cora.npz. Each run has a split (50 % training, 25 %
validation), private edges, weights and noise of its own. Features are taken to be public. One row a
run: test accuracy of
  public-only        the network on public edges alone;
  none / whole graph the network on all edges, NOT PRIVATE: what could be reached;
  predicted, 2 ends  counts into classes that the public network predicts (heterorr predict --blocks);
  predicted, 1 end   the same, each edge counted at one end;
  communities        counts into communities of the public edges, the default of protect;
  sampled edges      the network on edges sampled from the counts, the counts themselves unused.
"""
import argparse
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy

FIELDS = ["dataset", "private_fraction", "eps_edges", "method", "run", "test_accuracy"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("heterorr")
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--datasets", default="cora,facebook")
    parser.add_argument("--fractions", default="0.9,0.6")
    parser.add_argument("--out", default="-")
    args = parser.parse_args()
    places = {"cora": args.data / "planetoid" / "cora.npz", "facebook": args.data / "facebook"}

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
                for run in range(args.runs):
                    for eps, method, accuracy in one_run(call, places[dataset], scratch, fraction,
                                                         run):
                        rows.writerow(dict(zip(FIELDS, (dataset, fraction, eps, method, run,
                                                        f"{accuracy:.4f}"))))
                    out.flush()


def one_run(call, source, scratch, fraction, run):
    graph, bundle, model = scratch / "graph", scratch / "bundle", scratch / "model"
    blocks = scratch / "blocks.npy"
    call("convert", source, "-o", graph, "--force")
    random = numpy.random.default_rng(run)
    n = len(numpy.load(graph / "labels.npy"))
    order, split = random.permutation(n), numpy.full(n, 2, numpy.uint8)
    split[order[:n // 2]], split[order[n // 2:3 * n // 4]] = 0, 1
    numpy.save(graph / "split.npy", split)
    n_edges = numpy.load(graph / "edges.npy").shape[1]
    numpy.save(graph / "private.npy", (random.random(n_edges) < fraction).astype(numpy.uint8))

    def protect(*words):
        call("protect", graph, "-o", bundle, "--force", "--feature-mechanism", "none",
             "--insecure-seed", run, *words)

    def train(*words):
        result = call("train", bundle, "-o", model, "--force", "--seed", run, "--hidden", 64, *words)
        return result["test"]["accuracy"]

    protect("--edge-mechanism", "none")
    yield "inf", "whole graph", train()
    protect()
    yield 0, "public-only", train()
    call("predict", model, bundle, "-o", blocks, "--force", "--blocks")
    for eps in (1, 2, 4):
        node = ["--edge-mechanism", "edgerr-node", "--eps-edges", eps]
        predicted = [*node, "--blocks", blocks, "--public", "blocks"]
        protect(*predicted)
        yield eps, "predicted, 2 ends", train()
        protect(*predicted, "--count-ends", 1)
        yield eps, "predicted, 1 end", train()
        protect(*node)
        yield eps, "communities", train()
        protect(*predicted, "--node-edges", "sampled")
        yield eps, "sampled edges", train("--counts", "ignore")


if __name__ == "__main__":
    main()
