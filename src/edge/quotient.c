/* quotient.c: the tree from noisy counts between public blocks.
 *
 * The public tree is cut into blocks. Private edges are counted within each block and between each
 * two, every count gets discrete Laplace noise, and from then on nothing private is looked at. Two
 * trees over the blocks, the public one and one that is grown from public edges and noisy counts
 * together, climb by local moves (block_search.h), and the more likely one is taken. Inside the
 * blocks the tree stays public.
 *
 * Neighbours:  secrets that differ in one candidate pair.
 * Guarantee:   eps_tree-DP: the pair is in exactly one count, which moves by one.
 * Why the counts of the tree are drawn again, with the rest of the budget: a node of the tree is a
 *              sum of up to K^2 / 4 noisy counts of K blocks. All K - 1 nodes together would carry
 *              K (K + 1) / 2 noises of variance 2 / eps^2, K / eps^2 each; fresh counts with half
 * of the budget have 8 / eps^2. Fresh ones are better beyond 8 blocks. Cost:        O(n + m + K^2)
 * with the secret, K <= 512. */
#include "edge/block_search.h"
#include "edge/trees.h"
#include "base/memory.h"
#include "privacy/eps.h"

#include <heterorr/privacy.h>
#include <math.h>
#include <string.h>

enum { MOST_BLOCKS = 512, STEPS_PER_BLOCK = 100 };

typedef struct quotient {
    uint32_t n_blocks;
    uint32_t *block;    /* n: the block of a node */
    uint32_t *begin;    /* K + 1: where a block begins among the leaves of the public tree */
    uint32_t *size;     /* K: nodes in it */
    uint32_t *members;  /* K: candidates in it */
    uint32_t *internal; /* K: its first internal node there, if it has one */
    uint64_t *known;    /* K x K: public edges between two blocks */
    uint64_t *pairs;    /* K x K: candidate pairs between two blocks */
    hrr_dendrogram top; /* the public tree above the blocks */
} quotient;

static void release(void *state)
{
    quotient *q = state;
    hrr_free(q->block);
    hrr_free(q->begin);
    hrr_free(q->size);
    hrr_free(q->members);
    hrr_free(q->internal);
    hrr_free(q->known);
    hrr_free(q->pairs);
    hrr_dendrogram_clear(&q->top);
    hrr_free(q);
}

/* ---- blocks --------------------------------------------------------------------------------- */

/* So many blocks that, if private edges are as many as public ones, a count is eighteen deviations
 * of its noise on average: 2 m / K^2 = 18 sqrt(2) / eps. With nine times the counts the search took
 * noise for structure. */
static uint32_t count_blocks(const hrr_edge_public *known, uint64_t eps_nano)
{
    const double eps = (double)eps_nano / HRR_EPS_UNIT;
    const double edges = (double)(known->n_edges > 0 ? known->n_edges : known->n_nodes);
    double n = fmin(sqrt(edges * eps / sqrt(2)) / 3, MOST_BLOCKS);
    n = fmin(n, (double)known->n_nodes);
    return n < 1 ? 1 : (uint32_t)n;
}

/* A subtree of the public tree: a block, or part of the tree above. */
typedef struct part {
    uint32_t begin, end, internal;
} part;

/* Cut the largest part until there are enough; parts stay in the order of their leaves. */
static void cut(part *parts, const hrr_dendrogram *tree, uint32_t n_blocks)
{
    parts[0] = (part){0, tree->n_leaves, 0};
    for (uint32_t n = 1; n < n_blocks; n++) {
        uint32_t largest = 0;
        for (uint32_t i = 1; i < n; i++)
            if (parts[i].end - parts[i].begin > parts[largest].end - parts[largest].begin)
                largest = i;
        const part old = parts[largest];
        const uint32_t middle = tree->middle[old.internal];
        memmove(parts + largest + 2, parts + largest + 1, (n - largest - 1) * sizeof *parts);
        parts[largest] = (part){old.begin, middle, old.internal + 1};
        parts[largest + 1] = (part){middle, old.end, old.internal + (middle - old.begin)};
    }
}

