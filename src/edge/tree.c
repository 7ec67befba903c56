/* tree.c: see tree.h and tree_nodes.h. */
#include "edge/tree_nodes.h"
#include "base/memory.h"
#include "base/size.h"

#include <assert.h>
#include <string.h>

/* ---- thaw ----------------------------------------------------------------------------------- */

static hrr_status allocate(hrr_tree *tree, const hrr_tree_parts *parts, hrr_error *err)
{
    const size_t n = tree->n_leaves, n_nodes = n - 1;
    size_t bytes;
    if (!hrr_mul_fits(n, sizeof(hrr_tree_node), &bytes)) return hrr_no_memory(err);
    tree->node_block = hrr_alloc(bytes, 1); /* one node more than there are: room to align */
    tree->leaf = hrr_alloc(n, sizeof *tree->leaf);
    tree->position = hrr_alloc(n, sizeof *tree->position);
    if (!tree->node_block || !tree->leaf || !tree->position) return hrr_no_memory(err);
    const size_t line = sizeof(hrr_tree_node);
    tree->node = (hrr_tree_node *)(((uintptr_t)tree->node_block + line - 1) / line * line);
    for (int f = 0; f < tree->n_families; f++) {
        if (f > 0 && !(tree->edges[f] = hrr_alloc_zero(n_nodes, sizeof(uint64_t))))
            return hrr_no_memory(err);
        if (!parts->chosen[f] && !parts->weight[f]) continue;
        tree->counting[f] = hrr_alloc(2 * n_nodes, sizeof(uint32_t));
        if (!tree->counting[f]) return hrr_no_memory(err);
    }
    return HRR_OK;
}

static uint32_t leaf_weight(const hrr_tree_parts *parts, int f, uint32_t leaf)
{
    if (parts->weight[f]) return parts->weight[f][leaf];
    return !parts->chosen[f] || parts->chosen[f][leaf];
}

static uint32_t saturated(uint64_t x)
{
    return x < UINT32_MAX ? (uint32_t)x : UINT32_MAX;
}

static uint32_t leaf_volume(const hrr_tree *tree, uint32_t leaf)
{
    uint64_t entries = 0;
    for (int f = 0; f < tree->n_families; f++)
        entries += tree->family[f]->row_start[leaf + 1] - tree->family[f]->row_start[leaf];
    return saturated(entries);
}

static uint32_t node_volume(const hrr_tree_node *node)
{
    return saturated((uint64_t)node->side[0].volume + node->side[1].volume);
}

/* Children come after their parent in preorder, so the walk goes backwards. */
static void fill_nodes(hrr_tree *tree, const hrr_tree_parts *parts)
{
    const hrr_dendrogram *shape = parts->shape;
    for (uint32_t r = tree->n_leaves - 1; r-- > 0;) {
        hrr_tree_node *node = tree->node + r;
        const uint32_t begin[] = {shape->begin[r], shape->middle[r]};
        const uint32_t end[] = {shape->middle[r], shape->end[r]};
        const uint32_t internal[] = {r + 1, r + (end[0] - begin[0])};
        for (int side = 0; side < 2; side++) {
            const uint32_t leaf = shape->leaf[begin[side]];
            const uint32_t child = internal[side], size = end[side] - begin[side];
            node->side[side] = (hrr_tree_branch){
                .first = leaf,
                .size = size,
                .volume = size == 1 ? leaf_volume(tree, leaf) : node_volume(tree->node + child),
                .child = size == 1 ? HRR_LEAF_BIT | leaf : child};
            if (size > 1) tree->node[child].parent = r;
            for (int f = 0; f < tree->n_families; f++) {
                uint32_t *counting = tree->counting[f];
                if (!counting) continue;
                counting[2 * r + (uint32_t)side] =
                    size == 1 ? leaf_weight(parts, f, leaf)
                              : counting[2 * child] + counting[2 * child + 1];
            }
        }
        node->parent = HRR_NO_NODE;
        node->unused = 0;
        node->edges = 0;
        node->score = 0;
    }
}

static hrr_status fill_edges(hrr_tree *tree, const hrr_tree_parts *parts, hrr_error *err)
{
    const uint32_t n_nodes = tree->n_leaves - 1;
    uint64_t *counted = NULL;
    hrr_status status = HRR_OK;
    for (int f = 1; !status && f < tree->n_families; f++)
        status = hrr_dendrogram_count_rows(tree->edges[f], parts->shape, tree->family[f], err);
    const uint64_t *counts = parts->counts;
    if (!status && !counts) {
        counts = counted = hrr_alloc_zero(n_nodes, sizeof *counted);
        if (!counted) return hrr_no_memory(err);
        status = hrr_dendrogram_count_rows(counted, parts->shape, tree->family[0], err);
    }
    for (uint32_t r = 0; !status && r < n_nodes; r++)
        tree->node[r].edges = counts[r];
    hrr_free(counted);
    return status;
}

