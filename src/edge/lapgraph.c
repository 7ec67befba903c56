/* lapgraph.c: LapGraph, the cells with the largest noisy values (F. Wu, Y. Long, C. Zhang, B. Li,
 * "LinkTeller", IEEE S&P 2022), with discrete noise and without the n x n matrix.
 *
 *     T = edges + noise of eps1, clamped to 0..most;  x = 1 for an edge, 0 for none, + noise of
 *     eps2 in each cell;  the T cells with the largest x, ties broken uniformly;
 *     eps1 = eps/100, eps2 = eps - eps1.
 *
 * Neighbours: two graphs that differ in one candidate pair.
 * Claim:      eps1 + eps2': the noisy count has sensitivity 1, and one pair moves one cell by 1.
 *
 * What the noise amounts to. Let the noise have P(y) proportional to a^|y|, a = e^-eps2. A cell has
 * x >= 1 with probability 1/(1 + a) if it is an edge and a/(1 + a) if not: randomised response of
 * eps2. Given x >= 1, the excess x - 1 is geometric of ratio a for edges (noise given >= 0) and for
 * others (noise given >= 1) alike; given x <= 0, so is -x for both. So beyond the answer [x >= 1]
 * a value says nothing about the truth, and among cells of the same answer the order is uniform.
 * Hence exactly the same law: ask every cell by randomised response, and keep T cells uniformly
 * among those that say yes; if these are fewer, keep them all and fill up uniformly among the
 * others. tests/edge/test_lapgraph.c compares this with the definition above.
 *
 * Method. Each cell has a rank in 0..2^64-1 and the T smallest are kept. The rank of a pair without
 * edge is uniform. That of an edge is uniform below `weight` with probability 1 - weight/2^64, and
 * uniform on the rest otherwise. Ranks below weight are the yeses; weight is that of flip.h, so
 * a = weight/(2^64 - weight) and eps2' = ln 1/a <= eps2, in integers. Only ranks below a bound
 * that about T cells meet are ever drawn: which cells without edge meet it is a matter of rare
 * coins of probability bound/2^64 (cells.h). Should fewer than T cells turn up, the bound is
 * raised, and the cells that are left toss a coin for the band between.
 *
 * A negative noisy count becomes 0; whether that happened cannot be told from an empty release. The
 * clamp from above (what memory holds) is public. Cost: O(n + private edges + T) time and memory.
 */
#include "edge/cells.h"
#include "edge/flip.h"
#include "edge/mechanism.h"
#include "edge/smallest.h"
#include "graph/canonical.h"
#include "random/below.h"
#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum { count_share = 100 }; /* one part of a hundred goes to the count */

typedef struct lapgraph {
    uint64_t eps_count_nano;
    uint64_t weight; /* of a false answer, out of 2^64 */
    uint64_t most;   /* the count is clamped to it */
    hrr_cells cells;
} lapgraph;

/* ---- plan ------------------------------------------------------------------------------------ */

static void release(void *state)
{
    lapgraph *self = state;
    hrr_cells_clear(&self->cells);
    hrr_free(self);
}

static hrr_status check_eps(uint64_t eps_nano, hrr_error *err)
{
    if (eps_nano >= count_share) return HRR_OK;
    return hrr_fail(err, HRR_EINVAL,
                    "lapgraph uses a hundredth of epsilon for the number of edges, so epsilon "
                    "(`edges.eps_nano`) must be at least 1e-7");
}

static hrr_status prepare(hrr_edge_plan *plan, hrr_progress *progress, hrr_error *err)
{
    (void)progress;
    const uint64_t eps_nano = plan->claim.eps_nano, eps_count = eps_nano / count_share;
    hrr_status status = check_eps(eps_nano, err);
    if (status) return status;
    lapgraph *self = hrr_alloc_zero(1, sizeof *self);
    if (!self) return hrr_no_memory(err);
    plan->state = self;
    self->eps_count_nano = eps_count;
    self->weight = hrr_flip_weight(eps_nano - eps_count);
    self->most = hrr_edge_most_edges_out(plan);
    if (self->most > plan->claim.n_candidate_pairs) self->most = plan->claim.n_candidate_pairs;
    plan->claim.most_edges = self->most;
    /* The mean of the clamped noise: what a graph without private edges would get. */
    const double a = exp(-(double)eps_count / HRR_EPS_UNIT);
    plan->claim.expected_false_edges = fmin(a / (1 - a * a), (double)self->most);
    return hrr_cells_init(&self->cells, &plan->known, err);
}

