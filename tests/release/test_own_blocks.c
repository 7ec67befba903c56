/* test_own_blocks.c: blocks that are made from the release they belong to. Whoever makes them sees
 * released and public data, the same whatever the private edges are; the bundle counts into them
 * and says what they are. */
#include "io/json_write.h"
#include "release/releases.h"
#include "support/brutal.h"

#include <math.h>
#include <unistd.h>

/* What the maker of the blocks was shown, as bytes. */
typedef struct spy {
    int n_calls, threads;
    uint64_t n_edges;
    bool marked, candidates, masked;
    uint32_t ends[14];
    float features[small_nodes * small_features];
    int32_t classes[small_nodes];
    uint8_t split[small_nodes];
    bool has_split;
    double label_eps;
    bool randomised;
    hrr_status answer; /* what to say */
    uint32_t wrong;    /* the block of the last node, if not 0 */
    hrr_count_ends ends_at;
} spy;

/* Node i goes to block i % 3; those with small numbers need more. */
static hrr_status look(uint32_t *blocks, uint32_t *need, uint32_t *rivals, const hrr_shown *shown,
                       void *user, int threads, hrr_progress *progress, hrr_error *err)
{
    (void)rivals;
    spy *self = user;
    const hrr_graph *released = shown->graph;
    const hrr_dense *features = hrr_graph_features(released);
    (void)progress;
    self->n_calls++;
    self->threads = threads;
    self->label_eps = shown->label_eps;
    self->randomised = shown->features_are_randomised;
    self->n_edges = hrr_graph_n_edges(released);
    self->marked = hrr_graph_is_private(released) || hrr_graph_n_private_edges(released);
    self->candidates = hrr_graph_candidates(released) != NULL;
    self->masked = hrr_graph_masked_features(released) != NULL;
    for (uint64_t e = 0; e < self->n_edges && e < 7; e++) {
        self->ends[2 * e] = hrr_graph_sources(released)[e];
        self->ends[2 * e + 1] = hrr_graph_targets(released)[e];
    }
    for (uint64_t i = 0; features && i < small_nodes * features->cols; i++)
        self->features[i] = (float)hrr_dense_get(features, i / features->cols, i % features->cols);
    for (uint64_t i = 0; i < small_nodes; i++) {
        if (hrr_graph_classes(released)) self->classes[i] = hrr_graph_classes(released)[i];
        self->has_split = hrr_graph_split(released) != NULL;
        if (self->has_split) self->split[i] = hrr_graph_split(released)[i];
        blocks[i] = (uint32_t)i % 3;
        need[i] = small_nodes - 1 - (uint32_t)i;
    }
    if (self->wrong) blocks[small_nodes - 1] = self->wrong;
    return self->answer ? hrr_fail(err, self->answer, "not today") : HRR_OK;
}

static hrr_block_maker maker_of(spy *by)
{
    return (hrr_block_maker){.name = "threes",
                             .what = "nodes by threes",
                             .need = "the first nodes first",
                             .n_blocks = 3,
                             .make = look,
                             .user = by};
}

static hrr_protect_options spied(void)
{
    hrr_protect_options options = usual_options();
    options.replace = true;
    options.threads = 1;
    options.edges.mechanism = "edgerr-node";
    options.edges.eps_nano = 20 * HRR_EPS_UNIT;
    return options;
}

static hrr_protect_summary protect_spied(const char *bundle, const hrr_graph *graph,
                                         const hrr_protect_options *options, spy *by)
{
    const hrr_block_maker maker = maker_of(by);
    hrr_protect_summary summary;
    hrr_error err = {0};
    const hrr_status status = try_protect_with(&summary, bundle, graph, options, &maker, &err);
    if (status) print_error("%s\n", err.message);
    assert_int_equal(status, HRR_OK);
    return summary;
}

