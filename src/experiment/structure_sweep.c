/* structure_sweep.c: structural utility of edge mechanisms, one row a run (the paper's
 * supplementary figure 11 is five of its columns).
 *
 * A run marks edges as private, releases the graph and compares. Runs are independent, so they go
 * to threads whole; what a run draws depends on its number alone, and rows may come in any order.
 */
#include "experiment/results.h"
#include "base/memory.h"

#include <heterorr/experiment.h>
#include <heterorr/release.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

void hrr_structure_sweep_options_init(hrr_structure_sweep_options *options)
{
    *options = (hrr_structure_sweep_options){.runs = 5, .hops = 4, .seed = 1};
}

/* ---- settings ------------------------------------------------------------------------------- */

typedef struct setting {
    const char *mechanism;
    uint64_t eps_nano; /* 0: the mechanism spends nothing */
    double fraction;   /* negative: marks as the graph has them */
    uint32_t run;
} setting;

typedef struct sweep {
    const hrr_graph *graph;
    const hrr_structure_sweep_options *options;
    hrr_results *results;
    setting *settings;
    size_t n_settings;
    char graph_name[64]; /* without what CSV would have to quote */
} sweep;

static bool spends_nothing(const char *mechanism)
{
    return strcmp(mechanism, "public-only") == 0 || strcmp(mechanism, "none") == 0;
}

static const char *tree_of(const sweep *self, const char *mechanism)
{
    if (strcmp(mechanism, "edgerr") != 0) return "";
    return self->options->tree ? self->options->tree : "public";
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
                                  o->n_fractions ? o->private_fractions[f] : -1, run};
            }
    return HRR_OK;
}

