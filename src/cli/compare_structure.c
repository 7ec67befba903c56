/* compare_structure.c: see compare_structure.h.
 *
 * If the original marks private edges, precision and recall are about those: public edges are in
 * both graphs and would flatter every mechanism. */
#include "cli/compare_structure.h"
#include "cli/figures.h"
#include "cli/graph_pair.h"
#include "cli/json.h"
#include "cli/progress.h"

#include <heterorr/structure.h>

#include <math.h>
#include <stdlib.h>

const cli_option cli_hops_options[] = {
    {.name = "hops",
     .kind = CLI_INT,
     .argument = "H",
     .least = 1,
     .most = HRR_MAX_HOPS,
     .at = offsetof(cli_structure_args, hops),
     .field = "hops",
     .help = "the length of random walks"},
    {0},
};

const cli_option cli_exact_options[] = {
    {.name = "exact",
     .at = offsetof(cli_structure_args, exact),
     .field = "walk n_path_sources",
     .help = "walk from every node, and measure paths from every node, however large the graph is"},
    {0},
};

const cli_option cli_structure_options[] = {
    {.name = "probes",
     .kind = CLI_U32,
     .argument = "N",
     .most = 1 << 20,
     .at = offsetof(cli_structure_args, probes),
     .field = "n_probes",
     .help = "estimate walks with this many random vectors; 0 uses exact walks in a small graph "
             "and 64 vectors in a large one"},
    {.name = "eigenvalues",
     .kind = CLI_U32,
     .argument = "K",
     .most = HRR_MAX_EIGENVALUES,
     .at = offsetof(cli_structure_args, eigenvalues),
     .field = "n_eigenvalues",
     .help = "the number of eigenvalues to compare; 0 omits them"},
    {0},
};

void cli_structure_args_init(cli_structure_args *args)
{
    hrr_structure_options usual;
    hrr_structure_options_init(&usual);
    *args = (cli_structure_args){.hops = usual.hops, .eigenvalues = usual.n_eigenvalues};
}

/* What is compared, and with which communities. */
typedef struct comparison {
    cli_graph_pair pair;
    hrr_csr public_edges;
    const char *edges_judged;
    hrr_structure_options options;
    hrr_structure_report report;
} comparison;

/* ---- for people ------------------------------------------------------------------------------ */

static void row(const char *label, cli_text original, cli_text released, const char *remark)
{
    printf("  %-26s %14s %14s%s%s\n", label, original.text, released.text, *remark ? "   " : "",
           remark);
}

static void single(const char *label, cli_text value, const char *remark)
{
    printf("  %-26s %14s%s%s\n", label, value.text, *remark ? "   " : "", remark);
}

static void print_walks(const hrr_walk_distance *walk)
{
    char how[64] = "exact";
    if (!walk->exact)
        snprintf(how, sizeof how, "%s",
                 cli_count(walk->n_probes, "random vector", "random vectors").text);
    printf("\n  %-26s %14s   (%s)\n", "Random walks", "RMS distance", how);
    for (int h = 0; h <= walk->hops; h++) {
        char label[32], error[64] = "";
        snprintf(label, sizeof label, "  hop %d", h);
        if (!walk->exact)
            snprintf(error, sizeof error, "standard error %s",
                     cli_real(walk->standard_error[h]).text);
        single(label, cli_real(walk->rms[h]), error);
    }
}

static void print_paths(const hrr_path_distance *paths, uint64_t n_nodes)
{
    char from[64] = "from every node";
    if (paths->n_sources < n_nodes)
        snprintf(from, sizeof from, "from %s nodes", cli_grouped(paths->n_sources).text);
    printf("\n  %-26s %14s %14s   (%s)\n", "Paths", "original", "released", from);
    row("  mean steps", cli_real(paths->mean_original), cli_real(paths->mean_released), "");
    row("  connected pairs", cli_percent(paths->joined_original),
        cli_percent(paths->joined_released), "");
    single("  Kolmogorov-Smirnov", cli_real(paths->kolmogorov_smirnov), "");
    printf("\n");
}

