/* attack_release.c: heterorr attack release: releases of two worlds told apart, against the most
 * that epsilon allows. */
#include "cli/attack.h"
#include "cli/figures.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/progress.h"

#include <heterorr/privacy.h>

#include <math.h>
#include <string.h>

static bool is_broken(const hrr_release_attack *r)
{
    return r->lower > r->bound;
}

static json_t *row_json(const hrr_release_attack *r, const char *mechanism, uint64_t eps_nano,
                        uint32_t run)
{
    char eps[HRR_EPS_TEXT_SIZE];
    hrr_eps_format(eps, eps_nano);
    return json_pack("{s:s, s:s, s:I, s:s, s:f, s:f, s:f, s:f, s:b}", "mechanism", mechanism,
                     "eps_edges", eps, "run", (json_int_t)run, "sees",
                     r->sees_number ? "number" : "pair", "advantage", r->advantage, "lower",
                     r->lower, "upper", r->upper, "bound", r->bound, "holds", !is_broken(r));
}

static void show_row(const hrr_release_attack *r, const char *mechanism, uint64_t eps_nano)
{
    char eps[HRR_EPS_TEXT_SIZE];
    hrr_eps_format(eps, eps_nano);
    printf("%-18s %6s  %-7s %9.4f   %7.4f ..%7.4f %9.4f  %s\n", mechanism, eps,
           r->sees_number ? "number" : "pair", r->advantage, r->lower, r->upper, r->bound,
           is_broken(r) ? "BROKEN" : "holds");
}

/* One mechanism at one budget, on a->runs pairs. */
static hrr_status attack_one(json_t *rows, uint32_t *n_broken, const hrr_graph *graph,
                             const char *mechanism, uint64_t eps_nano, const cli_attack_args *a,
                             cli_task *task, hrr_error *err)
{
    hrr_release_attack_options options;
    hrr_release_attack found;
    hrr_release_attack_options_init(&options);
    options.mechanism = mechanism;
    options.eps_nano = eps_nano;
    options.tree = strcmp(mechanism, "edgerr") == 0 ? a->tree : NULL;
    options.trials = a->trials;
    options.threads = a->read.threads;
    for (uint32_t run = 0; run < a->runs; run++) {
        options.seed = a->seed + run;
        hrr_status status = hrr_attack_release(&found, graph, &options, task->progress, err);
        if (status) return status;
        *n_broken += is_broken(&found);
        cli_progress_erase();
        if (task->json)
            json_array_append_new(rows, row_json(&found, mechanism, eps_nano, run));
        else
            show_row(&found, mechanism, eps_nano);
    }
    return HRR_OK;
}

hrr_status cli_attack_release(const cli_attack_args *a, cli_task *task, hrr_error *err)
{
    cli_attack_lists l;
    hrr_graph *graph = NULL;
    json_t *rows = json_array();
    uint32_t n_broken = 0;
    const double began = cli_clock();
    hrr_status status = cli_attack_lists_read(&l, a, err);
    if (!status) status = cli_attack_read_graph(&graph, a, task->progress, err);
    if (!status && !task->json)
        printf("%-18s %6s  %-7s %9s   %17s %9s  %s\n", "mechanism", "eps", "sees", "advantage",
               "for certain", "at most", "verdict");
    for (size_t m = 0; !status && l.mechanisms.items[m]; m++)
        for (size_t e = 0; e < l.n_eps && !status; e++)
            status =
                attack_one(rows, &n_broken, graph, l.mechanisms.items[m], l.eps[e], a, task, err);
    if (!status && task->json) {
        task->result =
            json_pack("{s:O, s:I, s:b, s:f}", "rows", rows, "trials", (json_int_t)a->trials,
                      "holds", n_broken == 0, "seconds", cli_clock() - began);
        if (!task->result) status = hrr_fail(err, HRR_ENOMEM, "out of memory");
    }
    json_decref(rows);
    hrr_graph_free(graph);
    cli_attack_lists_clear(&l);
    if (!status && n_broken)
        status = hrr_fail(err, HRR_ECHECK,
                          "releases tell more about a pair than the claimed epsilon allows, in %u "
                          "of the rows: do not rely on the mechanism",
                          n_broken);
    return status;
}
