/* receptive_field.c: see receptive_field.h. Built backwards: from the nodes that were asked about
 * to those that they see, and on. The nodes of the graph that nobody sees cost one byte each and no
 * more. */
#include "attack/receptive_field.h"
#include "base/memory.h"
#include "graph/aggregator.h"
#include "matrix/csr.h"
#include "matrix/products.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The two kinds of hop that a network has; empty patterns hop from a node to itself. */
typedef struct hop_source {
    hrr_aggregator aggregator;
    bool is_identity;
} hop_source;

static hrr_status open_source(hop_source *out, const hrr_graph *graph, bool is_identity,
                              hrr_normalisation kind, hrr_diagonal diagonal, hrr_error *err)
{
    *out = (hop_source){.is_identity = is_identity};
    if (is_identity) return HRR_OK;
    return hrr_aggregator_init(&out->aggregator, graph, kind, diagonal, err);
}

/* Row of a node, as a range of columns. */
static const uint32_t *row_of(const hop_source *source, const uint32_t *node, uint64_t *length)
{
    if (source->is_identity) {
        *length = 1;
        return node;
    }
    const hrr_csr *pattern = &source->aggregator.pattern;
    *length = pattern->row_start[*node + 1] - pattern->row_start[*node];
    return pattern->col + pattern->row_start[*node];
}

/* In doubles, unlike the aggregator's own. */
static double weight_of(const hop_source *source, uint32_t after, uint32_t before)
{
    if (source->is_identity) return 1;
    const uint64_t *start = source->aggregator.pattern.row_start;
    const double to = (double)(start[after + 1] - start[after]);
    const double from = (double)(start[before + 1] - start[before]);
    switch (source->aggregator.kind) {
    case HRR_NORMALISE_SYMMETRIC:
        return 1 / sqrt(to * from);
    case HRR_NORMALISE_MEAN:
        return 1 / to;
    case HRR_NORMALISE_FIRST_ORDER: /* whose rows count the node itself */
        return after == before ? 1 : 1 / sqrt((to - 1) * (from - 1));
    case HRR_NORMALISE_NONE:
        break;
    }
    return 1;
}

/* The nodes that `after` see, and where each stands among them (place: n, filled where seen). */
static hrr_status look_back(uint32_t **before, uint64_t *n_before, uint32_t *place, uint8_t *seen,
                            uint64_t n, const hop_source *source, const uint32_t *after,
                            uint64_t n_after, hrr_error *err)
{
    memset(seen, 0, n);
    for (uint64_t i = 0; i < n_after; i++) {
        uint64_t length;
        const uint32_t *row = row_of(source, &after[i], &length);
        seen[after[i]] = 1; /* asked nodes stay in all sets: each is a beginning, too */
        for (uint64_t k = 0; k < length; k++)
            seen[row[k]] = 1;
    }
    *n_before = 0;
    for (uint64_t v = 0; v < n; v++)
        *n_before += seen[v];
    if (!(*before = hrr_alloc(*n_before, sizeof **before))) return hrr_no_memory(err);
    uint32_t at = 0;
    for (uint64_t v = 0; v < n; v++) {
        if (!seen[v]) continue;
        place[v] = at;
        (*before)[at++] = (uint32_t)v;
    }
    return HRR_OK;
}

static hrr_status make_hop(hrr_hop *hop, const hop_source *source, const uint32_t *after,
                           uint64_t n_after, const uint32_t *before, uint64_t n_before,
                           const uint32_t *place, hrr_error *err)
{
    uint64_t n_entries = 0, length, at = 0;
    for (uint64_t i = 0; i < n_after; i++) {
        row_of(source, &after[i], &length);
        n_entries += length;
    }
    hrr_status status = hrr_csr_init(&hop->pattern, n_after, n_before, n_entries, false, err);
    if (status) return status;
    hop->weight = hrr_alloc(n_entries, sizeof *hop->weight);
    hop->scatter_weight = hrr_alloc(n_entries, sizeof *hop->scatter_weight);
    if (!hop->weight || !hop->scatter_weight) return hrr_no_memory(err);
    for (uint64_t i = 0; i < n_after; i++) {
        const uint32_t *row = row_of(source, &after[i], &length);
        hop->pattern.row_start[i] = at;
        for (uint64_t k = 0; k < length; k++, at++) {
            hop->pattern.col[at] = place[row[k]];
            hop->weight[at] = weight_of(source, after[i], row[k]);
        }
    }
    if ((status = hrr_csr_transpose(&hop->scatter, &hop->pattern, err))) return status;
    for (uint64_t i = 0; i < n_before; i++)
        for (at = hop->scatter.row_start[i]; at < hop->scatter.row_start[i + 1]; at++)
            hop->scatter_weight[at] = weight_of(source, after[hop->scatter.col[at]], before[i]);
    return HRR_OK;
}

