/* chain.c: edges inferred through a model, then features inferred with those edges, in worlds that
 * protect the edges differently. The worlds of one run share nodes, known features, split and
 * seeds: their differences are those of the protection. */
#include "attack/inferred_edges.h"
#include "attack/linkteller.h"
#include "attack/public_guess.h"
#include "attack/world.h"
#include "edge/traits.h"
#include "base/memory.h"
#include "certificate/release.h"

#include <heterorr/edge.h>
#include <heterorr/random.h>

#include <math.h>
#include <string.h>

void hrr_chain_options_init(hrr_chain_options *options)
{
    *options = (hrr_chain_options){.runs = 5, .known_fraction = 0.5, .seed = 1};
    hrr_linkteller_options_init(&options->linkteller);
    hrr_train_options_init(&options->train);
    hrr_attribute_options_init(&options->attributes);
}

const char *hrr_chain_figure_name(hrr_chain_figure figure)
{
    static const char *const names[HRR_CHAIN_FIGURES] = {
        "link_auc",     "link_average_precision", "link_precision_at_k",
        "attribute_r2", "attribute_cosine",       "attribute_auc",
        "accuracy"};
    return names[figure];
}

/* ---- worlds ---------------------------------------------------------------------------------- */

enum { floor_row = 1, tree_row };

static hrr_status list_worlds(hrr_chain_row **rows, size_t *n_rows, const hrr_graph *graph,
                              const hrr_chain_options *o, hrr_error *err)
{
    size_t n_mechanisms = 0, n = 0;
    while (o->mechanisms && o->mechanisms[n_mechanisms])
        n_mechanisms++;
    hrr_chain_row *made =
        hrr_alloc_zero(4 + HRR_PUBLIC_GUESSES + n_mechanisms * o->n_eps, sizeof *made);
    if (!made) return hrr_no_memory(err);
    made[n++].mechanism = HRR_CHAIN_OPEN;
    made[n++].mechanism = HRR_CHAIN_FLOOR;
    made[n++].mechanism = HRR_CHAIN_TREE;
    for (size_t m = 0; m < n_mechanisms; m++)
        for (size_t e = 0; e < o->n_eps; e++) {
            const bool spends = hrr_edge_traits(o->mechanisms[m])->effect == HRR_EFFECT_PROTECT;
            if (!spends) continue; /* has its row */
            made[n].mechanism = o->mechanisms[m];
            made[n++].eps_nano = o->eps_nano[e];
        }
    for (int g = 0; g < HRR_PUBLIC_GUESSES; g++)
        if (hrr_public_guess_exists((hrr_public_guess)g, graph, o->linkteller.all_edges))
            made[n++].mechanism = hrr_public_guess_name((hrr_public_guess)g);
    made[n++].mechanism = HRR_CHAIN_GUESS;
    *rows = made;
    *n_rows = n;
    return HRR_OK;
}

static hrr_status check(const hrr_graph *graph, const hrr_chain_options *o, hrr_error *err)
{
    if (o->runs < 1) return hrr_fail(err, HRR_EINVAL, "a chain needs at least one run (`runs`)");
    if (!(o->known_fraction > 0 && o->known_fraction < 1))
        return hrr_fail(
            err, HRR_EINVAL,
            "the share of nodes whose features are known (`known_fraction`) lies between 0 and 1");
    for (size_t m = 0; o->mechanisms && o->mechanisms[m]; m++) {
        const hrr_edge_mechanism *row = hrr_edge_mechanism_find(o->mechanisms[m]);
        if (!row)
            return hrr_fail(err, HRR_EINVAL, "there is no edge mechanism '%.40s' (`mechanisms`)",
                            o->mechanisms[m]);
        if (!o->n_eps && row->effect == HRR_EFFECT_PROTECT)
            return hrr_fail(err, HRR_EINVAL, "%s needs a budget: name at least one (`eps_nano`)",
                            row->name);
    }
    if (!hrr_graph_features(graph))
        return hrr_fail(err, HRR_EDATA,
                        "the graph has no features; read it with some (`features`)");
    if (!hrr_graph_split(graph))
        return hrr_fail(err, HRR_EDATA,
                        "the graph does not say which nodes are for training; draw a split");
    return hrr_linkteller_check(graph, graph, &o->linkteller, err);
}

/* ---- one run --------------------------------------------------------------------------------- */

typedef struct chain {
    const hrr_graph *graph;
    const hrr_chain_options *options;
    uint64_t seed; /* of this run */
    uint32_t *nodes;
    uint64_t n_nodes;
    hrr_link_pairs pairs;
    double *scores;
    hrr_public_guesses guesses;
    uint8_t *known, *targets; /* by node */
    hrr_progress *progress;
} chain;

