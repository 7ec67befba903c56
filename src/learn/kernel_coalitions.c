/* kernel_coalitions.c: coalitions by size, small and large ones first.
 *
 * The Shapley kernel (Lundberg and Lee 2017) gives all coalitions of size s together the weight
 *
 *     (d - 1) / (s (d - s))
 *
 * so the smallest and the largest weigh most and are the fewest. Sizes s and d - s go together.
 * Pairs of sizes are enumerated, s = 1 first, as long as the budget would give each of their
 * coalitions a draw; what is left is drawn from the other sizes by weight, each with its
 * complement, which removes the variance of everything odd (Covert and Lee 2021), and with sizes at
 * even steps through their distribution rather than independently.
 *
 * s = 1 is always enumerated: it makes the least-squares problem positive definite. */
#include "learn/kernel_coalitions.h"

#include <heterorr/random.h>

#include "base/memory.h"
#include "random/fast.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* What is still to be spent. */
typedef struct budget {
    uint64_t coalitions;
    double weight;
} budget;

static bool pairs_with_itself(uint64_t d, uint64_t size)
{
    return 2 * size == d;
}

/* The weight of sizes s and d - s together, before normalisation. */
static double raw_weight(uint64_t d, uint64_t size)
{
    return (pairs_with_itself(d, size) ? 1 : 2) / ((double)size * (double)(d - size));
}

/* How many coalitions have size s or d - s; any number above 2^53 is as good as infinity. */
static double count_pair(uint64_t d, uint64_t size)
{
    double count = 1;
    for (uint64_t i = 0; i < size; i++)
        count = count * (double)(d - i) / (double)(i + 1);
    return pairs_with_itself(d, size) ? count : 2 * count;
}

static uint8_t *append(hrr_coalition_set *set, uint64_t d, double weight)
{
    set->weight[set->n] = weight;
    return set->member + d * set->n++;
}

static void append_complement(hrr_coalition_set *set, uint64_t d, const uint8_t *of, double weight)
{
    uint8_t *member = append(set, d, weight);
    for (uint64_t i = 0; i < d; i++)
        member[i] = !of[i];
}

/* All coalitions of `size` in lexicographic order, and their complements. chosen: room for size. */
static void enumerate(hrr_coalition_set *set, uint64_t d, uint64_t size, double weight,
                      uint32_t *chosen)
{
    for (uint64_t j = 0; j < size; j++)
        chosen[j] = (uint32_t)j;
    for (;;) {
        uint8_t *member = append(set, d, weight);
        memset(member, 0, d);
        for (uint64_t j = 0; j < size; j++)
            member[chosen[j]] = 1;
        if (!pairs_with_itself(d, size)) append_complement(set, d, member, weight);
        uint64_t last = size; /* the last position that can still move up */
        while (last > 0 && chosen[last - 1] == d - size + last - 1)
            last--;
        if (last == 0) return;
        chosen[last - 1]++;
        for (uint64_t j = last; j < size; j++)
            chosen[j] = chosen[j - 1] + 1;
    }
}

/* A uniform coalition of `size` (the start of a shuffle of order, all d features), and its
 * complement. */
static void draw(hrr_coalition_set *set, uint64_t d, uint64_t size, double weight, uint32_t *order,
                 hrr_fast_random *random)
{
    uint8_t *member = append(set, d, weight);
    memset(member, 0, d);
    for (uint64_t j = 0; j < size; j++) {
        uint64_t other = j + hrr_fast_below(random, d - j);
        uint32_t feature = order[other];
        order[other] = order[j];
        order[j] = feature;
        member[feature] = 1;
    }
    append_complement(set, d, member, weight);
}

/* Spend the rest on sizes from `first` on. */
static void sample(hrr_coalition_set *set, uint64_t d, uint64_t first, budget left,
                   double total_weight, uint32_t *order, hrr_fast_random *random)
{
    const uint64_t pairs = left.coalitions / 2;
    for (uint64_t i = 0; i < d; i++)
        order[i] = (uint32_t)i;
    uint64_t size = first;
    double below = 0, start = hrr_fast_uniform(random);
    for (uint64_t j = 0; j < pairs; j++) {
        const double at = ((double)j + start) / (double)pairs * left.weight;
        while (2 * (size + 1) <= d && below + raw_weight(d, size) / total_weight <= at)
            below += raw_weight(d, size++) / total_weight;
        draw(set, d, size, left.weight / (double)(2 * pairs), order, random);
    }
}

hrr_status hrr_kernel_coalitions(hrr_coalition_set *out, uint64_t n_features, uint64_t n_wanted,
                                 uint64_t seed, hrr_error *err)
{
    const uint64_t d = n_features;
    const uint64_t all = d < 63 ? ((uint64_t)1 << d) - 2 : UINT64_MAX;
    assert(d >= 2 && d <= UINT32_MAX && (n_wanted >= 2 * d || n_wanted >= all));
    const uint64_t most = n_wanted < all ? n_wanted : all;
    *out = (hrr_coalition_set){0};
    hrr_coalition_set set = {
        .member = hrr_alloc(most, d),
        .weight = hrr_alloc(most, sizeof(double)),
    };
    uint32_t *order = hrr_alloc(d, sizeof *order);
    if (!set.member || !set.weight || !order) {
        hrr_coalition_set_clear(&set);
        hrr_free(order);
        return hrr_no_memory(err);
    }
    double total_weight = 0;
    for (uint64_t size = 1; 2 * size <= d; size++)
        total_weight += raw_weight(d, size);

    budget left = {.coalitions = most, .weight = 1};
    uint64_t size = 1;
    for (; 2 * size <= d; size++) {
        const double count = count_pair(d, size), share = raw_weight(d, size) / total_weight;
        const double fair_draws = (double)left.coalitions * share / left.weight;
        if (most < all && size > 1 && fair_draws < count) break;
        enumerate(&set, d, size, share / count, order);
        left.coalitions -= (uint64_t)count;
        left.weight -= share;
    }
    if (2 * size <= d) {
        hrr_fast_random random;
        hrr_fast_init(&random, seed, 0);
        sample(&set, d, size, left, total_weight, order, &random);
    }
    assert(set.n <= most);
    *out = set;
    hrr_free(order);
    return HRR_OK;
}

void hrr_coalition_set_clear(hrr_coalition_set *set)
{
    hrr_free(set->member);
    hrr_free(set->weight);
    *set = (hrr_coalition_set){0};
}
