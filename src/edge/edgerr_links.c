/* edgerr_links.c: EdgeRR-links, randomised response on the pairs that public edges suggest. Our own
 * answer for whoever needs edges and not counts: most of the false edges of edgerand come from
 * pairs that nobody would have believed in.
 *
 * Shortlist:  candidate pairs that have public neighbours in common, the best four for each public
 *             edge (shortlist.h). Public.
 * Neighbours: two graphs that differ in one candidate pair.
 * Claim:      a pair on the list is answered for truthfully, or, with probability weight/2^64,
 *             falsely (flip.h): eps for the pair. Other pairs are never looked at: 0 for them. The
 *             coins are drawn in integers without rounding (random/coins.h).
 * Kept:       pairs whose posterior probability is above one half. The list is in bands of equal
 *             prior; the share of links in a band comes from its own noisy answers, and is made
 *             to fall from one band to the next (isotonic regression). All of it is
 *             post-processing of the answers.
 *
 * Where few pairs of a band are links, as at small eps, nothing of it is kept: then the release is
 * that of public-only. */
#include "edge/flip.h"
#include "edge/mechanism.h"
#include "edge/shortlist.h"
#include "graph/canonical.h"
#include "random/coins.h"
#include "base/memory.h"

enum { pairs_for_each_edge = 4 };

typedef struct edgerr_links {
    uint64_t weight; /* of a false answer, out of 2^64 */
    hrr_shortlist list;
} edgerr_links;

static void release(void *state)
{
    edgerr_links *self = state;
    hrr_shortlist_clear(&self->list);
    hrr_free(self);
}

static const char nothing_to_ask[] =
    "no candidate pair has a common public neighbour, so there are no likely links to ask about. A "
    "budget would buy nothing: leave the private edges out (public-only), which gives the same "
    "graph";

static hrr_status prepare(hrr_edge_plan *plan, hrr_progress *progress, hrr_error *err)
{
    edgerr_links *self = hrr_alloc_zero(1, sizeof *self);
    if (!self) return hrr_no_memory(err);
    plan->state = self;
    self->weight = hrr_flip_weight(plan->claim.eps_nano);
    hrr_status status =
        hrr_shortlist_new(&self->list, &plan->known, pairs_for_each_edge * plan->known.n_edges,
                          plan->options.threads, progress, err);
    if (status) return status;
    if (!self->list.n) plan->claim.advice = nothing_to_ask;
    plan->claim.expected_false_edges = (double)self->list.n * ((double)self->weight / 0x1p64);
    return HRR_OK;
}

static hrr_status promise(hrr_edge_promise *out, const hrr_edge_method *mechanism,
                          const hrr_edge_claim *terms, hrr_error *err)
{
    (void)err;
    hrr_flip_promise(out, mechanism->about.name, terms->eps_nano, "a public shortlist",
                     "each answer is false");
    return HRR_OK;
}

/* ---- answers --------------------------------------------------------------------------------- */

/* answer[i] = whether pair i is a private edge: one walk, since both ascend. */
static void look_up(uint8_t *answer, const hrr_shortlist *list, const hrr_edge_secret *secret)
{
    uint64_t e = 0;
    for (uint64_t i = 0; i < list->n; i++) {
        const uint64_t key = hrr_edge_key(list->source[i], list->target[i]);
        while (e < secret->n_edges && hrr_edge_key(secret->source[e], secret->target[e]) < key)
            e++;
        answer[i] =
            e < secret->n_edges && hrr_edge_key(secret->source[e], secret->target[e]) == key;
    }
}

static hrr_status randomise(uint8_t *answer, uint64_t n, uint64_t weight, const hrr_random *random,
                            hrr_error *err)
{
    hrr_stream *stream;
    hrr_status status = hrr_stream_new(&stream, random, err);
    if (status) return status;
    for (uint64_t begin = 0; begin < n; begin += hrr_coin_lanes) {
        uint64_t heads[hrr_coin_words];
        hrr_stream_seek(stream, HRR_PURPOSE_EDGE_CHANNEL, begin / hrr_coin_lanes);
        hrr_coins(heads, stream, weight);
        for (uint64_t i = begin; i < n && i < begin + hrr_coin_lanes; i++)
            answer[i] ^= heads[(i - begin) / 64] >> (i - begin) % 64 & 1;
    }
    hrr_stream_free(stream);
    return HRR_OK;
}

