/* propagate.h: average released features over released edges. */
#ifndef HRR_RELEASE_PROPAGATE_H
#define HRR_RELEASE_PROPAGATE_H

#include <heterorr/graph.h>

/* Replace DIRECTORY/features.npy (float32) by S^steps X, S = D^-1/2 A D^-1/2 over the released
 * edges; a node without such edges keeps its own row. Free post-processing: it reads nothing
 * but what is released. Cost: steps O(m d) time, two copies of the features in memory. */
hrr_status hrr_propagate_features(const char *directory, const hrr_graph *released, uint32_t steps,
                                  int threads, hrr_progress *progress, hrr_error *err);

#endif
