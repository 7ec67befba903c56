/* feature_ranges.h: between which values each feature lies, and which bounds its owner might
 * declare to be public. For the owner alone: both come from the private values. */
#ifndef CLI_FEATURE_RANGES_H
#define CLI_FEATURE_RANGES_H

#include <heterorr/graph.h>

typedef struct cli_feature_ranges {
    uint64_t n_features;
    double *low, *high;         /* as they are */
    double *at_least, *at_most; /* round numbers around them */
    bool alike;                 /* the round numbers are the same for every feature */
} cli_feature_ranges;

/* Nothing in it if the graph has no features. O(n d) time. Errors: HRR_ENOMEM, HRR_ECANCEL. */
hrr_status cli_feature_ranges_init(cli_feature_ranges *out, const hrr_graph *graph,
                                   hrr_progress *progress, hrr_error *err);
void cli_feature_ranges_clear(cli_feature_ranges *ranges);

/* "--bounds LO,HI", or "--bounds FILE" if features differ. */
void cli_feature_ranges_option(char *text, size_t size, const cli_feature_ranges *ranges,
                               const char *file);

/* A file for --bounds with the round numbers, for the owner to correct. Errors: HRR_EIO. */
hrr_status cli_feature_ranges_write(const cli_feature_ranges *ranges, const char *path,
                                    hrr_error *err);

#endif
