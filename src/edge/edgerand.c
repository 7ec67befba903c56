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
        return hrr_fail(err, HRR_EINVAL,
                        "edgerand is expected to write %.4g false edges, more than %s %llu: a "
                        "larger epsilon (--eps-edges), fewer candidates (--candidates) or another "
                        "mechanism needs less",
                        expected,
                        plan->options.most_edges_out ? "--max-edges-out allows,"
                                                     : "fit the memory of this machine,",
                        (unsigned long long)most);
    edgerand *self = hrr_alloc_zero(1, sizeof *self);
    if (!self) return hrr_no_memory(err);
    plan->state = self;
    self->weight = weight;
    hrr_status status = hrr_cells_init(&self->cells, &plan->known, err);
    if (status) return status;

    plan->claim.realised_eps = hrr_flip_eps(weight, plan->claim.eps_nano);
    plan->claim.expected_false_edges = expected;
    char text[HRR_EPS_TEXT_SIZE];
    hrr_eps_format(text, plan->claim.eps_nano);
    plan->statement = hrr_format_text("edgerand: eps = %s for one candidate pair, randomised "
                                      "response on each of %llu",
                                      text, (unsigned long long)plan->claim.n_candidate_pairs);
    plan->evidence = hrr_format_text("exact: each pair is flipped with probability %llu/2^64, "
                                     "drawn in integers without rounding",
                                     (unsigned long long)weight);
    return plan->statement && plan->evidence ? HRR_OK : hrr_no_memory(err);
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

static hrr_status keep_secret_below(difference *self, uint64_t key, hrr_error *err)
{
    for (; secret_key(self) < key; self->next++) {
        hrr_status status = hrr_pairs_reserve(&self->out, 1, err);
        if (status) return status;
        hrr_pairs_push(&self->out, self->secret->source[self->next],
                       self->secret->target[self->next]);
    }
    return HRR_OK;
}

static hrr_status take_flips(void *user, const hrr_pairs *flips, hrr_error *err)
{
    difference *self = user;
    hrr_status status = hrr_pairs_reserve(&self->out, flips->n, err);
    uint64_t next_secret = secret_key(self);
    for (size_t i = 0; i < flips->n && !status; i++) {
        const uint64_t key = hrr_edge_key(flips->source[i], flips->target[i]);
        if (next_secret <= key) {
            status = keep_secret_below(self, key, err);
            /* Room for the flips that are left: those before used their own. */
            if (!status) status = hrr_pairs_reserve(&self->out, flips->n - i, err);
            if (status) return status;
            const bool was_edge = secret_key(self) == key;
            self->next += was_edge;
            next_secret = secret_key(self);
            if (was_edge) continue;
        }
        hrr_pairs_push(&self->out, flips->source[i], flips->target[i]);
    }
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
    if (!status) status = keep_secret_below(&merged, UINT64_MAX, err);
    if (!status) hrr_pairs_into_edges(&out->edges, &merged.out);
    hrr_pairs_clear(&merged.out);
    return status;
}

const hrr_edge_mechanism hrr_edge_edgerand = {
    .name = "edgerand", .whole_graph = true, .prepare = prepare, .release = release, .draw = draw};
const hrr_edge_mechanism hrr_edge_edgerand_private = {
    .name = "edgerand-private", .prepare = prepare, .release = release, .draw = draw};
