/* test_verify.c: a bundle as it was made passes; one that was touched anywhere does not. */
#include "io/json_write.h"
#include "release/releases.h"
#include "support/brutal.h"

#include <unistd.h>

static hrr_findings verify(const char *bundle)
{
    hrr_findings findings;
    assert_ok(hrr_verify_bundle(&findings, bundle, NULL, NULL));
    return findings;
}

static void assert_whole(const char *bundle, const char *what)
{
    hrr_findings findings = verify(bundle);
    for (int i = 0; i < findings.count && i < HRR_MOST_FINDINGS; i++)
        print_error("%s: %s\n", what, findings.text[i]);
    assert_int_equal(findings.count, 0);
}

/* Some finding must say it. */
static void assert_finds(const char *bundle, const char *says)
{
    hrr_findings findings = verify(bundle);
    bool said = false;
    for (int i = 0; i < findings.count && i < HRR_MOST_FINDINGS; i++)
        said |= strstr(findings.text[i], says) != NULL;
    if (!said) {
        print_error("nothing says \"%s\"; there are %d findings\n", says, findings.count);
        for (int i = 0; i < findings.count && i < HRR_MOST_FINDINGS; i++)
            print_error("  %s\n", findings.text[i]);
    }
    assert_true(said);
}

static void make_bundle(const char *bundle)
{
    hrr_graph *graph = small_graph(7);
    hrr_protect_options options = usual_options();
    options.eps_labels_nano = HRR_EPS_UNIT / 2;
    protect_privately(bundle, graph, &options);
    hrr_graph_free(graph);
}

/* ---- as it was made ------------------------------------------------------------------------- */

static void test_verify__every_mechanism_passes(void **state)
{
    hrr_graph *graph = small_graph(7);
    const char *const *name = hrr_feature_mechanisms();
    float values[] = {1, 0, 0, 0, 1, 0};
    hrr_dense directions = {.dtype = HRR_F32, .rows = 2, .cols = 3, .data = values};
    for (; *name; name++) {
        hrr_protect_options options = usual_options();
        options.features.mechanism = *name;
        options.replace = true;
        if (strstr(*name, "projected")) options.features.directions = &directions;
        if (strcmp(*name, "gaussian") == 0) options.features.delta = 1e-6;
        if (strcmp(*name, "none") == 0 || strcmp(*name, "featfree") == 0)
            options.features.eps_nano = 0;
        protect(in_dir(*state, "b"), graph, &options);
        assert_whole(in_dir(*state, "b"), *name);
    }
    hrr_graph_free(graph);
}

static void test_verify__options_that_change_the_certificate_pass(void **state)
{
    static const double theta[] = {.2, .3, .5}, lo[] = {0, -1, .1}, hi[] = {1, 2, 3};
    const char *bundle = in_dir(*state, "b");
    hrr_graph *graph = small_graph(7);
    hrr_protect_options o[8];
    for (int i = 0; i < 8; i++) {
        o[i] = usual_options();
        o[i].replace = true;
    }
    o[1].features.theta = theta;
    o[1].scores_are_public = true;
    o[2].features.lo = lo;
    o[2].features.hi = hi;
    o[3].features.decoding = HRR_DECODE_BINS;
    o[4].features.n_bins = 9;
    o[5].n_propagate = 2;
    o[6].paper_mode = true;
    o[6].bounds_from_data = true;
    o[6].features.theta = theta;
    o[7].edges.mechanism = "none";
    o[7].eps_labels_nano = 3 * HRR_EPS_UNIT;
    for (int i = 0; i < 8; i++) {
        protect(bundle, graph, &o[i]);
        assert_whole(bundle, "seeded");
        protect_privately(bundle, graph, &o[i]);
        assert_whole(bundle, "keyed by the system");
    }
    hrr_graph_free(graph);

    /* Several labels a node, no features. */
    hrr_protect_options plain = usual_options();
    plain.replace = true;
    plain.eps_labels_nano = HRR_EPS_UNIT;
    graph = graph_of(small_nodes, 7, small_pairs, small_marks);
    hrr_dense labels;
    assert_ok(hrr_dense_init(&labels, HRR_U8, small_nodes, 4, NULL));
    assert_ok(hrr_graph_take_label_matrix(graph, &labels, NULL));
    protect_privately(bundle, graph, &plain);
    assert_whole(bundle, "label vectors");
    hrr_graph_free(graph);
}

