/* test_kept.c: a release that is kept in memory: what is drawn is what a bundle of the same seed
 * holds, it is charged and can be saved, and nothing in it is the private graph's. */
#include "graph/removed.h"
#include "release/releases.h"
#include "support/brutal.h"

#include <math.h>
#include <unistd.h>

static hrr_random *seed_one(void)
{
    hrr_random *random;
    assert_ok(hrr_random_new_insecure(&random, 1, NULL));
    return random;
}

/* The bundle may be NULL. */
static hrr_release *keep(const char *bundle, const hrr_graph *graph,
                         const hrr_protect_options *options)
{
    hrr_random *random = seed_one();
    hrr_release *release;
    hrr_error err = {0};
    const hrr_status status =
        hrr_protect(&release, NULL, bundle, graph, options, random, NULL, &err);
    if (status) print_error("%s\n", err.message);
    assert_int_equal(status, HRR_OK);
    hrr_random_free(random);
    return release;
}

static hrr_status try_keep(hrr_error *err, const hrr_graph *graph,
                           const hrr_protect_options *options)
{
    hrr_random *random = seed_one();
    hrr_release *release;
    const hrr_status status = hrr_protect(&release, NULL, NULL, graph, options, random, NULL, err);
    if (status) assert_null(release);
    hrr_release_free(release);
    hrr_random_free(random);
    return status;
}

/* ---- part by part ---------------------------------------------------------------------------- */

static void assert_same_matrix(const hrr_dense *a, const hrr_dense *b)
{
    assert_int_equal(a != NULL, b != NULL);
    if (!a) return;
    assert_int_equal(a->dtype, b->dtype);
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->cols, b->cols);
    assert_memory_equal(a->data, b->data, a->rows * a->cols * hrr_dtype_size(a->dtype));
}

static void assert_same_bytes(const void *a, const void *b, size_t size)
{
    assert_int_equal(a != NULL, b != NULL);
    if (a) assert_memory_equal(a, b, size);
}

static void assert_same_text(const char *a, const char *b)
{
    assert_int_equal(a != NULL, b != NULL);
    if (a) assert_string_equal(a, b);
}

static void assert_same_ids(const hrr_node_ids *a, const hrr_node_ids *b, uint64_t n)
{
    assert_int_equal(a != NULL, b != NULL);
    if (!a) return;
    assert_same_bytes(a->integer, b->integer, n * sizeof *a->integer);
    for (uint64_t i = 0; a->text && i < n; i++)
        assert_string_equal(a->text + a->text_start[i], b->text + b->text_start[i]);
}

/* Every getter of a graph. */
static void assert_same_graph(const hrr_graph *a, const hrr_graph *b)
{
    const uint64_t n = hrr_graph_n_nodes(a), m = hrr_graph_n_edges(a);
    assert_string_equal(hrr_graph_name(a), hrr_graph_name(b));
    assert_same_text(hrr_graph_provenance(a), hrr_graph_provenance(b));
    assert_int_equal(n, hrr_graph_n_nodes(b));
    assert_int_equal(m, hrr_graph_n_edges(b));
    assert_memory_equal(hrr_graph_sources(a), hrr_graph_sources(b), m * sizeof(uint32_t));
    assert_memory_equal(hrr_graph_targets(a), hrr_graph_targets(b), m * sizeof(uint32_t));
    assert_int_equal(hrr_graph_n_private_edges(a), hrr_graph_n_private_edges(b));
    assert_same_bytes(hrr_graph_is_private(a), hrr_graph_is_private(b), m);
    assert_int_equal(hrr_graph_marking(a), hrr_graph_marking(b));
    assert_int_equal(hrr_graph_n_marks(a), hrr_graph_n_marks(b));
    assert_same_matrix(hrr_graph_features(a), hrr_graph_features(b));
    assert_same_matrix(hrr_graph_masked_features(a), hrr_graph_masked_features(b));
    assert_int_equal(hrr_graph_feature_lo(a) != NULL, hrr_graph_feature_lo(b) != NULL);
    assert_int_equal(hrr_graph_n_classes(a), hrr_graph_n_classes(b));
    assert_same_bytes(hrr_graph_classes(a), hrr_graph_classes(b), n * sizeof(int32_t));
    assert_same_matrix(hrr_graph_label_matrix(a), hrr_graph_label_matrix(b));
    for (uint32_t i = 0; i < hrr_graph_n_classes(a); i++)
        assert_same_text(hrr_graph_class_name(a, i), hrr_graph_class_name(b, i));
    assert_same_bytes(hrr_graph_split(a), hrr_graph_split(b), n);
    assert_same_bytes(hrr_graph_graph_ids(a), hrr_graph_graph_ids(b), n * sizeof(uint32_t));
    assert_same_bytes(hrr_graph_candidates(a), hrr_graph_candidates(b), n);
    assert_same_ids(hrr_graph_node_ids(a), hrr_graph_node_ids(b), n);
    assert_int_equal(hrr_graph_inferred(a), hrr_graph_inferred(b));
    const hrr_removed removed_a = hrr_graph_removed(a), removed_b = hrr_graph_removed(b);
    assert_memory_equal(&removed_a, &removed_b, sizeof removed_a);
}

