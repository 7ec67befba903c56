/* cmd_attack.c: heterorr attack: what an adversary would find out, found out by the owner first. */
#include "cli/attack.h"
#include "cli/figures.h"
#include "cli/graph_input.h"
#include "cli/message.h"
#include "cli/network_args.h"
#include "cli/progress.h"

#include <heterorr/edge.h>
#include <heterorr/privacy.h>

#include <stdlib.h>
#include <string.h>

static const struct attack {
    const char *name;
    cli_attack_run *run;
    bool has_curve;
} attacks[] = {
    {"linkteller", cli_attack_linkteller, true},
    {"links", cli_attack_links, true},
    {"attributes", cli_attack_attributes, false},
    {"membership", cli_attack_membership, false},
    {"chain", cli_attack_chain, true},
    {"release", cli_attack_release, false},
};
enum { n_attacks = sizeof attacks / sizeof *attacks };

static const char *const *attack_names(void)
{
    static const char *names[n_attacks + 1];
    for (int i = 0; i < n_attacks; i++)
        names[i] = attacks[i].name;
    return names;
}

static const char *const *pools(void) /* in the order of hrr_pool */
{
    static const char *const names[] = {"all", "low", "high", NULL};
    return names;
}

static const char *const *returns(void) /* in the order of hrr_returns */
{
    static const char *const names[] = {"logits", "probabilities", "rounded", "labels", NULL};
    return names;
}

static void init(void *args)
{
    cli_attack_args *a = args;
    hrr_linkteller_options usual;
    hrr_linkteller_options_init(&usual);
    hrr_read_options_init(&a->read);
    a->pool = pools()[usual.pool];
    a->returns = returns()[usual.returns];
    a->samples = usual.n_samples;
    a->seed = usual.seed;
    a->runs = usual.runs;
    a->low_degree = usual.low;
    a->high_degree = usual.high;
    a->decimals = usual.decimals;
    hrr_chain_options chain;
    hrr_chain_options_init(&chain);
    a->known = chain.known_fraction;
    a->mechanisms = "edgerr";
    hrr_release_attack_options release;
    hrr_release_attack_options_init(&release);
    a->trials = release.trials;
    a->eps_edges = "0.1,0.5,1";
    a->aggregation = cli_aggregations()[0];
    a->hidden = chain.train.n_hidden;
    a->epochs = chain.train.epochs;
    a->counts = cli_counts_words()[0];
}

static const cli_option operands[] = {
    {.argument = "ATTACK",
     .kind = CLI_CHOICE,
     .choices = attack_names,
     .required = true,
     .at = offsetof(cli_attack_args, attack),
     .help = "linkteller: private edges, through a model's predictions; links: the same and other "
             "ways to them; attributes: features, through those of neighbours; membership: which "
             "nodes a model learnt from; chain: edges, then features, against models trained on "
             "releases; release: one pair, through released edges"},
    {.argument = "MODEL",
     .kind = CLI_PATH,
     .required = true,
     .at = offsetof(cli_attack_args, first),
     .help = "a directory that train made; attributes, chain and release have none, and take GRAPH "
             "here"},
    {.argument = "GRAPH",
     .kind = CLI_PATH,
     .at = offsetof(cli_attack_args, second),
     .help = "the graph or bundle that the model answers on"},
    {0},
};

static const cli_option options[] = {
    {.name = "truth",
     .kind = CLI_PATH,
     .argument = "GRAPH",
     .at = offsetof(cli_attack_args, truth),
     .help = "the private original that says which edges were there, if GRAPH is a release; the "
             "options about private edges are then about it"},
    {.name = "samples",
     .kind = CLI_U64,
     .argument = "N",
     .least = 2,
     .most = 100000,
     .at = offsetof(cli_attack_args, samples),
     .help = "the nodes whose pairs are attacked"},
    {.name = "pool",
     .kind = CLI_CHOICE,
     .argument = "WHICH",
     .choices = pools,
     .at = offsetof(cli_attack_args, pool),
     .help = "draw them among all nodes, or those with few or many edges"},
    {.name = "low-degree",
     .kind = CLI_U32,
     .argument = "D",
     .at = offsetof(cli_attack_args, low_degree),
     .help = "the most edges of a node in the pool low"},
    {.name = "high-degree",
     .kind = CLI_U32,
     .argument = "D",
     .at = offsetof(cli_attack_args, high_degree),
     .help = "the fewest edges of a node in the pool high"},
    {.name = "runs",
     .kind = CLI_U32,
     .argument = "N",
     .least = 1,
     .most = 10000,
     .at = offsetof(cli_attack_args, runs),
     .help = "how often nodes are drawn; results are means"},
    {.name = "all-edges",
     .at = offsetof(cli_attack_args, all_edges),
     .help = "count every edge as private, whatever its mark"},
    {.name = "seed",
     .kind = CLI_U64,
     .argument = "S",
     .at = offsetof(cli_attack_args, seed),
     .help = "of all that is drawn"},
    {.name = "roc",
     .kind = CLI_PATH,
     .argument = "POINTS.csv",
     .at = offsetof(cli_attack_args, roc),
     .help = "write ROC curves of linkteller, links or chain, for report to draw"},
    {0},
};

