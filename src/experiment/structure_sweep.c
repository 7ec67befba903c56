/* structure_sweep.c: structural utility of edge mechanisms, one row a run (the paper's
 * supplementary figure 11 is five of its columns).
 *
 * A run marks edges as private, releases the graph and compares. Runs are independent, so they go
 * to threads whole; what a run draws depends on its number alone, and rows may come in any order.
 */
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
#include <stdio.h>
#include <string.h>

void hrr_structure_sweep_options_init_sized(hrr_structure_sweep_options *options, size_t size)
{
    const hrr_structure_sweep_options own = {.runs = 5, .hops = 4, .seed = 1};
    hrr_options_init(options, size, &own, sizeof own);
}

/* ---- settings ------------------------------------------------------------------------------- */

typedef struct setting {
    const char *mechanism;
    uint64_t eps_nano; /* 0: the mechanism spends nothing */
    double fraction;   /* HRR_AS_MARKED, or a share */
    uint32_t run;
} setting;

typedef struct sweep {
    const hrr_graph *graph;
    const hrr_structure_sweep_options *options;
    hrr_results *results;
    setting *settings;
    size_t n_settings;
    char graph_name[64];
} sweep;

static bool spends_nothing(const char *mechanism)
{
    return hrr_edge_traits(mechanism)->effect != HRR_EFFECT_PROTECT;
}

static const char *tree_of(const sweep *self, const char *mechanism)
{
    if (!hrr_edge_traits(mechanism)->chooses_tree) return "";
    return self->options->tree ? self->options->tree : hrr_edge_tree_find(NULL)->name;
}

static hrr_status list_settings(sweep *self, hrr_error *err)
{
    const hrr_structure_sweep_options *o = self->options;
    const size_t n_fractions = o->n_fractions ? o->n_fractions : 1;
    size_t n_mechanisms = 0;
    while (o->mechanisms[n_mechanisms])
        n_mechanisms++;
    self->settings =
        hrr_alloc(n_mechanisms * (o->n_eps + 1) * n_fractions * o->runs, sizeof *self->settings);
    if (!self->settings) return hrr_no_memory(err);
    for (uint32_t run = 0; run < o->runs; run++)
        for (size_t f = 0; f < n_fractions; f++)
            for (size_t m = 0; m < n_mechanisms; m++) {
                const bool free_of_charge = spends_nothing(o->mechanisms[m]);
                for (size_t e = 0; e < (free_of_charge ? 1 : o->n_eps); e++)
                    self->settings[self->n_settings++] =
                        (setting){o->mechanisms[m], free_of_charge ? 0 : o->eps_edges_nano[e],
                                  o->n_fractions ? o->private_fractions[f] : HRR_AS_MARKED, run};
            }
    return HRR_OK;
}

/* The settings as they stand in the file. */
static char *settings_text(const void *user, size_t i)
{
    const sweep *self = user;
    const setting *s = &self->settings[i];
    char eps[HRR_EPS_TEXT_SIZE], fraction[HRR_FRACTION_SIZE];
    hrr_eps_format(eps, s->eps_nano);
    hrr_fraction_format(fraction, s->fraction);
    return hrr_format_text("%s,%s,%s,%s,%s,%" PRIu32 ",%" PRIu64, self->graph_name, s->mechanism,
                           tree_of(self, s->mechanism), eps, fraction, s->run,
                           self->options->seed + s->run);
}

enum { n_setting_columns = 7, most_columns = 40 };

/* The header; column names of hops live in `names`. */
static void list_columns(const char *columns[most_columns], char names[HRR_MAX_HOPS + 1][16],
                         int hops)
{
    static const char *const before[] = {"graph",          "edge_mechanism",     "tree",
                                         "eps_edges",      "private_fraction",   "run",
                                         "seed",           "realised_eps_edges", "edges_original",
                                         "edges_released", "walk_exact",         NULL};
    static const char *const after[] = {"degree_ks",
                                        "degree_earth_mover",
                                        "path_ks",
                                        "path_mean_original",
                                        "path_mean_released",
                                        "path_joined_original",
                                        "path_joined_released",
                                        "triangles_original",
                                        "triangles_released",
                                        "transitivity_original",
                                        "transitivity_released",
                                        "modularity_original",
                                        "modularity_released",
                                        "private_precision",
                                        "private_recall",
                                        "private_count_error",
                                        "spectral_distance",
                                        "seconds",
                                        NULL};
    int n = 0;
    for (int i = 0; before[i]; i++)
        columns[n++] = before[i];
    for (int h = 0; h <= hops; h++) {
        snprintf(names[h], sizeof names[h], "rms_%d", h);
        columns[n++] = names[h];
    }
    for (int i = 0; after[i]; i++)
        columns[n++] = after[i];
    columns[n] = NULL;
}

/* ---- one run -------------------------------------------------------------------------------- */

static hrr_status adjacency(hrr_csr *out, const hrr_graph *graph, hrr_edge_choice edges,
                            hrr_error *err)
{
    hrr_adjacency_options which;
    hrr_adjacency_options_init(&which);
    which.edges = edges;
    return hrr_graph_adjacency(out, graph, &which, err);
}

/* Modularity is that of the original's communities, in both graphs: how much of them is left.
 * (Those of the public edges would be single nodes where every edge is private, and say nothing.)
 */