/* Of a count with noise of eps_count, and of false answers of the given weight. */
static double realise(uint64_t eps_count_nano, uint64_t weight, uint64_t eps_nano)
{
    const double eps2 = hrr_flip_eps(weight, eps_nano - eps_count_nano);
    const double sum = (double)eps_count_nano / HRR_EPS_UNIT + eps2;
    return sum < (double)eps_nano / HRR_EPS_UNIT ? nextafter(sum, INFINITY) : sum;
}

static hrr_status promise(hrr_edge_promise *out, const hrr_edge_method *mechanism,
                          const hrr_edge_claim *terms, hrr_error *err)
{
    (void)mechanism;
    const uint64_t eps_nano = terms->eps_nano, eps_count = eps_nano / count_share;
    hrr_status status = check_eps(eps_nano, err);
    if (!status && terms->most_edges > terms->n_candidate_pairs)
        status = hrr_fail(err, HRR_EINVAL, "lapgraph cannot keep more edges than there are pairs");
    if (status) return status;
    const uint64_t weight = hrr_flip_weight(eps_nano - eps_count);
    out->realised_eps = realise(eps_count, weight, eps_nano);
    char text[HRR_EPS_TEXT_SIZE];
    hrr_eps_format(text, eps_nano);
    out->statement =
        hrr_format_text("lapgraph: eps = %s for one candidate pair, a hundredth of it for the "
                        "number of edges kept, which is clamped to 0..%llu",
                        text, (unsigned long long)terms->most_edges);
    out->evidence =
        hrr_format_text("exact: discrete Laplace noise of eps %llu/10^9 on the count (sensitivity "
                        "1), and a false answer of probability %llu/2^64 for each pair",
                        (unsigned long long)eps_count, (unsigned long long)weight);
    return HRR_OK;
}

/* ---- ranks ----------------------------------------------------------------------------------- */

/* Streams of HRR_PURPOSE_EDGE_CHANNEL, beside the rows of the bands: band b has those from b << 48.
 */
enum {
    edges_per_stream = 4096,
    most_bands = 64,
    ranks_band = 64,
    edges_band = 128,
    ties_band = 192
};

static uint64_t row_of(uint64_t band, uint64_t row)
{
    return band << 48 | row;
}

typedef struct collection {
    const hrr_edge_public *known;
    const hrr_edge_secret *secret;
    hrr_stream *stream; /* for the ranks of what is taken */
    hrr_ranked *item;
    uint64_t n, capacity;
    /* The band being drawn: ranks low .. low + width - 1, and how far the walks over sorted pairs
     * have come. */
    uint64_t low, width, n_before;
    uint64_t at_secret, at_public, at_item;
} collection;

static hrr_status push(collection *self, hrr_ranked item, hrr_error *err)
{
    if (self->n == self->capacity) {
        const uint64_t capacity = self->capacity + self->capacity / 2 + 1024;
        hrr_ranked *grown = hrr_resize(self->item, capacity, sizeof *grown);
        if (!grown) return hrr_no_memory(err);
        self->item = grown;
        self->capacity = capacity;
    }
    self->item[self->n++] = item;
    return HRR_OK;
}

/* Whether the ascending list of `n` edges has the key; *at only moves forward. */
static bool meets(uint64_t *at, uint64_t n, const uint32_t *source, const uint32_t *target,
                  uint64_t key)
{
    while (*at < n && hrr_edge_key(source[*at], target[*at]) < key)
        ++*at;
    return *at < n && hrr_edge_key(source[*at], target[*at]) == key;
}

