/* hop_rows.h: rows of [X, S X, ..., S^K X], the inputs of a sign network, made once. */
#ifndef HRR_LEARN_HOP_ROWS_H
#define HRR_LEARN_HOP_ROWS_H

#include "learn/model.h"

#include <heterorr/learn.h>

/* out: n_nodes x (K + 1) d, F32: the rows of these nodes, standardised as the model says. scratch:
 * a directory for a file without a name that holds them; NULL: memory.
 *
 * Cost:   O(K m d) time; beside out two matrices of n rows and as many columns as fit into
 *         256 MiB together, at least one column.
 * Errors: HRR_EIO (the file: what and where), HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_hop_rows(hrr_dense *out, const hrr_model *model, const hrr_graph *graph,
                        const uint32_t *nodes, uint64_t n_nodes, const char *scratch, int threads,
                        hrr_progress *progress, hrr_error *err) HRR_CHECKED;

#endif
