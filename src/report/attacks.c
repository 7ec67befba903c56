/* attacks.c: what attackers get: AUC against the budget, and ROC curves. */
#include "report/sections.h"
#include "report/study.h"
#include "experiment/references.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Whether a cell is of releases with the edge mechanism and the budget of the bundle shown. */
static bool is_like_bundle(const hrr_page *page, const hrr_study *study, const hrr_cell *cell)
{
    const char *name = hrr_words_text(&study->settings.series, cell->series);
    const size_t length = strcspn(name, ","); /* settings may follow */
    return study->x == HRR_COL_EPS_EDGES && strlen(page->bundle_edges) == length &&
           memcmp(name, page->bundle_edges, length) == 0 && cell->x == page->bundle_eps_edges;
}

/* Of releases like the bundle if one is shown and attacked, else of all: where the attack does
 * best. */
static const hrr_cell *find_worst(bool *like_bundle, const hrr_page *page, const hrr_study *study)
{
    const hrr_cell *most = NULL;
    *like_bundle = false;
    for (size_t i = 0; i < study->cells.n; i++) {
        const hrr_cell *cell = &study->cells.at[i];
        if (!cell->n || cell->x <= 0) continue;
        const bool like = *page->bundle_edges && is_like_bundle(page, study, cell);
        if (like < *like_bundle) continue;
        if (!most || like > *like_bundle || cell->mean > most->mean) most = cell;
        *like_bundle = like;
    }
    return most;
}

/* How well the attack does without protection, and with it; and what it would know anyway. */
static void say_fall(hrr_page *page, const hrr_study *study, const char *measure)
{
    bool like_bundle;
    const hrr_cell *most = find_worst(&like_bundle, page, study);
    if (!most) return;
    if (*page->bundle_edges && !like_bundle)
        hrr_text_printf(&page->html,
                        "<p class=\"note\">None of these attacks is on releases with the edge "
                        "mechanism and budget of the bundle above (%s at epsilon %g).</p>\n",
                        page->bundle_edges, page->bundle_eps_edges);
    const hrr_cell *before =
        hrr_study_level(study, most->facet, hrr_references[HRR_REFERENCE_NON_PRIVATE].name);
    const hrr_cell *floor =
        hrr_study_level(study, most->facet, hrr_references[HRR_REFERENCE_PUBLIC_EDGES].name);
    char anyway[64] = "";
    if (!before) return;
    if (floor) snprintf(anyway, sizeof anyway, "; %.3g from public edges alone", floor->mean);
    hrr_page_say(page,
                 "Attack (%.100s): %s is %.3g without protection and %s%.3g with it (%.60s at "
                 "epsilon %g%s)%s.",
                 hrr_words_text(&study->settings.facets, most->facet), measure, before->mean,
                 like_bundle ? "" : "at most ", most->mean,
                 hrr_words_text(&study->settings.series, most->series), most->x,
                 like_bundle ? ", as in the bundle" : "", anyway);
}

static bool has_numbers(const hrr_rows *rows, hrr_column column)
{
    for (uint64_t i = 0; rows->number[column] && i < rows->n; i++)
        if (isfinite(rows->number[column][i])) return true;
    return false;
}

static hrr_status draw_measure(hrr_page *page, const hrr_all_rows *all, hrr_column measure,
                               hrr_error *err)
{
    const hrr_rows *rows = &all->kind[HRR_ROWS_ATTACKS];
    hrr_column x, other;
    hrr_study study = {0};
    hrr_chart like = {.x_log = true, .together = true};
    if (!has_numbers(rows, measure)) return HRR_OK;
    hrr_budget_columns(&x, &other, rows);
    hrr_status status = hrr_study_budgets(&study, rows, &all->words, x, other, measure, err);
    if (status) return status;
    const char *title = hrr_column_title(measure);
    if (measure == HRR_COL_AUC || measure == HRR_COL_LINK_AUC) say_fall(page, &study, title);
    hrr_column_names(like.id, sizeof like.id, measure);
    like.id[strcspn(like.id, " ")] = '\0'; /* the usual one of its names */
    for (char *c = like.id; (c = strchr(c, '_'));)
        *c = '-';
    if (measure == HRR_COL_AUC) snprintf(like.title, sizeof like.title, " of the attack");
    snprintf(like.x_label, sizeof like.x_label, "%s", hrr_column_title(x));
    status = hrr_study_draw(page, &study, &like, HRR_USUAL_OTHER, err);
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
                     "An attack queries a network that was trained on the release, and tries to "
                     "distinguish private edges or attributes from others. A ROC-AUC of 0.5 is a "
                     "guess. Compare each value with what the public edges reveal anyway.");
    static const hrr_column measures[] = {
        HRR_COL_AUC,           HRR_COL_LINK_AUC,     HRR_COL_LINK_PRECISION,
        HRR_COL_ATTRIBUTE_AUC, HRR_COL_ATTRIBUTE_R2, HRR_COL_SSIM,
        HRR_COL_PSNR,          HRR_COL_REIDENTIFIED, HRR_COL_IDENTITY};
    hrr_status status = HRR_OK;
    for (size_t i = 0; i < sizeof measures / sizeof *measures && !status; i++)
        status = draw_measure(page, all, measures[i], err);
    if (!status) status = draw_roc(page, all, err);
    hrr_page_end_section(page);
    return status;
}