static void assert_same_counts(const hrr_block_counts *a, const hrr_block_counts *b)
{
    assert_int_equal(a != NULL, b != NULL);
    if (!a) return;
    assert_int_equal(a->n_nodes, b->n_nodes);
    assert_int_equal(a->n_blocks, b->n_blocks);
    assert_memory_equal(a->count, b->count, a->n_nodes * a->n_blocks * sizeof *a->count);
    assert_same_bytes(a->counted, b->counted, a->n_nodes);
    assert_true(a->eps == b->eps);
}

static void assert_same_release(const hrr_release *a, const hrr_release *b)
{
    const hrr_terms *terms_a = hrr_release_terms(a), *terms_b = hrr_release_terms(b);
    assert_same_graph(hrr_release_graph(a), hrr_release_graph(b));
    assert_same_counts(hrr_release_counts(a), hrr_release_counts(b));
    assert_int_equal(hrr_release_is_private(a), hrr_release_is_private(b));
    assert_false(hrr_release_is_reference(a));
    assert_string_equal(hrr_release_statement(a), hrr_release_statement(b));
    assert_true(hrr_release_label_eps(a) == hrr_release_label_eps(b));
    assert_string_equal(hrr_terms_badge(terms_a), hrr_terms_badge(terms_b));
    for (int part = 0; part < HRR_N_PARTS; part++) {
        const hrr_term one = hrr_terms_of(terms_a, (hrr_part)part);
        const hrr_term other = hrr_terms_of(terms_b, (hrr_part)part);
        assert_int_equal(one.treatment, other.treatment);
        assert_int_equal(one.eps_nano, other.eps_nano);
        assert_true(one.delta == other.delta);
    }
}

/* ---- requests -------------------------------------------------------------------------------- */

static const struct {
    const char *features, *edges, *tree;
    uint64_t eps_labels_nano;
    uint32_t n_propagate;
    hrr_blocks_from blocks_from;
    bool multilabel, sample_edges;
} requests[] = {
    {.features = "featurerr", .edges = "public-only"},
    {.features = "featurerr", .edges = "edgerr", .eps_labels_nano = HRR_EPS_UNIT},
    {.features = "multibit", .edges = "edgerr", .tree = "select", .n_propagate = 2},
    {.features = "laplace", .edges = "lapgraph", .multilabel = true},
    {.features = "piecewise", .edges = "edgerand", .eps_labels_nano = 2, .multilabel = true},
    {.features = "featurerr", .edges = "edgerr-node"},
    {.features = "featurerr",
     .edges = "edgerr-node",
     .blocks_from = HRR_BLOCKS_PREDICTED,
     .n_propagate = 1},
    {.features = "featurerr-sampled",
     .edges = "edgerr-node",
     .blocks_from = HRR_BLOCKS_PREDICTED,
     .eps_labels_nano = HRR_EPS_UNIT,
     .sample_edges = true},
    {.features = "none", .edges = "none"},
    {.features = NULL, .edges = "privhrg-private"},
};
enum { n_requests = sizeof requests / sizeof *requests };

