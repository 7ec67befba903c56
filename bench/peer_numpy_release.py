#!/usr/bin/env python3
"""FeatureRR and EdgeRR with a public tree in plain NumPy and Python: the peer of protect() on Cora.

    peer_numpy_release.py GRAPH.npz STEPS       features n x d, edges 2 x E, public (E of 0 and 1)

FeatureRR is peer_numpy_feature.py's usual way (ten bins, secure draws, eps 20 for a row). The tree is a hierarchical random
graph fitted to the public edges by so many steps of Clauset, Moore and Newman's chain; private edges are counted at the
lowest common ancestors of their ends, get geometric noise (eps 1), and synthetic ones are drawn there. One JSON object.
"""
import json
import math
import sys
import time

import numpy as np

import peer_numpy_feature as feature


class Tree:
    """A binary tree over n leaves; internal node i is n + i, the root n."""

    def __init__(self, n, edges, random):
        self.n, self.random = n, random
        self.left, self.right, self.parent = [0] * (2 * n - 1), [0] * (2 * n - 1), [-1] * (2 * n - 1)
        self.near = [[] for _ in range(n)]
        for u, v in edges:
            self.near[u].append(v)
            self.near[v].append(u)
        order = list(random.permutation(n))
        free = iter(range(n, 2 * n - 1))

        def build(leaves):  # halves: depth is logarithmic
            if len(leaves) == 1:
                return int(leaves[0])
            node, half = next(free), len(leaves) // 2
            a, b = build(leaves[:half]), build(leaves[half:])
            self.left[node], self.right[node] = a, b
            self.parent[a] = self.parent[b] = node
            return node

        build(order)
        self.size = [1] * n + [0] * (n - 1)
        for node in reversed(self.downwards()):
            if node >= n:
                self.size[node] = self.size[self.left[node]] + self.size[self.right[node]]
        self.count = [0] * (2 * n - 1)
        for u, v in edges:
            self.count[self.meet(u, v)] += 1

    def downwards(self):
        found, stack = [], [self.n]
        while stack:
            node = stack.pop()
            found.append(node)
            if node >= self.n:
                stack += [self.left[node], self.right[node]]
        return found

    def leaves(self, node):
        found, stack = [], [node]
        while stack:
            node = stack.pop()
            if node < self.n:
                found.append(node)
            else:
                stack += [self.left[node], self.right[node]]
        return found

    def meet(self, u, v):
        above = set()
        while u >= 0:
            above.add(u)
            u = self.parent[u]
        while v not in above:
            v = self.parent[v]
        return v

    def between(self, a, b):
        """Edges between two subtrees, from the smaller one."""
        if self.size[a] > self.size[b]:
            a, b = b, a
        inside = set(self.leaves(b))
        return sum(v in inside for u in self.leaves(a) for v in self.near[u])

    @staticmethod
    def likelihood(edges, pairs):
        if edges == 0 or edges == pairs:
            return 0.0
        p = edges / pairs
        return pairs * (p * math.log(p) + (1 - p) * math.log(1 - p))

    def step(self):
        n = self.n
        node = n + 1 + int(self.random.integers(n - 2))
        top = self.parent[node]
        other = self.right[top] if self.left[top] == node else self.left[top]
        a, b = self.left[node], self.right[node]
        if self.random.random() < 0.5:
            a, b = b, a
        # ((a, b), other) becomes ((a, other), b)
        below = self.between(a, other)
        above = self.count[node] + self.count[top] - below
        size = self.size
        before = (self.likelihood(self.count[node], size[a] * size[b]) +
                  self.likelihood(self.count[top], size[node] * size[other]))
        after = (self.likelihood(below, size[a] * size[other]) +
                 self.likelihood(above, (size[a] + size[other]) * size[b]))
        if math.log(self.random.random() + 1e-300) >= after - before:
            return
        self.left[node], self.right[node] = a, other
        self.left[top], self.right[top] = node, b
        self.parent[other], self.parent[b] = node, top
        size[node] = size[a] + size[other]
        self.count[node], self.count[top] = below, above


def release_edges(tree, private, eps, random):
    counts = np.zeros(2 * tree.n - 1, np.int64)
    for u, v in private:
        counts[tree.meet(u, v)] += 1
    p = 1 - math.exp(-eps)
    counts += random.geometric(p, counts.shape) - random.geometric(p, counts.shape)
    found = set()
    for node in range(tree.n, 2 * tree.n - 1):
        if counts[node] > 0:
            a, b = tree.leaves(tree.left[node]), tree.leaves(tree.right[node])
            for _ in range(min(int(counts[node]), len(a) * len(b))):
                found.add((a[random.integers(len(a))], b[random.integers(len(b))]))
    return found


def main(path, steps):
    data = np.load(path)
    x, edges, public = data["features"].astype(np.float32), data["edges"].T.tolist(), data["public"]
    known = [edge for edge, keep in zip(edges, public) if keep]
    secret = [edge for edge, keep in zip(edges, public) if not keep]
    random = np.random.default_rng(1)
    begin = time.perf_counter()
    table = feature.integers(feature.cumulative(np.ones(x.shape[1]), 20))
    out = feature.whole(x, table, feature.secure)
    middle = time.perf_counter()
    tree = Tree(len(x), known, random)
    for _ in range(int(steps)):
        tree.step()
    released = release_edges(tree, secret, 1.0, random)
    end = time.perf_counter()
    assert sum(tree.count) == len(known) and released
    print(json.dumps({"name": "protect_cora", "value": end - begin, "features": middle - begin, "edges": end - middle,
                      "mean": float(out.mean()), "unit": "s"}))


if __name__ == "__main__":
    main(*sys.argv[1:])
