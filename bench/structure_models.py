#!/usr/bin/env python3
"""Write four random graphs of the kinds and sizes that docs/structure.md compares, as edge lists.

    bench/structure_models.py DIRECTORY [SEED]

ER.pairs   Erdos and Renyi: 10,000 nodes, each pair joined with probability .005
BA.pairs   Barabasi and Albert: 10,000 nodes, 5 edges each
p2p.pairs  22,687 nodes and 54,705 edges, each between one of 5,142 hosts and a node, chosen by log-normal weights
HK.pairs   Holme and Kim: 8,000 nodes, 6 edges each, triads closed with probability .6

Nodes are numbered at random, so that their order says nothing about edges. The same seed (1) writes the same files."""
import itertools
import pathlib
import random
import sys


def erdos_renyi(rng, n, p):
    edges, pair, n_pairs = set(), -1, n * (n - 1) // 2
    while True:  # the gaps between edges are geometric
        pair += 1 + int(rng.expovariate(1) / p)
        if pair >= n_pairs:
            return edges
        v = int((1 + (1 + 8 * pair) ** .5) / 2)
        v -= v * (v - 1) // 2 > pair
        v += v * (v + 1) // 2 <= pair
        edges.add((pair - v * (v - 1) // 2, v))


def preferential(rng, n, links, p_triad):
    """Each new node joins `links` others by degree; after the first, a neighbour of the last one with p_triad."""
    neighbours = [[] for _ in range(n)]
    ends, edges = list(range(links)), set()
    for v in range(links, n):
        joined, last = [], None
        while len(joined) < links:
            triad = last is not None and rng.random() < p_triad
            open_ones = [w for w in neighbours[last] if w not in joined and w != v] if triad else []
            u = rng.choice(open_ones) if open_ones else rng.choice(ends)
            if u in joined:
                continue
            joined.append(u)
            last = u if not open_ones else last
        for u in joined:
            edges.add((u, v))
            neighbours[u].append(v)
            neighbours[v].append(u)
            ends += [u, v]
    return edges


def hosts_and_nodes(rng, n, n_hosts, n_edges):
    weights = [list(itertools.accumulate(rng.lognormvariate(0, 1) for _ in range(k))) for k in (n_hosts, n)]
    edges = set()
    while len(edges) < n_edges:
        u = rng.choices(range(n_hosts), cum_weights=weights[0])[0]
        v = rng.choices(range(n), cum_weights=weights[1])[0]
        if u != v:
            edges.add((min(u, v), max(u, v)))
    return edges


def main():
    directory, seed = pathlib.Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    models = {"ER": (10000, lambda rng, n: erdos_renyi(rng, n, .005)), "BA": (10000, lambda rng, n: preferential(rng, n, 5, 0)),
              "p2p": (22687, lambda rng, n: hosts_and_nodes(rng, n, 5142, 54705)),
              "HK": (8000, lambda rng, n: preferential(rng, n, 6, .6))}
    for name, (n, make) in models.items():
        rng = random.Random(f"{name} {seed}")
        edges = make(rng, n)
        number = list(range(n))
        rng.shuffle(number)
        lines = sorted(tuple(sorted((number[u], number[v]))) for u, v in edges)
        (directory / f"{name}.pairs").write_text("".join(f"{u} {v}\n" for u, v in lines))


main()
