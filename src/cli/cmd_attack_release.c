/* cmd_attack_release.c: heterorr attack release: releases of two worlds told apart, against the
 * most that epsilon allows. */
#include "cli/attack.h"
#include "cli/figures.h"
#include "cli/graph_input.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/progress.h"

#include <heterorr/edge.h>
#include <heterorr/privacy.h>

#include <math.h>
#include <string.h>

typedef struct release_args {
    cli_attack_subject subject;
    cli_common common;
    hrr_read_options read;
    cli_attack_releases releases;
    cli_attack_draws draws;
    uint64_t trials;
} release_args;

static void init(void *args)
{
    release_args *a = args;
    hrr_release_attack_options usual;
    hrr_release_attack_options_init(&usual);
    hrr_read_options_init(&a->read);
    cli_attack_releases_init(&a->releases);
    cli_attack_draws_init(&a->draws);
    a->trials = usual.trials;
}

static const cli_option trial_options[] = {
    {.name = "trials",
     .kind = CLI_U64,
     .argument = "N",
     .least = 100,
     .most = UINT64_C(1) << 32,
     .at = offsetof(release_args, trials),
     .field = "trials",
     .help = "how many releases are drawn with the edge and how many without it"},
    {.name = "runs",
     .kind = CLI_U32,
     .argument = "N",
     .least = 1,
     .most = 10000,
     .at = offsetof(release_args, draws.runs),
     .field = "runs",
     .help = "how many pairs are attacked; each is one row"},
    {0},
};

static const cli_option_set sets[] = {
    {"Releases", cli_attack_releases_options, offsetof(release_args, releases)},
    {"Attack", trial_options, 0},
    {NULL, cli_attack_seed_options, offsetof(release_args, draws)},
    {"Reading the graph", cli_graph_options, offsetof(release_args, read)},
    {"Options", cli_common_options, offsetof(release_args, common)},
    {0},
};

static const cli_example examples[] = {
    {"heterorr attack release graph --mechanisms edgerr --eps-edges 1",
     "Do releases reveal whether one pair has an edge more often than epsilon allows?"},
    {"heterorr attack release graph --tree barker --eps-edges 1 --runs 1",
     "One pair, and a tree that is drawn from private edges."},
    {0},
};

static const char *verdict_name(const hrr_release_attack *r)
{
    static const char *const names[] = {[HRR_ATTACK_HOLDS] = "holds",
                                        [HRR_ATTACK_BROKEN] = "BROKEN",
                                        [HRR_ATTACK_PROMISES_NOTHING] = "promises nothing",
                                        [HRR_ATTACK_SEES_NOTHING] = "sees nothing"};
    return names[r->verdict];
}

/* What a row is about. */
typedef struct row {
    const char *mechanism, *tree; /* tree: NULL unless it was chosen */
    char eps[HRR_EPS_TEXT_SIZE];
    uint32_t run;
} row;

static json_t *row_json(const hrr_release_attack *r, const row *of)
{
    return json_pack("{s:s, s:s?, s:s, s:I, s:s, s:f, s:f, s:f, s:f, s:f, s:s, s:b}", "mechanism",
                     of->mechanism, "tree", of->tree, "eps_edges", of->eps, "run",
                     (json_int_t)of->run, "sees", r->sees, "advantage", r->advantage, "lower",
                     r->lower, "upper", r->upper, "bound", r->bound, "eps_lower", r->eps_lower,
                     "verdict", verdict_name(r), "holds", r->verdict == HRR_ATTACK_HOLDS);
}

static void show_heading(void)
{
    printf("%-18s %6s  %-14s %9s   %17s %9s %9s  %s\n", "mechanism", "eps", "sees", "advantage",
           "for certain", "at most", "eps above", "verdict");
}