static hrr_protect_options options_of(int i)
{
    hrr_protect_options options;
    hrr_protect_options_init(&options);
    options.paper_mode = true;
    options.replace = true;
    options.threads = 1;
    options.declared_public = HRR_PUBLIC_CANDIDATES;
    if (requests[i].features) options.features.mechanism = requests[i].features;
    if (requests[i].features) options.features.eps_nano = 2 * HRR_EPS_UNIT;
    options.edges.mechanism = requests[i].edges;
    options.edges.tree = requests[i].tree;
    options.edges.eps_nano = HRR_EPS_UNIT;
    options.edges.most_edges_out = 1000;
    options.edges.sample_edges = requests[i].sample_edges;
    options.eps_labels_nano = requests[i].eps_labels_nano;
    options.n_propagate = requests[i].n_propagate;
    options.blocks_from = requests[i].blocks_from;
    return options;
}

/* Everything that a graph may have, most of which no release shows. */
static hrr_graph *graph_for(int i)
{
    static const char *const names[] = {"red", "green", "blue"};
    hrr_graph *graph = graph_of(small_nodes, 7, small_pairs, small_marks);
    static const float value[] = {0,    1,   .5f, .25f, .75f, 0,   1,   1, 1,
                                  .125, .5f, .9f, .1f,  .2f,  .3f, .6f, 0, .4f};
    static const int32_t classes[] = {0, 1, 2, 0, -1, 1};
    if (requests[i].features) {
        hrr_dense masked;
        give_features(graph, value, small_nodes, small_features);
        assert_ok(hrr_dense_init(&masked, HRR_F32, small_nodes, small_features, NULL));
        memset(masked.data, 0, sizeof value);
        assert_ok(hrr_graph_take_masked_features(graph, &masked, NULL));
    }
    if (requests[i].multilabel) {
        hrr_dense bits;
        assert_ok(hrr_dense_init(&bits, HRR_U8, small_nodes, 2, NULL));
        memcpy(bits.data, "\0\1\1\1\0\0\1\0\1\1\0\1", 12);
        assert_ok(hrr_graph_take_label_matrix(graph, &bits, NULL));
    } else {
        give_classes(graph, classes);
        assert_ok(hrr_graph_set_class_names(graph, names, NULL));
    }
    uint8_t *split = hrr_alloc_zero(small_nodes, 1), *candidates = hrr_alloc(small_nodes, 1);
    int64_t *id = hrr_alloc(small_nodes, sizeof *id);
    hrr_node_ids ids = {.integer = id};
    for (int node = 0; node < small_nodes; node++) {
        candidates[node] = 1;
        id[node] = 100 + node;
    }
    split[5] = HRR_TEST;
    split[2] = HRR_VALID;
    assert_ok(hrr_graph_take_split(graph, &split, NULL));
    assert_ok(hrr_graph_take_candidates(graph, &candidates, NULL));
    assert_ok(hrr_graph_take_node_ids(graph, &ids, NULL));
    assert_ok(hrr_graph_set_provenance(graph, "the owner's own words", NULL));
    hrr_graph_add_removed(graph, &(hrr_removed){.duplicates = 3});
    return graph;
}

/* Request i in memory, with a bundle beside it or not (NULL), and once more as a bundle of its own.
 */
static hrr_release *keep_and_write(int i, const char *beside, const char *bundle)
{
    hrr_graph *graph = graph_for(i);
    const hrr_protect_options options = options_of(i);
    hrr_release *kept = keep(beside, graph, &options);
    protect(bundle, graph, &options);
    hrr_graph_free(graph); /* nothing in the release is the private graph's */
    return kept;
}

static void assert_holds(const char *bundle, const hrr_release *kept)
{
    hrr_release *opened;
    assert_ok(hrr_release_open(&opened, bundle, NULL, NULL, NULL));
    assert_same_release(kept, opened);
    hrr_release_free(opened);
}