/* The settings as they stand in the file. */
static char *settings_text(const sweep *self, const setting *s)
{
    char eps[HRR_EPS_TEXT_SIZE], fraction[24] = "as marked";
    hrr_eps_format(eps, s->eps_nano);
    if (s->fraction >= 0) snprintf(fraction, sizeof fraction, "%g", s->fraction);
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

/* The edges of the graph with the marks of this run, and nothing else of it. */
static hrr_status marked_copy(hrr_graph **out, const hrr_graph *graph, double fraction,
                              uint64_t seed, hrr_error *err)
{
    const uint64_t n_edges = hrr_graph_n_edges(graph), n_nodes = hrr_graph_n_nodes(graph);
    const uint8_t *marks = hrr_graph_is_private(graph);
    const uint32_t *graph_ids = hrr_graph_graph_ids(graph);
    const bool copy_marks = fraction < 0 && marks;
    hrr_edge_list edges = {0};
    hrr_graph *copy = NULL;
    uint32_t *ids = NULL;
    hrr_status status = hrr_edge_list_init(&edges, n_edges, copy_marks, err);
    if (!status) status = hrr_graph_new(&copy, hrr_graph_name(graph), n_nodes, err);
    if (status) goto done;
    memcpy(edges.source, hrr_graph_sources(graph), n_edges * sizeof *edges.source);
    memcpy(edges.target, hrr_graph_targets(graph), n_edges * sizeof *edges.target);
    if (copy_marks) memcpy(edges.marks, marks, n_edges);
    if ((status = hrr_graph_take_edges(copy, &edges, NULL, 0, NULL, err))) goto done;
    if (graph_ids) {
        if (!(ids = hrr_alloc(n_nodes, sizeof *ids))) {
            status = hrr_no_memory(err);
            goto done;
        }
        memcpy(ids, graph_ids, n_nodes * sizeof *ids);
        if ((status = hrr_graph_take_graph_ids(copy, &ids, err))) goto done;
    }
    if (fraction >= 0) status = hrr_graph_mark_fraction(copy, fraction, seed, err);
done:
    hrr_edge_list_clear(&edges);
    hrr_free(ids);
    if (status)
        hrr_graph_free(copy);
    else
        *out = copy;
    return status;
}

static hrr_status adjacency(hrr_csr *out, const hrr_graph *graph, hrr_edge_choice edges,
                            hrr_error *err)
{
    return hrr_graph_adjacency(out, graph, &(hrr_adjacency_options){.edges = edges}, err);
}

/* The communities are those of the public edges: what an analyst could find before the release. */
static hrr_status compare(hrr_structure_report *report, const hrr_graph *original,
                          const hrr_graph *released, const hrr_structure_sweep_options *options,
                          hrr_error *err)
{
    hrr_csr before = {0}, after = {0}, known = {0};
    hrr_structure_options how;
    hrr_structure_options_init(&how);
    uint32_t *community = hrr_alloc(hrr_graph_n_nodes(original), sizeof *community);
    hrr_status status = community ? HRR_OK : hrr_no_memory(err);
    if (!status) status = adjacency(&before, original, HRR_EDGES_ALL, err);
    if (!status) status = adjacency(&after, released, HRR_EDGES_ALL, err);
    if (!status) status = adjacency(&known, original, HRR_EDGES_PUBLIC, err);
    if (!status)
        status =
            hrr_communities_find(community, &how.n_communities, &known, options->seed, NULL, err);
    how.hops = options->hops;
    how.known = &known;
    how.community = community;
    how.seed = options->seed;
    how.threads = 1;
    if (!status) status = hrr_structure_compare(report, &before, &after, &how, NULL, err);
    hrr_csr_clear(&before);
    hrr_csr_clear(&after);
    hrr_csr_clear(&known);
    hrr_free(community);
    return status;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static hrr_status write_row(const sweep *self, const char *settings, double realised_eps,
                            const hrr_structure_report *r, double seconds, hrr_error *err)
{
    char rms[(HRR_MAX_HOPS + 1) * 26] = "";
    for (int h = 0; h <= r->walk.hops; h++)
        snprintf(rms + strlen(rms), sizeof rms - strlen(rms), ",%.9g", r->walk.rms[h]);
    char *row =
        hrr_format_text("%s,%.12g,%" PRIu64 ",%" PRIu64 ",%d%s,%.9g,%.9g,%" PRIu64 ",%" PRIu64
                        ",%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.3f",
                        settings, realised_eps, r->edges_original, r->edges_released, r->walk.exact,
                        rms, r->degrees.kolmogorov_smirnov, r->degrees.earth_mover,
                        r->clustering_original.triangles, r->clustering_released.triangles,
                        r->clustering_original.transitivity, r->clustering_released.transitivity,
                        r->modularity_original, r->modularity_released, r->overlap.precision,
                        r->overlap.recall, r->overlap.count_error, r->spectral_distance, seconds);
    if (!row) return hrr_no_memory(err);
    hrr_status status = hrr_results_add(self->results, row, err);
    hrr_free(row);
    return status;
}

static hrr_status run_setting(const sweep *self, const setting *s, hrr_error *err)
{
    const double began = now();
    const uint64_t seed = self->options->seed + s->run;
    hrr_graph *marked = NULL, *released = NULL;
    hrr_random *random = NULL;
    hrr_edge_claim claim = {0};
    hrr_structure_report report;
    hrr_edge_options how;
    hrr_edge_options_init(&how);
    how.mechanism = s->mechanism;
    how.eps_nano = s->eps_nano;
    how.tree = strcmp(s->mechanism, "edgerr") == 0 ? self->options->tree : NULL;
    how.threads = 1;
    char *settings = settings_text(self, s);
    hrr_status status = settings ? HRR_OK : hrr_no_memory(err);
    if (status || hrr_results_has(self->results, settings)) goto done;
    if ((status = marked_copy(&marked, self->graph, s->fraction, seed, err))) goto done;
    if ((status = hrr_random_new_insecure(&random, seed, err))) goto done;
    if ((status = hrr_release_edges(&released, &claim, marked, &how, random, NULL, err))) goto done;
    if ((status = compare(&report, marked, released, self->options, err))) goto done;
    status = write_row(self, settings, claim.realised_eps, &report, now() - began, err);
done:
    hrr_free(settings);
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
        return hrr_fail(err, HRR_EINVAL, "name at least one mechanism to compare");
    for (int i = 0; o->mechanisms[i]; i++) {
        const char *const *name = hrr_edge_mechanisms();
        while (*name && strcmp(*name, o->mechanisms[i]) != 0)
            name++;
        if (!*name)
            return hrr_fail(err, HRR_EINVAL, "there is no edge mechanism '%.40s'",
                            o->mechanisms[i]);
        if (!spends_nothing(*name) && o->n_eps == 0)
            return hrr_fail(err, HRR_EINVAL, "%s needs a budget: name at least one (--eps-edges)",
                            *name);
    }
    if (o->hops < 0 || o->hops > HRR_MAX_HOPS)
        return hrr_fail(err, HRR_EINVAL, "hops must be from 0 to %d", HRR_MAX_HOPS);
    if (o->runs == 0) return hrr_fail(err, HRR_EINVAL, "an experiment needs at least one run");
    if (o->n_fractions == 0 && !hrr_graph_is_private(graph))
        return hrr_fail(err, HRR_EINVAL,
                        "the graph does not say which edges are private: mark some at random "
                        "(--private-fractions)");
    for (size_t f = 0; f < o->n_fractions; f++)
        if (!(o->private_fractions[f] >= 0 && o->private_fractions[f] <= 1))
            return hrr_fail(err, HRR_EINVAL, "a private fraction must be between 0 and 1");
    return HRR_OK;
}

static void name_graph(sweep *self)
{
    snprintf(self->graph_name, sizeof self->graph_name, "%s", hrr_graph_name(self->graph));
    for (char *at = self->graph_name; *at; at++)
        if (strchr(",\"\n\r", *at)) *at = '_';
}

static hrr_status run_all(const sweep *self, hrr_progress *progress, hrr_error *err)
{
    hrr_status status = HRR_OK;
    const int threads = hrr_threads(self->options->threads);
    (void)threads; /* the fuzz targets are built without OpenMP */
    hrr_progress_begin(progress, "comparing", self->n_settings);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (size_t i = 0; i < self->n_settings; i++) {
        hrr_status failed;
#pragma omp atomic read
        failed = status;
        if (failed) continue;
        hrr_error mine = {0};
        hrr_status ended = run_setting(self, &self->settings[i], &mine);
        if (!ended) ended = hrr_progress_advance(progress, 1, &mine);
        if (!ended) continue;
#pragma omp critical(structure_sweep)
        if (!status) {
            if (err) *err = mine;
#pragma omp atomic write
            status = ended;
        }
    }
    return status;
}

hrr_status hrr_structure_sweep(const char *results, const hrr_graph *graph,
                               const hrr_structure_sweep_options *options, hrr_progress *progress,
                               hrr_error *err)
{
    const char *columns[most_columns];
    char hop_names[HRR_MAX_HOPS + 1][16];
    sweep self = {.graph = graph, .options = options};
    hrr_status status = check(graph, options, err);
    if (status) return status;
    name_graph(&self);
    list_columns(columns, hop_names, options->hops);
    status = hrr_results_open(&self.results, results, columns, n_setting_columns, err);
    if (!status) status = list_settings(&self, err);
    if (!status) status = run_all(&self, progress, err);
    hrr_results_close(self.results);
    hrr_free(self.settings);
    return status;
}
