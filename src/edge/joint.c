/* joint.c: see joint.h. */
#include "edge/joint.h"
#include "edge/tree_nodes.h"
#include "graph/adjacency.h"
#include "random/below.h"
#include "random/bernoulli_exp.h"
#include "base/memory.h"

#include <math.h>

enum { PUBLIC = HRR_FAMILY_FIRST, PRIVATE = HRR_FAMILY_SECOND, TAKEN = HRR_FAMILY_THIRD };

hrr_edge_score hrr_joint_score(uint64_t n_nodes)
{
    hrr_edge_score score = hrr_edge_score_for(n_nodes);
    if (score.bits > HRR_JOINT_SCORE_MOST_BITS) score.bits = HRR_JOINT_SCORE_MOST_BITS;
    return score;
}

/* ---- set up --------------------------------------------------------------------------------- */

static hrr_status read_edges(hrr_joint *out, const hrr_edge_public *known,
                             const hrr_edge_secret *secret, hrr_error *err)
{
    hrr_status status = hrr_adjacency_of_edges(&out->adjacency[PUBLIC], known->n_nodes,
                                               known->n_edges, known->source, known->target, err);
    if (!status)
        status = hrr_adjacency_of_edges(&out->adjacency[PRIVATE], known->n_nodes, secret->n_edges,
                                        secret->source, secret->target, err);
    return status;
}

/* Public edges between candidates, if those are not all of them. */
static hrr_status read_taken(hrr_joint *out, const hrr_edge_public *known, hrr_error *err)
{
    out->taken = PUBLIC;
    if (!known->candidates) return HRR_OK;
    uint64_t n = 0;
    uint32_t *ends = hrr_alloc(known->n_edges, 2 * sizeof *ends);
    if (!ends) return hrr_no_memory(err);
    uint32_t *source = ends, *target = ends + known->n_edges;
    for (uint64_t e = 0; e < known->n_edges; e++)
        if (known->candidates[known->source[e]] && known->candidates[known->target[e]]) {
            source[n] = known->source[e];
            target[n++] = known->target[e];
        }
    out->taken = TAKEN;
    hrr_status status =
        hrr_adjacency_of_edges(&out->adjacency[TAKEN], known->n_nodes, n, source, target, err);
    hrr_free(ends);
    return status;
}

static hrr_status thaw(hrr_joint *out, const hrr_dendrogram *start, const uint8_t *public_leaves,
                       const uint8_t *private_leaves, hrr_error *err)
{
    const hrr_csr *families[HRR_MOST_FAMILIES];
    const uint8_t *weights[HRR_MOST_FAMILIES] = {public_leaves, private_leaves, NULL};
    for (int f = 0; f < HRR_MOST_FAMILIES; f++)
        families[f] = &out->adjacency[f];
    return hrr_tree_thaw(&out->tree, start, out->taken == TAKEN ? 3 : 2, families, weights, err);
}

hrr_status hrr_joint_init(hrr_joint *out, const hrr_dendrogram *start, const hrr_edge_public *known,
                          const hrr_edge_secret *secret, hrr_error *err)
{
    *out = (hrr_joint){.score = hrr_joint_score(known->n_nodes), .taken = -1};
    for (uint64_t v = 0; v < known->n_nodes; v++)
        out->n_private_leaves += !known->candidates || known->candidates[v];
    hrr_status status = read_edges(out, known, secret, err);
    if (!status) status = read_taken(out, known, err);
    if (!status) status = thaw(out, start, NULL, known->candidates, err);
    if (status) hrr_joint_clear(out);
    return status;
}

static uint64_t mark_touched(uint8_t *touched, const hrr_csr *adjacency)
{
    uint64_t n = 0;
    for (uint64_t v = 0; v < adjacency->rows; v++)
        n += touched[v] = adjacency->row_start[v + 1] > adjacency->row_start[v];
    return n;
}

hrr_status hrr_joint_init_published(hrr_joint *out, const hrr_dendrogram *start,
                                    const hrr_edge_public *known, const hrr_edge_secret *secret,
                                    hrr_error *err)
{
    *out = (hrr_joint){.score = hrr_joint_score(known->n_nodes), .taken = -1};
    uint8_t *touched = hrr_alloc(known->n_nodes, 2);
    hrr_status status = touched ? read_edges(out, known, secret, err) : hrr_no_memory(err);
    if (!status) {
        (void)mark_touched(touched, &out->adjacency[PUBLIC]);
        out->n_private_leaves = mark_touched(touched + known->n_nodes, &out->adjacency[PRIVATE]);
        status = thaw(out, start, touched, touched + known->n_nodes, err);
    }
    hrr_free(touched);
    if (status) hrr_joint_clear(out);
    return status;
}

