/* test_promise.c: what a plan promises follows from the numbers that its claim names, and every one
 * of them shows. */
#include "edge/mechanism.h"
#include "edge/tiny.h"
#include "edge/promise.h"
#include "edge/secret.h"
#include "support/brutal.h"

#include <math.h>
#include <string.h>

enum { n_nodes = 40, n_known = 60 };

typedef struct ring {
    uint32_t source[n_known], target[n_known];
    hrr_edge_public known;
} ring;

static void make_ring(ring *out)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < n_nodes && n < n_known; i++)
        for (uint32_t step = 1; step <= 2 && i + step < n_nodes && n < n_known; step++, n++) {
            out->source[n] = i;
            out->target[n] = i + step;
        }
    out->known = (hrr_edge_public){
        .n_nodes = n_nodes, .n_edges = n, .source = out->source, .target = out->target};
}

/* Runs `each` for every mechanism, and for every tree of edgerr. */
static void for_each_way(void each(const char *mechanism, const hrr_edge_claim *claim))
{
    ring at;
    make_ring(&at);
    for (const hrr_edge_mechanism *const *row = hrr_edge_mechanisms(); *row; row++) {
        const bool with_tree = strcmp((*row)->name, "edgerr") == 0;
        for (const hrr_edge_tree *const *tree = hrr_edge_trees(); *tree; tree++) {
            hrr_edge_options options = edge_options((*row)->name, 1234567891);
            if (with_tree) options.tree = (*tree)->name;
            options.n_blocks = 5;
            hrr_edge_plan *plan = plan_of(&at.known, &options);
            const hrr_edge_claim claim = hrr_edge_plan_claim(plan);
            each((*row)->name, &claim);
            hrr_edge_plan_free(plan);
            if ((*row)->has_counts) {
                options.count_ends = HRR_ENDS_NEEDED;
                plan = plan_of(&at.known, &options);
                const hrr_edge_claim needed = hrr_edge_plan_claim(plan);
                each((*row)->name, &needed);
                hrr_edge_plan_free(plan);
            }
            if (!with_tree) break;
        }
    }
}

