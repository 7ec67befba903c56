/* loaders.h: what other libraries need to open a bundle without glue. */
#ifndef HRR_RELEASE_LOADERS_H
#define HRR_RELEASE_LOADERS_H

#include <heterorr/graph.h>

/* Masks of the split: train_mask.npy, valid_mask.npy, test_mask.npy. A graph without a split gets
 * them too, with every node in the first: loaders expect masks, and no part of a graph is withheld
 * unless somebody said so. */
hrr_status hrr_loaders_write_masks(const char *directory, const hrr_graph *graph, hrr_error *err);

/* edge_index.npy (both directions of each edge), metadata.yaml for DGL GraphBolt, and the nodes and
 * labels of each part of the split as GraphBolt wants them, and README.txt. Reads labels.npy and
 * features.npy of the directory, which must be written already: released values alone. Cost: 2 E
 * int32 pairs on the disk; memory for one label array. */
hrr_status hrr_loaders_write(const char *directory, const hrr_graph *graph,
                             const hrr_graph *released, hrr_error *err);

#endif
