#include "matrix/csr.h"
#include "matrix/reference.h"
#include "matrix/products.h"
#include "support/brutal.h"

static void test_csr__begins_empty_and_sized(void **state)
{
    (void)state;
    hrr_csr m;
    assert_ok(hrr_csr_init(&m, 3, 4, 7, true, NULL));
    for (int i = 0; i < 3; i++)
        assert_int_equal(m.row_start[i], 0);
    assert_int_equal(hrr_csr_n_entries(&m), 7);
    assert_non_null(m.value);
    hrr_csr_clear(&m);
    assert_ok(hrr_csr_init(&m, 0, 0, 0, false, NULL));
    assert_null(m.value);
    assert_int_equal(hrr_csr_n_entries(&m), 0);
    hrr_csr_clear(&m);
    hrr_csr_clear(&m);
    assert_int_equal(hrr_csr_n_entries(&m), 0);
}

static void test_csr__a_size_that_overflows_is_out_of_memory(void **state)
{
    (void)state;
    hrr_csr m;
    assert_int_equal(hrr_csr_init(&m, UINT64_MAX, 1, 0, false, NULL), HRR_ENOMEM);
    assert_int_equal(hrr_csr_init(&m, UINT64_MAX / 8, 1, 0, false, NULL), HRR_ENOMEM);
    assert_int_equal(hrr_csr_init(&m, 1, 1, UINT64_MAX / 2, true, NULL), HRR_ENOMEM);
    assert_null(m.row_start);
}

static void test_csr__transposing_is_the_dense_transpose(void **state)
{
    (void)state;
    const uint64_t shapes[][2] = {{1, 1}, {0, 4}, {4, 0}, {1, 50}, {50, 1}, {40, 30}, {13, 90}};
    const double densities[] = {0, 0.05, 0.5, 1};
    hrr_fast_random fast;
    hrr_fast_init(&fast, 3, 1);
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
        for (int d = 0; d < 4; d++)
            for (int with_values = 0; with_values < 2; with_values++) {
                hrr_csr in =
                    random_csr(&fast, shapes[s][0], shapes[s][1], densities[d], with_values);
                hrr_csr out;
                assert_ok(hrr_csr_transpose(&out, &in, NULL));
                assert_int_equal(hrr_csr_n_entries(&out), hrr_csr_n_entries(&in));
                assert_int_equal(out.value != NULL, in.value != NULL);
                for (uint64_t i = 0; i < out.rows; i++)
                    for (uint64_t e = out.row_start[i] + 1; e < out.row_start[i + 1]; e++)
                        assert_true(out.col[e - 1] < out.col[e]);
                hrr_dense whole = dense_of_csr(&in), turned = dense_of_csr(&out), expected;
                assert_ok(hrr_dense_transpose(&expected, &whole, NULL));
                assert_near(&turned, &expected, 0);
                hrr_dense_clear(&whole);
                hrr_dense_clear(&turned);
                hrr_dense_clear(&expected);
                hrr_csr_clear(&in);
                hrr_csr_clear(&out);
            }
}

static hrr_status make_both(void *user)
{
    (void)user;
    hrr_csr a = {0}, b = {0};
    hrr_status status = hrr_csr_init(&a, 2, 2, 0, true, NULL);
    if (!status) status = hrr_csr_transpose(&b, &a, NULL);
    hrr_csr_clear(&a);
    hrr_csr_clear(&b);
    return status;
}

static void test_csr__survives_running_out_of_memory(void **state)
{
    (void)state;
    assert_int_equal(brutal(make_both, NULL), 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_csr__begins_empty_and_sized),
        cmocka_unit_test(test_csr__a_size_that_overflows_is_out_of_memory),
        cmocka_unit_test(test_csr__transposing_is_the_dense_transpose),
        cmocka_unit_test(test_csr__survives_running_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
