/* queries.h: which candidate pairs are counted together.
 *
 * A query is a set of internal nodes of the tree; it asks how many private edges those nodes split.
 * Every internal node is in exactly one query, and every pair is split by exactly one node, so
 * one changed pair changes one answer by one: the L1 sensitivity of all answers is 1, whatever the
 * partition. The partition is chosen from the tree, public edges, public sizes and epsilon. */
#ifndef HRR_EDGE_QUERIES_H
#define HRR_EDGE_QUERIES_H

#include "edge/dendrogram.h"

typedef enum hrr_query_rule {
    HRR_QUERIES_EACH,     /* every internal node by itself */
    HRR_QUERIES_SUBTREES, /* largest subtrees with (candidate pairs inside) * eps <= 400 together */
    HRR_QUERIES_GROUPS,   /* neighbouring nodes together, by public edges; see queries.c */
    HRR_QUERIES_PAPER,    /* Algorithm 3: subtrees with both noise scales above their thresholds */
    HRR_QUERIES_ONE       /* all pairs together */
} hrr_query_rule;

typedef struct hrr_queries {
    uint32_t n_internal; /* internal nodes of the tree */
    uint32_t n_queries;
    uint32_t *query;      /* n_internal: the query that a node is in */
    uint64_t *node_pairs; /* n_internal: candidate pairs that a node splits */
    uint64_t *pairs;      /* n_queries: candidate pairs that a query covers */
    /* n_internal: private edges expected at a node, up to a factor, if they lie where public edges
     * lie. NULL if no public edge joins two candidates, or the rule is HRR_QUERIES_ONE. */
    double *weight;
} hrr_queries;

/* HRR_QUERIES_GROUPS without a public edge between candidates is HRR_QUERIES_SUBTREES. */
hrr_status hrr_queries_init(hrr_queries *out, const hrr_dendrogram *tree,
                            const hrr_edge_public *known, hrr_query_rule rule, uint64_t eps_nano,
                            hrr_error *err);
void hrr_queries_clear(hrr_queries *queries);

#endif
