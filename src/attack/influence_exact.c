/* influence_exact.c: LinkTeller's influence as a derivative, exactly.
 *
 * Moving x_v along itself moves one row of Y = X W_0 along y_v = x_v W_0. Up to the first relu all
 * nodes move along the same vector: node w by c_w y_v, c a column of A P^k. From there on
 *
 *     dH_l = active_l o dZ_l,    dZ_{l+1} = A (dH_l W_{l+1})
 *
 * is carried by those nodes alone that v has reached and that the chosen ones will see. A relu
 * network is linear between its kinks: the derivative and the difference over a small step differ
 * only where a kink lies within the step. */
#include "attack/f64_model.h"
#include "attack/influence.h"
#include "base/memory.h"
#include "base/thread_number.h"
#include "learn/head.h"

#include <heterorr/attack.h>

#include <math.h>
#include <string.h>

/* What is moved after a hop: values of the nodes that were reached, d numbers each. */
typedef struct front {
    uint64_t d;
    double *values;  /* all 0 between uses */
    uint32_t *nodes; /* reached */
    uint64_t n;
    uint8_t *reached; /* by node */
} front;

static bool front_init(front *out, uint64_t n_nodes, uint64_t d)
{
    *out = (front){.d = d};
    out->values = hrr_alloc_zero(n_nodes * sizeof *out->values, d);
    out->nodes = hrr_alloc(n_nodes, sizeof *out->nodes);
    out->reached = hrr_alloc_zero(n_nodes, 1);
    return out->values && out->nodes && out->reached;
}

static void front_clear(front *f)
{
    hrr_free(f->values);
    hrr_free(f->nodes);
    hrr_free(f->reached);
    *f = (front){0};
}

static void front_wipe(front *f)
{
    for (uint64_t i = 0; i < f->n; i++) {
        memset(f->values + f->nodes[i] * f->d, 0, f->d * sizeof *f->values);
        f->reached[f->nodes[i]] = 0;
    }
    f->n = 0;
}

/* to += column `node` of the hop, times the d numbers */
static void front_scatter(front *to, const hrr_hop *hop, uint32_t node, const double *numbers)
{
    for (uint64_t e = hop->scatter.row_start[node]; e < hop->scatter.row_start[node + 1]; e++) {
        const uint32_t u = hop->scatter.col[e];
        const double weight = hop->scatter_weight[e];
        double *value = to->values + u * to->d;
        if (!to->reached[u]) {
            to->reached[u] = 1;
            to->nodes[to->n++] = u;
        }
        for (uint64_t k = 0; k < to->d; k++)
            value[k] += weight * numbers[k];
    }
}

/* ---- one node -------------------------------------------------------------------------------- */

typedef struct exact {
    const hrr_f64_model *f64;
    const hrr_receptive_field *field;
    const hrr_dense *features;
    uint8_t **active;
    const hrr_dense *answers; /* probabilities of the asked nodes; NULL: logits are asked for */
    const uint32_t *start;    /* where each asked node stands among the first */
} exact;

/* Of one thread. */
typedef struct workspace {
    front *fronts;        /* after hop t; scalar up to the first layer's */
    double *x, *y, *next; /* d, first width, widest */
} workspace;

static uint64_t widest(const hrr_f64_model *f64)
{
    uint64_t most = 0;
    for (uint32_t l = 0; l < f64->shape.n_layers; l++)
        if (hrr_f64_model_width(f64, l) > most) most = hrr_f64_model_width(f64, l);
    return most;
}

static void workspace_clear(workspace *w, uint32_t n_hops)
{
    for (uint32_t t = 0; w->fronts && t < n_hops; t++)
        front_clear(&w->fronts[t]);
    hrr_free(w->fronts);
    hrr_free(w->x);
    hrr_free(w->y);
    hrr_free(w->next);
}

static bool workspace_init(workspace *out, const exact *e)
{
    const hrr_receptive_field *field = e->field;
    const uint32_t n_propagate = e->f64->shape.n_propagate;
    const uint64_t most = widest(e->f64);
    *out = (workspace){.fronts = hrr_alloc_zero(field->n_hops, sizeof *out->fronts)};
    out->x = hrr_alloc(e->features->cols, sizeof *out->x);
    out->y = hrr_alloc(most, sizeof *out->y);
    out->next = hrr_alloc(most, sizeof *out->next);
    if (!out->fronts || !out->x || !out->y || !out->next) return false;
    for (uint32_t t = 0; t < field->n_hops; t++) {
        const uint64_t d = t <= n_propagate ? 1 : hrr_f64_model_width(e->f64, t - n_propagate);
        if (!front_init(&out->fronts[t], field->n_nodes[t + 1], d)) return false;
    }
    return true;
}

