/* musae_target.h: the target table of a MUSAE graph: which nodes there are, and their classes.
 *
 * The id column is new_id if there is one (Twitch), else id. The label column is the one that the
 * options name, else the only one with a published name, else the only one that is not of ids.
 * Labels are numbers (taken as they are), truths (0 and 1) or texts (numbered alphabetically).
 * Published tables repeat some rows; that is tolerated as long as the label is the same. */
#ifndef HRR_IO_MUSAE_TARGET_H
#define HRR_IO_MUSAE_TARGET_H

#include "graph/name_index.h"

#include <heterorr/io.h>

typedef struct hrr_target_row {
    uint64_t line;
    uint32_t node, label; /* label: position among the distinct label texts */
} hrr_target_row;

typedef struct hrr_target {
    const char *path;
    bool labelled; /* the options ask for no other labels */
    size_t id_column, label_column;
    char *label_name;
    hrr_target_row *rows; /* as in the file */
    uint64_t n_rows, room;
    hrr_name_index labels;
    uint64_t n_nodes;
    const hrr_target_row **row_of; /* the first row of each node */
} hrr_target;

/* path must outlive *out. Errors: HRR_EDATA unless the ids are 0..n-1, one column can hold the
 * labels, and repeated rows agree. */
hrr_status hrr_target_read(hrr_target *out, const char *path, const hrr_read_options *options,
                           hrr_error *err);
void hrr_target_clear(hrr_target *target);
/* Give the graph, which has target->n_nodes nodes, its classes. Errors: HRR_EDATA also if the
 * column counts something: more than 64 classes, with fewer than ten nodes each on average. */
hrr_status hrr_target_take_classes(hrr_graph *graph, const hrr_target *target, hrr_error *err);

#endif
