/* channel.c: the certified table of FeatureRR (paper, equation randprob).
 *
 *     P(u|t) = exp(-a |u - t|) / C_t,   C_t = sum over u of exp(-a |u - t|),   a = eps / (k - 1)
 *
 * The worst log-ratio is exactly eps, at (u, t, t') = (1, 1, k), so there is no slack: a table of
 * rounded probabilities can exceed it by a hair. Hence floating point only proposes. The proposal
 * W[t][u] = floor(2^64 P), remainder to u = t, is checked in integers against a lower bound of
 * e^eps; if it fails, the table is proposed again for an eps smaller by a relative 2^-52, 2^-51,
 * ... Nothing about the guarantee rests on the quality of exp().
 *
 * Narrow tables sum to 2^32, so that one draw takes half a word and a row of limits half the
 * memory. Rounding moves a log-ratio by about k 2^-32, so they are proposed for an eps smaller by
 * that much at least: a relative 5e-6 for k = 10 and eps = 1/2048. The caller looks at what was
 * lost.
 *
 * Workload: up to a few thousand tables of k <= 64, before any private data is read. */
#include "feature/channel.h"
#include "privacy/exp_bound.h"
#include "base/memory.h"

#include <assert.h>
#include <math.h>

__extension__ typedef unsigned __int128 uint128;

/* 2^bits, as unsigned arithmetic of 64 bits sees it. */
static uint64_t sum_of_row(int bits)
{
    return bits == 64 ? 0 : UINT64_C(1) << bits;
}

/* power[j] = exp(-a j). Row t is the powers of the distances to t over their sum. Narrow weights
 * are rounded to the nearest: what floors leave over would all go to u = t. */
static void propose_row(uint64_t *row, const long double *power, uint32_t t, uint32_t n_bins,
                        int bits)
{
    const long double all = ldexpl(1, bits), half = bits == 64 ? 0 : 0.5L;
    long double total = 0;
    for (uint32_t u = 0; u < n_bins; u++)
        total += power[u < t ? t - u : u - t];
    uint64_t others = 0;
    for (uint32_t u = 0; u < n_bins; u++) {
        if (u == t) continue;
        row[u] = (uint64_t)(all * power[u < t ? t - u : u - t] / total + half);
        others += row[u];
    }
    row[t] = sum_of_row(bits) - others; /* below 2^64: others > 0 for k >= 2 and eps <= 20 */
}

void hrr_channel_uniform_row(uint64_t *row, uint32_t n_bins, int bits)
{
    const uint64_t share = bits == 64 ? UINT64_MAX / n_bins : sum_of_row(bits) / n_bins;
    const uint64_t rest = sum_of_row(bits) - share * n_bins;
    const uint32_t middle = (n_bins - 1) / 2;
    for (uint32_t u = 0; u < n_bins; u++)
        row[u] = share;
    /* With two bins in the middle the rest is even. */
    row[middle] += n_bins % 2 ? rest : rest / 2;
    if (n_bins % 2 == 0) row[middle + 1] += rest / 2;
}

/* W[k-1-t][k-1-u] = W[t][u], counting from 0: exactly, where sums of floating-point numbers taken
 * in the other order could differ. The middle row of an odd k is its own mirror image already,
 * because all weights but one depend on the distance alone. */
static void mirror_row(uint64_t *mirrored, const uint64_t *row, uint32_t n_bins)
{
    if (mirrored == row) return;
    for (uint32_t u = 0; u < n_bins; u++)
        mirrored[n_bins - 1 - u] = row[u];
}

/* The largest and the smallest weight of column u. */
static void column_range(uint64_t *largest, uint64_t *smallest, const uint64_t *weight,
                         uint32_t n_bins, uint32_t u)
{
    *largest = *smallest = weight[u];
    for (uint32_t t = 1; t < n_bins; t++) {
        uint64_t w = weight[(size_t)t * n_bins + u];
        if (w > *largest) *largest = w;
        if (w < *smallest) *smallest = w;
    }
}

