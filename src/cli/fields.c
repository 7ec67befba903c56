/* fields.c: see fields.h. */
#include "cli/fields.h"

#include <string.h>

/* Every field that a message of the library names, in the words for a verb without an option for
 * it (tests/house/test_library_words.py). */
static const struct field_words {
    const char *field, *words;
} known[] = {
    {"account", "the account"},
    {"again", "giving out the stored release"},
    {"all_edges", "treating all edges as private"},
    {"all_private", "the option that makes all edges private"},
    {"allow_undeclared", "the permission to do so"},
    {"arch", "the kind of network"},
    {"average_degree", "the average degree"},
    {"batch", "the size of a batch"},
    {"blocks_from", "the source of the blocks"},
    {"bounds_from_data", "bounds from the data"},
    {"candidates", "the file of candidates"},
    {"compression", "the compression"},
    {"decimals", "the decimals"},
    {"declared_public", "what is declared public"},
    {"degree_exponent", "the exponent of the degrees"},
    {"delta", "delta"},
    {"dropout", "dropout"},
    {"dry_run", "a dry run"},
    {"edges", "the file of edges"},
    {"edges.blocks", "the blocks"},
    {"edges.count_ends", "the ends at which an edge is counted"},
    {"edges.eps_nano", "the edge budget"},
    {"edges.mechanism", "the edge mechanism"},
    {"edges.most_edges_out", "the largest number of edges"},
    {"edges.n_blocks", "the number of blocks"},
    {"edges.need", "the rank of need"},
    {"edges.rivals", "the blocks of a node that share a count"},
    {"edges.sample_edges", "edges sampled from the counts"},
    {"edges.shares", "the division of the budget"},
    {"edges.steps_per_node", "the steps of the chain"},
    {"edges.tree", "the tree"},
    {"edges.tree_share", "the share of the tree"},
    {"epochs", "the number of epochs"},
    {"eps_edges_nano", "the edge budgets"},
    {"eps_features_nano", "the feature budgets"},
    {"eps_labels_nano", "the label budget"},
    {"eps_nano", "the budgets"},
    {"explainer", "the explainer"},
    {"faces", "the face detector"},
    {"feature_dtype", "the type of the features"},
    {"features", "the file of features"},
    {"features.decoding", "the decoding"},
    {"features.delta", "delta"},
    {"features.directions", "the directions"},
    {"features.eps_nano", "the feature budget"},
    {"features.head", "the head"},
    {"features.hi", "the upper bounds"},
    {"features.lo", "the lower bounds"},
    {"features.mechanism", "the feature mechanism"},
    {"features.n_bins", "the number of bins"},
    {"features.n_sampled", "the number of sampled features"},
    {"features.projection", "the projection"},
    {"features.theta", "the weights of the features"},
    {"format", "the format"},
    {"head", "the head"},
    {"head_right", "the accuracy of the head"},
    {"header", "the header"},
    {"high", "the largest degree"},
    {"homophily", "homophily"},
    {"hops", "the hops"},
    {"host", "the address"},
    {"idle_seconds", "the time limit for idle clients"},
    {"ignore_counts", "the option that ignores counts of neighbours"},
    {"important_fraction", "the share of important features"},
    {"issuer", "the issuer"},
    {"kept", "how the raw data are kept"},
    {"known_fraction", "the share of known nodes"},
    {"label_column", "the column of labels"},
    {"label_eps", "the label budget"},
    {"label_rates", "the shares of labelled nodes"},
    {"labels", "the file of labels"},
    {"learning_rate", "the learning rate"},
    {"least_score", "the lowest score of a face"},
    {"ledger", "the ledger"},
    {"limit_nano", "the limit"},
    {"long_side", "the size of pictures"},
    {"low", "the smallest degree"},
    {"margin", "the margin"},
    {"masked_pictures", "the directory of masked pictures"},
    {"mechanism", "the mechanism"},
    {"mechanisms", "the mechanisms"},
    {"model", "the network"},
    {"momentum", "momentum"},
    {"most_bodies", "the memory for all requests"},
    {"most_body", "the largest request"},
    {"most_connections", "the number of connections"},
    {"most_nodes", "the nodes of a request"},
    {"most_overlap", "the largest overlap"},
    {"most_pixels", "the largest picture"},
    {"most_waiting", "the length of the queue"},
    {"n_classes", "the number of classes"},
    {"n_directions", "the number of directions"},
    {"n_eigenvalues", "the number of eigenvalues"},
    {"n_features", "the number of features"},
    {"n_graphs", "the number of graphs"},
    {"n_hidden", "the width"},
    {"n_layers", "the number of layers"},
    {"n_nodes", "the number of nodes"},
    {"n_probes", "the number of probes"},
    {"n_propagate", "averaging over edges"},
    {"n_samples", "the number of nodes"},
    {"non_private", "the permission for what is not private"},
    {"normalisation", "the aggregation"},
    {"paper_mode", "paper mode"},
    {"picture_epochs", "the epochs of the picture decoder"},
    {"picture_width", "the width of the picture decoder"},
    {"pictures", "the pictures"},
    {"pool", "the pool"},
    {"port", "the port"},
    {"private_column", "the column of private marks"},
    {"private_edges", "the file of private edges"},
    {"private_fraction", "the share of private edges"},
    {"private_fractions", "the shares of private edges"},
    {"private_share", "the share of private edges"},
    {"profile", "the profile"},
    {"public_pictures", "the public pictures"},
    {"rate", "the rate"},
    {"regions", "the file of regions"},
    {"replace", "the permission to replace it"},
    {"runs", "the number of runs"},
    {"runtime", "the library"},
    {"scores_are_public", "the declaration that scores are public"},
    {"scratch", "the scratch directory"},
    {"seconds", "the time for an answer"},
    {"seed", "the seed"},
    {"sensitive_fraction", "the share of sensitive features"},
    {"shard", "the shard"},
    {"sheet_pictures", "the number of pictures in a strip"},
    {"shard_edges", "the number of edges in a shard"},
    {"shard_rows", "the number of rows in a shard"},
    {"sign_with", "the key to sign with"},
    {"takes_features", "who provides the features"},
    {"tls_cert", "the certificate"},
    {"tls_key", "its key"},
    {"token", "the token"},
    {"train_share", "the share of training nodes"},
    {"treatments", "the mechanisms"},
    {"trials", "the number of trials"},
    {"url", "the service"},
    {"valid_share", "the share of validation nodes"},
    {"volunteer_share", "the share of volunteers"},
    {"walk", "the kind of walks"},
    {"weight_decay", "the weight decay"},
    {"width", "the width"},
    {"with_ledger", "a ledger"},
    {"world", "the world"},
};

