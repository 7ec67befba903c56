/* readme.c: see readme.h. One line for each library, which tests/cli/test_readme.py takes from the
 * file and runs. It says what files are there and how many nodes, which the bundle shows anyway. */
#include "release/readme.h"
#include "base/memory.h"
#include "base/paths.h"

#include <inttypes.h>
#include <string.h>

#define LOAD(name) "np.load(\"" name ".npy\")"
#define TENSOR(name) "torch.from_numpy(" LOAD(name) ")"

static char *compose(const hrr_graph *graph, bool x, bool y)
{
    const uint64_t n = hrr_graph_n_nodes(graph);
    return hrr_format_text(
        "How to load this release of %" PRIu64
        " nodes. CERTIFICATE.txt says what is promised about "
        "it.\n"
        "Is it whole? heterorr verify FOLDER. Train on it? heterorr train FOLDER -o MODEL.\n"
        "edges.npy: 2 x E node numbers, each undirected edge once; edge_index.npy: both ways.\n"
        "%s%s%s"
        "train_mask.npy, valid_mask.npy, test_mask.npy: the split. Run a line in this folder.\n"
        "\n"
        "numpy:    import numpy as np; edges = " LOAD(
            "edges") "%s%s\n"
                     "scipy:    import numpy as np, scipy.sparse as sp; i, j = " LOAD(
                         "edge_index") "; adjacency "
                                       "= sp.csr_matrix((np.ones(len(i)), (i, j)), shape=(%" PRIu64
                                       ", %" PRIu64 "))\n"
                                       "networkx: import networkx as nx, numpy as np; graph = "
                                       "nx.empty_graph(%" PRIu64 "); "
                                       "graph.add_edges_from(" LOAD(
                                           "edges") ".T.tolist())\n"
                                                    "igraph:   import igraph, numpy as np; graph = "
                                                    "igraph.Graph(n=%" PRIu64 ", edges=" LOAD(
                                                        "edges") ".T.tolist())\n"
                                                                 "torch:    import numpy as np, "
                                                                 "torch; edge_index = " TENSOR(
                                                                     "edge_index") ".long()%s%s\n"
                                                                                   "PyG:      "
                                                                                   "import numpy "
                                                                                   "as np, torch, "
                                                                                   "torch_"
                                                                                   "geometric.data "
                                                                                   "as pyg; data = "
                                                                                   "pyg.Data(num_"
                                                                                   "nodes=%" PRIu64
                                                                                   ", "
                                                                                   "edge_"
                                                                                   "index=" TENSOR(
                                                                                       "edge_index") ".long()%s%s)\n"
                                                                                                     "DGL:      import dgl, numpy as np, torch; graph = dgl.graph(tuple(" TENSOR(
                                                                                                         "edge_index") ".long()), num_nodes=%" PRIu64
                                                                                                                       ")%s%s\n"
                                                                                                                       "C:        hrr_graph *graph; hrr_status status = hrr_graph_read(&graph, \".\", NULL, NULL, "
                                                                                                                       "NULL); /* <heterorr/heterorr.h> */\n"
                                                                                                                       "\n"
                                                                                                                       "DGL GraphBolt reads a copy of the folder by its metadata.yaml.\n",
        n, x ? "features.npy: n x d, row i is about node i.\n" : "",
        y ? hrr_graph_is_multilabel(graph) ? "labels.npy: n x C of 0 and 1.\n"
                                           : "labels.npy: n classes, -1 where unknown.\n"
          : "",
        hrr_graph_node_ids(graph) ? "node_ids.npy: what the nodes were called.\n" : "",
        x ? "; x = " LOAD("features") : "", y ? "; y = " LOAD("labels") : "", n, n, n, n,
        x ? "; x = " TENSOR("features") : "", y ? "; y = " TENSOR("labels") ".long()" : "", n,
        x ? ", x=" TENSOR("features") : "", y ? ", y=" TENSOR("labels") ".long()" : "", n,
        x ? "; graph.ndata[\"feat\"] = " TENSOR("features") : "",
        y ? "; graph.ndata[\"label\"] = " TENSOR("labels") ".long()" : "");
}

hrr_status hrr_readme_write(const char *directory, const hrr_graph *graph, bool has_features,
                            bool has_labels, hrr_error *err)
{
    char *path = hrr_path_join(directory, "README.txt");
    char *text = compose(graph, has_features, has_labels);
    hrr_output *output = NULL;
    hrr_status status = path && text ? HRR_OK : hrr_no_memory(err);
    if (!status) status = hrr_output_open(&output, path, err);
    if (!status) status = hrr_output_write(output, text, strlen(text), err);
    if (!status) status = hrr_output_commit(output, err);
    hrr_output_free(output);
    hrr_free(text);
    hrr_free(path);
    return status;
}
