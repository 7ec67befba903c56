#!/usr/bin/env python3
"""PGB's fifteen queries in networkx or igraph, the peers of bench_pgb.

    peer_pgb.py networkx|igraph GRAPH.pairs

Each query by the fastest exact call that the library has, starting from its own graph; where one call answers several,
each of them counts that call, and "all" counts it once. Seconds of the fastest repetition in a second of processor time, at
least one. networkx would need many minutes for paths from all nodes: it searches from 100 of them, and the time is
multiplied; the answer it gives is that of these nodes, which igraph gives as well.
"""
import json
import math
import sys
import time

import numpy as np

PATIENCE, SOURCES = 1., 100


def read(path):
    """Edges once, without loops; nodes in the order of their numbers."""
    pairs = np.loadtxt(path, dtype=np.int64)[:, :2]
    pairs = np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1)
    pairs = np.unique(pairs, axis=0)
    nodes, pairs = np.unique(pairs, return_inverse=True)
    return len(nodes), pairs.reshape(-1, 2).tolist()


def path_sources(n):
    return np.random.default_rng(1).choice(n, SOURCES, replace=False).tolist()


def spread(degrees):
    return float(np.var(degrees, ddof=1))


def networkx_queries(n, edges):
    import networkx as nx
    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(edges)
    sources, top = path_sources(n), max(1, n // 100)

    def paths():
        lengths = [d for s in sources for d in nx.single_source_shortest_path_length(graph, s).values()]
        return np.bincount(lengths)

    def diameter():
        return max(nx.diameter(graph.subgraph(part), usebounds=True) for part in nx.connected_components(graph))

    def triangles():
        return sum(nx.triangles(graph).values()) // 3

    def louvain():
        return nx.community.louvain_communities(graph, seed=1)

    def central():
        vector = nx.eigenvector_centrality_numpy(graph)
        return float(np.sort(list(vector.values()))[::-1][:top].sum())

    degrees = lambda: np.array([d for _, d in graph.degree])  # noqa: E731
    many = n / SOURCES
    return {"nodes": (1, graph.number_of_nodes), "edges": (1, graph.number_of_edges),
            "triangles": (1, triangles),
            "mean_degree": (1, lambda: 2 * graph.number_of_edges() / graph.number_of_nodes()),
            "degree_variance": (1, lambda: spread(degrees())),
            "degree_kl": (1, lambda: int((np.bincount(degrees()) * np.arange(degrees().max() + 1) ** 2).sum())),
            "diameter": (1, diameter),
            "mean_path": (many, lambda: mean_of(paths())), "distance_kl": (many, lambda: squares_of(paths())),
            "gcc": (1, lambda: nx.transitivity(graph)), "acc": (1, lambda: nx.average_clustering(graph)),
            "nmi": (1, lambda: len(louvain())),
            "modularity": (1, lambda: nx.community.modularity(graph, louvain())),
            "assortativity": (1, lambda: nx.degree_assortativity_coefficient(graph)), "evc_mae": (1, central)}


def igraph_queries(n, edges):
    import igraph
    graph = igraph.Graph(n, edges)
    top = max(1, n // 100)

    def histogram():
        found = graph.path_length_hist(directed=False)
        return np.array([n / 2] + [count for _, _, count in found.bins()]) * 2

    def meetings(degrees):
        return sum(d * (d - 1) // 2 for d in degrees)

    def louvain():
        return graph.community_multilevel()

    def some_paths():
        lengths = np.array(graph.distances(path_sources(n)))
        return np.bincount(lengths[np.isfinite(lengths)].astype(int))

    def central():
        vector = np.array(graph.eigenvector_centrality(directed=False, scale=False))
        return float(np.sort(vector / np.linalg.norm(vector))[::-1][:top].sum())

    return {"nodes": (1, graph.vcount), "edges": (1, graph.ecount),
            "triangles": (1, lambda: round(graph.transitivity_undirected() * meetings(graph.degree()) / 3)),
            "mean_degree": (1, lambda: 2 * graph.ecount() / graph.vcount()),
            "degree_variance": (1, lambda: spread(graph.degree())),
            "degree_kl": (1, lambda: int((np.bincount(graph.degree()) * np.arange(graph.maxdegree() + 1) ** 2).sum())),
            "diameter": (1, lambda: graph.diameter(directed=False, unconn=True)),
            "mean_path": (1, lambda: graph.average_path_length(directed=False, unconn=True)),
            "distance_kl": (1, lambda: squares_of(histogram())),
            "gcc": (1, graph.transitivity_undirected),
            "acc": (1, lambda: graph.transitivity_avglocal_undirected(mode="zero")),
            "nmi": (1, lambda: len(louvain())), "modularity": (1, lambda: louvain().modularity),
            "assortativity": (1, lambda: graph.assortativity_degree(directed=False)), "evc_mae": (1, central),
            "some_mean_path": (1, lambda: mean_of(some_paths())),
            "some_distance_kl": (1, lambda: squares_of(some_paths()))}


def mean_of(counts):
    return float((counts * np.arange(len(counts))).sum() / counts[1:].sum())


def squares_of(counts):
    return float((counts * np.arange(len(counts)) ** 2).sum())


def main(library, path):
    queries = {"networkx": networkx_queries, "igraph": igraph_queries}[library](*read(path))
    for name, (times, query) in queries.items():
        once = time.process_time()
        answer = query()
        took = time.process_time() - once
        calls = min(1000, max(1, int(1e-2 / max(took, 1e-9))))  # short ones together
        left = PATIENCE - took
        while left > 0:
            once = time.process_time()
            for _ in range(calls):
                answer = query()
            spent = time.process_time() - once
            took, left = min(took, spent / calls), left - spent
        if math.isnan(float(answer)):
            sys.exit(f"{library}: {name} is not a number")
        print(json.dumps({"name": name, "cpu": took * times, "unit": "s", "answer": float(answer)}), flush=True)


main(*sys.argv[1:])
