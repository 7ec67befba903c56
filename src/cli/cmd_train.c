/* cmd_train.c: heterorr train: a graph network on a released graph, or, if asked for by name, on a
 * private one as the reference. The library does the work; here words become options, the release's
 * promise is looked up, and the result is written and shown. */
#include "cli/figures.h"
#include "cli/graph_input.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/network_args.h"
#include "cli/number.h"
#include "cli/progress.h"
#include "cli/release_input.h"

#include <heterorr/learn.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct train_args {
    cli_common common;
    hrr_read_options read;
    const char *graph, *output;
    cli_network_args network;
    const char *arch, *split, *eps_labels, *counts, *reports, *scale, *scratch;
    uint32_t propagate, batch, label_steps;
    uint64_t seed;
    bool standardise, non_private, force;
} train_args;

static const char *const *archs(void) /* in the order of hrr_arch */
{
    static const char *const names[] = {"gcn", "mlp", "sign", NULL};
    return names;
}

static const char *const *scales(void)
{
    static const char *const names[] = {"auto", "standard", "none", NULL};
    return names;
}

static void init(void *args)
{
    train_args *a = args;
    hrr_train_options usual;
    hrr_train_options_init(&usual);
    hrr_read_options_init(&a->read);
    a->arch = archs()[usual.arch];
    a->batch = HRR_USUAL_BATCH;
    cli_network_args_init(&a->network, &usual);
    a->seed = usual.seed;
    a->counts = cli_counts_words()[0];
    a->reports = cli_counts_words()[0];
    a->scale = scales()[0];
}

static const cli_option operands[] = {
    {.argument = "GRAPH",
     .kind = CLI_PATH,
     .required = true,
     .at = offsetof(train_args, graph),
     .help = "a bundle made by protect, or a graph without private edges"},
    {0},
};

static const cli_option model_options[] = {
    {.name = "arch",
     .kind = CLI_CHOICE,
     .argument = "NAME",
     .choices = archs,
     .at = offsetof(train_args, arch),
     .field = "arch",
     .help = "gcn uses the edges, mlp does not; sign uses them once, to propagate features over "
             "0 to K hops (--propagate), and then trains on few nodes at a time"},
    {.name = "propagate",
     .kind = CLI_U32,
     .argument = "K",
     .most = HRR_MOST_PROPAGATE,
     .at = offsetof(train_args, propagate),
     .field = "n_propagate",
     .help = "first average the features over edges K times; with --arch sign, the number of "
             "hops (default 2)"},
    {.name = "batch",
     .kind = CLI_U32,
     .argument = "B",
     .least = 1,
     .at = offsetof(train_args, batch),
     .field = "batch",
     .help = "with --arch sign, the number of nodes in a training step"},
    {.name = "scratch",
     .kind = CLI_DIRECTORY,
     .argument = "DIR",
     .at = offsetof(train_args, scratch),
     .field = "scratch",
     .help = "with --arch sign, store propagated features in an unnamed file in DIR instead of in "
             "memory"},
    {.name = "scale",
     .kind = CLI_CHOICE,
     .argument = "HOW",
     .choices = scales,
     .at = offsetof(train_args, scale),
     .field = "scale",
     .help = "standard: scale features to mean 0 and equal variance, and limit the length of rows "
             "with many features; none: leave them as they are; auto: follow the release, which "
             "asks for standard if features are randomised"},
    {.name = "standardise",
     .at = offsetof(train_args, standardise),
     .help = "scale features to mean 0 and variance 1, however many there are; the model stores "
             "the scale"},
    {.name = "counts",
     .kind = CLI_CHOICE,
     .argument = "HOW",
     .choices = cli_counts_words,
     .at = offsetof(train_args, counts),
     .field = "ignore_counts",
     .help = "if the bundle has counts of neighbours (edgerr-node): auto combines their evidence "
             "about classes with the best model that does not use them (the network, one without "
             "edges, and one of edges and labels); ignore trains the network alone"},
    {.name = "reports",
     .kind = CLI_CHOICE,
     .argument = "HOW",
     .choices = cli_counts_words,
     .at = offsetof(train_args, reports),
     .field = "ignore_reports",
     .help = "if the bundle has reports of a head's answers (featurerr-head): auto combines them "
             "with a model of edges and labels; ignore trains a network on them as on features"},
    {0},
};