/* ---- touched files -------------------------------------------------------------------------- */

static void test_verify__a_flipped_byte_is_found_in_every_file(void **state)
{
    const char *bundle = in_dir(*state, "b");
    char path[4096];
    make_bundle(bundle);
    assert_whole(bundle, "untouched");
    for (int f = 0; f < n_bundle_files; f++) {
        if (strcmp(bundle_files[f], "certificate.json") == 0) continue;
        snprintf(path, sizeof path, "%s/%s", bundle, bundle_files[f]);
        size_t size;
        char *bytes = read_file(path, &size);
        const size_t places[] = {0, size / 3, size / 2, size - 1};
        for (size_t i = 0; i < 4; i++) {
            bytes[places[i]] ^= 1;
            write_file(path, bytes, size);
            assert_finds(bundle, bundle_files[f]);
            bytes[places[i]] ^= 1;
        }
        write_file(path, bytes, size - 1);
        assert_finds(bundle, bundle_files[f]);
        write_file(path, bytes, size);
        free(bytes);
    }
    assert_whole(bundle, "put back");
}

static void test_verify__missing_extra_and_linked_files_are_found(void **state)
{
    const char *bundle = in_dir(*state, "b"), *aside = in_dir(*state, "aside");
    char path[4096];
    make_bundle(bundle);
    for (int f = 0; f < n_bundle_files; f++) {
        snprintf(path, sizeof path, "%s/%s", bundle, bundle_files[f]);
        assert_int_equal(rename(path, aside), 0);
        assert_finds(bundle, bundle_files[f]);
        if (strcmp(bundle_files[f], "certificate.json") != 0) {
            assert_int_equal(symlink(aside, path), 0);
            assert_finds(bundle, "is not a plain file");
        }
        assert_int_equal(rename(aside, path), 0);
    }
    assert_whole(bundle, "put back");
    write_text(in_dir(bundle, "notes.txt"), "who is who");
    assert_finds(bundle, "notes.txt is not listed");
    unlink(in_dir(bundle, "notes.txt"));
    write_text(in_dir(bundle, ".hidden"), "");
    assert_finds(bundle, ".hidden is not listed");
}

static void test_verify__what_is_no_bundle_is_an_error(void **state)
{
    hrr_findings findings;
    hrr_error err = {0};
    assert_int_equal(hrr_verify_bundle(&findings, in_dir(*state, "none"), NULL, &err), HRR_EIO);
    write_text(in_dir(*state, "file"), "");
    assert_int_equal(hrr_verify_bundle(&findings, in_dir(*state, "file"), NULL, &err), HRR_EIO);
    assert_says(err, "is not a directory");
    assert_finds(*state, "certificate.json cannot be read");
}

/* ---- a touched certificate ------------------------------------------------------------------ */

typedef struct edit {
    const char *object; /* NULL: the certificate itself */
    const char *name, *value, *says;
} edit;