static void end_run(chain *c)
{
    hrr_free(c->nodes);
    hrr_free(c->scores);
    hrr_free(c->known);
    hrr_free(c->targets);
    hrr_public_guesses_clear(&c->guesses);
    hrr_link_pairs_clear(&c->pairs);
}

static hrr_status begin_run(chain *c, hrr_error *err)
{
    const hrr_linkteller_options *o = &c->options->linkteller;
    const uint64_t n = hrr_graph_n_nodes(c->graph);
    hrr_status status = hrr_attack_nodes(&c->nodes, &c->n_nodes, c->graph, o->pool, o->low, o->high,
                                         o->n_samples, c->seed, err);
    if (!status)
        status = hrr_link_pairs_init(&c->pairs, c->graph, c->nodes, c->n_nodes, o->all_edges, err);
    if (!status)
        status = hrr_public_guesses_init(&c->guesses, &c->pairs, c->graph,
                                         hrr_graph_features(c->graph), c->nodes, c->n_nodes,
                                         o->all_edges, o->threads, c->progress, err);
    if (status) return status;
    c->scores = hrr_alloc(c->pairs.n, sizeof *c->scores);
    c->known = hrr_alloc(n, 1);
    c->targets = hrr_alloc_zero(n, 1);
    if (!c->scores || !c->known || !c->targets) return hrr_no_memory(err);
    hrr_fast_random random;
    hrr_fast_init(&random, c->seed, UINT64_C(0x6b6e6f776e));
    for (uint64_t v = 0; v < n; v++)
        c->known[v] = hrr_fast_uniform(&random) < c->options->known_fraction;
    for (uint64_t i = 0; i < c->n_nodes; i++)
        c->targets[c->nodes[i]] = !c->known[c->nodes[i]];
    return HRR_OK;
}

/* ---- a model on a release -------------------------------------------------------------------- */

static hrr_status make_world(hrr_graph **out, hrr_chain_row *row, const chain *c, hrr_error *err)
{
    const int threads = c->options->train.threads;
    if (strcmp(row->mechanism, HRR_CHAIN_TREE) == 0)
        return hrr_world_public_tree(out, c->graph, c->seed, threads, c->progress, err);
    return hrr_world_release(out, &row->realised_eps, c->graph, row->mechanism, row->eps_nano,
                             c->options->tree, c->seed, threads, c->progress, err);
}

/* Train on the release of this world and ask LinkTeller. */
static hrr_status score_pairs(double figures[], hrr_chain_row *row, const chain *c, hrr_error *err)
{
    hrr_train_options how = c->options->train;
    hrr_train_summary summary;
    hrr_graph *drawn = NULL;
    hrr_release *released = NULL;
    hrr_model *model = NULL;
    how.seed = c->seed;
    hrr_status status = make_world(&drawn, row, c, err);
    /* whatever drew the edges: features are as they are */
    if (!status) status = hrr_release_take_non_private(&released, &drawn, err);
    if (!status) status = hrr_model_train(&model, &summary, released, &how, c->progress, err);
    if (status) goto done;
    const hrr_metrics *test = &summary.parts[HRR_TEST];
    figures[HRR_CHAIN_ACCURACY] =
        hrr_graph_is_multilabel(c->graph) ? test->f1_micro : test->accuracy;
    status = hrr_linkteller_scores(c->scores, &c->pairs, model, released, c->nodes, c->n_nodes,
                                   &c->options->linkteller, c->progress, err);
done:
    hrr_model_free(model);
    hrr_release_free(released);
    hrr_graph_free(drawn);
    return status;
}

/* Whether the world has no model, and a guess from public data instead. */
static bool guess_from_public(const hrr_chain_row *row, const chain *c)
{
    for (int g = 0; g < HRR_PUBLIC_GUESSES; g++)
        if (strcmp(row->mechanism, hrr_public_guess_name((hrr_public_guess)g)) == 0) {
            memcpy(c->scores, c->guesses.scores[g], c->pairs.n * sizeof *c->scores);
            return true;
        }
    return false;
}

static void guess_pairs(const chain *c)
{
    hrr_fast_random random;
    hrr_fast_init(&random, c->seed, UINT64_C(0x6775657373));
    for (uint64_t p = 0; p < c->pairs.n; p++)
        c->scores[p] = hrr_fast_uniform(&random);
}

/* ---- from pairs to features ------------------------------------------------------------------ */

static hrr_status guess_features(double figures[], const chain *c, hrr_error *err)
{
    hrr_attribute_options how = c->options->attributes;
    hrr_attribute_result found;
    hrr_csr edges = {0};
    how.seed = c->seed;
    hrr_status status = hrr_inferred_edges(&edges, c->graph, &c->pairs, c->scores, c->nodes,
                                           c->options->linkteller.all_edges, c->seed, err);
    if (!status)
        status = hrr_attributes_infer(&found, hrr_graph_features(c->graph), &edges, c->known,
                                      c->targets, &how, c->progress, err);
    if (!status) {
        figures[HRR_CHAIN_ATTRIBUTE_R2] = found.regression.r2;
        figures[HRR_CHAIN_ATTRIBUTE_COSINE] = found.regression.cosine;
        figures[HRR_CHAIN_ATTRIBUTE_AUC] = found.regression.auc;
    }
    hrr_csr_clear(&edges);
    return status;
}

