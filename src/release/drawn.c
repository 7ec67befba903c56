/* drawn.c: see drawn.h. The released graph is put together from nothing: what is public is copied
 * by name, what is drawn is added, and there is no step at which it holds more than that. */
#include "release/drawn.h"
#include "release/clock.h"
#include "release/stream_rows.h"
#include "graph/aggregator.h"
#include "base/memory.h"

#include <math.h>

bool hrr_drawing_keeps_features(const hrr_drawing *drawing)
{
    return drawing->features && (drawing->maker || drawing->n_propagate);
}

void hrr_drawn_clear(hrr_drawn *drawn)
{
    hrr_graph_free(drawn->graph);
    hrr_edge_release_clear(&drawn->beside);
    *drawn = (hrr_drawn){0};
}

/* ---- features ------------------------------------------------------------------------------- */

/* Rows of this rank's share; at rank 0 those of all. */
static hrr_status draw_in_memory(hrr_dense *out, const hrr_drawing *drawing, hrr_progress *progress,
                                 hrr_error *err)
{
    const hrr_feature_claim claim = hrr_feature_plan_claim(drawing->features);
    const hrr_dense *in = hrr_graph_features(drawing->graph);
    const hrr_share own = hrr_ranks_own_share(drawing->ranks, in->rows);
    const bool takes = hrr_ranks_rank(drawing->ranks) == 0;
    const size_t row_size = claim.n_features_out * hrr_dtype_size(claim.dtype_out);
    hrr_dense part = *in;
    part.rows = own.end - own.begin;
    part.data = (char *)in->data + own.begin * in->cols * hrr_dtype_size(in->dtype);
    hrr_status status = hrr_dense_init(out, claim.dtype_out, takes ? in->rows : part.rows,
                                       claim.n_features_out, err);
    if (!status) {
        hrr_dense rows = *out; /* rank 0 has the first ones */
        rows.rows = part.rows;
        status = hrr_feature_plan_apply(&rows, drawing->features, &part, own.begin, drawing->random,
                                        drawing->threads, progress, err);
    }
    status = hrr_ranks_agree(drawing->ranks, status, err);
    if (status) return status;
    return hrr_ranks_collect_rows(drawing->ranks, takes ? out->data : NULL, out->data, in->rows,
                                  row_size, 0, err);
}

/* *writing: the seconds that went into a file. */
static hrr_status draw_features(hrr_dense *out, double *writing, const hrr_drawing *drawing,
                                const char *features_to, hrr_progress *progress, hrr_error *err)
{
    *writing = 0;
    if (!drawing->features) return HRR_OK;
    if (!features_to) return draw_in_memory(out, drawing, progress, err);
    return hrr_stream_rows(writing, features_to, drawing->features,
                           hrr_graph_features(drawing->graph), drawing->random, drawing->threads,
                           drawing->ranks, progress, err);
}

/* Noise is independent from node to node, features of neighbours are alike: an average over
 * neighbours keeps the one and loses the other. This is KProp of LPGNN (Sajadmanesh and
 * Gatica-Perez, CCS 2021), symmetric normalisation without self-loops; a node without released
 * edges keeps its own row. Free: it reads nothing but what is released. */
static hrr_status propagate(hrr_dense *features, const hrr_drawing *drawing,
                            const hrr_graph *released, hrr_progress *progress, hrr_error *err)
{
    hrr_dense smooth = {0};
    if (!drawing->n_propagate || !features->data) return HRR_OK;
    hrr_status status = hrr_graph_propagate(&smooth, released, features, drawing->n_propagate,
                                            drawing->threads, progress, err);
    if (status) return status;
    hrr_dense_clear(features);
    *features = smooth;
    return HRR_OK;
}

/* ---- edges ---------------------------------------------------------------------------------- */

/* Of rank 0, for every rank. */
static hrr_status broadcast_blocks(hrr_ranks *ranks, uint32_t *blocks, uint32_t *need,
                                   uint32_t *rivals, uint64_t n, hrr_error *err)
{
    hrr_status status = hrr_ranks_broadcast(ranks, blocks, n * sizeof *blocks, 0, err);
    if (!status) status = hrr_ranks_broadcast(ranks, need, n * sizeof *need, 0, err);
    if (status || !rivals) return status;
    return hrr_ranks_broadcast(ranks, rivals, n * 2 * sizeof *rivals, 0, err);
}

