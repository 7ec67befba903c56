/* pgb_sweep.c: edge mechanisms judged by the fifteen queries of PGB, one row a query of a run.
 *
 * PGB has no public edges: every pair of nodes is private. The answers of the original are found
 * once, before the runs, and shared. A run writes its fifteen rows together, the last query last,
 * so that a run whose last query is in the file is finished; what an interrupted call left of a run
 * is completed, not repeated. The column `run` holds the seed of the run: rows of calls with other
 * first seeds fit into the same file. */
#include "experiment/marked_copy.h"
#include "experiment/results.h"
#include "experiment/shards.h"
#include "edge/traits.h"
#include "base/memory.h"
#include "base/options.h"
#include "release/draws.h"

#include <heterorr/experiment.h>
#include <heterorr/release.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const columns[] = {"graph", "query", "mechanism", "eps", "run", "value", NULL};
enum { n_setting_columns = 5, last_query = HRR_N_PGB_QUERIES - 1 };

void hrr_pgb_sweep_options_init_sized(hrr_pgb_sweep_options *options, size_t size)
{
    const hrr_pgb_sweep_options own = {.runs = 5, .seed = 1};
    hrr_options_init(options, size, &own, sizeof own);
}

/* ---- settings ------------------------------------------------------------------------------- */

typedef struct setting {
    const char *mechanism;
    uint64_t eps_nano; /* 0: the mechanism spends nothing */
    uint64_t seed;
} setting;

typedef struct sweep {
    hrr_graph *graph; /* its edges alone */
    const hrr_pgb_sweep_options *options;
    hrr_results *results;
    setting *settings;
    size_t n_settings;
    hrr_pgb_answers original;
    char graph_name[64];
} sweep;

static hrr_status list_settings(sweep *self, hrr_error *err)
{
    const hrr_pgb_sweep_options *o = self->options;
    size_t n_mechanisms = 0;
    while (o->mechanisms[n_mechanisms])
        n_mechanisms++;
    self->settings = hrr_alloc(n_mechanisms * (o->n_eps + 1) * o->runs, sizeof *self->settings);
    if (!self->settings) return hrr_no_memory(err);
    for (uint32_t run = 0; run < o->runs; run++)
        for (size_t m = 0; m < n_mechanisms; m++) {
            const bool spends = hrr_edge_traits(o->mechanisms[m])->effect == HRR_EFFECT_PROTECT;
            for (size_t e = 0; e < (spends ? o->n_eps : 1); e++)
                self->settings[self->n_settings++] =
                    (setting){o->mechanisms[m], spends ? o->eps_edges_nano[e] : 0, o->seed + run};
        }
    return HRR_OK;
}

/* The settings of a row as they stand in the file; a tree that was chosen is part of the name. */
static char *row_settings(const sweep *self, const setting *s, int query)
{
    char eps[HRR_EPS_TEXT_SIZE];
    const bool has_tree = self->options->tree && hrr_edge_traits(s->mechanism)->chooses_tree;
    hrr_eps_format(eps, s->eps_nano);
    return hrr_format_text("%s,%s,%s%s%s,%s,%" PRIu64, self->graph_name, hrr_pgb_rows()[query].name,
                           s->mechanism, has_tree ? ":" : "", has_tree ? self->options->tree : "",
                           eps, s->seed);
}

static char *one_row_settings(const void *user, size_t i, size_t query)
{
    const sweep *self = user;
    return row_settings(self, &self->settings[i], (int)query);
}

static char *settings_text(const void *user, size_t i)
{
    return one_row_settings(user, i, last_query);
}

/* ---- one run -------------------------------------------------------------------------------- */

static hrr_status answer(hrr_pgb_answers *out, const hrr_graph *graph, uint64_t seed, int threads,
                         hrr_progress *progress, hrr_error *err)
{
    hrr_csr matrix = {0};
    hrr_adjacency_options which;
    hrr_pgb_options how;
    hrr_adjacency_options_init(&which);
    hrr_pgb_options_init(&how);
    how.seed = seed;
    how.threads = threads;
    hrr_status status = hrr_graph_adjacency(&matrix, graph, &which, err);
    if (!status) status = hrr_pgb_answer(out, &matrix, &how, progress, err);
    hrr_csr_clear(&matrix);
    return status;
}

/* A row that is not in the file yet joins *rows, which is hrr memory or NULL. */
static hrr_status add_row(char **rows, const sweep *self, const setting *s, int query, double value,
                          hrr_error *err)
{
    char *settings = row_settings(self, s, query), *longer = NULL;
    hrr_status status = settings ? HRR_OK : hrr_no_memory(err);
    if (!status && !hrr_results_has(self->results, settings)) {
        const char *before = *rows ? *rows : "", *end = *rows ? "\n" : "";
        longer = isnan(value) ? hrr_format_text("%s%s%s,nan", before, end, settings)
                              : hrr_format_text("%s%s%s,%.9g", before, end, settings, value);
        if (!longer) status = hrr_no_memory(err);
    }
    if (longer) {
        hrr_free(*rows);
        *rows = longer;
    }
    hrr_free(settings);
    return status;
}

static hrr_status write_rows(const sweep *self, const setting *s,
                             const double value[HRR_N_PGB_QUERIES], hrr_error *err)
{
    char *rows = NULL;
    hrr_status status = HRR_OK;
    for (int q = 0; q < HRR_N_PGB_QUERIES && !status; q++)
        status = add_row(&rows, self, s, q, value[q], err);
    if (!status && rows) status = hrr_results_add(self->results, rows, err);
    hrr_free(rows);
    return status;
}

