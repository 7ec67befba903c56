"""igraph's stochastic block model (python3-igraph, its C core), as bench_generate prints its rows.

usage: peer_igraph_generate.py N_EDGES
The same number of nodes, classes, expected degree and homophily as bench_generate uses; igraph makes
neither features nor heavy-tailed degrees, so it has less to do."""
import json
import sys
import time

import igraph

AVERAGE_DEGREE, N_CLASSES, HOMOPHILY = 20, 10, 0.7

if len(sys.argv) != 2:
    sys.exit(__doc__)
n_edges = int(float(sys.argv[1]))
n_nodes = int(2 * n_edges / AVERAGE_DEGREE)
block = n_nodes // N_CLASSES
inside = HOMOPHILY * AVERAGE_DEGREE / block
outside = (1 - HOMOPHILY) * AVERAGE_DEGREE / (block * (N_CLASSES - 1))
preference = [[inside if a == b else outside for b in range(N_CLASSES)] for a in range(N_CLASSES)]

seconds = []
for _ in range(3):
    start = time.perf_counter()
    graph = igraph.Graph.SBM(block * N_CLASSES, preference, [block] * N_CLASSES)
    seconds.append(time.perf_counter() - start)
print(json.dumps({"name": "igraph.SBM", "value": graph.ecount() / min(seconds), "unit": "edges/s",
                  "n_nodes": graph.vcount(), "n_edges": graph.ecount()}))
