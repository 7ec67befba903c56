/* chain.c: edges inferred through a model, then features inferred with those edges, then pictures
 * decoded from those features, in a world that protects the edges in some way. Worlds with the same
 * seed share nodes, known features, split and first weights: their differences are those of the
 * protection. */
#include "attack/attributes.h"
#include "attack/pairs.h"
#include "attack/ranking.h"
#include "attack/chain.h"
#include "attack/inferred_edges.h"
#include "attack/linkteller.h"
#include "attack/public_guess.h"
#include "attack/world.h"
#include "edge/traits.h"
#include "base/memory.h"
#include "base/options.h"
#include "certificate/release.h"

#include <heterorr/edge.h>
#include <heterorr/random.h>

#include <math.h>
#include <string.h>

void hrr_chain_options_init_sized(hrr_chain_options *options, size_t size)
{
    hrr_chain_options own = {.world = HRR_WORLD_OPEN,
                             .known_fraction = 0.5,
                             .seed = 1,
                             .picture_epochs = 60,
                             .picture_width = 16};
    hrr_linkteller_options_init(&own.linkteller);
    hrr_train_options_init(&own.train);
    hrr_attribute_options_init(&own.attributes);
    hrr_options_init(options, size, &own, sizeof own);
}

hrr_status hrr_chain_options_adopt_inner(hrr_chain_options *own, hrr_error *err)
{
    hrr_chain_options usual;
    hrr_chain_options_init(&usual);
    hrr_status status =
        HRR_ADOPT_INNER(hrr_linkteller_options, &own->linkteller, &usual.linkteller, err);
    if (!status) status = HRR_ADOPT_INNER(hrr_train_options, &own->train, &usual.train, err);
    if (!status)
        status = HRR_ADOPT_INNER(hrr_attribute_options, &own->attributes, &usual.attributes, err);
    return status;
}

const char *hrr_chain_figure_name(hrr_chain_figure figure)
{
    static const char *const names[HRR_CHAIN_FIGURES] = {
        "link_auc",     "link_average_precision", "link_precision_at_k",
        "attribute_r2", "attribute_cosine",       "attribute_auc",
        "accuracy",     "picture_ssim",           "picture_over_mean",
        "picture_rank"};
    return names[figure];
}

/* ---- what can be wrong ----------------------------------------------------------------------- */

/* The guess that the world is; HRR_PUBLIC_GUESSES: none. */
static hrr_public_guess guess_of(const char *world)
{
    int g = 0;
    while (g < HRR_PUBLIC_GUESSES && strcmp(world, hrr_public_guess_name((hrr_public_guess)g)) != 0)
        g++;
    return (hrr_public_guess)g;
}

hrr_status hrr_chain_check(const hrr_graph *graph, const hrr_chain_options *o, hrr_error *err)
{
    if (!(o->known_fraction > 0 && o->known_fraction < 1))
        return hrr_fail(
            err, HRR_EINVAL,
            "the share of nodes with known features (`known_fraction`) must lie between 0 and 1");
    if (!hrr_graph_features(graph))
        return hrr_fail(
            err, HRR_EDATA,
            "the graph has no features; read it together with a file of features (`features`)");
    if (!hrr_graph_split(graph))
        return hrr_fail(err, HRR_EDATA,
                        "the graph does not say which nodes are for training; draw a split first");
    hrr_status status = hrr_chain_pictures_check(graph, o, err);
    return status ? status : hrr_linkteller_check(graph, graph, &o->linkteller, err);
}

static hrr_status check_world(const hrr_graph *graph, const hrr_chain_options *o, hrr_error *err)
{
    const hrr_public_guess guess = guess_of(o->world);
    if (guess != HRR_PUBLIC_GUESSES) {
        if (hrr_public_guess_exists(guess, graph, o->linkteller.all_edges)) return HRR_OK;
        return hrr_fail(err, HRR_EDATA, "%s walks over public edges, but the graph has none",
                        o->world);
    }
    if (strcmp(o->world, HRR_WORLD_TREE) == 0 || strcmp(o->world, HRR_WORLD_GUESS) == 0)
        return HRR_OK;
    if (hrr_edge_mechanism_find(o->world)) return HRR_OK;
    return hrr_fail(err, HRR_EINVAL, "there is no edge mechanism '%.40s' (`world`)", o->world);
}