static void test_verify__every_edit_of_the_certificate_is_found(void **state)
{
    static const edit edits[] = {
        {"features", "requested_eps", "\"0.5\"", "statement does not follow"},
        {"features", "requested_eps", "\"2\"", "these parameters realise"},
        {"features", "requested_eps", "\"1.0\"", "is not one"},
        {"features", "requested_eps", "1", "is not one"},
        {"features", "realised_eps", "\"0.5\"", "these parameters realise"},
        {"features", "realised_eps", "\"2\"", "more than the requested"},
        {"features", "realised_eps", "\"infinity\"", "features are not protected"},
        {"features", "realised_eps", "null", "is not one"},
        {"features", "mechanism", "\"duchi\"", "features:"},
        {"features", "mechanism", "\"magic\"", "features:"},
        {"features", "bins", "9", "features:"},
        {"features", "decoding", "\"none\"", "not readable"},
        {"features", "delta", "0.1", "statement does not follow"},
        {"features", "theta", "[1, 2, 3]", "features:"},
        {"features", "theta", "[1, 2]", "not readable"},
        {"features", "theta", "\"not public, not written here\"", "weights of features"},
        {"features", "bounds", "{\"lo\": 1, \"hi\": 0}", "features:"},
        {"features", "bounds", "\"from private data, not written here\"", "bounds come from"},
        {"features", "eps_i_nano", "333333334", "shares of the requested"},
        {"features", "eps_i_nano", "[333333333, 333333333, 333333332]", "shares of the requested"},
        {"features", "n_features", "4", "the certificate says 4"},
        {"features", "type", "\"u8\"", "the mechanism writes"},
        {"features", "evidence", "\"trust me\"", "does not say that"},
        {"features", "statement", "\"perfect\"", "does not say that"},
        {NULL, "features", "null", "how many the input had"},
        {"edges", "mechanism", "\"none\"", "statement does not follow"},
        {"edges", "mechanism", "\"magic\"", "no mechanism"},
        {"edges", "realised_eps", "\"infinity\"", "does not realise"},
        {"edges", "requested_eps", "\"-1\"", "is not one"},
        {"edges", "edges", "5", "the certificate says 5"},
        {"labels", "requested_eps", "\"0.25\"", "statement does not follow"},
        {"labels", "realised_eps", "\"0.25\"", "does not follow from the parameters"},
        {"labels", "mechanism", "\"randomized response on every bit\"",
         "statement does not follow"},
        {"labels", "classes", "0", "does not follow"},
        {NULL, "labels", "null", "statement does not follow"},
        {NULL, "statement", "\"eps_f = 0.1 per node feature vector; one stored release.\"",
         "statement does not follow"},
        {NULL, "statement", "\"\"", "statement does not follow"},
        {NULL, "private", "false", "gives 0 reasons"},
        {NULL, "private", "null", "does not say whether"},
        {NULL, "not_private_because", "[\"a whim\"]", "gives 1 reasons"},
        {NULL, "not_private_because", "null", "does not say whether"},
        {NULL, "generator", "\"insecure seed: NOT PRIVATE\"", "not keyed by the operating system"},
        {NULL, "mode", "\"lax\"", "names no mode"},
        {NULL, "format", "\"other\"", "is not a heterorr certificate"},
        {NULL, "format_version", "2", "is of version 2"},
        {NULL, "files", "{}", "does not list graph.json"},
        {"files", "../outside", "{}", "is not a name in it"},
        {"files", "features.npy", "null", "features.npy is not the file"},
        {"input", "nodes", "7", "the certificate says 7"},
        {"input", "features", "4", "features:"},
        {"input", "features", "-1", "how many the input had"},
        {"input", "features", "99999999999", "how many the input had"},
    };
    const char *bundle = in_dir(*state, "b");
    make_bundle(bundle);
    char path[4096];
    snprintf(path, sizeof path, "%s/certificate.json", bundle);
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        json_t *good = json_load_file(path, 0, NULL), *bad = json_deep_copy(good);
        json_t *object = edits[i].object ? json_object_get(bad, edits[i].object) : bad;
        json_t *value = json_loads(edits[i].value, JSON_DECODE_ANY, NULL);
        assert_non_null(value);
        json_object_set_new(object, edits[i].name, value);
        assert_ok(hrr_json_write(bad, bundle, "certificate.json", NULL));
        assert_finds(bundle, edits[i].says);
        assert_ok(hrr_json_write(good, bundle, "certificate.json", NULL));
        json_decref(good);
        json_decref(bad);
    }
    assert_whole(bundle, "put back");
    write_text(path, "{\"format\": ");
    assert_finds(bundle, "cannot be read");
    write_text(path, "[]");
    assert_finds(bundle, "is not a heterorr certificate");
}

