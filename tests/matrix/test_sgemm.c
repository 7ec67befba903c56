#include "matrix/reference.h"
#include "matrix/sgemm.h"
#include "matrix/sgemm_tile.h"

#include <stdlib.h>

/* m: rows of X, k: its columns, n: columns of the product. Below, at and above the sizes of tiles,
 * groups, strips and steps. */
static const uint64_t shapes[][3] = {{1, 1, 1},   {3, 4, 5},     {14, 256, 32},  {15, 257, 33},
                                     {84, 84, 7}, {85, 50, 121}, {300, 600, 16}, {1000, 3, 17},
                                     {0, 3, 4},   {5000, 20, 9}, {40, 1100, 65}, {7, 504, 128}};

static void keep(void *user, const float *block, size_t stride, uint64_t first, uint64_t count)
{
    hrr_dense *to = user;
    for (uint64_t i = 0; i < count; i++)
        memcpy((float *)to->data + (first + i) * to->cols, block + i * stride,
               to->cols * sizeof(float));
}

static float *workspace(size_t count)
{
    float *space = malloc(count * sizeof *space);
    assert_non_null(space);
    for (size_t i = 0; i < count; i++)
        space[i] = 1e30f; /* nothing may rest on zeros */
    return space;
}

/* A row of bytes times normals has sums of the order of 128 sqrt(k). */
static double tolerance(hrr_dtype dtype, uint64_t k)
{
    return (dtype == HRR_U8 ? 150 : 1) * (double)(k + 10) * 1e-6;
}

static void check_rows(const uint64_t *shape, hrr_dtype dtype, bool transpose,
                       hrr_fast_random *fast)
{
    const uint64_t m = shape[0], k = shape[1], n = shape[2];
    hrr_dense x = random_dense(fast, dtype, m, k), expected, found[2];
    hrr_dense w = random_dense(fast, HRR_F32, transpose ? n : k, transpose ? k : n);
    assert_ok(hrr_dense_init(&expected, HRR_F64, m, n, NULL));
    reference_gemm(&expected, &x, false, &w, transpose, 1, 0);
    for (int threads = 1; threads <= 2; threads++) {
        hrr_dense *y = &found[threads - 1];
        float *space = workspace(hrr_sgemm_rows_space(k, n, threads));
        assert_ok(hrr_dense_init(y, HRR_F32, m, n, NULL));
        hrr_sgemm_rows(keep, y, &x, w.data, transpose, n, space, threads, NULL);
        assert_near(y, &expected, tolerance(dtype, k));
        free(space);
    }
    assert_memory_equal(found[0].data, found[1].data, m * n * sizeof(float));
    hrr_dense_clear(&found[0]);
    hrr_dense_clear(&found[1]);
    hrr_dense_clear(&expected);
    hrr_dense_clear(&w);
    hrr_dense_clear(&x);
}

static void test_sgemm_rows__is_the_definition(void **state)
{
    (void)state;
    hrr_fast_random fast;
    hrr_fast_init(&fast, 8, 1);
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
        for (int how = 0; how < 4; how++)
            check_rows(shapes[s], how & 1 ? HRR_U8 : HRR_F32, how & 2, &fast);
}

static void check_inner(const uint64_t *shape, hrr_dtype dtype, hrr_fast_random *fast)
{
    const uint64_t rows = shape[0], m = shape[1], n = shape[2];
    hrr_dense x = random_dense(fast, dtype, rows, m), d = random_dense(fast, HRR_F32, rows, n);
    hrr_dense expected, found[2];
    assert_ok(hrr_dense_init(&expected, HRR_F64, m, n, NULL));
    reference_gemm(&expected, &x, true, &d, false, 1, 0);
    for (int threads = 1; threads <= 2; threads++) {
        hrr_dense *g = &found[threads - 1];
        float *space = workspace(hrr_sgemm_inner_space(m, n, threads));
        assert_ok(hrr_dense_init(g, HRR_F32, m, n, NULL));
        hrr_sgemm_inner(g->data, &x, d.data, n, space, threads, NULL);
        assert_near(g, &expected, tolerance(dtype, rows));
        free(space);
    }
    assert_memory_equal(found[0].data, found[1].data, m * n * sizeof(float));
    hrr_dense_clear(&found[0]);
    hrr_dense_clear(&found[1]);
    hrr_dense_clear(&expected);
    hrr_dense_clear(&d);
    hrr_dense_clear(&x);
}

static void test_sgemm_inner__is_the_definition(void **state)
{
    (void)state;
    hrr_fast_random fast;
    hrr_fast_init(&fast, 8, 2);
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
        for (int u8 = 0; u8 < 2; u8++)
            check_inner(shapes[s], u8 ? HRR_U8 : HRR_F32, &fast);
}

