/* samples.h: many runs of many settings, and their means. Every chart of means starts here. */
#ifndef HRR_REPORT_SAMPLES_H
#define HRR_REPORT_SAMPLES_H

#include "report/rows.h"

/* One value of one run. What the numbers mean is the caller's: a facet becomes a chart or panel, a
 * series a line, x its place; `other` is a second budget. */
typedef struct hrr_sample {
    uint32_t facet, series, run;
    double x, other; /* -1: none, so that samples can be sorted */
    double value;
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
    double mean, reach; /* 95 % interval by Student's t; NAN for fewer than two */
} hrr_cell;

typedef struct hrr_cells {
    hrr_cell *at; /* sorted by facet, series, x, other */
    size_t n;
} hrr_cells;

/* Sorts the samples, which must outlive the cells.
 * Cost: O(n log n). Errors: HRR_ENOMEM. Ownership: hrr_free(out->at). */
hrr_status hrr_cells_make(hrr_cells *out, hrr_samples *samples, hrr_error *err);

/* A budget as a place: -1 if there is none to speak of (nothing, 0, infinite). */
double hrr_budget_place(double eps);

#endif