static const cli_option training_options[] = {
    {.name = "split",
     .kind = CLI_TEXT,
     .argument = "TRAIN,VALID",
     .at = offsetof(train_args, split),
     .field = "train_share valid_share",
     .help =
         "draw a new split, such as 0.5,0.25; a graph without a split is always split like this"},
    {.name = "label-steps",
     .kind = CLI_U32,
     .argument = "K",
     .at = offsetof(train_args, label_steps),
     .field = "label_steps",
     .help = "if labels are protected: propagate them K steps to reduce their noise (Drop)"},
    {.name = "eps-labels",
     .kind = CLI_TEXT,
     .argument = "E",
     .at = offsetof(train_args, eps_labels),
     .field = "label_eps",
     .help =
         "the budget of protected labels, if no certificate states it; 0 turns the correction off"},
    {.name = "seed",
     .kind = CLI_U64,
     .argument = "S",
     .at = offsetof(train_args, seed),
     .field = "seed",
     .help = "the seed of the initial weights, dropout and split"},
    {0},
};

static const cli_option run_options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CLI_DIRECTORY,
     .argument = "MODEL",
     .required = true,
     .at = offsetof(train_args, output),
     .help = "the directory to write"},
    {.name = "non-private",
     .at = offsetof(train_args, non_private),
     .help = "train on private edges anyway, as a non-private baseline for comparison; the model's "
             "epsilon is infinite"},
    {.name = "force",
     .at = offsetof(train_args, force),
     .field = "replace",
     .help = "replace MODEL if it is a model"},
    {0},
};

static const cli_option_set sets[] = {
    {"Model", model_options, 0},
    {"Network", cli_network_options, offsetof(train_args, network)},
    {"Training", training_options, 0},
    {"Reading the graph", cli_graph_options, offsetof(train_args, read)},
    {"Running", run_options, 0},
    {"Options", cli_common_options, offsetof(train_args, common)},
    {0},
};

static const cli_example examples[] = {
    {"heterorr train bundle -o model", "A two-layer GCN on a graph that protect released."},
    {"heterorr train bundle -o model --arch mlp", "The baseline without edges."},
    {"heterorr train bundle -o model --arch sign --propagate 3 --counts ignore",
     "Propagate features over 3 hops once, and then train an MLP on a few thousand nodes per step: "
     "for graphs that are too large for a GCN."},
    {"heterorr train graph -o model --non-private", "The non-private baseline."},
    {0},
};

/* ---- words to options ------------------------------------------------------------------------ */

static hrr_scale read_scale(const train_args *a)
{
    static const hrr_scale by_word[] = {HRR_SCALE_AUTO, HRR_SCALE_BOUNDED, HRR_SCALE_NONE};
    return a->standardise ? HRR_SCALE_STANDARD : by_word[cli_index_of(scales(), a->scale)];
}

static void read_words(hrr_train_options *out, const train_args *a)
{
    hrr_train_options_init(out);
    cli_network_args_read(out, &a->network);
    out->arch = (hrr_arch)cli_index_of(archs(), a->arch);
    out->n_propagate = a->propagate;
    if (out->arch == HRR_ARCH_SIGN && !out->n_propagate) out->n_propagate = HRR_USUAL_HOPS;
    out->batch = a->batch;
    out->scratch = a->scratch;
    out->seed = a->seed;
    out->threads = a->read.threads;
    out->label_steps = a->label_steps;
    out->scale = read_scale(a);
    out->ignore_counts = cli_ignores_counts(a->counts);
    out->ignore_reports = cli_ignores_counts(a->reports);
}