/* next = (active o factor values) W */
static void through_relu(double *next, const hrr_dense *w, const double *values, double factor,
                         const uint8_t *active)
{
    memset(next, 0, w->cols * sizeof *next);
    for (uint64_t k = 0; k < w->rows; k++) {
        if (!active[k]) continue;
        const double *row = (const double *)w->data + k * w->cols, value = factor * values[k];
        for (uint64_t j = 0; j < w->cols; j++)
            next[j] += value * row[j];
    }
}

/* From the values after the hop of layer l to those after the next. */
static void next_layer(workspace *w, const exact *e, uint32_t layer)
{
    const uint32_t t = e->f64->shape.n_propagate + layer;
    const uint64_t width = hrr_f64_model_width(e->f64, layer);
    const front *from = &w->fronts[t];
    for (uint64_t i = 0; i < from->n; i++) {
        const uint32_t node = from->nodes[i];
        const double *values = layer ? from->values + node * width : w->y;
        through_relu(w->next, &e->f64->weights[layer + 1], values, layer ? 1 : from->values[node],
                     e->active[layer] + node * width);
        front_scatter(&w->fronts[t + 1], &e->field->hops[t + 1], node, w->next);
    }
}

/* The length of a change of logits, or of what it does to the probabilities p:
 * softmax dp_c = p_c (dz_c - sum_b p_b dz_b), sigmoid dp_c = p_c (1 - p_c) dz_c. */
static double length_of(const double *dz, double factor, const double *p, const hrr_f64_model *d)
{
    const uint32_t n = d->shape.n_classes;
    double sum = 0, mean = 0;
    for (uint32_t c = 0; p && d->shape.output == HRR_OUTPUT_SOFTMAX && c < n; c++)
        mean += p[c] * factor * dz[c];
    for (uint32_t c = 0; c < n; c++) {
        double change = factor * dz[c];
        if (p && d->shape.output == HRR_OUTPUT_SOFTMAX) change = p[c] * (change - mean);
        if (p && d->shape.output == HRR_OUTPUT_SIGMOID) change *= p[c] * (1 - p[c]);
        sum += change * change;
    }
    return sqrt(sum);
}

/* row: the influence of asked node i on all asked nodes */
static void influence_of(double *row, workspace *w, const exact *e, uint64_t i)
{
    const hrr_f64_model *f64 = e->f64;
    const hrr_receptive_field *field = e->field;
    const uint32_t n_layers = f64->shape.n_layers, n_propagate = f64->shape.n_propagate;
    const uint32_t last = field->n_hops - 1;
    const double one = 1;
    hrr_attack_nudge(w->x, e->features, field->nodes[field->n_hops][i]);
    hrr_f64_model_first(w->y, f64, w->x);
    front_scatter(&w->fronts[0], &field->hops[0], e->start[i], &one);
    for (uint32_t t = 0; t < n_propagate; t++)
        for (uint64_t k = 0; k < w->fronts[t].n; k++) {
            const uint32_t node = w->fronts[t].nodes[k];
            front_scatter(&w->fronts[t + 1], &field->hops[t + 1], node, &w->fronts[t].values[node]);
        }
    for (uint32_t l = 0; l + 1 < n_layers; l++)
        next_layer(w, e, l);
    const front *end = &w->fronts[last];
    for (uint64_t k = 0; k < end->n; k++) {
        const uint32_t u = end->nodes[k];
        const double *p =
            e->answers ? (const double *)e->answers->data + (uint64_t)u * f64->shape.n_classes
                       : NULL;
        row[u] = n_layers == 1 ? length_of(w->y, end->values[u], p, f64)
                               : length_of(end->values + u * end->d, 1, p, f64);
    }
    for (uint32_t t = 0; t < field->n_hops; t++)
        front_wipe(&w->fronts[t]);
}