static void test_kept__is_what_a_bundle_holds(void **state)
{
    const char *bundle = in_dir(*state, "bundle");
    for (int i = 0; i < n_requests; i++) {
        hrr_release *kept = keep_and_write(i, NULL, bundle);
        assert_holds(bundle, kept);
        hrr_release_free(kept);
    }
}

static void test_kept__is_what_the_bundle_beside_it_holds(void **state)
{
    char alone[256], beside[256];
    snprintf(alone, sizeof alone, "%s", in_dir(*state, "alone"));
    snprintf(beside, sizeof beside, "%s", in_dir(*state, "beside"));
    for (int i = 0; i < n_requests; i++) {
        hrr_release *kept = keep_and_write(i, beside, alone);
        assert_holds(beside, kept);
        assert_same_bundle(alone, beside);
        hrr_release_free(kept);
    }
}

static void test_kept__is_saved_as_protect_would_have_written_it(void **state)
{
    char written[256], saved[256];
    snprintf(written, sizeof written, "%s", in_dir(*state, "written"));
    snprintf(saved, sizeof saved, "%s", in_dir(*state, "saved"));
    for (int i = 0; i < n_requests; i++) {
        hrr_release *kept = keep_and_write(i, NULL, written);
        assert_ok(hrr_release_save(kept, saved, true, NULL, NULL, NULL));
        assert_same_bundle(written, saved);
        hrr_release_free(kept);
    }
}

/* ---- what is not in it ----------------------------------------------------------------------- */

static void test_kept__holds_nothing_that_no_bundle_shows(void **state)
{
    (void)state;
    hrr_graph *graph = graph_for(0);
    const hrr_protect_options options = options_of(0);
    hrr_release *kept = keep(NULL, graph, &options);
    const hrr_graph *released = hrr_release_graph(kept);
    const hrr_dense *features = hrr_graph_features(released);
    assert_int_equal(hrr_graph_n_edges(released), 4); /* the public ones */
    assert_null(hrr_graph_is_private(released));
    assert_int_equal(hrr_graph_n_marks(released), 0);
    assert_null(hrr_graph_masked_features(released));
    assert_null(hrr_graph_candidates(released));
    assert_null(hrr_graph_feature_lo(released));
    assert_int_equal(hrr_graph_removed(released).duplicates, 0);
    assert_null(strstr(hrr_graph_provenance(released), "own words"));
    assert_memory_not_equal(features->data, hrr_graph_features(graph)->data,
                            small_nodes * small_features * sizeof(float));
    hrr_release_free(kept);
    hrr_graph_free(graph);
}

/* ---- the ledger ------------------------------------------------------------------------------ */

static hrr_protect_options charged_options(const char *ledger)
{
    hrr_protect_options options = usual_options();
    options.with_ledger = true;
    options.ledger = ledger;
    return options;
}

static hrr_ledger_list read_ledger(const char *path)
{
    hrr_ledger *ledger;
    hrr_ledger_list list;
    assert_ok(hrr_ledger_open_existing(&ledger, path, NULL, NULL));
    assert_ok(hrr_ledger_read(&list, ledger, NULL));
    hrr_ledger_free(ledger);
    return list;
}

/* With the system's generator: only such a release passes a limit or is asked for again. */
static hrr_status keep_privately(hrr_release **out, hrr_protect_summary *summary,
                                 const char *bundle, const hrr_graph *graph,
                                 const hrr_protect_options *options, hrr_error *err)
{
    hrr_random *random;
    assert_ok(hrr_random_new(&random, NULL));
    const hrr_status status = hrr_protect(out, summary, bundle, graph, options, random, NULL, err);
    hrr_random_free(random);
    return status;
}

