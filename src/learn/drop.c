/* drop.c: see drop.h. After Drop of LPGNN (Sajadmanesh and Gatica-Perez, CCS 2021).
 *
 * A released label says little at a small epsilon, but labels of neighbours are alike. So both
 * sides are propagated K steps over the released edges, S = D^-1/2 A D^-1/2, before they meet. With
 * M keeping the nodes whose labels may be looked at,
 *
 *     p = softmax(logits)                      what the model believes
 *     q = p T = stray + (stay - stray) p       what randomised response makes of it
 *     r = rows of S^K M q, scaled to sum 1     what that looks like after propagation
 *     t = rows of S^K M onehot(y'), scaled     the released labels, smoothed
 *     loss = -mean over training nodes of sum t ln r
 *
 * LPGNN takes the largest of t as the label; here t is a distribution and the same nodes are in
 * both sums, so that t is r on average if p is the truth: the truth minimises the expected loss.
 * For K = 0 this is forward correction (Patrini et al., CVPR 2017). S is symmetric, so that the
 * derivatives go back through S^K as the beliefs went forth. The validation loss is that of q at
 * the released labels, without propagation: an honest sample, if a noisy one.
 *
 * Workload: n x C is small beside the layers; plain loops. */
#include "learn/drop.h"
#include "learn/cross_entropy.h"
#include "learn/model.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

static const float least = 1e-20f; /* a probability that a logarithm can take */

/* x becomes S^K x; `next` is room. */
static void propagate(hrr_drop *drop)
{
    for (uint32_t step = 0; step < drop->steps; step++) {
        hrr_aggregate(hrr_keep_rows, &drop->next, &drop->edges, false, &drop->seen, drop->space,
                      drop->threads, NULL);
        const hrr_dense swapped = drop->seen;
        drop->seen = drop->next;
        drop->next = swapped;
    }
}

static int32_t largest_of(const float *row, uint32_t n)
{
    uint32_t best = 0;
    for (uint32_t c = 1; c < n; c++)
        if (row[c] > row[best]) best = c;
    return (int32_t)best;
}

static bool may_look(const hrr_targets *targets, uint64_t i)
{
    return targets->classes[i] >= 0 && (!targets->split || targets->split[i] != HRR_TEST);
}

/* The rows t; zero where no label is within reach. */
static void smooth_labels(hrr_drop *drop, const hrr_targets *targets)
{
    const uint32_t n_classes = drop->n_classes;
    for (uint64_t i = 0; i < targets->n; i++)
        if (may_look(targets, i))
            ((float *)drop->seen.data)[i * n_classes + (uint32_t)targets->classes[i]] = 1;
    propagate(drop);
    const float *seen = drop->seen.data;
    for (uint64_t i = 0; i < targets->n; i++) {
        float sum = 0;
        for (uint32_t c = 0; c < n_classes; c++)
            sum += seen[i * n_classes + c];
        for (uint32_t c = 0; c < n_classes; c++)
            drop->smoothed[i * n_classes + c] = sum > 0 ? seen[i * n_classes + c] / sum : 0;
    }
}

hrr_status hrr_drop_init(hrr_drop *out, const hrr_graph *graph, const hrr_targets *targets,
                         double eps, uint32_t steps, int threads, hrr_error *err)
{
    const double others = (double)targets->n_classes - 1;
    hrr_drop made = {.n_classes = targets->n_classes,
                     .steps = steps,
                     .stay = (float)(1 / (1 + others * exp(-eps))),
                     .stray = (float)(1 / (exp(eps) + others)),
                     .threads = threads};
    *out = (hrr_drop){0};
    hrr_status status =
        hrr_aggregator_init(&made.edges, graph, HRR_NORMALISE_SYMMETRIC, HRR_DIAGONAL_LONELY, err);
    if (status) goto done;
    if ((status = hrr_dense_init(&made.seen, HRR_F32, targets->n, made.n_classes, err))) goto done;
    if ((status = hrr_dense_init(&made.next, HRR_F32, targets->n, made.n_classes, err))) goto done;
    made.smoothed = hrr_alloc(targets->n * sizeof *made.smoothed, made.n_classes);
    made.space = hrr_alloc(hrr_spmm_rows_space(made.n_classes, threads), sizeof *made.space);
    if (!made.smoothed || !made.space) {
        status = hrr_no_memory(err);
        goto done;
    }
    smooth_labels(&made, targets);
    *out = made;
    made = (hrr_drop){0};
done:
    hrr_drop_clear(&made);
    return status;
}