static hrr_status run_setting(const void *user, size_t i, const char *settings,
                              hrr_progress *progress, hrr_error *err)
{
    (void)settings;
    const sweep *self = user;
    const setting *s = &self->settings[i];
    hrr_graph *released = NULL;
    hrr_random *random = NULL;
    hrr_edge_claim claim = {0};
    hrr_pgb_answers answers = {0};
    double distance[HRR_N_PGB_QUERIES];
    hrr_edge_options how;
    hrr_edge_options_init(&how);
    how.mechanism = s->mechanism;
    how.eps_nano = s->eps_nano;
    how.tree = hrr_edge_traits(s->mechanism)->chooses_tree ? self->options->tree : NULL;
    how.threads = 1;
    hrr_status status = hrr_random_new_insecure(&random, s->seed, err);
    if (!status)
        status = hrr_draw_edges(&released, &claim, self->graph, &how, random, progress, err);
    if (!status) status = answer(&answers, released, s->seed, 1, progress, err);
    if (!status) status = hrr_pgb_compare(distance, &self->original, &answers, err);
    if (!status) status = write_rows(self, s, distance, err);
    hrr_pgb_answers_clear(&answers);
    hrr_graph_free(released);
    hrr_random_free(random);
    return status;
}

/* ---- all runs ------------------------------------------------------------------------------- */

static hrr_status check(const hrr_graph *graph, const hrr_pgb_sweep_options *o, hrr_error *err)
{
    const uint64_t n_public = hrr_graph_n_edges(graph) - hrr_graph_n_private_edges(graph);
    if (!o->mechanisms || !o->mechanisms[0])
        return hrr_fail(err, HRR_EINVAL, "name at least one mechanism to compare (`mechanisms`)");
    for (int i = 0; o->mechanisms[i]; i++) {
        const hrr_edge_mechanism *row = hrr_edge_mechanism_find(o->mechanisms[i]);
        if (!row)
            return hrr_fail(err, HRR_EINVAL, "there is no edge mechanism '%.40s' (`mechanisms`)",
                            o->mechanisms[i]);
        if (row->effect == HRR_EFFECT_PROTECT && o->n_eps == 0)
            return hrr_fail(err, HRR_EINVAL,
                            "%s needs a budget: name at least one (`eps_edges_nano`)", row->name);
    }
    if (o->runs == 0)
        return hrr_fail(err, HRR_EINVAL, "an experiment needs at least one run (`runs`)");
    if (hrr_graph_n_edges(graph) == 0)
        return hrr_fail(err, HRR_EINVAL,
                        "the graph has no edges, so PGB's queries have no answers");
    if (n_public)
        return hrr_fail(err, HRR_EINVAL,
                        "PGB treats every edge as private, but %" PRIu64
                        " %s of this graph %s public; make all edges private (`all_private`)",
                        n_public, hrr_plural(n_public, "edge", "edges"),
                        hrr_plural(n_public, "is", "are"));
    return HRR_OK;
}

/* Whether nothing is left to run. */
static hrr_status is_finished(bool *finished, const sweep *self, hrr_error *err)
{
    const hrr_shard shard = self->options->shard;
    const size_t first = shard.number ? shard.number - 1 : 0;
    *finished = true;
    if (shard.count && !shard.number) return HRR_OK; /* nothing is run */
    for (size_t i = first; i < self->n_settings && *finished; i += shard.count ? shard.count : 1) {
        char *settings = settings_text(self, i);
        if (!settings) return hrr_no_memory(err);
        *finished = hrr_results_has(self->results, settings);
        hrr_free(settings);
    }
    return HRR_OK;
}

hrr_status hrr_pgb_sweep(const char *results, const hrr_graph *graph,
                         const hrr_pgb_sweep_options *options, hrr_progress *progress,
                         hrr_error *err)
{
    hrr_pgb_sweep_options own;
    bool finished = false;
    sweep self = {.options = &own};
    hrr_status status = HRR_ADOPT(hrr_pgb_sweep_options, &own, options, err);
    if (!status) status = check(graph, &own, err);
    if (status) return status;
    hrr_pgb_options usual; /* the original's communities do not depend on the runs */
    hrr_pgb_options_init(&usual);
    hrr_results_name(self.graph_name, sizeof self.graph_name, hrr_graph_name(graph));
    status =
        hrr_shard_open(&self.results, results, own.shard, columns, n_setting_columns, NULL, err);
    if (!status) status = hrr_marked_copy(&self.graph, graph, HRR_AS_MARKED, 0, err);
    if (!status) status = list_settings(&self, err);
    if (!status) status = is_finished(&finished, &self, err);
    if (!status && !finished)
        status = answer(&self.original, self.graph, usual.seed, own.threads, progress, err);
    const hrr_runs runs = {.user = &self,
                           .what = "comparing",
                           .n = self.n_settings,
                           .settings = settings_text,
                           .n_rows = HRR_N_PGB_QUERIES,
                           .row_settings = one_row_settings,
                           .run = run_setting};
    if (!status) status = hrr_shard_run(&runs, self.results, own.shard, own.threads, progress, err);
    hrr_pgb_answers_clear(&self.original);
    hrr_graph_free(self.graph);
    hrr_results_close(self.results);
    hrr_free(self.settings);
    return status;
}
