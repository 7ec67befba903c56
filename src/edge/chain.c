/* chain.c: a Metropolis chain over dendrograms with target exp(L_pub), on public edges alone.
 *
 * A step looks at a random internal node y that is not the root and at one of its two
 * alternatives, and takes it with probability min(1, exp(change of L_pub)). A move renames nothing
 * and the choice of y is by name, so a move and its way back are proposed equally often.
 *
 * Rounds. Each round freezes some internal nodes, which cuts the tree into pieces (pieces.h), works
 * on every piece alone, and joins them. Threads take pieces; each piece of each round has its own
 * random stream, so that the result does not depend on the number of threads. Every round leaves
 * exp(L_pub) as it is. A small tree is not cut: it is done before threads would have begun. */
#include "edge/chain.h"
#include "edge/likelihood.h"
#include "edge/pieces.h"
#include "graph/adjacency.h"
#include "random/fast.h"
#include "base/memory.h"

#include <stdlib.h>

enum { CHUNK = 16384 }; /* steps between two looks at the progress: a few milliseconds */

/* ---- steps ---------------------------------------------------------------------------------- */

static inline uint64_t leaves_below(const hrr_tree *tree, uint32_t r, int side, bool weighted)
{
    return weighted ? tree->counting[0][2 * r + (uint32_t)side] : tree->node[r].side[side].size;
}

static void score_nodes(hrr_tree *tree, const hrr_phi *phi)
{
    for (uint32_t r = 0; r + 1 < tree->n_leaves; r++)
        tree->node[r].score = hrr_term(phi, hrr_tree_edges(tree, r, 0), hrr_tree_pairs(tree, r, 0));
}

/* Which move the word of a step looks at. The choice is by name, so that its small unevenness
 * (names are no power of two) is the same for a move and its way back. */
static inline uint32_t chosen_node(const hrr_tree *tree, uint64_t word)
{
    return 1 + (uint32_t)((word >> 32) * (tree->n_leaves - 2) >> 32); /* 0 is the root */
}

/* True with probability e^gain, gain < 0. Most are decided by 1 + g <= e^g <= 1 / (1 - g). */
static inline bool accepts(double gain, hrr_fast_random *random)
{
    const double uniform = (double)(hrr_fast_word(random) >> 11) * 0x1p-53;
    if (uniform * (1 - gain) >= 1) return false;
    return uniform < 1 + gain || uniform < exp(gain);
}

/* Inlined twice: for trees whose leaves count one each, and for the others. */
static inline __attribute__((always_inline)) void
step(hrr_tree *tree, const hrr_phi *phi, uint64_t word, hrr_fast_random *random, bool weighted)
{
    const uint32_t y = chosen_node(tree, word);
    const bool swapped = word & 1;
    const hrr_tree_place at = hrr_tree_at(tree, y, swapped);
    const uint32_t x = at.x_name;
    const uint64_t i = leaves_below(tree, y, at.i, weighted);
    const uint64_t j = leaves_below(tree, y, at.j, weighted);
    const uint64_t k = leaves_below(tree, x, at.k, weighted);
    const uint64_t edges_x = at.x->edges, edges_y = at.y->edges;
    const uint64_t edges_ik = hrr_tree_edges_ik(tree, tree->family[0], &at, edges_x);
    const double below = hrr_term(phi, edges_ik, i * k);
    const double above = hrr_term(phi, edges_x + edges_y - edges_ik, (i + k) * j);
    const double gain = below + above - at.x->score - at.y->score;
    if (gain < 0 && !accepts(gain, random)) return;
    hrr_tree_rearrange(tree, y, swapped, edges_ik);
    tree->node[y].score = below;
    tree->node[x].score = above;
}

/* Where the blocks of a node's children lie, and what they see. */
static inline void fetch_blocks(const hrr_tree *tree, uint32_t y)
{
    for (int side = 0; side < 2; side++) {
        const uint32_t first = tree->node[y].side[side].first;
        __builtin_prefetch(tree->family[0]->row_start + first);
        __builtin_prefetch(tree->position + first);
    }
}

