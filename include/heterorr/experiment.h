/* experiment.h: sweeps: many settings, many runs, one results file. Experiments read private graphs
 * and say how well mechanisms do on them: their results are for the owner of the data. */
#ifndef HETERORR_EXPERIMENT_H
#define HETERORR_EXPERIMENT_H

#include <heterorr/graph.h>
#include <heterorr/privacy.h>
#include <heterorr/structure.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Every mechanism with every budget on every share of private edges, `runs` times each. Mechanisms
 * that spend nothing run once for all budgets. Run i of every setting marks the same edges and
 * draws from the same seed, so that mechanisms are paired. */
typedef struct hrr_structure_sweep_options {
    const char *const *mechanisms; /* names of hrr_edge_mechanisms(); NULL-terminated */
    const char *tree;              /* of edgerr; NULL: its default */
    const uint64_t *eps_edges_nano;
    size_t n_eps;
    const double *private_fractions; /* edges are marked at random; none: as the graph has them */
    size_t n_fractions;
    uint32_t runs;
    int hops;
    uint64_t seed;
    int threads; /* runs at the same time */
} hrr_structure_sweep_options;

HRR_API void hrr_structure_sweep_options_init(hrr_structure_sweep_options *options);

/* How far released graphs are from the original: one row a run into the CSV file, which may hold
 * rows of an earlier call: those are not run again. docs/structure.md has the columns.
 *
 * Errors: HRR_EINVAL, HRR_EDATA (another file), HRR_EIO, HRR_ENOMEM, HRR_ECANCEL: the rows that
 *         were finished stay. */
HRR_API hrr_status hrr_structure_sweep(const char *results, const hrr_graph *graph,
                                       const hrr_structure_sweep_options *options,
                                       hrr_progress *progress, hrr_error *err);

/* What a results file says of one mechanism at one budget and share of private edges. */
typedef struct hrr_structure_mean {
    char mechanism[32], tree[16], eps_edges[HRR_EPS_TEXT_SIZE], private_fraction[24];
    uint32_t runs;
    int hops;
    double rms[HRR_MAX_HOPS + 1]; /* means over the runs */
    double count_error, private_precision, private_recall;
} hrr_structure_mean;

/* Means over the runs, in the order in which settings first appear. rows: hrr_free().
 * Errors: HRR_EDATA naming the line, HRR_EIO, HRR_ENOMEM. */
HRR_API hrr_status hrr_structure_means(hrr_structure_mean **rows, size_t *n_rows,
                                       const char *results, hrr_error *err);

#ifdef __cplusplus
}
#endif
#endif