/* With the system's generator. */
static hrr_protect_summary protect_spied_privately(const char *bundle, const hrr_graph *graph,
                                                   spy *by)
{
    hrr_protect_options options = spied();
    options.edges.count_ends = by->ends_at;
    const hrr_block_maker maker = maker_of(by);
    hrr_protect_summary summary;
    hrr_random *random;
    assert_ok(hrr_random_new(&random, NULL));
    assert_ok(hrr_protect_with_maker(NULL, &summary, bundle, graph, &options, &maker, random, NULL,
                                     NULL));
    hrr_random_free(random);
    return summary;
}

static hrr_array read_part(const char *bundle, const char *name)
{
    hrr_array array;
    assert_ok(hrr_array_read(&array, in_dir(bundle, name), NULL));
    return array;
}

/* ---- what is seen ---------------------------------------------------------------------------- */

static void test_maker__sees_what_the_bundle_shows_and_no_more(void **state)
{
    const char *bundle = in_dir(*state, "b");
    spy seen = {0};
    hrr_graph *graph = small_graph(7);
    uint8_t *split = hrr_alloc(small_nodes, 1), *candidates = hrr_alloc(small_nodes, 1);
    for (int i = 0; i < small_nodes; i++) {
        split[i] = (uint8_t)(i % 3);
        candidates[i] = 1;
    }
    assert_ok(hrr_graph_take_split(graph, &split, NULL));
    assert_ok(hrr_graph_take_candidates(graph, &candidates, NULL));
    hrr_protect_options options = spied();
    options.eps_labels_nano = HRR_EPS_UNIT / 2;
    options.declared_public = HRR_PUBLIC_CANDIDATES;
    protect_spied(bundle, graph, &options, &seen);
    assert_int_equal(seen.n_calls, 1);
    assert_int_equal(seen.threads, 1);
    assert_false(seen.marked || seen.candidates || seen.masked);
    static const uint32_t public_pairs[] = {0, 1, 1, 2, 2, 4, 3, 4};
    assert_int_equal(seen.n_edges, 4);
    assert_memory_equal(seen.ends, public_pairs, sizeof public_pairs);
    assert_true(seen.label_eps == .5 && seen.randomised);
    assert_true(seen.has_split && seen.split[1] == 1 && seen.split[5] == 2);
    hrr_array features = read_part(bundle, "features.npy"),
              labels = read_part(bundle, "labels.npy");
    assert_memory_equal(seen.features, features.data, sizeof seen.features);
    assert_memory_equal(seen.classes, labels.data, sizeof seen.classes);
    /* Which are not those of the private graph. */
    const float *private = hrr_graph_features(graph)->data;
    assert_memory_not_equal(seen.features, private, sizeof seen.features);
    hrr_array_clear(&features);
    hrr_array_clear(&labels);
    hrr_graph_free(graph);
}

static void test_maker__sees_the_same_whatever_the_private_edges_are(void **state)
{
    const char *bundle = in_dir(*state, "b");
    spy one = {0}, other = {0};
    hrr_graph *graph = small_graph(7);
    const hrr_protect_options options = spied();
    protect_spied(bundle, graph, &options, &one);
    hrr_graph_free(graph);
    graph = small_graph(6); /* without the private edge 4 - 5 */
    protect_spied(bundle, graph, &options, &other);
    hrr_graph_free(graph);
    assert_int_equal(one.n_calls, 1);
    assert_memory_equal(&one, &other, sizeof one);
    assert_true(one.label_eps < 0);
}

/* The library's own maker: which blocks there are, which end counts a pair and which blocks share a
 * count is the same to the last bit with other private edges. */
