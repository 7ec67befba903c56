/* public_blocks.c: communities by label propagation (U. Raghavan, R. Albert, S. Kumara, Phys. Rev.
 * E 76, 2007), folded into a few blocks.
 *
 * Nodes take the label that most of their public neighbours have, in a random order and with ties
 * broken at random, since any fixed preference floods a connected graph with its favourite label; a
 * node whose own label is among the most common keeps it. The draws come from a public seed.
 *
 * Counts per block are noised one by one, so many small blocks would bury the signal: the largest
 * communities are kept, each smaller one joins the block it has most public edges to, and those
 * without any (isolated nodes) fill up the smallest block. */
#include "edge/public_blocks.h"
#include "base/memory.h"
#include "random/fast.h"

#include <stdlib.h>
#include <string.h>

enum { most_sweeps = 20 };

typedef struct neighbours {
    uint64_t *start; /* n + 1 */
    uint32_t *node;
} neighbours;

static hrr_status neighbours_init(neighbours *out, const hrr_edge_public *known, hrr_error *err)
{
    const uint64_t n = known->n_nodes;
    out->start = hrr_alloc_zero(n + 2, sizeof *out->start);
    out->node = hrr_alloc(known->n_edges, 2 * sizeof *out->node);
    if (!out->start || !out->node) return hrr_no_memory(err);
    uint64_t *next = out->start + 1; /* after filling, next[i] is where node i + 1 begins */
    for (uint64_t e = 0; e < known->n_edges; e++) {
        next[known->source[e] + 1]++;
        next[known->target[e] + 1]++;
    }
    for (uint64_t i = 0; i < n; i++)
        next[i + 1] += next[i];
    for (uint64_t e = 0; e < known->n_edges; e++) {
        out->node[next[known->source[e]]++] = known->target[e];
        out->node[next[known->target[e]]++] = known->source[e];
    }
    return HRR_OK;
}

/* ---- propagation ----------------------------------------------------------------------------- */

/* The label to take; votes are zero before and after. */
static uint32_t favourite(const uint32_t *label, uint32_t *votes, const neighbours *near,
                          uint64_t node, hrr_fast_random *random)
{
    const uint64_t begin = near->start[node], end = near->start[node + 1];
    uint32_t best = label[node], most = 0;
    for (uint64_t i = begin; i < end; i++) {
        const uint32_t number = ++votes[label[near->node[i]]];
        most = number > most ? number : most;
    }
    if (votes[best] < most) {
        uint64_t tied = 0;
        for (uint64_t i = begin; i < end; i++) {
            const uint32_t candidate = label[near->node[i]];
            if (votes[candidate] != most) continue;
            votes[candidate] = 0; /* counts once */
            if (hrr_fast_below(random, ++tied) == 0) best = candidate;
        }
    }
    for (uint64_t i = begin; i < end; i++)
        votes[label[near->node[i]]] = 0;
    return best;
}

static void shuffle(uint32_t *order, uint64_t n, hrr_fast_random *random)
{
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t j = hrr_fast_below(random, i + 1);
        order[i] = order[j];
        order[j] = (uint32_t)i;
    }
}

static hrr_status propagate(uint32_t *label, uint32_t *votes, uint32_t *order,
                            const neighbours *near, uint64_t n, uint64_t seed,
                            hrr_progress *progress, hrr_error *err)
{
    hrr_fast_random random;
    hrr_fast_init(&random, seed, 0);
    hrr_progress_begin(progress, "finding public communities", most_sweeps);
    for (uint64_t i = 0; i < n; i++)
        label[i] = (uint32_t)i;
    bool moved = true;
    for (int sweep = 0; sweep < most_sweeps && moved; sweep++) {
        moved = false;
        shuffle(order, n, &random);
        for (uint64_t i = 0; i < n; i++) {
            const uint32_t best = favourite(label, votes, near, order[i], &random);
            moved |= best != label[order[i]];
            label[order[i]] = best;
        }
        hrr_status status = hrr_progress_advance(progress, 1, err);
        if (status) return status;
    }
    return HRR_OK;
}

/* ---- folding --------------------------------------------------------------------------------- */

typedef struct community {
    uint32_t label, size;
} community;

static int larger_first(const void *a, const void *b)
{
    const community *x = a, *y = b;
    if (x->size != y->size) return x->size < y->size ? 1 : -1;
    return (x->label > y->label) - (x->label < y->label);
}

enum { nowhere = UINT32_MAX };

