/* attributes.c: features of nodes guessed from those of others and the edges between them.
 *
 *   mean         what everybody could say without the graph
 *   propagation  unknown nodes begin with the mean and take the mean of their neighbours, known
 * ones keep what they have, a few times over (feature propagation, Rossi et al. 2022) regression
 * own features on the mean of known neighbours', by ridge regression on the nodes whose own
 * features are known. A node's input holds nothing of itself, so that what is learnt on known nodes
 * holds for others.
 *
 * Wide features are projected at random first (Johnson and Lindenstrauss): the regression needs
 * directions in which neighbours differ, not every column. */
#include "base/memory.h"
#include "learn/cholesky.h"
#include "learn/head.h"
#include "learn/model.h"

#include <heterorr/attack.h>
#include <heterorr/random.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

void hrr_attribute_options_init(hrr_attribute_options *options)
{
    *options = (hrr_attribute_options){.steps = 4, .widest = 256, .seed = 1};
}

/* What the adversary has, and who is guessed. */
typedef struct guessing {
    hrr_dense x; /* n x d, F32 */
    const hrr_csr *edges;
    const uint8_t *known;
    uint32_t *target; /* n_targets */
    uint64_t n_targets;
    float *mean; /* of known nodes, d */
    const hrr_attribute_options *options;
    int threads;
} guessing;

/* ---- quality --------------------------------------------------------------------------------- */

static bool is_binary(const hrr_dense *x)
{
    for (uint64_t i = 0; i < x->rows * x->cols; i++) {
        const float value = ((const float *)x->data)[i];
        if (value != 0 && value != 1) return false;
    }
    return true;
}

/* Mean over columns of how well guesses rank those who have the feature. */
static hrr_status column_auc(double *out, const guessing *g, const float *guess, uint64_t stride,
                             hrr_error *err)
{
    const uint64_t d = g->x.cols, n = g->n_targets;
    float *score = hrr_alloc(n, sizeof *score);
    uint8_t *has = hrr_alloc(n, sizeof *has);
    hrr_status status = score && has ? HRR_OK : hrr_no_memory(err);
    double sum = 0;
    uint64_t count = 0;
    for (uint64_t k = 0; k < d && !status; k++) {
        double auc, precision;
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

/* guess: rows of d numbers, `stride` apart (0: the same row for everybody). */
static hrr_status judge(hrr_attribute_quality *out, const guessing *g, const float *guess,
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
    return is_binary(&g->x) ? column_auc(&out->auc, g, guess, stride, err) : HRR_OK;
}

/* ---- propagation ----------------------------------------------------------------------------- */

/* row = mean of the rows of a node's neighbours, known ones only if asked; without any,
 * `otherwise`.
 */
static void neighbours_mean(float *row, const guessing *g, const float *from, uint32_t node,
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

static hrr_status propagate(hrr_attribute_quality *out, const guessing *g, hrr_progress *progress,
                            hrr_error *err)
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
                neighbours_mean(row, g, now.data, (uint32_t)v, false, g->mean);
        }
        const hrr_dense swapped = now;
        now = next;
        next = swapped;
        if ((status = hrr_progress_advance(progress, 1, err))) goto done;
    }
    for (uint64_t i = 0; i < g->n_targets; i++) /* downwards: targets ascend */
        memmove((float *)now.data + i * d, (float *)now.data + g->target[i] * d, d * sizeof(float));
    status = judge(out, g, now.data, d, err);
done:
    hrr_dense_clear(&now);
    hrr_dense_clear(&next);
    return status;
}

/* ---- regression ------------------------------------------------------------------------------ */

enum { n_ridges = 6 };

/* Nodes with known features, a fifth of them apart to choose the ridge by. */
typedef struct regression {
    const guessing *g;
    uint64_t r;        /* inputs */
    float *projection; /* d x r; NULL: none */
    float *input;      /* r numbers for each node of `node`, whose neighbours they are about */
    uint32_t *node;    /* fitted ones, held-out ones, targets */
    uint64_t n_fit, n_held;
    double *gram, *cross, *factor; /* r x r, r x d, r x r */
    float *weights, *guess;        /* r x d, rows x d */
} regression;

static void regression_clear(regression *s)
{
    hrr_free(s->projection);
    hrr_free(s->input);
    hrr_free(s->node);
    hrr_free(s->gram);
    hrr_free(s->cross);
    hrr_free(s->factor);
    hrr_free(s->weights);
    hrr_free(s->guess);
}

static void deal_nodes(regression *s, hrr_fast_random *random)
{
    const guessing *g = s->g;
    uint64_t n = 0;
    for (uint64_t v = 0; v < g->x.rows; v++)
        if (g->known[v]) s->node[n++] = (uint32_t)v;
    for (uint64_t i = n; i > 1; i--) {
        const uint64_t j = hrr_fast_below(random, i);
        const uint32_t kept = s->node[i - 1];
        s->node[i - 1] = s->node[j];
        s->node[j] = kept;
    }
    s->n_held = n / 5;
    s->n_fit = n - s->n_held;
    memcpy(s->node + n, g->target, g->n_targets * sizeof *s->node);
}

