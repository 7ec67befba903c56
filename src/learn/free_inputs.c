/* free_inputs.c: see free_inputs.h.
 *
 * With N_i the labels of a node's neighbours, summed, and d_i their number, what is two steps away
 * is the mean over neighbours j of what their neighbours are, the node itself apart:
 *
 *     T_i = sum over j of (N_j - Y_i) / d_j
 *
 * N holds whole numbers, so that the difference is exact: not even a rounding error tells Y_i.
 * Spreading cannot be undone like this. It is done once for each fifth of the training nodes, from
 * the labels of the others, and once from all of them for everybody else. */
#include "learn/free_inputs.h"
#include "base/memory.h"
#include "random/fast.h"

#include <math.h>
#include <string.h>

enum { n_scalars = 4, n_kinds = 4, n_folds = 5 };
static const double smoothing = 1; /* as much label as one node, even, in every share */

typedef struct maker {
    hrr_label_spread spread;
    int threads;
    hrr_targets targets;
    hrr_csr adjacency;
    uint8_t *train; /* n: whose labels are known */
    float *around;  /* n x (C + 1): labels of neighbours; the last: how many have some */
    hrr_dense *out;
} maker;

static uint32_t n_classes_of(const maker *self)
{
    return self->targets.n_classes;
}

static float *row_of(const maker *self, uint64_t i)
{
    return (float *)self->out->data + i * self->out->cols;
}

static uint64_t degree_of(const maker *self, uint64_t i)
{
    return self->adjacency.row_start[i + 1] - self->adjacency.row_start[i];
}

/* What node k adds to the sum of label c; c = C: that it has labels. */
static float label_of(const maker *self, uint64_t k, uint32_t c)
{
    return self->train[k] && (c == n_classes_of(self) || hrr_target_has(&self->targets, k, c));
}

/* ---- one and two steps away ------------------------------------------------------------------ */

static void sum_neighbours(maker *self)
{
    const uint64_t cols = (uint64_t)n_classes_of(self) + 1;
    const hrr_csr *a = &self->adjacency;
#pragma omp parallel for schedule(static) num_threads(hrr_threads(self->threads))
    for (uint64_t i = 0; i < a->rows; i++)
        for (uint64_t e = a->row_start[i]; e < a->row_start[i + 1]; e++)
            for (uint32_t c = 0; self->train[a->col[e]] && c < cols; c++)
                self->around[i * cols + c] += label_of(self, a->col[e], c);
}

/* The share of a label among n of them, of which `count` have it. */
static float share(double count, double n, uint32_t n_classes, bool one_class)
{
    return (float)((count + smoothing / (one_class ? n_classes : 2)) / (n + smoothing));
}

static void write_row(maker *self, uint64_t i)
{
    const uint32_t n_classes = n_classes_of(self);
    const uint64_t cols = (uint64_t)n_classes + 1;
    const hrr_csr *a = &self->adjacency;
    const bool one_class = self->targets.classes != NULL;
    const float *near = self->around + i * cols;
    float *const row = row_of(self, i), *const labels = row + n_scalars;
    float *const count = labels, *const one = count + n_classes, *const two = one + n_classes;
    double degrees = 0, seen = 0;
    for (uint64_t e = a->row_start[i]; e < a->row_start[i + 1]; e++) {
        const uint64_t j = a->col[e];
        const float *const its = self->around + j * cols;
        const float degree = (float)degree_of(self, j);
        degrees += (double)degree;
        seen += (double)((its[n_classes] - label_of(self, i, n_classes)) / degree);
        for (uint32_t c = 0; c < n_classes; c++)
            two[c] += (its[c] - label_of(self, i, c)) / degree;
    }
    const double degree = (double)degree_of(self, i);
    row[0] = (float)log1p(degree);
    row[1] = (float)log1p(degrees / fmax(degree, 1));
    row[2] = (float)log1p((double)near[n_classes]);
    row[3] = (float)log1p(seen);
    for (uint32_t c = 0; c < n_classes; c++) {
        count[c] = (float)log1p((double)near[c]);
        one[c] = share((double)near[c], (double)near[n_classes], n_classes, one_class);
        two[c] = share((double)two[c], seen, n_classes, one_class);
    }
}

