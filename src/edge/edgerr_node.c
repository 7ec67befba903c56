/* edgerr_node.c: EdgeRR-node, how many private edges each node has into each of a few public
 * blocks, with noise. Our own answer to public-only: what a graph network gets out of an edge is
 * mostly the block of its other end, and that is what is released.
 *
 * Blocks:      public classes or communities; by default communities of the public edges.
 * Neighbours:  two graphs that differ in one candidate pair {u, v}.
 * Sensitivity: the pair is counted at both its ends, as an edge of u into the block of v and of v
 *              into the block of u: two counts move by one. Or at one end: one count moves by one.
 *              Which end is decided without a private edge: by a coin that is fixed by public_seed,
 *              or by a public rank, the end that needs it more (need.h).
 *              A node may have two public rivals, blocks that share one count: neighbours in the
 *              one are added to it, those in the other taken away. The pair still moves one count
 *              by one, up or down.
 * Claim:       discrete Laplace noise of eps/ends on each count, so eps for the pair. Every count
 *              of every candidate is noised, zeros included. Exact: integers only.
 * Which:       both ends see twice the edges under twice the noise; one end by a coin half as much
 *              of either. The end that needs it more sees as much as both would show it, under the
 *              noise of one; the other end sees nothing, and is to need nothing
 *              (docs/mechanisms/edgerr-node.md has measurements).
 * Edges:       none but the public ones, or, for those who need a graph, sampled from the noisy
 *              counts (node_edges.c). A classifier does better with the counts themselves
 *              (learn/count_model.c). */
#include "edge/mechanism.h"
#include "edge/late_blocks.h"
#include "edge/need.h"
#include "edge/node_edges.h"
#include "edge/public_blocks.h"
#include "base/memory.h"
#include "random/fast.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { default_blocks = 8 };

typedef struct edgerr_node {
    uint32_t *block;
    uint32_t n_blocks;
    hrr_count_ends at;
    int ends;          /* how many: 1 or 2 */
    uint32_t *need;    /* HRR_ENDS_NEEDED: of each node; else NULL */
    uint32_t *rivals;  /* two blocks of each node, or NULL */
    uint64_t num, den; /* epsilon of one count, as the exact sampler takes it */
} edgerr_node;

/* ---- plan ------------------------------------------------------------------------------------ */

static void release(void *state)
{
    edgerr_node *self = state;
    hrr_free(self->block);
    hrr_free(self->need);
    hrr_free(self->rivals);
    hrr_free(self);
}

/* given NULL: from the public edges. */
static hrr_status find_need(hrr_edge_plan *plan, const uint32_t *given, hrr_error *err)
{
    edgerr_node *self = plan->state;
    const uint64_t n = plan->known.n_nodes;
    if (self->at != HRR_ENDS_NEEDED) return HRR_OK;
    self->need = hrr_alloc(n, sizeof *self->need);
    if (!self->need) return hrr_no_memory(err);
    if (given)
        memcpy(self->need, given, n * sizeof *given);
    else
        hrr_need_of_degrees(self->need, &plan->known);
    return HRR_OK;
}

/* given NULL: none. */
static hrr_status take_rivals(hrr_edge_plan *plan, const uint32_t *given, hrr_error *err)
{
    edgerr_node *self = plan->state;
    const uint64_t n = plan->known.n_nodes;
    if (!given || self->at != HRR_ENDS_NEEDED) return HRR_OK;
    if (self->n_blocks > HRR_MOST_RIVAL_BLOCKS)
        return hrr_fail(err, HRR_EINVAL,
                        "blocks can share counts (`edges.rivals`) only if there are at most %d "
                        "blocks, but there are %u (`edges.n_blocks`)",
                        HRR_MOST_RIVAL_BLOCKS, self->n_blocks);
    for (uint64_t i = 0; i < 2 * n; i++)
        if (given[i] >= self->n_blocks)
            return hrr_fail(err, HRR_EINVAL,
                            "`edges.rivals` names block %u for node %llu, but there are only %u "
                            "blocks (`edges.n_blocks`), numbered from 0",
                            given[i], (unsigned long long)i / 2, self->n_blocks);
    self->rivals = hrr_alloc(n, 2 * sizeof *self->rivals);
    if (!self->rivals) return hrr_no_memory(err);
    memcpy(self->rivals, given, n * 2 * sizeof *given);
    return HRR_OK;
}

