/* EdgeRR as a whole, for every tree: claims, what is released, odd graphs and bad options. */
#include "support/brutal.h"
#include "support/dendrograms.h"
#include "edge/advice.h"
#include "base/memory.h"

#include <heterorr/edge.h>

#include <math.h>

/* ---- graphs --------------------------------------------------------------------------------- */

enum { room = 8192 };

typedef struct instance {
    uint32_t pub[2][room], pri[2][room];
    uint8_t candidates[1024];
    hrr_edge_public known;
    hrr_edge_secret secret;
} instance;

/* Blocks of 25 nodes; public and private edges lie in the same places if `alike`. */
static instance *blocks(uint32_t n, double p_public, double p_private, bool alike)
{
    instance *made = hrr_alloc_zero(1, sizeof *made);
    hrr_fast_random random;
    hrr_fast_init(&random, 1, n);
    made->known = (hrr_edge_public){.n_nodes = n, .source = made->pub[0], .target = made->pub[1]};
    made->secret = (hrr_edge_secret){.source = made->pri[0], .target = made->pri[1]};
    for (uint32_t u = 0; u < n; u++)
        for (uint32_t v = u + 1; v < n; v++) {
            const double near = u / 25 == v / 25 ? 1 : .03, even = .1;
            uint64_t *m = NULL;
            if (hrr_fast_uniform(&random) < p_public * (alike ? near : even))
                m = &made->known.n_edges;
            else if (hrr_fast_uniform(&random) < p_private * near)
                m = &made->secret.n_edges;
            if (!m) continue;
            uint32_t(*to)[room] = m == &made->known.n_edges ? made->pub : made->pri;
            to[0][*m] = u;
            to[1][(*m)++] = v;
            assert_true(*m < room);
        }
    return made;
}

static hrr_edge_options options_for(const char *tree, double eps)
{
    hrr_edge_options options;
    hrr_edge_options_init(&options);
    options.mechanism = "edgerr";
    options.tree = tree;
    options.eps_nano = (uint64_t)(eps * HRR_EPS_UNIT + .5);
    options.steps_per_node = 10;
    options.threads = 1;
    return options;
}

static hrr_edge_plan *plan_for(const instance *made, const hrr_edge_options *options)
{
    hrr_edge_plan *plan;
    hrr_error err = {0};
    if (hrr_edge_plan_new(&plan, &made->known, options, NULL, &err))
        fail_msg("%s: %s", options->tree, err.message);
    return plan;
}

static hrr_edge_release draw(const hrr_edge_plan *plan, const hrr_edge_secret *secret,
                             uint64_t seed)
{
    hrr_random *random;
    hrr_edge_release release;
    assert_ok(hrr_random_new_insecure(&random, seed, NULL));
    assert_ok(hrr_edge_plan_draw(&release, plan, secret, random, NULL, NULL));
    hrr_random_free(random);
    return release;
}

/* Canonical, no public edge, candidates only. */
static void check_edges(const hrr_edge_list *edges, const hrr_edge_public *known)
{
    uint64_t before = 0;
    for (uint64_t e = 0; e < edges->n_edges; e++) {
        const uint32_t u = edges->source[e], v = edges->target[e];
        const uint64_t key = (uint64_t)u << 32 | v;
        assert_true(u < v && v < known->n_nodes && key > before);
        before = key;
        if (known->candidates) assert_true(known->candidates[u] && known->candidates[v]);
        for (uint64_t i = 0; i < known->n_edges; i++)
            assert_false(known->source[i] == u && known->target[i] == v);
    }
}

/* ---- claims --------------------------------------------------------------------------------- */

static void test_edgerr__claims_what_was_asked_for(void **state)
{
    (void)state;
    instance *made = blocks(100, .4, .1, true);
    for (const hrr_edge_tree *const *tree = hrr_edge_trees(); *tree; tree++) {
        const double budgets[] = {.1, 1, 4.3, 20};
        for (int i = 0; i < 4; i++) {
            const hrr_edge_options options = options_for((*tree)->name, budgets[i]);
            hrr_edge_plan *plan = plan_for(made, &options);
            const hrr_edge_claim claim = hrr_edge_plan_claim(plan);
            assert_int_equal(claim.eps_nano, options.eps_nano);
            assert_true(claim.eps_tree_nano < claim.eps_nano);
            assert_non_null(strstr(claim.statement, (*tree)->name));
            assert_non_null(claim.evidence);
            assert_int_equal(isinf(claim.realised_eps), claim.not_certified != NULL);
            if (!claim.not_certified) {
                assert_true(claim.realised_eps <= budgets[i] + 1e-15);
                assert_true(claim.realised_eps > .99 * budgets[i] - 1e-6);
            }
            assert_true(claim.expected_false_edges >= 0);
            hrr_edge_plan_free(plan);
        }
    }
    hrr_free(made);
}