/* released, features: of rank 0, which makes the blocks. */
static hrr_status make_blocks(const hrr_drawing *drawing, const hrr_graph *released,
                              const hrr_dense *features, hrr_progress *progress, hrr_error *err)
{
    if (!drawing->maker) return HRR_OK;
    hrr_ranks *ranks = drawing->ranks;
    const uint64_t eps_labels = drawing->labels->eps_nano;
    const hrr_drawn_so_far so_far = {
        .released = released,
        .features = features->data ? features : NULL,
        .features_are_randomised =
            features->data && isfinite(hrr_feature_plan_claim(drawing->features).realised_eps),
        .n_propagate = drawing->n_propagate,
        .label_eps = eps_labels ? (double)eps_labels / (double)HRR_EPS_UNIT : -1};
    const uint64_t n = hrr_graph_n_nodes(drawing->graph);
    const bool opposes = drawing->maker->has_rivals;
    uint32_t *blocks = hrr_alloc(n, sizeof *blocks), *need = hrr_alloc(n, sizeof *need);
    uint32_t *rivals = opposes ? hrr_alloc_zero(n, 2 * sizeof *rivals) : NULL;
    hrr_status status = blocks && need && (rivals || !opposes) ? HRR_OK : hrr_no_memory(err);
    if (!status && hrr_ranks_rank(ranks) == 0)
        status = hrr_own_blocks(blocks, need, rivals, drawing->maker, &so_far, drawing->graph,
                                drawing->threads, progress, err);
    status = hrr_ranks_agree(ranks, status, err);
    if (!status) status = broadcast_blocks(ranks, blocks, need, rivals, n, err);
    if (!status)
        status = hrr_edge_protection_give_blocks(drawing->edges, blocks, need, rivals, err);
    hrr_free(blocks);
    hrr_free(need);
    hrr_free(rivals);
    return status;
}

static hrr_status draw_edges(hrr_drawn *out, const hrr_drawing *drawing, hrr_progress *progress,
                             hrr_error *err)
{
    hrr_status status =
        hrr_edge_protection_draw(&out->beside, drawing->edges, drawing->random, progress, err);
    status = hrr_ranks_agree(drawing->ranks, status, err);
    if (status || !out->graph) return status;
    return hrr_graph_take_edges(out->graph, &out->beside.edges, NULL, 0, NULL, err);
}

/* ---- together ------------------------------------------------------------------------------- */

hrr_status hrr_draw(hrr_drawn *out, const hrr_drawing *drawing, const char *features_to,
                    hrr_protect_phases *phases, hrr_progress *progress, hrr_error *err)
{
    static const unsigned public_parts = HRR_COPY_SPLIT | HRR_COPY_NODE_IDS | HRR_COPY_GRAPH_IDS;
    hrr_dense features = {0};
    double began = hrr_clock(), writing = 0;
    const bool takes = hrr_ranks_rank(drawing->ranks) == 0;
    hrr_status status = HRR_OK;
    *out = (hrr_drawn){0};
    if (takes) status = hrr_graph_copy(&out->graph, drawing->graph, public_parts, err);
    if (!status) status = draw_features(&features, &writing, drawing, features_to, progress, err);
    hrr_clock_add(&phases->features, &began);
    phases->features -= writing;
    phases->writing += writing;
    if (!status && takes)
        status = hrr_label_response_draw(out->graph, drawing->labels, drawing->graph,
                                         drawing->random, drawing->threads, progress, err);
    hrr_clock_add(&phases->labels, &began);
    if (!status) status = make_blocks(drawing, out->graph, &features, progress, err);
    if (!status) status = draw_edges(out, drawing, progress, err);
    hrr_clock_add(&phases->edges, &began);
    if (!status && takes) status = propagate(&features, drawing, out->graph, progress, err);
    if (!status && takes && features.data)
        status = hrr_graph_take_features(out->graph, &features, err);
    hrr_clock_add(&phases->features, &began);
    hrr_dense_clear(&features);
    if (status) hrr_drawn_clear(out);
    return status;
}
