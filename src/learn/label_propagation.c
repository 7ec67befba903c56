/* label_propagation.c: see label_propagation.h. After Zhou et al. (NIPS 2003):
 *
 *     F_0 = Y,   F_{k+1} = alpha S F_k + (1 - alpha) Y,   S = D^-1/2 A D^-1/2
 *
 * Y has a row for every training node: its labels, and a 1 behind them that says that there are
 * some. What the 1 becomes is how much label reached a node, so that
 *
 *     P(label c) = (F_c + prior f_c) / (F_last + prior),   f_c its share of the training nodes
 *
 * goes from how frequent a label is, where none came near, to the weighted mean of those that did;
 * several labels a node are as good as one class. */
#include "learn/label_propagation.h"
#include "learn/cross_entropy.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

static const double alphas[] = {0.5, 0.8, 0.95};
static const uint32_t stops[] = {1, 2, 4, 8, 16, 32};
static const double priors[] = {0.003, 0.01, 0.03, 0.1, 0.3};
static const hrr_label_spread usual = {.alpha = 0.8, .steps = 16, .prior = 0.03};

enum {
    n_alphas = sizeof alphas / sizeof *alphas,
    n_stops = sizeof stops / sizeof *stops,
    n_priors = sizeof priors / sizeof *priors,
    rows_per_piece = 256
};

/* ---- spreading ------------------------------------------------------------------------------- */

typedef struct spreader {
    const hrr_aggregator *edges;
    const hrr_targets *targets;
    const uint8_t *use;
    hrr_dense f, next; /* n x (C + 1); the second is room */
    float *space;
    int threads;
} spreader;

static void spreader_clear(spreader *s)
{
    hrr_dense_clear(&s->f);
    hrr_dense_clear(&s->next);
    hrr_free(s->space);
}

static hrr_status spreader_init(spreader *s, hrr_error *err)
{
    const uint64_t cols = (uint64_t)s->targets->n_classes + 1;
    if (!(s->space = hrr_alloc(hrr_spmm_rows_space(cols, s->threads), sizeof *s->space)))
        return hrr_no_memory(err);
    hrr_status status = hrr_dense_init(&s->f, HRR_F32, s->targets->n, cols, err);
    return status ? status : hrr_dense_init(&s->next, HRR_F32, s->targets->n, cols, err);
}

/* F = scale F + own Y */
static void mix(spreader *s, float scale, float own)
{
    const uint32_t n_classes = s->targets->n_classes;
    for (uint64_t i = 0; i < s->targets->n; i++) {
        float *const row = (float *)s->f.data + i * s->f.cols;
        for (uint32_t c = 0; c <= n_classes; c++)
            row[c] *= scale;
        for (uint32_t c = 0; s->use[i] && c < n_classes; c++)
            row[c] += own * (float)hrr_target_has(s->targets, i, c);
        row[n_classes] += s->use[i] ? own : 0;
    }
}

static void spread_once(spreader *s, double alpha, const hrr_progress *progress)
{
    hrr_aggregate(hrr_keep_rows, &s->next, s->edges, false, &s->f, s->space, s->threads, progress);
    const hrr_dense swapped = s->f;
    s->f = s->next;
    s->next = swapped;
    mix(s, (float)alpha, (float)(1 - alpha));
}

hrr_status hrr_spread_labels(hrr_dense *out, const hrr_aggregator *edges,
                             const hrr_targets *targets, const uint8_t *use,
                             hrr_label_spread spread, int threads, hrr_progress *progress,
                             hrr_error *err)
{
    spreader s = {.edges = edges, .targets = targets, .use = use, .threads = threads};
    *out = (hrr_dense){0};
    hrr_status status = spreader_init(&s, err);
    if (!status) mix(&s, 0, 1);
    for (uint32_t k = 0; k < spread.steps && !status; k++) {
        spread_once(&s, spread.alpha, progress);
        status = hrr_progress_advance(progress, 1, err);
    }
    if (!status) {
        *out = s.f;
        s.f = (hrr_dense){0};
    }
    spreader_clear(&s);
    return status;
}

/* ---- scores ---------------------------------------------------------------------------------- */

void hrr_label_frequencies(double *frequency, const hrr_targets *targets, const uint8_t *use)
{
    const uint32_t n_classes = targets->n_classes;
    double n = 0.5 * (targets->classes ? n_classes : 2); /* what a label could be instead */
    for (uint32_t c = 0; c < n_classes; c++)
        frequency[c] = 0.5;
    for (uint64_t i = 0; i < targets->n; i++) {
        n += use[i];
        for (uint32_t c = 0; use[i] && c < n_classes; c++)
            frequency[c] += hrr_target_has(targets, i, c);
    }
    for (uint32_t c = 0; c < n_classes; c++)
        frequency[c] /= n;
}

