/* halo.c: see halo.h. Shares are ranges in the order of the ranks, so that a halo that is sorted by
 * node is sorted by owner. */
#include "learn/halo.h"
#include "learn/model.h"
#include "base/memory.h"
#include "matrix/csr.h"
#include "matrix/dense.h"

#include <string.h>

static const uint32_t no_place = UINT32_MAX;

/* place[node]: its column here. Own nodes come first; of the others, those that own rows name. */
static uint64_t place_columns(uint32_t *place, const hrr_csr *whole, hrr_share own)
{
    const uint64_t n = whole->rows;
    uint64_t n_columns = own.end - own.begin;
    for (uint64_t i = 0; i < n; i++)
        place[i] = no_place;
    for (uint64_t at = whole->row_start[own.begin]; at < whole->row_start[own.end]; at++)
        place[whole->col[at]] = 0;
    for (uint64_t i = 0; i < n; i++) {
        if (i >= own.begin && i < own.end)
            place[i] = (uint32_t)(i - own.begin);
        else if (place[i] != no_place)
            place[i] = (uint32_t)n_columns++;
    }
    return n_columns;
}

static hrr_status cut_rows(hrr_halo *halo, const hrr_aggregator *whole, const uint32_t *place,
                           hrr_share own, hrr_error *err)
{
    const hrr_csr *from = &whole->pattern;
    const uint64_t first = from->row_start[own.begin];
    const uint64_t n_entries = from->row_start[own.end] - first;
    hrr_csr *to = &halo->edges.pattern;
    hrr_status status = hrr_csr_init(to, halo->n_own, halo->n_own + halo->n_halo, n_entries,
                                     from->value != NULL, err);
    if (status) return status;
    for (uint64_t i = 0; i <= halo->n_own; i++)
        to->row_start[i] = from->row_start[own.begin + i] - first;
    for (uint64_t at = 0; at < n_entries; at++) {
        to->col[at] = place[from->col[first + at]];
        if (from->value) to->value[at] = from->value[first + at];
    }
    return HRR_OK;
}

static hrr_status cut_scales(hrr_halo *halo, const hrr_aggregator *whole, const uint32_t *place,
                             hrr_share own, hrr_error *err)
{
    if (!whole->scale) return HRR_OK;
    halo->row_scale = hrr_alloc(halo->n_own, sizeof *halo->row_scale);
    halo->col_scale = hrr_alloc(halo->n_own + halo->n_halo, sizeof *halo->col_scale);
    if (!halo->row_scale || !halo->col_scale) return hrr_no_memory(err);
    memcpy(halo->row_scale, whole->scale + own.begin, halo->n_own * sizeof *halo->row_scale);
    for (uint64_t i = 0; i < whole->pattern.rows; i++)
        if (place[i] != no_place) halo->col_scale[place[i]] = whole->scale[i];
    return HRR_OK;
}

/* Tell each owner which of its rows are needed here; learn which others need of this rank. */
static hrr_status introduce(hrr_halo *halo, const uint32_t *place, uint64_t n, hrr_share own,
                            hrr_error *err)
{
    const int size = hrr_ranks_size(halo->ranks);
    uint32_t *wanted = hrr_alloc(halo->n_halo, sizeof *wanted); /* as rows of their owners */
    halo->halo_rows = hrr_alloc_zero((size_t)size, sizeof *halo->halo_rows);
    halo->sent_rows = hrr_alloc_zero((size_t)size, sizeof *halo->sent_rows);
    halo->halo_bytes = hrr_alloc_zero((size_t)size, sizeof *halo->halo_bytes);
    halo->sent_bytes = hrr_alloc_zero((size_t)size, sizeof *halo->sent_bytes);
    hrr_status status =
        wanted && halo->halo_rows && halo->sent_rows && halo->halo_bytes && halo->sent_bytes
            ? HRR_OK
            : hrr_no_memory(err);
    for (int r = 0; r < size && !status; r++) {
        const hrr_share theirs = hrr_ranks_share(halo->ranks, n, r);
        for (uint64_t i = theirs.begin; i < theirs.end && theirs.begin != own.begin; i++)
            if (place[i] != no_place) {
                wanted[place[i] - halo->n_own] = (uint32_t)(i - theirs.begin);
                halo->halo_rows[r]++;
            }
        halo->halo_bytes[r] = halo->halo_rows[r] * sizeof *wanted;
    }
    status = hrr_ranks_agree(halo->ranks, status, err);
    if (!status)
        status = hrr_ranks_exchange_sizes(halo->ranks, halo->sent_bytes, halo->halo_bytes, err);
    for (int r = 0; r < size && !status; r++) {
        halo->sent_rows[r] = halo->sent_bytes[r] / sizeof *wanted;
        halo->n_sent += halo->sent_rows[r];
    }
    if (!status && !(halo->sent = hrr_alloc(halo->n_sent, sizeof *halo->sent)))
        status = hrr_no_memory(err);
    status = hrr_ranks_agree(halo->ranks, status, err);
    if (!status)
        status = hrr_ranks_exchange(halo->ranks, halo->sent, halo->sent_bytes, wanted,
                                    halo->halo_bytes, err);
    hrr_free(wanted);
    return status;
}