static void
test_predicted__blocks_and_need_are_the_same_whatever_the_private_edges_are(void **state)
{
    static const char *const names[] = {"blocks.npy", "need.npy", "rivals.npy"};
    hrr_array part[2][3];
    for (int which = 0; which < 2; which++) {
        const char *bundle = in_dir(*state, "b");
        hrr_graph *graph = small_graph(which ? 7 : 6); /* with 4 - 5, and without */
        hrr_protect_options options = spied();
        hrr_error err = {0};
        options.blocks_from = HRR_BLOCKS_PREDICTED;
        options.edges.count_ends = HRR_ENDS_NEEDED;
        if (try_protect(&err, bundle, graph, &options)) fail_msg("%s", err.message);
        for (int i = 0; i < 3; i++)
            part[which][i] = read_part(bundle, names[i]);
        hrr_graph_free(graph);
    }
    for (int i = 0; i < 3; i++) {
        const size_t n = small_nodes * (i == 2 ? 2 : 1);
        assert_int_equal(part[0][i].n_items, n);
        assert_memory_equal(part[0][i].data, part[1][i].data, n * sizeof(uint32_t));
        hrr_array_clear(&part[0][i]);
        hrr_array_clear(&part[1][i]);
    }
}

/* ---- what is released ------------------------------------------------------------------------ */

/* At eps 20 the noise of a count is 0 but once in 10,000. Edges 0-2, 1-3, 4-5 are private. */
static void test_release__counts_into_the_blocks_that_were_made(void **state)
{
    static const uint32_t expected_blocks[] = {0, 1, 2, 0, 1, 2};
    static const int64_t expected[] = {0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0};
    const char *bundle = in_dir(*state, "b");
    spy seen = {0};
    hrr_graph *graph = small_graph(7);
    hrr_protect_options options = spied();
    options.edges.count_ends = HRR_ENDS_BOTH;
    protect_spied(bundle, graph, &options, &seen);
    hrr_array blocks = read_part(bundle, "blocks.npy");
    hrr_array counts = read_part(bundle, "block_counts.npy");
    assert_memory_equal(blocks.data, expected_blocks, sizeof expected_blocks);
    assert_int_equal(counts.n_items, 18);
    assert_memory_equal(counts.data, expected, sizeof expected);
    hrr_array_clear(&blocks);
    hrr_array_clear(&counts);

    json_t *json = json_load_file(in_dir(bundle, "certificate.json"), 0, NULL);
    const json_t *edges = json_object_get(json, "edges");
    assert_string_equal(json_string_value(json_object_get(edges, "blocks_are")), "nodes by threes");
    assert_int_equal(json_integer_value(json_object_get(edges, "blocks")), 3);
    assert_string_equal(json_string_value(json_object_get(edges, "realised_eps")), "20");
    assert_int_equal(json_array_size(json_object_get(json, "declared_public")), 0);
    json_decref(json);
    hrr_graph_free(graph);
}

/* The same at the end with the smaller number, which the maker says needs it more. */
static void test_release__counts_at_the_end_that_was_said_to_need_it(void **state)
{
    static const uint32_t expected_need[] = {5, 4, 3, 2, 1, 0};
    static const int64_t expected[] = {0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0};
    const char *bundle = in_dir(*state, "b");
    spy seen = {0};
    hrr_graph *graph = small_graph(7);
    const hrr_protect_options options = spied(); /* which is usual with blocks of a maker */
    protect_spied(bundle, graph, &options, &seen);
    hrr_array need = read_part(bundle, "need.npy"), counts = read_part(bundle, "block_counts.npy");
    assert_int_equal(need.n_items, small_nodes);
    assert_memory_equal(need.data, expected_need, sizeof expected_need);
    assert_memory_equal(counts.data, expected, sizeof expected);
    hrr_array_clear(&need);
    hrr_array_clear(&counts);
    hrr_release *release;
    assert_ok(hrr_release_open(&release, bundle, NULL, NULL, NULL));
    const hrr_block_counts *read = hrr_release_counts(release);
    assert_true(read->eps == 20);
    assert_memory_equal(read->need, expected_need, sizeof expected_need);
    assert_int_equal(read->block[4], 1);
    hrr_release_free(release);

    json_t *json = json_load_file(in_dir(bundle, "certificate.json"), 0, NULL);
    const json_t *edges = json_object_get(json, "edges");
    assert_string_equal(json_string_value(json_object_get(edges, "need_is")),
                        "the first nodes first");
    assert_int_equal(json_integer_value(json_object_get(edges, "count_ends")), 1);
    json_decref(json);
    hrr_graph_free(graph);
}

