/* test_fingerprint.c: the same secrets get the same names, however they are stored; others do not.
 */
#include "privacy/fingerprint.h"
#include "support/brutal.h"
#include "support/graphs.h"

#include <stdlib.h>

static const uint8_t key[hrr_ledger_key_size] = "a key";

static const uint32_t pairs[] = {0, 1, 1, 2, 2, 3};
static const uint8_t marks[] = {1, 0, 1};

static void set_features(hrr_graph *graph, hrr_dtype dtype, uint64_t cols, const double *values)
{
    hrr_dense f64, features;
    const uint64_t n = hrr_graph_n_nodes(graph);
    assert_ok(hrr_dense_init(&f64, HRR_F64, n, cols, NULL));
    memcpy(f64.data, values, n * cols * sizeof *values);
    assert_ok(hrr_dense_convert(&features, &f64, dtype, NULL));
    hrr_dense_clear(&f64);
    assert_ok(hrr_graph_take_features(graph, &features, NULL));
}

static void set_classes(hrr_graph *graph, int32_t last)
{
    int32_t *classes = malloc(4 * sizeof *classes);
    for (int i = 0; i < 4; i++)
        classes[i] = i == 3 ? last : 0;
    assert_ok(hrr_graph_take_classes(graph, &classes, 3, NULL));
}

static hrr_fingerprint name_of(const hrr_graph *graph)
{
    hrr_fingerprint out;
    assert_ok(hrr_fingerprint_graph(&out, graph, false, key, 2, NULL, NULL));
    return out;
}

/* Four nodes, three edges, two of them private. */
static hrr_fingerprint name_with(hrr_dtype dtype, const double *values, int32_t label,
                                 const uint8_t *edge_marks)
{
    hrr_graph *graph = graph_of(4, 3, pairs, edge_marks);
    if (values) set_features(graph, dtype, 2, values);
    if (label >= 0) set_classes(graph, label);
    hrr_fingerprint out = name_of(graph);
    hrr_graph_free(graph);
    return out;
}

#define same(a, b, part) (memcmp((a).part, (b).part, HRR_FINGERPRINT_SIZE) == 0)

static void test_fingerprint__does_not_depend_on_how_values_are_stored(void **state)
{
    (void)state;
    const double bytes[] = {0, 1, 255, 3, 4, 5, 6, 7}, halves[] = {.5, 1, -2, 3, 4, 5, 6, 7};
    const double tenths[] = {.1, 1, 2, 3, 4, 5, 6, 7};
    hrr_fingerprint u8 = name_with(HRR_U8, bytes, 1, marks);
    hrr_fingerprint f32 = name_with(HRR_F32, bytes, 1, marks);
    hrr_fingerprint f64 = name_with(HRR_F64, bytes, 1, marks);
    assert_memory_equal(&u8, &f32, sizeof u8);
    assert_memory_equal(&u8, &f64, sizeof u8);
    f32 = name_with(HRR_F32, halves, 1, marks);
    f64 = name_with(HRR_F64, halves, 1, marks);
    assert_memory_equal(&f32, &f64, sizeof f32);
    assert_false(same(u8, f64, features));
    /* 0.1 is another number in float32. */
    f32 = name_with(HRR_F32, tenths, 1, marks);
    f64 = name_with(HRR_F64, tenths, 1, marks);
    assert_false(same(f32, f64, features));
}

static void test_fingerprint__each_secret_has_its_own(void **state)
{
    (void)state;
    const double values[] = {0, 1, 2, 3, 4, 5, 6, 7.5}, others[] = {0, 1, 2, 3, 4, 5, 6, 7.25};
    const uint8_t other_marks[] = {1, 1, 0};
    const hrr_fingerprint base = name_with(HRR_F32, values, 1, marks);
    hrr_fingerprint changed = name_with(HRR_F32, others, 1, marks);
    assert_false(same(base, changed, features) || same(base, changed, whole));
    assert_true(same(base, changed, edges) && same(base, changed, labels));
    changed = name_with(HRR_F32, values, 2, marks);
    assert_false(same(base, changed, labels) || same(base, changed, whole));
    assert_true(same(base, changed, edges) && same(base, changed, features));
    changed = name_with(HRR_F32, values, 1, other_marks);
    assert_false(same(base, changed, edges) || same(base, changed, whole));
    assert_true(same(base, changed, features) && same(base, changed, labels));
}