/* The nodes of the next steps are known before the steps are made: fetch them early, then their
 * parents, then their blocks. What is fetched may have changed by then; nothing but time depends on
 * it. */
static inline __attribute__((always_inline)) void
steps(hrr_tree *tree, const hrr_phi *phi, uint64_t n_steps, hrr_fast_random *random, bool weighted)
{
    enum { AHEAD = 8, HALF = AHEAD / 2, SOON = 2 };
    uint64_t word[AHEAD];
    for (int a = 0; a < AHEAD; a++)
        word[a] = hrr_fast_word(random);
    for (uint64_t s = 0; s < n_steps; s++) {
        const uint64_t now = word[s % AHEAD];
        word[s % AHEAD] = hrr_fast_word(random);
        __builtin_prefetch(tree->node + chosen_node(tree, word[s % AHEAD]));
        __builtin_prefetch(tree->node +
                           tree->node[chosen_node(tree, word[(s + HALF) % AHEAD])].parent);
        fetch_blocks(tree, chosen_node(tree, word[(s + SOON) % AHEAD]));
        step(tree, phi, now, random, weighted);
    }
}

static void walk(hrr_tree *tree, const hrr_phi *phi, uint64_t n_steps, hrr_fast_random *random,
                 hrr_progress *progress)
{
    score_nodes(tree, phi);
    while (n_steps > 0 && !hrr_progress_cancelled(progress)) {
        const uint64_t chunk = n_steps < CHUNK ? n_steps : CHUNK;
        if (tree->counting[0])
            steps(tree, phi, chunk, random, true);
        else
            steps(tree, phi, chunk, random, false);
        n_steps -= chunk;
        if (hrr_progress_advance(progress, chunk, NULL)) break; /* said by who started the walks */
    }
}

/* ---- rounds --------------------------------------------------------------------------------- */

typedef struct chain {
    const hrr_csr *adjacency;
    const hrr_phi *phi;
    hrr_dendrogram *tree;
    uint64_t *counts;
    uint64_t seed, round;
    int threads;
    hrr_progress *progress;
} chain;

/* One node in 12 frozen leaves a third of a balanced tree of 10^4 leaves in the largest piece, and
 * far less of the deep trees that fit a graph; five in six moves remain possible. 20 steps a node
 * are about ten times the cost of the cut. */
const hrr_chain_schedule hrr_chain_default = {
    .whole_below = 4096, .one_in = 12, .steps_per_node = 20};

/* Steps in proportion to the nodes that can be looked at, adding up to n_steps; false if there is
 * no such node. */
static bool share_steps(hrr_pieces *pieces, uint64_t n_steps)
{
    uint64_t n_nodes = 0, before = 0;
    for (uint32_t i = 0; i < pieces->n_pieces; i++)
        n_nodes += pieces->piece[i].n_internal - 1;
    if (n_nodes == 0) return false;
    for (uint32_t i = 0; i < pieces->n_pieces; i++) {
        const uint64_t after = before + pieces->piece[i].n_internal - 1;
        pieces->piece[i].steps = (uint64_t)((unsigned __int128)n_steps * after / n_nodes) -
                                 (uint64_t)((unsigned __int128)n_steps * before / n_nodes);
        before = after;
    }
    return true;
}

static hrr_status work_on_piece(const chain *c, const hrr_pieces *pieces, uint32_t i,
                                hrr_error *err)
{
    hrr_piece *piece = pieces->piece + i;
    if (piece->n_internal == 1 || (piece->steps == 0 && piece->n_holes == 0)) return HRR_OK;
    hrr_piece_tree moving;
    hrr_status status =
        hrr_piece_thaw(&moving, piece, pieces, c->tree, c->counts, c->adjacency, err);
    if (status) return status;
    if (moving.tree) {
        hrr_fast_random random;
        hrr_fast_init(&random, c->seed, (c->round << 32) + 1 + i);
        walk(moving.tree, c->phi, piece->steps, &random, c->progress);
        hrr_piece_freeze(piece, &moving);
    }
    hrr_piece_tree_clear(&moving);
    return HRR_OK;
}

/* The largest pieces first, so that no thread waits long for another at the end. */
typedef struct turn {
    uint64_t steps;
    uint32_t piece;
} turn;