void hrr_joint_clear(hrr_joint *joint)
{
    hrr_tree_free(joint->tree);
    for (int f = 0; f < HRR_MOST_FAMILIES; f++)
        hrr_csr_clear(&joint->adjacency[f]);
    *joint = (hrr_joint){0};
}

/* ---- step ----------------------------------------------------------------------------------- */

static hrr_edge_score_blocks edges_of(const hrr_tree_move *move, int f)
{
    return (hrr_edge_score_blocks){move->edges_ij[f], move->edges_ik[f], move->edges_jk[f]};
}

static hrr_edge_score_blocks pairs_of(const hrr_tree_move *move, int f)
{
    return (hrr_edge_score_blocks){move->leaves_i[f] * move->leaves_j[f],
                                   move->leaves_i[f] * move->leaves_k[f],
                                   move->leaves_j[f] * move->leaves_k[f]};
}

hrr_edge_score_blocks hrr_joint_edges(const hrr_tree_move *move)
{
    return edges_of(move, PRIVATE);
}

/* Pairs that are edges of `taken` do not count. */
hrr_edge_score_blocks hrr_joint_pairs(const hrr_joint *joint, const hrr_tree_move *move)
{
    hrr_edge_score_blocks pairs = pairs_of(move, PRIVATE);
    if (joint->taken < 0) return pairs;
    const hrr_edge_score_blocks taken = edges_of(move, joint->taken);
    pairs.ij -= taken.ij;
    pairs.ik -= taken.ik;
    pairs.jk -= taken.jk;
    return pairs;
}

void hrr_joint_step(hrr_joint *joint, int64_t weight_public, int64_t weight_private,
                    hrr_stream *stream)
{
    const uint64_t n_nodes = joint->tree->n_leaves - 1;
    const uint64_t choice = hrr_below(stream, 2 * (n_nodes - 1));
    hrr_tree_move move;
    hrr_tree_look(&move, joint->tree, 1 + (uint32_t)(choice / 2), choice % 2); /* 0 is the root */
    const hrr_edge_score_blocks edges[] = {edges_of(&move, PUBLIC), edges_of(&move, PRIVATE)};
    const hrr_edge_score_blocks pairs[] = {pairs_of(&move, PUBLIC), hrr_joint_pairs(joint, &move)};
    const int64_t gain_public = hrr_edge_score_move(&joint->score, &edges[0], &pairs[0]);
    const int64_t gain_private = hrr_edge_score_move(&joint->score, &edges[1], &pairs[1]);
    const __int128 z =
        (__int128)weight_public * gain_public + (__int128)weight_private * gain_private;
    if (z < 0) {
        const unsigned bits = joint->score.bits + HRR_JOINT_WEIGHT_BITS;
        if (-z >> bits > 1000) return; /* e^-1000 */
        if (!hrr_sample_bernoulli_exp(stream, (uint64_t)-z, UINT64_C(1) << bits)) return;
    }
    joint->likelihood += gain_public + gain_private;
    hrr_tree_apply(joint->tree, &move);
}

/* ---- a whole chain -------------------------------------------------------------------------- */

static hrr_status walk_securely(hrr_joint *joint, const hrr_joint_chain *chain,
                                const hrr_tree_plan *plan, const hrr_random *random,
                                hrr_progress *progress, hrr_error *err)
{
    hrr_stream *stream;
    hrr_status status = hrr_stream_new(&stream, random, err);
    if (status) return status;
    hrr_stream_seek(stream, HRR_PURPOSE_EDGE_TREE, 0);
    hrr_progress_begin(progress, "sampling the tree", plan->chain_steps);
    const int64_t weight = chain->weight_private(plan->eps_tree_nano, joint);
    status = chain->walk(joint, weight, plan->chain_steps, stream, progress, err);
    hrr_stream_free(stream);
    return status;
}

hrr_status hrr_joint_draw(hrr_dendrogram *out, double *realised_eps, const hrr_joint_chain *chain,
                          const hrr_tree_plan *plan, const hrr_edge_secret *secret,
                          const hrr_random *random, hrr_progress *progress, hrr_error *err)
{
    *realised_eps = INFINITY; /* nothing is proved */
    if (plan->start.n_leaves < 3) return hrr_dendrogram_copy(out, &plan->start, err);
    hrr_joint joint;
    hrr_status status = chain->init(&joint, &plan->start, plan->known, secret, err);
    if (status) return status;
    status = walk_securely(&joint, chain, plan, random, progress, err);
    if (!status) status = hrr_tree_freeze(out, joint.tree, err);
    hrr_joint_clear(&joint);
    return status;
}