static hrr_status make_hops(hrr_receptive_field *field, const hop_source *features,
                            const hop_source *layers, uint32_t n_propagate, uint64_t n,
                            hrr_progress *progress, hrr_error *err)
{
    uint32_t *place = hrr_alloc(n, sizeof *place);
    uint8_t *seen = hrr_alloc(n, sizeof *seen);
    hrr_status status = place && seen ? HRR_OK : hrr_no_memory(err);
    for (uint32_t t = field->n_hops; t-- > 0 && !status;) {
        const hop_source *source = t < n_propagate ? features : layers;
        status = look_back(&field->nodes[t], &field->n_nodes[t], place, seen, n, source,
                           field->nodes[t + 1], field->n_nodes[t + 1], err);
        if (!status)
            status = make_hop(&field->hops[t], source, field->nodes[t + 1], field->n_nodes[t + 1],
                              field->nodes[t], field->n_nodes[t], place, err);
        if (!status) status = hrr_progress_advance(progress, 0, err); /* cancelled? */
    }
    hrr_free(place);
    hrr_free(seen);
    return status;
}

hrr_status hrr_receptive_field_init(hrr_receptive_field *out, const hrr_model_shape *shape,
                                    const hrr_graph *graph, const uint32_t *asked, uint64_t n_asked,
                                    hrr_progress *progress, hrr_error *err)
{
    assert(shape->n_propagate <= HRR_MOST_PROPAGATE); /* so that the sum is one */
    hrr_receptive_field made = {.n_hops = shape->n_propagate + shape->n_layers};
    hop_source features = {.is_identity = true}, layers = {.is_identity = true};
    hrr_status status = HRR_OK;
    *out = (hrr_receptive_field){0};
    made.n_nodes = hrr_alloc_zero(made.n_hops + 1, sizeof *made.n_nodes);
    made.nodes = hrr_alloc_zero(made.n_hops + 1, sizeof *made.nodes);
    made.hops = hrr_alloc_zero(made.n_hops, sizeof *made.hops);
    if (made.nodes) made.nodes[made.n_hops] = hrr_alloc(n_asked, sizeof *asked);
    if (!made.n_nodes || !made.nodes || !made.hops || !made.nodes[made.n_hops]) {
        status = hrr_no_memory(err);
        goto done;
    }
    memcpy(made.nodes[made.n_hops], asked, n_asked * sizeof *asked);
    made.n_nodes[made.n_hops] = n_asked;
    if (shape->n_propagate &&
        (status = open_source(&features, graph, false, HRR_NORMALISE_SYMMETRIC, HRR_DIAGONAL_LONELY,
                              err)))
        goto done;
    if ((status = open_source(&layers, graph, shape->arch == HRR_ARCH_MLP, shape->normalisation,
                              HRR_DIAGONAL_ALL, err)))
        goto done;
    if ((status = make_hops(&made, &features, &layers, shape->n_propagate, hrr_graph_n_nodes(graph),
                            progress, err)))
        goto done;
    *out = made;
    made = (hrr_receptive_field){0};
done:
    hrr_aggregator_clear(&features.aggregator);
    hrr_aggregator_clear(&layers.aggregator);
    hrr_receptive_field_clear(&made);
    return status;
}

void hrr_receptive_field_clear(hrr_receptive_field *field)
{
    for (uint32_t t = 0; field->hops && t < field->n_hops; t++) {
        hrr_csr_clear(&field->hops[t].pattern);
        hrr_csr_clear(&field->hops[t].scatter);
        hrr_free(field->hops[t].weight);
        hrr_free(field->hops[t].scatter_weight);
    }
    for (uint32_t t = 0; field->nodes && t <= field->n_hops; t++)
        hrr_free(field->nodes[t]);
    hrr_free(field->nodes);
    hrr_free(field->hops);
    hrr_free(field->n_nodes);
    *field = (hrr_receptive_field){0};
}
