/* start_coarse.h: a public graph that shrinks while its nodes are joined in pairs.
 *
 * A cluster is a set of nodes that already form a subtree. Its row holds the clusters it has public
 * edges with, and how many. Rows may have room behind them: a joined row is never longer than the
 * two it came from, so each thread can write its rows without knowing the others. */
#ifndef HRR_EDGE_START_COARSE_H
#define HRR_EDGE_START_COARSE_H

#include <heterorr/edge.h>

#define HRR_NO_CLUSTER UINT32_MAX
#define HRR_COARSE_PORTION 256u /* rows that a thread takes at a time */

/* All that is known of a cluster beside its entries, together: whoever looks at a neighbour needs
 * all of it, and finds it by one access to memory. */
typedef struct hrr_coarse_row {
    uint64_t begin;  /* where the row starts in col and weight */
    uint64_t degree; /* ends of public edges in the cluster, those inside it too */
    uint32_t length; /* entries of the row */
    uint32_t size;   /* nodes in the cluster */
} hrr_coarse_row;

typedef struct hrr_coarse {
    uint32_t n_clusters;
    uint64_t n_entries;  /* of all rows together */
    hrr_coarse_row *row; /* n */
    uint32_t *col;
    float *weight; /* edges between two clusters; they only rank, so 2^24 + 1 may be 2^24 */
} hrr_coarse;

/* Every node its own cluster. */
hrr_status hrr_coarse_init(hrr_coarse *out, const hrr_edge_public *known, hrr_error *err);

/* Memory for so many clusters and entries; col and weight are not filled in, the rest is 0. */
hrr_status hrr_coarse_alloc(hrr_coarse *out, uint32_t n_clusters, uint64_t n_room, hrr_error *err);

/* Cluster c of `in` goes to cluster to[c] < n_clusters, at most two to each. */
hrr_status hrr_coarse_join(hrr_coarse *out, const hrr_coarse *in, const uint32_t *to,
                           uint32_t n_clusters, int threads, hrr_error *err);

void hrr_coarse_clear(hrr_coarse *coarse);

#endif
