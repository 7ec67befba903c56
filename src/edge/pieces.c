/* pieces.c: see pieces.h. */
#include "edge/pieces.h"
#include "base/memory.h"
#include "matrix/csr.h"
#include "random/fast.h"

#include <assert.h>
#include <string.h>

static uint32_t size_of(const hrr_dendrogram *tree, uint32_t r)
{
    return tree->end[r] - tree->begin[r];
}

/* ---- cut ------------------------------------------------------------------------------------ */

/* A parent is met before its children and hands its piece down, unless one of them is frozen. */
static void find_pieces(uint32_t *piece_of, uint32_t *n_pieces, const hrr_dendrogram *tree,
                        const uint8_t *frozen)
{
    const uint32_t n_nodes = tree->n_leaves - 1, none = UINT32_MAX;
    uint32_t n = 0;
    memset(piece_of, 0xff, n_nodes * sizeof *piece_of);
    for (uint32_t r = 0; r < n_nodes; r++) {
        if (piece_of[r] == none) piece_of[r] = n++;
        if (frozen[r]) continue;
        const uint32_t left = tree->middle[r] - tree->begin[r], right = size_of(tree, r) - left;
        if (left > 1 && !frozen[r + 1]) piece_of[r + 1] = piece_of[r];
        if (right > 1 && !frozen[r + left]) piece_of[r + left] = piece_of[r];
    }
    *n_pieces = n;
}

static void describe_pieces(hrr_pieces *out, const hrr_dendrogram *tree)
{
    for (uint32_t r = 0; r + 1 < tree->n_leaves; r++) {
        hrr_piece *piece = out->piece + out->piece_of[r];
        if (piece->n_internal++ == 0) piece->root = r;
        const uint32_t left = tree->middle[r] - tree->begin[r], right = size_of(tree, r) - left;
        piece->n_holes += left > 1 && out->piece_of[r + 1] != out->piece_of[r];
        piece->n_holes += right > 1 && out->piece_of[r + left] != out->piece_of[r];
    }
}

hrr_status hrr_pieces_cut(hrr_pieces *out, const hrr_dendrogram *tree, uint64_t one_in,
                          hrr_fast_random *random, hrr_error *err)
{
    const uint32_t n = tree->n_leaves;
    uint8_t *frozen = hrr_alloc_zero(n, 1);
    *out = (hrr_pieces){.piece_of = hrr_alloc(n, sizeof(uint32_t))};
    if (!frozen || !out->piece_of) goto no_memory;
    for (uint32_t r = 0; one_in && r + 1 < n; r++)
        frozen[r] = hrr_fast_below(random, one_in) == 0;
    find_pieces(out->piece_of, &out->n_pieces, tree, frozen);
    out->piece = hrr_alloc_zero(out->n_pieces, sizeof *out->piece);
    if (!out->piece) goto no_memory;
    describe_pieces(out, tree);
    hrr_free(frozen);
    return HRR_OK;
no_memory:
    hrr_free(frozen);
    hrr_pieces_clear(out);
    return hrr_no_memory(err);
}

void hrr_pieces_clear(hrr_pieces *pieces)
{
    for (uint32_t i = 0; pieces->piece && i < pieces->n_pieces; i++) {
        hrr_dendrogram_clear(&pieces->piece[i].shape);
        hrr_free(pieces->piece[i].counts);
        hrr_free(pieces->piece[i].start);
        hrr_free(pieces->piece[i].stands_for);
    }
    hrr_free(pieces->piece);
    hrr_free(pieces->piece_of);
    *pieces = (hrr_pieces){0};
}

/* ---- thaw ----------------------------------------------------------------------------------- */

/* Whose a position of the tree is, in the piece. Nothing is stored for the positions of the largest
 * leaf: pieces along a spine would store them again and again. */
typedef struct ownership {
    uint32_t begin, size;                 /* the piece's block */
    uint32_t largest;                     /* UINT32_MAX: every leaf is one position */
    uint32_t largest_begin, largest_size; /* its block, from `begin` */
    uint32_t *owner;                      /* by position from `begin`, the largest's left out */
} ownership;

static inline uint32_t owner_of(const ownership *own, uint32_t q)
{
    if (!own->owner) return q;
    if (q < own->largest_begin) return own->owner[q];
    if (q - own->largest_begin < own->largest_size) return own->largest;
    return own->owner[q - own->largest_size];
}

