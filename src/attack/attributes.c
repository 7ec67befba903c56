/* attributes.c: features of nodes guessed from those of others and the edges between them.
 *
 *   mean         what everybody could say without the graph
 *   propagation  unknown nodes begin with the mean and take the mean of their neighbours, known
 *                ones keep what they have, a few times over (Rossi et al. 2022)
 *   regression   attribute_regression.c */
#include "attack/attributes.h"
#include "base/memory.h"
#include "base/options.h"
#include "learn/head.h"
#include "learn/ranking.h"
#include "matrix/dense.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void hrr_attribute_options_init_sized(hrr_attribute_options *options, size_t size)
{
    const hrr_attribute_options own = {.steps = 4, .widest = 256, .seed = 1};
    hrr_options_init(options, size, &own, sizeof own);
}

/* ---- quality --------------------------------------------------------------------------------- */

static bool is_binary(const hrr_dense *x, uint64_t column)
{
    for (uint64_t i = 0; i < x->rows; i++) {
        const float value = ((const float *)x->data)[i * x->cols + column];
        if (value != 0 && value != 1) return false;
    }
    return true;
}

/* Mean over columns of 0 and 1 of how well guesses rank those who have the feature. */
static hrr_status column_auc(double *out, const hrr_guessing *g, const float *guess,
                             uint64_t stride, hrr_error *err)
{
    const uint64_t d = g->x.cols, n = g->n_targets;
    float *score = hrr_alloc(n, sizeof *score);
    uint8_t *has = hrr_alloc(n, sizeof *has);
    hrr_status status = score && has ? HRR_OK : hrr_no_memory(err);
    double sum = 0;
    uint64_t count = 0;
    for (uint64_t k = 0; k < d && !status; k++) {
        double auc, precision;
        if (!is_binary(&g->x, k)) continue;
        for (uint64_t i = 0; i < n; i++) {
            score[i] = guess[i * stride + k];
            has[i] = ((const float *)g->x.data)[g->target[i] * d + k] == 1;
        }
        status = hrr_rank_quality(&auc, &precision, score, has, n, err);
        if (isnan(auc)) continue;
        sum += auc;
        count++;
    }
    *out = count ? sum / (double)count : NAN;
    hrr_free(score);
    hrr_free(has);
    return status;
}

hrr_status hrr_guess_judge(hrr_attribute_quality *out, const hrr_guessing *g, const float *guess,
                           uint64_t stride, hrr_error *err)
{
    const uint64_t d = g->x.cols;
    double error = 0, variance = 0, cosines = 0;
    uint64_t n_angles = 0;
    for (uint64_t i = 0; i < g->n_targets; i++) {
        const float *truth = (const float *)g->x.data + g->target[i] * d, *row = guess + i * stride;
        double product = 0, here = 0, there = 0;
        for (uint64_t k = 0; k < d; k++) {
            const double x = (double)truth[k], y = (double)row[k];
            error += (x - y) * (x - y);
            variance += (x - (double)g->mean[k]) * (x - (double)g->mean[k]);
            product += x * y;
            here += x * x;
            there += y * y;
        }
        if (here == 0 || there == 0) continue;
        cosines += product / sqrt(here * there);
        n_angles++;
    }
    *out = (hrr_attribute_quality){.r2 = variance > 0 ? 1 - error / variance : NAN,
                                   .cosine = n_angles ? cosines / (double)n_angles : NAN,
                                   .auc = NAN};
    return column_auc(&out->auc, g, guess, stride, err);
}

/* ---- propagation ----------------------------------------------------------------------------- */

void hrr_neighbours_mean(float *row, const hrr_guessing *g, const float *from, uint32_t node,
                         bool known_only, const float *otherwise)
{
    const uint64_t d = g->x.cols, *start = g->edges->row_start;
    uint64_t count = 0;
    memset(row, 0, d * sizeof *row);
    for (uint64_t e = start[node]; e < start[node + 1]; e++) {
        const uint32_t v = g->edges->col[e];
        if (known_only && !g->known[v]) continue;
        const float *other = from + v * d;
        for (uint64_t k = 0; k < d; k++)
            row[k] += other[k];
        count++;
    }
    if (!count) memcpy(row, otherwise, d * sizeof *row);
    for (uint64_t k = 0; count && k < d; k++)
        row[k] /= (float)count;
}

