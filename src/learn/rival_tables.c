/* rival_tables.c: see rival_tables.h.
 *
 * The count that rivals a and b share is x = N_a - N_b + noise. Noise is symmetric, so noise - N_b
 * is x - k as probably as N_b + noise is k - x, which count_law.h tabulates:
 *
 *     P(x) = sum over k of P(N_a = k) P(N_b + noise = k - x),
 *     P(N_b + noise = -z) = e^(-eps z) P(N_b + noise = 0) for z > 0.
 *
 * Workload: a few hundred pairs and counts for each of a few kinds, sums of some hundred terms. */
#include "learn/rival_tables.h"
#include "edge/count_law.h"
#include "base/memory.h"
#include "base/size.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_counted = 400 }; /* a difference beyond that has said what it has to say */

void hrr_rival_tables_clear(hrr_rival_tables *t)
{
    hrr_free(t->row_of);
    hrr_free(t->key);
    hrr_free(t->plain);
    hrr_free(t->noisy);
    hrr_free(t->law);
    hrr_free(t->value);
    *t = (hrr_rival_tables){0};
}

static int64_t shared_count(const hrr_block_counts *counts, uint64_t i, int64_t most)
{
    const int64_t x = counts->count[i * counts->n_blocks + counts->rivals[2 * i]];
    return x < -most ? -most : x > most ? most : x;
}

/* index: a number for each key that nodes have, in the order in which they come; room for all keys.
 */
static void number_rows(hrr_rival_tables *t, uint32_t *index, const hrr_block_counts *counts)
{
    const uint64_t n_counts = 2 * (uint64_t)t->most + 1;
    memset(index, 0xff, (size_t)t->n_blocks * t->n_blocks * n_counts * sizeof *index);
    for (uint64_t i = 0; i < counts->n_nodes; i++) {
        t->row_of[i] = UINT32_MAX;
        if (!hrr_has_rivals(counts, i) || (counts->counted && !counts->counted[i])) continue;
        const uint32_t a = counts->rivals[2 * i], b = counts->rivals[2 * i + 1];
        const uint32_t x = (uint32_t)(shared_count(counts, i, t->most) + t->most);
        uint32_t *row = &index[((size_t)a * t->n_blocks + b) * n_counts + x];
        if (*row == UINT32_MAX) {
            const uint32_t key[3] = {a, b, x};
            memcpy(t->key + 3 * t->n_rows, key, sizeof key);
            *row = (uint32_t)t->n_rows++;
        }
        t->row_of[i] = *row;
    }
}

hrr_status hrr_rival_tables_init(hrr_rival_tables *t, const hrr_block_counts *counts, int n_levels,
                                 hrr_error *err)
{
    *t = (hrr_rival_tables){.n_blocks = counts->n_blocks, .n_levels = n_levels, .most = 1};
    if (!counts->rivals) return HRR_OK;
    for (uint64_t i = 0; i < counts->n_nodes; i++) {
        const int64_t x = shared_count(counts, i, most_counted);
        if (hrr_has_rivals(counts, i) && llabs(x) > t->most) t->most = llabs(x);
    }
    t->n_law = (size_t)fmin(2 * (double)t->most + 40 / counts->eps, 4 * most_counted);
    const size_t wide = t->n_law + (size_t)t->most;
    const size_t n_tables = (size_t)t->n_blocks * (size_t)n_levels;
    size_t n_keys, n_noisy;
    if (!hrr_mul_fits((size_t)t->n_blocks * t->n_blocks, 2 * (size_t)t->most + 1, &n_keys) ||
        !hrr_mul_fits(n_tables, wide, &n_noisy))
        return hrr_no_memory(err);
    uint32_t *index = hrr_alloc(n_keys, sizeof *index);
    t->row_of = hrr_alloc(counts->n_nodes, sizeof *t->row_of);
    t->key = hrr_alloc(counts->n_nodes, 3 * sizeof *t->key);
    if (index && t->row_of && t->key) number_rows(t, index, counts);
    t->plain = hrr_alloc(n_tables * t->n_law, sizeof *t->plain);
    t->noisy = hrr_alloc(n_noisy, sizeof *t->noisy);
    t->law = hrr_alloc(wide, sizeof *t->law);
    t->value = hrr_alloc(t->n_rows + 1, (size_t)n_levels * sizeof *t->value);
    const bool enough = index && t->row_of && t->key && t->plain && t->noisy && t->law && t->value;
    hrr_free(index);
    return enough ? HRR_OK : hrr_no_memory(err);
}

/* P(shared count = x) for x of either sign. */
static double probability(const double *plain, const double *noisy, size_t n_law, int64_t x,
                          double eps)
{
    double sum = 0, far = 0;
    const size_t below = x > 0 ? (size_t)x < n_law ? (size_t)x : n_law : 0; /* k - x < 0 */
    for (size_t k = 0; k < below; k++)
        far += plain[k] * exp(-eps * (double)(x - (int64_t)k));
    for (size_t k = below; k < n_law; k++)
        sum += plain[k] * noisy[(int64_t)k - x];
    return sum + far * noisy[0];
}

void hrr_rival_tables_fill(hrr_rival_tables *t, const double *mean, double shape, double eps)
{
    const size_t wide = t->n_law + (size_t)t->most;
    const uint32_t n_levels = (uint32_t)t->n_levels;
    if (!t->n_rows) return;
    for (size_t k = 0; k < (size_t)t->n_blocks * n_levels; k++) {
        double *noisy = t->noisy + k * wide;
        hrr_count_plain(t->plain + k * t->n_law, t->n_law, mean[k], shape);
        hrr_count_table(noisy, wide, t->law, wide, mean[k], shape, eps);
        for (size_t z = 0; z < wide; z++)
            noisy[z] = exp(noisy[z]);
    }
    for (size_t row = 0; row < t->n_rows; row++) {
        const uint32_t *key = t->key + 3 * row;
        for (uint32_t l = 0; l < n_levels; l++) {
            const double p = probability(t->plain + (key[0] * n_levels + l) * t->n_law,
                                         t->noisy + (key[1] * n_levels + l) * wide, t->n_law,
                                         (int64_t)key[2] - t->most, eps);
            t->value[row * n_levels + l] = log(p + 1e-290);
        }
    }
}