static hrr_status regression_init(regression *s, const guessing *g, hrr_error *err)
{
    const uint64_t d = g->x.cols;
    hrr_fast_random random;
    hrr_fast_init(&random, g->options->seed, UINT64_C(0x7269646765));
    *s = (regression){.g = g, .r = d < g->options->widest ? d : g->options->widest};
    if (!(s->node = hrr_alloc(g->x.rows, sizeof *s->node))) return hrr_no_memory(err);
    deal_nodes(s, &random);
    const uint64_t n_known = s->n_fit + s->n_held, rows = n_known + g->n_targets;
    const uint64_t most = n_known > g->n_targets ? n_known : g->n_targets;
    s->input = hrr_alloc(rows * sizeof *s->input, s->r);
    s->gram = hrr_alloc(s->r * sizeof *s->gram, s->r);
    s->factor = hrr_alloc(s->r * sizeof *s->factor, s->r);
    s->cross = hrr_alloc(s->r * sizeof *s->cross, d);
    s->weights = hrr_alloc(s->r * sizeof *s->weights, d);
    s->guess = hrr_alloc(most * sizeof *s->guess, d);
    if (s->r < d) s->projection = hrr_alloc(s->r * sizeof *s->projection, d);
    if (!s->input || !s->gram || !s->factor || !s->cross || !s->weights || !s->guess ||
        (s->r < d && !s->projection))
        return hrr_no_memory(err);
    for (uint64_t i = 0; s->projection && i < d * s->r; i++)
        s->projection[i] = (float)(hrr_fast_normal(&random) / sqrt((double)d));
    return HRR_OK;
}

/* Neighbours' means, about the mean of all, in blocks that become r wide. */
static hrr_status make_inputs(regression *s, hrr_progress *progress, hrr_error *err)
{
    enum { block = 256 };
    const guessing *g = s->g;
    const uint64_t d = g->x.cols, rows = s->n_fit + s->n_held + g->n_targets;
    float *wide = hrr_alloc(block * sizeof *wide, d);
    if (!wide) return hrr_no_memory(err);
    hrr_status status = HRR_OK;
    hrr_progress_begin(progress, "reading neighbours", rows);
    for (uint64_t at = 0; at < rows && !status; at += block) {
        const uint64_t count = rows - at < block ? rows - at : block;
#pragma omp parallel for schedule(dynamic, 16) num_threads(g->threads)
        for (uint64_t i = 0; i < count; i++) {
            float *row = wide + i * d;
            neighbours_mean(row, g, g->x.data, s->node[at + i], true, g->mean);
            for (uint64_t k = 0; k < d; k++)
                row[k] -= g->mean[k];
        }
        hrr_dense to = hrr_f32_view(s->input + at * s->r, count, s->r);
        if (s->projection) {
            const hrr_dense from = hrr_f32_view(wide, count, d);
            const hrr_dense by = hrr_f32_view(s->projection, d, s->r);
            hrr_gemm(&to, &from, false, &by, false, 1, 0);
        } else {
            memcpy(to.data, wide, count * d * sizeof *wide);
        }
        status = hrr_progress_advance(progress, count, err);
    }
    hrr_free(wide);
    return status;
}

/* gram = G^T G, cross = G^T (X - mean), over the first n nodes; in doubles. */
static void normal_equations(regression *s, uint64_t n)
{
    const uint64_t d = s->g->x.cols, r = s->r;
    memset(s->gram, 0, r * r * sizeof *s->gram);
    memset(s->cross, 0, r * d * sizeof *s->cross);
#pragma omp parallel for schedule(static) num_threads(s->g->threads)
    for (uint64_t a = 0; a < r; a++)
        for (uint64_t i = 0; i < n; i++) {
            const float *in = s->input + i * r;
            const double value = (double)in[a];
            if (value == 0) continue;
            const float *x = (const float *)s->g->x.data + s->node[i] * d;
            for (uint64_t b = 0; b < r; b++)
                s->gram[a * r + b] += value * (double)in[b];
            for (uint64_t k = 0; k < d; k++)
                s->cross[a * d + k] += value * (double)(x[k] - s->g->mean[k]);
        }
}

