#!/usr/bin/env python3
"""When projecting pays: featurerr-projected beside featurerr on Cora and on the PPI validation features.

    bench/quality_projected.py [EPS]      (default 1; needs a release build and the data)

A tenth of the nodes is the public sample; all others are judged. `error` is the squared error of a
released vector over that of the public mean, in unit scale: below 1 a single node's release says more
than nothing. `averaged` is the same after two steps of averaging over neighbours (`--propagate 2`),
against the private features averaged in the same way: what a graph network sees. `accuracy` (Cora) is
that of ridge regression trained on one half of the released rows and tested on the other, without
averaging and after it; the largest class is 0.30.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
HETERORR = os.environ.get("HETERORR", HERE.parent / "build" / "release" / "src" / "cli" / "heterorr")
DATA = pathlib.Path(os.environ.get("HETERORR_DATA", HERE.parent.parent / "shared" / "data"))
SEED = "7"


def run(*words):
    done = subprocess.run([str(w) for w in (HETERORR, *words)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)


def ridge(train, classes, strength=1.0):
    mean, scale = train.mean(0), train.std() + 1e-12
    x = (train - mean) / scale
    target = np.eye(classes.max() + 1)[classes]
    gram = x @ x.T + strength * len(x) * np.eye(len(x))
    weight = x.T @ np.linalg.solve(gram, target - target.mean(0))
    return lambda rows: ((rows - mean) / scale @ weight + target.mean(0)).argmax(1)


class Case:
    def __init__(self, name, folder, eps):
        self.folder, self.eps, self.bounds = folder, eps, []
        self.labels = None
        if name == "cora":
            self.graph = DATA / "planetoid" / "cora.npz"
            with np.load(self.graph) as file:
                self.x = np.zeros(file["attr_shape"], np.float32)
                row = np.repeat(np.arange(len(self.x)), np.diff(file["attr_indptr"]))
                self.x[row, file["attr_indices"]] = file["attr_data"]
                self.labels = file["labels"].astype(int)
        else:
            self.graph = folder / "ppi"
            self.graph.mkdir()
            for part in ("valid_0.csv", "valid_1.csv", "valid_feats.npy", "valid_graph_id.npy"):
                (self.graph / part).symlink_to((DATA / "ppi" / part).resolve())
            self.x = np.load(DATA / "ppi" / "valid_feats.npy").astype(np.float32)
        rng = np.random.default_rng(1)
        public = rng.permutation(len(self.x)) < len(self.x) // 10
        self.others = np.flatnonzero(~public)
        sample = self.x[public]
        self.low, self.range = np.zeros(self.x.shape[1]), np.ones(self.x.shape[1])
        if name == "ppi":
            self.low = sample.min(0).astype(float) - .01
            self.range = sample.max(0) + .01 - self.low
            np.save(folder / "bounds.npy", np.stack([self.low, self.low + self.range]))
            self.bounds = ["--bounds", folder / "bounds.npy"]
        np.save(folder / "sample.npy", sample)
        unit = self.unit(sample)
        self.mean = unit.mean(0)
        components = np.linalg.svd(unit - self.mean, full_matrices=False)[2]
        for r in (1, 4, 16):
            np.save(folder / f"worst{r}.npy", components[:r])
        if self.labels is not None:
            centred = sample - sample.mean(0)
            target = np.eye(self.labels.max() + 1)[self.labels[public]]
            weight = np.linalg.solve(centred.T @ centred + 5 * np.eye(sample.shape[1]),
                                     centred.T @ (target - target.mean(0)))
            np.savez(folder / "head.npz", weight=weight, bias=target.mean(0))
        self.clean = {steps: self.release("none", steps) for steps in (0, 2)}

    def unit(self, x):
        return np.clip((x - self.low) / self.range, 0, 1)

    def release(self, mechanism, steps, *words):
        bundle = self.folder / "bundle"
        budget = [] if mechanism in ("none", "featfree") else ["--eps-features", self.eps]
        run("protect", self.graph, "-o", bundle, "--force", "--feature-mechanism", mechanism, *budget,
            "--insecure-seed", SEED, "--public", "nodes,edges,columns,bounds,directions",
            "--propagate", steps, *self.bounds, *words)
        released = (np.load(bundle / "features.npy") - self.low) / self.range
        return released[self.others]

    def judge(self, name, mechanism, *words):
        answer = {"name": name}
        for steps, what in ((0, "error"), (2, "averaged")):
            got, clean = self.release(mechanism, steps, *words), self.clean[steps]
            error = float(((got - clean) ** 2).sum() / ((clean - self.mean) ** 2).sum())
            answer[what] = float(f"{error:.3g}")
            if self.labels is None:
                continue
            labels = self.labels[self.others]
            half = np.arange(len(labels)) % 2 == 0
            right = ridge(got[half], labels[half])(got[~half]) == labels[~half]
            answer["accuracy" + ("_averaged" if steps else "")] = round(float(right.mean()), 3)
        return answer


def main():
    eps = sys.argv[1] if len(sys.argv) > 1 else "1"
    for name in ("cora", "ppi"):
        with tempfile.TemporaryDirectory() as folder:
            case = Case(name, pathlib.Path(folder), eps)
            sample = ["--public-sample", case.folder / "sample.npy"]
            rows = [("none", "none"), ("featfree", "featfree"), ("featurerr", "featurerr"),
                    ("featurerr, posterior", "featurerr", "--decode", "posterior"),
                    ("featurerr-sampled", "featurerr-sampled")]
            for r in (1, 4, 16):
                rows += [(f"{r} components, worst-case bounds", "featurerr-projected",
                          "--directions", case.folder / f"worst{r}.npy")]
                rows += [(f"{r} components, bounds of the sample{after}", "featurerr-projected",
                          "--directions", f"pca:{r}", *sample, *decode)
                         for after, decode in (("", []), (", posterior", ["--decode", "posterior"]))]
            if case.labels is not None:
                head = ["--directions", "head", "--public-head", case.folder / "head.npz"]
                rows += [("head, worst-case bounds", "featurerr-projected", *head),
                         ("head, bounds of the sample", "featurerr-projected", *head, *sample)]
            for row in rows:
                print(json.dumps({"data": name, "eps": float(eps), **case.judge(*row)}), flush=True)


if __name__ == "__main__":
    main()
