/* samples.h: many runs of many settings, and their means. Every mean, interval and test of results
 * that were read back starts here. */
#ifndef HRR_EXPERIMENT_SAMPLES_H
#define HRR_EXPERIMENT_SAMPLES_H

#include "experiment/rows.h"

/* What is known of a run: its seed or, without one, its name. */
typedef struct hrr_run_id {
    uint32_t word; /* 0: neither is known */
    bool is_seed;
} hrr_run_id;

hrr_run_id hrr_run_of(const hrr_rows *rows, uint64_t row);

/* One value of one run. What the numbers mean is the caller's: a facet becomes a chart or panel, a
 * series a line, x its place; `other` is a second budget. */
typedef struct hrr_sample {
    uint32_t facet, series;
    hrr_run_id run;
    double x, other; /* -1: none, so that samples can be sorted */
    double value;
    uint64_t row; /* that it came from; of two that are the same run the first one counts */
} hrr_sample;

typedef struct hrr_samples {
    hrr_sample *at;
    size_t n, room;
} hrr_samples;

hrr_status hrr_samples_add(hrr_samples *samples, hrr_sample sample, hrr_error *err);

/* Samples that differ in their run alone. */
typedef struct hrr_cell {
    uint32_t facet, series;
    double x, other;
    const hrr_sample *samples; /* sorted by run; those without a number come last */
    uint32_t n;                /* with a number */
    uint32_t n_missing;
    double mean, half_width; /* 95 % interval by Student's t; NAN for fewer than two */
} hrr_cell;

typedef struct hrr_cells {
    hrr_cell *at; /* sorted by facet, series, x, other */
    size_t n;
} hrr_cells;

/* A run counts once in a cell: calls with different first seeds overlap, and the same run again is
 * no further evidence. A seed makes a run; where results have none, the same name and the same
 * value do, since two experiments may both count from 0.
 *
 * Sorts the samples and drops what is there twice; they must outlive the cells.
 * Cost: O(n log n). Errors: HRR_ENOMEM. Ownership: hrr_free(out->at). */
hrr_status hrr_cells_make(hrr_cells *out, hrr_samples *samples, hrr_error *err);

/* Values of runs that both have, side by side; a and b have room for all of x. 0 if runs of one of
 * them cannot be told apart. */
uint32_t hrr_cells_pair(double *a, double *b, const hrr_cell *x, const hrr_cell *y);

/* A budget as a place: -1 if there is none to speak of (nothing, 0, infinite). */
double hrr_budget_place(double eps);

#endif