/* Blocks made from the release need nobody's word. */
static void test_release__is_private_without_a_declaration(void **state)
{
    spy seen = {0};
    hrr_graph *graph = small_graph(7);
    const hrr_protect_summary summary = protect_spied_privately(in_dir(*state, "b"), graph, &seen);
    assert_true(summary.is_private);
    assert_int_equal(summary.undeclared, 0);
    hrr_findings *findings = calloc(1, sizeof *findings);
    assert_ok(hrr_verify_bundle(findings, in_dir(*state, "b"), NULL, NULL));
    assert_int_equal(findings->count, 0);
    free(findings);
    hrr_graph_free(graph);
}

/* Blocks come when the plans of the graphs are made: each is given its own. */
static void test_release__certifies_each_graph_of_a_collection(void **state)
{
    static const uint32_t pairs[] = {0, 1, 1, 2, 3, 4, 4, 5};
    static const uint8_t marks[] = {0, 1, 0, 1};
    static const float value[small_nodes * small_features] = {0};
    const char *bundle = in_dir(*state, "b");
    spy seen = {.wrong = 1}; /* of the last node: graphs do not have the same blocks */
    static const uint32_t expected_blocks[] = {0, 1, 2, 0, 1, 1};
    hrr_graph *graph = graph_of(small_nodes, 4, pairs, marks);
    uint32_t *ids = hrr_alloc_zero(small_nodes, sizeof *ids);
    ids[3] = ids[4] = ids[5] = 1;
    give_features(graph, value, small_nodes, small_features);
    assert_ok(hrr_graph_take_graph_ids(graph, &ids, NULL));
    protect_spied_privately(bundle, graph, &seen);
    hrr_array blocks = read_part(bundle, "blocks.npy");
    assert_memory_equal(blocks.data, expected_blocks, sizeof expected_blocks);
    hrr_array_clear(&blocks);
    json_t *json = json_load_file(in_dir(bundle, "certificate.json"), 0, NULL);
    const json_t *graphs = json_object_get(json_object_get(json, "edges"), "graphs");
    assert_int_equal(json_array_size(graphs), 2);
    for (size_t g = 0; g < 2; g++) {
        const json_t *own = json_array_get(graphs, g);
        assert_string_equal(json_string_value(json_object_get(own, "realised_eps")), "20");
        assert_int_equal(json_integer_value(json_object_get(own, "candidate_pairs")), 2);
        assert_null(json_object_get(own, "statement")); /* that of the whole */
    }
    json_decref(json);
    hrr_findings *findings = calloc(1, sizeof *findings);
    assert_ok(hrr_verify_bundle(findings, bundle, NULL, NULL));
    assert_int_equal(findings->count, 0);
    free(findings);
    hrr_graph_free(graph);
}

/* An edit of a certificate, and what verify says of it. value NULL: the field is taken out. */
typedef struct edit {
    const char *object, *name, *value, *says;
} edit;

