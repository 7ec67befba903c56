/* cmd_advise.c: heterorr advise: which mechanism and budget may be worth it, before any is spent.
 * Only the graph's public view goes into it (hrr_public_view), so that its output tells nothing of
 * private edges and features, nor of labels that are to be protected. */
#include "cli/advise.h"
#include "cli/graph_input.h"
#include "cli/message.h"
#include "cli/release_input.h"
#include "cli/results_place.h"
#include "cli/undeclared.h"

#include <heterorr/release.h>

static void init(void *args)
{
    cli_advise_args *a = args;
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
     .at = offsetof(cli_advise_args, graph),
     .help = "the graph to be protected, or a bundle"},
    {0},
};

static const cli_option advise_options[] = {
    {.name = "eps-edges",
     .kind = CLI_TEXT,
     .argument = "E,..",
     .at = offsetof(cli_advise_args, eps_edges),
     .field = "eps_edges_nano edges.eps_nano",
     .help = "the budgets of one pair to try"},
    {.name = "eps-features",
     .kind = CLI_TEXT,
     .argument = "E,..",
     .at = offsetof(cli_advise_args, eps_features),
     .help = "the budgets of one node's features to consider"},
    {.name = "private-share",
     .kind = CLI_REAL,
     .argument = "R",
     .low = 0,
     .high = 1,
     .at = offsetof(cli_advise_args, private_share),
     .field = "private_share",
     .help = "the share of all edges that are private, as far as it is publicly known; the private "
             "edges in GRAPH are not counted"},
    {.name = "public-features",
     .at = offsetof(cli_advise_args, public_features),
     .field = "features_are_public",
     .help = "the features need no protection and are used. The features of a bundle are always "
             "used; otherwise networks get random features"},
    {.name = "eps-labels",
     .kind = CLI_TEXT,
     .argument = "E",
     .at = offsetof(cli_advise_args, eps_labels),
     .help = "the labels will be protected with this budget, so the advice does not use them. "
             "Otherwise labels are treated as public, and networks learn from them"},
    {.name = "head-right",
     .kind = CLI_REAL,
     .argument = "P",
     .low = 0,
     .high = 1,
     .at = offsetof(cli_advise_args, head_right),
     .field = "head_right",
     .help =
         "rehearse featurerr-head with a public head of this accuracy on people who were not in "
         "its training data, as a mean over classes; heterorr head prints it. 1 is a perfect head"},
    {.name = "label-rate",
     .kind = CLI_TEXT,
     .argument = "R",
     .at = offsetof(cli_advise_args, label_rate),
     .field = "label_rate label_rates",
     .help = "the share of nodes that have labels when the reports of a head are used; the default "
             "is one half"},
    {.name = "metric",
     .kind = CLI_CHOICE,
     .argument = "NAME",
     .choices = hrr_training_metrics,
     .at = offsetof(cli_advise_args, metric),
     .field = "metric",
     .help = "the metric that a head is judged by"},
    {.name = "runs",
     .kind = CLI_U32,
     .argument = "N",
     .least = 2,
     .most = 1000,
     .at = offsetof(cli_advise_args, runs),
     .field = "runs",
     .help = "how often each setting is run"},
    {.name = "seed",
     .kind = CLI_U64,
     .argument = "N",
     .at = offsetof(cli_advise_args, seed),
     .field = "seed",
     .help = "the seed of everything that is drawn"},
    {.name = "output",
     .letter = 'o',
     .kind = CLI_PATH,
     .argument = "FILE.csv",
     .at = offsetof(cli_advise_args, output),
     .help = "write one row per run; a file that exists is continued"},
    {0},
};

const cli_option cli_advise_passed_on[] = {
    {.name = "head",
     .kind = CLI_PATH,
     .argument = "HEAD.npz",
     .at = offsetof(cli_advise_args, head),
     .field = "features.head",
     .help = "a public head for the features (see heterorr head)"},
    {.name = "public",
     .kind = CLI_LIST,
     .argument = "LIST",
     .choices = hrr_public_names,
     .at = offsetof(cli_advise_args, declared),
     .field = "declared_public",
     .help = "what you declare to be public knowledge"},
    {.name = "bounds",
     .kind = CLI_PATH,
     .argument = "LO,HI|FILE",
     .at = offsetof(cli_advise_args, bounds),
     .field = "features.lo features.hi",
     .help = "the public bounds of the features"},
    {0},
};

static const cli_option_set sets[] = {
    {"Advising", advise_options, 0},
    {"Passed on to protect", cli_advise_passed_on, 0},
    {"Reading the graph", cli_graph_options, offsetof(cli_advise_args, read)},
    {"Options", cli_common_options, offsetof(cli_advise_args, common)},
    {0},
};

