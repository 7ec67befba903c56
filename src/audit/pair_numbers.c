/* pair_numbers.c: see pair_numbers.h. Trees and their counts are in another order in every release
 * that draws its tree; so the count is looked up in the tree that was released. */
#include "audit/pair_numbers.h"
#include "edge/dendrogram.h"
#include "base/memory.h"

#include <assert.h>
#include <string.h>

static const hrr_array *find_part(const hrr_edge_release *release, const char *name)
{
    for (int i = 0; i < release->n_parts; i++)
        if (strcmp(release->parts[i].name, name) == 0) return &release->parts[i].array;
    return NULL;
}

hrr_numbers_kind hrr_pair_numbers_kind(const hrr_edge_release *release, const hrr_edge_plan *plan)
{
    if (find_part(release, "block_counts.npy")) return HRR_NUMBERS_NODES;
    if (!find_part(release, "tree_counts.npy")) return HRR_NUMBERS_NONE;
    return hrr_edge_plan_claim(plan).eps_tree_nano > 0 ? HRR_NUMBERS_TREE_DRAWN : HRR_NUMBERS_TREE;
}

uint32_t hrr_pair_numbers_width(hrr_numbers_kind kind)
{
    static const uint32_t width[] = {[HRR_NUMBERS_NONE] = 0,
                                     [HRR_NUMBERS_TREE] = 1,
                                     [HRR_NUMBERS_TREE_DRAWN] = 2,
                                     [HRR_NUMBERS_NODES] = 2,
                                     [HRR_NUMBERS_NODES_APART] = 2};
    return width[kind];
}

/* ---- a tree ---------------------------------------------------------------------------------- */

/* tree.npy as a dendrogram; its third column, the query of each internal node, stays there. */
static hrr_status read_tree(hrr_dendrogram *out, const hrr_array *array, hrr_error *err)
{
    const uint32_t *row = array->data, n = (uint32_t)array->shape[0];
    hrr_status status = hrr_dendrogram_init(out, n, err);
    if (status) return status;
    for (uint32_t i = 0; i < n; i++, row += 3) {
        out->leaf[i] = row[0];
        if (i + 1 < n) out->middle[i] = row[1];
    }
    const bool is_tree = hrr_dendrogram_complete(out);
    assert(is_tree);
    (void)is_tree;
    return HRR_OK;
}

static uint32_t common_ancestor(const hrr_dendrogram *tree, const uint32_t pair[2])
{
    const uint32_t u = tree->position[pair[0]], v = tree->position[pair[1]];
    uint32_t r = 0;
    while ((u < tree->middle[r]) == (v < tree->middle[r]))
        r += u < tree->middle[r] ? 1 : tree->middle[r] - tree->begin[r];
    return r;
}

static hrr_status tree_numbers(float *out, hrr_numbers_kind kind, const hrr_edge_release *release,
                               const hrr_edge_secret *rest, const uint32_t pair[2], hrr_error *err)
{
    const hrr_array *array = find_part(release, "tree.npy");
    const uint32_t *query = (const uint32_t *)array->data + 2;
    const int64_t *noisy = find_part(release, "tree_counts.npy")->data;
    hrr_dendrogram tree;
    hrr_status status = read_tree(&tree, array, err);
    if (status) return status;
    const uint32_t n_internal = tree.n_leaves - 1;
    uint64_t *counts = hrr_alloc(n_internal, sizeof *counts);
    status =
        counts ? hrr_dendrogram_count(counts, &tree, rest->n_edges, rest->source, rest->target, err)
               : hrr_no_memory(err);
    if (!status) {
        const uint32_t at = common_ancestor(&tree, pair), asked = query[3 * (size_t)at];
        int64_t number = noisy[asked];
        for (uint32_t r = 0; r < n_internal; r++)
            if (query[3 * (size_t)r] == asked) number -= (int64_t)counts[r];
        out[0] = (float)number;
        if (kind == HRR_NUMBERS_TREE_DRAWN)
            out[1] =
                (float)(tree.middle[at] - tree.begin[at]) * (float)(tree.end[at] - tree.middle[at]);
    }
    hrr_free(counts);
    hrr_dendrogram_clear(&tree);
    return status;
}

/* ---- counts of nodes ------------------------------------------------------------------------- */

/* The count of `node` that an edge to `other` moves: into its block, or, if that is the second of
 * two rivals, of the first. A mechanism that counts a pair at one end only has fewer of the rest in
 * it: then it is off by a constant, which hides nothing. */
static float node_number(const hrr_array *counts, const uint32_t *block, const uint32_t *rivals,
                         const hrr_edge_secret *rest, uint32_t node, uint32_t other)
{
    const uint32_t *own = rivals ? rivals + 2 * (size_t)node : NULL;
    const bool away = own && own[0] != own[1] && block[other] == own[1];
    const uint32_t at = away ? own[0] : block[other];
    int64_t number = ((const int64_t *)counts->data)[node * counts->shape[1] + at];
    if (away) return (float)number;
    for (uint64_t e = 0; e < rest->n_edges; e++) {
        const uint32_t u = rest->source[e], v = rest->target[e];
        if (u == node || v == node) number -= block[u == node ? v : u] == block[other];
    }
    return (float)number;
}

/* Of the node, into the block after the one in question; 0: there is no other. The rest is in it,
 * which is a constant. */
static int64_t another_count(const hrr_array *counts, uint32_t node, uint32_t block)
{
    const uint64_t n_blocks = counts->shape[1], other = (block + 1) % n_blocks;
    return other == block ? 0 : ((const int64_t *)counts->data)[node * n_blocks + other];
}

hrr_status hrr_pair_numbers(float *out, hrr_numbers_kind kind, const hrr_edge_release *release,
                            const hrr_edge_secret *rest, const uint32_t pair[2], hrr_error *err)
{
    assert(kind != HRR_NUMBERS_NONE);
    if (kind < HRR_NUMBERS_NODES) return tree_numbers(out, kind, release, rest, pair, err);
    const hrr_array *counts = find_part(release, "block_counts.npy");
    const uint32_t *block = find_part(release, "blocks.npy")->data;
    const hrr_array *part = find_part(release, "rivals.npy");
    const uint32_t *rivals = part ? part->data : NULL;
    out[0] = node_number(counts, block, rivals, rest, pair[0], pair[1]);
    out[1] = node_number(counts, block, rivals, rest, pair[1], pair[0]);
    for (int i = 0; i < 2 && kind == HRR_NUMBERS_NODES_APART; i++)
        out[i] -= (float)another_count(counts, pair[i], block[pair[1 - i]]);
    return HRR_OK;
}
