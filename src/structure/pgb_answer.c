/* pgb_answer.c: what a graph answers to PGB's queries. */
#include <heterorr/structure.h>

#include "base/memory.h"
#include "base/options.h"
#include "matrix/csr.h"
#include "structure/centrality.h"
#include "structure/diameter.h"
#include "structure/distances.h"
#include "structure/measures.h"
#include "structure/shape.h"

#include <math.h>
#include <stdlib.h>

/* Paths from all nodes up to n * 2 m of this size: about ten seconds of one core. */
static const double exact_limit = 1e11;
enum { usual_sources = 1024, most_diameter_searches = 4096 };

void hrr_pgb_options_init_sized(hrr_pgb_options *options, size_t size)
{
    const hrr_pgb_options own = {.seed = 1};
    hrr_options_init(options, size, &own, sizeof own);
}

void hrr_pgb_answers_clear(hrr_pgb_answers *answers)
{
    hrr_free(answers->degree_count);
    hrr_free(answers->distance_count);
    hrr_free(answers->community);
    hrr_free(answers->centrality);
    *answers = (hrr_pgb_answers){0};
}

static bool asks(const hrr_pgb_options *options, hrr_pgb_query a, hrr_pgb_query b, hrr_pgb_query c)
{
    const uint64_t any = UINT64_C(1) << a | UINT64_C(1) << b | UINT64_C(1) << c;
    return options->queries == 0 || (options->queries & any);
}

/* ---- degrees and triangles ------------------------------------------------------------------- */

static hrr_status count_ends(hrr_pgb_answers *out, const hrr_csr *graph,
                             const hrr_pgb_options *options, hrr_error *err)
{
    const double ends = (double)hrr_csr_n_entries(graph), n = (double)graph->rows;
    out->value[HRR_PGB_NODES] = n;
    out->value[HRR_PGB_EDGES] = ends / 2;
    if (n > 0) out->value[HRR_PGB_MEAN_DEGREE] = ends / n;
    if (!asks(options, HRR_PGB_DEGREE_VARIANCE, HRR_PGB_ASSORTATIVITY, HRR_PGB_ASSORTATIVITY))
        return HRR_OK;
    hrr_degree_moments moments;
    hrr_status status = hrr_degree_moments_of(&moments, graph, err);
    out->value[HRR_PGB_DEGREE_VARIANCE] = moments.variance;
    out->value[HRR_PGB_ASSORTATIVITY] = moments.assortativity;
    return status;
}

static hrr_status count_degrees(hrr_pgb_answers *out, const hrr_csr *graph, hrr_error *err)
{
    for (uint64_t i = 0; i < graph->rows; i++)
        if (hrr_degree(graph, i) >= out->n_degrees) out->n_degrees = hrr_degree(graph, i) + 1;
    out->degree_count = hrr_alloc_zero(out->n_degrees, sizeof *out->degree_count);
    if (!out->degree_count) return hrr_no_memory(err);
    for (uint64_t i = 0; i < graph->rows; i++)
        out->degree_count[hrr_degree(graph, i)]++;
    return HRR_OK;
}

static hrr_status count_triangles(hrr_pgb_answers *out, const hrr_csr *graph, int threads,
                                  hrr_progress *progress, hrr_error *err)
{
    hrr_clustering found;
    hrr_status status = hrr_clustering_of(&found, graph, threads, progress, err);
    out->value[HRR_PGB_TRIANGLES] = (double)found.triangles;
    out->value[HRR_PGB_TRANSITIVITY] = found.transitivity;
    out->value[HRR_PGB_LOCAL_CLUSTERING] = found.mean_local;
    return status;
}

/* ---- paths ----------------------------------------------------------------------------------- */

static uint64_t choose_sources(const hrr_csr *graph, const hrr_pgb_options *options)
{
    const double cost = (double)graph->rows * (double)hrr_csr_n_entries(graph);
    const uint64_t asked = options->n_path_sources ? options->n_path_sources
                           : cost > exact_limit    ? usual_sources
                                                   : graph->rows;
    return asked < graph->rows ? asked : graph->rows;
}

static hrr_status sample_paths(hrr_distances *found, const hrr_components *components,
                               uint64_t n_sources, const hrr_pgb_options *options,
                               hrr_progress *progress, hrr_error *err)
{
    hrr_status status = HRR_OK;
    uint32_t *nodes = hrr_alloc(components->n_nodes, sizeof *nodes);
    uint32_t *sources = hrr_alloc(n_sources, sizeof *sources);
    if (nodes && sources) {
        hrr_sources_draw(nodes, components->n_nodes, n_sources, options->seed);
        hrr_sources_number(sources, nodes, n_sources, components, options->seed);
        status = hrr_distances_from(found, components, sources, n_sources, UINT64_MAX,
                                    options->threads, progress, err);
    } else {
        status = hrr_no_memory(err);
    }
    hrr_free(nodes);
    hrr_free(sources);
    return status;
}