static void print_report(const comparison *c)
{
    const hrr_structure_report *r = &c->report;
    char remark[128];
    printf("  %-26s %14s %14s\n", "", "original", "released");
    row("Nodes", cli_grouped(r->n_nodes), cli_grouped(r->n_nodes), "");
    row("Edges", cli_grouped(r->edges_original), cli_grouped(r->edges_released), "");
    row("Triangles", cli_grouped(r->clustering_original.triangles),
        cli_grouped(r->clustering_released.triangles), "");
    row("Transitivity", cli_real(r->clustering_original.transitivity),
        cli_real(r->clustering_released.transitivity), "");
    row("Mean local clustering", cli_real(r->clustering_original.mean_local),
        cli_real(r->clustering_released.mean_local), "");
    snprintf(remark, sizeof remark, "%s of the original",
             cli_count(r->n_communities, "community", "communities").text);
    row("Modularity", cli_real(r->modularity_original), cli_real(r->modularity_released), remark);
    row("Components with edges", cli_grouped(r->spectrum_original.components),
        cli_grouped(r->spectrum_released.components), "");
    if (r->spectrum_original.n_values && r->spectrum_released.n_values)
        row("Largest eigenvalue < 1", cli_real(r->spectrum_original.value[0]),
            cli_real(r->spectrum_released.value[0]), "of D^-1/2 A D^-1/2");

    printf("\n  %-26s %14s\n", "Degrees", "distance");
    single("  Kolmogorov-Smirnov", cli_real(r->degrees.kolmogorov_smirnov), "");
    single("  earth mover", cli_real(r->degrees.earth_mover), "degrees");
    print_paths(&r->paths, r->n_nodes);
    const uint32_t n_values = r->spectrum_original.n_values < r->spectrum_released.n_values
                                  ? r->spectrum_original.n_values
                                  : r->spectrum_released.n_values;
    snprintf(remark, sizeof remark, "RMS over %s",
             cli_count(n_values, "eigenvalue", "eigenvalues").text);
    single("Spectral distance", cli_real(n_values ? r->spectral_distance : NAN), remark);
    print_walks(&r->walk);

    printf("\n  %-26s %14s %14s\n", c->edges_judged, "original", "released");
    row("  edges", cli_grouped(r->overlap.original), cli_grouped(r->overlap.released), "");
    single("  error of their number", cli_percent(r->overlap.count_error), "");
    single("  precision", cli_percent(r->overlap.precision), "of the released ones are true");
    single("  recall", cli_percent(r->overlap.recall), "of the true ones are released");
    printf("\nThese results are computed from the private graph itself; do not publish them.\n");
}

/* ---- for scripts ----------------------------------------------------------------------------- */

static json_t *reals(const double *values, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, cli_json_real(values[i]));
    return list;
}

static json_t *side_json(uint64_t edges, const hrr_clustering *clustering, double modularity,
                         const hrr_spectrum *spectrum)
{
    return json_pack("{s:I, s:I, s:f, s:f, s:f, s:I, s:o, s:f}", "edges", (json_int_t)edges,
                     "triangles", (json_int_t)clustering->triangles, "transitivity",
                     clustering->transitivity, "mean_local_clustering", clustering->mean_local,
                     "modularity", modularity, "components", (json_int_t)spectrum->components,
                     "eigenvalues", reals(spectrum->value, spectrum->n_values),
                     "eigenvalue_residual", spectrum->residual);
}

