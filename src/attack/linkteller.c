/* linkteller.c: the attack of Wu, Long, Zhang, Li, "LinkTeller: recovering private edges from graph
 * neural networks via influence analysis" (S&P 2022), scored as they do but for one thing: edges
 * that are public are no secret, and are left out instead of counting as mistakes. */
#include "attack/pairs.h"
#include "attack/ranking.h"
#include "attack/linkteller.h"
#include "attack/contest.h"
#include "attack/influence.h"
#include "base/memory.h"
#include "base/options.h"
#include "learn/count_model.h"
#include "learn/model.h"

#include <inttypes.h>
#include <math.h>

void hrr_linkteller_options_init_sized(hrr_linkteller_options *options, size_t size)
{
    const hrr_linkteller_options own = {
        .n_samples = 500, .low = 5, .high = 10, .runs = 3, .decimals = 2, .seed = 1};
    hrr_options_init(options, size, &own, sizeof own);
}

hrr_status hrr_linkteller_check(const hrr_graph *served, const hrr_graph *truth,
                                const hrr_linkteller_options *o, hrr_error *err)
{
    if (o->runs < 1)
        return hrr_fail(err, HRR_EINVAL, "an attack needs at least one sample (`runs`)");
    if (o->n_samples < 2)
        return hrr_fail(err, HRR_EINVAL, "a sample needs at least two nodes (`n_samples`)");
    if (o->delta < 0 || !isfinite(o->delta))
        return hrr_fail(err, HRR_EINVAL, "`delta` must be above 0; 1e-4 is usual");
    if (o->returns == HRR_RETURNS_ROUNDED && (o->decimals < 0 || o->decimals > 15))
        return hrr_fail(err, HRR_EINVAL,
                        "the number of decimals (`decimals`) must lie between 0 and 15");
    if (hrr_graph_n_nodes(served) != hrr_graph_n_nodes(truth))
        return hrr_fail(err, HRR_EDATA,
                        "the served graph has %" PRIu64 " nodes, but the true graph has %" PRIu64
                        "; both must have the same nodes",
                        hrr_graph_n_nodes(served), hrr_graph_n_nodes(truth));
    if (!o->all_edges && !hrr_graph_n_private_edges(truth))
        return hrr_fail(
            err, HRR_EDATA,
            "the graph marks no edge as private, so there is nothing to find; treat every edge as "
            "private (`all_edges`, `all_private`), or mark a share of them (`private_fraction`)");
    return HRR_OK;
}

hrr_serve_options hrr_linkteller_serves(const hrr_linkteller_options *o)
{
    return (hrr_serve_options){.returns = o->returns,
                               .decimals = o->decimals,
                               .ignore_counts = o->ignore_counts,
                               .threads = o->threads};
}

/* Whether derivatives of the network alone are those of the answers, but for a factor. Counts move
 * logits by what no feature changes, but probabilities otherwise; beside what else is free, logits
 * of the network may be taken relative to that of one class, which changes their length. */
static bool derivatives_tell(const hrr_model *model, const hrr_release *served,
                             const hrr_linkteller_options *o)
{
    if (!hrr_counts_in_use(model, served, o->ignore_counts))
        return o->returns <= HRR_RETURNS_PROBABILITIES;
    return o->returns <= HRR_RETURNS_LOGITS && !hrr_public_base_is_more(&model->base);
}

/* The step of differences; 0: derivatives are taken. */
static double step_of(const hrr_model *model, const hrr_release *served,
                      const hrr_linkteller_options *o)
{
    const double usual = o->returns >= HRR_RETURNS_ROUNDED ? 1 : 1e-4;
    if (o->service) return o->delta > 0 ? o->delta : usual;
    if (!o->differences && derivatives_tell(model, served, o) && o->delta == 0) return 0;
    if (o->delta > 0) return o->delta;
    return usual;
}

static hrr_status measure(hrr_dense *influence, const hrr_model *model, const hrr_release *served,
                          const uint32_t *nodes, uint64_t n_nodes, const hrr_linkteller_options *o,
                          hrr_progress *progress, hrr_error *err)
{
    const double delta = step_of(model, served, o);
    const hrr_serve_options how = hrr_linkteller_serves(o);
    hrr_local_service *local;
    *influence = (hrr_dense){0};
    if (o->service)
        return hrr_influence_measure(influence, o->service,
                                     hrr_graph_features(hrr_release_graph(served)), nodes, n_nodes,
                                     delta, progress, err);
    if (delta == 0)
        return hrr_influence_exact(influence, model, served, nodes, n_nodes,
                                   o->returns == HRR_RETURNS_PROBABILITIES, o->threads, progress,
                                   err);
    hrr_status status = hrr_local_service_new(&local, model, served, &how, progress, err);
    if (status) return status;
    const hrr_service service = hrr_local_service_view(local);
    status =
        hrr_influence_measure(influence, &service, hrr_graph_features(hrr_release_graph(served)),
                              nodes, n_nodes, delta, progress, err);
    hrr_local_service_free(local);
    return status;
}

