/* chain_settings.c: see chain_settings.h. All that a row depends on is among its settings, so that
 * a file that is continued with other options gets other rows. */
#include "experiment/chain_settings.h"
#include "experiment/shards.h"
#include "experiment/network_words.h"
#include "attack/chain.h"
#include "attack/public_guess.h"
#include "edge/traits.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- worlds ---------------------------------------------------------------------------------- */

static hrr_status check(const hrr_graph *graph, const hrr_chain_sweep_options *o, hrr_error *err)
{
    if (o->runs < 1)
        return hrr_fail(err, HRR_EINVAL, "an experiment needs at least one run (`runs`)");
    for (size_t m = 0; o->mechanisms && o->mechanisms[m]; m++) {
        const hrr_edge_mechanism *row = hrr_edge_mechanism_find(o->mechanisms[m]);
        if (!row)
            return hrr_fail(err, HRR_EINVAL, "there is no edge mechanism '%.40s' (`mechanisms`)",
                            o->mechanisms[m]);
        if (!o->n_eps && row->effect == HRR_EFFECT_PROTECT)
            return hrr_fail(err, HRR_EINVAL,
                            "%s needs a budget: name at least one (`eps_edges_nano`)", row->name);
    }
    return hrr_chain_check(graph, &o->chain, err);
}

/* Once, however often it is named. */
static void add_world(hrr_chain_settings *s, const char *name, uint64_t eps_nano)
{
    for (size_t w = 0; w < s->n_worlds; w++)
        if (strcmp(s->worlds[w].name, name) == 0 && s->worlds[w].eps_nano == eps_nano) return;
    s->worlds[s->n_worlds++] = (hrr_chain_world){name, eps_nano};
}

static void list_worlds(hrr_chain_settings *s, size_t n_mechanisms)
{
    const hrr_chain_sweep_options *o = s->options;
    add_world(s, HRR_WORLD_OPEN, 0);
    add_world(s, HRR_WORLD_FLOOR, 0);
    add_world(s, HRR_WORLD_TREE, 0);
    for (size_t m = 0; m < n_mechanisms; m++)
        for (size_t e = 0; e < o->n_eps; e++)
            if (hrr_edge_traits(o->mechanisms[m])->effect == HRR_EFFECT_PROTECT)
                add_world(s, o->mechanisms[m], o->eps_edges_nano[e]);
    for (int g = 0; g < HRR_PUBLIC_GUESSES; g++)
        if (hrr_public_guess_exists((hrr_public_guess)g, s->graph, o->chain.linkteller.all_edges))
            add_world(s, hrr_public_guess_name((hrr_public_guess)g), 0);
    add_world(s, HRR_WORLD_GUESS, 0);
}

hrr_status hrr_chain_settings_list(hrr_chain_settings *out, const hrr_graph *graph,
                                   const hrr_chain_sweep_options *options, hrr_error *err)
{
    size_t n_mechanisms = 0;
    *out = (hrr_chain_settings){.graph = graph, .options = options};
    hrr_status status = check(graph, options, err);
    if (status) return status;
    while (options->mechanisms && options->mechanisms[n_mechanisms])
        n_mechanisms++;
    out->worlds =
        hrr_alloc(4 + HRR_PUBLIC_GUESSES + n_mechanisms * options->n_eps, sizeof *out->worlds);
    if (!out->worlds) return hrr_no_memory(err);
    list_worlds(out, n_mechanisms);
    hrr_results_name(out->graph_name, sizeof out->graph_name, hrr_graph_name(graph));
    return HRR_OK;
}

void hrr_chain_settings_clear(hrr_chain_settings *settings)
{
    hrr_free(settings->worlds);
    *settings = (hrr_chain_settings){0};
}

/* ---- as text --------------------------------------------------------------------------------- */

#define SETTING_COLUMNS                                                                            \
    "version", "graph", "nodes", "edges", "private_edges", "targets", "edge_mechanism", "tree",    \
        "eps_edges", "drawn", "returns", "asked", "known", "inference", "arch", "propagate",       \
        "scale", HRR_NETWORK_COLUMNS, "split", "run", "seed"
enum { n_setting_columns = sizeof((const char *[]){SETTING_COLUMNS}) / sizeof(const char *) };

/* "drawn,returns,asked,known,inference": the nodes, what the service says, and how features are
 * guessed. */