static const cli_verb *speaker;

const cli_verb *cli_speak_as(const cli_verb *verb)
{
    const cli_verb *before = speaker;
    speaker = verb;
    return before;
}

/* A name in a text: not terminated. */
typedef struct name {
    const char *start;
    size_t length;
} name;

static bool is_name(name a, const char *text, size_t length)
{
    return a.length == length && memcmp(a.start, text, length) == 0;
}

/* The name between the backquotes that begin at `at`; length 0: there is none. */
static name name_at(const char *at)
{
    name found = {at + 1, 0};
    if (*at != '`') return found;
    const char *end = strchr(at + 1, '`');
    if (end) found.length = (size_t)(end - found.start);
    return found;
}

static const char *words_of(name field)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (is_name(field, known[i].field, strlen(known[i].field))) return known[i].words;
    return NULL;
}

/* cli_option.field holds names with blanks between them. */
static bool fills(const cli_option *option, name field)
{
    for (const char *at = option->field; at && *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        if (is_name(field, at, length)) return true;
        at += length;
    }
    return false;
}

static const cli_option *option_of(name field)
{
    for (const cli_option_set *set = speaker ? speaker->sets : NULL; set && set->options; set++)
        for (const cli_option *o = set->options; o->name; o++)
            if (fills(o, field)) return o;
    return NULL;
}

static bool has_option(const char *option)
{
    for (const cli_option_set *set = speaker ? speaker->sets : NULL; set && set->options; set++)
        for (const cli_option *o = set->options; o->name; o++)
            if (strcmp(o->name, option) == 0) return true;
    return false;
}

const char *cli_advice_on(const char *field)
{
    static const struct {
        const char *field, *option, *advice;
    } rows[] = {
        {"features.lo", "bounds",
         ". Use --bounds LO,HI for all features, or --bounds FILE with one line LO,HI per feature; "
         "heterorr inspect shows you their ranges"},
        {"all_edges", "truth", "; if another graph has the marks, name it with --truth GRAPH"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(field, rows[i].field) == 0 && has_option(rows[i].option)) return rows[i].advice;
    return "";
}

typedef struct text {
    char *at;
    size_t left;
} text;

static void add(text *out, const char *bytes, size_t length)
{
    if (length >= out->left) length = out->left - 1;
    memcpy(out->at, bytes, length);
    out->at += length;
    out->left -= length;
    *out->at = '\0';
}

static void add_option(text *out, const cli_option *option)
{
    add(out, "--", 2);
    add(out, option->name, strlen(option->name));
}

/* " (`a`, `b`)", all of them known: say the options and return where it ends; else NULL. */
static const char *add_group(text *out, const char *at)
{
    const cli_option *options[8];
    size_t n = 0;
    if (strncmp(at, " (`", 3) != 0) return NULL;
    for (const char *next = at + 2;; next += 2) {
        name field = name_at(next);
        if (!words_of(field) || n == sizeof options / sizeof *options) return NULL;
        options[n] = option_of(field);
        n += options[n] && (n == 0 || options[n] != options[n - 1]); /* LO,HI is one option */
        next = field.start + field.length + 1;
        if (*next == ')') {
            for (size_t i = 0; i < n; i++) {
                add(out, i ? ", " : " (", 2);
                add_option(out, options[i]);
            }
            add(out, ")", n > 0);
            return next + 1;
        }
        if (strncmp(next, ", ", 2) != 0) return NULL;
    }
}

void cli_in_users_words(char *out, size_t size, const char *message)
{
    text into = {out, size};
    *out = '\0';
    while (*message) {
        const char *after = add_group(&into, message);
        if (after) {
            message = after;
            continue;
        }
        name field = name_at(message);
        const char *words = field.length ? words_of(field) : NULL;
        if (!words) {
            add(&into, message++, 1);
            continue;
        }
        const cli_option *option = option_of(field);
        if (option)
            add_option(&into, option);
        else
            add(&into, words, strlen(words));
        message = field.start + field.length + 1;
    }
}