static void test_edgerr__paper_and_privhrg_are_not_certified(void **state)
{
    (void)state;
    instance *made = blocks(60, .4, .1, true);
    for (int i = 0; i < 2; i++) {
        hrr_edge_options options = options_for(i ? NULL : "paper", 1);
        if (i) options.mechanism = "privhrg";
        hrr_edge_plan *plan = plan_for(made, &options);
        const hrr_edge_claim claim = hrr_edge_plan_claim(plan);
        assert_true(isinf(claim.realised_eps));
        assert_non_null(claim.not_certified);
        assert_non_null(claim.not_certified[0]);
        assert_non_null(strstr(claim.statement, "NOT CERTIFIED"));
        if (i) assert_int_equal(claim.eps_tree_nano, HRR_EPS_UNIT / 2);
        hrr_edge_release release = draw(plan, &made->secret, 1);
        check_edges(&release.edges, &made->known);
        hrr_edge_release_clear(&release);
        hrr_edge_plan_free(plan);
    }
    hrr_free(made);
}

/* ---- release -------------------------------------------------------------------------------- */

static void test_edgerr__releases_edges_tree_and_counts(void **state)
{
    (void)state;
    instance *made = blocks(100, .4, .1, true);
    for (const hrr_edge_tree *const *tree = hrr_edge_trees(); *tree; tree++)
        for (int some = 0; some < 2; some++) {
            if (some) {
                made->known.candidates = made->candidates;
                memset(made->candidates, 1, 100);
                for (uint32_t i = 90; i < 100; i++)
                    made->candidates[i] = 0;
                uint64_t kept = 0;
                for (uint64_t e = 0; e < made->secret.n_edges; e++)
                    if (made->pri[1][e] < 90) {
                        made->pri[0][kept] = made->pri[0][e];
                        made->pri[1][kept++] = made->pri[1][e];
                    }
                made->secret.n_edges = kept;
            }
            const hrr_edge_options options = options_for((*tree)->name, 1);
            hrr_edge_plan *plan = plan_for(made, &options);
            hrr_edge_release release = draw(plan, &made->secret, 1);
            check_edges(&release.edges, &made->known);
            assert_int_equal(release.n_parts, 2);
            assert_string_equal(release.parts[0].name, "tree.npy");
            assert_string_equal(release.parts[1].name, "tree_counts.npy");
            const hrr_array *shape = &release.parts[0].array, *counts = &release.parts[1].array;
            assert_int_equal(shape->shape[0], 100);
            assert_int_equal(shape->shape[1], 3);
            hrr_dendrogram read;
            assert_ok(hrr_dendrogram_init(&read, 100, NULL));
            const uint32_t *row = shape->data;
            for (uint32_t r = 0; r < 100; r++) {
                read.leaf[r] = row[3 * r];
                if (r < 99) read.middle[r] = row[3 * r + 1];
                if (r < 99) assert_true(row[3 * r + 2] < counts->n_items);
            }
            assert_true(hrr_dendrogram_complete(&read));
            hrr_dendrogram_clear(&read);
            hrr_edge_release_clear(&release);
            hrr_edge_plan_free(plan);
            if (some) made->known.candidates = NULL;
        }
    hrr_free(made);
}

/* The synthetic edges are as many as the noisy counts say, and at eps = 20 as many as there are. */
static void test_edgerr__keeps_the_total(void **state)
{
    (void)state;
    instance *made = blocks(100, .4, .1, true);
    for (const hrr_edge_tree *const *tree = hrr_edge_trees(); *tree; tree++) {
        const hrr_edge_options options = options_for((*tree)->name, 20);
        hrr_edge_plan *plan = plan_for(made, &options);
        hrr_edge_release release = draw(plan, &made->secret, 1);
        const double off = (double)release.edges.n_edges - (double)made->secret.n_edges;
        assert_true(fabs(off) <= (strcmp((*tree)->name, "paper") == 0 ? 60 : 1));
        hrr_edge_release_clear(&release);
        hrr_edge_plan_free(plan);
    }
    hrr_free(made);
}

