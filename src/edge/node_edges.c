/* node_edges.c: see node_edges.h. A block model with a weight for each node and block.
 *
 * The sum of the noisy counts from block a into block b is an unbiased number of edges between them
 * (clamped at 0 as a sum, not count by count, which would add edges wherever there are none). It is
 * spread over the nodes by the posterior means of their own counts: node u of a is an end with
 * probability proportional to its weight for b, node v of b to its weight for a. A pair drawn twice
 * counts once, so a few edges fewer than estimated come out. */
#include "edge/node_edges.h"
#include "edge/count_law.h"
#include "base/memory.h"

#include <math.h>

typedef struct spread {
    const hrr_node_counts *counts;
    uint32_t *members; /* candidates, block by block */
    uint64_t *first;   /* n_blocks + 1 */
    double *total;     /* n_blocks x n_blocks: summed counts */
    double *climb;     /* n candidates: running sums of weights, for the left and the right end */
    double *climb_right;
    double *posterior; /* by noisy count */
    size_t n_posterior;
} spread;

static hrr_status gather(spread *self, hrr_error *err)
{
    const hrr_node_counts *counts = self->counts;
    const uint32_t n_blocks = counts->n_blocks;
    const uint64_t n = counts->n_nodes;
    self->members = hrr_alloc(n, sizeof *self->members);
    self->first = hrr_alloc_zero((size_t)n_blocks + 2, sizeof *self->first);
    self->total = hrr_alloc_zero((size_t)n_blocks * n_blocks, sizeof *self->total);
    self->climb = hrr_alloc(n, sizeof *self->climb);
    self->climb_right = hrr_alloc(n, sizeof *self->climb_right);
    if (!self->members || !self->first || !self->total || !self->climb || !self->climb_right)
        return hrr_no_memory(err);
    uint64_t *next = self->first + 1;
    int64_t most = 0;
    for (uint64_t i = 0; i < n; i++)
        if (!counts->candidates || counts->candidates[i]) next[counts->block[i] + 1]++;
    for (uint32_t b = 0; b < n_blocks; b++)
        next[b + 1] += next[b];
    for (uint64_t i = 0; i < n; i++) {
        if (counts->candidates && !counts->candidates[i]) continue;
        const uint32_t a = counts->block[i];
        self->members[next[a]++] = (uint32_t)i;
        for (uint32_t b = 0; b < n_blocks; b++) {
            const int64_t count = counts->count[i * n_blocks + b];
            self->total[(size_t)a * n_blocks + b] += (double)count;
            most = count > most ? count : most;
        }
    }
    /* No node has more neighbours than there are nodes, whatever noise says. */
    self->n_posterior = (size_t)((uint64_t)most < n ? (uint64_t)most : n) + 1;
    self->posterior = hrr_alloc(self->n_posterior, sizeof *self->posterior);
    return self->posterior ? HRR_OK : hrr_no_memory(err);
}

/* Edges between blocks a <= b, from all counts that saw them. */
static double estimate(const spread *self, uint32_t a, uint32_t b)
{
    const uint32_t n_blocks = self->counts->n_blocks;
    const double there = self->total[(size_t)a * n_blocks + b];
    const double back = self->total[(size_t)b * n_blocks + a];
    const double n_a = (double)(self->first[a + 1] - self->first[a]);
    const double n_b = (double)(self->first[b + 1] - self->first[b]);
    const double pairs = a == b ? n_a * (n_a - 1) / 2 : n_a * n_b;
    const double seen = a == b ? there : there + back;
    return fmin(fmax(seen / self->counts->ends, 0), pairs);
}

/* Running sums of the weights of block a's nodes for block b; returns the last. */
static double climb(double *sums, const spread *self, uint32_t a, uint32_t b)
{
    const hrr_node_counts *counts = self->counts;
    const uint64_t begin = self->first[a], end = self->first[a + 1];
    if (begin == end) return 0;
    const double total = self->total[(size_t)a * counts->n_blocks + b];
    const double mean = fmax(total, .5) / (double)(end - begin);
    hrr_count_posterior(self->posterior, self->n_posterior, mean, counts->eps);
    double sum = 0;
    for (uint64_t i = begin; i < end; i++) {
        const int64_t count = counts->count[(uint64_t)self->members[i] * counts->n_blocks + b];
        const size_t x = count < 0 ? 0 : (size_t)count;
        sum += self->posterior[x < self->n_posterior ? x : self->n_posterior - 1];
        sums[i - begin] = sum;
    }
    return sum;
}

static uint32_t draw_member(const spread *self, const double *sums, uint32_t a,
                            hrr_fast_random *random)
{
    uint64_t low = 0, high = self->first[a + 1] - self->first[a] - 1;
    const double at = hrr_fast_uniform(random) * sums[high];
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (sums[middle] > at)
            high = middle;
        else
            low = middle + 1;
    }
    return self->members[self->first[a] + low];
}

hrr_status hrr_node_edges(hrr_edge_list *out, const hrr_node_counts *counts, uint64_t most,
                          uint64_t seed, hrr_error *err)
{
    spread self = {.counts = counts};
    hrr_fast_random random;
    hrr_fast_init(&random, seed, 0);
    hrr_status status = gather(&self, err);
    double sum = 0;
    for (uint32_t a = 0; a < counts->n_blocks && !status; a++)
        for (uint32_t b = a; b < counts->n_blocks; b++)
            sum += estimate(&self, a, b);
    const double scale = sum > (double)most ? (double)most / sum : 1;
    /* Each estimate is cut down to a whole number, or up by chance. */
    const uint64_t room = (uint64_t)(sum * scale) + (uint64_t)counts->n_blocks * counts->n_blocks;
    if (!status) status = hrr_edge_list_init(out, room, false, err);
    uint64_t n = 0;
    for (uint32_t a = 0; a < counts->n_blocks && !status; a++)
        for (uint32_t b = a; b < counts->n_blocks; b++) {
            const double edges = estimate(&self, a, b) * scale;
            const uint64_t whole = (uint64_t)(edges + hrr_fast_uniform(&random));
            if (whole == 0) continue;
            const bool possible =
                climb(self.climb, &self, a, b) > 0 && climb(self.climb_right, &self, b, a) > 0;
            for (uint64_t e = 0; e < whole && possible && n < room; e++, n++) {
                out->source[n] = draw_member(&self, self.climb, a, &random);
                out->target[n] = draw_member(&self, self.climb_right, b, &random);
            }
        }
    if (!status) out->n_edges = n;
    hrr_free(self.members);
    hrr_free(self.first);
    hrr_free(self.total);
    hrr_free(self.climb);
    hrr_free(self.climb_right);
    hrr_free(self.posterior);
    return status;
}
