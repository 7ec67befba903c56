/* served.h: a model and its release, ready to answer. */
#ifndef HRR_SERVE_SERVED_H
#define HRR_SERVE_SERVED_H

#include "attack/local_service.h"
#include "graph/name_index.h"

#include <heterorr/serve.h>

/* Nothing changes once it is made; `local` is for one thread at a time. */
typedef struct hrr_served {
    char *name;
    hrr_model *model;
    hrr_release *release;
    hrr_graph *own_graph;   /* that the release borrows; NULL: it has its own */
    const hrr_graph *graph; /* of the release */
    hrr_csr neighbours;     /* of every node, as released; empty unless is_private */
    /* What the network says of every node, F64: logits, or probabilities as they are told where
     * nothing else of the row is ever told. */
    hrr_dense table;
    bool has_probabilities;   /* in the table */
    uint32_t *labels;         /* of every node; NULL: found in the table's rows */
    hrr_name_index names;     /* empty: nodes are called 0, 1, 2... */
    bool has_names, texts;    /* texts: names that are no integers */
    hrr_local_service *local; /* for changed features; NULL: not answered */
    bool unseen;              /* answers about unseen nodes, too */
    bool is_private;
    bool is_matched; /* the model says that it was trained on this very release */
    hrr_returns returns;
    int decimals;
    uint64_t most_nodes;
} hrr_served;

/* Errors: as hrr_server_start(). */
HRR_STATUS hrr_served_open(hrr_served **out, const hrr_served_model *what,
                           const hrr_server_options *options, hrr_progress *progress,
                           hrr_error *err);
void hrr_served_free(hrr_served *served);

/* n rows of logits become probabilities, rounded as they are told. */
void hrr_served_to_probabilities(double *rows, const hrr_served *served, uint64_t n);
/* The place of the largest. */
uint32_t hrr_largest(const double *row, uint64_t n_classes);

uint32_t hrr_served_n_classes(const hrr_served *served);
bool hrr_served_is_multilabel(const hrr_served *served);

/* Which node is called so. */
bool hrr_served_find(const hrr_served *served, int64_t name, uint32_t *node);
bool hrr_served_find_text(const hrr_served *served, const char *name, uint32_t *node);

#endif
