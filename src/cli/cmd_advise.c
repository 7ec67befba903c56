/* cmd_advise.c: heterorr advise: which mechanism and budget may be worth it, before any is spent.
 * Only the graph's public view goes into it (hrr_public_view), so that its output tells nothing
 * private. */
#include "cli/figures.h"
#include "cli/graph_input.h"
#include "cli/json.h"
#include "cli/lists.h"
#include "cli/message.h"
#include "cli/model_record.h"
#include "cli/progress.h"
#include "cli/results_place.h"
#include "cli/training_table.h"

#include <heterorr/experiment.h>
#include <heterorr/release.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct advise_args {
    cli_common common;
    hrr_read_options read;
    const char *graph, *output, *eps_edges, *eps_features;
    double private_share;
    bool public_features;
    uint32_t runs;
    uint64_t seed;
} advise_args;

static void init(void *args)
{
    advise_args *a = args;
    hrr_advise_options usual;
    hrr_advise_options_init(&usual);
    hrr_read_options_init(&a->read);
    a->eps_edges = "1,2,4";
    a->eps_features = ".1,.5,1,2,4,8";
    a->private_share = usual.private_share;
    a->runs = usual.runs;
    a->seed = usual.seed;
}

static const cli_option operands[] = {
    {.argument = "GRAPH",
     .kind = CLI_PATH,
     .required = true,
     .at = offsetof(advise_args, graph),
     .help = "the graph that is to be protected, or a bundle"},
    {0},
};

static const cli_option advise_options[] = {
    {.name = "eps-edges",
     .kind = CLI_TEXT,
     .argument = "E,..",
     .at = offsetof(advise_args, eps_edges),
     .help = "budgets of one pair to try"},
    {.name = "eps-features",
     .kind = CLI_TEXT,
     .argument = "E,..",
     .at = offsetof(advise_args, eps_features),
     .help = "budgets of one node's features to look at"},
    {.name = "private-share",
     .kind = CLI_REAL,
     .argument = "R",
     .low = 0,
     .high = 1,
     .at = offsetof(advise_args, private_share),
     .help = "how many of all edges are private, as far as is publicly known; how many there are "
             "in GRAPH is not looked at"},
    {.name = "public-features",
     .at = offsetof(advise_args, public_features),
     .help = "features need no protection: use them. Those of a bundle always are used; otherwise "
             "networks get random ones"},
    {.name = "runs",
     .kind = CLI_U32,
     .argument = "N",
     .least = 2,
     .most = 1000,
     .at = offsetof(advise_args, runs),
     .help = "how often each is tried"},
    {.name = "seed",
     .kind = CLI_U64,
     .argument = "N",
     .at = offsetof(advise_args, seed),
     .help = "of everything that is drawn"},
    {.name = "output",
     .letter = 'o',
     .kind = CLI_PATH,
     .argument = "FILE.csv",
     .at = offsetof(advise_args, output),
     .help = "keep a row for each run; a file that is there is gone on with"},
    {0},
};

static const cli_option_set sets[] = {
    {"Advising", advise_options, 0},
    {"Reading the graph", cli_graph_options, offsetof(advise_args, read)},
    {"Options", cli_common_options, offsetof(advise_args, common)},
    {0},
};

static const cli_example examples[] = {
    {"heterorr advise graph",
     "Which budgets may be worth it, from what is public about the graph."},
    {"heterorr advise graph --private-share .6 --eps-edges .5,1,2 -o advice.csv",
     "The same if about six of ten edges are private; every run is kept."},
    {"heterorr advise bundle", "After a release: would a budget for edges pay with its features?"},
    {0},
};

/* ---- what to do ------------------------------------------------------------------------------ */

enum { most_eps = cli_most_items };

typedef struct advice {
    hrr_edge_advice edges;
    hrr_feature_advice features[most_eps];
    size_t n_features_rows;
    uint64_t n_features;
    bool features_are_public;
    const hrr_feature_advice *feature_choice; /* NULL: spend nothing on features */
} advice;

/* A rule of thumb: at least a tenth of the label could be told, and the noise of a mean over
 * neighbours is smaller than half the range, so that it can tell low from high. */
static void choose_features(advice *self)
{
    for (size_t i = 0; i < self->n_features_rows && !self->feature_choice; i++) {
        const hrr_feature_advice *row = &self->features[i];
        if (row->information >= 0.1 && row->noise_averaged < 0.5) self->feature_choice = row;
    }
}

