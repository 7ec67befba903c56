/* readme.c: see readme.h. One line for each library, which tests/cli/test_readme.py takes from the
 * file and runs. It says what files are there and how many nodes, which the bundle shows anyway. */
#include "release/readme.h"
#include "certificate/text_page.h"
#include "base/memory.h"
#include "base/paths.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What of a bundle a piece of text is about. */
enum { always = 0, features = 1, labels = 2, one_class = 4, several_labels = 8, ids = 16 };

/* In order; '#' stands for the number of nodes. */
static const struct {
    int about;
    const char *text;
} pieces[] = {
    {always,
     "How to load this release of # nodes. CERTIFICATE.txt says what is promised about it.\n"
     "Is it whole? heterorr verify FOLDER. Train on it? heterorr train FOLDER -o MODEL.\n"
     "edges.npy: 2 x E node numbers, each undirected edge once; edge_index.npy: both ways.\n"},
    {features, "features.npy: n x d, row i is about node i.\n"},
    {one_class, "labels.npy: n classes, -1 where unknown.\n"},
    {several_labels, "labels.npy: n x C of 0 and 1.\n"},
    {ids, "node_ids.npy: what the nodes were called.\n"},
    {always,
     "train_mask.npy, valid_mask.npy, test_mask.npy: the split. Run a line in this folder.\n"},

    {always, "\nnumpy:    import numpy as np; edges = np.load('edges.npy')"},
    {features, "; x = np.load('features.npy')"},
    {labels, "; y = np.load('labels.npy')"},

    {always,
     "\nscipy:    import numpy as np, scipy.sparse as sp; i, j = np.load('edge_index.npy'); "
     "adjacency = sp.csr_matrix((np.ones(len(i)), (i, j)), shape=(#, #))"},

    {always, "\nnetworkx: import networkx as nx, numpy as np; graph = nx.empty_graph(#); "
             "graph.add_edges_from(np.load('edges.npy').T.tolist())"},

    {always, "\nigraph:   import igraph, numpy as np; "
             "graph = igraph.Graph(n=#, edges=np.load('edges.npy').T.tolist())"},

    {always, "\ntorch:    import numpy as np, torch; "
             "edge_index = torch.from_numpy(np.load('edge_index.npy')).long()"},
    {features, "; x = torch.from_numpy(np.load('features.npy'))"},
    {labels, "; y = torch.from_numpy(np.load('labels.npy')).long()"},

    {always, "\nPyG:      import numpy as np, torch, torch_geometric.data as pyg; "
             "data = pyg.Data(num_nodes=#, "
             "edge_index=torch.from_numpy(np.load('edge_index.npy')).long()"},
    {features, ", x=torch.from_numpy(np.load('features.npy'))"},
    {labels, ", y=torch.from_numpy(np.load('labels.npy')).long()"},
    {always, ")"},

    {always, "\nDGL:      import dgl, numpy as np, torch; "
             "graph = dgl.graph(tuple(torch.from_numpy(np.load('edge_index.npy')).long()), "
             "num_nodes=#)"},
    {features, "; graph.ndata['feat'] = torch.from_numpy(np.load('features.npy'))"},
    {labels, "; graph.ndata['label'] = torch.from_numpy(np.load('labels.npy')).long()"},

    {always,
     "\nC:        hrr_graph *graph; hrr_status status = hrr_graph_read(&graph, \".\", NULL, "
     "NULL, NULL); /* <heterorr/heterorr.h> */\n"
     "\nDGL GraphBolt reads a copy of the folder by its metadata.yaml.\n"},
};

static void put(hrr_text_page *page, const char *text, uint64_t n_nodes)
{
    char number[24], part[256];
    snprintf(number, sizeof number, "%" PRIu64, n_nodes);
    while (*text) {
        size_t length = strcspn(text, "#");
        if (length >= sizeof part) length = sizeof part - 1;
        snprintf(part, sizeof part, "%.*s", (int)length, text);
        hrr_page_put(page, part);
        text += length;
        if (*text == '#') hrr_page_put(page, number), text++;
    }
}

hrr_status hrr_readme_write(const char *directory, const hrr_graph *graph, bool has_features,
                            bool has_labels, hrr_error *err)
{
    const int has = (has_features ? features : 0) |
                    (!has_labels                      ? 0
                     : hrr_graph_is_multilabel(graph) ? labels | several_labels
                                                      : labels | one_class) |
                    (hrr_graph_node_ids(graph) ? ids : 0);
    hrr_text_page page = {0};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        if ((pieces[i].about & has) == pieces[i].about)
            put(&page, pieces[i].text, hrr_graph_n_nodes(graph));
    char *path = hrr_path_join(directory, "README.txt");
    hrr_output *output = NULL;
    hrr_status status = path && !page.out_of_memory ? HRR_OK : hrr_no_memory(err);
    if (!status) status = hrr_output_open(&output, path, err);
    if (!status) status = hrr_output_write(output, page.text, page.used, err);
    if (!status) status = hrr_output_commit(output, err);
    hrr_output_free(output);
    hrr_free(page.text);
    hrr_free(path);
    return status;
}