static void test_edgerr__does_not_depend_on_threads(void **state)
{
    (void)state;
    instance *made = blocks(300, .3, .1, true);
    for (const hrr_edge_tree *const *tree = hrr_edge_trees(); *tree; tree++) {
        hrr_edge_release first = {0};
        for (int threads = 1; threads <= 3; threads++) {
            hrr_edge_options options = options_for((*tree)->name, 1);
            options.threads = threads;
            hrr_edge_plan *plan = plan_for(made, &options);
            hrr_edge_release release = draw(plan, &made->secret, 3);
            hrr_edge_plan_free(plan);
            if (threads == 1) {
                first = release;
                continue;
            }
            assert_int_equal(release.edges.n_edges, first.edges.n_edges);
            assert_memory_equal(release.edges.source, first.edges.source,
                                first.edges.n_edges * sizeof(uint32_t));
            assert_memory_equal(release.edges.target, first.edges.target,
                                first.edges.n_edges * sizeof(uint32_t));
            for (int i = 0; i < 2; i++)
                assert_memory_equal(release.parts[i].array.data, first.parts[i].array.data,
                                    first.parts[i].array.n_items * first.parts[i].array.item_size);
            hrr_edge_release_clear(&release);
        }
        hrr_edge_release_clear(&first);
    }
    hrr_free(made);
}

/* One private edge less, the same draws: a tree that reads no private edge is the same, and one
 * noisy count is one less. So the noise does not depend on the secret. */
static void test_edgerr__one_edge_changes_one_count_by_one(void **state)
{
    (void)state;
    instance *made = blocks(100, .4, .1, true);
    for (const hrr_edge_tree *const *tree = hrr_edge_trees(); *tree; tree++) {
        const hrr_edge_options options = options_for((*tree)->name, 1);
        hrr_edge_plan *plan = plan_for(made, &options);
        if (hrr_edge_plan_claim(plan).eps_tree_nano == 0) {
            hrr_edge_secret less = made->secret;
            less.n_edges--;
            hrr_edge_release one = draw(plan, &made->secret, 1), other = draw(plan, &less, 1);
            assert_memory_equal(one.parts[0].array.data, other.parts[0].array.data, 1200);
            const int64_t *y = one.parts[1].array.data, *z = other.parts[1].array.data;
            int64_t changed = 0;
            for (uint64_t q = 0; q < one.parts[1].array.n_items; q++) {
                assert_in_range(y[q] - z[q], 0, 1);
                changed += y[q] - z[q];
            }
            assert_int_equal(changed, 1);
            hrr_edge_release_clear(&one);
            hrr_edge_release_clear(&other);
        }
        hrr_edge_plan_free(plan);
    }
    hrr_free(made);
}

/* ---- odd graphs ----------------------------------------------------------------------------- */

static void try_all(const instance *made)
{
    for (const hrr_edge_tree *const *tree = hrr_edge_trees(); *tree; tree++) {
        const double budgets[] = {1e-9, 1, 20};
        for (int i = 0; i < 3; i++) {
            hrr_edge_options options = options_for((*tree)->name, budgets[i]);
            hrr_edge_plan *plan;
            hrr_error err = {0};
            const hrr_status status = hrr_edge_plan_new(&plan, &made->known, &options, NULL, &err);
            if (i == 0 && status == HRR_EINVAL) { /* 1e-9 cannot be split between two */
                assert_says(err, "budget");
                continue;
            }
            if (status) fail_msg("%s: %s", (*tree)->name, err.message);
            hrr_edge_release release = draw(plan, &made->secret, 1);
            check_edges(&release.edges, &made->known);
            assert_true(release.edges.n_edges <= hrr_edge_plan_claim(plan).n_candidate_pairs);
            hrr_edge_release_clear(&release);
            hrr_edge_plan_free(plan);
        }
    }
}