void hrr_spread_scores(hrr_dense *scores, const hrr_dense *labels, const double *frequency,
                       double prior, bool one_class, int threads)
{
    const uint64_t n_classes = scores->cols;
    const int64_t n_pieces = (int64_t)((scores->rows + rows_per_piece - 1) / rows_per_piece);
    threads = hrr_threads(threads);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t piece = 0; piece < n_pieces; piece++) {
        const uint64_t first = (uint64_t)piece * rows_per_piece;
        const uint64_t behind = first + rows_per_piece;
        for (uint64_t i = first; i < scores->rows && i < behind; i++) {
            const float *const f = (const float *)labels->data + i * labels->cols;
            float *const row = (float *)scores->data + i * n_classes;
            const double all = (double)f[n_classes];
            for (uint64_t c = 0; c < n_classes; c++) {
                const double with = (double)f[c] + prior * frequency[c];
                /* rounding may make a label as heavy as all of them together */
                const double without = fmax(all - (double)f[c], 0) + prior * (1 - frequency[c]);
                row[c] = (float)log(with / (one_class ? all + prior : without));
            }
        }
    }
}

/* ---- choosing -------------------------------------------------------------------------------- */

typedef struct search {
    const hrr_targets *targets;
    uint64_t n_valid;
    double *frequency;
    hrr_dense trial, *best; /* n x C */
    hrr_label_spread chosen;
    double loss;
    int threads;
} search;

/* Every prior for what has been spread so far. */
static void try_priors(search *self, const hrr_dense *f, double alpha, uint32_t steps)
{
    for (int k = 0; k < n_priors; k++) {
        hrr_spread_scores(&self->trial, f, self->frequency, priors[k],
                          self->targets->classes != NULL, self->threads);
        const double loss = hrr_cross_entropy(self->trial.data, self->targets, HRR_VALID,
                                              self->n_valid, false, self->threads);
        if (!(loss < self->loss)) continue;
        self->loss = loss;
        self->chosen = (hrr_label_spread){alpha, steps, priors[k]};
        const hrr_dense kept = *self->best;
        *self->best = self->trial;
        self->trial = kept;
    }
}

static hrr_status try_all(search *self, const hrr_aggregator *edges, const uint8_t *use,
                          hrr_progress *progress, hrr_error *err)
{
    spreader s = {.edges = edges, .targets = self->targets, .use = use, .threads = self->threads};
    hrr_status status = spreader_init(&s, err);
    if (!status) status = hrr_dense_init(&self->trial, HRR_F32, s.f.rows, s.f.cols - 1, err);
    self->loss = INFINITY;
    for (int a = 0; a < n_alphas && !status; a++) {
        int stop = 0;
        mix(&s, 0, 1);
        for (uint32_t k = 1; stop < n_stops && !status; k++) {
            spread_once(&s, alphas[a], progress);
            status = hrr_progress_advance(progress, 1, err);
            if (k != stops[stop]) continue;
            try_priors(self, &s.f, alphas[a], k);
            stop++;
        }
    }
    spreader_clear(&s);
    hrr_dense_clear(&self->trial);
    return status;
}

/* Nobody to choose by. */
static hrr_status take_usual(search *self, const hrr_aggregator *edges, const uint8_t *use,
                             hrr_progress *progress, hrr_error *err)
{
    hrr_dense f;
    self->chosen = usual;
    hrr_status status =
        hrr_spread_labels(&f, edges, self->targets, use, usual, self->threads, progress, err);
    if (status) return status;
    hrr_spread_scores(self->best, &f, self->frequency, usual.prior, self->targets->classes != NULL,
                      self->threads);
    hrr_dense_clear(&f);
    return HRR_OK;
}

hrr_status hrr_label_propagation(hrr_dense *scores, hrr_label_spread *chosen,
                                 const hrr_graph *graph, int threads, hrr_progress *progress,
                                 hrr_error *err)
{
    const hrr_targets targets = hrr_targets_of(graph);
    hrr_aggregator edges = {0};
    uint8_t *use = hrr_alloc(targets.n, 1);
    search self = {.targets = &targets,
                   .n_valid = hrr_count_targets(&targets, HRR_VALID),
                   .frequency = hrr_alloc(targets.n_classes, sizeof *self.frequency),
                   .best = scores,
                   .threads = threads};
    *scores = (hrr_dense){0};
    hrr_status status = use && self.frequency ? HRR_OK : hrr_no_memory(err);
    if (!status && !hrr_count_targets(&targets, HRR_TRAIN))
        status = hrr_fail(err, HRR_EDATA, "no training node has a label");
    if (!status)
        status =
            hrr_aggregator_init(&edges, graph, HRR_NORMALISE_SYMMETRIC, HRR_DIAGONAL_LONELY, err);
    if (!status) status = hrr_dense_init(scores, HRR_F32, targets.n, targets.n_classes, err);
    if (status) goto done;
    for (uint64_t i = 0; i < targets.n; i++)
        use[i] = hrr_target_counts(&targets, i, HRR_TRAIN);
    hrr_label_frequencies(self.frequency, &targets, use);
    hrr_progress_begin(progress, "spreading labels",
                       self.n_valid ? n_alphas * stops[n_stops - 1] : usual.steps);
    status = self.n_valid ? try_all(&self, &edges, use, progress, err)
                          : take_usual(&self, &edges, use, progress, err);
    if (chosen) *chosen = self.chosen;
done:
    if (status) hrr_dense_clear(scores);
    hrr_aggregator_clear(&edges);
    hrr_free(self.frequency);
    hrr_free(use);
    return status;
}
