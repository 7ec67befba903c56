/* test_fingerprint.c: the same secrets get the same names, however they are stored; others do not.
 */
#include "matrix/dense.h"
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
    assert_ok(hrr_fingerprint_graph(&out, graph, NULL, NULL, key, 2, NULL, NULL));
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
    /* 0.1 is another number in float32; who rounds it has the same secret still. */
    f32 = name_with(HRR_F32, tenths, 1, marks);
    f64 = name_with(HRR_F64, tenths, 1, marks);
    assert_memory_equal(&f32, &f64, sizeof f32);
    const double huge[] = {1e300, -1e300, 2, 3, 4, 5, 6, 7};
    f64 = name_with(HRR_F64, huge, 1, marks);
    assert_false(same(f32, f64, features));
}

/* In a chunk of bytes, of float32 and of float64 alike. */
static void test_fingerprint__a_zero_has_no_sign(void **state)
{
    (void)state;
    static const double with[3][8] = {{0, 1, 2}, {0, .5, 2}, {0, .1, 2}};
    for (int i = 0; i < 3; i++)
        for (hrr_dtype dtype = HRR_F32; dtype <= HRR_F64; dtype++) {
            double minus[8];
            memcpy(minus, with[i], sizeof minus);
            minus[0] = -0.0;
            minus[7] = -0.0;
            const hrr_fingerprint a = name_with(dtype, with[i], 1, marks);
            const hrr_fingerprint b = name_with(dtype, minus, 1, marks);
            assert_memory_equal(&a, &b, sizeof a);
        }
}

static hrr_fingerprint name_within(const double *values, const double *lo, const double *hi)
{
    hrr_fingerprint out;
    hrr_graph *graph = graph_of(4, 3, pairs, marks);
    set_features(graph, HRR_F64, 2, values);
    assert_ok(hrr_fingerprint_graph(&out, graph, lo, hi, key, 1, NULL, NULL));
    hrr_graph_free(graph);
    return out;
}

/* What a mechanism sees has a name of its own, and the data has one that no bounds change. */
static void test_fingerprint__clipped_values_have_a_name_too(void **state)
{
    (void)state;
    const double values[] = {.5, 3, 0, 0, 0, 0, 0, -4}, others[] = {.5, 9, 0, 0, 0, 0, 0, -1};
    const double clipped[] = {.5, 2, 0, 0, 0, 0, 0, -1};
    const double lo[] = {0, -1}, hi[] = {1, 2}, wider[] = {1, 5};
    const hrr_fingerprint a = name_within(values, lo, hi), b = name_within(others, lo, hi);
    const hrr_fingerprint c = name_within(values, lo, wider), d = name_within(clipped, lo, hi);
    assert_false(same(a, b, features));
    assert_true(same(a, b, clipped));
    assert_true(same(a, c, features));
    assert_false(same(a, c, clipped));
    assert_memory_equal(d.features, d.clipped, sizeof d.features);
    assert_memory_equal(a.clipped, d.features, sizeof d.features); /* who clips it herself */
    /* Without bounds they are 0 and 1; bounds that make bytes of real numbers. */
    const double reals[] = {1.5, 1.25, -.5, 0, 0, 0, 0, 0}, bits[] = {1, 1, 0, 0, 0, 0, 0, 0};
    const hrr_fingerprint e = name_within(reals, NULL, NULL), f = name_within(bits, NULL, NULL);
    assert_memory_equal(e.clipped, f.features, sizeof f.features);
}

static void test_fingerprint__each_secret_has_its_own(void **state)
{
    (void)state;
    const double values[] = {0, 1, 2, 3, 4, 5, 6, 7.5}, others[] = {0, .5, 2, 3, 4, 5, 6, 7.25};
    const uint8_t other_marks[] = {1, 1, 0};
    const hrr_fingerprint base = name_with(HRR_F32, values, 1, marks);
    hrr_fingerprint changed = name_with(HRR_F32, others, 1, marks);
    assert_false(same(base, changed, features) || same(base, changed, clipped));
    memcpy(changed.features, base.features, sizeof base.features);
    memcpy(changed.clipped, base.clipped, sizeof base.clipped);
    assert_memory_equal(&base, &changed, sizeof base);
    changed = name_with(HRR_F32, values, 0, marks);
    assert_false(same(base, changed, labels));
    memcpy(changed.labels, base.labels, sizeof base.labels);
    assert_memory_equal(&base, &changed, sizeof base);
    changed = name_with(HRR_F32, values, 1, other_marks);
    assert_false(same(base, changed, edges)); /* all pairs are what they were */
    memcpy(changed.edges, base.edges, sizeof base.edges);
    assert_memory_equal(&base, &changed, sizeof base);
}

