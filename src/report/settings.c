/* settings.c: see settings.h.
 *
 * Results have dozens of columns, most of which say the same in every row. A minor column becomes
 * part of a series' name where it varies within that series of one graph, and nowhere else: names
 * stay short, and runs of different settings are never averaged. */
#include "report/settings.h"
#include "experiment/references.h"
#include "experiment/treatments.h"
#include "base/memory.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { n_minor = HRR_N_TEXT_COLUMNS - HRR_FIRST_MINOR, name_size = 1024 };

void hrr_settings_clear(hrr_settings *settings)
{
    hrr_name_index_clear(&settings->series);
    hrr_name_index_clear(&settings->facets);
    hrr_name_index_clear(&settings->bases);
    hrr_free(settings->series_of);
    hrr_free(settings->facet_of);
    hrr_free(settings->base_of);
    hrr_free(settings->base_of_facet);
    *settings = (hrr_settings){0};
}

bool hrr_is_control(const char *series)
{
    return hrr_reference_find(series, strcspn(series, ",")) != NULL;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Without what varies inside it. */
static void plain_name(char name[name_size], const hrr_rows *rows, const hrr_words *words,
                       uint64_t row)
{
    const char *control = hrr_row_text(rows, words, HRR_COL_CONTROL, row);
    const char *mechanism = hrr_row_text(rows, words, HRR_COL_MECHANISM, row);
    const char *features = hrr_row_text(rows, words, HRR_COL_FEATURE_MECHANISM, row);
    const char *edges = hrr_row_text(rows, words, HRR_COL_EDGE_MECHANISM, row);
    const bool has_features = *features && !hrr_features_are_kept(hrr_feature_half_of(features));
    const bool has_edges = *edges && !hrr_edges_are_kept(hrr_edge_half_of(edges));
    if (*control)
        snprintf(name, name_size, "%s", control);
    else if (*mechanism)
        snprintf(name, name_size, "%s", mechanism);
    else if (has_features || has_edges)
        snprintf(name, name_size, "%s%s%s", has_features ? features : "",
                 has_features && has_edges ? "+" : "", has_edges ? edges : "");
    else
        snprintf(name, name_size, "%s", hrr_references[HRR_REFERENCE_NON_PRIVATE].name);
}

static void append_part(char name[name_size], const char *title, const char *value)
{
    const size_t used = strlen(name);
    if (*value)
        snprintf(name + used, name_size - used, "%s%s%s%s", used ? ", " : "", title,
                 *title ? " " : "", value);
}

/* Whether rows differ in it. */
static bool differs(const hrr_rows *rows, hrr_column column)
{
    const uint32_t *word = rows->word[column];
    for (uint64_t i = 1; word && i < rows->n; i++)
        if (word[i] != word[0]) return true;
    return false;
}

static void base_name(char name[name_size], const hrr_rows *rows, const hrr_words *words,
                      uint64_t row, bool by_label_rate)
{
    name[0] = '\0';
    append_part(name, "", hrr_row_text(rows, words, HRR_COL_GRAPH, row));
    append_part(name, "", hrr_row_text(rows, words, HRR_COL_ATTACK, row));
    append_part(name, "", hrr_row_text(rows, words, HRR_COL_SETTING, row));
    /* How many there are, or what was done to them. */
    const char *features = hrr_row_text(rows, words, HRR_COL_FEATURES, row);
    char count[64];
    snprintf(count, sizeof count, "%.40s feature%s", features,
             strcmp(features, "1") == 0 ? "" : "s");
    if (isdigit((unsigned char)*features))
        append_part(name, "", count);
    else
        append_part(name, "features", features);
    if (by_label_rate)
        append_part(name, "label rate", hrr_row_text(rows, words, HRR_COL_LABEL_RATE, row));
}

/* ---- which minor columns vary within a series of a base ---------------------------------------
 */

typedef struct variation {
    bool seen, varies;
    uint32_t first;
} variation;

static hrr_status find_variations(variation **out, const uint32_t *group_of, size_t n_groups,
                                  const hrr_rows *rows, hrr_error *err)
{
    *out = hrr_alloc_zero(n_groups * n_minor, sizeof **out);
    if (!*out) return hrr_no_memory(err);
    for (int c = 0; c < n_minor; c++) {
        const uint32_t *word = rows->word[HRR_FIRST_MINOR + c];
        for (uint64_t i = 0; word && i < rows->n; i++) {
            variation *v = &(*out)[group_of[i] * n_minor + (size_t)c];
            v->varies = v->varies || (v->seen && v->first != word[i]);
            if (!v->seen) v->first = word[i];
            v->seen = true;
        }
    }
    return HRR_OK;
}

static hrr_status name_series(hrr_settings *s, const hrr_rows *rows, const hrr_words *words,
                              hrr_error *err)
{
    hrr_words groups = {0}; /* a base's number and a series' plain name */
    uint32_t *group_of = hrr_alloc(rows->n, sizeof *group_of);
    variation *variations = NULL;
    char name[name_size], key[name_size + 16];
    hrr_status status = group_of ? HRR_OK : hrr_no_memory(err);
    for (uint64_t i = 0; i < rows->n && !status; i++) {
        plain_name(name, rows, words, i);
        snprintf(key, sizeof key, "%" PRIu32 " %s", s->base_of[i], name);
        status = hrr_words_add(&group_of[i], &groups, key, err);
    }
    if (!status) status = find_variations(&variations, group_of, groups.n_names, rows, err);
    for (uint64_t i = 0; i < rows->n && !status; i++) {
        plain_name(name, rows, words, i);
        for (int c = 0; c < n_minor; c++)
            if (variations[group_of[i] * n_minor + (size_t)c].varies)
                append_part(name, hrr_column_title((hrr_column)(HRR_FIRST_MINOR + c)),
                            hrr_row_text(rows, words, (hrr_column)(HRR_FIRST_MINOR + c), i));
        status = hrr_words_add(&s->series_of[i], &s->series, name, err);
    }
    hrr_free(group_of);
    hrr_free(variations);
    hrr_name_index_clear(&groups);
    return status;
}

/* ---- facets ---------------------------------------------------------------------------------- */

static bool is_every(const char *fraction)
{
    return !*fraction || strcmp(fraction, "any") == 0;
}

static bool spends(const hrr_rows *rows, uint64_t row)
{
    static const hrr_column budgets[] = {HRR_COL_EPS_FEATURES, HRR_COL_EPS_EDGES, HRR_COL_EPS};
    for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++)
        if (rows->number[budgets[i]] && hrr_budget_place(rows->number[budgets[i]][row]) > 0)
            return true;
    return false;
}