static int by_steps(const void *a, const void *b)
{
    const turn *s = a, *t = b;
    if (s->steps != t->steps) return s->steps < t->steps ? 1 : -1;
    return s->piece < t->piece ? -1 : 1;
}

static hrr_status work_on_pieces(const chain *c, const hrr_pieces *pieces, hrr_error *err)
{
    const int64_t n = pieces->n_pieces;
    turn *turns = hrr_alloc(pieces->n_pieces, sizeof *turns);
    if (!turns) return hrr_no_memory(err);
    for (int64_t i = 0; i < n; i++)
        turns[i] = (turn){pieces->piece[i].steps, (uint32_t)i};
    qsort(turns, pieces->n_pieces, sizeof *turns, by_steps);
    hrr_status failed = HRR_OK;
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) num_threads(n < c->threads ? (int)n : c->threads)
#endif
    for (int64_t t = 0; t < n; t++) {
        hrr_error why;
        hrr_status status = work_on_piece(c, pieces, turns[t].piece, &why);
        if (!status) continue;
#ifdef _OPENMP
#pragma omp critical(hrr_chain)
#endif
        {
            if (err) *err = why;
            failed = status;
        }
    }
    hrr_free(turns);
    return failed;
}

/* All or nothing: if a piece fails the tree stays what it was. */
static hrr_status run_round(chain *c, uint64_t one_in, uint64_t n_steps, hrr_error *err)
{
    hrr_pieces pieces;
    hrr_fast_random random;
    hrr_fast_init(&random, c->seed, c->round << 32);
    hrr_status status = hrr_pieces_cut(&pieces, c->tree, one_in, &random, err);
    if (status) return status;
    if (share_steps(&pieces, n_steps)) {
        status = work_on_pieces(c, &pieces, err);
        if (!status) status = hrr_pieces_join(c->tree, c->counts, &pieces, err);
    }
    hrr_pieces_clear(&pieces);
    return status;
}

hrr_status hrr_chain_run(hrr_dendrogram *tree, const hrr_edge_public *known,
                         const hrr_chain_schedule *schedule, uint64_t n_steps, uint64_t seed,
                         int threads, hrr_progress *progress, hrr_error *err)
{
    hrr_progress_begin(progress, "fitting the tree to public edges", n_steps);
    const uint64_t n = tree->n_leaves;
    if (n < 3) return HRR_OK; /* there is one tree only */
    hrr_csr adjacency;
    hrr_status status =
        hrr_adjacency_of_edges(&adjacency, n, known->n_edges, known->source, known->target, err);
    if (status) return status;
    uint64_t *counts = hrr_alloc(n, sizeof *counts);
    hrr_phi *phi = hrr_alloc(1, sizeof *phi);
    if (!counts || !phi) status = hrr_no_memory(err);
    if (!status)
        status =
            hrr_dendrogram_count(counts, tree, known->n_edges, known->source, known->target, err);
    if (!status) hrr_phi_init(phi);
    chain c = {.adjacency = &adjacency,
               .phi = phi,
               .tree = tree,
               .counts = counts,
               .seed = seed,
               .threads = hrr_threads(threads),
               .progress = progress};
    const bool whole = n < schedule->whole_below;
    const uint64_t per_round = whole ? n_steps : schedule->steps_per_node * n;
    for (; !status && n_steps > 0; c.round++) {
        const uint64_t steps = n_steps < per_round ? n_steps : per_round;
        status = run_round(&c, whole ? 0 : schedule->one_in, steps, err);
        n_steps -= steps;
        if (!status) status = hrr_progress_advance(progress, 0, err);
    }
    hrr_csr_clear(&adjacency);
    hrr_free(counts);
    hrr_free(phi);
    return status;
}

hrr_status hrr_chain_public(hrr_dendrogram *tree, const hrr_edge_public *known, uint64_t n_steps,
                            uint64_t seed, int threads, hrr_progress *progress, hrr_error *err)
{
    return hrr_chain_run(tree, known, &hrr_chain_default, n_steps, seed, threads, progress, err);
}
