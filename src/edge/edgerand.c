/* edgerand.c: EdgeRand, randomised response on every candidate pair (F. Wu, Y. Long, C. Zhang, B.
 * Li, "LinkTeller", IEEE S&P 2022; randomised response: Warner 1965).
 *
 * Neighbours: two graphs that differ in one candidate pair.
 * Claim:      each pair keeps its truth, or is flipped with probability weight/2^64, independently:
 *             eps = ln((2^64 - weight)/weight) <= the request (flip.h). Exactly, since the flips
 *             are drawn in integers without rounding (random/geometric.h, random/coins.h).
 * Method:     which cells flip does not depend on the graph. They are drawn by skipping from one to
 *             the next, and the output is the symmetric difference of flips and private edges: both
 *             ascend, so one walk over both makes it, and each pair is touched once. Flips on
 *             public edges are dropped (draw.c).
 * Fault not repeated: the published code draws an n x n matrix from a seed that is written in it.
 *
 * About pairs/(1 + e^eps) false edges come out, so a small epsilon can ask for more than memory
 * holds: refused while planning, since that number is public. */
#include "edge/cells.h"
#include "edge/flip.h"
#include "edge/mechanism.h"
#include "graph/canonical.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

typedef struct edgerand {
    uint64_t weight; /* of a flip, out of 2^64 */
    hrr_cells cells;
} edgerand;

static void release(void *state)
{
    edgerand *self = state;
    hrr_cells_clear(&self->cells);
    hrr_free(self);
}

static hrr_status prepare(hrr_edge_plan *plan, hrr_progress *progress, hrr_error *err)
{
    (void)progress;
    const uint64_t weight = hrr_flip_weight(plan->claim.eps_nano);
    const double expected = (double)plan->claim.n_candidate_pairs * ((double)weight / 0x1p64);
    const uint64_t most = hrr_edge_most_edges_out(plan);
    if (expected > (double)most)
        return hrr_fail(
            err, HRR_EINVAL,
            "edgerand is expected to write %.4g false edges, but %s %llu; use a larger epsilon "
            "(`edges.eps_nano`), fewer candidates (`candidates`) or another mechanism",
            expected,
            plan->options.most_edges_out ? "`edges.most_edges_out` allows only"
                                         : "the memory of this machine has room for only",
            (unsigned long long)most);
    edgerand *self = hrr_alloc_zero(1, sizeof *self);
    if (!self) return hrr_no_memory(err);
    plan->state = self;
    self->weight = weight;
    plan->claim.expected_false_edges = expected;
    return hrr_cells_init(&self->cells, &plan->known, err);
}

static hrr_status promise(hrr_edge_promise *out, const hrr_edge_method *mechanism,
                          const hrr_edge_claim *terms, hrr_error *err)
{
    (void)mechanism, (void)err;
    char on[32];
    snprintf(on, sizeof on, "each of %llu", (unsigned long long)terms->n_candidate_pairs);
    hrr_flip_promise(out, "edgerand", terms->eps_nano, on, "each pair is flipped");
    return HRR_OK;
}

typedef struct difference {
    hrr_pairs out;
    const hrr_edge_secret *secret;
    uint64_t next; /* private edges before it are in out, or were flipped away */
} difference;

static uint64_t secret_key(const difference *self)
{
    const uint64_t e = self->next;
    return e < self->secret->n_edges
               ? hrr_edge_key(self->secret->source[e], self->secret->target[e])
               : UINT64_MAX;
}

static uint64_t flip_key(const hrr_pairs *flips, size_t i)
{
    return hrr_edge_key(flips->source[i], flips->target[i]);
}

/* The first flip from `begin` on whose key is not below `key`: steps that double, then halve, since
 * it is near when flips are rare and far when they are common. */