static hrr_status name_base(hrr_settings *s, const hrr_rows *rows, const hrr_words *words,
                            uint64_t row, bool by_label_rate, hrr_error *err)
{
    char name[name_size];
    base_name(name, rows, words, row, by_label_rate);
    return hrr_words_add(&s->base_of[row], &s->bases, name, err);
}

/* What uses all edges, or none, is the same for every private fraction: a mechanism then has a
 * facet of its own, so that it is shown and tested once; a control is beside all mechanisms. */
static hrr_status name_facet(hrr_settings *s, const hrr_rows *rows, const hrr_words *words,
                             uint64_t row, hrr_error *err)
{
    char name[name_size];
    snprintf(name, sizeof name, "%s", hrr_words_text(&s->bases, s->base_of[row]));
    const char *fraction = hrr_row_text(rows, words, HRR_COL_FRACTION, row);
    s->facet_of[row] = HRR_EVERY_FACET;
    if (rows->word[HRR_COL_FRACTION] && is_every(fraction)) {
        if (!spends(rows, row)) return HRR_OK;
        return hrr_words_add(&s->facet_of[row], &s->facets, name, err);
    }
    append_part(name, isdigit((unsigned char)*fraction) ? "private fraction" : "private edges",
                fraction);
    return hrr_words_add(&s->facet_of[row], &s->facets, name, err);
}

typedef struct placed_row {
    double fraction;
    uint64_t row;
} placed_row;