static hrr_status propagate(hrr_attribute_quality *out, const hrr_guessing *g,
                            hrr_progress *progress, hrr_error *err)
{
    const uint64_t n = g->x.rows, d = g->x.cols;
    hrr_dense now = {0}, next = {0};
    hrr_status status = hrr_dense_convert(&now, &g->x, HRR_F32, err);
    if (!status) status = hrr_dense_init(&next, HRR_F32, n, d, err);
    if (status) goto done;
    for (uint64_t v = 0; v < n; v++)
        if (!g->known[v]) memcpy((float *)now.data + v * d, g->mean, d * sizeof(float));
    hrr_progress_begin(progress, "spreading features", g->options->steps);
    for (uint32_t step = 0; step < g->options->steps; step++) {
#pragma omp parallel for schedule(dynamic, 64) num_threads(g->threads)
        for (uint64_t v = 0; v < n; v++) {
            float *row = (float *)next.data + v * d;
            const float *own = (const float *)now.data + v * d;
            if (g->known[v])
                memcpy(row, own, d * sizeof *row);
            else
                hrr_neighbours_mean(row, g, now.data, (uint32_t)v, false, g->mean);
        }
        const hrr_dense swapped = now;
        now = next;
        next = swapped;
        if ((status = hrr_progress_advance(progress, 1, err))) goto done;
    }
    for (uint64_t i = 0; i < g->n_targets; i++) /* downwards: targets ascend */
        memmove((float *)now.data + i * d, (float *)now.data + g->target[i] * d, d * sizeof(float));
    status = hrr_guess_judge(out, g, now.data, d, err);
done:
    hrr_dense_clear(&now);
    hrr_dense_clear(&next);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static hrr_status prepare(hrr_guessing *g, hrr_attribute_result *out, const hrr_dense *features,
                          const uint8_t *targets, hrr_error *err)
{
    const uint64_t n = features->rows, d = features->cols;
    hrr_status status = hrr_dense_convert(&g->x, features, HRR_F32, err);
    if (status) return status;
    g->target = hrr_alloc(n, sizeof *g->target);
    g->mean = hrr_alloc_zero(d, sizeof *g->mean);
    double *sum = hrr_alloc_zero(d, sizeof *sum);
    if (!g->target || !g->mean || !sum) {
        hrr_free(sum);
        return hrr_no_memory(err);
    }
    for (uint64_t v = 0; v < n; v++) {
        if (g->known[v]) {
            for (uint64_t k = 0; k < d; k++)
                sum[k] += (double)((const float *)g->x.data)[v * d + k];
            out->n_known++;
        } else if (!targets || targets[v]) {
            g->target[g->n_targets++] = (uint32_t)v;
        }
    }
    for (uint64_t k = 0; k < d && out->n_known; k++)
        g->mean[k] = (float)(sum[k] / (double)out->n_known);
    hrr_free(sum);
    out->n_targets = g->n_targets;
    if (!out->n_known || !g->n_targets)
        return hrr_fail(
            err, HRR_EDATA,
            "%s; the attack needs nodes whose features are known, and other nodes to guess",
            out->n_known ? "no node is left to guess" : "no node's features are known");
    return HRR_OK;
}

hrr_status hrr_attributes_infer(hrr_attribute_result *out, const hrr_dense *features,
                                const hrr_csr *edges, const uint8_t *known, const uint8_t *targets,
                                const hrr_attribute_options *options, hrr_progress *progress,
                                hrr_error *err)
{
    return hrr_attributes_guess(out, NULL, features, edges, known, targets, options, progress, err);
}

hrr_status hrr_attributes_guess(hrr_attribute_result *out, hrr_dense *guess,
                                const hrr_dense *features, const hrr_csr *edges,
                                const uint8_t *known, const uint8_t *targets,
                                const hrr_attribute_options *options, hrr_progress *progress,
                                hrr_error *err)
{
    hrr_attribute_options own;
    hrr_attribute_result made = {0};
    *out = made;
    hrr_status status = HRR_ADOPT(hrr_attribute_options, &own, options, err);
    if (status) return status;
    options = &own;
    hrr_guessing g = {.edges = edges,
                      .known = known,
                      .options = options,
                      .regressed = guess,
                      .threads = hrr_threads(options->threads)};
    if (edges->rows != features->rows)
        return hrr_fail(err, HRR_EINVAL,
                        "there are features for %" PRIu64 " nodes, but edges for %" PRIu64,
                        features->rows, edges->rows);
    if (features->cols == 0 || options->widest < 1)
        return hrr_fail(err, HRR_EINVAL, "there are no features to guess");
    status = hrr_check_finite(features, "features", err);
    if (!status) status = prepare(&g, &made, features, targets, err);
    if (!status) status = hrr_guess_judge(&made.mean, &g, g.mean, 0, err);
    if (!status) status = propagate(&made.propagation, &g, progress, err);
    if (!status) status = hrr_guess_regress(&made.regression, &made.ridge, &g, progress, err);
    if (!status) *out = made;
    hrr_dense_clear(&g.x);
    hrr_free(g.target);
    hrr_free(g.mean);
    return status;
}