static size_t first_flip_from(const hrr_pairs *flips, size_t begin, uint64_t key)
{
    size_t step = 1, low = begin, high;
    while (low + step <= flips->n && flip_key(flips, low + step - 1) < key) {
        low += step;
        step *= 2;
    }
    high = low + step - 1 < flips->n ? low + step - 1 : flips->n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (flip_key(flips, middle) < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void copy_pairs(hrr_pairs *out, const uint32_t *source, const uint32_t *target, size_t n)
{
    memcpy(out->source + out->n, source, n * sizeof *source);
    memcpy(out->target + out->n, target, n * sizeof *target);
    out->n += n;
}

/* Flips and private edges in turn, whole runs of flips at once; a pair that is both is neither. */
static hrr_status take_flips(void *user, const hrr_pairs *flips, hrr_error *err)
{
    difference *self = user;
    for (size_t i = 0; i < flips->n;) {
        const uint64_t key = secret_key(self);
        const size_t end = first_flip_from(flips, i, key);
        hrr_status status = hrr_pairs_reserve(&self->out, end - i + 1, err);
        if (status) return status;
        copy_pairs(&self->out, flips->source + i, flips->target + i, end - i);
        i = end;
        if (i == flips->n) break; /* the private edge waits: later flips may come before it */
        if (flip_key(flips, i) == key)
            i++;
        else
            hrr_pairs_push(&self->out, self->secret->source[self->next],
                           self->secret->target[self->next]);
        self->next++;
    }
    return HRR_OK;
}

/* What is left after the last flip. */
static hrr_status take_rest(difference *self, hrr_error *err)
{
    const uint64_t n = self->secret->n_edges - self->next;
    hrr_status status = hrr_pairs_reserve(&self->out, n, err);
    if (!status && n > 0)
        copy_pairs(&self->out, self->secret->source + self->next, self->secret->target + self->next,
                   n);
    return status;
}

static hrr_status draw(hrr_edge_release *out, const hrr_edge_plan *plan,
                       const hrr_edge_secret *secret, const hrr_random *random,
                       hrr_progress *progress, hrr_error *err)
{
    const edgerand *self = plan->state;
    difference merged = {.secret = secret};
    const hrr_cell_picking flips = {.num = self->weight,
                                    .random = random,
                                    .threads = plan->options.threads,
                                    .take = take_flips,
                                    .user = &merged};
    /* Enough for nearly every draw at once, so that growing does not copy; pages that are not
     * written cost nothing. */
    const double room = plan->claim.expected_false_edges * 1.01 + (double)secret->n_edges + 4096;
    hrr_status status = hrr_pairs_reserve(&merged.out, (size_t)room, err);
    if (!status) status = hrr_cells_pick(&self->cells, &flips, progress, err);
    if (!status) status = take_rest(&merged, err);
    if (!status) hrr_pairs_into_edges(&out->edges, &merged.out);
    out->realised_eps = hrr_flip_eps(flips.num, plan->claim.eps_nano);
    hrr_pairs_clear(&merged.out);
    return status;
}

static const char bias[] =
    "False edges join nodes at random, so groups look more mixed than they are, and nodes with few "
    "edges better connected.";

const hrr_edge_method hrr_edge_edgerand = {.about.name = "edgerand",
                                           .about.what = "randomised response on every pair",
                                           .about.page = "docs/mechanisms/edgerand.md",
                                           .about.bias = bias,
                                           .about.certified = true,
                                           .about.whole_graph = true,
                                           .about.private_form = "edgerand-private",
                                           .about.flips_pairs = true,
                                           .draws_canonical = true,
                                           .prepare = prepare,
                                           .promise = promise,
                                           .release = release,
                                           .draw = draw};

const hrr_edge_method hrr_edge_edgerand_private = {.about.name = "edgerand-private",
                                                   .about.what =
                                                       "edgerand on the private pairs alone",
                                                   .about.page = "docs/mechanisms/edgerand.md",
                                                   .about.bias = bias,
                                                   .about.certified = true,
                                                   .about.flips_pairs = true,
                                                   .draws_canonical = true,
                                                   .prepare = prepare,
                                                   .promise = promise,
                                                   .release = release,
                                                   .draw = draw};
