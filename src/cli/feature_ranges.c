/* feature_ranges.c: see feature_ranges.h.
 *
 * Round numbers are 0 or 1, 2 or 5 times a power of ten, away from the values: 0 to 100 for ages
 * from 17 to 94. They tell less than the ranges do, and still come from private values. */
#include "cli/feature_ranges.h"
#include "cli/public_bounds.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The least of 0, 1, 2, 5, 10, 20, ... (and .5, .2, .1, ...) that is not below `size`. */
static double round_up(double size)
{
    if (!(size > 0)) return 0;
    const double power = pow(10, floor(log10(size)));
    static const double steps[] = {1, 2, 5, 10, 20};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (steps[i] * power >= size) return steps[i] * power;
    return size;
}

static void suggest(double *at_least, double *at_most, double low, double high)
{
    *at_least = low < 0 ? -round_up(-low) : 0;
    *at_most = high > 0 ? round_up(high) : 0;
    if (low >= 0 && high <= 1) *at_most = 1; /* shares, or yes and no */
    if (*at_least == *at_most) *at_most = *at_least + 1;
}

static hrr_status look(cli_feature_ranges *r, const hrr_dense *features, hrr_progress *progress,
                       hrr_error *err)
{
    for (uint64_t i = 0; i < r->n_features; i++) {
        r->low[i] = INFINITY;
        r->high[i] = -INFINITY;
    }
    hrr_progress_begin(progress, "looking at each feature", features->rows);
    for (uint64_t row = 0; row < features->rows; row++) {
        for (uint64_t i = 0; i < r->n_features; i++) {
            const double value = hrr_dense_get(features, row, i);
            r->low[i] = value < r->low[i] ? value : r->low[i];
            r->high[i] = value > r->high[i] ? value : r->high[i];
        }
        hrr_status status = hrr_progress_advance(progress, 1, err);
        if (status) return status;
    }
    return HRR_OK;
}

hrr_status cli_feature_ranges_init(cli_feature_ranges *out, const hrr_graph *graph,
                                   hrr_progress *progress, hrr_error *err)
{
    const hrr_dense *features = hrr_graph_features(graph);
    *out = (cli_feature_ranges){0};
    if (!features) return HRR_OK;
    const uint64_t d = features->cols;
    cli_feature_ranges r = {.n_features = d, .low = calloc(4 * d, sizeof *r.low), .alike = true};
    if (!r.low) return hrr_fail(err, HRR_ENOMEM, "out of memory");
    r.high = r.low + d;
    r.at_least = r.high + d;
    r.at_most = r.at_least + d;
    hrr_status status = look(&r, features, progress, err);
    if (status) {
        free(r.low);
        return status;
    }
    for (uint64_t i = 0; i < d; i++) {
        suggest(&r.at_least[i], &r.at_most[i], r.low[i], r.high[i]);
        r.alike = r.alike && r.at_least[i] == r.at_least[0] && r.at_most[i] == r.at_most[0];
    }
    *out = r;
    return HRR_OK;
}

void cli_feature_ranges_clear(cli_feature_ranges *ranges)
{
    free(ranges->low);
    *ranges = (cli_feature_ranges){0};
}

void cli_feature_ranges_option(char *text, size_t size, const cli_feature_ranges *ranges,
                               const char *file)
{
    if (ranges->alike)
        snprintf(text, size, "--bounds %.15g,%.15g", ranges->at_least[0], ranges->at_most[0]);
    else
        snprintf(text, size, "--bounds %s", file);
}

hrr_status cli_feature_ranges_write(const cli_feature_ranges *ranges, const char *path,
                                    hrr_error *err)
{
    static const char head[] =
        ": rounded from private values. Bounds are published with the release: replace them by\n# "
        "commonly known bounds, then delete the first line; protect refuses the file with it.\n# "
        "Bounds for heterorr protect --bounds FILE: one line LO,HI per feature.\n";
    hrr_output *output = NULL;
    hrr_status status = hrr_output_open(&output, path, err);
    if (!status)
        status =
            hrr_output_write(output, cli_bounds_undeclared, strlen(cli_bounds_undeclared), err);
    if (!status) status = hrr_output_write(output, head, strlen(head), err);
    for (uint64_t i = 0; i < ranges->n_features && !status; i++) {
        char line[96];
        const int length = snprintf(line, sizeof line, "%.15g,%.15g  # feature %" PRIu64 "\n",
                                    ranges->at_least[i], ranges->at_most[i], i);
        status = hrr_output_write(output, line, (size_t)length, err);
    }
    if (!status) status = hrr_output_commit(output, err);
    hrr_output_free(output);
    return status;
}