/* The budget of the labels, if it was typed. */
static hrr_status read_label_eps(hrr_train_options *out, const train_args *a,
                                 const hrr_release *release, hrr_error *err)
{
    if (a->eps_labels && (!cli_read_real(a->eps_labels, &out->label_eps) || out->label_eps < 0))
        return hrr_fail(err, HRR_EINVAL, "--eps-labels: '%.40s' is not a number >= 0",
                        a->eps_labels);
    const bool protected = a->eps_labels ? out->label_eps > 0
                                         : !hrr_graph_is_multilabel(hrr_release_graph(release)) &&
                                               hrr_release_label_eps(release) > 0;
    if (a->label_steps && !protected)
        return hrr_fail(err, HRR_EINVAL,
                        "--label-steps corrects protected classes, but no certificate says that "
                        "they are protected; give their budget with --eps-labels");
    return HRR_OK;
}

/* Whether marks are there is public, how many edges they make private is not. */
static hrr_status read_release(cli_release *out, const train_args *a, hrr_progress *progress,
                               hrr_error *err)
{
    if (a->non_private) return cli_release_read_non_private(out, a->graph, &a->read, progress, err);
    hrr_status status = cli_release_read(out, a->graph, &a->read, progress, err);
    if (!status && hrr_graph_is_private(hrr_release_graph(out->release)))
        status = hrr_fail(
            err, HRR_EINVAL,
            "the graph marks edges as private, and a model would learn from them; train on a "
            "release of it (heterorr protect), or train the non-private baseline (--non-private)");
    return status;
}

/* A split that was asked for, or that the graph lacks. */
static hrr_status draw_split(cli_release *input, const train_args *a, hrr_error *err)
{
    double train = HRR_TRAIN_SHARE, valid = HRR_VALID_SHARE;
    hrr_status status = a->split ? cli_read_shares(&train, &valid, a->split, err) : HRR_OK;
    if (status || (!a->split && hrr_graph_split(hrr_release_graph(input->release)))) return status;
    return cli_release_draw_split(input, train, valid, a->seed, err);
}

/* ---- the summary ----------------------------------------------------------------------------- */

static json_t *settings_json(const hrr_train_options *o, const hrr_train_summary *s,
                             const train_args *a)
{
    const bool bounded = s->scale == HRR_SCALE_BOUNDED;
    return json_pack(
        "{s:s, s:s, s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:f, s:I, s:b, s:b, s:o, s:I, s:o}", "arch",
        a->arch, "optimiser", a->network.optimiser, "hidden", (json_int_t)o->n_hidden, "layers",
        (json_int_t)o->n_layers, "epochs", (json_int_t)o->epochs, "patience",
        (json_int_t)o->patience, "learning_rate", o->learning_rate, "momentum", o->momentum,
        "weight_decay", o->weight_decay, "dropout", o->dropout, "propagate",
        (json_int_t)o->n_propagate, "standardise", s->scale == HRR_SCALE_STANDARD || bounded,
        "bound_length", bounded, "eps_labels",
        s->label_eps > 0 ? json_real(s->label_eps) : json_null(), "label_steps",
        (json_int_t)o->label_steps, "seed", json_integer((json_int_t)o->seed));
}

static json_t *part_json(const hrr_metrics *m)
{
    return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:I}", "nodes", (json_int_t)m->n, "accuracy",
                     cli_json_real(m->accuracy), "f1_micro", cli_json_real(m->f1_micro), "f1_macro",
                     cli_json_real(m->f1_macro), "auc", cli_json_real(m->auc), "average_precision",
                     cli_json_real(m->average_precision), "auc_undefined_classes",
                     (json_int_t)m->n_one_sided);
}

