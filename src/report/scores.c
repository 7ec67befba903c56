/* scores.c: what features matter and what they give away: importance against sensitivity, coloured
 * by the weight that decides their share of the budget. */
#include "report/sections.h"
#include "base/memory.h"
#include "io/npz.h"

#include <heterorr/io.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { most_drawn = 4000 };

static hrr_status read_numbers(hrr_dense *out, hrr_npz_reader *npz, const char *name,
                               const char *path, hrr_error *err)
{
    hrr_array array = {0};
    if (!hrr_npz_has(npz, name))
        return hrr_fail(err, HRR_EDATA, "%s: has no array '%s'; is it a file of scores?", path,
                        name);
    hrr_status status = hrr_npz_read(&array, npz, name, err);
    if (!status) status = hrr_array_into_dense(out, &array, name, err);
    if (!status && out->cols != 1)
        status =
            hrr_fail(err, HRR_EDATA, "%s: %s does not have one number per feature", path, name);
    hrr_array_clear(&array);
    return status;
}

static hrr_status draw(hrr_page *page, const hrr_dense score[3], bool is_public, hrr_error *err)
{
    hrr_chart chart = {.kind = HRR_CHART_SCATTER, .id = "scores"};
    const uint64_t d = score[0].rows, stride = d / most_drawn + 1;
    snprintf(chart.title, sizeof chart.title,
             "Importance against sensitivity of %" PRIu64 " features", d);
    snprintf(chart.x_label, sizeof chart.x_label, "sensitivity (beta)");
    snprintf(chart.y_label, sizeof chart.y_label, "importance (alpha)");
    snprintf(chart.value_label, sizeof chart.value_label, "theta");
    snprintf(chart.note, sizeof chart.note, "%s%s",
             is_public ? "The sample was declared public."
                       : "The sample was not declared public: these scores may be private.",
             stride > 1 ? " Only an evenly spaced part of the features is drawn." : "");
    hrr_panel *panel = hrr_chart_panel(&chart, "");
    hrr_series *series = hrr_chart_series(&chart, panel, "", 0, false);
    for (uint64_t i = 0; i < d; i += stride)
        hrr_chart_point(&chart, series,
                        (hrr_point){.x = hrr_dense_get(&score[1], i, 0),
                                    .y = hrr_dense_get(&score[0], i, 0),
                                    .value = hrr_dense_get(&score[2], i, 0),
                                    .low = NAN,
                                    .high = NAN});
    hrr_status status = hrr_page_chart(page, &chart, err);
    hrr_chart_clear(&chart);
    return status;
}

hrr_status hrr_section_scores(hrr_page *page, const char *scores, hrr_error *err)
{
    static const char *const names[] = {"alpha", "beta", "theta", "public"};
    hrr_dense score[4] = {0};
    hrr_npz_reader *npz = NULL;
    if (!scores) return HRR_OK;
    hrr_status status = hrr_npz_open(&npz, scores, err);
    for (int i = 0; i < 4 && !status; i++)
        status = read_numbers(&score[i], npz, names[i], scores, err);
    if (!status && (score[0].rows != score[1].rows || score[0].rows != score[2].rows ||
                    score[0].rows == 0 || score[3].rows != 1))
        status = hrr_fail(err, HRR_EDATA, "%s: alpha, beta and theta do not have the same length",
                          scores);
    if (!status) {
        hrr_page_section(page, "scores", "Which features get the budget",
                         "Each point is a feature: its importance to the head's decision, and its "
                         "sensitivity, which is how much it changes when the sensitive part is "
                         "masked. Its weight theta decides its share of the budget.");
        status = draw(page, score, hrr_dense_get(&score[3], 0, 0) != 0, err);
        hrr_page_end_section(page);
    }
    if (npz) hrr_npz_close(npz);
    for (int i = 0; i < 4; i++)
        hrr_dense_clear(&score[i]);
    return status;
}
