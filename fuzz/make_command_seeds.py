"""Make the seeds of the fuzz targets that read what the command writes: fuzz/seeds/{model,head,scores,
bundle}/.

They are committed; run this again only to change them, with HETERORR naming the command."""
import os
import pathlib
import subprocess
import tempfile

from make_graph_seeds import npy, npz, put


def run(*words):
    subprocess.run([os.environ["HETERORR"], *map(str, words)], check=True, capture_output=True)


def files(directory, *names):
    return [(directory / name).read_bytes() if (directory / name).exists() else b"" for name in names]


BUNDLE = ("certificate.json", "CERTIFICATE.txt", "graph.json", "edges.npy", "features.npy", "labels.npy",
          "blocks.npy", "block_counts.npy")

put("head", "linear", npz(weight=[[1.0, 2.0], [3.0, 4.0]], bias=[[0.0, 1.0]]))
put("head", "hidden", npz(hidden_weight=[[1.0], [2.0]], hidden_bias=[[0.0]], weight=[[1.0, 2.0]],
                          bias=[[0.0, 1.0]]))
LABELS = npz(weight=[[1.0, -2.0], [3.0, 4.0]], bias=[0.0, 1.0], output=[1.0], shares=[1.0, 3.0])
put("head", "labels", LABELS)
put("head", "alone", npy([[1.0, 2.0], [3.0, 4.0]], "<f8"))
put("scores", "public", npz(alpha=[.2, .3, .5], beta=[.5, .3, .2], theta=[.35, .3, .35], gamma=[.5],
                            public=[True], record=[b"made up"]))

with tempfile.TemporaryDirectory() as scratch:
    at = pathlib.Path(scratch)
    os.environ["XDG_DATA_HOME"] = scratch
    run("generate", "--nodes", 8, "--features", 2, "--classes", 2, "--avg-degree", 3, "-o", at / "graph")
    (at / "head.npz").write_bytes(LABELS)
    for name, words in (("features", ()), ("reports", ("--head", at / "head.npz")), ("tree", ("--eps-edges", 1)),
                        ("counts", ("--eps-edges", 1, "--edge-mechanism", "edgerr-node")),
                        ("paper", ("--mode", "paper", "--eps-labels", 1, "--bounds", "data"))):
        run("protect", at / "graph", "-o", at / name, "--eps-features", 1, "--insecure-seed", 1, *words)
        put("bundle", name, *files(at / name, *BUNDLE))
    for name in ("features", "counts", "reports"):
        run("train", at / name, "-o", at / f"{name}-model", "--hidden", 2, "--epochs", 2)
        put("model", name, *files(at / f"{name}-model", "model.json", "weights.npz", "counts.npz",
                                  "reports.npz", "base.npz", "no_edges.npz"))