/* Pairs that are no candidates or have their rank already are passed over. */
static hrr_status take_band(void *user, const hrr_pairs *picked, hrr_error *err)
{
    collection *self = user;
    for (size_t i = 0; i < picked->n; i++) {
        const uint64_t key = hrr_edge_key(picked->source[i], picked->target[i]);
        if (meets(&self->at_public, self->known->n_edges, self->known->source, self->known->target,
                  key) ||
            meets(&self->at_secret, self->secret->n_edges, self->secret->source,
                  self->secret->target, key))
            continue;
        const hrr_ranked *item = self->item;
        while (self->at_item < self->n_before &&
               hrr_edge_key(item[self->at_item].source, item[self->at_item].target) < key)
            self->at_item++;
        if (self->at_item < self->n_before &&
            hrr_edge_key(item[self->at_item].source, item[self->at_item].target) == key)
            continue;
        hrr_status status =
            push(self,
                 (hrr_ranked){.rank = self->low + hrr_below(self->stream, self->width),
                              .source = picked->source[i],
                              .target = picked->target[i]},
                 err);
        if (status) return status;
    }
    return HRR_OK;
}

static int by_pair(const void *a, const void *b)
{
    const hrr_ranked *x = a, *y = b;
    const uint64_t first = hrr_edge_key(x->source, x->target);
    const uint64_t second = hrr_edge_key(y->source, y->target);
    return (first > second) - (first < second);
}

/* How wide the next band must be so that enough more turn up, nearly always. From 2^63 on, the
 * rest is taken whole (there 2^64 - low fits 64 bits). */
static uint64_t band_width(uint64_t low, uint64_t need, uint64_t n_left)
{
    const double left = low == 0 ? 0x1p64 : (double)-low;
    const double share = ((double)need + 6 * sqrt((double)need) + 16) / (double)n_left;
    if (low != 0 && share > .5) return -low;
    const double width = ceil(left * (share < .5 ? share : .5));
    return (uint64_t)fmin(width, 0x1p63);
}

/* Ranks for pairs without edge, band by band from below, until `need` of them or of the edges lie
 * in the bands. *bound: ranks below it are all known; 0 stands for 2^64. */
static hrr_status rank_others(collection *self, uint64_t *bound, const lapgraph *plan,
                              uint64_t need, const uint64_t *edge_ranks, const hrr_random *random,
                              int threads, hrr_progress *progress, hrr_error *err)
{
    uint64_t low = 0;
    for (uint64_t band = 0; band == 0 || low != 0; band++) {
        assert(band < most_bands);
        uint64_t n_known = self->n;
        for (uint64_t e = 0; band > 0 && e < self->secret->n_edges; e++)
            n_known += edge_ranks[e] < low;
        if (band > 0 && n_known >= need) break;
        /* Pieces of a band come in order, but bands interleave. */
        if (self->n > 1) qsort(self->item, self->n, sizeof *self->item, by_pair);
        self->low = low;
        self->width = band == most_bands - 1 ? -low
                                             : band_width(low, need - (band > 0 ? n_known : 0),
                                                          plan->cells.n_cells - self->n);
        self->n_before = self->n;
        self->at_secret = self->at_public = self->at_item = 0;
        hrr_stream_seek(self->stream, HRR_PURPOSE_EDGE_CHANNEL, row_of(ranks_band + band, 0));
        const hrr_cell_picking picking = {.num = self->width,
                                          .den = -low,
                                          .first_row = row_of(band, 0),
                                          .random = random,
                                          .threads = threads,
                                          .take = take_band,
                                          .user = self};
        hrr_status status = hrr_cells_pick(&plan->cells, &picking, progress, err);
        if (status) return status;
        low += self->width;
    }
    *bound = low;
    return HRR_OK;
}