hrr_status hrr_tree_build(hrr_tree **out, const hrr_tree_parts *parts, hrr_error *err)
{
    *out = NULL;
    hrr_tree *tree = hrr_alloc_zero(1, sizeof *tree);
    if (!tree) return hrr_no_memory(err);
    tree->n_leaves = parts->shape->n_leaves;
    tree->n_families = parts->n_families;
    for (int f = 0; f < parts->n_families; f++)
        tree->family[f] = parts->family[f];
    hrr_status status = allocate(tree, parts, err);
    if (!status) {
        memcpy(tree->leaf, parts->shape->leaf, tree->n_leaves * sizeof *tree->leaf);
        memcpy(tree->position, parts->shape->position, tree->n_leaves * sizeof *tree->position);
        fill_nodes(tree, parts);
        status = fill_edges(tree, parts, err);
    }
    if (status) {
        hrr_tree_free(tree);
        return status;
    }
    *out = tree;
    return HRR_OK;
}

hrr_status hrr_tree_thaw(hrr_tree **out, const hrr_dendrogram *start, int n_families,
                         const hrr_csr *const families[], const uint8_t *const weights[],
                         hrr_error *err)
{
    assert(n_families >= 1 && n_families <= HRR_MOST_FAMILIES);
    hrr_tree_parts parts = {.shape = start, .n_families = n_families};
    for (int f = 0; f < n_families; f++) {
        parts.family[f] = families[f];
        parts.chosen[f] = weights ? weights[f] : NULL;
    }
    return hrr_tree_build(out, &parts, err);
}

void hrr_tree_free(hrr_tree *tree)
{
    if (!tree) return;
    hrr_free(tree->node_block);
    hrr_free(tree->leaf);
    hrr_free(tree->position);
    for (int f = 0; f < HRR_MOST_FAMILIES; f++) {
        hrr_free(tree->edges[f]);
        hrr_free(tree->counting[f]);
    }
    hrr_free(tree);
}

/* ---- freeze --------------------------------------------------------------------------------- */

static bool is_leaf(uint32_t child)
{
    return child & HRR_LEAF_BIT;
}

/* The next internal node in preorder; HRR_NO_NODE after the last. Parents lead back, so that a tree
 * of any depth needs no stack. */
static uint32_t next_in_preorder(const hrr_tree *tree, uint32_t r)
{
    const hrr_tree_node *node = tree->node + r;
    if (!is_leaf(node->side[0].child)) return node->side[0].child;
    if (!is_leaf(node->side[1].child)) return node->side[1].child;
    while (node->parent != HRR_NO_NODE) {
        const hrr_tree_node *parent = tree->node + node->parent;
        if (parent->side[0].child == r && !is_leaf(parent->side[1].child))
            return parent->side[1].child;
        r = node->parent;
        node = parent;
    }
    return HRR_NO_NODE;
}

void hrr_tree_store(hrr_dendrogram *out, uint64_t *counts, const hrr_tree *tree)
{
    const uint32_t n = tree->n_leaves;
    assert(out->n_leaves == n);
    memcpy(out->leaf, tree->leaf, n * sizeof *out->leaf);
    uint32_t number = 0;
    for (uint32_t r = n > 1 ? tree->root : HRR_NO_NODE; r != HRR_NO_NODE;
         r = next_in_preorder(tree, r)) {
        if (counts) counts[number] = tree->node[r].edges;
        out->middle[number++] = tree->position[tree->node[r].side[1].first];
    }
    const bool whole = hrr_dendrogram_complete(out);
    assert(whole), (void)whole;
}

hrr_status hrr_tree_freeze(hrr_dendrogram *out, const hrr_tree *tree, hrr_error *err)
{
    hrr_status status = hrr_dendrogram_init(out, tree->n_leaves, err);
    if (!status) hrr_tree_store(out, NULL, tree);
    return status;
}

/* ---- look ----------------------------------------------------------------------------------- */

uint32_t hrr_tree_root(const hrr_tree *tree)
{
    return tree->root;
}

uint32_t hrr_tree_parent(const hrr_tree *tree, uint32_t internal)
{
    return tree->node[internal].parent;
}

uint64_t hrr_tree_edges(const hrr_tree *tree, uint32_t internal, int family)
{
    return family ? tree->edges[family][internal] : tree->node[internal].edges;
}

static uint64_t counting_leaves(const hrr_tree *tree, int f, uint32_t r, int side)
{
    return tree->counting[f] ? tree->counting[f][2 * r + (uint32_t)side]
                             : tree->node[r].side[side].size;
}

uint64_t hrr_tree_pairs(const hrr_tree *tree, uint32_t internal, int family)
{
    return counting_leaves(tree, family, internal, 0) * counting_leaves(tree, family, internal, 1);
}

void hrr_tree_look(hrr_tree_move *out, const hrr_tree *tree, uint32_t y, bool swapped)
{
    assert(y != tree->root);
    const hrr_tree_place at = hrr_tree_at(tree, y, swapped);
    out->y = y;
    out->swapped = swapped;
    for (int f = 0; f < tree->n_families; f++) {
        const uint64_t edges_x = hrr_tree_edges(tree, at.x_name, f);
        out->edges_ij[f] = hrr_tree_edges(tree, y, f);
        out->edges_ik[f] = hrr_tree_edges_ik(tree, tree->family[f], &at, edges_x);
        out->edges_jk[f] = edges_x - out->edges_ik[f];
        out->leaves_i[f] = counting_leaves(tree, f, y, at.i);
        out->leaves_j[f] = counting_leaves(tree, f, y, at.j);
        out->leaves_k[f] = counting_leaves(tree, f, at.x_name, at.k);
    }
}

