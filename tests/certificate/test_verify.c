/* test_verify.c: a bundle as it was made passes; one that was touched anywhere does not. */
#include "certificate/file.h"
#include "io/hash.h"
#include "io/json_write.h"
#include "release/releases.h"
#include "support/public_head.h"
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
    const hrr_feature_mechanism *const *row = hrr_feature_mechanisms();
    float values[] = {1, 0, 0, 0, 1, 0};
    hrr_dense directions = {.dtype = HRR_F32, .rows = 2, .cols = 3, .data = values};
    for (; *row; row++) {
        hrr_protect_options options = usual_options();
        options.features.mechanism = (*row)->name;
        options.replace = true;
        options.features.directions = strstr((*row)->name, "projected") ? &directions : NULL;
        options.declared_public = HRR_PUBLIC_DIRECTIONS | HRR_PUBLIC_HEAD;
        if ((*row)->needs_head) options.features.head = public_head(3, 4, HRR_OUTPUT_SOFTMAX);
        if (strcmp((*row)->name, "gaussian") == 0) options.features.delta = 1e-6;
        if (strcmp((*row)->name, "none") == 0 || strcmp((*row)->name, "featfree") == 0)
            options.features.eps_nano = 0;
        protect(in_dir(*state, "b"), graph, &options);
        assert_whole(in_dir(*state, "b"), (*row)->name);
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

/* The page with `text` put in at byte `at`, and its hash in the certificate to match. */
static void forge_page(const char *bundle, const char *page, size_t at, const char *text)
{
    const size_t size = strlen(page) + strlen(text);
    char *forged = malloc(size + 1), sha256[HRR_SHA256_TEXT_SIZE];
    uint64_t hashed;
    assert_non_null(forged);
    snprintf(forged, size + 1, "%.*s%s%s", (int)at, page, text, page + at);
    write_file(in_dir(bundle, "CERTIFICATE.txt"), forged, size);
    free(forged);
    assert_ok(hrr_sha256_file(sha256, &hashed, in_dir(bundle, "CERTIFICATE.txt"), NULL, NULL));
    json_t *json = json_load_file(in_dir(bundle, "certificate.json"), 0, NULL);
    json_t *file = json_object_get(json_object_get(json, "files"), "CERTIFICATE.txt");
    json_object_set_new(file, "bytes", json_integer((json_int_t)hashed));
    json_object_set_new(file, "sha256", json_string(sha256));
    assert_ok(hrr_json_write(json, bundle, "certificate.json", NULL));
    json_decref(json);
}

/* Whoever forges the hash with it still cannot make the page say another thing. */
static void test_verify__the_page_says_what_the_certificate_says_and_no_more(void **state)
{
    char bundle[4096]; /* in_dir() has few places */
    size_t size;
    snprintf(bundle, sizeof bundle, "%s", in_dir(*state, "b"));
    make_bundle(bundle);
    char *page = read_file(in_dir(bundle, "CERTIFICATE.txt"), &size);
    forge_page(bundle, page, size, "\nAll of the above holds with epsilon 0.\n");
    assert_finds(bundle, "CERTIFICATE.txt has more text than certificate.json accounts for,");
    forge_page(bundle, page, size, " ");
    assert_finds(bundle, "CERTIFICATE.txt has more text than certificate.json accounts for,");
    forge_page(bundle, page, 0, "Nobody can learn anything from this release.\n\n");
    assert_finds(bundle, "line 1 should be \"eps_f = 1 per node");
    const size_t heading = (size_t)(strstr(page, "Features\n") - page);
    forge_page(bundle, page, heading, "\x1b[2mNot protected: nothing.\x1b[0m\n\n");
    assert_finds(bundle, "should be \"Features\"");
    forge_page(bundle, page, 0, ""); /* as it was */
    assert_whole(bundle, "put back");
    write_file(in_dir(bundle, "CERTIFICATE.txt"), page, size / 2);
    assert_finds(bundle, "should be \"");
    free(page);
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
        assert_int_equal(symlink(aside, path), 0);
        assert_finds(bundle, "is not a regular file");
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
        {"features", "requested_eps", "\"1.0\"", "is not a valid number"},
        {"features", "requested_eps", "1", "is not a valid number"},
        {"features", "realised_eps", "\"0.5\"", "these parameters realise"},
        {"features", "realised_eps", "\"2\"",
         "the realised epsilon is larger than the requested one"},
        {"features", "realised_eps", "\"infinity\"", "features are not protected"},
        {"features", "realised_eps", "null", "is not a valid number"},
        {"features", "mechanism", "\"duchi\"", "features:"},
        {"features", "mechanism", "\"magic\"", "features:"},
        {"features", "bins", "9", "features:"},
        {"features", "decoding", "\"none\"", "cannot be read"},
        {"features", "delta", "0.1", "statement does not follow"},
        {"features", "theta", "[1, 2, 3]", "features:"},
        {"features", "theta", "[1, 2]", "cannot be read"},
        {"features", "theta", "\"not public, not written here\"", "weights of features"},
        {"features", "bounds", "{\"lo\": 1, \"hi\": 0}", "features:"},
        {"features", "bounds", "\"from private data, not written here\"", "bounds come from"},
        {"features", "eps_i_nano", "333333334", "shares of the requested"},
        {"features", "eps_i_nano", "[333333333, 333333333, 333333332]", "shares of the requested"},
        {"features", "n_features", "4", "the certificate says 4"},
        {"features", "type", "\"u8\"", "the mechanism writes"},
        {"features", "evidence", "\"trust me\"", "sentences differ"},
        {"features", "statement", "\"perfect\"", "sentences differ"},
        {NULL, "features", "null",
         "the certificate does not state the number of features of the input"},
        {"edges", "mechanism", "\"none\"", "realise epsilon infinity, not 0"},
        {"edges", "mechanism", "\"magic\"", "no edge mechanism"},
        {"edges", "mechanism", "\"edgerr\"", "edgerr writes tree.npy, but the file is missing"},
        {"files", "tree_counts.npy", "{}", "tree_counts.npy is not a file that public-only writes"},
        {"files", "block_counts.npy", "{}",
         "block_counts.npy is not a file that public-only writes"},
        {"files", "counted.npy", "{}", "counted.npy is not a file that public-only writes"},
        {"edges", "realised_eps", "\"infinity\"", "these parameters realise"},
        {"edges", "requested_eps", "\"-1\"", "is not a valid number"},
        {"edges", "requested_eps", "null", "but the certificate names a mechanism or an epsilon"},
        {"edges", "edges", "5", "the certificate says 5"},
        {"labels", "requested_eps", "\"0.25\"", "statement does not follow"},
        {"labels", "realised_eps", "\"0.25\"", "does not follow from the parameters"},
        {"labels", "mechanism", "\"randomized response on every bit\"",
         "statement does not follow"},
        {"labels", "mechanism", "\"none\"", "only a mechanism spends a budget"},
        {"labels", "requested_eps", "null", "only a mechanism spends a budget"},
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
        {NULL, "mode", "\"lax\"", "the certificate does not name a known mode"},
        {NULL, "format", "\"other\"", "is not a heterorr certificate"},
        {NULL, "format_version", "1", "has version 1"},
        {NULL, "format_version", "2", "which its version does not have"},
        {NULL, "format_version", "5", "has version 5"},
        {NULL, "signer", "\"somebody\"", "the signer is not the fingerprint of a key"},
        {NULL, "signer", "\"0123456789abcdef0123456789abcdef\"",
         "says that the key 0123456789abcdef0123456789abcdef signed it"},
        {NULL, "protects", "[\"features\"]", "wrong about whether edges are protected"},
        {NULL, "protects", "[\"features\", \"edges\", \"labels\", \"all\"]",
         "repeated or unknown entries"},
        {NULL, "declared_public", "[\"edges\"]", "line"},
        {NULL, "date", "\"2001-01-01\"", "CERTIFICATE.txt does not match certificate.json:"},
        {NULL, "issuer", "\"somebody\"", "CERTIFICATE.txt does not match certificate.json:"},
        {NULL, "raw_data_kept", "\"well\"", "CERTIFICATE.txt does not match certificate.json:"},
        {NULL, "data_set", "\"other\"", "CERTIFICATE.txt does not match certificate.json:"},
        {NULL, "files", "{}", "does not list graph.json"},
        {"files", "../outside", "{}", "which is not a valid file name"},
        {"files", "features.npy", "null", "features.npy is not the certified file"},
        {"input", "nodes", "7", "the certificate says 7"},
        {"input", "features", "4", "features:"},
        {"input", "features", "-1",
         "the certificate does not state the number of features of the input"},
        {"input", "features", "99999999999",
         "the certificate does not state the number of features of the input"},
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

/* ---- every recorded parameter of every mechanism -------------------------------------------- */

/* Another value of the same kind; NULL: it holds others, which are changed one by one. */
static json_t *another(const json_t *value)
{
    if (json_is_integer(value)) return json_integer(json_integer_value(value) + 1);
    if (json_is_real(value)) return json_real(json_real_value(value) + .125);
    if (json_is_boolean(value)) return json_boolean(!json_is_true(value));
    if (!json_is_string(value)) return NULL;
    char text[1024];
    snprintf(text, sizeof text, "%s", json_string_value(value));
    char *last = text + strlen(text) - 1;
    *last = *last == '9' || *last == 'z' ? *last - 1 : *last + 1;
    return json_string(text);
}

/* As hrr_json_write() does, without waiting for the disk. */
static void put_certificate(const json_t *certificate, const char *bundle)
{
    char path[4096], *text = json_dumps(certificate, JSON_INDENT(2));
    snprintf(path, sizeof path, "%s/certificate.json", bundle);
    FILE *file = fopen(path, "w");
    assert_true(text && file);
    fprintf(file, "%s\n", text);
    fclose(file);
    free(text);
}

static int change_each(json_t *object, json_t *certificate, const char *bundle, const char *what)
{
    int n_changed = 0;
    const char *name;
    json_t *value;
    void *next;
    json_object_foreach_safe(object, next, name, value)
    {
        json_t *changed = another(value), *member;
        size_t i;
        if (!changed) {
            json_array_foreach(value, i, member) if (json_is_object(member)) n_changed +=
                change_each(member, certificate, bundle, what);
            continue;
        }
        json_t *kept = json_incref(value);
        json_object_set_new(object, name, changed);
        put_certificate(certificate, bundle);
        if (verify(bundle).count == 0) fail_msg("%s: a changed \"%s\" is not found", what, name);
        json_object_set_new(object, name, kept);
        n_changed++;
    }
    return n_changed;
}

static void check_changes(const char *bundle, const char *what)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/certificate.json", bundle);
    json_t *certificate = json_load_file(path, 0, NULL);
    static const char *const parts[] = {"features", "edges", "labels", "input"};
    assert_whole(bundle, what);
    int n_changed = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        n_changed += change_each(json_object_get(certificate, parts[i]), certificate, bundle, what);
    assert_true(n_changed > 15);
    put_certificate(certificate, bundle);
    assert_whole(bundle, what);
    json_decref(certificate);
}

/* Twice the small graph, with features and labels; as a collection of two, or one. */
static hrr_graph *double_graph(bool collection)
{
    enum { n = 2 * small_nodes, n_edges = 14 };
    uint32_t pairs[2 * n_edges];
    uint8_t marks[n_edges];
    float values[n * small_features];
    for (int e = 0; e < n_edges; e++) {
        const uint32_t first = e < 7 ? 0 : small_nodes;
        pairs[2 * e] = first + small_pairs[2 * (e % 7)];
        pairs[2 * e + 1] = first + small_pairs[2 * (e % 7) + 1];
        marks[e] = small_marks[e % 7];
    }
    for (int i = 0; i < n * small_features; i++)
        values[i] = (float)(i % 5) / 4;
    marks[n_edges - 1] = 0; /* so that the two differ in their candidate pairs */
    hrr_graph *graph = graph_of(n, n_edges, pairs, marks);
    give_features(graph, values, n, small_features);
    int32_t *classes = hrr_alloc(n, sizeof *classes);
    uint32_t *graph_ids = hrr_alloc(n, sizeof *graph_ids);
    assert_true(classes && graph_ids);
    for (int i = 0; i < n; i++) {
        classes[i] = i % small_classes;
        graph_ids[i] = i >= small_nodes;
    }
    assert_ok(hrr_graph_take_classes(graph, &classes, small_classes, NULL));
    if (collection) assert_ok(hrr_graph_take_graph_ids(graph, &graph_ids, NULL));
    hrr_free(graph_ids);
    return graph;
}

static void test_verify__every_parameter_of_every_edge_mechanism_is_recomputed(void **state)
{
    const char *bundle = in_dir(*state, "b");
    for (int collection = 0; collection < 2; collection++) {
        hrr_graph *graph = double_graph(collection);
        for (const hrr_edge_mechanism *const *row = hrr_edge_mechanisms(); *row; row++) {
            const bool with_tree = strcmp((*row)->name, "edgerr") == 0;
            for (const hrr_edge_tree *const *tree = hrr_edge_trees(); *tree; tree++) {
                hrr_protect_options options = usual_options();
                options.replace = options.paper_mode = true;
                options.edges.mechanism = (*row)->name;
                options.edges.eps_nano = 1234567891;
                if (with_tree) options.edges.tree = (*tree)->name;
                options.edges.n_blocks = 3;
                if (strcmp((*row)->name, "public-only") == 0 || strcmp((*row)->name, "none") == 0)
                    options.edges.eps_nano = 0;
                protect(bundle, graph, &options);
                check_changes(bundle, with_tree ? (*tree)->name : (*row)->name);
                if (!with_tree) break;
            }
        }
        hrr_graph_free(graph);
    }
}

/* Randomised response names the pairs of its graph; the chance of a flip is the same in all. */
static void test_verify__a_collection_speaks_of_every_graph(void **state)
{
    const char *bundle = in_dir(*state, "b");
    hrr_graph *graph = double_graph(true);
    hrr_protect_options options = usual_options();
    options.edges.mechanism = "edgerand-private";
    options.edges.eps_nano = HRR_EPS_UNIT;
    protect(bundle, graph, &options);
    hrr_graph_free(graph);
    size_t size;
    char *page = read_file(in_dir(bundle, "CERTIFICATE.txt"), &size);
    assert_non_null(strstr(page, "each protected by itself"));
    assert_non_null(strstr(page, "graph 0"));
    assert_non_null(strstr(page, "graph 1"));
    free(page);
    json_t *json = json_load_file(in_dir(bundle, "certificate.json"), 0, NULL);
    json_t *edges = json_object_get(json, "edges"), *graphs = json_object_get(edges, "graphs");
    assert_int_equal(json_array_size(graphs), 2);
    json_int_t pairs[2];
    for (size_t g = 0; g < 2; g++) {
        json_t *own = json_array_get(graphs, g);
        pairs[g] = json_integer_value(json_object_get(own, "candidate_pairs"));
        assert_non_null(json_object_get(own, "statement"));
        assert_null(json_object_get(own, "evidence")); /* they flip alike */
    }
    assert_true(pairs[0] != pairs[1]);
    assert_int_equal(json_integer_value(json_object_get(edges, "candidate_pairs")),
                     pairs[0] + pairs[1]);
    json_array_remove(graphs, 1);
    put_certificate(json, bundle);
    assert_finds(bundle, "a collection needs at least two graphs");
    json_decref(json);
}

static void test_verify__every_parameter_of_every_feature_mechanism_is_recomputed(void **state)
{
    static const double theta[] = {.2, .3, .5};
    const char *bundle = in_dir(*state, "b");
    float values[] = {1, 0, 0, 0, 1, 0};
    hrr_dense directions = {.dtype = HRR_F32, .rows = 2, .cols = 3, .data = values};
    hrr_graph *graph = small_graph(7);
    for (const hrr_feature_mechanism *const *row = hrr_feature_mechanisms(); *row; row++)
        for (int weighted = 0; weighted < 2; weighted++) {
            hrr_protect_options options = usual_options();
            options.features.mechanism = (*row)->name;
            options.replace = true;
            options.eps_labels_nano = HRR_EPS_UNIT / 2;
            if (weighted && strcmp((*row)->name, "featurerr") != 0) continue;
            if (weighted) options.features.theta = theta;
            options.scores_are_public = true;
            options.features.directions = strstr((*row)->name, "projected") ? &directions : NULL;
            options.declared_public = HRR_PUBLIC_DIRECTIONS | HRR_PUBLIC_HEAD;
            if ((*row)->needs_head) options.features.head = public_head(3, 4, HRR_OUTPUT_SIGMOID);
            if (strcmp((*row)->name, "gaussian") == 0) options.features.delta = 1e-6;
            if (strcmp((*row)->name, "none") == 0 || strcmp((*row)->name, "featfree") == 0)
                options.features.eps_nano = 0;
            protect(bundle, graph, &options);
            check_changes(bundle, (*row)->name);
        }
    hrr_graph_free(graph);
}

/* No byte of certificate.json can be another. */
static void test_verify__a_flipped_byte_is_found_in_the_certificate(void **state)
{
    const char *bundle = in_dir(*state, "b");
    char path[4096];
    make_bundle(bundle);
    snprintf(path, sizeof path, "%s/certificate.json", bundle);
    size_t size;
    char *bytes = read_file(path, &size);
    for (size_t at = 0; at < size; at++) {
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

/* ---- older versions ------------------------------------------------------------------------- */

/* What certificate.json says of CERTIFICATE.txt, which was written anew. */
static void certify_page(json_t *certificate, const char *bundle)
{
    char sha256[HRR_SHA256_TEXT_SIZE];
    uint64_t size;
    assert_ok(hrr_certificate_save_page(certificate, bundle, NULL));
    assert_ok(hrr_sha256_file(sha256, &size, in_dir(bundle, "CERTIFICATE.txt"), NULL, NULL));
    json_object_set_new(json_object_get(certificate, "files"), "CERTIFICATE.txt",
                        json_pack("{s:I, s:s}", "bytes", (json_int_t)size, "sha256", sha256));
    assert_ok(hrr_certificate_save(certificate, bundle, NULL));
}

static void test_verify__a_certificate_of_version_2_is_read(void **state)
{
    const char *bundle = in_dir(*state, "b");
    make_bundle(bundle);
    char *page = read_file(in_dir(bundle, "CERTIFICATE.txt"), NULL);
    assert_non_null(strstr(page, "no ledger records this release"));
    free(page);
    json_t *json = json_load_file(in_dir(bundle, "certificate.json"), 0, NULL);
    json_object_set_new(json, "format_version", json_integer(2));
    json_object_del(json, "signer");
    certify_page(json, bundle);
    assert_whole(bundle, "version 2");
    page = read_file(in_dir(bundle, "CERTIFICATE.txt"), NULL);
    assert_null(strstr(page, "no ledger records this release"));
    free(page);
    json_object_set_new(json, "format_version", json_integer(3));
    certify_page(json, bundle);
    assert_finds(bundle, "has no field \"signer\"");
    json_decref(json);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_verify__every_mechanism_passes),
        WITH_SCRATCH(test_verify__options_that_change_the_certificate_pass),
        WITH_SCRATCH(test_verify__a_flipped_byte_is_found_in_every_file),
        WITH_SCRATCH(test_verify__the_page_says_what_the_certificate_says_and_no_more),
        WITH_SCRATCH(test_verify__missing_extra_and_linked_files_are_found),
        WITH_SCRATCH(test_verify__what_is_no_bundle_is_an_error),
        WITH_SCRATCH(test_verify__every_edit_of_the_certificate_is_found),
        WITH_SCRATCH(test_verify__every_parameter_of_every_edge_mechanism_is_recomputed),
        WITH_SCRATCH(test_verify__every_parameter_of_every_feature_mechanism_is_recomputed),
        WITH_SCRATCH(test_verify__a_collection_speaks_of_every_graph),
        WITH_SCRATCH(test_verify__a_flipped_byte_is_found_in_the_certificate),
        WITH_SCRATCH(test_verify__a_certificate_of_version_2_is_read),
        WITH_SCRATCH(test_verify__a_seeded_run_cannot_call_itself_private),
        WITH_SCRATCH(test_verify__runs_out_of_memory_without_a_trace),
    };
    /* Many bundles are made; memory needs no syncing. */
    if (access("/dev/shm", W_OK) == 0) setenv("TMPDIR", "/dev/shm", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
