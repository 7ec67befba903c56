/* labels.h: labels, splits and graph ids of generated nodes. */
#ifndef HRR_GENERATE_LABELS_H
#define HRR_GENERATE_LABELS_H

#include "generate/blocks.h"

/* One class a node, or several labels with the class as the first of them.
 * Errors: HRR_ENOMEM, HRR_ECANCEL. */
hrr_status hrr_labels_draw(hrr_graph *graph, const hrr_blocks *blocks,
                           const hrr_generate_options *options, hrr_progress *progress,
                           hrr_error *err);

/* 60% train, 20% valid, 20% test, exactly. Errors: HRR_ENOMEM. */
hrr_status hrr_split_draw(hrr_graph *graph, const hrr_generate_options *options, hrr_error *err);

/* Nothing if there is one graph. Errors: HRR_ENOMEM. */
hrr_status hrr_graph_ids_set(hrr_graph *graph, const hrr_blocks *blocks, hrr_error *err);

#endif