static bool same_text(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* Only the terms: what else a claim holds is not looked at. */
static hrr_edge_claim terms_of(const hrr_edge_claim *claim)
{
    return (hrr_edge_claim){.eps_nano = claim->eps_nano,
                            .tree = claim->tree,
                            .eps_tree_nano = claim->eps_tree_nano,
                            .n_candidates = claim->n_candidates,
                            .most_pairs_split = claim->most_pairs_split,
                            .most_edges = claim->most_edges,
                            .n_blocks = claim->n_blocks,
                            .count_ends = claim->count_ends,
                            .n_candidate_pairs = claim->n_candidate_pairs};
}

static void is_found_again(const char *mechanism, const hrr_edge_claim *claim)
{
    const hrr_edge_claim terms = terms_of(claim);
    hrr_edge_promise promise;
    assert_ok(hrr_edge_promise_init(&promise, mechanism, &terms, NULL));
    assert_true(promise.realised_eps == claim->realised_eps);
    assert_string_equal(promise.statement, claim->statement);
    assert_string_equal(promise.evidence, claim->evidence);
    assert_ptr_equal(promise.not_certified, claim->not_certified);
    hrr_edge_promise_clear(&promise);
}

static void test_promise__is_that_of_the_plan(void **state)
{
    (void)state;
    for_each_way(is_found_again);
}

/* Another number is another promise, or none. */
static void assert_shows(const char *mechanism, const hrr_edge_claim *claim,
                         const hrr_edge_claim *changed)
{
    hrr_edge_promise promise;
    hrr_status status = hrr_edge_promise_init(&promise, mechanism, changed, NULL);
    if (!status && same_text(promise.statement, claim->statement) &&
        same_text(promise.evidence, claim->evidence))
        fail_msg("%s: a changed term does not show: %s; %s", mechanism, claim->statement,
                 claim->evidence);
    hrr_edge_promise_clear(&promise);
}

static void shows_every_term(const char *mechanism, const hrr_edge_claim *claim)
{
    const hrr_edge_claim terms = terms_of(claim);
    hrr_edge_claim changed;
#define SHOWS(term)                                                                                \
    if (terms.term) {                                                                              \
        changed = terms;                                                                           \
        changed.term++;                                                                            \
        assert_shows(mechanism, claim, &changed);                                                  \
        changed.term -= 2;                                                                         \
        assert_shows(mechanism, claim, &changed);                                                  \
    }
    SHOWS(eps_nano)
    SHOWS(eps_tree_nano)
    SHOWS(n_candidates)
    SHOWS(most_pairs_split)
    SHOWS(most_edges)
    SHOWS(n_blocks)
    SHOWS(count_ends)
#undef SHOWS
    if (strstr(mechanism, "edgerand")) {
        changed = terms;
        changed.n_candidate_pairs--;
        assert_shows(mechanism, claim, &changed);
    }
    for (const hrr_edge_tree *const *tree = hrr_edge_trees(); claim->tree && *tree; tree++) {
        changed = terms;
        changed.tree = (*tree)->name;
        if (!same_text((*tree)->name, claim->tree)) assert_shows(mechanism, claim, &changed);
    }
}

static void test_promise__shows_every_term(void **state)
{
    (void)state;
    for_each_way(shows_every_term);
}

static void test_promise__refuses_terms_that_no_plan_has(void **state)
{
    (void)state;
    static const struct {
        const char *mechanism;
        hrr_edge_claim terms;
    } cases[] = {
        {"dice", {.eps_nano = 1}},
        {"public-only", {.eps_nano = 1}},
        {"edgerand", {.eps_nano = 0}},
        {"edgerand", {.eps_nano = HRR_EPS_MAX + 1}},
        {"lapgraph", {.eps_nano = 99, .most_edges = 1, .n_candidate_pairs = 2}},
        {"lapgraph", {.eps_nano = 1000, .most_edges = 3, .n_candidate_pairs = 2}},
        {"edgerr-node", {.eps_nano = 1, .count_ends = HRR_ENDS_NEEDED + 1}},
        {"edgerr", {.eps_nano = 1}},
        {"edgerr", {.eps_nano = 1, .tree = "oak"}},
        {"edgerr", {.eps_nano = 9, .tree = "public", .eps_tree_nano = 1}},
        {"edgerr", {.eps_nano = 9, .tree = "barker"}},
        {"edgerr", {.eps_nano = 9, .tree = "barker", .eps_tree_nano = 9}},
        {"edgerr", {.eps_nano = 9, .tree = "public", .n_candidates = 9}},
        {"edgerr",
         {.eps_nano = 9, .tree = "select", .eps_tree_nano = 1, .n_candidates = UINT64_MAX}},
        {"edgerr",
         {.eps_nano = 9,
          .tree = "select",
          .eps_tree_nano = 1,
          .n_candidates = 4,
          .most_pairs_split = 5}},
        {"privhrg", {.eps_nano = 9, .tree = "public"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hrr_edge_promise promise;
        hrr_error err = {0};
        assert_int_equal(hrr_edge_promise_init(&promise, cases[i].mechanism, &cases[i].terms, &err),
                         HRR_EINVAL);
        assert_null(promise.statement);
        assert_true(strlen(err.message) > 0);
    }
}

/* A sum of two parts may be rounded up past the whole; then it is the whole that is realised. */
static void test_promise__is_never_more_than_was_asked_for(void **state)
{
    (void)state;
    static const char *const trees[] = {"barker", "quotient", "select"};
    for (uint64_t eps = 2; eps < HRR_EPS_MAX; eps += eps / 7 + 1)
        for (size_t t = 0; t < sizeof trees / sizeof *trees; t++) {
            const bool select = strcmp(trees[t], "select") == 0;
            hrr_edge_promise promise;
            const hrr_edge_claim terms = {.eps_nano = eps,
                                          .tree = trees[t],
                                          .eps_tree_nano = eps / 10 + 1,
                                          .n_candidates = select ? 60 : 0,
                                          .most_pairs_split = select ? 900 : 0};
            assert_ok(hrr_edge_promise_init(&promise, "edgerr", &terms, NULL));
            assert_true(promise.realised_eps <= (double)eps / HRR_EPS_UNIT);
            hrr_edge_promise_clear(&promise);
        }
}

static hrr_status promise_once(void *user)
{
    hrr_edge_promise promise;
    const hrr_edge_claim terms = {.eps_nano = HRR_EPS_UNIT, .tree = "public"};
    (void)user;
    hrr_status status = hrr_edge_promise_init(&promise, "edgerr", &terms, NULL);
    hrr_edge_promise_clear(&promise);
    return status;
}

static void test_promise__runs_out_of_memory_without_a_trace(void **state)
{
    (void)state;
    assert_true(brutal(promise_once, NULL) > 0);
}

/* ---- the secret ------------------------------------------------------------------------------ */

/* Sensitivities rest on it: each pair once, both ends among the candidates, no public edge. */
static void test_secret__is_candidate_pairs_each_of_them_once(void **state)
{
    (void)state;
    static const uint8_t candidates[] = {1, 1, 1, 0};
    static const uint32_t public_source[] = {1}, public_target[] = {2};
    const hrr_edge_public known = {4, 1, public_source, public_target, candidates};
    static const struct {
        uint32_t source[2], target[2];
        hrr_status status;
    } secrets[] = {{{0, 0}, {1, 2}, HRR_OK},     {{0, 0}, {1, 1}, HRR_EINVAL},
                   {{0, 0}, {2, 1}, HRR_EINVAL}, {{0, 2}, {1, 2}, HRR_EINVAL},
                   {{0, 0}, {1, 3}, HRR_EDATA},  {{0, 1}, {1, 2}, HRR_EDATA}};
    for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++) {
        const hrr_edge_secret secret = {2, secrets[i].source, secrets[i].target};
        assert_int_equal(hrr_edge_check_secret(&known, &secret, NULL), secrets[i].status);
    }
}

/* ---- what is drawn --------------------------------------------------------------------------- */

static hrr_status draw_once(hrr_edge_release *out, const hrr_edge_plan *plan, hrr_error *err)
{
    static const uint32_t source[] = {0, 1, 7}, target[] = {9, 33, 20};
    const hrr_edge_secret secret = {3, source, target};
    hrr_random *random;
    assert_ok(hrr_random_new_insecure(&random, 1, NULL));
    hrr_status status = hrr_edge_plan_draw(out, plan, &secret, random, NULL, err);
    hrr_random_free(random);
    return status;
}

/* The samplers are handed what the promise is about, whatever the budget and the tree's share; and
 * if it were not so, nothing would be released. */
static void test_promise__is_that_of_what_is_drawn(void **state)
{
    (void)state;
    static const uint64_t budgets[] = {1000, 100000007, 1234567891, 4294967297, HRR_EPS_MAX};
    ring at;
    make_ring(&at);
    int n_refused = 0;
    for (const hrr_edge_mechanism *const *row = hrr_edge_mechanisms(); *row; row++) {
        const bool with_tree = strcmp((*row)->name, "edgerr") == 0;
        for (const hrr_edge_tree *const *tree = hrr_edge_trees(); *tree; tree++) {
            for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++) {
                hrr_edge_options options = edge_options((*row)->name, budgets[i]);
                if (with_tree) options.tree = (*tree)->name;
                options.n_blocks = 5;
                options.steps_per_node = 1;
                hrr_edge_plan *plan = plan_of(&at.known, &options);
                hrr_edge_release drawn;
                assert_ok(draw_once(&drawn, plan, NULL));
                assert_true(drawn.realised_eps == hrr_edge_plan_claim(plan).realised_eps);
                hrr_edge_release_clear(&drawn);
                plan->claim.realised_eps = nextafter(plan->claim.realised_eps, 0);
                if (plan->claim.realised_eps > 0) {
                    hrr_error err = {0};
                    assert_int_equal(draw_once(&drawn, plan, &err), HRR_ECHECK);
                    assert_says(err, "nothing was released");
                    assert_int_equal(drawn.edges.n_edges + (uint64_t)drawn.n_parts, 0);
                    n_refused++;
                }
                hrr_edge_plan_free(plan);
            }
            if (!with_tree) break;
        }
    }
    assert_true(n_refused > 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_promise__is_that_of_the_plan),
        cmocka_unit_test(test_promise__is_that_of_what_is_drawn),
        cmocka_unit_test(test_secret__is_candidate_pairs_each_of_them_once),
        cmocka_unit_test(test_promise__shows_every_term),
        cmocka_unit_test(test_promise__refuses_terms_that_no_plan_has),
        cmocka_unit_test(test_promise__is_never_more_than_was_asked_for),
        cmocka_unit_test(test_promise__runs_out_of_memory_without_a_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
