/* columns.h: what columns of results files mean, by name, whoever wrote them. */
#ifndef HRR_EXPERIMENT_COLUMNS_H
#define HRR_EXPERIMENT_COLUMNS_H

#include <heterorr/structure.h>

typedef enum hrr_column {
    HRR_COL_GRAPH,
    HRR_COL_MECHANISM,
    HRR_COL_FEATURE_MECHANISM,
    HRR_COL_EDGE_MECHANISM,
    HRR_COL_CONTROL,
    HRR_COL_FRACTION,
    HRR_COL_LABEL_RATE,
    HRR_COL_ATTACK,
    HRR_COL_SETTING,
    HRR_COL_RUN,
    HRR_COL_SEED,
    HRR_COL_STATUS,
    HRR_COL_FEATURES,
    HRR_COL_QUERY,
    HRR_FIRST_MINOR, /* settings that are named only where they vary */
    HRR_COL_VERSION = HRR_FIRST_MINOR,
    HRR_COL_NODES, /* of the graph, in results of networks; elsewhere these are something measured
                    */
    HRR_COL_EDGES,
    HRR_COL_TREE,
    HRR_COL_PROPAGATE,
    HRR_COL_SCALE,
    HRR_COL_SCORES,
    HRR_COL_DIRECTIONS,
    HRR_COL_BINS,
    HRR_COL_DECODE,
    HRR_COL_BOUNDS,
    HRR_COL_DELTA,
    HRR_COL_PRIVATE_EDGES, /* how many; the first of an attack */
    HRR_COL_TARGETS,
    HRR_COL_DRAWN,
    HRR_COL_RETURNS,
    HRR_COL_ASKED,
    HRR_COL_KNOWN,
    HRR_COL_INFERENCE,
    HRR_COL_ARCH,
    HRR_COL_HIDDEN, /* the first of the network and how it was trained; the split is the last */
    HRR_COL_LAYERS,
    HRR_COL_AGGREGATION,
    HRR_COL_BIAS,
    HRR_COL_OPTIMISER,
    HRR_COL_LEARNING_RATE,
    HRR_COL_MOMENTUM,
    HRR_COL_WEIGHT_DECAY,
    HRR_COL_DROPOUT,
    HRR_COL_EPOCHS,
    HRR_COL_PATIENCE,
    HRR_COL_SPLIT,
    HRR_N_TEXT_COLUMNS,
    HRR_COL_EPS_FEATURES = HRR_N_TEXT_COLUMNS,
    HRR_COL_EPS_EDGES,
    HRR_COL_EPS,
    HRR_COL_ACCURACY, /* the first of the measures of utility */
    HRR_COL_AUC,
    HRR_COL_F1_MICRO,
    HRR_COL_F1_MACRO,
    HRR_COL_PRECISION,
    HRR_COL_LINK_AUC, /* the first of the measures of attacks beside AUC itself */
    HRR_COL_LINK_PRECISION,
    HRR_COL_ATTRIBUTE_AUC,
    HRR_COL_ATTRIBUTE_R2,
    HRR_COL_PSNR, /* of guessed pictures */
    HRR_COL_SSIM,
    HRR_COL_REIDENTIFIED,
    HRR_COL_IDENTITY,
    HRR_COL_EXPECTED_ERROR,
    HRR_COL_MEAN_ERROR,
    HRR_COL_FALSE_POSITIVES,
    HRR_COL_TRUE_POSITIVES,
    HRR_COL_EDGES_RELEASED,
    HRR_COL_DEGREE_KS,
    HRR_COL_TRANSITIVITY_ORIGINAL,
    HRR_COL_TRANSITIVITY_RELEASED,
    HRR_COL_PATH_KS,
    HRR_COL_MODULARITY_ORIGINAL,
    HRR_COL_MODULARITY_RELEASED,
    HRR_COL_PRIVATE_RECALL,
    HRR_COL_VALUE, /* of a query */
    HRR_COL_RMS_0,
    HRR_N_COLUMNS = HRR_COL_RMS_0 + HRR_MAX_HOPS + 1
} hrr_column;

/* Which column a header names; HRR_N_COLUMNS: none that anything here needs. */
hrr_column hrr_results_column(const char *name);
/* Its names in a file, "a or b or c". */
void hrr_column_names(char *text, size_t size, hrr_column column);
/* What people call it on an axis. */
const char *hrr_column_title(hrr_column column);

/* Kinds of results files. */
typedef enum hrr_rows_kind {
    HRR_ROWS_ROC,
    HRR_ROWS_PGB, /* runs, and published values, which have no run */
    HRR_ROWS_STRUCTURE,
    HRR_ROWS_ERRORS,
    HRR_ROWS_ATTACKS,
    HRR_ROWS_UTILITY,
    HRR_N_ROWS_KINDS
} hrr_rows_kind;

/* The kind that a file with these columns (present[HRR_N_COLUMNS]) is; HRR_N_ROWS_KINDS: none, and
 * `text` says what comes nearest and which column it lacks. */
hrr_rows_kind hrr_rows_recognise(char *text, size_t size, const bool *present);
/* "results on structure", ... */
const char *hrr_rows_kind_name(hrr_rows_kind kind);

#endif