static const cli_example examples[] = {
    {"heterorr advise graph", "Which budgets may be worth it, from public data alone?"},
    {"heterorr advise graph --private-share .6 --eps-edges .5,1,2 -o advice.csv",
     "The same if about 60 % of the edges are private; every run is stored."},
    {"heterorr advise CA-HepPh.pairs --private-fraction .3",
     "A graph without labels: which mechanism preserves degrees, clustering and communities?"},
    {"heterorr advise graph --head head.npz --head-right .7 --label-rate .1 --public head",
     "Would the reports of a public head pay where a tenth of the nodes have labels?"},
    {"heterorr advise bundle", "After a release: would a budget for edges pay with its features?"},
    {0},
};

/* ---- what is found --------------------------------------------------------------------------- */

/* A rule of thumb: at least a tenth of the label could be told, as far as that can be known, labels
 * and public edges leave enough to be told, and the noise of a mean over neighbours is smaller than
 * half the range, so that it can tell low from high. */
static void choose_features(cli_advice *self)
{
    for (size_t i = 0; i < self->n_features_rows && !self->feature_choice; i++) {
        const hrr_feature_advice *row = &self->features[i];
        if (!(row->information < 0.1) && row->noise_averaged < 0.5 && cli_advice_leaves(self, i))
            self->feature_choice = row;
    }
}

bool cli_advice_leaves(const cli_advice *self, size_t i)
{
    return !self->has_reports || hrr_report_can_pay(&self->reports[i]);
}

static hrr_status read_label_rate(double *rate, const cli_advise_args *a, hrr_error *err)
{
    double rates[cli_most_items];
    size_t n = 0;
    hrr_status status = cli_read_fractions(rates, &n, a->label_rate, "label-rate", err);
    if (!status && n > 1)
        status = hrr_fail(err, HRR_EINVAL, "--label-rate takes only one share here");
    *rate = !status && n ? rates[0] : 0;
    return status;
}

/* What labels and public edges leave to be told by features. */
static hrr_status find_what_is_left(cli_advice *out, const hrr_graph *known,
                                    const hrr_advise_options *options, cli_task *task,
                                    hrr_error *err)
{
    if (out->blind || out->structural || out->is_multilabel || !out->n_features ||
        out->features_are_public || hrr_graph_n_classes(known) < 2)
        return HRR_OK;
    out->has_reports = true;
    return hrr_advise_reports(out->reports, known, options, task->progress, err);
}

/* Whether a rehearsal would tell anything. */
static void look(cli_advice *out, const cli_advise_args *a, const hrr_graph *known)
{
    out->n_public_edges = hrr_graph_n_edges(known);
    out->blind = a->eps_labels && !out->structural ? CLI_ADVICE_NO_LABELS
                 : hrr_advice_is_blind(known)      ? CLI_ADVICE_FEW_EDGES
                                                   : CLI_ADVICE_SEES;
}

/* Reports of a head, with answers that are drawn from public labels. */
static hrr_status rehearse_head(cli_advice *out, const char *results, const hrr_graph *known,
                                const hrr_advise_options *options, const cli_advise_args *a,
                                cli_task *task, hrr_error *err)
{
    if (a->eps_labels)
        return hrr_fail(err, HRR_EINVAL,
                        "--head-right rehearses a head with public labels, but --eps-labels says "
                        "that labels will be protected; leave one of them out");
    if (!out->n_features || out->features_are_public)
        return hrr_fail(err, HRR_EINVAL,
                        "there are no private features for a head to read; leave --head-right out");
    return hrr_advise_head(&out->head, results, known, options, task->progress, err);
}

static hrr_status advise(cli_advice *out, const char *results, const hrr_graph *graph,
                         const cli_advise_args *a, cli_task *task, hrr_error *err)
{
    uint64_t eps_edges[cli_most_items], eps_features[cli_most_items], eps_labels = 0;
    const hrr_dense *features = hrr_graph_features(graph);
    hrr_advise_options options;
    hrr_graph *known = NULL;
    hrr_advise_options_init(&options);
    out->n_features = features ? features->cols : 0;
    out->features_are_public =
        out->n_features && (a->public_features || hrr_path_is_bundle(a->graph));
    out->has_labels = hrr_graph_n_classes(graph) > 0;
    out->is_multilabel = hrr_graph_is_multilabel(graph);
    out->structural = !out->has_labels;
    options.features_are_public = out->features_are_public;
    options.eps_edges_nano = eps_edges;
    options.private_share = a->private_share;
    options.runs = a->runs;
    options.seed = a->seed;
    options.threads = a->read.threads;
    options.eps_features_nano = eps_features;
    options.head_right = a->head_right;
    options.metric = a->metric;
    hrr_status status =
        cli_read_budgets(eps_edges, &options.n_eps_edges, a->eps_edges, "eps-edges", err);
    if (!status)
        status = cli_read_budgets(eps_features, &out->n_features_rows, a->eps_features,
                                  "eps-features", err);
    options.n_eps_features = out->n_features_rows;
    if (!status) status = read_label_rate(&options.label_rate, a, err);
    if (!status && a->eps_labels)
        status = hrr_eps_parse(&eps_labels, a->eps_labels, "--eps-labels", err);
    if (!status)
        status = hrr_public_view(&known, graph, out->features_are_public, !a->eps_labels, err);
    if (!status) look(out, a, known);
    if (!status && !out->blind && out->structural)
        status =
            hrr_advise_structure(&out->structure, results, known, &options, task->progress, err);
    else if (!status && !out->blind)
        status = hrr_advise_edges(&out->edges, results, known, &options, task->progress, err);
    for (size_t i = 0; !status && i < out->n_features_rows; i++)
        hrr_advise_features(&out->features[i], (double)eps_features[i] / (double)HRR_EPS_UNIT,
                            out->n_features, known);
    if (!status && a->head_right > 0)
        status = rehearse_head(out, results, known, &options, a, task, err);
    if (!status) status = find_what_is_left(out, known, &options, task, err);
    if (!status && out->n_features && !out->features_are_public) choose_features(out);
    hrr_graph_free(known);
    return status;
}

