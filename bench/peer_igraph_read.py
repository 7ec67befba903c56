"""igraph reads an edge list of numbers: one JSON object.

usage: peer_igraph_read.py FILE"""
import json
import sys
import time

import igraph


def main(path):
    start = time.process_time()
    graph = igraph.Graph.Read_Edgelist(path, directed=False).simplify()
    print(json.dumps({"name": "igraph.Read_Edgelist and simplify", "value": time.process_time() - start,
                      "n_edges": graph.ecount()}))


if len(sys.argv) != 2:
    sys.exit(__doc__)
main(sys.argv[1])
