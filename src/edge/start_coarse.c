/* start_coarse.c: see start_coarse.h. */
#include "edge/start_coarse.h"
#include "base/memory.h"

hrr_status hrr_coarse_alloc(hrr_coarse *out, uint32_t n_clusters, uint64_t n_room, hrr_error *err)
{
    *out = (hrr_coarse){.n_clusters = n_clusters,
                        .row = hrr_alloc_zero(n_clusters, sizeof(hrr_coarse_row)),
                        .col = hrr_alloc(n_room, sizeof(uint32_t)),
                        .weight = hrr_alloc(n_room, sizeof(float))};
    if (out->row && out->col && out->weight) return HRR_OK;
    hrr_coarse_clear(out);
    return hrr_no_memory(err);
}

void hrr_coarse_clear(hrr_coarse *coarse)
{
    hrr_free(coarse->row);
    hrr_free(coarse->col);
    hrr_free(coarse->weight);
    *coarse = (hrr_coarse){0};
}

static void append(hrr_coarse *graph, uint32_t row, uint32_t col)
{
    const uint64_t at = graph->row[row].begin + graph->row[row].length++;
    graph->col[at] = col;
    graph->weight[at] = 1;
}

hrr_status hrr_coarse_init(hrr_coarse *out, const hrr_edge_public *known, hrr_error *err)
{
    const uint32_t n = (uint32_t)known->n_nodes;
    hrr_coarse graph;
    hrr_status status = hrr_coarse_alloc(&graph, n, 2 * known->n_edges, err);
    if (status) return status;
    for (uint64_t e = 0; e < known->n_edges; e++)
        graph.row[known->source[e]].degree++, graph.row[known->target[e]].degree++;
    uint64_t room = 0;
    for (uint32_t i = 0; i < n; i++) {
        graph.row[i].begin = room;
        graph.row[i].size = 1;
        room += graph.row[i].degree;
    }
    for (uint64_t e = 0; e < known->n_edges; e++) {
        append(&graph, known->source[e], known->target[e]);
        append(&graph, known->target[e], known->source[e]);
    }
    graph.n_entries = room;
    *out = graph;
    return HRR_OK;
}

/* Add the entries of one row of `in` to row `row` of `out`. place[d] says where in the row cluster
 * d may already stand; whether it does is seen there, so that place needs no clearing. */
static void add_row(hrr_coarse *out, uint32_t row, const hrr_coarse *in, uint32_t from,
                    const uint32_t *to, uint32_t *place)
{
    uint32_t *col = out->col + out->row[row].begin;
    float *weight = out->weight + out->row[row].begin;
    uint32_t length = out->row[row].length;
    for (uint64_t e = in->row[from].begin; e < in->row[from].begin + in->row[from].length; e++) {
        const uint32_t other = to[in->col[e]];
        if (other == row) continue;
        const uint32_t at = place[other];
        if (at < length && col[at] == other) {
            weight[at] += in->weight[e];
            continue;
        }
        place[other] = length;
        col[length] = other;
        weight[length++] = in->weight[e];
    }
    out->row[row].length = length;
}

/* members[2 t], members[2 t + 1]: which clusters of `in` go to t. */
static void list_members(uint32_t *members, hrr_coarse *out, const hrr_coarse *in,
                         const uint32_t *to)
{
    for (uint64_t i = 0; i < 2 * (uint64_t)out->n_clusters; i++)
        members[i] = HRR_NO_CLUSTER;
    for (uint32_t c = 0; c < in->n_clusters; c++) {
        const uint32_t t = to[c];
        members[2 * (uint64_t)t + (members[2 * (uint64_t)t] != HRR_NO_CLUSTER)] = c;
        out->row[t].size += in->row[c].size;
        out->row[t].degree += in->row[c].degree;
    }
}

/* One worker: takes portions of rows until none is left. */
static void join_rows(hrr_coarse *out, const hrr_coarse *in, const uint32_t *to,
                      const uint32_t *members, uint32_t *place, uint32_t *next)
{
    const uint32_t n = out->n_clusters;
    for (;;) {
        uint32_t first;
#pragma omp atomic capture
        {
            first = *next;
            *next += HRR_COARSE_PORTION;
        }
        if (first >= n) return;
        const uint32_t end = n - first > HRR_COARSE_PORTION ? first + HRR_COARSE_PORTION : n;
        for (uint32_t t = first; t < end; t++)
            for (int i = 0; i < 2; i++)
                if (members[2 * (uint64_t)t + i] != HRR_NO_CLUSTER)
                    add_row(out, t, in, members[2 * (uint64_t)t + i], to, place);
    }
}

hrr_status hrr_coarse_join(hrr_coarse *out, const hrr_coarse *in, const uint32_t *to,
                           uint32_t n_clusters, int threads, hrr_error *err)
{
    hrr_coarse graph;
    hrr_status status = hrr_coarse_alloc(&graph, n_clusters, in->n_entries, err);
    if (status) return status;
    uint32_t *members = hrr_alloc(n_clusters, 2 * sizeof *members);
    uint32_t *places = hrr_alloc_zero((size_t)n_clusters * (size_t)threads, sizeof *places);
    if (!members || !places) {
        status = hrr_no_memory(err);
        goto done;
    }
    list_members(members, &graph, in, to);
    uint64_t room = 0;
    for (uint32_t t = 0; t < n_clusters; t++) {
        graph.row[t].begin = room;
        for (int i = 0; i < 2; i++)
            if (members[2 * (uint64_t)t + i] != HRR_NO_CLUSTER)
                room += in->row[members[2 * (uint64_t)t + i]].length;
    }
    uint32_t next = 0;
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int worker = 0; worker < threads; worker++)
        join_rows(&graph, in, to, members, places + (size_t)worker * n_clusters, &next);
    for (uint32_t t = 0; t < n_clusters; t++)
        graph.n_entries += graph.row[t].length;

done:
    hrr_free(members);
    hrr_free(places);
    if (status)
        hrr_coarse_clear(&graph);
    else
        *out = graph;
    return status;
}