/* What a format leaves open comes from private data (docs/privacy.md), and shows. */
static void note_inferred(const hrr_release *release, const cli_advise_args *a, unsigned declared,
                          const cli_advice *self)
{
    const hrr_graph *graph = hrr_release_graph(release);
    const unsigned inferred = hrr_graph_inferred(graph);
    const hrr_marking marking = hrr_graph_marking(graph);
    if (!hrr_release_is_reference(release) && !hrr_release_is_mixed(release)) {
        if (!hrr_release_is_private(release))
            cli_note("%s is NOT PRIVATE, and the advice reveals information about its contents; do "
                     "not publish the advice",
                     a->graph);
        return;
    }
    if (marking == HRR_UNDECIDED && !(declared & HRR_PUBLIC_EDGES))
        cli_note("the graph marks no edge as private, so all edges were treated as public, and the "
                 "advice reveals information about them. If some are private, do not publish the "
                 "advice, or mark them (--private-column, --private-edges, --all-private)");
    else if (marking == HRR_MARKED && inferred & HRR_INFERRED_NODES &&
             !(declared & HRR_PUBLIC_NODES))
        cli_note(
            "the nodes are those that occur in rows of the edge list, including private rows, and "
            "the advice shows their number; if that number is private, do not publish the advice");
    if (self->n_features && !self->features_are_public && inferred & HRR_INFERRED_COLUMNS &&
        !(declared & HRR_PUBLIC_COLUMNS))
        cli_note("the number of features is the largest one that occurs in the private features, "
                 "and the advice shows it; if that number is private, do not publish the advice");
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const cli_advise_args *a = args;
    cli_advice found = {.edges = {.control = -1, .choice = -1},
                        .head = {.control = -1, .choice = -1}};
    cli_results_place place;
    cli_release input = {0};
    unsigned declared = 0;
    hrr_status status = cli_read_declared(&declared, a->declared, err);
    if (status) return status;
    status = cli_results_open(&place, a->output, err);
    if (!status) status = cli_release_read(&input, a->graph, &a->read, task->progress, err);
    if (!status)
        status = advise(&found, place.file, hrr_release_graph(input.release), a, task, err);
    if (!status) status = cli_advice_tell(&found, a, task, err);
    if (!status) note_inferred(input.release, a, declared, &found);
    cli_release_clear(&input);
    cli_results_close(&place);
    hrr_edge_advice_clear(&found.edges);
    hrr_structure_advice_clear(&found.structure);
    hrr_edge_advice_clear(&found.head);
    return status;
}

const cli_verb cli_verb_advise = {
    .name = "advise",
    .summary = "estimate which mechanism and budget are worth it, at no cost",
    .description =
        "Uses only public data: nodes, public edges, labels and, where they are public or "
        "released, features. For edges, it rehearses: it hides some public edges as if they were "
        "private, lets mechanisms release them, and trains networks on the result. On a graph "
        "without labels, it compares degrees, clustering, paths, communities and random walks "
        "instead, and names a mechanism for each. For features, it prints an upper limit of what a "
        "budget can buy. With --head-right, it rehearses the reports of a public head, whose "
        "answers are drawn from the public labels. It says where a baseline that costs nothing "
        "does as well, and where public data cannot answer the question. It spends no budget, and "
        "its output reveals nothing about private edges and features. Labels are treated as public "
        "and used for training, unless --eps-labels says that they will be protected. It warns "
        "where the graph's format does not say what is public. The command that it prints at the "
        "end contains every option about the input that you gave.",
    .examples = examples,
    .operands = operands,
    .sets = sets,
    .args_size = sizeof(cli_advise_args),
    .init = init,
    .run = run,
};
