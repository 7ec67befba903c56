"""Graphs of real pictures: scikit-learn's handwritten digits (8 x 8, no download), and what a public network that nobody trained
makes of them: a random layer with ReLU, of which the pictures can be computed back."""
import json

import numpy
import sklearn.datasets


def digits():
    """Pictures (n x 8 x 8 bytes) and their classes."""
    data = sklearn.datasets.load_digits()
    return numpy.round(data.images * (255 / 16)).astype(numpy.uint8), data.target


def embed(pictures, width=32, seed=1):
    """relu(x W), W drawn once and public."""
    x = pictures.reshape(len(pictures), -1) / 255.0
    weight = numpy.random.default_rng(seed).normal(size=(x.shape[1], width)) / 4
    return numpy.maximum((x - .3) @ weight, 0).astype(numpy.float32)


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


def save_graph(path, features, classes, edges=None, private=None):
    """A native folder."""
    path.mkdir(parents=True)
    edges = numpy.zeros((2, 0), numpy.int32) if edges is None else edges
    numpy.save(path / "edges.npy", edges.astype(numpy.int32))
    numpy.save(path / "features.npy", features)
    numpy.save(path / "labels.npy", classes.astype(numpy.int32))
    if private is not None:
        numpy.save(path / "private.npy", private.astype(numpy.uint8))
    (path / "graph.json").write_text(json.dumps({
        "format": "heterorr graph", "format_version": 1, "name": path.name, "n_nodes": len(features),
        "n_edges": edges.shape[1], "n_features": features.shape[1], "n_classes": int(classes.max()) + 1}))
    return path