/* ---- what worlds share ----------------------------------------------------------------------- */

typedef struct chain {
    const hrr_graph *graph;
    const hrr_chain_options *options;
    const hrr_chain_pictures *pictures; /* NULL: none */
    uint32_t *nodes;
    uint64_t n_nodes;
    hrr_link_pairs pairs;
    double *scores;
    uint8_t *known, *targets; /* by node */
    hrr_progress *progress;
} chain;

static void end_run(chain *c)
{
    hrr_free(c->nodes);
    hrr_free(c->scores);
    hrr_free(c->known);
    hrr_free(c->targets);
    hrr_link_pairs_clear(&c->pairs);
}

static hrr_status begin_run(chain *c, hrr_error *err)
{
    const hrr_linkteller_options *o = &c->options->linkteller;
    const uint64_t n = hrr_graph_n_nodes(c->graph), seed = c->options->seed;
    hrr_status status = hrr_attack_nodes(&c->nodes, &c->n_nodes, c->graph, o->pool, o->low, o->high,
                                         o->n_samples, seed, err);
    if (!status)
        status = hrr_link_pairs_init(&c->pairs, c->graph, c->nodes, c->n_nodes, o->all_edges, err);
    if (status) return status;
    c->scores = hrr_alloc(c->pairs.n, sizeof *c->scores);
    c->known = hrr_alloc(n, 1);
    c->targets = hrr_alloc_zero(n, 1);
    if (!c->scores || !c->known || !c->targets) return hrr_no_memory(err);
    hrr_fast_random random;
    hrr_fast_init(&random, seed, UINT64_C(0x6b6e6f776e));
    for (uint64_t v = 0; v < n; v++)
        c->known[v] = hrr_fast_uniform(&random) < c->options->known_fraction;
    for (uint64_t i = 0; i < c->n_nodes; i++)
        c->targets[c->nodes[i]] = !c->known[c->nodes[i]];
    return HRR_OK;
}

/* ---- a model on a release -------------------------------------------------------------------- */

static hrr_status make_world(hrr_graph **out, double *realised_eps, const chain *c, hrr_error *err)
{
    const hrr_chain_options *o = c->options;
    if (strcmp(o->world, HRR_WORLD_TREE) == 0)
        return hrr_world_public_tree(out, c->graph, o->seed, o->threads, c->progress, err);
    return hrr_world_release(out, realised_eps, c->graph, o->world, o->eps_nano, o->tree, o->seed,
                             o->threads, c->progress, err);
}

/* Train on the release of this world and ask LinkTeller. */
static hrr_status score_pairs(hrr_chain_result *out, const chain *c, hrr_error *err)
{
    hrr_train_options how = c->options->train;
    hrr_linkteller_options attack = c->options->linkteller;
    hrr_train_summary summary;
    hrr_graph *drawn = NULL;
    hrr_release *released = NULL;
    hrr_model *model = NULL;
    how.seed = c->options->seed;
    how.threads = attack.threads = c->options->threads;
    hrr_status status = make_world(&drawn, &out->realised_eps, c, err);
    /* whatever drew the edges: features are as they are */
    if (!status) status = hrr_release_take_non_private(&released, &drawn, err);
    if (!status) status = hrr_model_train(&model, &summary, released, &how, c->progress, err);
    if (status) goto done;
    const hrr_metrics *test = &summary.parts[HRR_TEST];
    out->figure[HRR_CHAIN_ACCURACY] =
        hrr_graph_is_multilabel(c->graph) ? test->f1_micro : test->accuracy;
    status = hrr_linkteller_scores(c->scores, &c->pairs, model, released, c->nodes, c->n_nodes,
                                   &attack, c->progress, err);
done:
    hrr_model_free(model);
    hrr_release_free(released);
    hrr_graph_free(drawn);
    return status;
}

/* ---- guesses without a model ----------------------------------------------------------------- */

static hrr_status guess_from_public(hrr_public_guess which, const chain *c, hrr_error *err)
{
    hrr_public_guesses guesses = {0};
    hrr_status status = hrr_public_guesses_init(
        &guesses, &c->pairs, c->graph, hrr_graph_features(c->graph), c->nodes, c->n_nodes,
        c->options->linkteller.all_edges, c->options->threads, c->progress, err);
    if (!status) memcpy(c->scores, guesses.scores[which], c->pairs.n * sizeof *c->scores);
    hrr_public_guesses_clear(&guesses);
    return status;
}