static hrr_status give_blocks(hrr_edge_plan *plan, const uint32_t *blocks, const uint32_t *need,
                              const uint32_t *rivals, hrr_error *err)
{
    edgerr_node *self = plan->state;
    const uint64_t n = plan->known.n_nodes;
    for (uint64_t i = 0; i < n; i++)
        if (blocks[i] >= self->n_blocks)
            return hrr_fail(err, HRR_EINVAL,
                            "node %llu is in block %u (`edges.blocks`), but there are only %u "
                            "blocks (`edges.n_blocks`), numbered from 0",
                            (unsigned long long)i, blocks[i], self->n_blocks);
    self->block = hrr_alloc(n, sizeof *self->block);
    if (!self->block) return hrr_no_memory(err);
    memcpy(self->block, blocks, n * sizeof *self->block);
    hrr_status status = find_need(plan, need, err);
    return status ? status : take_rivals(plan, rivals, err);
}

static hrr_status find_blocks(hrr_edge_plan *plan, hrr_progress *progress, hrr_error *err)
{
    edgerr_node *self = plan->state;
    const hrr_edge_options *options = &plan->options;
    self->n_blocks = options->n_blocks;
    if ((options->blocks || plan->without_blocks) && !self->n_blocks)
        return hrr_fail(err, HRR_EINVAL, "there must be at least one block (`edges.n_blocks`)");
    if (plan->without_blocks) return HRR_OK;
    if (options->blocks)
        return give_blocks(plan, options->blocks, options->need, options->rivals, err);
    if (!self->n_blocks) self->n_blocks = default_blocks;
    self->block = hrr_alloc(plan->known.n_nodes, sizeof *self->block);
    if (!self->block) return hrr_no_memory(err);
    hrr_status status = find_need(plan, options->need, err);
    if (status) return status;
    return hrr_public_blocks(self->block, &self->n_blocks, &plan->known, self->n_blocks,
                             options->public_seed, progress, err);
}

static int n_ends(hrr_count_ends at)
{
    return at == HRR_ENDS_BOTH ? 2 : 1;
}

/* eps/ends as a fraction of 32-bit integers. 10^9 has nine factors of two, and eps <= 20 needs
 * three halvings at most: the denominator stays exact, the numerator is rounded down. */
static void share_eps(uint64_t *num, uint64_t *den, uint64_t eps_nano, int ends)
{
    *num = eps_nano;
    *den = HRR_EPS_UNIT * (uint64_t)ends;
    for (; *num > UINT32_MAX; *num /= 2)
        *den /= 2;
}

/* A pair moves a count at each of its ends that counts it. */
static double realise(uint64_t num, uint64_t den, int ends)
{
    return ends * ((double)num / (double)den);
}

hrr_count_ends hrr_edge_count_ends(const hrr_edge_options *options, bool blocks_later)
{
    if (options->count_ends) return options->count_ends;
    const bool need_is_known = options->need || blocks_later;
    return need_is_known && !options->sample_edges ? HRR_ENDS_NEEDED : HRR_ENDS_BOTH;
}

static hrr_status check_ends(const hrr_edge_options *options, hrr_error *err)
{
    if ((unsigned)options->count_ends > HRR_ENDS_NEEDED)
        return hrr_fail(err, HRR_EINVAL,
                        "an edge can be counted at one end, at both ends, or at the end with the "
                        "greater need (`edges.count_ends`); choose one of these");
    if (options->count_ends == HRR_ENDS_NEEDED && options->sample_edges)
        return hrr_fail(err, HRR_EINVAL,
                        "edges cannot be sampled (`edges.sample_edges`) from counts at the end "
                        "with the greater need, because most nodes have few counts there; count at "
                        "one end or at both ends (`edges.count_ends`)");
    if (options->need && hrr_edge_count_ends(options, false) != HRR_ENDS_NEEDED)
        return hrr_fail(err, HRR_EINVAL,
                        "need (`edges.need`) is used only if edges are counted at the end with the "
                        "greater need (`edges.count_ends`); leave it out");
    if (options->rivals &&
        (!options->blocks || hrr_edge_count_ends(options, false) != HRR_ENDS_NEEDED))
        return hrr_fail(err, HRR_EINVAL,
                        "rivals (`edges.rivals`) require given blocks and counts at the end with "
                        "the greater need (`edges.count_ends`)");
    return HRR_OK;
}