/* ---- apply ---------------------------------------------------------------------------------- */

static void put_leaf(hrr_tree *tree, uint32_t p, uint32_t leaf)
{
    tree->leaf[p] = leaf;
    tree->position[leaf] = p;
}

static void swap_leaves(hrr_tree *tree, uint32_t p, uint32_t q)
{
    const uint32_t leaf = tree->leaf[p];
    put_leaf(tree, p, tree->leaf[q]);
    put_leaf(tree, q, leaf);
}

/* Exchange two neighbouring blocks: a leaves from `begin`, then b. The shorter one changes places
 * with as many leaves at the far end of the longer one, until they are of one length. In place. */
static void exchange_blocks(hrr_tree *tree, uint32_t begin, uint32_t a, uint32_t b)
{
    while (a > 0 && b > 0) {
        const uint32_t least = a < b ? a : b;
        const uint32_t other = begin + (a < b ? b : a);
        for (uint32_t d = 0; d < least; d++)
            swap_leaves(tree, begin + d, other + d);
        if (a < b) { /* the first block stands at the end now, where it belongs */
            b -= a;
        } else { /* the second one stands at the beginning */
            begin += b;
            a -= b;
        }
    }
}

static void put(hrr_tree *tree, uint32_t r, int side, hrr_tree_branch what)
{
    tree->node[r].side[side] = what;
    if (!is_leaf(what.child)) tree->node[what.child].parent = r;
}

/* The block of r begins with another leaf now: so do the ancestors that begin with it. */
static void tell_ancestors(hrr_tree *tree, uint32_t r, uint32_t first)
{
    for (uint32_t parent; (parent = tree->node[r].parent) != HRR_NO_NODE; r = parent) {
        const int side = tree->node[parent].side[1].child == r;
        tree->node[parent].side[side].first = first;
        if (side == 1) return;
    }
}

/* Leaves that count, where all do not; x_k is the side of x where k was. */
static void move_counting(uint32_t *y, uint32_t *x, const hrr_tree_place *at, bool j_is_left)
{
    const uint32_t i = y[at->i], j = y[at->j], k = x[at->k];
    y[at->k] = k;
    y[!at->k] = i;
    x[!j_is_left] = j;
    x[j_is_left] = i + k;
}

/* i and k must become neighbours. They are in half of the cases, because left and right are free.
 * Otherwise j stands between them, and goes to the side of the smaller of the two. k keeps its side
 * of i. */
void hrr_tree_rearrange(hrr_tree *tree, uint32_t y, bool swapped, uint64_t edges_ik)
{
    const hrr_tree_place at = hrr_tree_at(tree, y, swapped);
    const uint32_t x = at.x_name;
    const hrr_tree_branch i = at.y->side[at.i], j = at.y->side[at.j], k = at.x->side[at.k];
    const uint64_t edges = at.y->edges + at.x->edges;
    const uint32_t first_before = at.x->side[0].first;
    bool j_is_left = at.k == 1; /* of the new pair (i, k) */
    if (at.j == at.k) {         /* j lies between i and k */
        const hrr_tree_branch left = at.k == 1 ? i : k, right = at.k == 1 ? k : i;
        j_is_left = left.size < right.size;
        if (j_is_left)
            exchange_blocks(tree, tree->position[left.first], left.size, j.size);
        else
            exchange_blocks(tree, tree->position[j.first], j.size, right.size);
    }
    const hrr_tree_branch pair = {.first = at.k == 1 ? i.first : k.first,
                                  .size = i.size + k.size,
                                  .volume = saturated((uint64_t)i.volume + k.volume),
                                  .child = y};
    for (int f = 0; f < tree->n_families; f++)
        if (tree->counting[f])
            move_counting(tree->counting[f] + 2 * (size_t)y, tree->counting[f] + 2 * (size_t)x, &at,
                          j_is_left);
    put(tree, y, at.k, k);
    put(tree, y, !at.k, i);
    put(tree, x, !j_is_left, j);
    put(tree, x, j_is_left, pair);
    tree->node[y].edges = edges_ik;
    tree->node[x].edges = edges - edges_ik;
    const uint32_t first = j_is_left ? j.first : pair.first;
    if (first != first_before) tell_ancestors(tree, x, first);
}

void hrr_tree_apply(hrr_tree *tree, const hrr_tree_move *move)
{
    const uint32_t x = tree->node[move->y].parent;
    for (int f = 1; f < tree->n_families; f++) {
        tree->edges[f][move->y] = move->edges_ik[f];
        tree->edges[f][x] = move->edges_ij[f] + move->edges_jk[f];
    }
    hrr_tree_rearrange(tree, move->y, move->swapped, move->edges_ik[0]);
}
