/* loaders.h: what other libraries need to open a bundle without glue. */
#ifndef HRR_RELEASE_LOADERS_H
#define HRR_RELEASE_LOADERS_H

#include <heterorr/graph.h>

/* Masks of the split (train_mask.npy, valid_mask.npy, test_mask.npy), edge_index.npy (both
 * directions of each edge), metadata.yaml for DGL GraphBolt, the nodes and labels of each part of
 * the split as GraphBolt wants them, and README.txt. All of it repeats what is in the released
 * graph; has_features: features.npy is written, from it or before. Cost: 2 E int32 pairs on the
 * disk; memory for one label array. */
hrr_status hrr_loaders_write(const char *directory, const hrr_graph *released, bool has_features,
                             hrr_error *err);

#endif