/* The command that follows from it; free() it. */
static char *command_text(const advice *self, const char *graph)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (!to) return NULL;
    fprintf(to, "heterorr protect %s -o BUNDLE", graph);
    if (self->n_features && self->features_are_public)
        fprintf(to, " --feature-mechanism none");
    else if (self->feature_choice)
        fprintf(to, " --feature-mechanism multibit --eps-features %g", self->feature_choice->eps);
    else if (self->n_features)
        fprintf(to, " --feature-mechanism featfree --propagate 4");
    if (self->edges.choice >= 0)
        fprintf(to, " --edge-mechanism %s --eps-edges %s",
                self->edges.rows[self->edges.choice].edges,
                self->edges.rows[self->edges.choice].eps_edges);
    if (fclose(to) == 0) return text;
    free(text);
    return NULL;
}

/* ---- for people and for scripts -------------------------------------------------------------- */

static void print_edges(const advice *self, const advise_args *a, FILE *to)
{
    fprintf(to,
            "Edges: %s of the public edges were hidden as if they were the private ones, and "
            "released again.\n",
            cli_percent(a->private_share).text);
    cli_training_print(self->edges.rows, self->edges.n_rows, to);
    if (self->edges.choice < 0)
        fprintf(to, "-> leave private edges out: nothing that was tried shows more than that, and "
                    "it costs nothing\n\n");
    else
        fprintf(to, "-> %s with eps %s is the cheapest that shows more than leaving them out\n\n",
                self->edges.rows[self->edges.choice].edges,
                self->edges.rows[self->edges.choice].eps_edges);
}

static void print_features(const advice *self, FILE *to)
{
    if (!self->n_features) return;
    if (self->features_are_public) {
        fprintf(to, "Features: nothing to spend, they are public or released.\n\n");
        return;
    }
    fprintf(to,
            "Features: %s of them. Whatever they are, and whatever the mechanism (without a "
            "delta), a node's own released\nfeatures tell at most this share of its label; beside "
            "it the noise of one feature (multibit, the range is 1).\n",
            cli_grouped(self->n_features).text);
    fprintf(to, "%8s %16s %12s %24s\n", "eps", "of the label", "noise", "mean over neighbours");
    for (size_t i = 0; i < self->n_features_rows; i++)
        fprintf(to, "%8g %16s %12.3g %24.3g\n", self->features[i].eps,
                cli_percent(self->features[i].information).text, self->features[i].noise,
                self->features[i].noise_averaged);
    if (self->feature_choice)
        fprintf(to,
                "-> from eps %g on they may say something that random features do not; compare "
                "with featfree before you spend it\n\n",
                self->feature_choice->eps);
    else
        fprintf(to, "-> at these budgets noise drowns even a mean over neighbours: random features "
                    "(featfree) cost nothing, try\n   them first; fewer features, or "
                    "featurerr-projected with a public sample, need less\n\n");
}

static json_t *features_json(const advice *self)
{
    json_t *list = json_array();
    for (size_t i = 0; i < self->n_features_rows; i++)
        json_array_append_new(list, json_pack("{s:f, s:f, s:f, s:f}", "eps", self->features[i].eps,
                                              "information", self->features[i].information, "noise",
                                              self->features[i].noise, "noise_averaged",
                                              self->features[i].noise_averaged));
    return list;
}

static hrr_status show(const advice *self, const advise_args *a, const char *metric, cli_task *task,
                       hrr_error *err)
{
    char *command = command_text(self, a->graph);
    if (!command) return hrr_fail(err, HRR_ENOMEM, "out of memory");
    cli_progress_erase();
    if (!task->json) {
        print_edges(self, a, task->talk);
        print_features(self, task->talk);
        fprintf(task->talk, "%s\n", command);
        free(command);
        return HRR_OK;
    }
    const hrr_training_mean *choice =
        self->edges.choice < 0 ? NULL : &self->edges.rows[self->edges.choice];
    task->result = json_pack(
        "{s:s, s:o, s:s, s:s?, s:o, s:o, s:o}", "metric", metric, "edges",
        cli_training_json(self->edges.rows, self->edges.n_rows), "edge_mechanism",
        choice ? choice->edges : "public-only", "eps_edges", choice ? choice->eps_edges : NULL,
        "features", features_json(self), "eps_features",
        self->feature_choice ? json_real(self->feature_choice->eps) : json_null(), "command",
        cli_json_text(command));
    free(command);
    return task->result ? HRR_OK : hrr_fail(err, HRR_ENOMEM, "out of memory");
}

