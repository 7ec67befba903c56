/* centrality.h: eigenvector centrality. */
#ifndef HRR_STRUCTURE_CENTRALITY_H
#define HRR_STRUCTURE_CENTRALITY_H

#include <heterorr/matrix.h>

typedef struct hrr_centrality {
    double value;    /* the largest eigenvalue of A */
    double residual; /* ||A x - value x|| / value; 0 without edges */
} hrr_centrality;

/* x (n): the part of (1, ..., 1) in the eigenspace of A's largest eigenvalue, scaled to length 1:
 * what power iteration from equal weights tends to. Without edges all weights stay equal.
 * Cost:   O(n + m) a round, tens of rounds in social graphs, thousands where the first eigenvalues
 *         are close; it ends at a residual of 1e-10 or after a bounded number of additions, so read
 *         the residual of a very large graph. 48 bytes a node.
 * Errors: HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_centrality_find(double *x, hrr_centrality *out, const hrr_csr *graph, int threads,
                               hrr_progress *progress, hrr_error *err);

#endif
