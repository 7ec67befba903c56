/* fusion_likelihood.c: see fusion_likelihood.h.
 *
 * With z = sum over terms t of w_t x_t, one class a node, and labels that randomised response
 * released (forward correction: Patrini et al., CVPR 2017; stay = 1 and stray = 0 without it):
 *
 *     p = softmax(z),   q = stray + (stay - stray) p,   score = ln q[released class]
 *     gradient  = k[y] d[y],   d[c] = x[c] - mean of x under p,   k = (stay - stray) p / q
 *     curvature = sum over c of q[c] k[c]^2 d[c] d[c]^T
 *
 * The curvature is Fisher's information. Without randomised response it is minus the second
 * derivative and the problem is concave; with it, it still is no less than 0, so that a step along
 * it leads up. Several labels a node are as many problems of two classes with scores z and 0. */
#include "learn/fusion_likelihood.h"

#include <math.h>

static bool takes(const hrr_fusion_rows *rows, const hrr_fusion_row *row)
{
    return rows->which == HRR_FOLDS_ALL ||
           (row->fold == rows->fold) == (rows->which == HRR_FOLDS_ONLY);
}

static double score_of(const hrr_fusion_problem *p, const double *weight, uint64_t at)
{
    double z = 0;
    for (uint32_t t = 0; t < p->n_terms; t++)
        z += weight[t] * (double)p->term[t][at];
    return z;
}

/* gradient += slope d, curvature += information d d^T */
static void add(hrr_fusion_sums *sums, const double *d, uint32_t n, double slope,
                double information)
{
    for (uint32_t s = 0; s < n; s++) {
        sums->gradient[s] += slope * d[s];
        for (uint32_t t = s; t < n; t++)
            sums->curvature[s][t] += information * d[s] * d[t];
    }
}

static void add_class(hrr_fusion_sums *sums, const hrr_fusion_problem *problem, uint64_t node,
                      const double *weight, double *z)
{
    const uint32_t n_classes = problem->targets->n_classes, n_terms = problem->n_terms;
    const uint32_t released = (uint32_t)problem->targets->classes[node];
    const uint64_t first = node * n_classes;
    const double shrink = problem->stay - problem->stray;
    double top = -INFINITY, sum = 0, mean[HRR_MOST_TERMS] = {0}, d[HRR_MOST_TERMS];
    for (uint32_t c = 0; c < n_classes; c++)
        top = fmax(top, z[c] = score_of(problem, weight, first + c));
    const double below_top = z[released] - top;
    for (uint32_t c = 0; c < n_classes; c++)
        sum += z[c] = exp(z[c] - top);
    for (uint32_t c = 0; c < n_classes; c++) {
        z[c] /= sum;
        for (uint32_t t = 0; t < n_terms; t++)
            mean[t] += z[c] * (double)problem->term[t][first + c];
    }
    for (uint32_t c = 0; c < n_classes; c++) {
        const double p = z[c], q = problem->stray + shrink * p;
        /* p / q has a limit of 1 where nothing strays and p vanishes */
        const double k = problem->stray > 0 ? shrink * p / q : 1;
        for (uint32_t t = 0; t < n_terms; t++)
            d[t] = (double)problem->term[t][first + c] - mean[t];
        add(sums, d, n_terms, c == released ? k : 0, q * k * k);
    }
    sums->score +=
        problem->stray > 0 ? log(problem->stray + shrink * z[released]) : below_top - log(sum);
}

static void add_labels(hrr_fusion_sums *sums, const hrr_fusion_problem *problem, uint64_t node,
                       const double *weight)
{
    const uint32_t n_labels = problem->targets->n_classes, n_terms = problem->n_terms;
    const double stray = problem->stray, shrink = problem->stay - stray;
    double x[HRR_MOST_TERMS];
    for (uint64_t k = node * n_labels; k < (node + 1) * n_labels; k++) {
        const double sign = problem->targets->labels[k] ? 1 : -1;
        const double z = score_of(problem, weight, k), e = exp(-fabs(z));
        const double p =
            (z * sign > 0 ? 1 : e) / (1 + e); /* that the label is as it was released */
        const double q = stray + shrink * p, slope = shrink * e / ((1 + e) * (1 + e));
        for (uint32_t t = 0; t < n_terms; t++)
            x[t] = (double)problem->term[t][k];
        if (stray > 0) {
            add(sums, x, n_terms, sign * slope / q, slope * slope / (q * (1 - q)));
            sums->score += log(q);
        } else {
            add(sums, x, n_terms, sign * (1 - p), slope);
            sums->score -= fmax(-z * sign, 0) + log1p(e);
        }
    }
}

static void add_piece(hrr_fusion_sums *sums, const hrr_fusion_problem *problem,
                      const double *weight, const hrr_fusion_rows *rows, uint64_t piece)
{
    const uint64_t first = problem->n_rows * piece / HRR_FUSION_PIECES;
    const uint64_t last = problem->n_rows * (piece + 1) / HRR_FUSION_PIECES;
    *sums = (hrr_fusion_sums){0};
    for (uint64_t k = first; k < last; k++) {
        const hrr_fusion_row *row = &problem->rows[k];
        if (!takes(rows, row)) continue;
        if (problem->targets->classes)
            add_class(sums, problem, row->node, weight,
                      problem->space + piece * problem->targets->n_classes);
        else
            add_labels(sums, problem, row->node, weight);
    }
}

void hrr_fusion_likelihood(hrr_fusion_sums *out, const hrr_fusion_problem *problem,
                           const double *weight, hrr_fusion_rows rows)
{
    hrr_fusion_sums pieces[HRR_FUSION_PIECES];
#pragma omp parallel for schedule(dynamic) num_threads(problem->threads)
    for (uint64_t piece = 0; piece < HRR_FUSION_PIECES; piece++)
        add_piece(&pieces[piece], problem, weight, &rows, piece);
    *out = (hrr_fusion_sums){0};
    for (int piece = 0; piece < HRR_FUSION_PIECES; piece++) {
        out->score += pieces[piece].score;
        for (uint32_t s = 0; s < problem->n_terms; s++) {
            out->gradient[s] += pieces[piece].gradient[s];
            for (uint32_t t = s; t < problem->n_terms; t++)
                out->curvature[s][t] += pieces[piece].curvature[s][t];
        }
    }
}
