/* block_search.c: see block_search.h. */
#include "edge/block_search.h"
#include "edge/forest.h"
#include "edge/likelihood.h"
#include "edge/tree_nodes.h"
#include "base/memory.h"
#include "matrix/csr.h"
#include "random/fast.h"

hrr_status hrr_blocks_join(hrr_dendrogram *out, const hrr_blocks *blocks, uint64_t seed,
                           hrr_progress *progress, hrr_error *err)
{
    const uint32_t n = blocks->n;
    hrr_coarse graph;
    hrr_status status = hrr_coarse_alloc(&graph, n, (uint64_t)n * n, err);
    if (status) return status;
    for (uint32_t a = 0; a < n; a++) {
        graph.row[a].begin = (uint64_t)a * n;
        graph.row[a].size = blocks->size[a];
        for (uint32_t b = 0; b < n; b++) {
            const size_t i = (size_t)a * n + b;
            const uint64_t edges = blocks->known[i] + blocks->hidden[i];
            graph.row[a].degree += a == b ? 2 * edges : edges;
            if (a == b || edges == 0) continue;
            const uint64_t entry = graph.row[a].begin + graph.row[a].length++;
            graph.col[entry] = b;
            graph.weight[entry] = (float)edges;
        }
        graph.n_entries += graph.row[a].length;
    }
    return hrr_forest_grow(out, &graph, seed, 1, progress, err);
}

/* Edges between blocks, an entry for each: tree.h counts entries. */
static hrr_status repeat_edges(hrr_csr *out, const uint64_t *counts, uint32_t n, hrr_error *err)
{
    uint64_t n_entries = 0;
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++)
            n_entries += a == b ? 0 : counts[(size_t)a * n + b];
    hrr_status status = hrr_csr_init(out, n, n, n_entries, false, err);
    if (status) return status;
    uint64_t entry = 0;
    for (uint32_t a = 0; a < n; a++) {
        out->row_start[a] = entry;
        for (uint32_t b = 0; b < n; b++)
            for (uint64_t i = a == b ? 0 : counts[(size_t)a * n + b]; i > 0; i--)
                out->col[entry++] = b;
    }
    return HRR_OK;
}

static double gain(const hrr_phi *phi, const hrr_tree_move *move)
{
    double sum = 0;
    for (int f = 0; f < 2; f++) {
        const uint64_t i = move->leaves_i[f], j = move->leaves_j[f], k = move->leaves_k[f];
        const uint64_t ij = move->edges_ij[f], ik = move->edges_ik[f], jk = move->edges_jk[f];
        sum += hrr_term(phi, ik, i * k) + hrr_term(phi, ij + jk, (i + k) * j) -
               hrr_term(phi, ij, i * j) - hrr_term(phi, ik + jk, (i + j) * k);
    }
    return sum;
}

static double climb(hrr_tree *tree, uint32_t n, uint64_t n_steps, uint64_t seed)
{
    hrr_phi phi;
    hrr_fast_random random;
    hrr_phi_init(&phi);
    hrr_fast_init(&random, seed, 0);
    for (uint64_t step = 0; n > 2 && step < n_steps; step++) {
        const uint64_t choice = hrr_fast_below(&random, 2 * ((uint64_t)n - 2));
        const uint32_t y = (uint32_t)(choice / 2);
        hrr_tree_move move;
        hrr_tree_look(&move, tree, y + (y >= hrr_tree_root(tree)), choice % 2);
        if (gain(&phi, &move) > 0) hrr_tree_apply(tree, &move);
    }
    double sum = 0;
    for (uint32_t r = 0; r + 1 < n; r++)
        for (int f = 0; f < 2; f++)
            sum += hrr_term(&phi, hrr_tree_edges(tree, r, f), hrr_tree_pairs(tree, r, f));
    return sum;
}

hrr_status hrr_blocks_climb(hrr_dendrogram *tree, double *likelihood, const hrr_blocks *blocks,
                            uint64_t n_steps, uint64_t seed, hrr_error *err)
{
    hrr_csr known = {0}, hidden = {0};
    hrr_tree *moving = NULL;
    hrr_status status = repeat_edges(&known, blocks->known, blocks->n, err);
    if (!status) status = repeat_edges(&hidden, blocks->hidden, blocks->n, err);
    const hrr_tree_parts parts = {.shape = tree,
                                  .n_families = 2,
                                  .family = {&known, &hidden},
                                  .weight = {blocks->size, blocks->members}};
    if (!status) status = hrr_tree_build(&moving, &parts, err);
    if (!status) {
        *likelihood = climb(moving, blocks->n, n_steps, seed);
        hrr_tree_store(tree, NULL, moving);
    }
    hrr_tree_free(moving);
    hrr_csr_clear(&known);
    hrr_csr_clear(&hidden);
    return status;
}
