/* attack_options.c: the options that several attacks have; each table is written once, and its
 * attacks name it among their sets. */
#include "cli/attack.h"
#include "cli/graph_input.h"
#include "cli/mechanism_names.h"

#include <heterorr/edge.h>

/* ---- words ----------------------------------------------------------------------------------- */

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

const char *cli_attack_returns_word(hrr_returns what)
{
    return returns()[what];
}

/* ---- tables ---------------------------------------------------------------------------------- */

const cli_option cli_attack_target_operands[] = {
    {.argument = "MODEL",
     .kind = CLI_PATH,
     .required = true,
     .at = offsetof(cli_attack_target, model),
     .help = "a directory made by train; with --url, the name of the model at the service"},
    {.argument = "GRAPH",
     .kind = CLI_PATH,
     .required = true,
     .at = offsetof(cli_attack_target, graph),
     .help = "the graph or bundle that the model makes predictions on"},
    {0},
};

const cli_option cli_attack_subject_operands[] = {
    {.argument = "GRAPH",
     .kind = CLI_PATH,
     .required = true,
     .at = offsetof(cli_attack_subject, graph),
     .help = "the private graph, in any known format"},
    {0},
};

const cli_option cli_attack_pairs_options[] = {
    {.name = "samples",
     .kind = CLI_U64,
     .argument = "N",
     .least = 2,
     .most = 100000,
     .at = offsetof(cli_attack_pairs, samples),
     .field = "n_samples",
     .help = "the number of nodes whose pairs are attacked"},
    {.name = "pool",
     .kind = CLI_CHOICE,
     .argument = "WHICH",
     .choices = pools,
     .at = offsetof(cli_attack_pairs, pool),
     .field = "pool",
     .help = "draw the nodes among all nodes, or among those with few or many edges"},
    {.name = "low-degree",
     .kind = CLI_U32,
     .argument = "D",
     .at = offsetof(cli_attack_pairs, low_degree),
     .field = "low",
     .help = "the largest degree of a node in the pool low"},
    {.name = "high-degree",
     .kind = CLI_U32,
     .argument = "D",
     .at = offsetof(cli_attack_pairs, high_degree),
     .field = "high",
     .help = "the smallest degree of a node in the pool high"},
    {.name = "all-edges",
     .at = offsetof(cli_attack_pairs, all_edges),
     .field = "all_edges",
     .help = "treat every edge as private, whatever its mark"},
    {0},
};

const cli_option cli_attack_service_options[] = {
    {.name = "returns",
     .kind = CLI_CHOICE,
     .argument = "WHAT",
     .choices = returns,
     .at = offsetof(cli_attack_service, returns),
     .field = "returns",
     .help = "what the adversary learns about a node"},
    {.name = "decimals",
     .kind = CLI_INT,
     .argument = "N",
     .most = 15,
     .at = offsetof(cli_attack_service, decimals),
     .field = "decimals",
     .help = "of rounded probabilities"},
    {.name = "differences",
     .at = offsetof(cli_attack_service, differences),
     .field = "differences",
     .help = "query the model once for each node, as an outsider would, instead of computing "
             "derivatives; slower, with the same results"},
    {.name = "delta",
     .kind = CLI_REAL,
     .argument = "D",
     .low = 0,
     .high = 1e6,
     .at = offsetof(cli_attack_service, delta),
     .field = "delta",
     .help = "the relative change of features in a query; 0 uses 1e-4, or 1 where rounding hides "
             "small changes"},
    {0},
};

const cli_option cli_attack_remote_options[] = {
    {.name = "url",
     .kind = CLI_TEXT,
     .argument = "URL",
     .at = offsetof(cli_attack_remote, url),
     .field = "url",
     .help = "query a service that uses the Open Inference Protocol, such as heterorr serve, "
             "instead of a model on disk"},
    {.name = "token-file",
     .kind = CLI_PATH,
     .argument = "FILE",
     .at = offsetof(cli_attack_remote, token),
     .field = "token",
     .help = "a file whose first line is the token for the service"},
    {.name = "ca",
     .kind = CLI_PATH,
     .argument = "CERT.pem",
     .at = offsetof(cli_attack_remote, ca),
     .field = "ca",
     .help = "the certificates that vouch for the service, instead of the system's list"},
    {.name = "resume",
     .kind = CLI_PATH,
     .argument = "FILE",
     .at = offsetof(cli_attack_remote, answers),
     .field = "answers",
     .help = "keep the service's answers in FILE, so that the same command can continue after "
             "Ctrl-C or a failure of the service"},
    {0},
};

const cli_option cli_attack_runs_options[] = {
    {.name = "runs",
     .kind = CLI_U32,
     .argument = "N",
     .least = 1,
     .most = 10000,
     .at = offsetof(cli_attack_draws, runs),
     .field = "runs",
     .help = "how many samples of nodes are drawn; results are means over them"},
    {0},
};

const cli_option cli_attack_seed_options[] = {
    {.name = "seed",
     .kind = CLI_U64,
     .argument = "S",
     .at = offsetof(cli_attack_draws, seed),
     .field = "seed",
     .help = "the seed of everything that is drawn"},
    {0},
};

const cli_option cli_attack_known_options[] = {
    {.name = "known",
     .kind = CLI_REAL,
     .argument = "SHARE",
     .low = 0,
     .high = 1,
     .field = "known_fraction",
     .help = "the share of nodes whose features the adversary knows"},
    {0},
};