static json_t *report_json(const comparison *c)
{
    const hrr_structure_report *r = &c->report;
    const size_t n_hops = (size_t)r->walk.hops + 1;
    json_t *walk = json_pack("{s:b, s:I, s:o, s:o}", "exact", r->walk.exact, "probes",
                             (json_int_t)r->walk.n_probes, "rms", reals(r->walk.rms, n_hops),
                             "standard_error", reals(r->walk.standard_error, n_hops));
    json_t *edges =
        json_pack("{s:s, s:I, s:I, s:I, s:o, s:o, s:o}", "which", c->edges_judged, "original",
                  (json_int_t)r->overlap.original, "released", (json_int_t)r->overlap.released,
                  "common", (json_int_t)r->overlap.common, "count_error",
                  cli_json_real(r->overlap.count_error), "precision",
                  cli_json_real(r->overlap.precision), "recall", cli_json_real(r->overlap.recall));
    json_t *paths = json_pack(
        "{s:f, s:o, s:o, s:f, s:f, s:I}", "kolmogorov_smirnov", r->paths.kolmogorov_smirnov,
        "mean_original", cli_json_real(r->paths.mean_original), "mean_released",
        cli_json_real(r->paths.mean_released), "joined_original", r->paths.joined_original,
        "joined_released", r->paths.joined_released, "sources", (json_int_t)r->paths.n_sources);
    return json_pack("{s:I, s:o, s:o, s:o, s:f, s:f, s:f, s:I, s:o, s:o}", "nodes",
                     (json_int_t)r->n_nodes, "original",
                     side_json(r->edges_original, &r->clustering_original, r->modularity_original,
                               &r->spectrum_original),
                     "released",
                     side_json(r->edges_released, &r->clustering_released, r->modularity_released,
                               &r->spectrum_released),
                     "walk", walk, "degree_kolmogorov_smirnov", r->degrees.kolmogorov_smirnov,
                     "degree_earth_mover", r->degrees.earth_mover, "spectral_distance",
                     r->spectral_distance, "communities", (json_int_t)r->n_communities, "paths",
                     paths, "edge_overlap", edges);
}

/* ---- together -------------------------------------------------------------------------------- */

static hrr_status choose_edges(comparison *c, hrr_error *err)
{
    hrr_adjacency_options which;
    hrr_adjacency_options_init(&which);
    which.edges = HRR_EDGES_PUBLIC;
    c->edges_judged = "All edges";
    if (hrr_graph_n_private_edges(c->pair.original_graph) == 0) return HRR_OK;
    c->edges_judged = "Private edges";
    c->options.known = &c->public_edges;
    return hrr_graph_adjacency(&c->public_edges, c->pair.original_graph, &which, err);
}

hrr_status cli_compare_structure(const char *original, const char *released,
                                 const hrr_read_options *read, const cli_structure_args *args,
                                 uint64_t seed, cli_task *task, hrr_error *err)
{
    comparison c = {0};
    if (args->exact && args->probes)
        return hrr_fail(err, HRR_EINVAL,
                        "--exact and --probes contradict each other; leave one of them out");
    hrr_structure_options_init(&c.options);
    c.options.hops = args->hops;
    c.options.n_eigenvalues = args->eigenvalues;
    c.options.seed = seed;
    c.options.threads = read->threads;
    if (args->exact) c.options.n_path_sources = 0;
    if (args->probes) c.options.n_probes = args->probes;
    c.options.walk = args->exact ? HRR_WALK_EXACT : args->probes ? HRR_WALK_PROBED : HRR_WALK_AUTO;
    hrr_status status = cli_graph_pair_read(&c.pair, original, released, read, task->progress, err);
    if (!status) status = choose_edges(&c, err);
    if (!status)
        status = hrr_structure_compare(&c.report, &c.pair.original, &c.pair.released, &c.options,
                                       task->progress, err);
    if (status) goto done;
    cli_progress_erase();
    if (task->json) {
        task->result = report_json(&c);
        if (!task->result) status = hrr_fail(err, HRR_ENOMEM, "out of memory");
    } else {
        print_report(&c);
    }
done:
    hrr_csr_clear(&c.public_edges);
    cli_graph_pair_clear(&c.pair);
    return status;
}