/* Public edges and the split are no secrets, but another release. */
static void test_fingerprint__public_parts_change_the_whole_alone(void **state)
{
    (void)state;
    const uint32_t more[] = {0, 1, 0, 3, 1, 2, 2, 3};
    const uint8_t more_marks[] = {1, 0, 0, 1};
    hrr_graph *graph = graph_of(4, 3, pairs, marks), *wider = graph_of(4, 4, more, more_marks);
    hrr_fingerprint base = name_of(graph), changed = name_of(wider);
    assert_true(same(base, changed, edges));
    assert_false(same(base, changed, whole));
    uint8_t *split = calloc(4, 1);
    assert_ok(hrr_graph_take_split(graph, &split, NULL));
    changed = name_of(graph);
    assert_true(same(base, changed, edges));
    assert_false(same(base, changed, whole));
    uint8_t *candidates = malloc(4);
    memset(candidates, 1, 4);
    base = changed;
    assert_ok(hrr_graph_take_candidates(graph, &candidates, NULL));
    changed = name_of(graph);
    assert_true(same(base, changed, edges));
    assert_false(same(base, changed, whole));
    hrr_graph_free(graph);
    hrr_graph_free(wider);
}

/* Two graphs without features share no secret by that. */
static void test_fingerprint__what_is_absent_is_nobodys_secret(void **state)
{
    (void)state;
    const hrr_fingerprint a = name_with(HRR_F32, NULL, -1, NULL);
    const uint32_t other[] = {0, 1, 1, 2, 1, 3};
    hrr_graph *graph = graph_of(4, 3, other, NULL);
    const hrr_fingerprint b = name_of(graph);
    assert_false(same(a, b, features) || same(a, b, labels) || same(a, b, edges));
    hrr_graph_free(graph);
    graph = graph_of(4, 3, pairs, NULL);
    const hrr_fingerprint again = name_of(graph);
    assert_memory_equal(&a, &again, sizeof a);
    hrr_graph_free(graph);
}

static void test_fingerprint__another_key_another_name(void **state)
{
    (void)state;
    const uint8_t other_key[hrr_ledger_key_size] = "another key";
    hrr_graph *graph = graph_of(4, 3, pairs, marks);
    hrr_fingerprint a = name_of(graph), b;
    assert_ok(hrr_fingerprint_graph(&b, graph, false, other_key, 1, NULL, NULL));
    assert_false(same(a, b, features) || same(a, b, edges) || same(a, b, labels) ||
                 same(a, b, whole));
    hrr_graph_free(graph);
}

/* Three chunks and a bit: u8, f32, f64 and u8 values in turn, stored as float64. */
static void test_fingerprint__large_features_for_any_number_of_threads(void **state)
{
    (void)state;
    enum { rows = 3 * 4096 + 1, cols = 256 };
    hrr_dense features;
    assert_ok(hrr_dense_init(&features, HRR_F64, rows, cols, NULL));
    double *value = features.data;
    for (uint64_t i = 0; i < (uint64_t)rows * cols; i++)
        value[i] = (double)(i % 256) + (i >> 20 == 1 ? .5 : i >> 20 == 2 ? .1 : 0);
    hrr_graph *graph = empty_graph(rows);
    assert_ok(hrr_graph_take_features(graph, &features, NULL));
    hrr_fingerprint one, four;
    assert_ok(hrr_fingerprint_graph(&one, graph, false, key, 1, NULL, NULL));
    assert_ok(hrr_fingerprint_graph(&four, graph, false, key, 4, NULL, NULL));
    assert_memory_equal(&one, &four, sizeof one);
    /* Every chunk counts, up to the last value. */
    value = hrr_graph_features(graph)->data;
    const uint64_t places[] = {0, 1 << 20, (1 << 21) + 7, (uint64_t)rows * cols - 1};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        value[places[i]] += 1;
        assert_ok(hrr_fingerprint_graph(&four, graph, false, key, 2, NULL, NULL));
        assert_false(same(one, four, features));
        value[places[i]] -= 1;
    }
    hrr_progress *progress;
    hrr_error err = {0};
    assert_ok(hrr_progress_new(&progress, NULL, NULL, NULL));
    hrr_progress_cancel(progress);
    assert_int_equal(hrr_fingerprint_graph(&four, graph, false, key, 2, progress, &err),
                     HRR_ECANCEL);
    hrr_progress_free(progress);
    hrr_graph_free(graph);
}

static hrr_status take_name(void *user)
{
    hrr_fingerprint out;
    return hrr_fingerprint_graph(&out, user, false, key, 1, NULL, NULL);
}

static void test_fingerprint__runs_out_of_memory_without_a_trace(void **state)
{
    (void)state;
    const double values[] = {0, 1, 2, 3, 4, 5, 6, 7.5};
    hrr_graph *graph = graph_of(4, 3, pairs, marks);
    set_features(graph, HRR_F32, 2, values);
    assert_int_equal(brutal(take_name, graph), 1);
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fingerprint__does_not_depend_on_how_values_are_stored),
        cmocka_unit_test(test_fingerprint__each_secret_has_its_own),
        cmocka_unit_test(test_fingerprint__public_parts_change_the_whole_alone),
        cmocka_unit_test(test_fingerprint__what_is_absent_is_nobodys_secret),
        cmocka_unit_test(test_fingerprint__another_key_another_name),
        cmocka_unit_test(test_fingerprint__large_features_for_any_number_of_threads),
        cmocka_unit_test(test_fingerprint__runs_out_of_memory_without_a_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
