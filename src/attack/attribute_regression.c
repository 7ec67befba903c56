/* attribute_regression.c: features guessed by regression: own features on the mean of known
 * neighbours', by ridge regression on the nodes whose own features are known. A node's input holds
 * nothing of itself, so that what is learnt on known nodes holds for others.
 *
 * Wide features are projected at random first (Johnson and Lindenstrauss): the regression needs
 * directions in which neighbours differ, not every column. */
#include "attack/attributes.h"
#include "base/memory.h"
#include "learn/cholesky.h"
#include "learn/head.h"
#include "learn/model.h"
#include "matrix/products.h"
#include "random/fast.h"

#include <heterorr/random.h>

#include <math.h>
#include <string.h>

enum { n_ridges = 6 };

/* Nodes with known features, a fifth of them apart to choose the ridge by. */
typedef struct regression {
    const hrr_guessing *g;
    uint64_t r;        /* inputs */
    float *projection; /* d x r; NULL: none */
    float *input;      /* r numbers for each node of `node`, whose neighbours they are about */
    uint32_t *node;    /* fitted ones, held-out ones, targets */
    uint64_t n_fit, n_held;
    double *gram, *factor, *inverse; /* r x r */
    double *cross, *solution;        /* r x d */
    float *weights, *guess;          /* r x d, rows x d */
} regression;

static void regression_clear(regression *s)
{
    hrr_free(s->projection);
    hrr_free(s->input);
    hrr_free(s->node);
    hrr_free(s->gram);
    hrr_free(s->cross);
    hrr_free(s->factor);
    hrr_free(s->inverse);
    hrr_free(s->solution);
    hrr_free(s->weights);
    hrr_free(s->guess);
}

static void deal_nodes(regression *s, hrr_fast_random *random)
{
    const hrr_guessing *g = s->g;
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

static hrr_status regression_init(regression *s, const hrr_guessing *g, hrr_error *err)
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
    s->inverse = hrr_alloc(s->r * sizeof *s->inverse, s->r);
    s->cross = hrr_alloc(s->r * sizeof *s->cross, d);
    s->solution = hrr_alloc(s->r * sizeof *s->solution, d);
    s->weights = hrr_alloc(s->r * sizeof *s->weights, d);
    s->guess = hrr_alloc(most * sizeof *s->guess, d);
    if (s->r < d) s->projection = hrr_alloc(s->r * sizeof *s->projection, d);
    if (!s->input || !s->gram || !s->factor || !s->inverse || !s->cross || !s->solution ||
        !s->weights || !s->guess || (s->r < d && !s->projection))
        return hrr_no_memory(err);
    for (uint64_t i = 0; s->projection && i < d * s->r; i++)
        s->projection[i] = (float)(hrr_fast_normal(&random) / sqrt((double)d));
    return HRR_OK;
}