static void assert_finds(const char *bundle, const edit *edits, size_t n_edits)
{
    hrr_findings *findings = calloc(1, sizeof *findings);
    for (size_t i = 0; i < n_edits; i++) {
        json_t *good = json_load_file(in_dir(bundle, "certificate.json"), 0, NULL);
        json_t *bad = json_deep_copy(good);
        json_t *object = edits[i].object ? json_object_get(bad, edits[i].object) : bad;
        if (edits[i].value)
            json_object_set_new(object, edits[i].name,
                                json_loads(edits[i].value, JSON_DECODE_ANY, NULL));
        else
            json_object_del(object, edits[i].name);
        assert_ok(hrr_json_write(bad, bundle, "certificate.json", NULL));
        assert_ok(hrr_verify_bundle(findings, bundle, NULL, NULL));
        bool said = false;
        for (int f = 0; f < findings->count && f < HRR_MOST_FINDINGS; f++)
            said |= strstr(findings->text[f], edits[i].says) != NULL;
        if (!said) fail_msg("edit %zu: nothing says \"%s\"", i, edits[i].says);
        assert_ok(hrr_json_write(good, bundle, "certificate.json", NULL));
        json_decref(good);
        json_decref(bad);
    }
    free(findings);
}

static void test_verify__finds_blocks_that_are_not_what_is_said(void **state)
{
    static const edit edits[] = {
        {"edges", "blocks_are", "\"true classes\"",
         "CERTIFICATE.txt does not match certificate.json:"},
        {"edges", "blocks_are", "\"\"",
         "the certificate does not describe the blocks that edges were counted into"},
        {"edges", "blocks_are", "\"given with the request, not made from this release\"",
         "not declared public"},
        {NULL, "declared_public", "[\"blocks\"]", "but none were given"},
        {"edges", "blocks", "2", "6 nodes in 2 blocks"},
        {"edges", "blocks", "4", "6 nodes in 4 blocks"},
    };
    const char *bundle = in_dir(*state, "b");
    spy seen = {0};
    hrr_graph *graph = small_graph(7);
    protect_spied_privately(bundle, graph, &seen);
    assert_finds(bundle, edits, sizeof edits / sizeof *edits);
    hrr_graph_free(graph);
}

static void test_verify__finds_need_that_is_not_what_is_said(void **state)
{
    static const edit edits[] = {
        {"edges", "need_is", "\"private degrees\"",
         "CERTIFICATE.txt does not match certificate.json:"},
        {"edges", "need_is", NULL, "need.npy is not a file that"},
        {"edges", "need_is", NULL,
         "the recorded sentences differ from those that the mechanism gives for these parameters"},
        {"edges", "count_ends", "2", "cannot be read"},
        {"edges", "need_is", "\"given with the request, not made from this release\"",
         "need was given without blocks"},
        {"input", "nodes", "7", "need.npy does not contain one number for each of 7 nodes"},
        {"files", "need.npy", NULL, "edgerr-node writes need.npy, but the file is missing"},
    };
    const char *bundle = in_dir(*state, "b");
    spy seen = {.ends_at = HRR_ENDS_NEEDED};
    hrr_graph *graph = small_graph(7);
    protect_spied_privately(bundle, graph, &seen);
    hrr_findings *findings = calloc(1, sizeof *findings);
    assert_ok(hrr_verify_bundle(findings, bundle, NULL, NULL));
    assert_int_equal(findings->count, 0);
    free(findings);
    assert_finds(bundle, edits, sizeof edits / sizeof *edits);
    hrr_graph_free(graph);
}

/* On somebody's word, or not at all. */
static void test_need__is_given_with_blocks(void **state)
{
    static const uint32_t blocks[small_nodes] = {0}, need[small_nodes] = {3, 1, 2};
    const char *bundle = in_dir(*state, "b");
    hrr_graph *graph = small_graph(7);
    hrr_error err = {0};
    hrr_protect_options options = spied();
    options.edges.count_ends = HRR_ENDS_NEEDED;
    options.edges.need = need;
    assert_int_equal(try_protect(&err, bundle, graph, &options), HRR_EINVAL);
    assert_says(err, "without them leave it out");
    options.edges.blocks = blocks;
    options.edges.n_blocks = 1;
    options.blocks_from = HRR_BLOCKS_GIVEN;
    options.declared_public = HRR_PUBLIC_BLOCKS;
    assert_ok(try_protect(&err, bundle, graph, &options));
    hrr_array released = read_part(bundle, "need.npy");
    assert_memory_equal(released.data, need, sizeof need);
    hrr_array_clear(&released);
    json_t *json = json_load_file(in_dir(bundle, "certificate.json"), 0, NULL);
    const json_t *edges = json_object_get(json, "edges");
    assert_string_equal(json_string_value(json_object_get(edges, "need_is")),
                        "given with the request, not made from this release");
    json_decref(json);
    hrr_graph_free(graph);
}