static hrr_fingerprint name_with_bits(uint64_t n_columns, const char *bits)
{
    hrr_graph *graph = graph_of(4, 3, pairs, marks);
    hrr_dense matrix;
    assert_ok(hrr_dense_init(&matrix, HRR_U8, 4, n_columns, NULL));
    for (uint64_t i = 0; i < 4 * n_columns; i++)
        ((uint8_t *)matrix.data)[i] = bits[i] == '1';
    assert_ok(hrr_graph_take_label_matrix(graph, &matrix, NULL));
    hrr_fingerprint out = name_of(graph);
    hrr_graph_free(graph);
    return out;
}

static void test_fingerprint__a_class_is_who_has_it_and_not_what_it_is_called(void **state)
{
    (void)state;
    const hrr_fingerprint base = name_with(HRR_F32, NULL, 1, marks); /* 0 0 0 1 */
    assert_true(same(base, name_with(HRR_F32, NULL, 2, marks), labels));
    assert_true(same(base, name_with_bits(2, "10101001"), labels));
    assert_true(same(base, name_with_bits(3, "001001001100"), labels));
    assert_false(same(base, name_with_bits(2, "10101010"), labels));
    assert_false(same(base, name_with_bits(2, "10101000"), labels)); /* not known is no class */
    /* Several labels a node are another matter. */
    const hrr_fingerprint several = name_with_bits(2, "10101011");
    assert_false(same(base, several, labels));
    assert_false(same(several, name_with_bits(2, "10101101"), labels));
}

/* Public edges, the split and candidates are no secrets; nor are they who the graph is. */
static void test_fingerprint__public_parts_change_no_secret(void **state)
{
    (void)state;
    const uint32_t more[] = {0, 1, 0, 3, 1, 2, 2, 3};
    const uint8_t more_marks[] = {1, 0, 0, 1};
    hrr_graph *graph = graph_of(4, 3, pairs, marks), *wider = graph_of(4, 4, more, more_marks);
    const hrr_fingerprint base = name_of(graph);
    hrr_fingerprint changed = name_of(wider);
    assert_true(same(base, changed, edges) && same(base, changed, graph));
    assert_false(same(base, changed, pairs));
    uint8_t *split = calloc(4, 1), *candidates = malloc(4);
    memset(candidates, 1, 4);
    assert_ok(hrr_graph_take_split(graph, &split, NULL));
    assert_ok(hrr_graph_take_candidates(graph, &candidates, NULL));
    changed = name_of(graph);
    assert_memory_equal(&base, &changed, sizeof base);
    hrr_graph_free(graph);
    hrr_graph_free(wider);
}

/* A graph is who its nodes are: neighbours have that in common, whatever is secret. */
static void test_fingerprint__a_graph_is_its_name_and_nodes(void **state)
{
    (void)state;
    const uint32_t other[] = {0, 2};
    const uint8_t other_marks[] = {1};
    hrr_graph *a = graph_of(4, 3, pairs, marks), *b = graph_of(4, 1, other, other_marks);
    hrr_graph *larger = graph_of(5, 3, pairs, marks), *numbered = graph_of(4, 3, pairs, marks);
    hrr_graph *renamed = NULL;
    assert_ok(hrr_graph_new(&renamed, "another name", 4, NULL));
    hrr_node_ids ids = {.integer = malloc(4 * sizeof(int64_t))};
    for (int i = 0; i < 4; i++)
        ids.integer[i] = 10 + i;
    assert_ok(hrr_graph_take_node_ids(numbered, &ids, NULL));
    const hrr_fingerprint base = name_of(a), of_larger = name_of(larger);
    const hrr_fingerprint of_b = name_of(b);
    assert_true(same(base, of_b, graph));
    assert_false(same(base, of_b, edges) || same(base, of_b, pairs));
    assert_false(same(base, of_larger, graph));
    assert_true(same(base, of_larger, edges)); /* one more node without an edge */
    hrr_fingerprint of_other = name_of(renamed);
    assert_false(same(base, of_other, graph));
    of_other = name_of(numbered);
    assert_false(same(base, of_other, graph));
    assert_ok(hrr_fingerprint_public(&of_other, b, key, NULL));
    assert_true(same(base, of_other, graph));
    hrr_graph_free(a);
    hrr_graph_free(b);
    hrr_graph_free(larger);
    hrr_graph_free(renamed);
    hrr_graph_free(numbered);
}