/* The nodes of the public tree that no block holds, in preorder, over the blocks. */
static void fill_top(quotient *q, const hrr_dendrogram *tree)
{
    uint32_t *number = q->block; /* for a moment: the block that begins at a leaf */
    for (uint32_t b = 0; b < q->n_blocks; b++)
        number[q->begin[b]] = b;
    uint32_t n = 0;
    for (uint32_t r = 0; r + 1 < tree->n_leaves;) {
        const uint32_t b = number[tree->begin[r]];
        if (q->internal[b] == r && q->begin[b + 1] == tree->end[r]) {
            r += tree->end[r] - tree->begin[r] - 1; /* a block: go around it */
            continue;
        }
        q->top.middle[n++] = number[tree->middle[r++]];
    }
    for (uint32_t b = 0; b < q->n_blocks; b++)
        q->top.leaf[b] = b;
    (void)hrr_dendrogram_complete(&q->top);
    for (uint32_t b = 0; b < q->n_blocks; b++)
        for (uint32_t p = q->begin[b]; p < q->begin[b + 1]; p++)
            q->block[tree->leaf[p]] = b;
}

static size_t at(const quotient *q, uint32_t a, uint32_t b)
{
    return (size_t)a * q->n_blocks + b;
}

/* Counted in both directions; within a block once. */
static void count_between(uint64_t *counts, const quotient *q, uint64_t n_edges,
                          const uint32_t *source, const uint32_t *target)
{
    for (uint64_t e = 0; e < n_edges; e++) {
        const uint32_t a = q->block[source[e]], b = q->block[target[e]];
        counts[at(q, a, b)]++;
        if (a != b) counts[at(q, b, a)]++;
    }
}

static void count_pairs(quotient *q, const hrr_edge_public *known)
{
    for (uint64_t i = 0; i < known->n_nodes; i++)
        q->members[q->block[i]] += !known->candidates || known->candidates[i];
    for (uint32_t a = 0; a < q->n_blocks; a++)
        for (uint32_t b = 0; b < q->n_blocks; b++) {
            const uint64_t m = q->members[a];
            q->pairs[at(q, a, b)] = a != b ? m * q->members[b] : m > 0 ? m * (m - 1) / 2 : 0;
        }
    for (uint64_t e = 0; e < known->n_edges; e++) {
        const uint32_t u = known->source[e], v = known->target[e];
        if (known->candidates && (!known->candidates[u] || !known->candidates[v])) continue;
        const uint32_t a = q->block[u], b = q->block[v];
        q->pairs[at(q, a, b)]--;
        if (a != b) q->pairs[at(q, b, a)]--;
    }
}

static hrr_status divide(quotient *q, const hrr_dendrogram *tree, const hrr_edge_public *known,
                         hrr_error *err)
{
    const size_t k = q->n_blocks;
    part *parts = hrr_alloc(k, sizeof *parts);
    q->block = hrr_alloc(tree->n_leaves, sizeof *q->block);
    q->begin = hrr_alloc(k + 1, sizeof *q->begin);
    q->size = hrr_alloc(k, sizeof *q->size);
    q->members = hrr_alloc_zero(k, sizeof *q->members);
    q->internal = hrr_alloc(k, sizeof *q->internal);
    q->known = hrr_alloc_zero(k * k, sizeof *q->known);
    q->pairs = hrr_alloc_zero(k * k, sizeof *q->pairs);
    hrr_status status = HRR_OK;
    if (!parts || !q->block || !q->begin || !q->size || !q->members || !q->internal || !q->known ||
        !q->pairs)
        status = hrr_no_memory(err);
    if (!status) status = hrr_dendrogram_init(&q->top, (uint32_t)k, err);
    if (!status) {
        cut(parts, tree, q->n_blocks);
        for (size_t b = 0; b < k; b++) {
            q->begin[b] = parts[b].begin;
            q->size[b] = parts[b].end - parts[b].begin;
            q->internal[b] = parts[b].internal;
        }
        q->begin[k] = tree->n_leaves;
        fill_top(q, tree);
        count_between(q->known, q, known->n_edges, known->source, known->target);
        count_pairs(q, known);
    }
    hrr_free(parts);
    return status;
}