/* weights = (gram + ridge I)^-1 cross */
static bool solve(regression *s, double ridge, hrr_error *err, hrr_status *status)
{
    const uint64_t d = s->g->x.cols, r = s->r;
    memcpy(s->factor, s->gram, r * r * sizeof *s->factor);
    for (uint64_t a = 0; a < r; a++)
        s->factor[a * r + a] += ridge;
    if (!hrr_cholesky_factor(s->factor, r)) return false;
    double *column = hrr_alloc(r, sizeof *column);
    if (!column) {
        *status = hrr_no_memory(err);
        return false;
    }
    for (uint64_t k = 0; k < d; k++) {
        for (uint64_t a = 0; a < r; a++)
            column[a] = s->cross[a * d + k];
        hrr_cholesky_solve(column, s->factor, r);
        for (uint64_t a = 0; a < r; a++)
            s->weights[a * d + k] = (float)column[a];
    }
    hrr_free(column);
    return true;
}

/* guess = mean + G weights, for nodes first .. first + count */
static void guess_rows(regression *s, uint64_t first, uint64_t count)
{
    const uint64_t d = s->g->x.cols;
    for (uint64_t i = 0; i < count; i++)
        memcpy(s->guess + i * d, s->g->mean, d * sizeof *s->guess);
    const hrr_dense in = hrr_f32_view(s->input + first * s->r, count, s->r);
    const hrr_dense by = hrr_f32_view(s->weights, s->r, d);
    hrr_dense to = hrr_f32_view(s->guess, count, d);
    if (count) hrr_gemm(&to, &in, false, &by, false, 1, 1);
}

static double held_out_error(regression *s)
{
    const uint64_t d = s->g->x.cols;
    double error = 0;
    guess_rows(s, s->n_fit, s->n_held);
    for (uint64_t i = 0; i < s->n_held; i++) {
        const float *x = (const float *)s->g->x.data + s->node[s->n_fit + i] * d;
        for (uint64_t k = 0; k < d; k++)
            error += pow((double)(x[k] - s->guess[i * d + k]), 2);
    }
    return error;
}

static hrr_status regress(hrr_attribute_quality *out, double *ridge, const guessing *g,
                          hrr_progress *progress, hrr_error *err)
{
    static const double ridges[n_ridges] = {1e-3, 1e-2, 1e-1, 1, 10, 100};
    regression s;
    double best = INFINITY, scale = 0;
    hrr_status status = regression_init(&s, g, err);
    if (status) goto done;
    if ((status = make_inputs(&s, progress, err))) goto done;
    normal_equations(&s, s.n_fit);
    for (uint64_t a = 0; a < s.r; a++)
        scale += s.gram[a * s.r + a] / (double)s.r;
    if (scale == 0) scale = 1; /* nobody has a known neighbour: the guess is the mean */
    *ridge = ridges[n_ridges - 1] * scale;
    for (int i = 0; i < n_ridges && s.n_held; i++) {
        if (!solve(&s, ridges[i] * scale, err, &status)) {
            if (status) goto done;
            continue;
        }
        const double error = held_out_error(&s);
        if (error < best) best = error, *ridge = ridges[i] * scale;
        if ((status = hrr_progress_advance(progress, 0, err))) goto done;
    }
    normal_equations(&s, s.n_fit + s.n_held);
    if (!solve(&s, *ridge, err, &status)) {
        if (!status) status = hrr_fail(err, HRR_EDATA, "the regression has no solution");
        goto done;
    }
    guess_rows(&s, s.n_fit + s.n_held, g->n_targets);
    status = judge(out, g, s.guess, g->x.cols, err);
done:
    regression_clear(&s);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static hrr_status prepare(guessing *g, hrr_attribute_result *out, const hrr_dense *features,
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
        return hrr_fail(err, HRR_EDATA,
                        "%s: the adversary needs some nodes whose features are known and others "
                        "to guess",
                        out->n_known ? "there is nobody to guess" : "nobody's features are known");
    return HRR_OK;
}

hrr_status hrr_attributes_infer(hrr_attribute_result *out, const hrr_dense *features,
                                const hrr_csr *edges, const uint8_t *known, const uint8_t *targets,
                                const hrr_attribute_options *options, hrr_progress *progress,
                                hrr_error *err)
{
    guessing g = {.edges = edges,
                  .known = known,
                  .options = options,
                  .threads = hrr_threads(options->threads)};
    hrr_attribute_result made = {0};
    *out = made;
    if (edges->rows != features->rows)
        return hrr_fail(err, HRR_EINVAL,
                        "there are features of %" PRIu64 " nodes and edges of %" PRIu64,
                        features->rows, edges->rows);
    if (features->cols == 0 || options->widest < 1)
        return hrr_fail(err, HRR_EINVAL, "there are no features to guess");
    hrr_status status = hrr_check_finite(features, "features", err);
    if (!status) status = prepare(&g, &made, features, targets, err);
    if (!status) status = judge(&made.mean, &g, g.mean, 0, err);
    if (!status) status = propagate(&made.propagation, &g, progress, err);
    if (!status) status = regress(&made.regression, &made.ridge, &g, progress, err);
    if (!status) *out = made;
    hrr_dense_clear(&g.x);
    hrr_free(g.target);
    hrr_free(g.mean);
    return status;
}
