#include "support/check.h"

#include "feature/channel.h"
#include "feature/channels.h"
#include "random/fast.h"

#include <heterorr/random.h>

#include <math.h>
#include <stdlib.h>

/* Narrow tables and wide ones: the same tests, with words of 32 and of 64 bits. */
static hrr_status make_channel(hrr_channel *channel, uint32_t k, uint64_t eps, int bits)
{
    return bits == 32 ? hrr_channel_init_narrow(channel, k, eps, NULL)
                      : hrr_channel_init(channel, k, eps, NULL);
}

static hrr_status make_channels(hrr_channels *channels, const uint64_t *eps, size_t n, uint32_t k,
                                int bits)
{
    return bits == 32 ? hrr_channels_init_narrow(channels, eps, n, k, NULL)
                      : hrr_channels_init(channels, eps, n, k, NULL);
}

static uint8_t draw_one(const hrr_featurerr_kernel *kernel, const hrr_channels *channels, uint8_t t,
                        uint64_t r)
{
    uint8_t bin = t;
    /* The words that kernels read as the number r, in unsigned order. */
    const int64_t word = (int64_t)(r ^ UINT64_C(1) << 63);
    const int32_t narrow_word = (int32_t)((uint32_t)r ^ UINT32_C(1) << 31);
    kernel->draw(&(hrr_featurerr_rows){1, 1, &bin, &word, &narrow_word}, &channels->limits);
    return bin;
}

static void turns_at_the_cumulative_weights(const hrr_featurerr_kernel *kernel, uint32_t k,
                                            uint64_t eps, int bits)
{
    hrr_channel channel;
    hrr_channels channels;
    assert_ok(make_channel(&channel, k, eps, bits));
    assert_ok(make_channels(&channels, &eps, 1, k, bits));
    assert_true((channels.limits.narrow != NULL) == (bits == 32));
    for (uint32_t t = 0; t < k; t++) {
        uint64_t threshold = 0;
        assert_int_equal(draw_one(kernel, &channels, (uint8_t)t, 0), 0);
        for (uint32_t u = 0; u + 1 < k; u++) {
            threshold += channel.weight[(size_t)t * k + u];
            assert_int_equal(draw_one(kernel, &channels, (uint8_t)t, threshold - 1), u);
            assert_int_equal(draw_one(kernel, &channels, (uint8_t)t, threshold), u + 1);
        }
        assert_int_equal(draw_one(kernel, &channels, (uint8_t)t, UINT64_MAX), k - 1);
    }
    hrr_channels_clear(&channels);
    hrr_channel_clear(&channel);
}

static void test_kernel__turns_output_exactly_at_the_cumulative_weights(void **state)
{
    (void)state;
    static const uint32_t ks[] = {2, 3, 9, 10, 17, 18, 64, 256};
    static const uint64_t eps[] = {1, 100000000, 4000000000, HRR_EPS_MAX};
    for (const hrr_featurerr_kernel *const *kernel = hrr_featurerr_kernels(); *kernel; kernel++)
        for (size_t i = 0; i < sizeof ks / sizeof ks[0]; i++) {
            for (size_t e = 0; e < sizeof eps / sizeof eps[0]; e++)
                turns_at_the_cumulative_weights(*kernel, ks[i], eps[e], 64);
            turns_at_the_cumulative_weights(*kernel, ks[i], eps[1], 32);
            turns_at_the_cumulative_weights(*kernel, ks[i], eps[2], 32);
        }
}

/* 83 features (five tiles and a rest), 133 rows (two strips and a rest) with gaps, budgets that
 * repeat, k across the vector widths. */
static void every_kind_gives_the_same_bins(uint32_t k, int bits, hrr_fast_random *fast)
{
    enum { n = 83, n_rows = 133, pitch = 90 };
    uint64_t eps[n];
    for (int i = 0; i < n; i++)
        eps[i] = (uint64_t)(i % 29) * 50000000; /* some are 0 */
    hrr_channels channels;
    assert_ok(make_channels(&channels, eps, n, k, bits));
    assert_int_equal(channels.limits.n_tables, 29);
    assert_true((channels.limits.narrow != NULL) == (bits == 32));
    static int64_t word[n_rows * pitch];
    static int32_t narrow_word[n_rows * pitch];
    static uint8_t bin[n_rows * pitch], want[n_rows * pitch], got[n_rows * pitch];
    for (int i = 0; i < n_rows * pitch; i++) {
        word[i] = (int64_t)hrr_fast_u64(fast);
        narrow_word[i] = (int32_t)word[i];
        want[i] = bin[i] = (uint8_t)hrr_fast_below(fast, k);
        if (i % pitch >= n) continue; /* the gap must stay as it is */
        want[i] = (uint8_t)hrr_limits_draw(&channels.limits, (size_t)(i % pitch), bin[i],
                                           bits == 32 ? narrow_word[i] : word[i]);
    }
    for (const hrr_featurerr_kernel *const *kernel = hrr_featurerr_kernels(); *kernel; kernel++) {
        memcpy(got, bin, sizeof got);
        (*kernel)->draw(&(hrr_featurerr_rows){n_rows, pitch, got, word, narrow_word},
                        &channels.limits);
        assert_memory_equal(got, want, sizeof got);
    }
    hrr_channels_clear(&channels);
}