hrr_status hrr_halo_init(hrr_halo *out, const hrr_graph *graph, hrr_normalisation kind,
                         uint64_t widest, hrr_ranks *ranks, hrr_error *err)
{
    const uint64_t n = hrr_graph_n_nodes(graph);
    const hrr_share own = hrr_ranks_own_share(ranks, n);
    hrr_halo made = {.ranks = ranks, .n_own = own.end - own.begin, .edges.kind = kind};
    hrr_aggregator whole = {0};
    *out = (hrr_halo){0};
    uint32_t *place = hrr_alloc(n, sizeof *place);
    hrr_status status = place ? HRR_OK : hrr_no_memory(err);
    if (!status) status = hrr_aggregator_init(&whole, graph, kind, HRR_DIAGONAL_ALL, err);
    if (!status) made.n_halo = place_columns(place, &whole.pattern, own) - made.n_own;
    if (!status) status = cut_rows(&made, &whole, place, own, err);
    if (!status) status = cut_scales(&made, &whole, place, own, err);
    hrr_aggregator_clear(&whole);
    status = hrr_ranks_agree(ranks, status, err);
    if (!status) status = introduce(&made, place, n, own, err);
    if (!status)
        status = hrr_dense_init(&made.joined, HRR_F32, made.n_own + made.n_halo, widest, err);
    if (!status && !(made.outbox = hrr_alloc(made.n_sent * sizeof *made.outbox, widest)))
        status = hrr_no_memory(err);
    status = hrr_ranks_agree(ranks, status, err);
    hrr_free(place);
    if (status) hrr_halo_clear(&made);
    *out = made;
    return status;
}

void hrr_halo_clear(hrr_halo *halo)
{
    hrr_aggregator_clear(&halo->edges);
    hrr_free(halo->row_scale);
    hrr_free(halo->col_scale);
    hrr_free(halo->sent);
    hrr_free(halo->sent_rows);
    hrr_free(halo->halo_rows);
    hrr_free(halo->sent_bytes);
    hrr_free(halo->halo_bytes);
    hrr_free(halo->outbox);
    hrr_dense_clear(&halo->joined);
    *halo = (hrr_halo){0};
}

/* Own rows of x, then those of the halo. */
static void fetch(hrr_halo *halo, const hrr_dense *x)
{
    const uint64_t width = x->cols, row_bytes = width * sizeof(float);
    float *const joined = halo->joined.data;
    for (uint64_t k = 0; k < halo->n_sent; k++)
        memcpy(halo->outbox + k * width, (const float *)x->data + halo->sent[k] * width, row_bytes);
    for (int r = 0; r < hrr_ranks_size(halo->ranks); r++) {
        halo->sent_bytes[r] = halo->sent_rows[r] * row_bytes;
        halo->halo_bytes[r] = halo->halo_rows[r] * row_bytes;
    }
    memcpy(joined, x->data, halo->n_own * row_bytes);
    const hrr_status status =
        hrr_ranks_exchange(halo->ranks, joined + halo->n_own * width, halo->halo_bytes,
                           halo->outbox, halo->sent_bytes, &halo->failed);
    (void)status; /* stays in halo->failed */
}

void hrr_halo_aggregate(hrr_take_rows *take, void *user, hrr_halo *halo, bool transposed,
                        const hrr_dense *x, float *space, int threads, const hrr_progress *progress)
{
    const bool both = halo->edges.kind == HRR_NORMALISE_SYMMETRIC;
    if (halo->failed.status) return;
    fetch(halo, x);
    if (halo->failed.status) return;
    hrr_dense joined = hrr_f32_view(halo->joined.data, halo->n_own + halo->n_halo, x->cols);
    hrr_spmm_rows(take, user, &halo->edges.pattern, both || !transposed ? halo->row_scale : NULL,
                  both || transposed ? halo->col_scale : NULL, &joined, space, threads, progress);
}
