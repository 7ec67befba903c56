/* structure_advice.c: which edge mechanism suits which purpose, for a graph that nobody learns
 * labels of.
 *
 * With public edges: a dress rehearsal, as in advice.c. A share of them is hidden at random,
 * mechanisms release it, and each statistic is judged by itself (structure_means.c). Without: what
 * was measured on other graphs whose edges were all private (guide below). */
#include "experiment/advice.h"
#include "experiment/judge.h"
#include "experiment/results.h"
#include "edge/mechanism.h"
#include "graph/graph.h"
#include "base/memory.h"

#include <heterorr/experiment.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void hrr_structure_advice_clear(hrr_structure_advice *advice)
{
    hrr_free(advice->rows);
    *advice = (hrr_structure_advice){.control = -1};
    for (int s = 0; s < HRR_N_STATISTICS; s++)
        advice->choice[s] = -1;
}

/* ---- what was measured elsewhere ------------------------------------------------------------- */

/* Means over five graphs (CA-HepPh, Wiki-Vote, polblogs, Facebook, Cora) at epsilon 1, three runs
 * each: docs/results/structure-guide.csv, which tests/experiment/test_structure_guide.py compares
 * with this table. */
static const hrr_structure_guide guide[] = {
    {HRR_STATISTIC_DEGREES, &hrr_edge_edgerr_degrees.about, 0.004936, 1},
    {HRR_STATISTIC_CLUSTERING, &hrr_edge_edgerr_degrees.about, 0.02325, 0.3247},
    {HRR_STATISTIC_PATHS, &hrr_edge_edgerr_degrees.about, 0.1855, 0.9426},
    {HRR_STATISTIC_COMMUNITIES, &hrr_edge_edgerr_degrees.about, 0.4349, 0.6329},
    {HRR_STATISTIC_WALKS, &hrr_edge_lapgraph.about, 0.005888, 0.005332},
};

const hrr_structure_guide *hrr_structure_guides(size_t *n)
{
    *n = sizeof guide / sizeof *guide;
    return guide;
}

bool hrr_guide_suits(const hrr_structure_guide *row)
{
    return row->distance <= row->without / 2;
}

/* ---- the rehearsal --------------------------------------------------------------------------- */

static const hrr_edge_mechanism *const rehearsed[] = {
    &hrr_edge_edgerr.about, &hrr_edge_edgerr_node.about, &hrr_edge_edgerr_degrees.about,
    &hrr_edge_edgerr_links.about, &hrr_edge_public_only.about};
enum { n_rehearsed = sizeof rehearsed / sizeof *rehearsed };

/* The same edges under a name of their own: a file of results may hold rows of the whole graph,
 * private edges and all, and those must not be taken for the rehearsal's. */
static hrr_status rename_copy(hrr_graph **out, const hrr_graph *known, hrr_error *err)
{
    hrr_status status =
        hrr_graph_copy(out, known, HRR_COPY_EDGES | HRR_COPY_GRAPH_IDS | HRR_COPY_AS_VIEWS, err);
    if (status) return status;
    char *name = hrr_format_text("%.24s: its %" PRIu64 " public edges", hrr_graph_name(known),
                                 hrr_graph_n_edges(known));
    if (!name) return hrr_no_memory(err);
    hrr_free((*out)->name);
    (*out)->name = name;
    return HRR_OK;
}

static void keep_graph(hrr_structure_advice *advice, const hrr_graph *graph)
{
    char name[sizeof advice->rows->graph];
    size_t kept = 0;
    hrr_results_name(name, sizeof name, hrr_graph_name(graph));
    for (size_t i = 0; i < advice->n_rows; i++)
        if (strcmp(advice->rows[i].graph, name) == 0) advice->rows[kept++] = advice->rows[i];
    advice->n_rows = kept;
}

/* The cheapest that is nearer than the control; of equally cheap ones the nearest. */
static void choose(hrr_structure_advice *advice, int s)
{
    double cheapest = INFINITY, nearest = INFINITY;
    for (size_t i = 0; i < advice->n_rows; i++) {
        const hrr_structure_mean *row = &advice->rows[i];
        const double eps = strtod(row->eps_edges, NULL), far = row->statistic[s].mean;
        if (row->statistic[s].test.worth != HRR_WORTH_MORE) continue;
        if (eps > cheapest || (eps == cheapest && far >= nearest)) continue;
        cheapest = eps;
        nearest = far;
        advice->choice[s] = (int64_t)i;
    }
}

hrr_status hrr_advise_structure(hrr_structure_advice *out, const char *results,
                                const hrr_graph *known, const hrr_advise_options *options,
                                hrr_progress *progress, hrr_error *err)
{
    const char *names[n_rehearsed + 1] = {NULL};
    hrr_graph *part = NULL;
    hrr_advise_options own;
    hrr_structure_sweep_options sweep;
    *out = (hrr_structure_advice){0};
    hrr_structure_advice_clear(out);
    hrr_structure_sweep_options_init(&sweep);
    hrr_status status = hrr_advise_adopt(&own, options, known, err);
    if (status) return status;
    for (int i = 0; i < n_rehearsed; i++)
        names[i] = rehearsed[i]->name;
    sweep.mechanisms = names;
    sweep.eps_edges_nano = own.eps_edges_nano;
    sweep.n_eps = own.n_eps_edges;
    sweep.private_fractions = &own.private_share;
    sweep.n_fractions = 1;
    sweep.runs = own.runs;
    sweep.threads = own.threads;
    sweep.seed = own.seed;
    status = rename_copy(&part, known, err);
    if (!status) status = hrr_structure_sweep(results, part, &sweep, progress, err);
    if (!status) status = hrr_structure_means(&out->rows, &out->n_rows, results, err);
    if (!status) keep_graph(out, part);
    /* Verdicts must not depend on how many rows of other graphs the file holds. */
    if (!status) status = hrr_structure_decide(out->rows, out->n_rows, err);
    for (size_t i = 0; !status && i < out->n_rows; i++)
        if (!out->rows[i].spends && out->control < 0) out->control = (int64_t)i;
    for (int s = 0; !status && s < HRR_N_STATISTICS; s++)
        choose(out, s);
    hrr_graph_free(part);
    return status;
}
