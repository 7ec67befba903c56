/* attacks.c: what attackers get: AUC against the budget, and ROC curves. */
#include "report/sections.h"
#include "report/study.h"

#include <math.h>
#include <stdio.h>

/* From what AUC without protection to what AUC with it. */
static void say_fall(hrr_page *page, const hrr_study *study)
{
    const hrr_cell *before = NULL, *least = NULL;
    for (size_t i = 0; i < study->cells.n; i++) {
        const hrr_cell *cell = &study->cells.at[i];
        if (!cell->n) continue;
        const char *name = hrr_words_text(&study->settings.series, cell->series);
        if (cell->x < 0 && hrr_is_control(name) && (!before || cell->mean > before->mean))
            before = cell;
        if (cell->x > 0 && (!least || cell->mean > least->mean)) least = cell;
    }
    if (!before || !least) return;
    hrr_page_say(page,
                 "Attack (%.100s): ROC-AUC is %.3g without protection and at most %.3g with it "
                 "(%.60s at epsilon %g); 0.5 is a guess.",
                 hrr_words_text(&study->settings.facets, before->facet), before->mean, least->mean,
                 hrr_words_text(&study->settings.series, least->series), least->x);
}

static hrr_status draw_auc(hrr_page *page, const hrr_all_rows *all, hrr_error *err)
{
    const hrr_rows *rows = &all->kind[HRR_ROWS_ATTACKS];
    hrr_column x, other;
    hrr_study study = {0};
    hrr_chart like = {.x_log = true};
    if (rows->n == 0) return HRR_OK;
    hrr_budget_columns(&x, &other, rows);
    hrr_status status = hrr_study_budgets(&study, rows, &all->words, x, other, HRR_COL_AUC, err);
    if (status) return status;
    say_fall(page, &study);
    snprintf(like.id, sizeof like.id, "attack");
    snprintf(like.title, sizeof like.title, "ROC-AUC of the attack");
    snprintf(like.x_label, sizeof like.x_label, "%s", hrr_column_title(x));
    snprintf(like.y_label, sizeof like.y_label, "ROC-AUC (0.5 is a guess)");
    double values[1];
    const double fixed =
        other != HRR_N_COLUMNS && hrr_study_others(values, 1, &study) ? values[0] : NAN;
    if (isfinite(fixed))
        snprintf(like.note, sizeof like.note, "At %s %g.", hrr_column_title(other), fixed);
    status = hrr_study_draw(page, &study, &like, fixed, err);
    hrr_study_clear(&study);
    return status;
}

static hrr_status draw_roc(hrr_page *page, const hrr_all_rows *all, hrr_error *err)
{
    enum { most_budgets = 6 };
    const hrr_rows *rows = &all->kind[HRR_ROWS_ROC];
    hrr_study study = {0};
    double budget[most_budgets] = {NAN};
    if (rows->n == 0) return HRR_OK;
    hrr_status status = hrr_study_roc(&study, rows, &all->words, err);
    size_t n = status ? 0 : hrr_study_others(budget, most_budgets, &study);
    if (n == 0) n = 1; /* budgets are not named: everything in one chart */
    for (size_t i = 0; i < n && !status; i++) {
        hrr_chart like = {.no_marks = true, .diagonal = true};
        snprintf(like.id, sizeof like.id, "roc-%zu", i + 1);
        if (isfinite(budget[i]))
            snprintf(like.title, sizeof like.title, "ROC curves at epsilon %g", budget[i]);
        else
            snprintf(like.title, sizeof like.title, "ROC curves");
        snprintf(like.x_label, sizeof like.x_label, "false positive rate");
        snprintf(like.y_label, sizeof like.y_label, "true positive rate");
        snprintf(like.note, sizeof like.note, "The dotted diagonal is a guess.");
        status = hrr_study_draw(page, &study, &like, budget[i], err);
    }
    hrr_study_clear(&study);
    return status;
}

hrr_status hrr_section_attacks(hrr_page *page, const hrr_all_rows *all, hrr_error *err)
{
    if (all->kind[HRR_ROWS_ATTACKS].n == 0 && all->kind[HRR_ROWS_ROC].n == 0) return HRR_OK;
    hrr_page_section(page, "attacks", "What an attacker gets",
                     "Attacks query a network that was trained on the release and try to tell "
                     "private edges or attributes from others. The nearer to 0.5, the less they "
                     "learn.");
    hrr_status status = draw_auc(page, all, err);
    if (!status) status = draw_roc(page, all, err);
    hrr_page_end_section(page);
    return status;
}