static hrr_status prepare(hrr_edge_plan *plan, hrr_progress *progress, hrr_error *err)
{
    hrr_status status = check_ends(&plan->options, err);
    if (status) return status;
    edgerr_node *self = hrr_alloc_zero(1, sizeof *self);
    if (!self) return hrr_no_memory(err);
    plan->state = self;
    self->at = hrr_edge_count_ends(&plan->options, plan->without_blocks);
    self->ends = n_ends(self->at);
    share_eps(&self->num, &self->den, plan->claim.eps_nano, self->ends);
    status = find_blocks(plan, progress, err);
    if (status) return status;

    const double eps = (double)self->num / (double)self->den;
    plan->claim.n_blocks = self->n_blocks;
    plan->claim.count_ends = self->at;
    /* The noise of each total of a pair of blocks, the positive half of it. */
    const double a = exp(-eps), variance = 2 * a / ((1 - a) * (1 - a));
    const double counts = (double)plan->known.n_nodes * self->n_blocks;
    if (plan->options.sample_edges)
        plan->claim.expected_false_edges =
            fmin(sqrt(counts * self->n_blocks * variance / (2 * M_PI)) / self->ends,
                 (double)plan->claim.n_candidate_pairs);
    return HRR_OK;
}

static hrr_status promise(hrr_edge_promise *out, const hrr_edge_method *mechanism,
                          const hrr_edge_claim *terms, hrr_error *err)
{
    (void)mechanism;
    static const char *const where[] = {[HRR_ENDS_ONE] = "one of its ends",
                                        [HRR_ENDS_BOTH] = "both its ends",
                                        [HRR_ENDS_NEEDED] =
                                            "the end that needs it more, by a public rank,"};
    const hrr_count_ends at = terms->count_ends;
    uint64_t num, den;
    if (!at || (unsigned)at > HRR_ENDS_NEEDED)
        return hrr_fail(err, HRR_EINVAL, "an edge is counted at one end or at both ends");
    const int ends = n_ends(at);
    share_eps(&num, &den, terms->eps_nano, ends);
    char text[HRR_EPS_TEXT_SIZE];
    hrr_eps_format(text, terms->eps_nano);
    out->realised_eps = realise(num, den, ends);
    out->statement = hrr_format_text("edgerr-node: eps = %s for one candidate pair, counted at %s "
                                     "into %u public blocks",
                                     text, where[at], terms->n_blocks);
    out->evidence = hrr_format_text("exact: discrete Laplace noise of eps %llu/%llu on every "
                                    "count, L1 sensitivity %d",
                                    (unsigned long long)num, (unsigned long long)den, ends);
    return HRR_OK;
}

/* ---- counts ---------------------------------------------------------------------------------- */

/* Which end counts the pair: the same one whatever the graph, since it depends on public ranks, or
 * on the pair and the public seed, alone. */
static bool target_counts(const edgerr_node *self, uint64_t public_seed, uint32_t source,
                          uint32_t target)
{
    hrr_fast_random coin;
    if (self->need) return hrr_need_is_greater(self->need, target, source);
    hrr_fast_init(&coin, public_seed, (uint64_t)source << 32 | target);
    return hrr_fast_u64(&coin) & 1;
}

/* The edge {owner, other} in the owner's counts: one of them moves by one. */
static void count_at(int64_t *count, const edgerr_node *self, uint32_t owner, uint32_t other)
{
    const uint32_t block = self->block[other];
    const uint32_t *rivals = self->rivals ? self->rivals + 2 * (uint64_t)owner : NULL;
    const bool away = rivals && rivals[0] != rivals[1] && block == rivals[1];
    count[(uint64_t)owner * self->n_blocks + (away ? rivals[0] : block)] += away ? -1 : 1;
}