const cli_option cli_attack_releases_options[] = {
    {.name = "mechanisms",
     .kind = CLI_LIST,
     .argument = "A,B,..",
     .choices = cli_edge_mechanisms,
     .at = offsetof(cli_attack_releases, mechanisms),
     .field = "mechanisms edges.mechanism",
     .help = "the edge mechanisms whose releases are attacked"},
    {.name = "eps-edges",
     .kind = CLI_TEXT,
     .argument = "E,..",
     .at = offsetof(cli_attack_releases, eps_edges),
     .field = "eps_nano eps_edges_nano edges.eps_nano",
     .help = "their budgets"},
    {.name = "tree",
     .kind = CLI_CHOICE,
     .argument = "NAME",
     .choices = cli_edge_trees,
     .at = offsetof(cli_attack_releases, tree),
     .field = "tree edges.tree",
     .help = "the tree of edgerr, instead of its default"},
    {0},
};

const cli_option cli_attack_roc_options[] = {
    {.name = "roc",
     .kind = CLI_PATH,
     .argument = "POINTS.csv",
     .at = offsetof(cli_attack_curves, roc),
     .help = "write ROC curves, for report"},
    {.name = "force", .at = offsetof(cli_attack_curves, force), .help = "replace files that exist"},
    {0},
};

/* Of linkteller and links alone: their GRAPH may be a release. */
static const cli_option truth_options[] = {
    {.name = "truth",
     .kind = CLI_PATH,
     .argument = "GRAPH",
     .at = offsetof(cli_attack_links_args, truth),
     .help = "the private original that contains the true edges, if GRAPH is a release; options "
             "about private edges then apply to it"},
    {0},
};

static const cli_option counts_options[] = {
    {.name = "counts",
     .kind = CLI_CHOICE,
     .argument = "HOW",
     .choices = cli_counts_words,
     .at = offsetof(cli_attack_links_args, counts),
     .field = "ignore_counts",
     .help = "auto also uses the counts of neighbours that model and bundle have, as predict does; "
             "ignore does not"},
    {0},
};

const cli_option_set cli_attack_links_sets[] = {
    {"Attacked pairs", truth_options, 0},
    {NULL, cli_attack_pairs_options, offsetof(cli_attack_links_args, pairs)},
    {NULL, cli_attack_runs_options, offsetof(cli_attack_links_args, draws)},
    {NULL, cli_attack_seed_options, offsetof(cli_attack_links_args, draws)},
    {"What the service returns", cli_attack_service_options,
     offsetof(cli_attack_links_args, service)},
    {NULL, counts_options, 0},
    {"A service", cli_attack_remote_options, offsetof(cli_attack_links_args, remote)},
    {"Curves", cli_attack_roc_options, offsetof(cli_attack_links_args, curves)},
    {"Reading the graph", cli_graph_options, offsetof(cli_attack_links_args, read)},
    {"Options", cli_common_options, offsetof(cli_attack_links_args, common)},
    {0},
};

/* ---- defaults -------------------------------------------------------------------------------- */

void cli_attack_pairs_init(cli_attack_pairs *pairs)
{
    hrr_linkteller_options usual;
    hrr_linkteller_options_init(&usual);
    *pairs = (cli_attack_pairs){.samples = usual.n_samples,
                                .low_degree = usual.low,
                                .high_degree = usual.high,
                                .pool = pools()[usual.pool]};
}

void cli_attack_service_init(cli_attack_service *service)
{
    hrr_linkteller_options usual;
    hrr_linkteller_options_init(&usual);
    *service =
        (cli_attack_service){.returns = returns()[usual.returns], .decimals = usual.decimals};
}

void cli_attack_draws_init(cli_attack_draws *draws)
{
    hrr_linkteller_options usual;
    hrr_linkteller_options_init(&usual);
    *draws = (cli_attack_draws){.seed = usual.seed, .runs = usual.runs};
}

void cli_attack_releases_init(cli_attack_releases *releases)
{
    hrr_release_attack_options usual;
    hrr_release_attack_options_init(&usual);
    *releases = (cli_attack_releases){.mechanisms = usual.mechanism, .eps_edges = "0.1,0.5,1"};
}

void cli_attack_links_init(void *args)
{
    cli_attack_links_args *a = args;
    hrr_read_options_init(&a->read);
    cli_attack_pairs_init(&a->pairs);
    cli_attack_service_init(&a->service);
    cli_attack_draws_init(&a->draws);
    a->counts = cli_counts_words()[0];
}

/* ---- words to options ------------------------------------------------------------------------ */

void cli_attack_pairs_read(hrr_linkteller_options *out, const cli_attack_pairs *pairs,
                           const cli_attack_service *service)
{
    out->n_samples = pairs->samples;
    out->pool = (hrr_pool)cli_index_of(pools(), pairs->pool);
    out->low = pairs->low_degree;
    out->high = pairs->high_degree;
    out->all_edges = pairs->all_edges;
    out->returns = (hrr_returns)cli_index_of(returns(), service->returns);
    out->decimals = service->decimals;
    out->delta = service->delta;
    out->differences = service->differences;
}

hrr_status cli_attack_lists_read(cli_attack_lists *out, const cli_attack_releases *releases,
                                 hrr_error *err)
{
    *out = (cli_attack_lists){0};
    hrr_status status = cli_words_read(&out->mechanisms, releases->mechanisms, "mechanisms", err);
    if (status) return status;
    return cli_read_budgets(out->eps, &out->n_eps, releases->eps_edges, "eps-edges", err);
}

void cli_attack_lists_clear(cli_attack_lists *lists)
{
    cli_words_clear(&lists->mechanisms);
}
