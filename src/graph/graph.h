/* graph.h: what an hrr_graph is made of, for the files of this room only. */
#ifndef HRR_GRAPH_GRAPH_H
#define HRR_GRAPH_GRAPH_H

#include <heterorr/graph.h>

/* Which edges are private. */
typedef struct hrr_private_edges {
    uint8_t *flags;     /* 0 or 1 for each edge; NULL: none is marked */
    hrr_region storage; /* borrowed from the marks while one mark column says the same */
    uint64_t count;
} hrr_private_edges;

struct hrr_graph {
    char *name;
    char *provenance; /* NULL: none was given */
    uint64_t n_nodes;

    /* Canonical. The arrays may lie in a read-only mapping: nobody writes into them. */
    hrr_edge_list edges;
    bool has_edges; /* taken once: an empty edge list counts */
    hrr_removed removed;
    unsigned inferred; /* hrr_inferred bits */

    int n_marks;
    char *mark_names[HRR_MAX_MARKS];
    uint64_t mark_edges_count[HRR_MAX_MARKS];

    hrr_private_edges private_edges;
    hrr_marking marking;

    hrr_dense features, masked_features;
    double *feature_bounds; /* lo of every feature, then hi; NULL: the input does not state them */
    uint32_t n_classes;
    int32_t *classes;
    hrr_dense label_matrix; /* has data: several labels a node, and no classes */
    char **class_names;     /* n_classes, or NULL */
    uint8_t *split;
    uint32_t *graph_ids;
    hrr_node_ids node_ids;
    uint8_t *candidates;
};

/* marks.c: edges whose marks have one of `bits` set. No copy if there is a single mark column.
 * Errors: HRR_ENOMEM. */
hrr_status hrr_private_from_marks(hrr_private_edges *out, const hrr_edge_list *edges, int n_marks,
                                  uint8_t bits, hrr_error *err);
void hrr_private_clear(hrr_private_edges *edges);
/* marks.c: which edges are private, as in a graph with the same edges. Errors: HRR_ENOMEM. */
hrr_status hrr_graph_copy_private(hrr_graph *to, const hrr_graph *from, hrr_error *err);

/* labels.c: as if none had been taken. */
void hrr_labels_clear(hrr_graph *graph);

/* edges.c: HRR_EDATA if an edge joins two graphs of the collection; graph_ids NULL: there is one
 * graph. Endpoints must be in range; `what` names the list. */
hrr_status hrr_edges_check_graphs(const hrr_edge_list *edges, const uint32_t *graph_ids,
                                  const char *what, hrr_error *err);

#endif