static double realised(const hrr_edge_claim *terms)
{
    uint64_t num, den;
    hrr_eps_fraction(&num, &den, terms->eps_tree_nano);
    return (double)num / (double)den;
}

static hrr_status prepare(hrr_tree_plan *plan, hrr_progress *progress, hrr_error *err)
{
    hrr_status status = hrr_tree_fit_public(plan, HRR_PUBLIC_STEPS_PER_NODE, progress, err);
    if (status) return status;
    quotient *q = hrr_alloc_zero(1, sizeof *q);
    if (!q) return hrr_no_memory(err);
    q->n_blocks = count_blocks(plan->known, plan->eps_tree_nano);
    status = divide(q, &plan->start, plan->known, err);
    if (status) {
        release(q);
        return status;
    }
    plan->state = q;
    return HRR_OK;
}

/* ---- noisy counts --------------------------------------------------------------------------- */

static hrr_status count_noisily(int64_t *noisy, double *realised_eps, const quotient *q,
                                const hrr_edge_secret *secret, uint64_t eps_nano,
                                const hrr_random *random, hrr_error *err)
{
    const uint32_t k = q->n_blocks;
    uint64_t *counts = hrr_alloc_zero((size_t)k * k, sizeof *counts);
    int64_t *noise = hrr_alloc(k, sizeof *noise);
    hrr_stream *stream = NULL;
    hrr_status status = counts && noise ? hrr_stream_new(&stream, random, err) : hrr_no_memory(err);
    if (!status) {
        uint64_t num, den;
        hrr_eps_fraction(&num, &den, eps_nano);
        *realised_eps = (double)num / (double)den;
        count_between(counts, q, secret->n_edges, secret->source, secret->target);
        hrr_stream_seek(stream, HRR_PURPOSE_EDGE_TREE, 0);
        for (uint32_t a = 0; a < k; a++) {
            hrr_sample_laplace_fill(noise, k - a, stream, num, den);
            for (uint32_t b = a; b < k; b++)
                noisy[at(q, a, b)] = noisy[at(q, b, a)] =
                    (int64_t)counts[at(q, a, b)] + noise[b - a];
        }
    }
    hrr_stream_free(stream);
    hrr_free(counts);
    hrr_free(noise);
    return status;
}

/* ---- search: post-processing ---------------------------------------------------------------- */

/* What stands out of the noise: a count counts beyond four deviations. Smaller ones would look
 * like structure to every search. */
static void threshold(uint64_t *hidden, const int64_t *noisy, const quotient *q, double deviation)
{
    for (size_t i = 0; i < (size_t)q->n_blocks * q->n_blocks; i++) {
        const uint64_t count = (double)noisy[i] > 4 * deviation ? (uint64_t)noisy[i] : 0;
        hidden[i] = count < q->pairs[i] ? count : q->pairs[i];
    }
}