/* ---- what goes wrong ------------------------------------------------------------------------- */

static void test_maker__is_not_called_in_a_dry_run(void **state)
{
    (void)state;
    spy seen = {0};
    hrr_graph *graph = small_graph(7);
    hrr_protect_options options = spied();
    options.dry_run = true;
    hrr_block_maker maker = maker_of(&seen);
    hrr_protect_summary summary;
    maker.expected_seconds = 1000;
    assert_ok(try_protect_with(&summary, NULL, graph, &options, &maker, NULL));
    assert_int_equal(seen.n_calls, 0);
    assert_true(summary.realised_eps_edges == 20);
    assert_true(summary.expected_seconds > 1000);
    hrr_graph_free(graph);
}

static void test_maker__may_fail_and_leaves_nothing_behind(void **state)
{
    const char *bundle = in_dir(*state, "b");
    spy refuses = {.answer = HRR_EDATA}, errs = {.wrong = 3};
    hrr_graph *graph = small_graph(7);
    hrr_error err = {0};
    const hrr_protect_options options = spied();
    hrr_block_maker maker = maker_of(&refuses);
    hrr_protect_summary summary;
    assert_int_equal(try_protect_with(&summary, bundle, graph, &options, &maker, &err), HRR_EDATA);
    assert_says(err, "not today");
    maker.user = &errs;
    assert_int_equal(try_protect_with(&summary, bundle, graph, &options, &maker, &err), HRR_EINVAL);
    assert_says(err, "node 5 is in block 3");
    assert_int_not_equal(access(bundle, F_OK), 0);
    hrr_graph_free(graph);
}

static void test_blocks__have_one_source(void **state)
{
    static const uint32_t blocks[small_nodes] = {0};
    const char *bundle = in_dir(*state, "b");
    spy seen = {0};
    hrr_graph *graph = small_graph(7);
    hrr_error err = {0};
    const hrr_block_maker maker = maker_of(&seen);
    hrr_protect_summary summary;
    hrr_protect_options options = spied();
    options.edges.mechanism = "edgerr";
    assert_int_equal(try_protect_with(&summary, bundle, graph, &options, &maker, &err), HRR_EINVAL);
    assert_says(err, "does not use blocks;");
    options.blocks_from = HRR_BLOCKS_GIVEN;
    options.declared_public = HRR_PUBLIC_BLOCKS;
    assert_int_equal(try_protect(&err, bundle, graph, &options), HRR_EINVAL);
    assert_says(err, "does not use blocks;");
    options = spied();
    options.declared_public = HRR_PUBLIC_BLOCKS;
    options.blocks_from = HRR_BLOCKS_GIVEN; /* but none are */
    assert_int_equal(try_protect(&err, bundle, graph, &options), HRR_EINVAL);
    assert_says(err, "if and only if");
    options.edges.blocks = blocks;
    options.edges.n_blocks = 3;
    assert_int_equal(try_protect_with(&summary, bundle, graph, &options, &maker, &err), HRR_EINVAL);
    assert_says(err, "if and only if");
    options.blocks_from = HRR_BLOCKS_COMMUNITIES;
    assert_int_equal(try_protect(&err, bundle, graph, &options), HRR_EINVAL);
    assert_says(err, "if and only if");
    options.blocks_from = HRR_BLOCKS_PREDICTED;
    assert_int_equal(try_protect(&err, bundle, graph, &options), HRR_EINVAL);
    assert_says(err, "if and only if");
    assert_int_equal(seen.n_calls, 0);
    hrr_graph_free(graph);
}