static hrr_status run_world(double figures[], hrr_chain_row *row, const chain *c, uint32_t run,
                            hrr_error *err)
{
    const hrr_linkteller_options *o = &c->options->linkteller;
    hrr_link_quality links;
    hrr_status status = HRR_OK;
    for (int f = 0; f < HRR_CHAIN_FIGURES; f++)
        figures[f] = NAN;
    if (strcmp(row->mechanism, HRR_CHAIN_GUESS) == 0)
        guess_pairs(c);
    else if (!guess_from_public(row, c))
        status = score_pairs(figures, row, c, err);
    if (!status) status = hrr_link_measure(&links, &c->pairs, c->scores, err);
    if (status) return status;
    if (o->seen) o->seen(o->seen_user, row->mechanism, row->eps_nano, run, &c->pairs, c->scores);
    figures[HRR_CHAIN_LINK_AUC] = links.auc;
    figures[HRR_CHAIN_LINK_AVERAGE_PRECISION] = links.average_precision;
    figures[HRR_CHAIN_LINK_PRECISION] = links.precision[2];
    return guess_features(figures, c, err);
}

/* ---- all runs -------------------------------------------------------------------------------- */

/* values: of one figure in every run, `apart` doubles from one to the next. */
static hrr_status summarise(double *mean, double *half_width, const double *values,
                            const double *less, size_t apart, uint32_t runs, hrr_error *err)
{
    double *x = hrr_alloc(runs, sizeof *x);
    if (!x) return hrr_no_memory(err);
    for (uint32_t run = 0; run < runs; run++)
        x[run] = values[run * apart] - (less ? less[run * apart] : 0);
    *mean = x[0];
    *half_width = NAN;
    hrr_status status = runs > 1 ? hrr_mean_interval(mean, half_width, x, runs, 0.95, err) : HRR_OK;
    hrr_free(x);
    return status;
}

static hrr_status conclude(hrr_chain_row *rows, size_t n_rows, const double *figures, uint32_t runs,
                           hrr_error *err)
{
    const size_t apart = n_rows * HRR_CHAIN_FIGURES; /* figures: run, row, figure */
    hrr_status status = HRR_OK;
    for (size_t r = 0; r < n_rows && !status; r++)
        for (int f = 0; f < HRR_CHAIN_FIGURES && !status; f++) {
            const double *mine = figures + r * HRR_CHAIN_FIGURES + f;
            const double *floor = figures + floor_row * HRR_CHAIN_FIGURES + f;
            const double *tree = figures + tree_row * HRR_CHAIN_FIGURES + f;
            status =
                summarise(&rows[r].mean[f], &rows[r].half_width[f], mine, NULL, apart, runs, err);
            if (!status)
                status = summarise(&rows[r].excess[f], &rows[r].excess_half_width[f], mine, floor,
                                   apart, runs, err);
            if (!status)
                status = summarise(&rows[r].tree_excess[f], &rows[r].tree_excess_half_width[f],
                                   mine, tree, apart, runs, err);
        }
    return status;
}

hrr_status hrr_chain(hrr_chain_row **rows, size_t *n_rows, const hrr_graph *graph,
                     const hrr_chain_options *options, hrr_progress *progress, hrr_error *err)
{
    double *figures = NULL;
    hrr_chain_row *made = NULL;
    size_t n = 0;
    *rows = NULL;
    *n_rows = 0;
    hrr_status status = check(graph, options, err);
    if (!status) status = list_worlds(&made, &n, graph, options, err);
    if (status) return status;
    if (!(figures = hrr_alloc(options->runs * n * HRR_CHAIN_FIGURES, sizeof *figures)))
        status = hrr_no_memory(err);
    for (uint32_t run = 0; run < options->runs && !status; run++) {
        chain c = {
            .graph = graph, .options = options, .seed = options->seed + run, .progress = progress};
        status = begin_run(&c, err);
        for (size_t r = 0; r < n && !status; r++) {
            double *here = figures + (run * n + r) * HRR_CHAIN_FIGURES;
            status = run_world(here, &made[r], &c, run, err);
            if (!status && options->seen)
                options->seen(options->seen_user, made[r].mechanism, made[r].eps_nano, run, here);
        }
        end_run(&c);
    }
    if (!status) status = conclude(made, n, figures, options->runs, err);
    hrr_free(figures);
    if (status) {
        hrr_free(made);
    } else {
        *rows = made;
        *n_rows = n;
    }
    return status;
}
