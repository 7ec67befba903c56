"""Training compared loss by loss with PyTorch, from the same first weights, without dropout.

Twenty epochs of single precision: losses may drift apart by rounding, and stay within 1e-4.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy
    import torch
except ImportError as missing:
    print(f"SKIPPED: {missing}; install python3-torch", file=sys.stderr)
    sys.exit(77)

EPOCHS = 20


def adjacency(edges, n, norm):
    rows = numpy.concatenate([edges[0], edges[1], numpy.arange(n)])
    cols = numpy.concatenate([edges[1], edges[0], numpy.arange(n)])
    a = numpy.zeros((n, n), "f4")
    a[rows, cols] = 1
    degree = a.sum(1)
    return torch.from_numpy(a / degree[:, None] if norm == "mean"
                            else a / numpy.sqrt(degree[:, None] * degree[None]))


class Training(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="heterorr-torch-")
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)
        torch.set_num_threads(1)

    def ours(self, *words):
        done = subprocess.run([os.environ["HRR_DUMP_LEARN"], "losses", self.scratch / "graph",
                               self.scratch / "first", *map(str, words), str(EPOCHS)], text=True,
                              capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return numpy.array([line.split() for line in done.stdout.splitlines()], float)

    def theirs(self, arch, norm, layers, optimiser):
        graph = self.scratch / "graph"
        x = torch.from_numpy(numpy.load(graph / "features.npy").astype("f4"))
        labels = numpy.load(graph / "labels.npy")
        split = numpy.load(graph / "split.npy")
        a = adjacency(numpy.load(graph / "edges.npy"), len(x), norm)
        first = numpy.load(self.scratch / "first" / "weights.npz")
        weights = [torch.nn.Parameter(torch.from_numpy(first[f"{kind}_{i}"]))
                   for i in range(layers) for kind in ("weight", "bias")]
        step = (torch.optim.SGD(weights, lr=.01, momentum=.9, weight_decay=5e-4)
                if optimiser == "sgd" else torch.optim.Adam(weights, lr=.01, weight_decay=5e-4))
        if labels.ndim == 2:
            loss_of, y = torch.nn.BCEWithLogitsLoss(), torch.from_numpy(labels.astype("f4"))
        else:
            loss_of, y = torch.nn.CrossEntropyLoss(), torch.from_numpy(labels.astype("i8"))
        losses = []
        for _ in range(EPOCHS):
            step.zero_grad()
            h = x
            for i in range(layers):
                h = (h if arch == "mlp" else a @ h) @ weights[2 * i] + weights[2 * i + 1]
                h = torch.relu(h) if i + 1 < layers else h
            train = loss_of(h[split == 0], y[split == 0])
            losses.append((train.item(), loss_of(h[split == 1], y[split == 1]).item()))
            train.backward()
            step.step()
        return numpy.array(losses)

    def compare(self, arch, norm, layers, hidden, optimiser, *generate):
        subprocess.run([os.environ["HETERORR"], "generate", "--nodes", "300", "--avg-degree", "8",
                        "--private-fraction", "0", "--force", "-o", self.scratch / "graph",
                        *generate], check=True, capture_output=True)
        ours = self.ours(arch, norm, layers, hidden, optimiser)
        theirs = self.theirs(arch, norm, layers, optimiser)
        numpy.testing.assert_allclose(ours, theirs, rtol=1e-4)
        self.assertNotAlmostEqual(ours[0, 0], ours[-1, 0], 3)

    def test_usual_gcn(self):
        self.compare("gcn", "symmetric", 2, 64, "adam", "--features", "20")

    def test_features_wider_than_the_hidden_layer(self):
        self.compare("gcn", "symmetric", 2, 16, "adam", "--features", "100")

    def test_means_and_several_labels(self):
        self.compare("gcn", "mean", 2, 16, "adam", "--features", "30", "--multilabel", "--classes",
                     "24")

    def test_three_layers_by_descent(self):
        self.compare("gcn", "mean", 3, 32, "sgd", "--features", "30")

    def test_without_edges(self):
        self.compare("mlp", "symmetric", 2, 32, "adam", "--features", "30")


if __name__ == "__main__":
    unittest.main()