static void test_edgerr__takes_odd_graphs(void **state)
{
    (void)state;
    instance *made = hrr_alloc_zero(1, sizeof *made);
    made->known = (hrr_edge_public){.source = made->pub[0], .target = made->pub[1]};
    made->secret = (hrr_edge_secret){.source = made->pri[0], .target = made->pri[1]};
    for (uint32_t n = 1; n <= 4; n++) { /* no edges at all */
        made->known.n_nodes = n;
        try_all(made);
    }
    made->known.n_nodes = 2; /* one edge, private or public */
    made->pri[1][0] = made->pub[1][0] = 1;
    made->secret.n_edges = 1;
    try_all(made);
    made->secret.n_edges = 0, made->known.n_edges = 1;
    try_all(made);
    made->known.n_nodes = 30; /* stars, private and public */
    for (uint32_t i = 0; i < 29; i++)
        made->pri[1][i] = made->pub[1][i] = i + 1;
    made->secret.n_edges = 29, made->known.n_edges = 0;
    try_all(made);
    made->secret.n_edges = 0, made->known.n_edges = 29;
    try_all(made);
    made->known.candidates = made->candidates; /* 0, 1, 2 candidates */
    for (uint32_t i = 0; i < 3; i++) {
        try_all(made);
        made->candidates[10 + i] = 1;
    }
    made->known.candidates = NULL; /* every pair public, then every pair private */
    made->known.n_nodes = 12;
    uint64_t m = 0;
    for (uint32_t u = 0; u < 12; u++)
        for (uint32_t v = u + 1; v < 12; v++, m++) {
            made->pub[0][m] = made->pri[0][m] = u;
            made->pub[1][m] = made->pri[1][m] = v;
        }
    made->known.n_edges = m;
    try_all(made);
    made->known.n_edges = 0, made->secret.n_edges = m;
    try_all(made);
    hrr_free(made);
}

/* ---- bad options ---------------------------------------------------------------------------- */

static void refuse(const instance *made, const hrr_edge_options *options, const char *says)
{
    hrr_edge_plan *plan = NULL;
    hrr_error err = {0};
    assert_int_equal(hrr_edge_plan_new(&plan, &made->known, options, NULL, &err), HRR_EINVAL);
    assert_says(err, says);
}

static void test_edgerr__refuses_bad_options(void **state)
{
    (void)state;
    instance *made = blocks(50, .4, .1, true);
    hrr_edge_options options = options_for("tall", 1);
    refuse(made, &options, "there is no tree \"tall\"");
    refuse(made, &options, "uniform");
    options = options_for("uniform", 1);
    options.tree_share = .5;
    refuse(made, &options, "reads no private edge");
    options.tree_share = 1.5;
    refuse(made, &options, "between 0 and 1");
    options.tree_share = NAN;
    refuse(made, &options, "between 0 and 1");
    for (const hrr_edge_tree *const *tree = hrr_edge_trees(); *tree; tree++) {
        options = options_for((*tree)->name, 1);
        options.tree_share = 1;
        refuse(made, &options, "budget");
        options.tree_share = 0;
        hrr_edge_plan *plan = NULL;
        hrr_error err = {0};
        if (hrr_edge_plan_new(&plan, &made->known, &options, NULL, &err))
            assert_says(err, "needs a share");
        hrr_edge_plan_free(plan);
    }
    options = options_for("uniform", 0);
    refuse(made, &options, "must lie in (0, 20]");
    options.mechanism = "privhrg";
    options.eps_nano = HRR_EPS_UNIT;
    refuse(made, &options, "privhrg supports only the tree single");
    options = options_for("uniform", 1e-9);
    options.most_edges_out = 10;
    refuse(made, &options, "noise alone adds");
    made->known.n_nodes = 1000000; /* 5e11 pairs, noise of 1e9: more than memory holds */
    options.most_edges_out = 1000000;
    refuse(made, &options, "raise `edges.eps_nano`");
    hrr_free(made);
}

/* ---- advice --------------------------------------------------------------------------------- */

static void test_advice__tells_structure_from_none(void **state)
{
    (void)state;
    const char *advice = NULL;
    hrr_public_signal signal;
    instance *blocky = blocks(300, .3, .1, true), *even = blocks(300, .3, .1, false);
    assert_ok(hrr_public_signal_measure(&signal, &blocky->known, 1, 1, NULL, NULL));
    print_message("blocks: %.3f +- %.3f\n", signal.gain, signal.deviation);
    assert_true(signal.n_held > 100 && signal.gain > 5 * signal.deviation);
    assert_ok(hrr_edge_advise(&advice, &blocky->known, 1, 1, NULL, NULL));
    assert_null(advice);
    /* 20 seeds: where nothing is to be found, at most one false alarm in 40 or so. */
    int silent = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        assert_ok(hrr_edge_advise(&advice, &even->known, seed, 1, NULL, NULL));
        silent += !advice;
        if (advice) assert_non_null(strstr(advice, "private ones"));
    }
    assert_in_range(silent, 0, 2);
    hrr_free(even);
    blocky->known.n_edges = 20;
    assert_ok(hrr_edge_advise(&advice, &blocky->known, 1, 1, NULL, NULL));
    assert_non_null(strstr(advice, "too few public edges"));
    blocky->known.n_edges = 0;
    assert_ok(hrr_edge_advise(&advice, &blocky->known, 1, 1, NULL, NULL));
    assert_non_null(strstr(advice, "too few public edges"));
    hrr_free(blocky);
}

