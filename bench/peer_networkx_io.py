"""networkx on a graph as GraphML or GEXF, as bench_io prints it: one JSON object a line.

usage: peer_networkx_io.py PAIRS FILE
The pairs are read, written to FILE (its ending says how) and read again. "checksum" is the sum of both ends over
all edges."""
import json
import sys
import time

import networkx

REPETITIONS = 3


def report(name, seconds, graph):
    print(json.dumps({"name": name, "value": min(seconds), "median": sorted(seconds)[REPETITIONS // 2], "unit": "s",
                      "n_edges": graph.number_of_edges(), "checksum": sum(u + v for u, v in graph.edges)}))


def main(pairs, path):
    kind = path.rsplit(".", 1)[1]
    write, read = getattr(networkx, f"write_{kind}"), getattr(networkx, f"read_{kind}")
    graph = networkx.read_edgelist(pairs, nodetype=int, data=False)
    graph.remove_edges_from(list(networkx.selfloop_edges(graph)))
    written, seen = [], []
    for _ in range(REPETITIONS):
        start = time.perf_counter()
        write(graph, path)
        written.append(time.perf_counter() - start)
        start = time.perf_counter()
        graph = read(path, node_type=int)
        seen.append(time.perf_counter() - start)
    report(f"networkx.write_{kind}", written, graph)
    report(f"networkx.read_{kind}", seen, graph)


if len(sys.argv) != 3:
    sys.exit(__doc__)
main(*sys.argv[1:])