/* What is printed, and what the model remembers. */
static json_t *result_json(const hrr_train_summary *s, const hrr_metrics *majority,
                           const hrr_train_options *o, const train_args *a)
{
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:f, s:o, s:o, s:I, s:I, s:o, s:o, s:o, s:o, s:o, "
        "s:o}",
        "graph", cli_json_text(a->graph), "train", part_json(&s->parts[HRR_TRAIN]), "valid",
        part_json(&s->parts[HRR_VALID]), "test", part_json(&s->parts[HRR_TEST]), "majority",
        part_json(majority), "epochs", (json_int_t)s->epochs, "best_epoch",
        (json_int_t)s->best_epoch, "seconds_per_epoch", s->seconds_per_epoch, "train_loss",
        cli_json_real(s->train_loss), "valid_loss", cli_json_real(s->valid_loss), "unlabelled",
        (json_int_t)s->n_unlabelled, "classes_unseen", (json_int_t)s->n_classes_unseen,
        "weight_report", cli_json_real(s->weight_report), "weight_far_reports",
        cli_json_real(s->weight_far_reports), "weight_network", cli_json_real(s->weight_network),
        "weight_no_edges", cli_json_real(s->weight_no_edges), "weight_free",
        cli_json_real(s->weight_free), "settings", settings_json(o, s, a));
}

static json_t *provenance_json(const hrr_provenance *p)
{
    return json_pack("{s:b, s:o, s:b, s:s}", "released", p->released, "epsilon",
                     p->is_private ? json_null() : json_string("infinity"), "private",
                     p->is_private, "statement", p->statement);
}

static void note_oddities(const hrr_train_summary *s)
{
    if (s->n_classes_unseen)
        cli_note("%s no node in the training set, so the model cannot learn %s",
                 cli_count(s->n_classes_unseen, "class has", "classes have").text,
                 hrr_plural(s->n_classes_unseen, "it", "them"));
    if (s->n_unlabelled)
        cli_note("%s no label and %s not used",
                 cli_count(s->n_unlabelled, "training node has", "training nodes have").text,
                 hrr_plural(s->n_unlabelled, "was", "were"));
    for (int part = HRR_TRAIN; part <= HRR_TEST; part++)
        if (s->parts[part].n && isnan(s->parts[part].auc)) {
            cli_note("the AUC of a set whose nodes all have the same class is undefined");
            break;
        }
}

static void print_part(const char *name, const hrr_metrics *m, FILE *to)
{
    fprintf(to, "%-8s %9s %9s %9s %9s %9s\n", name, cli_grouped(m->n).text,
            cli_real(m->accuracy).text, cli_real(m->f1_micro).text, cli_real(m->f1_macro).text,
            cli_real(m->auc).text);
}

static void show_reports(const hrr_train_summary *s, const char *output, FILE *to)
{
    if (isnan(s->weight_report)) return;
    fprintf(to, "%s: a model of edges and labels, which uses no features; ", output);
    if (s->weight_report + s->weight_far_reports > 0)
        fprintf(to,
                "the reports of a head's answers are used, with weight %.2g for a node's own and "
                "%.2g for those of its neighbours\n",
                s->weight_report, s->weight_far_reports);
    else
        fprintf(to, "the reports of a head's answers have weight 0: they did not help to predict "
                    "nodes that were left out\n");
}

static void show_counts(const hrr_count_model *counts, const hrr_train_summary *s, FILE *to)
{
    const double *spread = counts->weight_spread;
    if (s->weight_no_edges + s->weight_free > 0)
        fprintf(to,
                "weights: the network %.2g, a network without edges %.2g, and a model of edges and "
                "labels %.2g\n",
                s->weight_network, s->weight_no_edges, s->weight_free);
    if (counts->weight_counts + spread[0] + spread[1] > 0)
        fprintf(to,
                "counts of private neighbours are used, with weight %.2g (%.2g and %.2g for nodes "
                "one and two edges away)\n",
                counts->weight_counts, spread[0], spread[1]);
    else
        fprintf(to, "counts of private neighbours have weight 0: they did not help to predict "
                    "validation nodes\n");
}