static void show_row(const hrr_release_attack *r, const row *of)
{
    char name[64];
    snprintf(name, sizeof name, "%s%s%s", of->mechanism, of->tree ? ", " : "",
             of->tree ? of->tree : "");
    printf("%-18s %6s  %-14s %9.4f   %7.4f ..%7.4f %9.4f %9.4f  %s\n", name, of->eps, r->sees,
           r->advantage, r->lower, r->upper, r->bound, r->eps_lower, verdict_name(r));
}

/* One mechanism at one budget, on so many pairs. */
static hrr_status attack_one(json_t *rows, uint32_t n_verdicts[], const hrr_graph *graph,
                             const char *mechanism, uint64_t eps_nano, const release_args *a,
                             cli_task *task, hrr_error *err)
{
    hrr_release_attack_options options;
    hrr_release_attack found;
    hrr_release_attack_options_init(&options);
    options.mechanism = mechanism;
    options.eps_nano = eps_nano;
    const hrr_edge_mechanism *known = hrr_edge_mechanism_find(mechanism);
    options.tree = known && known->chooses_tree ? a->releases.tree : NULL;
    options.trials = a->trials;
    options.threads = a->read.threads;
    row of = {.mechanism = mechanism, .tree = options.tree};
    hrr_eps_format(of.eps, eps_nano);
    for (of.run = 0; of.run < a->draws.runs; of.run++) {
        options.seed = a->draws.seed + of.run;
        hrr_status status = hrr_attack_release(&found, graph, &options, task->progress, err);
        if (status) return status;
        n_verdicts[found.verdict]++;
        cli_progress_erase();
        if (!task->json && json_array_size(rows) == 0) show_heading(); /* not before a refusal */
        json_array_append_new(rows, row_json(&found, &of));
        if (!task->json) show_row(&found, &of);
    }
    return HRR_OK;
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const release_args *a = args;
    cli_attack_lists l;
    hrr_graph *graph = NULL;
    json_t *rows = json_array();
    uint32_t n_verdicts[HRR_ATTACK_SEES_NOTHING + 1] = {0};
    const uint32_t *n_broken = &n_verdicts[HRR_ATTACK_BROKEN];
    const double began = cli_clock();
    hrr_status status = cli_attack_lists_read(&l, &a->releases, err);
    if (!status) status = cli_read_graph(&graph, a->subject.graph, &a->read, task->progress, err);
    for (size_t m = 0; !status && l.mechanisms.items[m]; m++)
        for (size_t e = 0; e < l.n_eps && !status; e++)
            status =
                attack_one(rows, n_verdicts, graph, l.mechanisms.items[m], l.eps[e], a, task, err);
    if (!status && n_verdicts[HRR_ATTACK_SEES_NOTHING])
        cli_note("\"sees nothing\": these tests reveal little even at the largest budget, so they "
                 "neither support nor refute the claim");
    if (!status && task->json) {
        task->result =
            json_pack("{s:O, s:I, s:b, s:I, s:f}", "rows", rows, "trials", (json_int_t)a->trials,
                      "holds", n_verdicts[HRR_ATTACK_HOLDS] == json_array_size(rows), "broken",
                      (json_int_t)*n_broken, "seconds", cli_clock() - began);
        if (!task->result) status = hrr_fail(err, HRR_ENOMEM, "out of memory");
    }
    json_decref(rows);
    hrr_graph_free(graph);
    cli_attack_lists_clear(&l);
    if (!status && *n_broken)
        status = hrr_fail(err, HRR_ECHECK,
                          "releases reveal more about a pair than the claimed epsilon allows, in "
                          "%u of the rows: do not rely on the mechanism",
                          *n_broken);
    return status;
}

const cli_verb cli_verb_attack_release = {
    .name = "attack release",
    .summary = "find one pair, through released edges",
    .description =
        "This is the adversary of the definition of differential privacy: it knows everything "
        "except one pair, and sees releases with and without its edge. The exit code is 5 if the "
        "adversary is right more often than the claimed epsilon allows.",
    .examples = examples,
    .operands = cli_attack_subject_operands,
    .sets = sets,
    .args_size = sizeof(release_args),
    .init = init,
    .run = run,
};
