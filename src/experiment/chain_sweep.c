/* chain_sweep.c: the threat chain in worlds with different protection, one row for each run of each
 * world.
 *
 * Worlds of one run share nodes, known features and seed, and nothing else: each is run by itself,
 * so that they go to threads whole and a file that is continued lacks single worlds. What they
 * could share (the pairs) costs little beside training. */
#include "attack/chain.h"
#include "experiment/chain_settings.h"
#include "experiment/shards.h"
#include "attack/chain.h"
#include "base/memory.h"
#include "base/options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void hrr_chain_sweep_options_init_sized(hrr_chain_sweep_options *options, size_t size)
{
    hrr_chain_sweep_options own = {.runs = 5, .seed = 1};
    hrr_chain_options_init(&own.chain);
    hrr_options_init(options, size, &own, sizeof own);
}

hrr_status hrr_chain_sweep_adopt(hrr_chain_sweep_options *own, const hrr_chain_sweep_options *given,
                                 hrr_error *err)
{
    hrr_chain_sweep_options usual;
    hrr_chain_sweep_options_init(&usual);
    hrr_status status = HRR_ADOPT(hrr_chain_sweep_options, own, given, err);
    if (!status) status = HRR_ADOPT_INNER(hrr_chain_options, &own->chain, &usual.chain, err);
    if (!status) status = hrr_chain_options_adopt_inner(&own->chain, err);
    return status;
}

typedef struct sweep {
    hrr_chain_settings settings;
    hrr_results *results, *curves;
    hrr_chain_pictures pictures;
} sweep;

/* ---- rows ------------------------------------------------------------------------------------ */

static hrr_status write_row(const sweep *self, const char *settings, const hrr_chain_result *found,
                            double seconds, hrr_error *err)
{
    char figures[HRR_CHAIN_FIGURES * 26] = "";
    for (int f = 0; f < HRR_CHAIN_FIGURES; f++) {
        const size_t used = strlen(figures);
        const bool is_missing = isnan(found->figure[f]);
        snprintf(figures + used, sizeof figures - used, is_missing ? "," : ",%.9g",
                 found->figure[f]);
    }
    char *row = hrr_format_text("%s,%.12g%s,%.3f", settings, found->realised_eps, figures, seconds);
    if (!row) return hrr_no_memory(err);
    hrr_status status = hrr_results_add(self->results, row, err);
    hrr_free(row);
    return status;
}

/* ---- curves ---------------------------------------------------------------------------------- */

typedef struct curve {
    hrr_roc_point *points; /* hrr_free() */
    size_t n;
    hrr_error err;
} curve;

static void see_scores(void *user, const char *attack, uint64_t eps_nano, uint32_t run,
                       const hrr_link_pairs *pairs, const double *scores)
{
    enum { most_points = 200 };
    curve *self = user;
    (void)attack, (void)eps_nano, (void)run;
    /* A failure stays in self->err, for write_curve(). */
    hrr_status status =
        hrr_link_roc(&self->points, &self->n, pairs, scores, most_points, &self->err);
    (void)status;
}

static hrr_status write_curve(const sweep *self, const char *settings, const curve *seen,
                              hrr_error *err)
{
    const size_t line_size = strlen(settings) + 40;
    if (seen->err.status) {
        if (err) *err = seen->err;
        return seen->err.status;
    }
    char *rows = hrr_alloc(seen->n * line_size + 1, 1);
    if (!rows) return hrr_no_memory(err);
    size_t used = 0;
    for (size_t i = 0; i < seen->n; i++)
        used += (size_t)snprintf(rows + used, line_size, "%s%s,%.6g,%.6g", i ? "\n" : "", settings,
                                 seen->points[i].false_positive_rate,
                                 seen->points[i].true_positive_rate);
    hrr_status status = hrr_results_add(self->curves, rows, err);
    hrr_free(rows);
    return status;
}

/* ---- all runs -------------------------------------------------------------------------------- */

static char *settings_text(const void *user, size_t i)
{
    return hrr_chain_setting_text(&((const sweep *)user)->settings, i);
}

/* The curve comes before the row, which says that the run is done. */
static hrr_status run_setting(const void *user, size_t i, const char *settings,
                              hrr_progress *progress, hrr_error *err)
{
    const double began = hrr_run_clock();
    const sweep *self = user;
    const hrr_chain_settings *s = &self->settings;
    const hrr_chain_world *world = &s->worlds[i % s->n_worlds];
    hrr_chain_options how = s->options->chain;
    hrr_chain_result found;
    curve seen = {0};
    how.world = world->name;
    how.eps_nano = world->eps_nano;
    how.seed = s->options->seed + i / s->n_worlds;
    how.threads = 1;
    how.linkteller.seen = self->curves ? see_scores : NULL;
    how.linkteller.seen_user = &seen;
    hrr_status status =
        hrr_chain(&found, s->graph, &how, how.pictures ? &self->pictures : NULL, progress, err);
    if (!status && self->curves && !hrr_results_has(self->curves, settings))
        status = write_curve(self, settings, &seen, err);
    if (!status && !hrr_results_has(self->results, settings))
        status = write_row(self, settings, &found, hrr_run_clock() - began, err);
    hrr_free(seen.points);
    return status;
}

hrr_status hrr_chain_sweep(const char *results, const hrr_graph *graph,
                           const hrr_chain_sweep_options *options, hrr_progress *progress,
                           hrr_error *err)
{
    sweep self = {0};
    hrr_chain_sweep_options own;
    hrr_status status = hrr_chain_sweep_adopt(&own, options, err);
    if (status) return status;
    options = &own;
    status = hrr_chain_settings_list(&self.settings, graph, options, err);
    if (!status) status = hrr_chain_results_open(&self.results, results, own.shard, err);
    if (!status && options->curves)
        status = hrr_chain_curves_open(&self.curves, options->curves, own.shard, err);
    const hrr_runs runs = {.user = &self,
                           .what = "attacking",
                           .also = self.curves,
                           .n = self.settings.n_worlds * options->runs,
                           .settings = settings_text,
                           .run = run_setting};
    if (!status)
        status = hrr_chain_pictures_init(&self.pictures, &options->chain, options->seed,
                                         options->threads, progress, err);
    if (!status)
        status = hrr_shard_run(&runs, self.results, own.shard, options->threads, progress, err);
    hrr_chain_pictures_clear(&self.pictures);
    hrr_results_close(self.curves);
    hrr_results_close(self.results);
    hrr_chain_settings_clear(&self.settings);
    return status;
}