/* ---- which are believed ---------------------------------------------------------------------- */

/* Whether a pair of the band is kept: [0] if the answer is no, [1] if it is yes. */
typedef bool belief[2];

/* Pool bands until the shares of links fall: what pools have in common is their mean. */
static void believe(belief *keep, const hrr_shortlist *list, const uint8_t *answer, double flip)
{
    double yes[HRR_MOST_SHORTLIST_BANDS] = {0}, size[HRR_MOST_SHORTLIST_BANDS] = {0};
    uint32_t first[HRR_MOST_SHORTLIST_BANDS + 1] = {0}, n_pools = 0;
    for (uint64_t i = 0; i < list->n; i++) {
        yes[list->band[i]] += answer[i];
        size[list->band[i]]++;
    }
    for (uint32_t band = 0; band < list->n_bands; band++) {
        double y = yes[band], s = size[band];
        uint32_t begin = band;
        for (; n_pools && yes[n_pools - 1] * s <= y * size[n_pools - 1]; n_pools--) {
            y += yes[n_pools - 1];
            s += size[n_pools - 1];
            begin = first[n_pools - 1];
        }
        yes[n_pools] = y, size[n_pools] = s, first[n_pools++] = begin;
    }
    first[n_pools] = list->n_bands;
    for (uint32_t pool = 0; pool < n_pools; pool++) {
        const double share = (yes[pool] / size[pool] - flip) / (1 - 2 * flip);
        for (uint32_t band = first[pool]; band < first[pool + 1]; band++) {
            keep[band][1] = share > flip; /* share e^eps > 1 - share */
            keep[band][0] = share > 1 - flip;
        }
    }
}

static hrr_status keep_pairs(hrr_edge_list *out, const hrr_shortlist *list, const uint8_t *answer,
                             double flip, hrr_error *err)
{
    belief keep[HRR_MOST_SHORTLIST_BANDS] = {{false}};
    uint64_t n = 0;
    believe(keep, list, answer, flip);
    for (uint64_t i = 0; i < list->n; i++)
        n += keep[list->band[i]][answer[i]];
    hrr_status status = hrr_edge_list_init(out, n, false, err);
    if (status) return status;
    n = 0;
    for (uint64_t i = 0; i < list->n; i++) {
        if (!keep[list->band[i]][answer[i]]) continue;
        out->source[n] = list->source[i];
        out->target[n++] = list->target[i];
    }
    return HRR_OK;
}

static hrr_status draw(hrr_edge_release *out, const hrr_edge_plan *plan,
                       const hrr_edge_secret *secret, const hrr_random *random,
                       hrr_progress *progress, hrr_error *err)
{
    (void)progress;
    const edgerr_links *self = plan->state;
    uint8_t *answer = hrr_alloc(self->list.n, sizeof *answer);
    if (!answer) return hrr_no_memory(err);
    look_up(answer, &self->list, secret);
    hrr_status status = randomise(answer, self->list.n, self->weight, random, err);
    if (!status)
        status = keep_pairs(&out->edges, &self->list, answer, (double)self->weight / 0x1p64, err);
    out->realised_eps = hrr_flip_eps(self->weight, plan->claim.eps_nano);
    hrr_free(answer);
    return status;
}

static const char bias[] =
    "Only pairs with public neighbours in common can come out as edges: friends of friends look "
    "closer than they are, and private edges across groups are missing.";

const hrr_edge_method hrr_edge_edgerr_links = {.about.name = "edgerr-links",
                                               .about.what =
                                                   "randomised response on likely links only",
                                               .about.page = "docs/mechanisms/edgerr-links.md",
                                               .about.bias = bias,
                                               .about.certified = true,
                                               .draws_canonical = true,
                                               .prepare = prepare,
                                               .promise = promise,
                                               .release = release,
                                               .draw = draw};