/* Whoever asks for the stored release gets one whose blocks the same maker made. */
static void test_again__is_for_the_same_maker(void **state)
{
    char first[256], second[256], ledger[256];
    snprintf(first, sizeof first, "%s", in_dir(*state, "first"));
    snprintf(second, sizeof second, "%s", in_dir(*state, "second"));
    snprintf(ledger, sizeof ledger, "%s", in_dir(*state, "ledger"));
    spy seen = {0};
    hrr_graph *graph = small_graph(7);
    hrr_error err = {0};
    hrr_block_maker maker = maker_of(&seen);
    hrr_protect_options options = spied();
    hrr_protect_summary summary;
    hrr_random *random;
    options.with_ledger = true;
    options.ledger = ledger;
    assert_ok(hrr_random_new(&random, NULL));
    assert_ok(
        hrr_protect_with_maker(NULL, &summary, first, graph, &options, &maker, random, NULL, NULL));
    options.again = true;
    assert_ok(hrr_protect_with_maker(NULL, &summary, second, graph, &options, &maker, random, NULL,
                                     NULL));
    assert_true(summary.stored);
    maker.version++;
    assert_int_equal(
        hrr_protect_with_maker(NULL, &summary, second, graph, &options, &maker, random, NULL, &err),
        HRR_EINVAL);
    assert_says(err, "has no release of");
    maker = maker_of(&seen);
    maker.name = "fours";
    assert_int_equal(
        hrr_protect_with_maker(NULL, &summary, second, graph, &options, &maker, random, NULL, &err),
        HRR_EINVAL);
    assert_int_equal(
        hrr_protect_with_maker(NULL, &summary, second, graph, &options, NULL, random, NULL, &err),
        HRR_EINVAL);
    assert_int_equal(seen.n_calls, 1);
    hrr_random_free(random);
    hrr_graph_free(graph);
}

typedef struct attempt {
    const hrr_graph *graph;
    const char *bundle;
} attempt;

static hrr_status protect_once(void *user)
{
    const attempt *self = user;
    spy seen = {0};
    const hrr_protect_options options = spied();
    const hrr_block_maker maker = maker_of(&seen);
    hrr_protect_summary summary;
    return try_protect_with(&summary, self->bundle, self->graph, &options, &maker, NULL);
}

static void test_memory__may_run_out_anywhere(void **state)
{
    hrr_graph *graph = small_graph(7);
    attempt self = {graph, in_dir(*state, "b")};
    assert_true(brutal(protect_once, &self) > 100);
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_maker__sees_what_the_bundle_shows_and_no_more),
        WITH_SCRATCH(test_maker__sees_the_same_whatever_the_private_edges_are),
        WITH_SCRATCH(test_predicted__blocks_and_need_are_the_same_whatever_the_private_edges_are),
        WITH_SCRATCH(test_release__counts_into_the_blocks_that_were_made),
        WITH_SCRATCH(test_release__counts_at_the_end_that_was_said_to_need_it),
        WITH_SCRATCH(test_release__is_private_without_a_declaration),
        WITH_SCRATCH(test_verify__finds_need_that_is_not_what_is_said),
        WITH_SCRATCH(test_need__is_given_with_blocks),
        WITH_SCRATCH(test_release__certifies_each_graph_of_a_collection),
        WITH_SCRATCH(test_verify__finds_blocks_that_are_not_what_is_said),
        WITH_SCRATCH(test_maker__is_not_called_in_a_dry_run),
        WITH_SCRATCH(test_maker__may_fail_and_leaves_nothing_behind),
        WITH_SCRATCH(test_blocks__have_one_source),
        WITH_SCRATCH(test_again__is_for_the_same_maker),
        WITH_SCRATCH(test_memory__may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