static void test_ledger__knows_that_it_was_kept_in_memory(void **state)
{
    char ledger[256];
    snprintf(ledger, sizeof ledger, "%s", in_dir(*state, "ledger"));
    hrr_graph *graph = small_graph(7);
    hrr_protect_options options = charged_options(ledger);
    hrr_release *kept;
    hrr_protect_summary summary;
    hrr_error err = {0};
    options.limit_nano = HRR_EPS_UNIT;
    assert_ok(keep_privately(&kept, &summary, NULL, graph, &options, NULL));
    assert_true(hrr_release_is_private(kept));
    assert_int_equal(summary.ledger_charge, 1);
    assert_int_equal(summary.spent_in_all.features_nano, HRR_EPS_UNIT);
    assert_false(summary.not_recorded);
    hrr_ledger_list list = read_ledger(ledger);
    assert_int_equal(list.n_rows, 1);
    assert_true(list.rows[0].in_memory);
    assert_null(list.rows[0].bundle);
    assert_int_equal(list.rows[0].spend.features_nano, HRR_EPS_UNIT);
    hrr_ledger_list_clear(&list);
    size_t n_charges;
    bool with_key;
    assert_ok(hrr_ledger_check(&n_charges, &with_key, ledger, NULL, NULL));
    assert_int_equal(n_charges, 1);

    /* It counts, and nobody can ask for it: not even once it is saved. */
    hrr_release *second;
    assert_int_equal(keep_privately(&second, NULL, NULL, graph, &options, &err), HRR_EBUDGET);
    assert_null(second);
    assert_ok(hrr_release_save(kept, in_dir(*state, "saved"), false, NULL, NULL, NULL));
    options.again = true;
    assert_int_equal(keep_privately(&second, NULL, NULL, graph, &options, &err), HRR_EINVAL);
    assert_says(err, "has no release of");
    assert_null(second);
    hrr_release_free(kept);
    hrr_graph_free(graph);
}

static void test_ledger__gives_a_stored_bundle_out_as_a_release(void **state)
{
    char ledger[256], bundle[256];
    snprintf(ledger, sizeof ledger, "%s", in_dir(*state, "ledger"));
    snprintf(bundle, sizeof bundle, "%s", in_dir(*state, "bundle"));
    hrr_graph *graph = small_graph(7);
    hrr_protect_options options = charged_options(ledger);
    hrr_protect_summary summary;
    hrr_release *kept, *again;
    assert_ok(keep_privately(&kept, NULL, bundle, graph, &options, NULL));
    options.again = true;
    assert_ok(keep_privately(&again, &summary, NULL, graph, &options, NULL));
    assert_true(summary.stored);
    assert_int_equal(summary.ledger_charge, 0);
    assert_int_equal(summary.edges_out, 4);
    assert_same_release(kept, again);
    hrr_release_free(again);
    assert_ok(keep_privately(&again, NULL, in_dir(*state, "copy"), graph, &options, NULL));
    assert_same_release(kept, again);
    assert_same_bundle(bundle, in_dir(*state, "copy"));
    hrr_ledger_list list = read_ledger(ledger);
    assert_int_equal(list.n_rows, 1);
    assert_false(list.rows[0].in_memory);
    hrr_ledger_list_clear(&list);
    hrr_release_free(kept);
    hrr_release_free(again);
    hrr_graph_free(graph);
}

/* Asked when features and labels are drawn. */
typedef struct witness {
    const char *ledger;
    hrr_graph *to_change; /* the private graph, for a file that changes under the run; or NULL */
    int n_calls;
} witness;

static hrr_status look(uint32_t *blocks, uint32_t *need, uint32_t *rivals, const hrr_shown *shown,
                       void *user, int threads, hrr_progress *progress, hrr_error *err)
{
    (void)rivals;
    witness *self = user;
    size_t n_charges = 0;
    bool with_key;
    (void)threads;
    assert_ok(hrr_ledger_check(&n_charges, &with_key, self->ledger, progress, err));
    assert_int_equal(n_charges, 1);
    self->n_calls++;
    if (self->to_change) ((float *)hrr_graph_features(self->to_change)->data)[4] += .25f;
    memset(blocks, 0, hrr_graph_n_nodes(shown->graph) * sizeof *blocks);
    memset(need, 0, hrr_graph_n_nodes(shown->graph) * sizeof *need);
    return HRR_OK;
}