/* ---- all nodes ------------------------------------------------------------------------------- */

static hrr_status influence_rows(hrr_dense *out, const exact *e, int threads,
                                 hrr_progress *progress, hrr_error *err)
{
    const uint64_t n = out->rows;
    hrr_status status = HRR_OK;
    workspace *spaces = hrr_alloc_zero((size_t)threads, sizeof *spaces);
    if (!spaces) return hrr_no_memory(err);
    for (int i = 0; i < threads && !status; i++)
        if (!workspace_init(&spaces[i], e)) status = hrr_no_memory(err);
    hrr_progress_begin(progress, "measuring influence", n);
    if (!status) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
        for (uint64_t i = 0; i < n; i++) {
            if (hrr_progress_cancelled(progress)) continue;
            influence_of((double *)out->data + i * n, &spaces[hrr_thread_number()], e, i);
            if (hrr_progress_advance(progress, 1, NULL)) continue;
        }
        status = hrr_progress_advance(progress, 0, err);
    }
    for (int i = 0; i < threads; i++)
        workspace_clear(&spaces[i], e->field->n_hops);
    hrr_free(spaces);
    return status;
}

/* Where the asked nodes stand among the first ones, which are ascending. */
static void find_starts(uint32_t *start, const hrr_receptive_field *field)
{
    const uint32_t *first = field->nodes[0], *asked = field->nodes[field->n_hops];
    for (uint64_t i = 0; i < field->n_nodes[field->n_hops]; i++) {
        uint64_t low = 0, high = field->n_nodes[0] - 1;
        while (low < high) {
            const uint64_t middle = (low + high) / 2;
            if (first[middle] < asked[i])
                low = middle + 1;
            else
                high = middle;
        }
        start[i] = (uint32_t)low;
    }
}

hrr_status hrr_influence_exact(hrr_dense *out, const hrr_model *model, const hrr_release *served,
                               const uint32_t *nodes, uint64_t n_nodes, bool probabilities,
                               int threads, hrr_progress *progress, hrr_error *err)
{
    const hrr_graph *graph = hrr_release_graph(served);
    const hrr_dense *features = hrr_graph_features(graph);
    hrr_f64_model f64 = {0};
    hrr_receptive_field field = {0};
    hrr_dense first = {0}, logits = {0}, made = {0};
    uint8_t **active = NULL;
    uint32_t *start = NULL;
    *out = (hrr_dense){0};
    hrr_status status = hrr_attack_check_shapes(model, graph, features, err);
    if (status) return status;
    const hrr_model_shape *shape = hrr_model_get_shape(model);
    if ((status = hrr_f64_model_init(&f64, model, err))) goto done;
    if ((status = hrr_receptive_field_init(&field, shape, graph, nodes, n_nodes, progress, err)))
        goto done;
    active = hrr_alloc_zero(shape->n_layers, sizeof *active);
    start = hrr_alloc(n_nodes, sizeof *start);
    if (!active || !start) {
        status = hrr_no_memory(err);
        goto done;
    }
    find_starts(start, &field);
    if ((status = hrr_f64_model_first_rows(&first, &f64, features, field.nodes[0], field.n_nodes[0],
                                           threads, progress, err)))
        goto done;
    if ((status =
             hrr_f64_model_forward(&logits, active, &f64, &field, &first, threads, progress, err)))
        goto done;
    hrr_dense_clear(&first);
    if (probabilities) hrr_output_apply(logits.data, shape->output, logits.rows, logits.cols);
    if ((status = hrr_dense_init(&made, HRR_F64, n_nodes, n_nodes, err))) goto done;
    const exact e = {.f64 = &f64,
                     .field = &field,
                     .features = features,
                     .active = active,
                     .answers = probabilities ? &logits : NULL,
                     .start = start};
    if ((status = influence_rows(&made, &e, hrr_threads(threads), progress, err))) goto done;
    *out = made;
    made = (hrr_dense){0};
done:
    for (uint32_t l = 0; active && l < shape->n_layers; l++)
        hrr_free(active[l]);
    hrr_free(active);
    hrr_free(start);
    hrr_dense_clear(&first);
    hrr_dense_clear(&logits);
    hrr_dense_clear(&made);
    hrr_receptive_field_clear(&field);
    hrr_f64_model_clear(&f64);
    return status;
}