static void show(const hrr_train_summary *s, const hrr_metrics *majority, const train_args *a,
                 const hrr_model *model, const hrr_release *release, FILE *to)
{
    static const char *const names[] = {"train", "valid", "test"};
    fprintf(to, "%s\n", hrr_model_provenance(model).statement);
    fprintf(to, "%-8s %9s %9s %9s %9s %9s\n", "", "nodes", "accuracy", "F1 micro", "F1 macro",
            "AUC");
    for (int part = HRR_TRAIN; part <= HRR_TEST; part++)
        print_part(names[part], &s->parts[part], to);
    print_part("majority", majority, to);
    fprintf(
        to,
        "(majority: predicts the most frequent labels of the training set for every test node)\n");
    if (hrr_release_label_eps(release) > 0)
        fprintf(to, "(measured against the labels of the release, which are randomised, not "
                    "against the true labels)\n");
    if (s->epochs)
        fprintf(to, "%s: %s of %s, weights of epoch %" PRIu32 " kept\n", a->output,
                cli_count(s->epochs, "epoch", "epochs").text,
                cli_duration(s->seconds_per_epoch).text, s->best_epoch);
    if (hrr_model_counts(model)) show_counts(hrr_model_counts(model), s, to);
    show_reports(s, a->output, to);
}

/* ---- together -------------------------------------------------------------------------------- */

static hrr_status write_model(const hrr_model *model, const hrr_train_summary *summary,
                              const hrr_metrics *majority, const hrr_train_options *options,
                              const train_args *a, cli_task *task, hrr_error *err)
{
    const hrr_provenance provenance = hrr_model_provenance(model);
    json_t *result = result_json(summary, majority, options, a);
    char *record = result ? json_dumps(result, JSON_COMPACT) : NULL;
    hrr_status status = record ? hrr_model_write(model, record, a->output, a->force, err)
                               : hrr_fail(err, HRR_ENOMEM, "out of memory");
    free(record);
    if (!status && task->json) {
        json_object_set_new(result, "provenance", provenance_json(&provenance));
        json_object_set_new(result, "model", cli_json_text(a->output));
        json_object_set_new(result, "seconds", json_real(cli_clock() - task->began));
        json_object_set_new(result, "peak_rss_bytes", json_integer((json_int_t)cli_peak_memory()));
        task->result = json_incref(result);
    }
    json_decref(result);
    return status;
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const train_args *a = args;
    hrr_train_options options;
    hrr_train_summary summary;
    hrr_metrics majority[3];
    cli_release input = {0};
    hrr_model *model = NULL;
    read_words(&options, a);
    hrr_status status = cli_refuse_own_place(a->graph, a->output, err);
    if (status) goto done;
    if ((status = cli_refuse_existing(a->output, a->force, err))) goto done;
    if ((status = read_release(&input, a, task->progress, err))) goto done;
    if ((status = read_label_eps(&options, a, input.release, err))) goto done;
    if ((status = draw_split(&input, a, err))) goto done;
    status = task->ranks
                 ? hrr_model_train_over(&model, &summary, input.release, &options, task->ranks,
                                        task->progress, err)
                 : hrr_model_train(&model, &summary, input.release, &options, task->progress, err);
    if (status) goto done;
    if (hrr_ranks_rank(task->ranks)) goto done; /* rank 0 has the figures, and writes */
    const hrr_graph *graph = hrr_release_graph(input.release);
    if ((status = hrr_measure_majority(majority, hrr_graph_classes(graph),
                                       hrr_graph_label_matrix(graph), hrr_graph_n_classes(graph),
                                       hrr_graph_n_nodes(graph), hrr_graph_split(graph), err)))
        goto done;
    if ((status = write_model(model, &summary, &majority[HRR_TEST], &options, a, task, err)))
        goto done;
    cli_progress_erase();
    note_oddities(&summary);
    if (!task->json) show(&summary, &majority[HRR_TEST], a, model, input.release, task->talk);
done:
    hrr_model_free(model);
    cli_release_clear(&input);
    return status;
}

const cli_verb cli_verb_train = {
    .name = "train",
    .summary = "train a graph network on a released graph",
    .description =
        "Trains a graph convolutional network, or a network without edges, on a bundle made by "
        "protect, and reports its accuracy. Training on a release costs no budget: the guarantee "
        "of the release also holds for the model, which stores it. A graph that marks edges as "
        "private is refused unless you request the non-private baseline.",
    .examples = examples,
    .operands = operands,
    .sets = sets,
    .args_size = sizeof(train_args),
    .over_ranks = true,
    .init = init,
    .run = run,
};