/* The influence of the later node on the earlier, as the authors' program takes it. */
hrr_status hrr_linkteller_scores(double *scores, const hrr_link_pairs *pairs,
                                 const hrr_model *model, const hrr_release *served,
                                 const uint32_t *nodes, uint64_t n_nodes,
                                 const hrr_linkteller_options *options, hrr_progress *progress,
                                 hrr_error *err)
{
    hrr_dense influence;
    hrr_status status = measure(&influence, model, served, nodes, n_nodes, options, progress, err);
    if (status) return status;
    for (uint64_t p = 0; p < pairs->n; p++)
        scores[p] = ((const double *)influence.data)[pairs->j[p] * n_nodes + pairs->i[p]];
    hrr_dense_clear(&influence);
    return HRR_OK;
}

static hrr_status run_sample(hrr_link_quality *out, hrr_contest *contest, uint64_t *n_nodes,
                             const hrr_model *model, const hrr_release *served,
                             const hrr_graph *truth, const hrr_linkteller_options *o, uint32_t run,
                             hrr_progress *progress, hrr_error *err)
{
    hrr_public_guesses guesses = {0};
    uint32_t *nodes = NULL;
    double *scores = NULL;
    hrr_link_pairs pairs = {0};
    hrr_status status = hrr_attack_nodes(&nodes, n_nodes, truth, o->pool, o->low, o->high,
                                         o->n_samples, o->seed + run, err);
    if (status) goto done;
    if ((status = hrr_link_pairs_init(&pairs, truth, nodes, *n_nodes, o->all_edges, err)))
        goto done;
    if (!(scores = hrr_alloc(pairs.n, sizeof *scores))) {
        status = hrr_no_memory(err);
        goto done;
    }
    if ((status = hrr_linkteller_scores(scores, &pairs, model, served, nodes, *n_nodes, o, progress,
                                        err)))
        goto done;
    if ((status = hrr_link_measure(out, &pairs, scores, err))) goto done;
    if ((status = hrr_public_guesses_init(&guesses, &pairs, truth,
                                          hrr_graph_features(hrr_release_graph(served)), nodes,
                                          *n_nodes, o->all_edges, o->threads, progress, err)))
        goto done;
    if ((status = hrr_contest_add(contest, &pairs, nodes, scores, &guesses, err))) goto done;
    if (!o->seen) goto done;
    o->seen(o->seen_user, hrr_link_attack_name(HRR_LINKS_LINKTELLER), 0, run, &pairs, scores);
    for (int g = 0; g < HRR_PUBLIC_GUESSES; g++)
        if (guesses.scores[g])
            o->seen(o->seen_user, hrr_public_guess_name((hrr_public_guess)g), 0, run, &pairs,
                    guesses.scores[g]);
done:
    hrr_public_guesses_clear(&guesses);
    hrr_free(nodes);
    hrr_free(scores);
    hrr_link_pairs_clear(&pairs);
    return status;
}

/* A quality is nothing but doubles. */
enum { n_figures = sizeof(hrr_link_quality) / sizeof(double) };

void hrr_link_summarise(hrr_link_quality *mean_out, hrr_link_quality *deviation_out,
                        const hrr_link_quality *samples, uint32_t runs, uint32_t apart)
{
    double *mean = (double *)mean_out, *deviation = (double *)deviation_out;
    for (int k = 0; k < n_figures; k++) {
        double square = 0;
        mean[k] = deviation[k] = 0;
        for (uint32_t r = 0; r < runs; r++)
            mean[k] += ((const double *)&samples[r * apart])[k] / runs;
        for (uint32_t r = 0; r < runs; r++) {
            const double from_mean = ((const double *)&samples[r * apart])[k] - mean[k];
            square += from_mean * from_mean;
        }
        if (runs > 1) deviation[k] = sqrt(square / (runs - 1));
    }
}

hrr_status hrr_linkteller(hrr_linkteller_result *out, hrr_link_quality *samples,
                          const hrr_model *model, const hrr_release *served, const hrr_graph *truth,
                          const hrr_linkteller_options *options, hrr_progress *progress,
                          hrr_error *err)
{
    hrr_linkteller_options own;
    const hrr_linkteller_options *o = &own;
    *out = (hrr_linkteller_result){0};
    hrr_contest contest = {0};
    hrr_link_quality *found = NULL;
    hrr_status status = HRR_ADOPT(hrr_linkteller_options, &own, options, err);
    if (!status) status = hrr_linkteller_check(hrr_release_graph(served), truth, o, err);
    if (status) return status;
    hrr_linkteller_result made = {.runs = o->runs, .delta = step_of(model, served, o)};
    if ((status = hrr_contest_init(&contest, hrr_graph_n_nodes(truth), o->runs, err))) goto done;
    if (!(found = hrr_alloc_zero(o->runs, sizeof *found))) status = hrr_no_memory(err);
    for (uint32_t run = 0; run < o->runs && !status; run++)
        status = run_sample(&found[run], &contest, &made.n_nodes, model, served, truth, o, run,
                            progress, err);
    if (!status) {
        hrr_contest_judge(&made.verdict, &contest);
        made.exact = made.delta == 0;
        hrr_link_summarise(&made.mean, &made.deviation, found, o->runs, 1);
        for (uint32_t run = 0; samples && run < o->runs; run++)
            samples[run] = found[run];
        *out = made;
    }
done:
    hrr_contest_clear(&contest);
    hrr_free(found);
    return status;
}