static const cli_option service_options[] = {
    {.name = "returns",
     .kind = CLI_CHOICE,
     .argument = "WHAT",
     .choices = returns,
     .at = offsetof(cli_attack_args, returns),
     .help = "what the adversary is told about a node"},
    {.name = "decimals",
     .kind = CLI_INT,
     .argument = "N",
     .most = 15,
     .at = offsetof(cli_attack_args, decimals),
     .help = "of rounded probabilities"},
    {.name = "differences",
     .at = offsetof(cli_attack_args, differences),
     .help = "ask the model as a stranger would, once for each node, instead of looking into it; "
             "slower, same numbers"},
    {.name = "delta",
     .kind = CLI_REAL,
     .argument = "D",
     .low = 0,
     .high = 1e6,
     .at = offsetof(cli_attack_args, delta),
     .help = "by which share features are changed when asking; 0 takes 1e-4, or 1 where small "
             "changes are rounded away"},
    {.name = "counts",
     .kind = CLI_CHOICE,
     .argument = "HOW",
     .choices = cli_counts_words,
     .at = offsetof(cli_attack_args, counts),
     .help = "auto answers with the counts of neighbours that model and bundle have, as predict "
             "does; ignore leaves them"},
    {0},
};

static const cli_option chain_options[] = {
    {.name = "known",
     .kind = CLI_REAL,
     .argument = "SHARE",
     .low = 0,
     .high = 1,
     .at = offsetof(cli_attack_args, known),
     .help = "the share of nodes whose features the adversary has"},
    {.name = "mechanisms",
     .kind = CLI_LIST,
     .argument = "A,B,..",
     .choices = hrr_edge_mechanisms,
     .at = offsetof(cli_attack_args, mechanisms),
     .help = "edge mechanisms that chain compares with no protection and with public edges only, "
             "or that release attacks"},
    {.name = "eps-edges",
     .kind = CLI_TEXT,
     .argument = "E,..",
     .at = offsetof(cli_attack_args, eps_edges),
     .help = "their budgets"},
    {.name = "tree",
     .kind = CLI_CHOICE,
     .argument = "NAME",
     .choices = hrr_edge_trees,
     .at = offsetof(cli_attack_args, tree),
     .help = "of edgerr, instead of its default"},
    {.name = "trials",
     .kind = CLI_U64,
     .argument = "N",
     .least = 100,
     .most = UINT64_C(1) << 32,
     .at = offsetof(cli_attack_args, trials),
     .help = "how many releases of each of two worlds release looks at"},
    {.name = "hidden",
     .kind = CLI_U32,
     .argument = "H",
     .least = 1,
     .most = 65536,
     .at = offsetof(cli_attack_args, hidden),
     .help = "the width of hidden layers of the models that chain trains"},
    {.name = "epochs",
     .kind = CLI_U32,
     .argument = "N",
     .least = 1,
     .at = offsetof(cli_attack_args, epochs),
     .help = "how long they train, at most"},
    {.name = "aggregation",
     .kind = CLI_CHOICE,
     .argument = "NAME",
     .choices = cli_aggregations,
     .at = offsetof(cli_attack_args, aggregation),
     .help = "how they weigh neighbours, as in train"},
    {.name = "standardise",
     .at = offsetof(cli_attack_args, standardise),
     .help = "bring features to mean 0 and variance 1 within them"},
    {.name = "output",
     .letter = 'o',
     .kind = CLI_PATH,
     .argument = "RESULTS.csv",
     .at = offsetof(cli_attack_args, output),
     .help = "write every run of chain as a row"},
    {.name = "force",
     .at = offsetof(cli_attack_args, force),
     .help = "replace RESULTS.csv and POINTS.csv if they exist"},
    {0},
};

static const cli_option_set sets[] = {
    {"Attack", options, 0},
    {"What the service returns", service_options, 0},
    {"Attributes, chain and release", chain_options, 0},
    {"Reading the graph", cli_graph_options, offsetof(cli_attack_args, read)},
    {"Options", cli_common_options, offsetof(cli_attack_args, common)},
    {0},
};

static const cli_example examples[] = {
    {"heterorr attack linkteller model graph",
     "Does the model give private edges of its graph away? 0.5 is a guess, 1 all of them."},
    {"heterorr attack linkteller model bundle --truth graph", "And after protect?"},
    {"heterorr attack linkteller model graph --returns labels", "If only labels are told?"},
    {"heterorr attack chain graph --mechanisms edgerr,lapgraph --eps-edges 0.1,1",
     "What protection is worth: edges and features found with it, without it, and without any "
     "private edge."},
    {"heterorr attack release graph --mechanisms edgerr --eps-edges 1",
     "Can releases tell whether one pair has an edge, more often than epsilon allows?"},
    {0},
};

/* ---- what attacks on a model share ----------------------------------------------------------- */

