/* chain_means.c: what the rows of a chain sweep say, world by world and against the two floors of
 * the same run. */
#include "experiment/chain_settings.h"
#include "io/table.h"
#include "graph/name_index.h"
#include "base/memory.h"
#include "learn/statistics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- rows ------------------------------------------------------------------------------------ */

enum { n_values = 1 + HRR_CHAIN_FIGURES }; /* the realised epsilon, and the figures */

typedef struct reading {
    hrr_name_index settings; /* of the sweep: number i is run i */
    double *values;          /* n_values of each */
    bool *found;
} reading;

static void clear(reading *r)
{
    hrr_name_index_clear(&r->settings);
    hrr_free(r->values);
    hrr_free(r->found);
}

static hrr_status list_settings(reading *r, const hrr_chain_settings *s, hrr_error *err)
{
    const size_t n = s->n_worlds * s->options->runs;
    r->values = hrr_alloc(n * n_values, sizeof *r->values);
    r->found = hrr_alloc_zero(n, sizeof *r->found);
    hrr_status status = r->values && r->found ? HRR_OK : hrr_no_memory(err);
    for (size_t i = 0; i < n && !status; i++) {
        bool fresh;
        char *text = hrr_chain_setting_text(s, i);
        status = text ? hrr_name_index_add(&r->settings, text, i, &fresh, err) : hrr_no_memory(err);
        hrr_free(text);
    }
    return status;
}

/* The number that a field holds; NAN: none. Moves on to the next field. */
static double take_number(const char **at)
{
    char field[40];
    double number;
    const size_t length = strcspn(*at, ",");
    snprintf(field, sizeof field, "%.*s", length < 39 ? (int)length : 39, *at);
    *at += length + ((*at)[length] == ',');
    return *field && hrr_field_number(field, &number) ? number : NAN;
}

static void see_row(void *user, const char *settings, const char *values)
{
    reading *r = user;
    uint32_t i;
    if (!hrr_name_index_find(&r->settings, settings, &i) || r->found[i]) return;
    r->found[i] = true;
    for (int v = 0; v < n_values; v++)
        r->values[(size_t)i * n_values + (size_t)v] = take_number(&values);
}

static hrr_status read_rows(reading *r, const char *path, const hrr_chain_settings *s,
                            hrr_error *err)
{
    hrr_results *results = NULL;
    hrr_status status = list_settings(r, s, err);
    if (!status) status = hrr_chain_results_open(&results, path, (hrr_shard){0}, err);
    if (!status) status = hrr_results_each(results, see_row, r, err);
    hrr_results_close(results);
    for (size_t i = 0; i < s->n_worlds * s->options->runs && !status; i++)
        if (!r->found[i])
            status = hrr_fail(err, HRR_EDATA, "%s: run %zu of %s is missing", path, i / s->n_worlds,
                              s->worlds[i % s->n_worlds].name);
    return status;
}

/* ---- means ----------------------------------------------------------------------------------- */

/* values: of one figure in every run, `apart` doubles from one to the next. */
static hrr_status summarise(double *mean, double *half_width, const double *values,
                            const double *less, size_t apart, uint32_t runs, hrr_error *err)
{
    double *x = hrr_alloc(runs, sizeof *x);
    if (!x) return hrr_no_memory(err);
    for (uint32_t run = 0; run < runs; run++)
        x[run] = values[run * apart] - (less ? less[run * apart] : 0);
    *mean = x[0];
    *half_width = NAN;
    hrr_status status = runs > 1 ? hrr_mean_interval(mean, half_width, x, runs, 0.95, err) : HRR_OK;
    hrr_free(x);
    return status;
}

static hrr_status conclude(hrr_chain_mean *out, size_t world, const hrr_chain_settings *s,
                           const double *values, hrr_error *err)
{
    const size_t apart = s->n_worlds * n_values; /* values: run, world, value */
    const uint32_t runs = s->options->runs;
    hrr_status status = HRR_OK;
    *out = (hrr_chain_mean){.world = s->worlds[world].name,
                            .eps_nano = s->worlds[world].eps_nano,
                            .realised_eps = values[world * n_values]};
    for (int f = 0; f < HRR_CHAIN_FIGURES && !status; f++) {
        const double *mine = values + world * n_values + 1 + f;
        const double *floor = values + HRR_WORLD_FLOOR_AT * n_values + 1 + f;
        const double *tree = values + HRR_WORLD_TREE_AT * n_values + 1 + f;
        status = summarise(&out->mean[f], &out->half_width[f], mine, NULL, apart, runs, err);
        if (!status)
            status = summarise(&out->excess[f], &out->excess_half_width[f], mine, floor, apart,
                               runs, err);
        if (!status)
            status = summarise(&out->tree_excess[f], &out->tree_excess_half_width[f], mine, tree,
                               apart, runs, err);
    }
    return status;
}

hrr_status hrr_chain_means(hrr_chain_mean **rows, size_t *n_rows, const char *results,
                           const hrr_graph *graph, const hrr_chain_sweep_options *options,
                           hrr_error *err)
{
    hrr_chain_settings settings;
    reading r = {0};
    hrr_chain_mean *made = NULL;
    *rows = NULL;
    *n_rows = 0;
    hrr_chain_sweep_options own;
    hrr_status status = hrr_chain_sweep_adopt(&own, options, err);
    if (status) return status;
    status = hrr_chain_settings_list(&settings, graph, &own, err);
    if (!status) status = read_rows(&r, results, &settings, err);
    if (!status && !(made = hrr_alloc(settings.n_worlds, sizeof *made)))
        status = hrr_no_memory(err);
    for (size_t w = 0; w < settings.n_worlds && !status; w++)
        status = conclude(&made[w], w, &settings, r.values, err);
    if (status) {
        hrr_free(made);
    } else {
        *rows = made;
        *n_rows = settings.n_worlds;
    }
    clear(&r);
    hrr_chain_settings_clear(&settings);
    return status;
}