static hrr_status keep_before(hrr_release **out, const hrr_graph *graph, witness *by,
                              hrr_error *err)
{
    hrr_protect_options options = charged_options(by->ledger);
    const hrr_block_maker maker = {
        .name = "test", .what = "made for a test", .n_blocks = 1, .make = look, .user = by};
    hrr_random *random = seed_one();
    options.edges.mechanism = "edgerr-node";
    options.edges.eps_nano = HRR_EPS_UNIT;
    const hrr_status status =
        hrr_protect_with_maker(out, NULL, NULL, graph, &options, &maker, random, NULL, err);
    hrr_random_free(random);
    return status;
}

static void test_ledger__is_charged_before_anything_is_drawn(void **state)
{
    char ledger[256];
    snprintf(ledger, sizeof ledger, "%s", in_dir(*state, "ledger"));
    witness by = {.ledger = ledger};
    hrr_graph *graph = small_graph(7);
    hrr_release *kept;
    assert_ok(keep_before(&kept, graph, &by, NULL));
    assert_int_equal(by.n_calls, 1);
    hrr_release_free(kept);
    hrr_graph_free(graph);
}

static void test_ledger__keeps_the_charge_of_an_input_that_changed(void **state)
{
    char ledger[256];
    snprintf(ledger, sizeof ledger, "%s", in_dir(*state, "ledger"));
    hrr_graph *graph = small_graph(7);
    witness by = {.ledger = ledger, .to_change = graph};
    hrr_release *kept;
    hrr_error err = {0};
    assert_int_equal(keep_before(&kept, graph, &by, &err), HRR_EDATA);
    assert_says(err, "the input changed while it was being protected,");
    assert_says(err, "remains spent");
    assert_null(kept);
    hrr_ledger_list list = read_ledger(ledger);
    assert_int_equal(list.n_rows, 1);
    assert_false(list.rows[0].in_memory);
    hrr_ledger_list_clear(&list);
    hrr_graph_free(graph);
}

/* ---- what goes wrong ------------------------------------------------------------------------- */

static void test_protect__wants_to_know_where_to(void **state)
{
    (void)state;
    hrr_graph *graph = small_graph(7);
    hrr_protect_options options = usual_options();
    hrr_error err = {0};
    assert_int_equal(try_protect(&err, NULL, graph, &options), HRR_EINVAL);
    assert_says(err, "neither a bundle");
    options.sign_with = (const hrr_signing_key *)&err; /* is not looked at */
    assert_int_equal(try_keep(&err, graph, &options), HRR_EINVAL);
    assert_says(err, "`sign_with`");
    options.sign_with = NULL;
    options.dry_run = true;
    hrr_release *kept = keep(NULL, graph, &options);
    assert_null(kept);
    hrr_graph_free(graph);
}

static void test_save__is_for_what_was_made_in_memory(void **state)
{
    char bundle[256], other[256];
    snprintf(bundle, sizeof bundle, "%s", in_dir(*state, "bundle"));
    snprintf(other, sizeof other, "%s", in_dir(*state, "other"));
    hrr_graph *graph = small_graph(7);
    const hrr_protect_options options = usual_options();
    hrr_release *kept = keep(bundle, graph, &options), *opened, *reference;
    hrr_error err = {0};
    assert_int_equal(hrr_release_save(kept, bundle, false, NULL, NULL, &err), HRR_EINVAL);
    assert_ok(hrr_release_save(kept, bundle, true, NULL, NULL, NULL));
    assert_ok(hrr_release_open(&opened, bundle, NULL, NULL, NULL));
    assert_int_equal(hrr_release_save(opened, other, false, NULL, NULL, &err), HRR_EINVAL);
    assert_says(err, "an opened release already has files,");
    assert_ok(hrr_release_non_private(&reference, graph, NULL));
    assert_int_equal(hrr_release_save(reference, other, false, NULL, NULL, &err), HRR_EINVAL);
    uint8_t *split = hrr_alloc_zero(small_nodes, 1);
    assert_ok(hrr_release_take_split(kept, &split, NULL));
    assert_int_equal(hrr_release_save(kept, other, false, NULL, NULL, &err), HRR_EINVAL);
    assert_says(err, "another split");
    assert_int_not_equal(access(other, F_OK), 0);
    hrr_release_free(kept);
    hrr_release_free(opened);
    hrr_release_free(reference);
    hrr_graph_free(graph);
}