/* The line of the text that byte `at` is in begins with this, after blanks. */
static bool line_begins(const char *text, size_t at, const char *with)
{
    while (at > 0 && text[at - 1] != '\n')
        at--;
    return strncmp(text + at + strspn(text + at, " "), with, strlen(with)) == 0;
}

/* No byte of certificate.json can be another, but for the bounds: any would do for the promise, and
 * nothing else in a bundle says what they were. */
static void test_verify__a_flipped_byte_is_found_in_the_certificate(void **state)
{
    const char *bundle = in_dir(*state, "b");
    char path[4096];
    make_bundle(bundle);
    snprintf(path, sizeof path, "%s/certificate.json", bundle);
    size_t size;
    char *bytes = read_file(path, &size);
    for (size_t at = 0; at < size; at++) {
        if (line_begins(bytes, at, "\"lo\"") || line_begins(bytes, at, "\"hi\"")) continue;
        bytes[at] ^= 1;
        write_file(path, bytes, size);
        int count = verify(bundle).count;
        if (count == 0)
            print_error("not found at %zu: %.40s\n", at, bytes + (at > 20 ? at - 20 : 0));
        bytes[at] ^= 1;
        assert_true(count > 0);
    }
    free(bytes);
}

/* A seeded run that calls itself private, with a statement to match. */
static void test_verify__a_seeded_run_cannot_call_itself_private(void **state)
{
    const char *bundle = in_dir(*state, "b");
    hrr_graph *graph = small_graph(7);
    const hrr_protect_options options = usual_options();
    protect(bundle, graph, &options);
    hrr_graph_free(graph);
    assert_whole(bundle, "seeded");
    json_t *json = json_load_file(in_dir(bundle, "certificate.json"), 0, NULL);
    json_object_set_new(json, "private", json_true());
    json_object_set_new(json, "not_private_because", json_array());
    const char *statement = json_string_value(json_object_get(json, "statement"));
    const char *promise = strstr(statement, "What was asked for: ") + 20;
    json_object_set_new(json, "statement", json_string(promise));
    assert_ok(hrr_json_write(json, bundle, "certificate.json", NULL));
    json_decref(json);
    assert_finds(bundle, "not keyed by the operating system");
}

static hrr_status verify_once(void *user)
{
    hrr_findings findings;
    hrr_status status = hrr_verify_bundle(&findings, user, NULL, NULL);
    if (!status) assert_int_equal(findings.count, 0);
    return status;
}

static void test_verify__runs_out_of_memory_without_a_trace(void **state)
{
    const char *bundle = in_dir(*state, "b");
    make_bundle(bundle);
    assert_true(brutal(verify_once, (void *)bundle) > 20);
}

#define VERIFY_TEST(name) cmocka_unit_test_setup_teardown(name, scratch_setup, scratch_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        VERIFY_TEST(test_verify__every_mechanism_passes),
        VERIFY_TEST(test_verify__options_that_change_the_certificate_pass),
        VERIFY_TEST(test_verify__a_flipped_byte_is_found_in_every_file),
        VERIFY_TEST(test_verify__missing_extra_and_linked_files_are_found),
        VERIFY_TEST(test_verify__what_is_no_bundle_is_an_error),
        VERIFY_TEST(test_verify__every_edit_of_the_certificate_is_found),
        VERIFY_TEST(test_verify__a_flipped_byte_is_found_in_the_certificate),
        VERIFY_TEST(test_verify__a_seeded_run_cannot_call_itself_private),
        VERIFY_TEST(test_verify__runs_out_of_memory_without_a_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
