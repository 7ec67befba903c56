/* count_tables.h: how likely noisy counts are for nodes of one kind with few or many edges. */
#ifndef HRR_LEARN_COUNT_TABLES_H
#define HRR_LEARN_COUNT_TABLES_H

#include "learn/rival_tables.h"

enum { HRR_MOST_COUNTED = 4096 }; /* a count beyond that has said what it has to say */

/* For one kind: ln P(noisy count | level), levels side by side. Counts below 0 say the same about
 * kinds and levels as 0 does; those beyond the last row the same as the last row. */
typedef struct hrr_count_tables {
    uint32_t n_blocks;
    size_t n_rows;  /* of a block: counts 0 .. n_rows-1 */
    int n_below;    /* how many levels there are below the first: none where exposures are 1 */
    double *value;  /* n_blocks x n_rows x (n_below + HRR_COUNT_LEVELS) */
    double *column; /* n_rows */
    double *law;    /* n_law */
    size_t n_law;
    hrr_rival_tables rivals; /* empty: of nodes without rivals alone */
    double *mean;            /* n_blocks x (n_below + HRR_COUNT_LEVELS) */
} hrr_count_tables;

/* with_rivals: also of nodes two of whose blocks share a count. Errors: HRR_ENOMEM; clear in any
 * case. */
hrr_status hrr_count_tables_init(hrr_count_tables *out, const hrr_block_counts *counts,
                                 bool with_rivals, hrr_error *err) HRR_CHECKED;
void hrr_count_tables_clear(hrr_count_tables *tables);

/* scale rate: the kind's mean count in each block at level 1. */
void hrr_count_tables_fill(hrr_count_tables *tables, const double *rate, double scale, double shape,
                           double eps);

/* by_level[l] = ln P(counts of a node | kind of the tables, level l), a term apart that neither
 * depends on. exposure: of the node to each block; NULL: 1. Rivals, which are of nodes with the
 * same need, are taken to be exposed alike. */
void hrr_count_look_up(double by_level[HRR_COUNT_LEVELS], const hrr_count_tables *tables,
                       const hrr_block_counts *counts, uint64_t node, const double *exposure);

/* ln of the sum of share e^by_level; the terms' parts of the sum go to `part`, unless NULL. */
double hrr_count_sum_levels(double *part, const double by_level[HRR_COUNT_LEVELS],
                            const double *share);

#endif