void cli_attack_linkteller_options(hrr_linkteller_options *out, const cli_attack_args *a)
{
    hrr_linkteller_options_init(out);
    out->n_samples = a->samples;
    out->pool = (hrr_pool)cli_index_of(pools(), a->pool);
    out->low = a->low_degree;
    out->high = a->high_degree;
    out->runs = a->runs;
    out->all_edges = a->all_edges;
    out->returns = (hrr_returns)cli_index_of(returns(), a->returns);
    out->decimals = a->decimals;
    out->delta = a->delta;
    out->differences = a->differences;
    out->seed = a->seed;
    out->threads = a->read.threads;
    out->ignore_counts = cli_ignores_counts(a->counts);
}

void cli_attack_note_nodes(const cli_attack_args *a, uint64_t n_nodes)
{
    if (n_nodes >= a->samples) return;
    cli_progress_erase();
    cli_note("the pool has only %s of the %s that were asked for; every sample has all of them",
             cli_grouped(n_nodes).text, cli_count(a->samples, "node", "nodes").text);
}

hrr_status cli_attack_lists_read(cli_attack_lists *out, const cli_attack_args *a, hrr_error *err)
{
    *out = (cli_attack_lists){0};
    hrr_status status = cli_words_read(&out->mechanisms, a->mechanisms, "mechanisms", err);
    if (!status) status = cli_read_budgets(out->eps, &out->n_eps, a->eps_edges, "eps-edges", err);
    return status;
}

void cli_attack_lists_clear(cli_attack_lists *lists)
{
    cli_words_clear(&lists->mechanisms);
}

hrr_status cli_attack_read(cli_attack_input *out, const cli_attack_args *a, hrr_progress *progress,
                           hrr_error *err)
{
    *out = (cli_attack_input){0};
    if (!a->second)
        return hrr_fail(err, HRR_EINVAL,
                        "attack %s needs MODEL and GRAPH (see heterorr attack --help)", a->attack);
    hrr_status status = hrr_model_read(&out->model, a->first, err);
    if (!status && !a->truth) {
        status = cli_release_read(&out->served, a->second, &a->read, progress, err);
        if (!status) out->truth = hrr_release_graph(out->served.release);
    } else if (!status) {
        hrr_read_options plain;
        hrr_read_options_init(&plain);
        plain.threads = a->read.threads;
        status = cli_release_read(&out->served, a->second, &plain, progress, err);
        if (!status) status = cli_read_graph(&out->own_truth, a->truth, &a->read, progress, err);
        out->truth = out->own_truth;
    }
    if (status) cli_attack_input_clear(out);
    return status;
}

hrr_status cli_attack_read_graph(hrr_graph **out, const cli_attack_args *a, hrr_progress *progress,
                                 hrr_error *err)
{
    *out = NULL;
    if (a->second)
        return hrr_fail(err, HRR_EINVAL,
                        "attack %s takes GRAPH alone, no model (see heterorr attack --help)",
                        a->attack);
    return cli_read_graph(out, a->first, &a->read, progress, err);
}

hrr_status cli_attack_need_split(hrr_graph *graph, uint64_t seed, hrr_error *err)
{
    if (hrr_graph_split(graph)) return HRR_OK;
    uint8_t *split = hrr_split_new(hrr_graph_n_nodes(graph), 0.5, 0.25, seed, err);
    if (!split) return err->status;
    hrr_status status = hrr_graph_take_split(graph, &split, err);
    if (status) hrr_free(split);
    return status;
}

void cli_attack_input_clear(cli_attack_input *input)
{
    hrr_graph_free(input->own_truth);
    cli_release_clear(&input->served);
    hrr_model_free(input->model);
    *input = (cli_attack_input){0};
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const cli_attack_args *a = args;
    const struct attack *attack = &attacks[cli_index_of(attack_names(), a->attack)];
    if (a->roc && !attack->has_curve)
        return hrr_fail(err, HRR_EINVAL,
                        "--roc is for linkteller, links and chain; %s ranks no pairs", a->attack);
    hrr_status status = cli_attack_roc_check(a, err);
    return status ? status : attack->run(a, task, err);
}

const cli_verb cli_verb_attack = {
    .name = "attack",
    .summary = "find out what an adversary would",
    .description =
        "Runs published attacks against your own model or release and says how much they find. "
        "linkteller changes the features of one node at a time and watches whose predictions "
        "move: those are its neighbours (Wu et al. 2022). Private edges among the drawn nodes are "
        "the positives, pairs without an edge the negatives; public edges are left out. Beside it "
        "stand guesses from public edges and features alone, and the last line says whether the "
        "model tells more than they do. attributes guesses features from those of neighbours. "
        "chain trains models on releases, attacks them, and goes on to features with the edges it "
        "found; its floors are models that have seen no private edge at all, with public edges "
        "only and with more drawn like them, because friends of friends tell something, too. "
        "release knows all but one pair and looks at releases with and without its edge; the exit "
        "code is 5 if it is right more often than the claimed epsilon allows. All of it is for the "
        "owner of the data: what is found is not protected.",
    .examples = examples,
    .operands = operands,
    .sets = sets,
    .args_size = sizeof(cli_attack_args),
    .init = init,
    .run = run,
};
