/* rival_tables.h: how likely a noisy count is that two blocks of a node share (hrr_edge_options,
 * rivals), for nodes of one kind with few or many edges. */
#ifndef HRR_LEARN_RIVAL_TABLES_H
#define HRR_LEARN_RIVAL_TABLES_H

#include <heterorr/learn.h>

/* Whether two blocks of the node share a count. */
static inline bool hrr_has_rivals(const hrr_block_counts *counts, uint64_t node)
{
    return counts->rivals && counts->rivals[2 * node] != counts->rivals[2 * node + 1];
}

/* A row for each pair of rivals and count that some node has: ln P(noisy count | level), levels
 * side by side. Counts beyond `most` in size say the same as `most`. */
typedef struct hrr_rival_tables {
    uint32_t n_blocks;
    int n_levels;
    int64_t most;
    size_t n_law;     /* counts without noise: 0 .. n_law-1 */
    size_t n_rows;    /* 0: there are no rivals */
    uint32_t *row_of; /* of each node; UINT32_MAX: none */
    uint32_t *key;    /* of each row: first block, second block, count + most */
    double *plain;    /* n_blocks x n_levels x n_law: P(count = k) */
    double *noisy;    /* n_blocks x n_levels x (n_law + most): P(noisy count = k) */
    double *law;      /* room for one */
    double *value;    /* n_rows x n_levels */
} hrr_rival_tables;

/* Errors: HRR_ENOMEM; clear in any case. */
hrr_status hrr_rival_tables_init(hrr_rival_tables *out, const hrr_block_counts *counts,
                                 int n_levels, hrr_error *err) HRR_CHECKED;
void hrr_rival_tables_clear(hrr_rival_tables *tables);

/* mean: n_blocks x n_levels, of counts without noise. */
void hrr_rival_tables_fill(hrr_rival_tables *tables, const double *mean, double shape, double eps);

#endif