/* The more likely of the public tree and one that is grown from the counts. */
static hrr_status search(hrr_dendrogram *out, const quotient *q, const uint64_t *hidden,
                         uint64_t seed, hrr_progress *progress, hrr_error *err)
{
    const hrr_blocks blocks = {q->n_blocks, q->size, q->members, q->known, hidden};
    const uint64_t n_steps = STEPS_PER_BLOCK * (uint64_t)q->n_blocks;
    hrr_dendrogram kept = {0}, grown = {0};
    double likelihood_kept = 0, likelihood_grown = 0;
    hrr_progress_begin(progress, "joining blocks according to noisy counts", q->n_blocks);
    hrr_status status = hrr_dendrogram_copy(&kept, &q->top, err);
    if (!status) status = hrr_blocks_climb(&kept, &likelihood_kept, &blocks, n_steps, seed, err);
    if (!status) status = hrr_blocks_join(&grown, &blocks, seed, progress, err);
    if (!status) status = hrr_blocks_climb(&grown, &likelihood_grown, &blocks, n_steps, seed, err);
    const bool better = likelihood_grown > likelihood_kept;
    if (!status) *out = better ? grown : kept;
    if (status || !better) hrr_dendrogram_clear(&grown);
    if (status || better) hrr_dendrogram_clear(&kept);
    return status;
}

/* The blocks in the order of `top`, each with its own public subtree. */
static void expand(hrr_dendrogram *out, const quotient *q, const hrr_dendrogram *top,
                   const hrr_dendrogram *tree, uint32_t *shift)
{
    uint32_t position = 0;
    for (uint32_t b = 0; b < q->n_blocks; b++) { /* where block top->leaf[b] goes to */
        const uint32_t begin = q->begin[top->leaf[b]], size = q->size[top->leaf[b]];
        shift[b] = position;
        memcpy(out->leaf + position, tree->leaf + begin, size * sizeof *out->leaf);
        position += size;
    }
    uint32_t n = 0, next = 0; /* next: the block that the walk comes to */
    for (uint32_t r = 0; next < q->n_blocks;) {
        /* Nodes of top that begin at this block come before it. */
        while (r + 1 < q->n_blocks && top->begin[r] == next)
            out->middle[n++] = shift[top->middle[r++]];
        const uint32_t b = top->leaf[next], size = q->size[b];
        for (uint32_t i = 0; i + 1 < size; i++)
            out->middle[n++] = tree->middle[q->internal[b] + i] - q->begin[b] + shift[next];
        next++;
    }
    (void)hrr_dendrogram_complete(out);
}

static hrr_status draw(hrr_dendrogram *out, double *realised_eps, const hrr_tree_plan *plan,
                       const hrr_edge_secret *secret, const hrr_random *random,
                       hrr_progress *progress, hrr_error *err)
{
    const quotient *q = plan->state;
    const size_t k = q->n_blocks;
    const double deviation = sqrt(2) * HRR_EPS_UNIT / (double)plan->eps_tree_nano;
    int64_t *noisy = hrr_alloc(k * k, sizeof *noisy);
    uint64_t *hidden = hrr_alloc(k * k, sizeof *hidden);
    uint32_t *shift = hrr_alloc(k, sizeof *shift);
    hrr_dendrogram top = {0}, tree = {0};
    hrr_status status = noisy && hidden && shift ? HRR_OK : hrr_no_memory(err);
    if (!status)
        status = count_noisily(noisy, realised_eps, q, secret, plan->eps_tree_nano, random, err);
    if (!status) {
        threshold(hidden, noisy, q, deviation);
        status = search(&top, q, hidden, plan->options->public_seed, progress, err);
    }
    if (!status) status = hrr_dendrogram_init(&tree, plan->start.n_leaves, err);
    if (!status) {
        expand(&tree, q, &top, &plan->start, shift);
        *out = tree;
    }
    hrr_dendrogram_clear(&top);
    hrr_free(noisy);
    hrr_free(hidden);
    hrr_free(shift);
    return status;
}

const hrr_tree_method hrr_tree_quotient = {
    .about.name = "quotient",
    .about.what = "a tree of public blocks, joined by noisy counts",
    .about.page = "docs/mechanisms/edgerr-trees.md",
    .about.certified = true,

    .about.default_share = 0.1,
    .realised = realised,
    .evidence = "each candidate pair is in one count between public blocks, which gets exact "
                "discrete Laplace noise",
    .prepare = prepare,
    .release = release,
    .draw = draw};
