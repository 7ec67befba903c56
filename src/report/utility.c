/* utility.c: how well networks learn from releases: against budgets, over pairs of budgets, and
 * whether differences are more than chance. */
#include "report/sections.h"
#include "report/verdicts.h"
#include "experiment/judge.h"
#include "experiment/references.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static hrr_status draw_lines(hrr_page *page, const hrr_study *study, const char *id, hrr_error *err)
{
    hrr_chart like = {.x_log = true};
    const uint64_t n_missing = hrr_study_missing(study);
    const char *against = hrr_column_title(study->x);
    snprintf(like.id, sizeof like.id, "%s", id);
    snprintf(like.title, sizeof like.title, " against %s", against);
    snprintf(like.x_label, sizeof like.x_label, "%s", against);
    if (n_missing)
        snprintf(like.note, sizeof like.note, "%llu %s without a number %s left out.",
                 (unsigned long long)n_missing, hrr_plural(n_missing, "run", "runs"),
                 hrr_plural(n_missing, "was", "were"));
    return hrr_study_draw(page, study, &like, HRR_USUAL_OTHER, err);
}

static hrr_status draw_heat(hrr_page *page, const hrr_study *study, hrr_error *err)
{
    hrr_chart like = {0};
    snprintf(like.id, sizeof like.id, "utility-heat");
    snprintf(like.title, sizeof like.title, " over both budgets");
    snprintf(like.x_label, sizeof like.x_label, "%s", hrr_column_title(study->x));
    snprintf(like.y_label, sizeof like.y_label, "%s", hrr_column_title(study->other));
    return hrr_study_draw_heat(page, study, &like, err);
}

/* ---- the sentence that matters --------------------------------------------------------------- */

/* Where no control is there to compare with, or no run to test with. */
static void say_best(hrr_page *page, const hrr_study *study)
{
    const hrr_cell *best = NULL;
    for (size_t i = 0; i < study->cells.n; i++) {
        const hrr_cell *cell = &study->cells.at[i];
        if ((cell->x < 0 && cell->other < 0) || !cell->n) continue;
        if (hrr_is_control(hrr_words_text(&study->settings.series, cell->series))) continue;
        if (!best || cell->mean > best->mean) best = cell;
    }
    if (!best) return;
    char text[HRR_REPORT_SENTENCE_SIZE], interval[40] = "";
    if (isfinite(best->half_width))
        snprintf(interval, sizeof interval, " \u00b1 %.2g", best->half_width);
    const char *where = hrr_words_text(&study->settings.facets, best->facet);
    const hrr_column value = study->value_of_base[study->settings.base_of_facet[best->facet]];
    int used = snprintf(text, sizeof text, "%.100s%s%.80s reaches %s %.3g%s at epsilon %g", where,
                        *where ? ": " : "", hrr_words_text(&study->settings.series, best->series),
                        hrr_column_title(value), best->mean, interval,
                        best->x > 0 ? best->x : best->other);
    if (best->x > 0 && best->other > 0)
        used += snprintf(text + used, sizeof text - (size_t)used, " and %g", best->other);
    for (size_t i = 0; i < hrr_n_references; i++) {
        const hrr_reference *reference = &hrr_references[i];
        const hrr_cell *level = hrr_study_level(study, best->facet, reference->name);
        if (level && reference->meaning)
            used += snprintf(text + used, sizeof text - (size_t)used, "; %.3g %s", level->mean,
                             reference->meaning);
    }
    hrr_page_say(page, "%s.", text);
}

/* ---- together -------------------------------------------------------------------------------- */

/* Something must have a number. */
static hrr_status check_measured(const hrr_utility *found, hrr_error *err)
{
    for (size_t i = 0; i < found->n; i++)
        if (found->means[i].measured) return HRR_OK;
    return hrr_fail(err, HRR_EDATA, "no run in the results has a number: all of them failed");
}

hrr_status hrr_section_utility(hrr_page *page, const hrr_all_rows *all,
                               const hrr_report_options *options, hrr_error *err)
{
    const hrr_rows *rows = &all->kind[HRR_ROWS_UTILITY];
    hrr_utility found = {0};
    hrr_study study = {0}, turned = {0};
    hrr_column x, other;
    bool said;
    if (rows->n == 0) return HRR_OK;
    hrr_status status =
        hrr_judge_training(&found.means, &found.first, &found.n, all, NULL, options->metric, err);
    if (!status) status = check_measured(&found, err);
    if (status) goto done;
    hrr_budget_columns(&x, &other, rows);
    if ((status = hrr_study_utility(&study, all, &found, x, other, err))) goto done;
    hrr_page_section(
        page, "utility", "What networks can learn",
        "Networks are trained on protected graphs and tested on nodes that they have not seen. "
        "Intervals are 95&nbsp;% confidence intervals of the mean over runs. Grey lines without "
        "marks are baselines. Dashed baselines are free: they spend no budget and use nothing that "
        "the mechanisms of their chart protect. Baselines that are marked as not free use "
        "something that is protected there, and <em>no protection</em> (non-private) uses "
        "everything: it is the upper limit. A mechanism at an epsilon of features of 0.001 is also "
        "free, because it reveals nothing. A mechanism that does not beat the free baselines is "
        "not worth its budget.");
    if ((status = draw_lines(page, &study, "utility", err))) goto done;
    if (other != HRR_N_COLUMNS) {
        if ((status = hrr_study_utility(&turned, all, &found, other, x, err))) goto done;
        if ((status = draw_lines(page, &turned, "utility-by", err))) goto done;
        if ((status = draw_heat(page, &study, err))) goto done;
    }
    if ((status = hrr_put_gains(page, &study, &found, err))) goto done;
    status = hrr_put_verdicts(&said, page, &study, &found, err);
    if (!status && !said) say_best(page, &study);
    hrr_page_end_section(page);
done:
    hrr_study_clear(&study);
    hrr_study_clear(&turned);
    hrr_free(found.means);
    hrr_free(found.first);
    return status;
}
