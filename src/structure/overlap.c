/* overlap.c: which edges of one graph are in the other. Rows are ascending, so three of them are
 * walked together. */
#include <heterorr/structure.h>

#include "structure/measures.h"
#include "structure/shape.h"

#include <math.h>

/* The ends of edges that go to higher numbers: each edge once. */
typedef struct cursor {
    const uint32_t *at, *end;
} cursor;

static cursor upper(const hrr_csr *graph, uint64_t node)
{
    cursor c = {0};
    if (!graph) return c;
    c.at = graph->col + graph->row_start[node];
    c.end = graph->col + graph->row_start[node + 1];
    while (c.at < c.end && *c.at < node)
        c.at++;
    return c;
}

static bool take(cursor *c, uint32_t node)
{
    while (c->at < c->end && *c->at < node)
        c->at++;
    return c->at < c->end && *c->at == node;
}

hrr_status hrr_edge_overlap_of(hrr_edge_overlap *out, const hrr_csr *original,
                               const hrr_csr *released, const hrr_csr *known, hrr_error *err)
{
    *out = (hrr_edge_overlap){.precision = NAN, .recall = NAN, .count_error = NAN};
    hrr_status status = hrr_same_nodes(original, released, err);
    if (!status && known) status = hrr_same_nodes(original, known, err);
    if (status) return status;
    for (uint64_t i = 0; i < original->rows; i++) {
        cursor a = upper(original, i), b = upper(released, i), in_b = b;
        cursor known_a = upper(known, i), known_b = known_a;
        for (; a.at < a.end; a.at++) {
            if (take(&known_a, *a.at)) continue;
            out->original++;
            out->common += take(&in_b, *a.at);
        }
        for (; b.at < b.end; b.at++)
            out->released += !take(&known_b, *b.at);
    }
    const double was = (double)out->original, is = (double)out->released;
    if (is > 0) out->precision = (double)out->common / is;
    if (was > 0) out->recall = (double)out->common / was;
    if (was > 0) out->count_error = fabs(is - was) / was;
    return HRR_OK;
}