static void count_edges(int64_t *count, const edgerr_node *self, uint64_t public_seed,
                        const hrr_edge_secret *secret, hrr_share edges)
{
    for (uint64_t e = edges.begin; e < edges.end; e++) {
        const uint32_t u = secret->source[e], v = secret->target[e];
        const bool at_target = self->ends == 2 || target_counts(self, public_seed, u, v);
        const bool at_source = self->ends == 2 || !at_target;
        if (at_source) count_at(count, self, u, v);
        if (at_target) count_at(count, self, v, u);
    }
}

/* The second of two rivals has none: its 0 is public. */
static bool has_count(const edgerr_node *self, uint64_t node, uint32_t block)
{
    const uint32_t *rivals = self->rivals ? self->rivals + 2 * node : NULL;
    return !rivals || rivals[0] == rivals[1] || block != rivals[1];
}

enum { nodes_per_piece = 256 };

/* Each node has a stream of its own, so threads do not show, nor whose nodes they are. */
static hrr_status add_noise(int64_t *count, const hrr_edge_plan *plan, hrr_share nodes,
                            const hrr_random *random, hrr_progress *progress, hrr_error *err)
{
    const edgerr_node *self = plan->state;
    const uint64_t n = nodes.end - nodes.begin;
    const int64_t n_pieces = (int64_t)((n + nodes_per_piece - 1) / nodes_per_piece);
    const int threads = hrr_threads(plan->options.threads);
    (void)threads; /* the fuzz targets are built without OpenMP */
    bool no_memory = false;
    hrr_progress_begin(progress, "drawing counts", n);
#pragma omp parallel num_threads(threads) reduction(|| : no_memory)
    {
        hrr_stream *stream = NULL;
        int64_t *noise = hrr_alloc(self->n_blocks, sizeof *noise);
        no_memory = !noise || hrr_stream_new(&stream, random, NULL);
#pragma omp for schedule(dynamic, 1)
        for (int64_t piece = 0; piece < n_pieces; piece++) {
            if (no_memory || hrr_progress_cancelled(progress)) continue;
            const uint64_t begin = nodes.begin + (uint64_t)piece * nodes_per_piece;
            const uint64_t after = begin + nodes_per_piece;
            const uint64_t end = after < nodes.end ? after : nodes.end;
            for (uint64_t i = begin; i < end; i++) {
                if (plan->known.candidates && !plan->known.candidates[i]) continue;
                hrr_stream_seek(stream, HRR_PURPOSE_EDGE_COUNTS, i);
                hrr_sample_laplace_fill(noise, self->n_blocks, stream, self->num, self->den);
                for (uint32_t b = 0; b < self->n_blocks; b++)
                    if (has_count(self, i, b)) count[i * self->n_blocks + b] += noise[b];
            }
            (void)!hrr_progress_advance(progress, end - begin, NULL);
        }
        hrr_stream_free(stream);
        hrr_free(noise);
    }
    if (no_memory) return hrr_no_memory(err);
    return hrr_progress_advance(progress, 0, err);
}

/* The counts of all private edges, each with its noise, at rank 0. */
static hrr_status noisy_counts(int64_t *count, const hrr_edge_plan *plan,
                               const hrr_edge_secret *secret, const hrr_random *random,
                               hrr_progress *progress, hrr_error *err)
{
    const edgerr_node *self = plan->state;
    const uint64_t n = plan->known.n_nodes;
    hrr_ranks *ranks = hrr_edge_ranks(plan);
    const hrr_share own = hrr_ranks_own_share(ranks, n);
    count_edges(count, self, plan->options.public_seed, secret,
                hrr_ranks_own_share(ranks, secret->n_edges));
    hrr_status status =
        hrr_ranks_reduce_to_owners(ranks, count, n, self->n_blocks, HRR_SUM_I64, err);
    if (!status) status = add_noise(count, plan, own, random, progress, err);
    status = hrr_ranks_agree(ranks, status, err);
    if (status) return status;
    return hrr_ranks_collect_rows(ranks, count, count + own.begin * self->n_blocks, n,
                                  self->n_blocks * sizeof *count, 0, err);
}