/* ---- together -------------------------------------------------------------------------------- */

static hrr_status advise(advice *out, const char *results, const hrr_graph *graph,
                         const advise_args *a, cli_task *task, hrr_error *err)
{
    uint64_t eps_edges[cli_most_items], eps_features[cli_most_items];
    const hrr_dense *features = hrr_graph_features(graph);
    hrr_advise_options options;
    hrr_graph *known = NULL;
    hrr_advise_options_init(&options);
    out->n_features = features ? features->cols : 0;
    out->features_are_public = out->n_features && (a->public_features || cli_is_release(a->graph));
    options.features_are_public = out->features_are_public;
    options.eps_edges_nano = eps_edges;
    options.private_share = a->private_share;
    options.runs = a->runs;
    options.seed = a->seed;
    options.threads = a->read.threads;
    hrr_status status =
        cli_read_budgets(eps_edges, &options.n_eps_edges, a->eps_edges, "eps-edges", err);
    if (!status)
        status = cli_read_budgets(eps_features, &out->n_features_rows, a->eps_features,
                                  "eps-features", err);
    if (!status) status = hrr_public_view(&known, graph, out->features_are_public, err);
    if (!status)
        status = hrr_advise_edges(&out->edges, results, known, &options, task->progress, err);
    for (size_t i = 0; !status && i < out->n_features_rows; i++)
        hrr_advise_features(&out->features[i], (double)eps_features[i] / (double)HRR_EPS_UNIT,
                            out->n_features, known);
    if (!status && out->n_features && !out->features_are_public) choose_features(out);
    hrr_graph_free(known);
    return status;
}

/* What a format leaves open comes from private data (docs/privacy.md), and shows. */
static void note_inferred(const hrr_graph *graph, const cli_provenance *promised,
                          const advise_args *a, const advice *self)
{
    const unsigned inferred = hrr_graph_inferred(graph);
    if (promised->certificate) {
        if (!json_is_true(json_object_get(promised->certificate, "private")))
            cli_note("%s is NOT PRIVATE, and the advice tells about what it shows; keep it to "
                     "yourself",
                     a->graph);
        return;
    }
    if (!hrr_graph_is_private(graph))
        cli_note("the graph marks no edge private: all of them were taken for public, and the "
                 "advice tells about them; if they are not, keep it to yourself or mark them "
                 "(--private-column, --private-edges)");
    else if (inferred & HRR_INFERRED_NODES)
        cli_note("the nodes are those that rows of the edge list name, private rows too, and their "
                 "number shows in the advice; if that is private, keep it to yourself");
    if (self->n_features && !self->features_are_public && inferred & HRR_INFERRED_COLUMNS)
        cli_note("the number of features is as large as the private features need, and it shows in "
                 "the advice; if that is private, keep it to yourself");
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const advise_args *a = args;
    advice found = {.edges = {.control = -1, .choice = -1}};
    cli_results_place place;
    cli_provenance promised = {0};
    hrr_graph *graph = NULL;
    hrr_status status = cli_results_open(&place, a->output, err);
    if (!status) status = cli_provenance_find(&promised, a->graph, false, err);
    if (!status) status = cli_read_graph(&graph, a->graph, &a->read, task->progress, err);
    if (!status) status = advise(&found, place.file, graph, a, task, err);
    if (!status)
        status =
            show(&found, a, hrr_graph_is_multilabel(graph) ? "f1_micro" : "accuracy", task, err);
    if (!status) note_inferred(graph, &promised, a, &found);
    cli_provenance_clear(&promised);
    cli_results_close(&place);
    hrr_edge_advice_clear(&found.edges);
    hrr_graph_free(graph);
    return status;
}

const cli_verb cli_verb_advise = {
    .name = "advise",
    .summary = "say which mechanism and budget may be worth it, at no cost",
    .description =
        "Looks only at what is public: nodes, public edges, labels and, where they are public or "
        "released, features. For edges it is a rehearsal: some public edges are hidden as if they "
        "were the private ones, mechanisms release them, and networks are trained on that. For "
        "features it says how much a budget can buy at most. Where a control that costs nothing "
        "does as well, it says so. Nothing is spent, and the advice tells nothing private; what "
        "the graph's format leaves open is named.",
    .examples = examples,
    .operands = operands,
    .sets = sets,
    .args_size = sizeof(advise_args),
    .init = init,
    .run = run,
};
