/* expected_error.c: see expected_error.h.
 *
 * Error is |released - true| of one feature on the scale of its bounds, the same for all: midpoints
 * for FeatureRR, whatever the others release. Mechanisms are black boxes, run on vectors whose d
 * features all have the same value x, for eleven x. `featurerr-bins` is the paper's own measure
 * |u - t| / k, by its formula. One thread: a call is a few milliseconds, less than threads take to
 * meet on a busy machine. */
#include "cli/expected_error.h"

#include <heterorr/feature.h>

#include <math.h>
#include <stdlib.h>

static const char *const budgets[] = {"0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1",
                                      "2",    "3",    "4",    "5",   "6",   "8",   "10"};
enum { n_budgets = sizeof budgets / sizeof *budgets, n_values = 11 };

/* Without a claim there is nothing to compare, and directions are somebody's choice. */
static bool left_out(const hrr_feature_mechanism *mechanism)
{
    return mechanism->effect == HRR_EFFECT_KEEP || mechanism->needs_directions ||
           mechanism->needs_head;
}

/* Mean |released - x| over a matrix of draws. */
static hrr_status draw_error(double *error, const hrr_feature_plan *plan, hrr_dense *in,
                             hrr_dense *out, double x, uint64_t first_row, const hrr_random *random,
                             hrr_error *err)
{
    const uint64_t n = in->rows * in->cols;
    for (uint64_t i = 0; i < n; i++)
        ((float *)in->data)[i] = (float)x;
    hrr_status status = hrr_feature_plan_apply(out, plan, in, first_row, random, 1, NULL, err);
    *error = 0;
    for (uint64_t i = 0; !status && i < n; i++)
        *error += fabs((double)((const float *)out->data)[i] - x) / (double)n;
    return status;
}

/* About as many answers for any d: a row of a sampled form has few. */
static uint64_t enough_rows(const hrr_feature_plan *plan, uint64_t d)
{
    enum { few_features = 10000, answers = 50000, least_sampled = 500 };
    if (d < 20) return few_features / d;
    const uint64_t rows = (answers + d - 1) / d;
    return hrr_feature_plan_claim(plan).n_sampled && rows < least_sampled ? least_sampled : rows;
}

static hrr_status add_drawn(cli_error_row *row, uint64_t eps_nano, uint32_t n_bins,
                            const hrr_random *random, hrr_progress *progress, hrr_error *err)
{
    const uint64_t d = row->n_features;
    hrr_feature_options options;
    hrr_feature_options_init(&options);
    options.mechanism = row->mechanism;
    options.eps_nano = eps_nano;
    options.delta = 1e-6;
    if (hrr_feature_mechanism_find(row->mechanism)->has_bins) options.n_bins = n_bins;
    hrr_feature_plan *plan = NULL;
    hrr_dense in = {0}, out = {0};
    hrr_status status = hrr_feature_plan_new(&plan, d, &options, err);
    const uint64_t rows = status ? 0 : enough_rows(plan, d);
    if (!status) status = hrr_dense_init(&in, HRR_F32, rows, d, err);
    if (!status) status = hrr_dense_init(&out, HRR_F32, rows, d, err);
    for (int i = 0; !status && i < n_values; i++) {
        double x = (double)i / (n_values - 1), error;
        status = draw_error(&error, plan, &in, &out, x, (uint64_t)i * rows, random, err);
        if (status) break;
        row->largest = fmax(row->largest, error);
        /* Trapezoids: the ends count half. */
        row->mean += error / (n_values - 1) * (i == 0 || i == n_values - 1 ? 0.5 : 1);
    }
    if (!status) status = hrr_progress_advance(progress, 1, err);
    hrr_dense_clear(&in);
    hrr_dense_clear(&out);
    hrr_feature_plan_free(plan);
    return status;
}

hrr_status cli_expected_errors(cli_error_row **rows, size_t *n_rows, uint64_t n_features,
                               uint32_t n_bins, hrr_progress *progress, hrr_error *err)
{
    const hrr_feature_mechanism *const *mechanisms = hrr_feature_mechanisms();
    size_t n_mechanisms = 0;
    while (mechanisms[n_mechanisms])
        n_mechanisms++;
    *n_rows = 0;
    *rows = calloc(n_budgets * (n_mechanisms + 1), sizeof **rows);
    if (!*rows) return hrr_fail(err, HRR_ENOMEM, "out of memory");
    hrr_random *random = NULL;
    hrr_status status = hrr_random_new_insecure(&random, 1, err);
    hrr_progress_begin(progress, "measuring errors", n_budgets * n_mechanisms);
    for (int b = 0; !status && b < n_budgets; b++) {
        uint64_t eps_nano;
        if ((status = hrr_eps_parse(&eps_nano, budgets[b], "eps", err))) break;
        const double eps = (double)eps_nano / (double)HRR_EPS_UNIT;
        const double eps_each = eps / (double)n_features;
        cli_error_row *row = *rows + (*n_rows)++;
        *row = (cli_error_row){
            .mechanism = "featurerr-bins", .eps = eps, .n_features = n_features, .exact = true};
        hrr_featurerr_expected_error(&row->largest, &row->mean,
                                     n_bins ? n_bins : hrr_featurerr_best_bins(eps_each), eps_each);
        for (size_t i = 0; !status && i < n_mechanisms; i++) {
            if (left_out(mechanisms[i])) continue;
            row = *rows + (*n_rows)++;
            *row = (cli_error_row){
                .mechanism = mechanisms[i]->name, .eps = eps, .n_features = n_features};
            status = add_drawn(row, eps_nano, n_bins, random, progress, err);
        }
    }
    hrr_random_free(random);
    if (status) {
        free(*rows);
        *rows = NULL;
    }
    return status;
}