static bool over_ranks(const hrr_edge_plan *plan)
{
    (void)plan;
    return true;
}

/* Blocks that are given later come from rank 0. */
static void digest(hrr_hash *hash, const hrr_edge_plan *plan)
{
    const edgerr_node *self = plan->state;
    const uint64_t n = plan->known.n_nodes;
    hrr_hash_part(hash, self->block, self->block ? n * sizeof *self->block : 0);
    hrr_hash_part(hash, self->need, self->need ? n * sizeof *self->need : 0);
}

/* ---- draw ------------------------------------------------------------------------------------ */

static hrr_status draw(hrr_edge_release *out, const hrr_edge_plan *plan,
                       const hrr_edge_secret *secret, const hrr_random *random,
                       hrr_progress *progress, hrr_error *err)
{
    const edgerr_node *self = plan->state;
    const uint64_t n = plan->known.n_nodes;
    uint64_t seed;
    assert(self->block);
    hrr_status status = hrr_edge_add_part(out, "block_counts.npy", HRR_ARRAY_I64, sizeof(int64_t),
                                          n, self->n_blocks, err);
    if (!status)
        status = hrr_edge_add_part(out, "blocks.npy", HRR_ARRAY_U32, sizeof(uint32_t), n, 0, err);
    if (!status && plan->known.candidates)
        status = hrr_edge_add_part(out, "counted.npy", HRR_ARRAY_U8, 1, n, 0, err);
    if (!status && self->need)
        status = hrr_edge_add_part(out, "need.npy", HRR_ARRAY_U32, sizeof(uint32_t), n, 0, err);
    if (!status && self->rivals)
        status = hrr_edge_add_part(out, "rivals.npy", HRR_ARRAY_U32, sizeof(uint32_t), n, 2, err);
    if ((status = hrr_ranks_agree(hrr_edge_ranks(plan), status, err))) return status;
    int64_t *count = out->parts[0].array.data;
    memcpy(out->parts[1].array.data, self->block, n * sizeof *self->block);
    if (plan->known.candidates) memcpy(out->parts[2].array.data, plan->known.candidates, n);
    int last = out->n_parts - 1;
    if (self->rivals)
        memcpy(out->parts[last--].array.data, self->rivals, n * 2 * sizeof *self->rivals);
    if (self->need) memcpy(out->parts[last].array.data, self->need, n * sizeof *self->need);
    if ((status = noisy_counts(count, plan, secret, random, progress, err))) return status;
    out->realised_eps = realise(self->num, self->den, self->ends);
    if (!plan->options.sample_edges || hrr_ranks_rank(plan->ranks) != 0) return HRR_OK;
    if ((status = hrr_edge_postprocess_seed(&seed, random, err))) return status;
    const hrr_node_counts noisy = {.n_nodes = n,
                                   .n_blocks = self->n_blocks,
                                   .candidates = plan->known.candidates,
                                   .block = self->block,
                                   .count = count,
                                   .ends = self->ends,
                                   .eps = (double)self->num / (double)self->den};
    return hrr_node_edges(&out->edges, &noisy, hrr_edge_most_edges_out(plan), seed, err);
}

static const char bias[] =
    "Private edges are released as noisy counts, not as edges, so the graph looks less connected "
    "than it is. If edges were sampled from the counts, they join groups rather than individuals. "
    "The noise is the same for all nodes, so it hides nodes with few private edges first.";

const hrr_edge_method hrr_edge_edgerr_node = {
    .about.name = "edgerr-node",
    .about.what = "noisy counts of the private neighbours of each node",
    .about.page = "docs/mechanisms/edgerr-node.md",
    .about.bias = bias,
    .about.certified = true,
    .about.has_counts = true,
    .prepare = prepare,
    .promise = promise,
    .release = release,
    .give_blocks = give_blocks,
    .draw = draw,
    .over_ranks = over_ranks,
    .digest = digest};