static hrr_status measure_paths(hrr_pgb_answers *out, const hrr_csr *graph,
                                const hrr_pgb_options *options, hrr_progress *progress,
                                hrr_error *err)
{
    hrr_components components;
    hrr_distances found = {0};
    hrr_diameter diameter = {0};
    hrr_status status = hrr_components_init(&components, graph, err);
    if (status) return status;
    out->n_path_sources = choose_sources(graph, options);
    const bool exact = out->n_path_sources == graph->rows;
    const bool lengths = asks(options, HRR_PGB_MEAN_PATH, HRR_PGB_DISTANCES, HRR_PGB_DISTANCES);
    if (lengths && exact)
        status = hrr_distances_from(&found, &components, NULL, 0, UINT64_MAX, options->threads,
                                    progress, err);
    else if (lengths)
        status = sample_paths(&found, &components, out->n_path_sources, options, progress, err);
    /* Paths from all nodes know the longest. */
    if (!status && !(lengths && exact))
        status =
            hrr_diameter_find(&diameter, &components, exact ? graph->rows : most_diameter_searches,
                              options->threads, progress, err);
    if (!status) {
        const uint64_t least = found.longest > diameter.least ? found.longest : diameter.least;
        out->value[HRR_PGB_DIAMETER] = (double)least;
        out->diameter_most = diameter.most > least ? diameter.most : least;
    }
    if (!status && lengths) {
        out->value[HRR_PGB_MEAN_PATH] = found.mean;
        out->mean_path_error = exact ? 0 : found.standard_error;
        out->n_distances = found.longest + 1;
        out->distance_count = found.count;
        found.count = NULL;
    }
    hrr_distances_clear(&found);
    hrr_components_clear(&components);
    return status;
}

/* ---- communities and central nodes ----------------------------------------------------------- */

static hrr_status find_communities(hrr_pgb_answers *out, const hrr_csr *graph, uint64_t seed,
                                   hrr_progress *progress, hrr_error *err)
{
    out->community = hrr_alloc(graph->rows, sizeof *out->community);
    if (!out->community) return hrr_no_memory(err);
    hrr_status status =
        hrr_communities_find(out->community, &out->n_communities, graph, seed, progress, err);
    if (!status)
        status = hrr_modularity(&out->value[HRR_PGB_MODULARITY], graph, out->community,
                                out->n_communities, err);
    return status;
}

static int largest_first(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static hrr_status find_central(hrr_pgb_answers *out, const hrr_csr *graph, int threads,
                               hrr_progress *progress, hrr_error *err)
{
    const uint64_t n = graph->rows;
    hrr_centrality found;
    out->centrality = hrr_alloc(n, sizeof *out->centrality);
    if (!out->centrality) return hrr_no_memory(err);
    hrr_status status = hrr_centrality_find(out->centrality, &found, graph, threads, progress, err);
    if (status) return status;
    out->centrality_residual = found.residual;
    out->n_central = n >= 100 ? n / 100 : n > 0;
    if (n) qsort(out->centrality, n, sizeof *out->centrality, largest_first);
    return HRR_OK;
}

hrr_status hrr_pgb_answer(hrr_pgb_answers *out, const hrr_csr *graph,
                          const hrr_pgb_options *options, hrr_progress *progress, hrr_error *err)
{
    *out = (hrr_pgb_answers){0};
    for (int q = 0; q < HRR_N_PGB_QUERIES; q++)
        out->value[q] = NAN;
    hrr_pgb_options own;
    hrr_status status = HRR_ADOPT(hrr_pgb_options, &own, options, err);
    options = &own;
    if (!status) status = hrr_same_nodes(graph, graph, err);
    if (!status) status = count_ends(out, graph, options, err);
    if (!status && asks(options, HRR_PGB_DEGREES, HRR_PGB_DEGREES, HRR_PGB_DEGREES))
        status = count_degrees(out, graph, err);
    if (!status && asks(options, HRR_PGB_TRIANGLES, HRR_PGB_TRANSITIVITY, HRR_PGB_LOCAL_CLUSTERING))
        status = count_triangles(out, graph, options->threads, progress, err);
    if (!status && asks(options, HRR_PGB_DIAMETER, HRR_PGB_MEAN_PATH, HRR_PGB_DISTANCES))
        status = measure_paths(out, graph, options, progress, err);
    if (!status && asks(options, HRR_PGB_COMMUNITIES, HRR_PGB_MODULARITY, HRR_PGB_MODULARITY))
        status = find_communities(out, graph, options->seed, progress, err);
    if (!status && asks(options, HRR_PGB_CENTRALITY, HRR_PGB_CENTRALITY, HRR_PGB_CENTRALITY))
        status = find_central(out, graph, options->threads, progress, err);
    if (status) hrr_pgb_answers_clear(out);
    return status;
}
