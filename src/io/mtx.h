/* mtx.h: Matrix Market coordinate files (https://math.nist.gov/MatrixMarket/formats.html) as edge
 * lists: each entry off or on the diagonal is an edge, values are ignored. */
#ifndef HRR_IO_MTX_H
#define HRR_IO_MTX_H

#include <heterorr/graph.h>

/* Plain, gzip or zstd. The matrix must be square; n_nodes is its side.
 * Errors: HRR_EDATA names file and line: not coordinate format, complex, an index out of range,
 * another number of entries than announced. */
hrr_status hrr_mtx_read(hrr_edge_list *edges, uint64_t *n_nodes, const char *path,
                        hrr_progress *progress, hrr_error *err);

#endif
