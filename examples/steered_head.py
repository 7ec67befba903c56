#!/usr/bin/env python3
"""How often a head's answers change when the sensitive part of a scan is masked, and what leaning less on it costs.

    examples/steered_head.py HETERORR DIGITS [--steer S,S,...] [--ridge L2]

DIGITS is what `examples/digits.py DIGITS --mask ROWS` made. Scores come from the public half, a head is learnt from the public half
with each strength of steering (0: not steered), and its answers about the private half are compared with those about the
same scans with the upper rows blank. Only whoever owns the private half can compute this; nothing of it is released. One row a
strength: answers that change and answers that are right, in percent.
"""
import argparse
import pathlib
import subprocess
import tempfile

import numpy


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("heterorr")
    parser.add_argument("digits", type=pathlib.Path)
    parser.add_argument("--steer", default="0,1,100")
    parser.add_argument("--ridge", default="1")
    args = parser.parse_args()
    graph, public = args.digits / "graph", args.digits / "public"
    features, labels = numpy.load(graph / "features.npy"), numpy.load(graph / "labels.npy")
    masked = numpy.load(args.digits / "masked.npy")
    with tempfile.TemporaryDirectory() as place:
        scores, head = f"{place}/scores.npz", f"{place}/head.npz"
        run(args.heterorr, "scores", "--embeddings", public / "features.npy", "--masked", args.digits / "public-masked.npy",
            "--labels", public / "labels.npy", "--public", "-o", scores)
        print("steer,changed,right")
        for steer in args.steer.split(","):
            run(args.heterorr, "head", public, "--public", "head", "--ridge", args.ridge, "--scores", scores, "--steer", steer,
                "--force", "-o", head)
            with numpy.load(head) as parts:
                answers, blind = ((x @ parts["weight"] + parts["bias"]).argmax(1) for x in (features, masked))
            print(f"{steer},{100 * (answers != blind).mean():.1f},{100 * (answers == labels).mean():.1f}")


def run(*command):
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