bool hrr_channel_certifies(const uint64_t *weight, uint32_t n_bins, int bits, uint64_t eps_nano)
{
    const hrr_exp_bound bound = hrr_exp_lower_bound(eps_nano);
    for (uint32_t t = 0; t < n_bins; t++) {
        uint128 total = 0;
        for (uint32_t u = 0; u < n_bins; u++)
            total += weight[(size_t)t * n_bins + u];
        if (total != (uint128)1 << bits) return false;
    }
    for (uint32_t u = 0; u < n_bins; u++) {
        uint64_t largest, smallest;
        column_range(&largest, &smallest, weight, n_bins, u);
        /* largest / smallest <= mantissa / 2^bits; both products fit 128 bits. A weight of 0 beside
         * one that is not fails. */
        if (((uint128)largest << bound.bits) > (uint128)bound.mantissa * smallest) return false;
    }
    return true;
}

static double realised_eps(const uint64_t *weight, uint32_t n_bins, uint64_t eps_nano)
{
    long double worst = 0; /* ratio - 1, from integers: small epsilons keep their digits */
    for (uint32_t u = 0; u < n_bins; u++) {
        uint64_t largest, smallest;
        column_range(&largest, &smallest, weight, n_bins, u);
        long double excess = (long double)(largest - smallest) / (long double)smallest;
        if (excess > worst) worst = excess;
    }
    return hrr_eps_round_up(log1pl(worst), eps_nano);
}

/* Propose and certify; false if that would cost half of eps, which only narrow tables do. */
static bool build(uint64_t *weight, long double *power, uint32_t n_bins, int bits,
                  uint64_t eps_nano)
{
    const long double eps = (long double)eps_nano / HRR_EPS_UNIT;
    const long double first = bits == 64 ? 0x1p-52L : ldexpl(n_bins, -bits) / eps;
    for (long double shrink = 0; shrink<0.5L; shrink = shrink> 0 ? 2 * shrink : first) {
        long double step = eps * (1 - shrink) / (n_bins - 1);
        const long double factor = expl(-step);
        power[0] = 1;
        for (uint32_t j = 1; j < n_bins; j++)
            power[j] = power[j - 1] * factor;
        for (uint32_t t = 0; t < (n_bins + 1) / 2; t++) {
            uint64_t *row = weight + (size_t)t * n_bins;
            propose_row(row, power, t, n_bins, bits);
            mirror_row(weight + (size_t)(n_bins - 1 - t) * n_bins, row, n_bins);
        }
        if (hrr_channel_certifies(weight, n_bins, bits, eps_nano)) return true;
    }
    return false;
}

static hrr_status init(hrr_channel *out, uint32_t n_bins, int bits, uint64_t eps_nano,
                       hrr_error *err)
{
    *out = (hrr_channel){0};
    if (n_bins < HRR_MIN_BINS || n_bins > HRR_MAX_BINS)
        return hrr_fail(err, HRR_EINVAL, "the number of bins must lie between %d and %d",
                        HRR_MIN_BINS, HRR_MAX_BINS);
    if (eps_nano < 1 || eps_nano > HRR_EPS_MAX)
        return hrr_fail(err, HRR_EINVAL, "the epsilon of one feature must lie between 1e-9 and 20");

    uint64_t *weight = hrr_alloc((size_t)n_bins * n_bins, sizeof *weight);
    long double *power = hrr_alloc(n_bins, sizeof *power);
    hrr_status status = HRR_OK;
    if (!weight || !power) {
        status = hrr_no_memory(err);
        goto done;
    }
    const bool built = build(weight, power, n_bins, bits, eps_nano);
    assert(built || bits < 64); /* 64 bits fail by rounding only, never by half of eps */
    for (uint32_t t = 0; !built && t < n_bins; t++)
        hrr_channel_uniform_row(weight + (size_t)t * n_bins, n_bins, bits);
    *out = (hrr_channel){.n_bins = n_bins,
                         .bits = bits,
                         .eps_nano = eps_nano,
                         .realised_eps = built ? realised_eps(weight, n_bins, eps_nano) : 0,
                         .weight = weight};
    weight = NULL;
done:
    hrr_free(power);
    hrr_free(weight);
    return status;
}

hrr_status hrr_channel_init(hrr_channel *out, uint32_t n_bins, uint64_t eps_nano, hrr_error *err)
{
    return init(out, n_bins, 64, eps_nano, err);
}

hrr_status hrr_channel_init_narrow(hrr_channel *out, uint32_t n_bins, uint64_t eps_nano,
                                   hrr_error *err)
{
    return init(out, n_bins, 32, eps_nano, err);
}

void hrr_channel_clear(hrr_channel *channel)
{
    hrr_free(channel->weight);
    *channel = (hrr_channel){0};
}
