"""train --arch sign against NumPy: what it predicts, and its weights after some steps; batches, a
scratch file, and what is refused."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError as missing:
    print(f"SKIPPED: {missing}; install python3-numpy", file=sys.stderr)
    sys.exit(77)

from command import HETERORR, CommandTest


def hops(graph, n_hops):
    """[X, S X, ...] with S = D^-1/2 (A + I) D^-1/2, in doubles."""
    x = np.load(graph / "features.npy").astype(float)
    adjacency = np.eye(len(x))
    for a, b in np.load(graph / "edges.npy").T:
        adjacency[a, b] = adjacency[b, a] = 1
    scale = adjacency.sum(1) ** -.5
    s = scale[:, None] * adjacency * scale
    parts = [x]
    for _ in range(n_hops):
        parts.append(s @ parts[-1])
    return np.hstack(parts)


class Network:
    """Two layers, softmax cross-entropy, full batch."""

    def __init__(self, model):
        with np.load(model / "weights.npz") as file:
            self.p = [file[name].astype(float) for name in ("weight_0", "bias_0", "weight_1", "bias_1")]

    def logits(self, x):
        hidden = np.maximum(x @ self.p[0] + self.p[1], 0)
        return hidden, hidden @ self.p[2] + self.p[3]

    def gradient(self, x, y):
        hidden, logits = self.logits(x)
        delta = np.exp(logits - logits.max(1, keepdims=True))
        delta /= delta.sum(1, keepdims=True)
        delta[np.arange(len(y)), y] -= 1
        delta /= len(y)
        inner = (delta @ self.p[2].T) * (hidden > 0)
        return [x.T @ inner, inner.sum(0), hidden.T @ delta, delta.sum(0)]


class Hops(CommandTest):
    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory(prefix="heterorr-hops-")
        cls.addClassCleanup(place.cleanup)
        cls.graph = pathlib.Path(place.name) / "graph"
        subprocess.run([HETERORR, "generate", "--nodes", "120", "--avg-degree", "5", "--features",
                        "7", "--classes", "3", "--private-fraction", "0", "--seed", "4", "-o",
                        cls.graph], check=True, capture_output=True)
        cls.y = np.load(cls.graph / "labels.npy")
        cls.train_nodes = np.load(cls.graph / "split.npy") == 0

    def train(self, name, *options, n_hops=2):
        self.succeeds("train", self.graph, "-o", self.scratch / name, "--arch", "sign",
                      "--propagate", str(n_hops), "--hidden", "6", "--non-private", *options)
        return self.scratch / name

    def test_predictions_are_those_of_numpy(self):
        for n_hops in (1, 3):
            model = self.train(f"model{n_hops}", "--epochs", "20", n_hops=n_hops)
            out = self.scratch / f"logits{n_hops}.npy"
            self.succeeds("predict", model, self.graph, "-o", out, "--logits")
            expected = Network(model).logits(hops(self.graph, n_hops))[1]
            np.testing.assert_allclose(np.load(out), expected, rtol=1e-4, atol=1e-4)
            with (model / "model.json").open() as file:
                about = json.load(file)
            self.assertEqual((about["arch"], about["propagate"], about["features"]),
                             ("sign", n_hops, 7))

    def test_steps_are_those_of_numpy(self):
        plain = ("--dropout", "0", "--patience", "0", "--weight-decay", "0")
        network = Network(self.train("first", *plain, "--epochs", "1", "--lr", "1e-30"))
        x, y = hops(self.graph, 2)[self.train_nodes], self.y[self.train_nodes]
        mean, square = [0] * 4, [0] * 4
        for step in range(1, 11):  # Adam
            for i, g in enumerate(network.gradient(x, y)):
                mean[i] = .9 * mean[i] + .1 * g
                square[i] = .999 * square[i] + .001 * g * g
                network.p[i] = network.p[i] - .01 * (mean[i] / (1 - .9 ** step)) / (
                    np.sqrt(square[i] / (1 - .999 ** step)) + 1e-8)
        trained = Network(self.train("trained", *plain, "--epochs", "10"))
        for ours, theirs in zip(trained.p, network.p):
            np.testing.assert_allclose(ours, theirs, rtol=2e-3, atol=2e-4)

    def test_an_epoch_of_batches_sees_every_node_once(self):
        # With small steps, those of an epoch add up to the gradient of all nodes.
        plain = ("--dropout", "0", "--patience", "0", "--weight-decay", "0", "--optimiser", "sgd",
                 "--epochs", "1")
        first = Network(self.train("first", *plain, "--lr", "1e-30"))
        x, y = hops(self.graph, 2)[self.train_nodes], self.y[self.train_nodes]
        n = len(y)
        self.assertEqual(n % 6, 0, "batches of equal size make the sum simple")
        model = self.train("moved", *plain, "--lr", ".001", "--batch", str(n // 6))
        for before, after, g in zip(first.p, Network(model).p, first.gradient(x, y)):
            np.testing.assert_allclose((before - after) / .001, 6 * g, atol=.02 * np.abs(6 * g).max())

    def test_where_rows_are_kept_does_not_matter(self):
        options = ("--epochs", "6", "--batch", "16", "--standardise")
        kept = self.train("memory", *options)
        mapped = self.train("file", *options, "--scratch", str(self.scratch))
        self.assertEqual((kept / "weights.npz").read_bytes(), (mapped / "weights.npz").read_bytes())
        self.assertEqual(sorted(path.name for path in self.scratch.iterdir()), ["file", "memory"])
        self.fails(3, "train", self.graph, "-o", self.scratch / "m", "--arch", "sign",
                   "--non-private", "--scratch", self.scratch / "missing", says="missing: the file for")

    def test_what_is_refused(self):
        model = self.train("model", "--epochs", "3")
        self.fails(2, "export", model, "--onnx", self.scratch / "x.onnx", "--non-private",
                   says="sign network")
        self.fails(2, "attack", "linkteller", model, self.graph, "--all-edges", says="sign network")
        self.fails(2, "train", self.graph, "-o", self.scratch / "m", "--arch", "sign",
                   "--eps-labels", "2", "--non-private", says="correction for protected labels")


if __name__ == "__main__":
    unittest.main()