static void guess_pairs(const chain *c)
{
    hrr_fast_random random;
    hrr_fast_init(&random, c->options->seed, UINT64_C(0x6775657373));
    for (uint64_t p = 0; p < c->pairs.n; p++)
        c->scores[p] = hrr_fast_uniform(&random);
}

/* ---- from pairs to features and pictures ----------------------------------------------------- */

static hrr_status guess_pictures(double figure[], const chain *c, const hrr_dense *guess,
                                 hrr_error *err)
{
    const uint64_t n = hrr_graph_n_nodes(c->graph);
    uint32_t *target = hrr_alloc(n, sizeof *target);
    if (!target) return hrr_no_memory(err);
    for (uint64_t v = 0, to = 0; v < n; v++)
        if (c->targets[v]) target[to++] = (uint32_t)v;
    hrr_status status = hrr_chain_pictures_judge(figure, c->pictures, guess, target, err);
    hrr_free(target);
    return status;
}

static hrr_status guess_features(double figure[], const chain *c, hrr_error *err)
{
    hrr_attribute_options how = c->options->attributes;
    hrr_attribute_result found;
    hrr_csr edges = {0};
    hrr_dense guess = {0};
    how.seed = c->options->seed;
    how.threads = c->options->threads;
    hrr_status status = hrr_inferred_edges(&edges, c->graph, &c->pairs, c->scores, c->nodes,
                                           c->options->linkteller.all_edges, c->options->seed, err);
    if (!status)
        status =
            hrr_attributes_guess(&found, c->pictures ? &guess : NULL, hrr_graph_features(c->graph),
                                 &edges, c->known, c->targets, &how, c->progress, err);
    if (!status && c->pictures) status = guess_pictures(figure, c, &guess, err);
    if (!status) {
        figure[HRR_CHAIN_ATTRIBUTE_R2] = found.regression.r2;
        figure[HRR_CHAIN_ATTRIBUTE_COSINE] = found.regression.cosine;
        figure[HRR_CHAIN_ATTRIBUTE_AUC] = found.regression.auc;
    }
    hrr_dense_clear(&guess);
    hrr_csr_clear(&edges);
    return status;
}

static hrr_status run_world(hrr_chain_result *out, const chain *c, hrr_error *err)
{
    const hrr_chain_options *o = c->options;
    const hrr_public_guess guess = guess_of(o->world);
    hrr_link_quality links;
    hrr_status status = HRR_OK;
    if (strcmp(o->world, HRR_WORLD_GUESS) == 0)
        guess_pairs(c);
    else if (guess != HRR_PUBLIC_GUESSES)
        status = guess_from_public(guess, c, err);
    else
        status = score_pairs(out, c, err);
    if (!status) status = hrr_link_measure(&links, &c->pairs, c->scores, err);
    if (status) return status;
    if (o->linkteller.seen)
        o->linkteller.seen(o->linkteller.seen_user, o->world, o->eps_nano, 0, &c->pairs, c->scores);
    out->figure[HRR_CHAIN_LINK_AUC] = links.auc;
    out->figure[HRR_CHAIN_LINK_AVERAGE_PRECISION] = links.average_precision;
    out->figure[HRR_CHAIN_LINK_PRECISION] = links.precision[2];
    return guess_features(out->figure, c, err);
}

hrr_status hrr_chain(hrr_chain_result *out, const hrr_graph *graph,
                     const hrr_chain_options *options, const hrr_chain_pictures *pictures,
                     hrr_progress *progress, hrr_error *err)
{
    chain c = {.graph = graph, .options = options, .pictures = pictures, .progress = progress};
    *out = (hrr_chain_result){0};
    for (int f = 0; f < HRR_CHAIN_FIGURES; f++)
        out->figure[f] = NAN;
    hrr_status status = hrr_chain_check(graph, options, err);
    if (!status) status = check_world(graph, options, err);
    if (!status) status = begin_run(&c, err);
    if (!status) status = run_world(out, &c, err);
    end_run(&c);
    return status;
}
