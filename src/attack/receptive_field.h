/* receptive_field.h: which nodes an answer depends on, hop by hop, and the weights of the hops. */
#ifndef HRR_ATTACK_RECEPTIVE_FIELD_H
#define HRR_ATTACK_RECEPTIVE_FIELD_H

#include <heterorr/learn.h>

/* One multiplication with a normalised adjacency, between the nodes before and after it. */
typedef struct hrr_hop {
    hrr_csr pattern;                 /* nodes after x nodes before */
    hrr_csr scatter;                 /* its transpose */
    double *weight, *scatter_weight; /* of their entries */
} hrr_hop;

/* A network multiplies with adjacencies n_hops times: n_propagate times on the features, then once
 * in each layer (a layer without edges hops from a node to itself). nodes[t] are those whose values
 * are needed after t hops; the last ones are those that were asked about. */
typedef struct hrr_receptive_field {
    uint32_t n_hops;
    uint64_t *n_nodes; /* n_hops + 1 */
    uint32_t **nodes;  /* ascending but for the last, which are as asked */
    hrr_hop *hops;
} hrr_receptive_field;

/* asked: distinct. Errors: HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_receptive_field_init(hrr_receptive_field *out, const hrr_model_shape *shape,
                                    const hrr_graph *graph, const uint32_t *asked, uint64_t n_asked,
                                    hrr_progress *progress, hrr_error *err) HRR_CHECKED;
void hrr_receptive_field_clear(hrr_receptive_field *field);

#endif
