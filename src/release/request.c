/* request.c: see request.h. */
#include "release/request.h"
#include "edge/late_blocks.h"
#include "edge/traits.h"
#include "io/hash.h"

static void hash_reals(hrr_hash *hash, const double *value, uint64_t n)
{
    hrr_hash_part(hash, value, n * sizeof *value);
}

static void hash_matrix(hrr_hash *hash, const hrr_dense *matrix)
{
    hrr_hash_u64(hash, matrix ? matrix->rows : 0);
    if (matrix && matrix->rows)
        hrr_hash_part(hash, matrix->data,
                      matrix->rows * matrix->cols * hrr_dtype_size(matrix->dtype));
}

/* Nothing where there is none, so that releases made before there were heads are found. */
static void hash_head(hrr_hash *hash, const hrr_head *head)
{
    if (!head) return;
    hrr_hash_text(hash, "head");
    hash_matrix(hash, &head->hidden_weight);
    hash_matrix(hash, &head->hidden_bias);
    hash_matrix(hash, &head->weight);
    hash_matrix(hash, &head->bias);
    hash_matrix(hash, &head->shares);
    hrr_hash_u64(hash, head->output);
}

static void hash_features(hrr_hash *hash, const hrr_feature_options *o, uint64_t n_features)
{
    const hrr_projection *projection = o->projection;
    hrr_hash_text(hash, o->mechanism);
    hrr_hash_u64(hash, n_features);
    hrr_hash_u64(hash, o->eps_nano);
    hash_reals(hash, &o->delta, 1);
    hrr_hash_u64(hash, o->n_bins);
    hrr_hash_u64(hash, (uint64_t)o->decoding);
    hrr_hash_u64(hash, o->n_sampled);
    hash_reals(hash, o->theta, n_features);
    hash_reals(hash, o->lo, n_features);
    hash_reals(hash, o->hi, n_features);
    hash_matrix(hash, o->directions);
    hash_head(hash, o->head);
    hrr_hash_text(hash, projection ? "projection" : NULL);
    if (!projection) return;
    hash_matrix(hash, &projection->directions);
    hash_reals(hash, projection->centre, n_features);
    hash_reals(hash, projection->lo, projection->directions.rows);
    hash_reals(hash, projection->hi, projection->directions.rows);
}

/* Where nothing is named, what is usual: so it is the same request as one that names it. */
static hrr_count_ends ends_of(const hrr_edge_options *o, bool blocks_later)
{
    return hrr_edge_traits(o->mechanism)->has_counts ? hrr_edge_count_ends(o, blocks_later)
                                                     : o->count_ends;
}

static void hash_edges(hrr_hash *hash, const hrr_edge_options *o, bool blocks_later,
                       uint64_t n_nodes)
{
    hrr_hash_text(hash, o->mechanism);
    hrr_hash_u64(hash, o->eps_nano);
    hrr_hash_text(hash, o->tree);
    hash_reals(hash, &o->tree_share, 1);
    hrr_hash_u64(hash, o->steps_per_node);
    hrr_hash_u64(hash, o->most_edges_out);
    hrr_hash_u64(hash, o->public_seed);
    hrr_hash_u64(hash, (uint64_t)ends_of(o, blocks_later));
    hrr_hash_u64(hash, o->sample_edges);
    hrr_hash_u64(hash, o->n_blocks);
    hrr_hash_part(hash, o->blocks, o->blocks ? n_nodes * sizeof *o->blocks : 0);
    if (o->need) hrr_hash_part(hash, o->need, n_nodes * sizeof *o->need);
    if (o->rivals) hrr_hash_part(hash, o->rivals, n_nodes * 2 * sizeof *o->rivals);
    if (o->shares) hrr_hash_text(hash, o->shares);
}

/* Pairs that everybody may see, in their canonical order. */
static void hash_public_edges(hrr_hash *hash, const hrr_graph *graph)
{
    const uint32_t *source = hrr_graph_sources(graph), *target = hrr_graph_targets(graph);
    const uint8_t *is_private = hrr_graph_is_private(graph);
    enum { most = 1024 };
    uint32_t pairs[2 * most];
    size_t used = 0;
    for (uint64_t e = 0; e < hrr_graph_n_edges(graph); e++) {
        if (is_private && is_private[e]) continue;
        pairs[used++] = source[e];
        pairs[used++] = target[e];
        if (used == 2 * most) hrr_hash_add(hash, pairs, sizeof pairs);
        used %= 2 * most;
    }
    hrr_hash_add(hash, pairs, used * sizeof *pairs);
}

static void hash_public(hrr_hash *hash, const hrr_graph *graph, bool every_edge)
{
    const uint64_t n = hrr_graph_n_nodes(graph);
    hrr_hash_u64(hash, every_edge);
    if (!every_edge) hash_public_edges(hash, graph);
    hrr_hash_part(hash, hrr_graph_split(graph), n);
    hrr_hash_part(hash, hrr_graph_candidates(graph), n);
    hrr_hash_part(hash, hrr_graph_graph_ids(graph), n * sizeof(uint32_t));
    hrr_hash_u64(hash, hrr_graph_inferred(graph));
    hrr_hash_u64(hash, hrr_graph_n_classes(graph));
    for (uint32_t c = 0; c < hrr_graph_n_classes(graph); c++)
        hrr_hash_text(hash, hrr_graph_class_name(graph, c));
}

hrr_status hrr_request_hash(uint8_t request[HRR_FINGERPRINT_SIZE], const hrr_graph *graph,
                            bool every_edge, const hrr_feature_options *features,
                            uint64_t n_features, const hrr_edge_options *edges,
                            const uint64_t *others, size_t n_others, const hrr_block_maker *maker,
                            hrr_error *err)
{
    hrr_hash hash;
    hrr_hash_init(&hash);
    hrr_hash_text(&hash, features ? "features" : NULL);
    if (features) hash_features(&hash, features, n_features);
    hrr_hash_text(&hash, edges ? "edges" : NULL);
    if (edges) hash_edges(&hash, edges, maker != NULL, hrr_graph_n_nodes(graph));
    hash_public(&hash, graph, every_edge);
    for (size_t i = 0; i < n_others; i++)
        hrr_hash_u64(&hash, others[i]);
    if (maker) hrr_hash_text(&hash, maker->name);
    if (maker) hrr_hash_u64(&hash, maker->version);
    return hrr_hash_finish(request, &hash, err);
}