/* Neighbours' means, about the mean of all, in blocks that become r wide. */
static hrr_status make_inputs(regression *s, hrr_progress *progress, hrr_error *err)
{
    enum { block = 256 };
    const hrr_guessing *g = s->g;
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
            hrr_neighbours_mean(row, g, g->x.data, s->node[at + i], true, g->mean);
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

/* gram = G^T G, cross = G^T (X - mean), over the first n nodes; in doubles, a block at a time. */
static hrr_status normal_equations(regression *s, uint64_t n, hrr_error *err)
{
    enum { block = 256 };
    const uint64_t d = s->g->x.cols, r = s->r;
    double *in = hrr_alloc(block * sizeof *in, r), *out = hrr_alloc(block * sizeof *out, d);
    hrr_status status = in && out ? HRR_OK : hrr_no_memory(err);
    hrr_dense gram = hrr_f64_view(s->gram, r, r), cross = hrr_f64_view(s->cross, r, d);
    for (uint64_t at = 0; at < n && !status; at += block) {
        const uint64_t count = n - at < block ? n - at : block;
        for (uint64_t i = 0; i < count; i++) {
            const float *x = (const float *)s->g->x.data + s->node[at + i] * d;
            for (uint64_t a = 0; a < r; a++)
                in[i * r + a] = (double)s->input[(at + i) * r + a];
            for (uint64_t k = 0; k < d; k++)
                out[i * d + k] = (double)(x[k] - s->g->mean[k]);
        }
        const hrr_dense g = hrr_f64_view(in, count, r), x = hrr_f64_view(out, count, d);
        hrr_gemm(&gram, &g, true, &g, false, 1, at > 0);
        hrr_gemm(&cross, &g, true, &x, false, 1, at > 0);
    }
    hrr_free(in);
    hrr_free(out);
    return status;
}

/* weights = (gram + ridge I)^-1 cross. False: there is no inverse. The inverse is small beside the
 * columns that it serves. */
static bool solve(regression *s, double ridge)
{
    const uint64_t d = s->g->x.cols, r = s->r;
    memcpy(s->factor, s->gram, r * r * sizeof *s->factor);
    for (uint64_t a = 0; a < r; a++)
        s->factor[a * r + a] += ridge;
    if (!hrr_cholesky_factor(s->factor, r)) return false;
    memset(s->inverse, 0, r * r * sizeof *s->inverse);
#pragma omp parallel for schedule(static) num_threads(s->g->threads)
    for (uint64_t a = 0; a < r; a++) {
        s->inverse[a * r + a] = 1;
        hrr_cholesky_solve(s->inverse + a * r, s->factor, r);
    }
    const hrr_dense inverse = hrr_f64_view(s->inverse, r, r), cross = hrr_f64_view(s->cross, r, d);
    hrr_dense weights = hrr_f64_view(s->solution, r, d);
    hrr_gemm(&weights, &inverse, false, &cross, false, 1, 0);
    for (uint64_t i = 0; i < r * d; i++)
        s->weights[i] = (float)s->solution[i];
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

hrr_status hrr_guess_regress(hrr_attribute_quality *out, double *ridge, const hrr_guessing *g,
                             hrr_progress *progress, hrr_error *err)
{
    static const double ridges[n_ridges] = {1e-3, 1e-2, 1e-1, 1, 10, 100};
    regression s;
    double best = INFINITY, scale = 0;
    hrr_status status = regression_init(&s, g, err);
    if (status) goto done;
    if ((status = make_inputs(&s, progress, err))) goto done;
    if ((status = normal_equations(&s, s.n_fit, err))) goto done;
    for (uint64_t a = 0; a < s.r; a++)
        scale += s.gram[a * s.r + a] / (double)s.r;
    if (scale == 0) scale = 1; /* nobody has a known neighbour: the guess is the mean */
    *ridge = ridges[n_ridges - 1] * scale;
    for (int i = 0; i < n_ridges && s.n_held; i++) {
        if (!solve(&s, ridges[i] * scale)) continue;
        const double error = held_out_error(&s);
        if (error < best) best = error, *ridge = ridges[i] * scale;
        if ((status = hrr_progress_advance(progress, 0, err))) goto done;
    }
    if ((status = normal_equations(&s, s.n_fit + s.n_held, err))) goto done;
    if (!solve(&s, *ridge)) {
        status = hrr_fail(err, HRR_EDATA, "the regression has no solution");
        goto done;
    }
    guess_rows(&s, s.n_fit + s.n_held, g->n_targets);
    status = hrr_guess_judge(out, g, s.guess, g->x.cols, err);
    if (!status && g->regressed) {
        status = hrr_dense_init(g->regressed, HRR_F32, g->n_targets, g->x.cols, err);
        if (!status)
            memcpy(g->regressed->data, s.guess, g->n_targets * g->x.cols * sizeof *s.guess);
    }
done:
    regression_clear(&s);
    return status;
}
