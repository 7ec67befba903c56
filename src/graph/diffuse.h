/* diffuse.h: features that some nodes show, spread to those that do not. */
#ifndef HRR_GRAPH_DIFFUSE_H
#define HRR_GRAPH_DIFFUSE_H

#include <heterorr/graph.h>

/* Feature propagation (Rossi et al., Learning on Graphs 2022): rows of nodes that are `known` (n
 * bytes) stay as they are; the others begin at 0 and become D^-1/2 A D^-1/2 X over all edges of the
 * graph, `steps` times. Rows of `features` that are not known are not read. out: a new F32 matrix.
 *
 * Cost:   O(steps m d) time, two n x d matrices.
 * Errors: HRR_ENOMEM, HRR_ECANCEL; *out is empty then. */
hrr_status hrr_graph_diffuse(hrr_dense *out, const hrr_graph *graph, const hrr_dense *features,
                             const uint8_t *known, uint32_t steps, int threads,
                             hrr_progress *progress, hrr_error *err) HRR_CHECKED;

#endif