static void rank_edges(uint64_t *rank, uint64_t n_edges, uint64_t weight, hrr_stream *stream)
{
    for (uint64_t e = 0; e < n_edges; e++) {
        if (e % edges_per_stream == 0)
            hrr_stream_seek(stream, HRR_PURPOSE_EDGE_CHANNEL,
                            row_of(edges_band, e / edges_per_stream));
        const bool lies = hrr_stream_word(stream) < weight;
        rank[e] = lies ? weight + hrr_below(stream, -weight) : hrr_below(stream, weight);
    }
}

/* ---- draw ------------------------------------------------------------------------------------ */

static hrr_status publish(hrr_edge_release *out, const hrr_ranked *item, uint64_t n, hrr_error *err)
{
    hrr_status status = hrr_edge_list_init(&out->edges, n, false, err);
    for (uint64_t i = 0; i < n && !status; i++) {
        out->edges.source[i] = item[i].source;
        out->edges.target[i] = item[i].target;
    }
    return status;
}

static uint64_t noisy_count(const lapgraph *plan, uint64_t n_edges, hrr_stream *stream)
{
    hrr_stream_seek(stream, HRR_PURPOSE_EDGE_COUNTS, 0);
    const int64_t count =
        (int64_t)n_edges + hrr_sample_laplace(stream, plan->eps_count_nano, HRR_EPS_UNIT);
    if (count <= 0) return 0;
    return (uint64_t)count < plan->most ? (uint64_t)count : plan->most;
}

static hrr_status draw(hrr_edge_release *out, const hrr_edge_plan *plan,
                       const hrr_edge_secret *secret, const hrr_random *random,
                       hrr_progress *progress, hrr_error *err)
{
    const lapgraph *self = plan->state;
    collection found = {.known = &plan->known, .secret = secret};
    uint64_t *edge_ranks = hrr_alloc(secret->n_edges, sizeof *edge_ranks), bound = 0;
    hrr_status status = edge_ranks ? HRR_OK : hrr_no_memory(err);
    if (!status) status = hrr_stream_new(&found.stream, random, err);
    if (status) goto done;
    const uint64_t kept = noisy_count(self, secret->n_edges, found.stream);
    rank_edges(edge_ranks, secret->n_edges, self->weight, found.stream);
    if (kept > 0)
        status = rank_others(&found, &bound, self, kept, edge_ranks, random, plan->options.threads,
                             progress, err);
    for (uint64_t e = 0; e < secret->n_edges && !status; e++)
        if (kept > 0 && (bound == 0 || edge_ranks[e] < bound))
            status = push(&found, (hrr_ranked){edge_ranks[e], secret->source[e], secret->target[e]},
                          err);
    if (status) goto done;
    hrr_stream_seek(found.stream, HRR_PURPOSE_EDGE_CHANNEL, row_of(ties_band, 0));
    hrr_select_smallest(found.item, found.n, kept, found.stream);
    out->realised_eps = realise(self->eps_count_nano, self->weight, plan->claim.eps_nano);
    status = publish(out, found.item, kept, err);
done:
    hrr_stream_free(found.stream);
    hrr_free(found.item);
    hrr_free(edge_ranks);
    return status;
}

static const char bias[] =
    "False edges join nodes at random, so groups look more mixed than they are, and nodes with few "
    "edges better connected.";

const hrr_edge_method hrr_edge_lapgraph = {.about.name = "lapgraph",
                                           .about.what = "the pairs with the largest noisy values",
                                           .about.page = "docs/mechanisms/lapgraph.md",
                                           .about.bias = bias,
                                           .about.certified = true,
                                           .about.whole_graph = true,
                                           .about.private_form = "lapgraph-private",
                                           .prepare = prepare,
                                           .promise = promise,
                                           .release = release,
                                           .draw = draw};

const hrr_edge_method hrr_edge_lapgraph_private = {.about.name = "lapgraph-private",
                                                   .about.what =
                                                       "lapgraph on the private pairs alone",
                                                   .about.page = "docs/mechanisms/lapgraph.md",
                                                   .about.bias = bias,
                                                   .about.certified = true,
                                                   .prepare = prepare,
                                                   .promise = promise,
                                                   .release = release,
                                                   .draw = draw};
