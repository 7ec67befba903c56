/* linkteller.c: the attack of Wu, Long, Zhang, Li, "LinkTeller: recovering private edges from graph
 * neural networks via influence analysis" (S&P 2022), scored as they do but for one thing: edges
 * that are public are no secret, and are left out instead of counting as mistakes. */
#include "base/memory.h"
#include "learn/head.h"

#include <heterorr/attack.h>

#include <inttypes.h>
#include <math.h>

void hrr_linkteller_options_init(hrr_linkteller_options *options)
{
    *options = (hrr_linkteller_options){
        .n_samples = 500, .low = 5, .high = 10, .runs = 3, .decimals = 2, .seed = 1};
}

static hrr_status check(const hrr_graph *served, const hrr_graph *truth,
                        const hrr_linkteller_options *o, hrr_error *err)
{
    if (o->runs < 1) return hrr_fail(err, HRR_EINVAL, "an attack needs at least one sample");
    if (o->n_samples < 2) return hrr_fail(err, HRR_EINVAL, "a sample needs at least two nodes");
    if (o->delta < 0 || !isfinite(o->delta))
        return hrr_fail(err, HRR_EINVAL, "delta must be above 0; 1e-4 is usual");
    if (o->returns == HRR_RETURNS_ROUNDED && (o->decimals < 0 || o->decimals > 15))
        return hrr_fail(err, HRR_EINVAL, "probabilities are rounded to 0 to 15 decimals");
    if (hrr_graph_n_nodes(served) != hrr_graph_n_nodes(truth))
        return hrr_fail(err, HRR_EDATA,
                        "the served graph has %" PRIu64 " nodes and the true one %" PRIu64
                        ": they are not about the same nodes",
                        hrr_graph_n_nodes(served), hrr_graph_n_nodes(truth));
    if (!o->all_edges && !hrr_graph_n_private_edges(truth))
        return hrr_fail(err, HRR_EDATA,
                        "the graph marks no edge as private, so there is nothing to find; mark "
                        "some (--private-fraction), give the graph with the marks (--truth), or "
                        "count all edges (--all-edges)");
    return HRR_OK;
}

static bool is_exact(const hrr_linkteller_options *o)
{
    return !o->differences && o->returns <= HRR_RETURNS_PROBABILITIES && o->delta == 0;
}

static hrr_status measure(hrr_dense *influence, const hrr_model *model, const hrr_graph *served,
                          hrr_local_service *local, const uint32_t *nodes, uint64_t n_nodes,
                          const hrr_linkteller_options *o, double delta, hrr_progress *progress,
                          hrr_error *err)
{
    if (!local)
        return hrr_influence_exact(influence, model, served, NULL, nodes, n_nodes,
                                   o->returns == HRR_RETURNS_PROBABILITIES, o->threads, progress,
                                   err);
    const hrr_service service = hrr_local_service_view(local);
    return hrr_influence_measure(influence, &service, hrr_graph_features(served), nodes, n_nodes,
                                 delta, progress, err);
}

/* The influence of the later node on the earlier, as the authors' program takes it. */
static hrr_status score(hrr_link_quality *out, const hrr_link_pairs *pairs,
                        const hrr_dense *influence, hrr_error *err)
{
    double *scores = hrr_alloc(pairs->n, sizeof *scores);
    if (!scores) return hrr_no_memory(err);
    for (uint64_t p = 0; p < pairs->n; p++)
        scores[p] = ((const double *)
                         influence->data)[(uint64_t)pairs->j[p] * influence->cols + pairs->i[p]];
    hrr_status status = hrr_link_measure(out, pairs, scores, err);
    hrr_free(scores);
    return status;
}

static hrr_status run_sample(hrr_link_quality *out, uint64_t *n_nodes, const hrr_model *model,
                             const hrr_graph *served, const hrr_graph *truth,
                             hrr_local_service *local, const hrr_linkteller_options *o,
                             uint32_t run, double delta, hrr_progress *progress, hrr_error *err)
{
    uint32_t *nodes = NULL;
    hrr_link_pairs pairs = {0};
    hrr_dense influence = {0};
    hrr_status status = hrr_attack_nodes(&nodes, n_nodes, truth, o->pool, o->low, o->high,
                                         o->n_samples, o->seed + run, err);
    if (status) goto done;
    if ((status = hrr_link_pairs_init(&pairs, truth, nodes, *n_nodes, o->all_edges, err)))
        goto done;
    if ((status =
             measure(&influence, model, served, local, nodes, *n_nodes, o, delta, progress, err)))
        goto done;
    status = score(out, &pairs, &influence, err);
done:
    hrr_free(nodes);
    hrr_link_pairs_clear(&pairs);
    hrr_dense_clear(&influence);
    return status;
}

/* A quality is nothing but doubles. */
enum { n_figures = sizeof(hrr_link_quality) / sizeof(double) };

static void summarise(hrr_linkteller_result *out, const hrr_link_quality *samples, uint32_t runs)
{
    double *mean = (double *)&out->mean, *deviation = (double *)&out->deviation;
    for (int k = 0; k < n_figures; k++) {
        double square = 0;
        mean[k] = deviation[k] = 0;
        for (uint32_t r = 0; r < runs; r++)
            mean[k] += ((const double *)&samples[r])[k] / runs;
        for (uint32_t r = 0; r < runs; r++) {
            const double apart = ((const double *)&samples[r])[k] - mean[k];
            square += apart * apart;
        }
        if (runs > 1) deviation[k] = sqrt(square / (runs - 1));
    }
}

hrr_status hrr_linkteller(hrr_linkteller_result *out, hrr_link_quality *samples,
                          const hrr_model *model, const hrr_graph *served, const hrr_graph *truth,
                          const hrr_linkteller_options *options, hrr_progress *progress,
                          hrr_error *err)
{
    const hrr_linkteller_options *o = options;
    hrr_local_service *local = NULL;
    hrr_link_quality *found = NULL;
    hrr_linkteller_result made = {.runs = o->runs, .exact = is_exact(o)};
    *out = (hrr_linkteller_result){0};
    hrr_status status = check(served, truth, o, err);
    if (status) return status;
    if (!made.exact)
        made.delta = o->delta > 0 ? o->delta : o->returns >= HRR_RETURNS_ROUNDED ? 1 : 1e-4;
    if (!(found = hrr_alloc_zero(o->runs, sizeof *found))) return hrr_no_memory(err);
    if (!made.exact && (status = hrr_local_service_new(&local, model, served, NULL, o->returns,
                                                       o->decimals, o->threads, progress, err)))
        goto done;
    for (uint32_t run = 0; run < o->runs; run++)
        if ((status = run_sample(&found[run], &made.n_nodes, model, served, truth, local, o, run,
                                 made.delta, progress, err)))
            goto done;
    summarise(&made, found, o->runs);
    for (uint32_t run = 0; samples && run < o->runs; run++)
        samples[run] = found[run];
    *out = made;
done:
    hrr_local_service_free(local);
    hrr_free(found);
    return status;
}
