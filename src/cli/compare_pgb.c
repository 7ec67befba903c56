/* compare_pgb.c: see compare_pgb.h. */
#include "cli/compare_pgb.h"
#include "cli/figures.h"
#include "cli/graph_pair.h"
#include "cli/json.h"
#include "cli/progress.h"

#include <heterorr/structure.h>

#include <math.h>

typedef struct pgb_pair {
    hrr_pgb_answers original, released;
    double distance[HRR_N_PGB_QUERIES];
} pgb_pair;

/* ---- for people ------------------------------------------------------------------------------ */

static cli_text answer_text(const hrr_pgb_answers *a, int query)
{
    const bool whole =
        query == HRR_PGB_NODES || query == HRR_PGB_EDGES || query == HRR_PGB_TRIANGLES;
    if (query == HRR_PGB_COMMUNITIES) return cli_grouped(a->n_communities);
    return whole ? cli_grouped((uint64_t)a->value[query]) : cli_real(a->value[query]);
}

static bool is_sampled(const hrr_pgb_answers *a)
{
    return (double)a->n_path_sources < a->value[HRR_PGB_NODES];
}

static void print_doubts(const char *which, const hrr_pgb_answers *a)
{
    if (is_sampled(a))
        printf("Paths of the %s graph are measured from %s: mean path +- %.2g (standard error).\n",
               which, cli_count(a->n_path_sources, "node", "nodes").text, a->mean_path_error);
    if ((double)a->diameter_most > a->value[HRR_PGB_DIAMETER])
        printf("The diameter of the %s graph is between %.0f and %s.\n", which,
               a->value[HRR_PGB_DIAMETER], cli_grouped(a->diameter_most).text);
    if (a->centrality_residual > 1e-9)
        printf("The eigenvector of the %s graph has a residual of %.1g.\n", which,
               a->centrality_residual);
}

static void print_pair(const pgb_pair *p)
{
    printf("  %-24s %14s %14s %12s\n", "", "original", "released", "distance");
    for (int q = 0; q < HRR_N_PGB_QUERIES; q++) {
        const hrr_pgb_row *row = &hrr_pgb_rows()[q];
        printf("  %-24s %14s %14s %12s  %s%s\n", row->title, answer_text(&p->original, q).text,
               answer_text(&p->released, q).text, cli_real(p->distance[q]).text,
               hrr_pgb_measure_name(row->measure),
               row->measure == HRR_PGB_MUTUAL_INFORMATION ? ", 1 at best" : "");
    }
    print_doubts("original", &p->original);
    print_doubts("released", &p->released);
    printf("\nThese results are computed from the private graph itself; do not publish them.\n");
}

/* ---- for scripts ----------------------------------------------------------------------------- */

static json_t *answers_json(const hrr_pgb_answers *a)
{
    json_t *values = json_object();
    for (int q = 0; q < HRR_N_PGB_QUERIES; q++)
        if (!isnan(a->value[q]))
            json_object_set_new(values, hrr_pgb_rows()[q].name, cli_json_real(a->value[q]));
    return json_pack("{s:o, s:b, s:I, s:o, s:I, s:f, s:I}", "values", values, "paths_exact",
                     !is_sampled(a), "path_sources", (json_int_t)a->n_path_sources,
                     "mean_path_standard_error", cli_json_real(a->mean_path_error), "diameter_most",
                     (json_int_t)a->diameter_most, "centrality_residual", a->centrality_residual,
                     "communities", (json_int_t)a->n_communities);
}

static json_t *pair_json(const pgb_pair *p)
{
    json_t *distances = json_object();
    for (int q = 0; q < HRR_N_PGB_QUERIES; q++)
        json_object_set_new(distances, hrr_pgb_rows()[q].name, cli_json_real(p->distance[q]));
    return json_pack("{s:s, s:o, s:o, s:o}", "suite", "pgb", "original", answers_json(&p->original),
                     "released", answers_json(&p->released), "distances", distances);
}

/* ---- together -------------------------------------------------------------------------------- */

static hrr_status answer(pgb_pair *out, const cli_graph_pair *graphs, bool exact, uint64_t seed,
                         int threads, hrr_progress *progress, hrr_error *err)
{
    hrr_pgb_options options;
    hrr_pgb_options_init(&options);
    options.seed = seed;
    options.threads = threads;
    if (exact) options.n_path_sources = UINT32_MAX;
    hrr_status status = hrr_pgb_answer(&out->original, &graphs->original, &options, progress, err);
    if (!status)
        status = hrr_pgb_answer(&out->released, &graphs->released, &options, progress, err);
    if (!status) status = hrr_pgb_compare(out->distance, &out->original, &out->released, err);
    return status;
}

hrr_status cli_compare_pgb(const char *original, const char *released, const hrr_read_options *read,
                           bool exact, uint64_t seed, cli_task *task, hrr_error *err)
{
    cli_graph_pair graphs;
    pgb_pair p = {0};
    hrr_status status = cli_graph_pair_read(&graphs, original, released, read, task->progress, err);
    if (!status) status = answer(&p, &graphs, exact, seed, read->threads, task->progress, err);
    if (!status) {
        cli_progress_erase();
        if (!task->json)
            print_pair(&p);
        else if (!(task->result = pair_json(&p)))
            status = hrr_fail(err, HRR_ENOMEM, "out of memory");
    }
    hrr_pgb_answers_clear(&p.original);
    hrr_pgb_answers_clear(&p.released);
    cli_graph_pair_clear(&graphs);
    return status;
}