static void test_edgerr__claim_carries_the_advice(void **state)
{
    (void)state;
    instance *even = blocks(300, .3, .1, false), *blocky = blocks(300, .3, .1, true);
    const hrr_edge_options options = options_for("public", 1);
    hrr_edge_plan *plan = plan_for(even, &options);
    assert_non_null(hrr_edge_plan_claim(plan).advice);
    hrr_edge_plan_free(plan);
    plan = plan_for(blocky, &options);
    assert_null(hrr_edge_plan_claim(plan).advice);
    hrr_edge_plan_free(plan);
    hrr_free(even);
    hrr_free(blocky);
}

/* ---- lack of memory, interruption ----------------------------------------------------------- */

typedef struct attempt {
    const instance *made;
    const char *tree;
} attempt;

static hrr_status plan_and_draw(void *user)
{
    const attempt *self = user;
    const hrr_edge_options options = options_for(self->tree, 1);
    hrr_edge_plan *plan = NULL;
    hrr_random *random = NULL;
    hrr_edge_release release = {0};
    hrr_status status = hrr_random_new_insecure(&random, 1, NULL);
    if (!status) status = hrr_edge_plan_new(&plan, &self->made->known, &options, NULL, NULL);
    if (!status)
        status = hrr_edge_plan_draw(&release, plan, &self->made->secret, random, NULL, NULL);
    hrr_edge_release_clear(&release);
    hrr_edge_plan_free(plan);
    hrr_random_free(random);
    return status;
}

static void test_edgerr__survives_lack_of_memory(void **state)
{
    (void)state;
    instance *made = blocks(60, .6, .1, true);
    assert_true(made->known.n_edges > 100); /* so that advice is sought */
    for (const hrr_edge_tree *const *tree = hrr_edge_trees(); *tree; tree++) {
        attempt self = {made, (*tree)->name};
        assert_true(brutal(plan_and_draw, &self) > 20);
    }
    hrr_free(made);
}

static void test_edgerr__can_be_cancelled(void **state)
{
    (void)state;
    instance *made = blocks(100, .4, .1, true);
    for (const hrr_edge_tree *const *tree = hrr_edge_trees(); *tree; tree++) {
        const hrr_edge_options options = options_for((*tree)->name, 1);
        hrr_edge_plan *plan = plan_for(made, &options);
        hrr_progress *progress;
        hrr_random *random;
        hrr_edge_release release;
        assert_ok(hrr_progress_new(&progress, NULL, NULL, NULL));
        assert_ok(hrr_random_new_insecure(&random, 1, NULL));
        hrr_progress_cancel(progress);
        assert_int_equal(hrr_edge_plan_draw(&release, plan, &made->secret, random, progress, NULL),
                         HRR_ECANCEL);
        assert_int_equal(release.n_parts, 0);
        hrr_random_free(random);
        hrr_progress_free(progress);
        hrr_edge_plan_free(plan);
    }
    hrr_free(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edgerr__claims_what_was_asked_for),
        cmocka_unit_test(test_edgerr__paper_and_privhrg_are_not_certified),
        cmocka_unit_test(test_edgerr__releases_edges_tree_and_counts),
        cmocka_unit_test(test_edgerr__keeps_the_total),
        cmocka_unit_test(test_edgerr__does_not_depend_on_threads),
        cmocka_unit_test(test_edgerr__one_edge_changes_one_count_by_one),
        cmocka_unit_test(test_edgerr__takes_odd_graphs),
        cmocka_unit_test(test_edgerr__refuses_bad_options),
        cmocka_unit_test(test_advice__tells_structure_from_none),
        cmocka_unit_test(test_edgerr__claim_carries_the_advice),
        cmocka_unit_test(test_edgerr__survives_lack_of_memory),
        cmocka_unit_test(test_edgerr__can_be_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