static void test_save__signs_what_it_writes(void **state)
{
    char bundle[256], private_key[256], public_key[256], fingerprint[HRR_KEY_TEXT_SIZE];
    snprintf(bundle, sizeof bundle, "%s", in_dir(*state, "bundle"));
    snprintf(private_key, sizeof private_key, "%s", in_dir(*state, "key"));
    snprintf(public_key, sizeof public_key, "%s", in_dir(*state, "key.pub"));
    hrr_graph *graph = small_graph(7);
    const hrr_protect_options options = usual_options();
    hrr_release *kept = keep(NULL, graph, &options);
    hrr_signing_key *key;
    hrr_signer *signer;
    hrr_findings *findings = calloc(1, sizeof *findings);
    bool is_signed = false;
    assert_ok(hrr_signing_key_make(fingerprint, private_key, public_key, NULL));
    assert_ok(hrr_signing_key_read(&key, private_key, NULL));
    assert_ok(hrr_signer_read(&signer, public_key, NULL));
    assert_ok(hrr_release_save(kept, bundle, false, key, NULL, NULL));
    assert_ok(hrr_verify_bundle(findings, bundle, NULL, NULL));
    assert_ok(hrr_verify_signature(findings, &is_signed, bundle, signer, NULL));
    assert_true(is_signed);
    assert_int_equal(findings->count, 0);
    free(findings);
    hrr_signer_free(signer);
    hrr_signing_key_free(key);
    hrr_release_free(kept);
    hrr_graph_free(graph);
}

typedef struct attempt {
    const hrr_graph *graph;
    const char *bundle;
    int request;
} attempt;

static hrr_status keep_and_save(void *user)
{
    const attempt *self = user;
    const hrr_protect_options options = options_of(self->request);
    hrr_random *random = NULL;
    hrr_release *kept = NULL;
    hrr_status status = hrr_random_new_insecure(&random, 1, NULL);
    if (!status) status = hrr_protect(&kept, NULL, NULL, self->graph, &options, random, NULL, NULL);
    if (!status) status = hrr_release_save(kept, self->bundle, true, NULL, NULL, NULL);
    hrr_release_free(kept);
    hrr_random_free(random);
    return status;
}

static void test_memory__may_run_out_anywhere(void **state)
{
    static const int tried[] = {1, 4, 5};
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
        hrr_graph *graph = graph_for(tried[i]);
        attempt self = {graph, in_dir(*state, "b"), tried[i]};
        assert_true(brutal(keep_and_save, &self) > 100);
        hrr_graph_free(graph);
    }
}

int main(void)
{
    /* Hundreds of bundles, each synced to its disk: in memory where that is possible. */
    if (access("/dev/shm", W_OK | X_OK) == 0) setenv("TMPDIR", "/dev/shm", 1);
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_kept__is_what_a_bundle_holds),
        WITH_SCRATCH(test_kept__is_what_the_bundle_beside_it_holds),
        WITH_SCRATCH(test_kept__is_saved_as_protect_would_have_written_it),
        WITH_SCRATCH(test_kept__holds_nothing_that_no_bundle_shows),
        WITH_SCRATCH(test_ledger__knows_that_it_was_kept_in_memory),
        WITH_SCRATCH(test_ledger__gives_a_stored_bundle_out_as_a_release),
        WITH_SCRATCH(test_ledger__is_charged_before_anything_is_drawn),
        WITH_SCRATCH(test_ledger__keeps_the_charge_of_an_input_that_changed),
        WITH_SCRATCH(test_protect__wants_to_know_where_to),
        WITH_SCRATCH(test_save__is_for_what_was_made_in_memory),
        WITH_SCRATCH(test_save__signs_what_it_writes),
        WITH_SCRATCH(test_memory__may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