/* start[l] of every leaf and one past the last; holes come by ascending begin in preorder. */
static void find_leaves(hrr_piece *piece, const hrr_pieces *pieces, const hrr_dendrogram *tree)
{
    uint32_t *start = piece->start;
    memset(piece->stands_for, 0xff, (piece->n_internal + 1) * sizeof *piece->stands_for);
    const uint32_t id = pieces->piece_of[piece->root];
    const uint32_t last = piece->root + size_of(tree, piece->root) - 1;
    uint32_t p = tree->begin[piece->root], l = 0;
    for (uint32_t r = piece->root; r < last;) {
        if (pieces->piece_of[r] == id) {
            r++;
            continue;
        }
        while (p < tree->begin[r])
            start[l++] = p++;
        piece->stands_for[l] = pieces->piece_of[r];
        start[l++] = p;
        p = tree->end[r];
        r += size_of(tree, r) - 1;
    }
    while (p < tree->end[piece->root])
        start[l++] = p++;
    start[l] = p;
    assert(l == piece->n_internal + 1);
}

/* Local preorder is the tree's preorder with the holes left out. */
static void fill_shape(hrr_piece *piece, const hrr_pieces *pieces, const hrr_dendrogram *tree,
                       const uint64_t *counts, const ownership *own)
{
    const uint32_t id = pieces->piece_of[piece->root];
    const uint32_t last = piece->root + size_of(tree, piece->root) - 1;
    uint32_t number = 0;
    for (uint32_t r = piece->root; r < last;) {
        if (pieces->piece_of[r] != id) {
            r += size_of(tree, r) - 1;
            continue;
        }
        piece->shape.middle[number] = owner_of(own, tree->middle[r] - own->begin);
        piece->counts[number++] = counts[r++];
    }
    for (uint32_t l = 0; l < piece->shape.n_leaves; l++)
        piece->shape.leaf[l] = l;
    const bool whole = hrr_dendrogram_complete(&piece->shape);
    assert(whole), (void)whole;
}

static uint32_t leaf_begin(const hrr_piece *piece, const ownership *own, uint32_t l)
{
    return piece->start ? piece->start[l] : own->begin + l; /* l one past the last is allowed */
}

/* Entries to read for the adjacency of each leaf: an upper bound of what it will hold. */
static uint64_t entries_of(const hrr_dendrogram *tree, const hrr_csr *adjacency, uint32_t begin,
                           uint32_t end)
{
    uint64_t n = 0;
    for (uint32_t p = begin; p < end; p++)
        n += adjacency->row_start[tree->leaf[p] + 1] - adjacency->row_start[tree->leaf[p]];
    return n;
}

/* Rows of leaves that stand side by side lie anywhere. Two are asked for before they are read. */
static inline void fetch_row(const hrr_dendrogram *tree, const hrr_csr *adjacency, uint32_t p)
{
    if (p + 4 < tree->n_leaves) __builtin_prefetch(adjacency->row_start + tree->leaf[p + 4]);
    if (p + 2 < tree->n_leaves)
        __builtin_prefetch(adjacency->col + adjacency->row_start[tree->leaf[p + 2]]);
}

/* One leaf's neighbours in the piece, behind col. */
static uint64_t append_row(uint32_t *col, const hrr_dendrogram *tree, const hrr_csr *adjacency,
                           const ownership *own, uint32_t l, uint32_t begin, uint32_t end)
{
    uint64_t n = 0;
    for (uint32_t p = begin; p < end; p++) {
        fetch_row(tree, adjacency, p);
        for (uint64_t k = adjacency->row_start[tree->leaf[p]];
             k < adjacency->row_start[tree->leaf[p] + 1]; k++) {
            const uint32_t q = tree->position[adjacency->col[k]] - own->begin;
            if (q >= own->size) continue;
            const uint32_t neighbour = owner_of(own, q);
            col[n] = neighbour;
            n += neighbour != l;
        }
    }
    return n;
}

/* Rows before the largest leaf's, then a gap for it, then the rest: its own row is told by the
 * others, because reading it may cost more than all of them. */
static hrr_status build_adjacency(hrr_csr *out, const hrr_piece *piece, const hrr_dendrogram *tree,
                                  const hrr_csr *adjacency, const ownership *own, hrr_error *err)
{
    const uint32_t n = piece->n_internal + 1;
    uint64_t most = 0;
    for (uint32_t l = 0; l < n; l++)
        if (l != own->largest)
            most += entries_of(tree, adjacency, leaf_begin(piece, own, l),
                               leaf_begin(piece, own, l + 1));
    hrr_status status = hrr_csr_init(out, n, n, (own->largest < n ? 2 : 1) * most + 1, false, err);
    if (status) return status;
    uint64_t filled = 0, n_largest = 0;
    for (uint32_t l = 0; l < n; l++) {
        out->row_start[l] = filled;
        if (l == own->largest) continue;
        filled += append_row(out->col + filled, tree, adjacency, own, l, leaf_begin(piece, own, l),
                             leaf_begin(piece, own, l + 1));
    }
    out->row_start[n] = filled;
    if (own->largest >= n) return HRR_OK;
    for (uint64_t k = 0; k < filled; k++)
        n_largest += out->col[k] == own->largest;
    /* Shift the rows behind it, last first, then let every row say whether it is a neighbour. */
    const uint64_t gap = out->row_start[own->largest];
    memmove(out->col + gap + n_largest, out->col + gap, (filled - gap) * sizeof *out->col);
    for (uint32_t l = own->largest + 1; l <= n; l++)
        out->row_start[l] += n_largest;
    uint64_t next = gap;
    for (uint32_t l = 0; l < n; l++)
        for (uint64_t k = out->row_start[l]; l != own->largest && k < out->row_start[l + 1]; k++)
            if (out->col[k] == own->largest) out->col[next++] = l;
    return HRR_OK;
}