void hrr_drop_clear(hrr_drop *drop)
{
    hrr_aggregator_clear(&drop->edges);
    hrr_dense_clear(&drop->seen);
    hrr_dense_clear(&drop->next);
    hrr_free(drop->smoothed);
    hrr_free(drop->space);
    *drop = (hrr_drop){0};
}

/* -sum t ln(row / its sum); the row becomes the derivatives times scale. */
static double meet(float *row, const float *t, uint32_t n, float scale)
{
    float sum = 0;
    double loss = 0;
    for (uint32_t c = 0; c < n; c++)
        sum += row[c];
    if (!(sum > 0)) { /* no label within reach: t and row are zero, and there is nothing to learn */
        memset(row, 0, n * sizeof *row);
        return isnan(sum) ? (double)sum : 0;
    }
    for (uint32_t c = 0; c < n; c++) {
        const float r = fmaxf(row[c], least);
        loss -= (double)t[c] * (log((double)r) - log((double)sum));
        row[c] = (1 / sum - t[c] / r) * scale;
    }
    return loss;
}

double hrr_drop_train_loss(hrr_drop *drop, float *logits, const hrr_targets *targets,
                           uint64_t n_part)
{
    const uint32_t n_classes = drop->n_classes;
    const float shrink = drop->stay - drop->stray, scale = (float)(1 / (double)n_part);
    double loss = 0;
    hrr_to_probabilities(logits, targets->n, n_classes, HRR_OUTPUT_SOFTMAX, drop->threads);
    float *seen = drop->seen.data;
    for (uint64_t i = 0; i < targets->n; i++)
        for (uint64_t k = i * n_classes; k < (i + 1) * n_classes; k++)
            seen[k] = may_look(targets, i) ? drop->stray + shrink * logits[k] : 0;
    propagate(drop);
    seen = drop->seen.data;
    for (uint64_t i = 0; i < targets->n; i++) {
        float *const row = seen + i * n_classes;
        if (hrr_target_counts(targets, i, HRR_TRAIN))
            loss += meet(row, drop->smoothed + i * n_classes, n_classes, scale);
        else
            memset(row, 0, n_classes * sizeof *row);
    }
    propagate(drop);
    seen = drop->seen.data;
    for (uint64_t i = 0; i < targets->n; i++) {
        /* dL/dz = p (dL/dp - sum of p dL/dp) */
        float *const p = logits + i * n_classes;
        float mean = 0;
        const float *const slope = seen + i * n_classes;
        const float factor = may_look(targets, i) ? shrink : 0;
        for (uint32_t c = 0; c < n_classes; c++)
            mean += p[c] * factor * slope[c];
        for (uint32_t c = 0; c < n_classes; c++)
            p[c] *= factor * slope[c] - mean;
    }
    return loss / (double)n_part;
}

double hrr_drop_valid_loss(const hrr_drop *drop, const float *logits, const hrr_targets *targets,
                           hrr_split part, uint64_t n_part)
{
    const uint32_t n_classes = drop->n_classes;
    double loss = 0;
    for (uint64_t i = 0; i < targets->n; i++) {
        if (!hrr_target_counts(targets, i, part)) continue;
        const float *const z = logits + i * n_classes;
        const double largest = (double)z[largest_of(z, n_classes)];
        double sum = 0;
        for (uint32_t c = 0; c < n_classes; c++)
            sum += exp((double)z[c] - largest);
        const double p = exp((double)z[targets->classes[i]] - largest) / sum;
        loss -= log((double)drop->stray + (double)(drop->stay - drop->stray) * p);
    }
    return loss / (double)n_part;
}