static hrr_status compare(hrr_structure_report *report, const hrr_graph *original,
                          const hrr_graph *released, const hrr_structure_sweep_options *options,
                          hrr_progress *progress, hrr_error *err)
{
    hrr_csr before = {0}, after = {0}, known = {0};
    hrr_structure_options how;
    hrr_structure_options_init(&how);
    hrr_status status = adjacency(&before, original, HRR_EDGES_ALL, err);
    if (!status) status = adjacency(&after, released, HRR_EDGES_ALL, err);
    if (!status) status = adjacency(&known, original, HRR_EDGES_PUBLIC, err);
    how.hops = options->hops;
    how.known = &known;
    how.seed = options->seed;
    how.threads = 1;
    if (!status) status = hrr_structure_compare(report, &before, &after, &how, progress, err);
    hrr_csr_clear(&before);
    hrr_csr_clear(&after);
    hrr_csr_clear(&known);
    return status;
}

static hrr_status write_row(const sweep *self, const char *settings, double realised_eps,
                            const hrr_structure_report *r, double seconds, hrr_error *err)
{
    char rms[(HRR_MAX_HOPS + 1) * 26] = "";
    for (int h = 0; h <= r->walk.hops; h++)
        snprintf(rms + strlen(rms), sizeof rms - strlen(rms), ",%.9g", r->walk.rms[h]);
    char *row = hrr_format_text(
        "%s,%.12g,%" PRIu64 ",%" PRIu64 ",%d%s,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%" PRIu64
        ",%" PRIu64 ",%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.3f",
        settings, realised_eps, r->edges_original, r->edges_released, r->walk.exact, rms,
        r->degrees.kolmogorov_smirnov, r->degrees.earth_mover, r->paths.kolmogorov_smirnov,
        r->paths.mean_original, r->paths.mean_released, r->paths.joined_original,
        r->paths.joined_released, r->clustering_original.triangles,
        r->clustering_released.triangles, r->clustering_original.transitivity,
        r->clustering_released.transitivity, r->modularity_original, r->modularity_released,
        r->overlap.precision, r->overlap.recall, r->overlap.count_error, r->spectral_distance,
        seconds);
    if (!row) return hrr_no_memory(err);
    hrr_status status = hrr_results_add(self->results, row, err);
    hrr_free(row);
    return status;
}

static hrr_status run_setting(const void *user, size_t i, const char *settings,
                              hrr_progress *progress, hrr_error *err)
{
    const double began = hrr_run_clock();
    const sweep *self = user;
    const setting *s = &self->settings[i];
    const uint64_t seed = self->options->seed + s->run;
    hrr_graph *marked = NULL, *released = NULL;
    hrr_random *random = NULL;
    hrr_edge_claim claim = {0};
    hrr_structure_report report;
    hrr_edge_options how;
    hrr_edge_options_init(&how);
    how.mechanism = s->mechanism;
    how.eps_nano = s->eps_nano;
    how.tree = hrr_edge_traits(s->mechanism)->chooses_tree ? self->options->tree : NULL;
    how.threads = 1;
    hrr_status status = hrr_marked_copy(&marked, self->graph, s->fraction, seed, err);
    if (status) goto done;
    if ((status = hrr_random_new_insecure(&random, seed, err))) goto done;
    if ((status = hrr_draw_edges(&released, &claim, marked, &how, random, progress, err)))
        goto done;
    if ((status = compare(&report, marked, released, self->options, progress, err))) goto done;
    status = write_row(self, settings, claim.realised_eps, &report, hrr_run_clock() - began, err);
done:
    hrr_graph_free(marked);
    hrr_graph_free(released);
    hrr_random_free(random);
    return status;
}

/* ---- all runs ------------------------------------------------------------------------------- */

static hrr_status check(const hrr_graph *graph, const hrr_structure_sweep_options *o,
                        hrr_error *err)
{
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
    if (o->hops < 0 || o->hops > HRR_MAX_HOPS)
        return hrr_fail(err, HRR_EINVAL, "`hops` must lie between 0 and %d", HRR_MAX_HOPS);
    if (o->runs == 0)
        return hrr_fail(err, HRR_EINVAL, "an experiment needs at least one run (`runs`)");
    return hrr_fractions_check(graph, o->private_fractions, o->n_fractions, err);
}

hrr_status hrr_structure_sweep(const char *results, const hrr_graph *graph,
                               const hrr_structure_sweep_options *options, hrr_progress *progress,
                               hrr_error *err)
{
    const char *columns[most_columns];
    char hop_names[HRR_MAX_HOPS + 1][16];
    hrr_structure_sweep_options own;
    sweep self = {.graph = graph, .options = &own};
    hrr_status status = HRR_ADOPT(hrr_structure_sweep_options, &own, options, err);
    if (!status) status = check(graph, &own, err);
    if (status) return status;
    options = &own;
    hrr_results_name(self.graph_name, sizeof self.graph_name, hrr_graph_name(graph));
    list_columns(columns, hop_names, options->hops);
    status = hrr_shard_open(&self.results, results, options->shard, columns, n_setting_columns,
                            NULL, err);
    if (!status) status = list_settings(&self, err);
    const hrr_runs runs = {.user = &self,
                           .what = "comparing",
                           .n = self.n_settings,
                           .settings = settings_text,
                           .run = run_setting};
    if (!status)
        status =
            hrr_shard_run(&runs, self.results, options->shard, options->threads, progress, err);
    hrr_results_close(self.results);
    hrr_free(self.settings);
    return status;
}