/* What only a piece with holes needs: where its leaves begin, whose a position is, weights. */
static hrr_status describe_leaves(hrr_piece_tree *out, ownership *own, hrr_piece *piece,
                                  const hrr_pieces *pieces, const hrr_dendrogram *tree,
                                  hrr_error *err)
{
    const uint32_t n = piece->n_internal + 1;
    piece->start = hrr_alloc((size_t)n + 1, sizeof *piece->start);
    piece->stands_for = hrr_alloc(n, sizeof *piece->stands_for);
    out->weight = hrr_alloc(n, sizeof *out->weight);
    if (!piece->start || !piece->stands_for || !out->weight) return hrr_no_memory(err);
    find_leaves(piece, pieces, tree);
    own->largest = 0;
    for (uint32_t l = 0; l < n; l++) {
        out->weight[l] = piece->start[l + 1] - piece->start[l];
        if (out->weight[l] > out->weight[own->largest]) own->largest = l;
    }
    own->largest_begin = piece->start[own->largest] - own->begin;
    own->largest_size = out->weight[own->largest];
    own->owner = hrr_alloc(own->size - own->largest_size, sizeof *own->owner);
    if (!own->owner) return hrr_no_memory(err);
    uint32_t *next = own->owner;
    for (uint32_t l = 0; l < n; l++)
        for (uint32_t p = piece->start[l]; l != own->largest && p < piece->start[l + 1]; p++)
            *next++ = l;
    return HRR_OK;
}

hrr_status hrr_piece_thaw(hrr_piece_tree *out, hrr_piece *piece, const hrr_pieces *pieces,
                          const hrr_dendrogram *tree, const uint64_t *counts,
                          const hrr_csr *adjacency, hrr_error *err)
{
    *out = (hrr_piece_tree){0};
    ownership own = {.begin = tree->begin[piece->root],
                     .size = size_of(tree, piece->root),
                     .largest = UINT32_MAX};
    hrr_status status = HRR_OK;
    if (piece->n_holes > 0) status = describe_leaves(out, &own, piece, pieces, tree, err);
    if (!status) status = hrr_dendrogram_init(&piece->shape, piece->n_internal + 1, err);
    if (!status && !(piece->counts = hrr_alloc(piece->n_internal, sizeof *piece->counts)))
        status = hrr_no_memory(err);
    if (!status) {
        fill_shape(piece, pieces, tree, counts, &own);
        if (piece->steps > 0)
            status = build_adjacency(&out->adjacency, piece, tree, adjacency, &own, err);
    }
    hrr_free(own.owner);
    if (!status && piece->steps > 0) {
        const hrr_tree_parts parts = {.shape = &piece->shape,
                                      .n_families = 1,
                                      .family = {&out->adjacency},
                                      .weight = {out->weight},
                                      .counts = piece->counts};
        status = hrr_tree_build(&out->tree, &parts, err);
    }
    if (status) hrr_piece_tree_clear(out);
    return status;
}

void hrr_piece_freeze(hrr_piece *piece, const hrr_piece_tree *from)
{
    if (from->tree) hrr_tree_store(&piece->shape, piece->counts, from->tree);
}

void hrr_piece_tree_clear(hrr_piece_tree *what)
{
    hrr_tree_free(what->tree);
    hrr_csr_clear(&what->adjacency);
    hrr_free(what->weight);
    *what = (hrr_piece_tree){0};
}

/* ---- join ----------------------------------------------------------------------------------- */

/* Where a piece goes: its first position and its root's number. */
typedef struct target {
    uint32_t position, number;
} target;

typedef struct joint {
    const hrr_dendrogram *old;
    const uint64_t *old_counts;
    uint32_t *leaf, *middle; /* of the new tree */
    uint64_t *counts;
    target *target;            /* by piece; set by the piece above it */
    uint32_t *border, *number; /* scratch, by leaf and by node of a piece */
} joint;