static hrr_status look_around(maker *self, hrr_progress *progress, hrr_error *err)
{
    self->around =
        hrr_alloc_zero(self->targets.n * sizeof *self->around, (size_t)n_classes_of(self) + 1);
    if (!self->around) return hrr_no_memory(err);
    sum_neighbours(self);
#pragma omp parallel for schedule(dynamic, 256) num_threads(hrr_threads(self->threads))
    for (uint64_t i = 0; i < self->targets.n; i++)
        if (!hrr_progress_cancelled(progress)) write_row(self, i);
    return hrr_progress_advance(progress, 0, err);
}

/* ---- labels that are spread ------------------------------------------------------------------ */

/* By its number and nothing else; numbers may follow the order of labels in a file. */
static uint32_t fold_of(uint64_t i)
{
    hrr_fast_random random;
    hrr_fast_init(&random, i, UINT64_C(0x666f6c64));
    return (uint32_t)hrr_fast_below(&random, n_folds);
}

/* The scores of nodes of a fold, from the labels of all others; n_folds: of nodes without one. */
static hrr_status spread_fold(maker *self, uint32_t fold, const hrr_aggregator *edges, uint8_t *use,
                              double *frequency, hrr_progress *progress, hrr_error *err)
{
    const uint32_t n_classes = n_classes_of(self);
    const uint64_t n = self->targets.n;
    const hrr_label_spread how = self->spread;
    const int threads = self->threads;
    hrr_dense labels = {0}, scores = {0};
    for (uint64_t i = 0; i < n; i++)
        use[i] = self->train[i] && fold_of(i) != fold;
    hrr_label_frequencies(frequency, &self->targets, use);
    hrr_status status =
        hrr_spread_labels(&labels, edges, &self->targets, use, how, threads, progress, err);
    if (!status) status = hrr_dense_init(&scores, HRR_F32, n, n_classes, err);
    if (!status)
        hrr_spread_scores(&scores, &labels, frequency, how.prior, self->targets.classes != NULL,
                          threads);
    for (uint64_t i = 0; i < n && !status; i++)
        if (self->train[i] ? fold_of(i) == fold : fold == n_folds)
            memcpy(row_of(self, i) + n_scalars + (n_kinds - 1) * (uint64_t)n_classes,
                   (float *)scores.data + i * n_classes, n_classes * sizeof(float));
    hrr_dense_clear(&labels);
    hrr_dense_clear(&scores);
    return status;
}

static hrr_status spread_all(maker *self, const hrr_aggregator *edges, hrr_progress *progress,
                             hrr_error *err)
{
    uint8_t *use = hrr_alloc(self->targets.n, 1);
    double *frequency = hrr_alloc(n_classes_of(self), sizeof *frequency);
    hrr_status status = use && frequency ? HRR_OK : hrr_no_memory(err);
    hrr_progress_begin(progress, "spreading labels", (n_folds + 1) * (uint64_t)self->spread.steps);
    for (uint32_t fold = 0; fold <= n_folds && !status; fold++)
        status = spread_fold(self, fold, edges, use, frequency, progress, err);
    hrr_free(use);
    hrr_free(frequency);
    return status;
}

/* ---- together -------------------------------------------------------------------------------- */

hrr_status hrr_free_inputs(hrr_dense *out, const hrr_graph *graph, hrr_label_spread spread,
                           int threads, hrr_progress *progress, hrr_error *err)
{
    maker self = {
        .targets = hrr_targets_of(graph), .spread = spread, .threads = threads, .out = out};
    const uint64_t n = self.targets.n;
    hrr_adjacency_options pattern;
    hrr_aggregator edges = {0};
    hrr_adjacency_options_init(&pattern);
    *out = (hrr_dense){0};
    self.train = hrr_alloc(n, 1);
    hrr_status status = self.train ? HRR_OK : hrr_no_memory(err);
    if (!status)
        status = hrr_dense_init(out, HRR_F32, n,
                                n_scalars + n_kinds * (uint64_t)n_classes_of(&self), err);
    if (!status) status = hrr_graph_adjacency(&self.adjacency, graph, &pattern, err);
    if (!status)
        status =
            hrr_aggregator_init(&edges, graph, HRR_NORMALISE_SYMMETRIC, HRR_DIAGONAL_LONELY, err);
    for (uint64_t i = 0; i < n && !status; i++)
        self.train[i] = hrr_target_counts(&self.targets, i, HRR_TRAIN);
    if (!status) status = look_around(&self, progress, err);
    if (!status) status = spread_all(&self, &edges, progress, err);
    if (status) hrr_dense_clear(out);
    hrr_aggregator_clear(&edges);
    hrr_csr_clear(&self.adjacency);
    hrr_free(self.around);
    hrr_free(self.train);
    return status;
}