/* The tiles of processors that this one can stand in for, small whole numbers: exact. */
static void test_tiles__all_widths_agree(void **state)
{
    (void)state;
    enum { depth = 5 };
    static float a[HRR_TILE_GROUP * HRR_TILE_DEPTH], b[depth * HRR_TILE_WIDTH];
    for (size_t i = 0; i < sizeof a / sizeof a[0]; i++)
        a[i] = (float)(i % 11) - 5;
    for (size_t i = 0; i < sizeof b / sizeof b[0]; i++)
        b[i] = (float)(i % 7) - 3;
    for (int width = HRR_VECTORS_PLAIN; width <= (int)hrr_widest_vectors(); width++)
        for (size_t n = 4; n <= 40; n += 36)
            for (int transposed = 0; transposed < 2; transposed++) {
                float c[14 * 40];
                const hrr_tile tile = hrr_tile_for((hrr_vector_width)width, n);
                assert_int_equal(HRR_TILE_GROUP % tile.rows, 0);
                assert_int_equal(HRR_TILE_WIDTH % tile.cols, 0);
                for (size_t i = 0; i < 14 * 40; i++)
                    c[i] = (float)i;
                (transposed ? tile.run_transposed : tile.run)(c, 40, a, b, depth);
                for (size_t r = 0; r < 14; r++)
                    for (size_t j = 0; j < 40; j++) {
                        double sum = (double)(40 * r + j);
                        for (size_t k = 0; k < depth && r < tile.rows && j < tile.cols; k++)
                            sum += (double)a[transposed ? k * HRR_TILE_GROUP + r
                                                        : r * HRR_TILE_DEPTH + k] *
                                   (double)b[k * tile.cols + j];
                        assert_true((double)c[40 * r + j] == sum);
                    }
            }
}

/* Three runs of five steps over parts of larger arrays, backwards in A. Whole numbers: exact. */
static void test_placed_tiles__all_widths_agree(void **state)
{
    (void)state;
    enum { depth = 5, runs = 3, a_stride = 37, b_stride = 50, height = HRR_PLACED_ROWS };
    static float a[3000], b[3000];
    for (size_t i = 0; i < sizeof a / sizeof a[0]; i++) {
        a[i] = (float)(i % 11) - 5;
        b[i] = (float)(i % 7) - 3;
    }
    const hrr_placed_product product = {.a = a + 900,
                                        .b = b,
                                        .a_stride = a_stride,
                                        .b_stride = b_stride,
                                        .depth = depth,
                                        .a_jump = -300,
                                        .b_jump = 61,
                                        .runs = runs};
    for (int width = HRR_VECTORS_PLAIN; width <= (int)hrr_widest_vectors(); width++)
        for (size_t n = 4; n <= 40; n += 36)
            for (int transposed = 0; transposed < 2; transposed++) {
                float c[height * 40];
                const hrr_placed_tile tile = hrr_placed_tile_for((hrr_vector_width)width, n);
                assert_int_equal(height % tile.rows, 0);
                assert_int_equal(HRR_TILE_WIDTH % tile.cols, 0);
                for (size_t i = 0; i < height * 40; i++)
                    c[i] = (float)i;
                (transposed ? tile.run_transposed : tile.run)(c, 40, &product);
                for (size_t r = 0; r < height; r++)
                    for (size_t j = 0; j < 40; j++) {
                        double sum = (double)(40 * r + j);
                        const bool inside = r < tile.rows && j < tile.cols;
                        for (size_t k = 0; k < depth * runs && inside; k++) {
                            const size_t run = k / depth, step = k % depth;
                            sum += (double)a[900 - 300 * run + r * (transposed ? 1 : a_stride) +
                                             step * (transposed ? a_stride : 1)] *
                                   (double)b[61 * run + step * b_stride + j];
                        }
                        assert_true((double)c[40 * r + j] == sum);
                    }
            }
}

static void test_sgemm__stops_when_cancelled(void **state)
{
    (void)state;
    hrr_fast_random fast;
    hrr_fast_init(&fast, 8, 3);
    hrr_dense x = random_dense(&fast, HRR_F32, 100, 3), w = random_dense(&fast, HRR_F32, 3, 2), y;
    hrr_progress *progress;
    assert_ok(hrr_dense_init(&y, HRR_F32, 100, 2, NULL));
    assert_ok(hrr_progress_new(&progress, NULL, NULL, NULL));
    hrr_progress_cancel(progress);
    float *space = workspace(hrr_sgemm_rows_space(3, 2, 1));
    hrr_sgemm_rows(keep, &y, &x, w.data, false, 2, space, 1, progress);
    for (int i = 0; i < 200; i++)
        assert_true(((float *)y.data)[i] == 0);
    free(space);
    hrr_progress_free(progress);
    hrr_dense_clear(&y);
    hrr_dense_clear(&w);
    hrr_dense_clear(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sgemm_rows__is_the_definition),
        cmocka_unit_test(test_sgemm_inner__is_the_definition),
        cmocka_unit_test(test_tiles__all_widths_agree),
        cmocka_unit_test(test_placed_tiles__all_widths_agree),
        cmocka_unit_test(test_sgemm__stops_when_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