/* Never thawed, no holes: the block and its nodes as they were. */
static void copy_piece(joint *to, const hrr_piece *piece, target at)
{
    const uint32_t begin = to->old->begin[piece->root], n_nodes = piece->n_internal;
    memcpy(to->leaf + at.position, to->old->leaf + begin, (n_nodes + 1) * sizeof *to->leaf);
    memcpy(to->counts + at.number, to->old_counts + piece->root, n_nodes * sizeof *to->counts);
    for (uint32_t r = 0; r < n_nodes; r++)
        to->middle[at.number + r] = to->old->middle[piece->root + r] - begin + at.position;
}

/* Never thawed, one node: its children are leaves of the tree or pieces of their own. */
static void copy_node(joint *to, const hrr_pieces *pieces, const hrr_piece *piece, target at)
{
    const hrr_dendrogram *old = to->old;
    const uint32_t r = piece->root, left = old->middle[r] - old->begin[r];
    const uint32_t size[] = {left, old->end[r] - old->middle[r]};
    const target child[] = {{at.position, at.number + 1}, {at.position + left, at.number + left}};
    const uint32_t internal[] = {r + 1, r + left}, begin[] = {old->begin[r], old->middle[r]};
    for (int side = 0; side < 2; side++)
        if (size[side] > 1)
            to->target[pieces->piece_of[internal[side]]] = child[side];
        else
            to->leaf[child[side].position] = old->leaf[begin[side]];
    to->middle[at.number] = child[1].position;
    to->counts[at.number] = to->old_counts[r];
}

/* The child of a piece's node that covers local leaves p..end-1 and is internal node `local` there
 * unless it is a leaf. */
static void place_child(joint *to, const hrr_piece *piece, uint32_t p, uint32_t end, uint32_t local,
                        uint32_t number)
{
    const uint32_t l = piece->shape.leaf[p];
    if (end - p > 1)
        to->number[local] = number;
    else if (piece->start && piece->stands_for[l] != HRR_NO_NODE)
        to->target[piece->stands_for[l]] = (target){to->border[p], number};
    else
        to->leaf[to->border[p]] =
            to->old->leaf[piece->start ? piece->start[l] : to->old->begin[piece->root] + l];
}

/* Numbers are handed down as in dendrogram.h, with blocks measured in leaves of the tree. */
static void place_piece(joint *to, const hrr_piece *piece, target at)
{
    const hrr_dendrogram *shape = &piece->shape;
    uint32_t *border = to->border;
    border[0] = at.position;
    for (uint32_t p = 0; p < shape->n_leaves; p++) {
        const uint32_t l = shape->leaf[p];
        border[p + 1] = border[p] + (piece->start ? piece->start[l + 1] - piece->start[l] : 1);
    }
    to->number[0] = at.number;
    for (uint32_t r = 0; r + 1 < shape->n_leaves; r++) {
        const uint32_t begin = shape->begin[r], middle = shape->middle[r], number = to->number[r];
        to->middle[number] = border[middle];
        to->counts[number] = piece->counts[r];
        place_child(to, piece, begin, middle, r + 1, number + 1);
        place_child(to, piece, middle, shape->end[r], r + (middle - begin),
                    number + (border[middle] - border[begin]));
    }
}

hrr_status hrr_pieces_join(hrr_dendrogram *tree, uint64_t *counts, const hrr_pieces *pieces,
                           hrr_error *err)
{
    const uint32_t n = tree->n_leaves;
    joint to = {.old = tree,
                .old_counts = counts,
                .leaf = hrr_alloc(n, sizeof(uint32_t)),
                .middle = hrr_alloc(n, sizeof(uint32_t)),
                .counts = hrr_alloc(n, sizeof(uint64_t)),
                .target = hrr_alloc_zero(pieces->n_pieces, sizeof(target)),
                .border = hrr_alloc((size_t)n + 1, sizeof(uint32_t)),
                .number = hrr_alloc(n, sizeof(uint32_t))};
    hrr_status status = HRR_OK;
    if (!to.leaf || !to.middle || !to.counts || !to.target || !to.border || !to.number)
        status = hrr_no_memory(err);
    for (uint32_t i = 0; !status && i < pieces->n_pieces; i++) {
        const hrr_piece *piece = pieces->piece + i;
        if (piece->shape.n_leaves > 0)
            place_piece(&to, piece, to.target[i]);
        else if (piece->n_internal == 1)
            copy_node(&to, pieces, piece, to.target[i]);
        else
            copy_piece(&to, piece, to.target[i]);
    }
    if (!status) {
        memcpy(tree->leaf, to.leaf, n * sizeof *tree->leaf);
        memcpy(tree->middle, to.middle, (n - 1) * sizeof *tree->middle);
        memcpy(counts, to.counts, (n - 1) * sizeof *counts);
        const bool whole = hrr_dendrogram_complete(tree);
        assert(whole), (void)whole;
    }
    hrr_free(to.leaf);
    hrr_free(to.middle);
    hrr_free(to.counts);
    hrr_free(to.target);
    hrr_free(to.border);
    hrr_free(to.number);
    return status;
}