/* All edges marked is the same secret as no marks and all edges secret. */
static void test_fingerprint__all_marked_is_all_pairs(void **state)
{
    (void)state;
    const uint8_t all[] = {1, 1, 1};
    const hrr_fingerprint marked = name_with(HRR_F32, NULL, -1, all);
    const hrr_fingerprint unmarked = name_with(HRR_F32, NULL, -1, NULL);
    assert_memory_equal(marked.edges, marked.pairs, sizeof marked.edges);
    assert_memory_equal(marked.edges, unmarked.pairs, sizeof marked.edges);
}

static void test_fingerprint__what_is_absent_has_no_name(void **state)
{
    (void)state;
    static const uint8_t zeros[HRR_FINGERPRINT_SIZE];
    const hrr_fingerprint a = name_with(HRR_F32, NULL, -1, NULL);
    assert_memory_equal(a.features, zeros, sizeof zeros);
    assert_memory_equal(a.clipped, zeros, sizeof zeros);
    assert_memory_equal(a.labels, zeros, sizeof zeros);
    assert_memory_equal(a.edges, zeros, sizeof zeros);
    assert_memory_not_equal(a.pairs, zeros, sizeof zeros);
    assert_memory_not_equal(a.graph, zeros, sizeof zeros);
}

static void test_fingerprint__another_key_another_name(void **state)
{
    (void)state;
    const uint8_t other_key[hrr_ledger_key_size] = "another key";
    const double values[] = {0, 1, 2, 3, 4, 5, 6, 7.5};
    hrr_graph *graph = graph_of(4, 3, pairs, marks);
    set_features(graph, HRR_F32, 2, values);
    set_classes(graph, 1);
    hrr_fingerprint a = name_of(graph), b;
    assert_ok(hrr_fingerprint_graph(&b, graph, NULL, NULL, other_key, 1, NULL, NULL));
    assert_false(same(a, b, features) || same(a, b, clipped) || same(a, b, edges) ||
                 same(a, b, pairs) || same(a, b, labels) || same(a, b, graph));
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
    assert_ok(hrr_fingerprint_graph(&one, graph, NULL, NULL, key, 1, NULL, NULL));
    assert_ok(hrr_fingerprint_graph(&four, graph, NULL, NULL, key, 4, NULL, NULL));
    assert_memory_equal(&one, &four, sizeof one);
    /* Every chunk counts, up to the last value. */
    value = hrr_graph_features(graph)->data;
    const uint64_t places[] = {0, 1 << 20, (1 << 21) + 7, (uint64_t)rows * cols - 1};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        value[places[i]] += 1;
        assert_ok(hrr_fingerprint_graph(&four, graph, NULL, NULL, key, 2, NULL, NULL));
        assert_false(same(one, four, features));
        value[places[i]] -= 1;
    }
    hrr_progress *progress;
    hrr_error err = {0};
    assert_ok(hrr_progress_new(&progress, NULL, NULL, NULL));
    hrr_progress_cancel(progress);
    assert_int_equal(hrr_fingerprint_graph(&four, graph, NULL, NULL, key, 2, progress, &err),
                     HRR_ECANCEL);
    hrr_progress_free(progress);
    hrr_graph_free(graph);
}

static hrr_status take_name(void *user)
{
    hrr_fingerprint out;
    return hrr_fingerprint_graph(&out, user, NULL, NULL, key, 1, NULL, NULL);
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
        cmocka_unit_test(test_fingerprint__a_zero_has_no_sign),
        cmocka_unit_test(test_fingerprint__a_class_is_who_has_it_and_not_what_it_is_called),
        cmocka_unit_test(test_fingerprint__clipped_values_have_a_name_too),
        cmocka_unit_test(test_fingerprint__public_parts_change_no_secret),
        cmocka_unit_test(test_fingerprint__a_graph_is_its_name_and_nodes),
        cmocka_unit_test(test_fingerprint__all_marked_is_all_pairs),
        cmocka_unit_test(test_fingerprint__what_is_absent_has_no_name),
        cmocka_unit_test(test_fingerprint__another_key_another_name),
        cmocka_unit_test(test_fingerprint__large_features_for_any_number_of_threads),
        cmocka_unit_test(test_fingerprint__runs_out_of_memory_without_a_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