static void attack_words(char *text, size_t size, const hrr_chain_options *o)
{
    static const char *const returns[] = {"logits", "probabilities", "rounded", "labels"};
    const hrr_linkteller_options *l = &o->linkteller;
    char pool[32] = "all", decimals[16] = "", step[32] = "", pictures[96] = "";
    if (l->pool == HRR_POOL_LOW) snprintf(pool, sizeof pool, "degrees to %" PRIu32, l->low);
    if (l->pool == HRR_POOL_HIGH) snprintf(pool, sizeof pool, "degrees from %" PRIu32, l->high);
    if (l->returns == HRR_RETURNS_ROUNDED) snprintf(decimals, sizeof decimals, ":%d", l->decimals);
    if (l->delta > 0) snprintf(step, sizeof step, ":%.9g", l->delta);
    if (o->pictures)
        snprintf(pictures, sizeof pictures,
                 ":%" PRIu32 " pixels:%" PRIu64 " public:%" PRIu32 ":%" PRIu32, o->pictures->side,
                 o->public_pictures->features->rows, o->picture_epochs, o->picture_width);
    snprintf(text, size, "%" PRIu64 " of %s,%s%s,%s%s,%.9g,%" PRIu32 ":%" PRIu32 "%s", l->n_samples,
             pool, returns[l->returns], decimals, l->differences ? "differences" : "usual", step,
             o->known_fraction, o->attributes.steps, o->attributes.widest, pictures);
}

char *hrr_chain_setting_text(const hrr_chain_settings *s, size_t number)
{
    static const char *const archs[] = {
        [HRR_ARCH_GCN] = "gcn", [HRR_ARCH_MLP] = "mlp", [HRR_ARCH_SIGN] = "sign"};
    static const char *const scales[] = {[HRR_SCALE_AUTO] = "auto",
                                         [HRR_SCALE_NONE] = "none",
                                         [HRR_SCALE_STANDARD] = "standard",
                                         [HRR_SCALE_BOUNDED] = "bounded"};
    const hrr_chain_world *world = &s->worlds[number % s->n_worlds];
    const uint32_t run = (uint32_t)(number / s->n_worlds);
    const hrr_chain_options *o = &s->options->chain;
    const hrr_edge_mechanism *mechanism = hrr_edge_mechanism_find(world->name);
    char eps[HRR_EPS_TEXT_SIZE] = "", attack[256], network[HRR_NETWORK_SIZE];
    char split[64];
    const char *tree = "";
    hrr_results_name(split, sizeof split, s->options->split ? s->options->split : "own");
    if (mechanism && mechanism->chooses_tree)
        tree = o->tree ? o->tree : hrr_edge_tree_find(NULL)->name;
    if (world->eps_nano) hrr_eps_format(eps, world->eps_nano);
    attack_words(attack, sizeof attack, o);
    hrr_network_words(network, &o->train);
    return hrr_format_text("%s,%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%s,%s,%s,%s,%s,%s,%" PRIu32
                           ",%s,%s,%s,%" PRIu32 ",%" PRIu64,
                           hrr_version(), s->graph_name, hrr_graph_n_nodes(s->graph),
                           hrr_graph_n_edges(s->graph), hrr_graph_n_private_edges(s->graph),
                           o->linkteller.all_edges ? "all edges" : "private edges", world->name,
                           tree, eps, attack, archs[o->train.arch], o->train.n_propagate,
                           scales[o->train.scale], network, split, run, s->options->seed + run);
}

/* ---- files ----------------------------------------------------------------------------------- */

hrr_status hrr_chain_results_open(hrr_results **out, const char *path, hrr_shard shard,
                                  hrr_error *err)
{
    const char *columns[n_setting_columns + HRR_CHAIN_FIGURES + 3] = {SETTING_COLUMNS};
    int n = n_setting_columns;
    columns[n++] = "realised_eps_edges";
    for (int f = 0; f < HRR_CHAIN_FIGURES; f++)
        columns[n++] = hrr_chain_figure_name((hrr_chain_figure)f);
    columns[n] = "seconds";
    return hrr_shard_open(out, path, shard, columns, n_setting_columns, hrr_version(), err);
}

hrr_status hrr_chain_curves_open(hrr_results **out, const char *path, hrr_shard shard,
                                 hrr_error *err)
{
    static const char *const columns[] = {SETTING_COLUMNS, "false_positive_rate",
                                          "true_positive_rate", NULL};
    return hrr_shard_open(out, path, shard, columns, n_setting_columns, hrr_version(), err);
}