static int by_fraction(const void *a, const void *b)
{
    const placed_row *x = a, *y = b;
    if (x->fraction != y->fraction) return x->fraction < y->fraction ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Facets rise with their private fractions, whichever row of the file comes first. Those for every
 * fraction come last. */
static hrr_status name_facets(hrr_settings *s, const hrr_rows *rows, const hrr_words *words,
                              hrr_error *err)
{
    placed_row *placed = hrr_alloc(rows->n, sizeof *placed);
    if (!placed) return hrr_no_memory(err);
    for (uint64_t i = 0; i < rows->n; i++) {
        const char *text = hrr_row_text(rows, words, HRR_COL_FRACTION, i);
        placed[i] = (placed_row){isdigit((unsigned char)*text) ? strtod(text, NULL) : INFINITY, i};
    }
    if (rows->n) qsort(placed, rows->n, sizeof *placed, by_fraction);
    hrr_status status = HRR_OK;
    for (uint64_t i = 0; i < rows->n && !status; i++)
        status = name_facet(s, rows, words, placed[i].row, err);
    hrr_free(placed);
    return status;
}

/* A base all of whose rows stand for every fraction is a facet itself. */
static hrr_status complete_facets(hrr_settings *s, const hrr_rows *rows, hrr_error *err)
{
    bool *has_facet = hrr_alloc_zero(s->bases.n_names, sizeof *has_facet);
    hrr_status status = has_facet ? HRR_OK : hrr_no_memory(err);
    for (uint64_t i = 0; i < rows->n && !status; i++)
        if (s->facet_of[i] != HRR_EVERY_FACET) has_facet[s->base_of[i]] = true;
    for (uint64_t i = 0; i < rows->n && !status; i++)
        if (!has_facet[s->base_of[i]])
            status = hrr_words_add(&s->facet_of[i], &s->facets,
                                   hrr_words_text(&s->bases, s->base_of[i]), err);
    hrr_free(has_facet);
    if (status) return status;
    s->base_of_facet = hrr_alloc_zero(s->facets.n_names, sizeof *s->base_of_facet);
    if (!s->base_of_facet) return hrr_no_memory(err);
    for (uint64_t i = 0; i < rows->n; i++)
        if (s->facet_of[i] != HRR_EVERY_FACET) s->base_of_facet[s->facet_of[i]] = s->base_of[i];
    return HRR_OK;
}

hrr_status hrr_settings_make(hrr_settings *out, const hrr_rows *rows, const hrr_words *words,
                             hrr_error *err)
{
    hrr_settings s = {0};
    s.series_of = hrr_alloc(rows->n, sizeof *s.series_of);
    s.facet_of = hrr_alloc(rows->n, sizeof *s.facet_of);
    s.base_of = hrr_alloc(rows->n, sizeof *s.base_of);
    hrr_status status = s.series_of && s.facet_of && s.base_of ? HRR_OK : hrr_no_memory(err);
    const bool by_label_rate = differs(rows, HRR_COL_LABEL_RATE);
    for (uint64_t i = 0; i < rows->n && !status; i++)
        status = name_base(&s, rows, words, i, by_label_rate, err);
    if (!status) status = name_facets(&s, rows, words, err);
    if (!status) status = name_series(&s, rows, words, err);
    if (!status) status = complete_facets(&s, rows, err);
    if (status) hrr_settings_clear(&s);
    *out = s;
    return status;
}

hrr_status hrr_settings_add(hrr_samples *samples, const hrr_settings *settings, uint64_t row,
                            hrr_sample sample, hrr_error *err)
{
    hrr_status status = HRR_OK;
    sample.series = settings->series_of[row];
    if (settings->facet_of[row] != HRR_EVERY_FACET) {
        sample.facet = settings->facet_of[row];
        return hrr_samples_add(samples, sample, err);
    }
    for (uint32_t f = 0; f < settings->facets.n_names && !status; f++) {
        sample.facet = f;
        if (settings->base_of_facet[f] == settings->base_of[row])
            status = hrr_samples_add(samples, sample, err);
    }
    return status;
}