/* The block that a community has most edges to; nowhere if it has none. */
static uint32_t closest_block(uint64_t *ties, uint32_t n_blocks, const neighbours *near,
                              const uint32_t *members, uint32_t n_members, const uint32_t *block_of,
                              const uint32_t *label)
{
    memset(ties, 0, n_blocks * sizeof *ties);
    for (uint32_t m = 0; m < n_members; m++)
        for (uint64_t i = near->start[members[m]]; i < near->start[members[m] + 1]; i++) {
            const uint32_t block = block_of[label[near->node[i]]];
            if (block != (uint32_t)nowhere) ties[block]++;
        }
    uint32_t best = 0;
    for (uint32_t b = 1; b < n_blocks; b++)
        if (ties[b] > ties[best]) best = b;
    return ties[best] > 0 ? best : (uint32_t)nowhere;
}

static uint32_t smallest_block(const uint64_t *size, uint32_t n_blocks)
{
    uint32_t best = 0;
    for (uint32_t b = 1; b < n_blocks; b++)
        if (size[b] < size[best]) best = b;
    return best;
}

/* Communities by size; those with edges to a block that stands before those without. */
static hrr_status fold(uint32_t *block, uint32_t *n_blocks, const uint32_t *label,
                       const neighbours *near, uint64_t n, uint32_t most_blocks, hrr_error *err)
{
    community *communities = hrr_alloc_zero(n, sizeof *communities);
    uint32_t *block_of = hrr_alloc(n, sizeof *block_of); /* of a label */
    uint32_t *members = hrr_alloc(n, sizeof *members), *first = hrr_alloc(n + 1, sizeof *first);
    uint64_t *size = hrr_alloc_zero(most_blocks, sizeof *size);
    uint64_t *ties = hrr_alloc_zero(most_blocks, sizeof *ties);
    hrr_status status = HRR_OK;
    if (!communities || !block_of || !members || !first || !size || !ties) {
        status = hrr_no_memory(err);
        goto done;
    }
    for (uint64_t i = 0; i < n; i++) {
        communities[i].label = (uint32_t)i;
        block_of[i] = (uint32_t)nowhere;
    }
    for (uint64_t i = 0; i < n; i++)
        communities[label[i]].size++;
    first[0] = 0;
    for (uint64_t i = 0; i < n; i++)
        first[i + 1] = first[i] + communities[i].size;
    for (uint64_t i = n; i-- > 0;) /* from the back, communities[].size counts down to 0 ... */
        members[first[label[i]] + --communities[label[i]].size] = (uint32_t)i;
    for (uint64_t i = 0; i < n; i++) /* ... and is restored */
        communities[i].size = first[i + 1] - first[i];
    qsort(communities, n, sizeof *communities, larger_first);
    *n_blocks = 0;
    for (int round = 0; round < 2; round++)
        for (uint64_t c = 0; c < n && communities[c].size > 0; c++) {
            const community *it = &communities[c];
            if (block_of[it->label] != (uint32_t)nowhere) continue;
            uint32_t to = *n_blocks;
            if (to < most_blocks)
                ++*n_blocks;
            else if (round == 0)
                to = closest_block(ties, *n_blocks, near, members + first[it->label], it->size,
                                   block_of, label);
            else
                to = smallest_block(size, *n_blocks);
            if (to == (uint32_t)nowhere) continue;
            block_of[it->label] = to;
            size[to] += it->size;
        }
    for (uint64_t i = 0; i < n; i++)
        block[i] = block_of[label[i]];
done:
    hrr_free(communities);
    hrr_free(block_of);
    hrr_free(members);
    hrr_free(first);
    hrr_free(size);
    hrr_free(ties);
    return status;
}

hrr_status hrr_public_blocks(uint32_t *block, uint32_t *n_blocks, const hrr_edge_public *known,
                             uint32_t most_blocks, uint64_t seed, hrr_progress *progress,
                             hrr_error *err)
{
    const uint64_t n = known->n_nodes;
    neighbours near = {0};
    uint32_t *label = hrr_alloc(n, sizeof *label), *votes = hrr_alloc_zero(n, sizeof *votes);
    uint32_t *order = hrr_alloc(n, sizeof *order);
    hrr_status status = label && votes && order ? HRR_OK : hrr_no_memory(err);
    if (!status) status = neighbours_init(&near, known, err);
    if (!status) status = propagate(label, votes, order, &near, n, seed, progress, err);
    if (!status) status = fold(block, n_blocks, label, &near, n, most_blocks, err);
    hrr_free(near.start);
    hrr_free(near.node);
    hrr_free(label);
    hrr_free(votes);
    hrr_free(order);
    return status;
}