static void test_kernel__every_kind_gives_the_same_bins(void **state)
{
    (void)state;
    static const uint32_t ks[] = {2, 5, 9, 10, 17, 18, 33, 256};
    hrr_fast_random fast;
    hrr_fast_init(&fast, 11, 0);
    for (size_t c = 0; c < sizeof ks / sizeof ks[0]; c++)
        for (int bits = 32; bits <= 64; bits += 32)
            every_kind_gives_the_same_bins(ks[c], bits, &fast);
}

static void test_kernel__every_kind_bins_and_places_alike(void **state)
{
    (void)state;
    enum { n = 77, k = 10, n_rows = 3, pitch = 80 };
    float x[n_rows * n], want_value[n], got_value[n + 16];
    double lo[n], scale[n];
    double steps[n];
    uint8_t want[n_rows * pitch], got[n_rows * pitch];
    hrr_fast_random fast;
    hrr_fast_init(&fast, 12, 0);
    for (int i = 0; i < n; i++) {
        lo[i] = -0.25 * (i % 3);
        scale[i] = 1.0 / (1 + i % 4);
    }
    for (int i = 0; i < n_rows * n; i++)
        x[i] = (float)(6 * hrr_fast_uniform(&fast) - 1.5);
    x[0] = 3e38f, x[1] = -3e38f, x[2] = 0, x[3] = 1; /* far outside, and on the bounds */
    memset(want, 99, sizeof want);                   /* the gaps */
    for (int i = 0; i < n_rows * n; i++) {
        double z = floor(((double)x[i] - lo[i % n]) * scale[i % n] * k);
        want[i / n * pitch + i % n] = (uint8_t)fmin(fmax(z, 0), k - 1);
    }
    for (int i = 0; i < n; i++) {
        steps[i] = scale[i] / 3;
        want_value[i] = (float)(lo[i] + steps[i] * want[i]);
    }
    for (const hrr_featurerr_kernel *const *kernel = hrr_featurerr_kernels(); *kernel; kernel++) {
        const hrr_limits limits = {.n_bins = k, .n_features = n};
        memset(got, 99, sizeof got);
        const hrr_featurerr_rows rows = {n_rows, pitch, got, NULL, NULL};
        assert_true((*kernel)->find_bins(&rows, x, lo, scale, &limits));
        assert_memory_equal(got, want, sizeof got);
        for (int i = 0; i < n_rows * n; i++)
            for (int what = 0; what < 3; what++) { /* wherever it is, it is found */
                const float kept = x[i];
                x[i] = what == 0 ? NAN : what == 1 ? INFINITY : -INFINITY;
                assert_false((*kernel)->find_bins(&rows, x, lo, scale, &limits));
                x[i] = kept;
            }
        assert_true((*kernel)->find_bins(&rows, x, lo, scale, &limits));
        for (int off = 0; off < 16; off++) /* wherever in a cache line the output begins */
            for (size_t count = n - 40; count <= n; count++) {
                memset(got_value, 0, sizeof got_value);
                (*kernel)->place(got_value + off, got, lo, steps, count);
                assert_memory_equal(got_value + off, want_value, count * sizeof *want_value);
                assert_true(off == 0 || got_value[off - 1] == 0);
                assert_true(off + count == n + 16 || got_value[off + count] == 0);
            }
    }
}

/* Rows are the same for every bin, and the same read backwards, which is how the second half of the
 * bins reads them: limits j and k-2-j add up to -2, as cumulative weights add up to 2^bits. */
static void test_kernel__the_uniform_channel_forgets_its_input(void **state)
{
    (void)state;
    for (uint32_t k = HRR_MIN_BINS; k <= HRR_MAX_BINS; k++)
        for (int bits = 32; bits <= 64; bits += 32) {
            const uint64_t eps = 0;
            hrr_channels channels;
            assert_ok(make_channels(&channels, &eps, 1, k, bits));
            const int64_t *wide = channels.limits.limit;
            const int32_t *narrow = channels.limits.narrow;
            const char *tables = wide ? (const char *)wide : (const char *)narrow;
            const size_t row =
                wide ? hrr_limit_stride(k) * sizeof *wide : hrr_narrow_stride(k) * sizeof *narrow;
            for (uint32_t t = 1; t < hrr_limit_rows(k); t++)
                assert_memory_equal(tables, tables + t * row, row);
            for (uint32_t j = 0; j + 1 < k; j++)
                assert_true(wide ? (uint64_t)wide[j] + (uint64_t)wide[k - 2 - j] == (uint64_t)-2
                                 : (uint32_t)narrow[j] + (uint32_t)narrow[k - 2 - j] ==
                                       (uint32_t)-2);
            assert_true(channels.realised_eps == 0);
            hrr_channels_clear(&channels);
        }
}

int main(void)
{
    for (const hrr_featurerr_kernel *const *kernel = hrr_featurerr_kernels(); *kernel; kernel++)
        print_message("this processor runs the %s kernel\n", (*kernel)->name);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernel__turns_output_exactly_at_the_cumulative_weights),
        cmocka_unit_test(test_kernel__every_kind_gives_the_same_bins),
        cmocka_unit_test(test_kernel__every_kind_bins_and_places_alike),
        cmocka_unit_test(test_kernel__the_uniform_channel_forgets_its_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
