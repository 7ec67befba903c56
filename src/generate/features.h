/* features.h: node features that carry the class, and their masked copy. */
#ifndef HRR_GENERATE_FEATURES_H
#define HRR_GENERATE_FEATURES_H

#include "generate/blocks.h"

/* Choose which features are important and which sensitive. Errors: HRR_ENOMEM. */
hrr_status hrr_truth_draw(hrr_generated_truth *out, const hrr_generate_options *options,
                          hrr_error *err);

/* Features and masked features of every node, taken by the graph.
 * Errors: HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_features_draw(hrr_graph *graph, const hrr_generated_truth *truth,
                             const hrr_blocks *blocks, const hrr_generate_options *options,
                             hrr_progress *progress, hrr_error *err);

#endif
