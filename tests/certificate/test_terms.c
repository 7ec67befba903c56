/* test_terms.c: what a certificate means: treatments, badge, statement and sums, for every
 * combination of parts. */
#include "certificate/page.h"
#include "certificate/terms.h"
#include "base/memory.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

typedef struct way {
    const char *json; /* of the part */
    hrr_treatment treatment;
} way;

static const way features[] = {
    {"null", HRR_NOT_THERE},
    {"{\"mechanism\": \"featurerr\", \"requested_eps\": \"2\", \"realised_eps\": \"1.9\"}",
     HRR_PROTECTED},
    {"{\"mechanism\": \"featfree\", \"requested_eps\": \"0\", \"realised_eps\": \"0\"}",
     HRR_LEFT_OUT},
    {"{\"mechanism\": \"none\", \"requested_eps\": \"0\", \"realised_eps\": \"infinity\"}",
     HRR_UNPROTECTED}};
static const way edges[] = {
    {"{\"mechanism\": \"edgerr\", \"requested_eps\": \"1\", \"realised_eps\": \"1\"}",
     HRR_PROTECTED},
    {"{\"mechanism\": \"public-only\", \"requested_eps\": \"0\", \"realised_eps\": \"0\"}",
     HRR_LEFT_OUT},
    {"{\"mechanism\": \"public-only\", \"requested_eps\": null, \"realised_eps\": null}",
     HRR_PUBLISHED},
    {"{\"mechanism\": \"none\", \"requested_eps\": \"0\", \"realised_eps\": \"infinity\"}",
     HRR_UNPROTECTED}};
static const way labels[] = {
    {"null", HRR_NOT_THERE},
    {"{\"mechanism\": \"randomized response\", \"requested_eps\": \"0.5\", \"realised_eps\": "
     "\"0.5\"}",
     HRR_PROTECTED},
    {"{\"mechanism\": \"none\", \"requested_eps\": null, \"realised_eps\": null}", HRR_PUBLISHED}};

#define SIZE(table) (sizeof table / sizeof *table)

/* json_decref(). */
static json_t *certificate(const way *f, const way *e, const way *y, bool declared)
{
    const bool is_private = f->treatment != HRR_UNPROTECTED && e->treatment != HRR_UNPROTECTED;
    char text[2048];
    snprintf(text, sizeof text,
             "{\"format\": \"heterorr certificate\", \"private\": %s, \"not_private_because\": %s, "
             "\"declared_public\": %s, \"mode\": \"strict\", \"features\": %s, \"edges\": %s, "
             "\"labels\": %s}",
             is_private ? "true" : "false", is_private ? "[]" : "[\"a reason\"]",
             declared ? "[\"edges\"]" : "[]", f->json, e->json, y->json);
    json_t *json = json_loads(text, 0, NULL);
    assert_non_null(json);
    return json;
}

static bool is_covered(const way *part)
{
    return part->treatment == HRR_PROTECTED || part->treatment == HRR_LEFT_OUT;
}

/* No part that is published has an epsilon in any text, no sum counts what is not protected, and
 * the badge names exactly what is covered. */
static void check_combination(const way *f, const way *e, const way *y)
{
    json_t *json = certificate(f, e, y, true);
    hrr_terms *terms;
    char *page;
    assert_ok(hrr_terms_of_certificate(&terms, json, NULL));
    assert_ok(hrr_certificate_page(&page, json, NULL));
    assert_int_equal(hrr_terms_of(terms, HRR_PART_FEATURES).treatment, f->treatment);
    assert_int_equal(hrr_terms_of(terms, HRR_PART_EDGES).treatment, e->treatment);
    assert_int_equal(hrr_terms_of(terms, HRR_PART_LABELS).treatment, y->treatment);
    const char *statement = hrr_terms_statement(terms), *badge = hrr_terms_badge(terms);
    const bool published = e->treatment == HRR_PUBLISHED;
    assert_int_equal(strstr(statement, "eps_e") == NULL, published);
    assert_int_equal(strstr(statement, "every edge is published as it is, because you declared all "
                                       "edges public") != NULL,
                     published);
    assert_int_equal(strstr(statement, "eps_y") != NULL, y->treatment == HRR_PROTECTED);
    assert_int_equal(strstr(statement, "labels") != NULL, y->treatment == HRR_PUBLISHED);
    assert_null(strstr(page, "50 %"));
    assert_memory_equal(page, statement, 12);
    const uint64_t sum = (f->treatment == HRR_PROTECTED ? 20 : 0) +
                         (y->treatment == HRR_PROTECTED ? 5 : 0) +
                         (e->treatment == HRR_PROTECTED ? 100 : 0);
    assert_int_equal(hrr_terms_sum_nano(terms, 10), sum * (HRR_EPS_UNIT / 10));
    if (!hrr_terms_are_private(terms)) {
        assert_string_equal(badge, "NOT PRIVATE");
        assert_memory_equal(statement, "NOT PRIVATE: ", 13);
    } else if (strcmp(badge, "PRIVATE") == 0) {
        assert_true((is_covered(f) || f->treatment == HRR_NOT_THERE) && is_covered(e) &&
                    (is_covered(y) || y->treatment == HRR_NOT_THERE));
    } else if (strcmp(badge, "NOT PRIVATE") != 0) {
        assert_int_equal(strstr(badge, "FEATURES") != NULL, is_covered(f));
        assert_int_equal(strstr(badge, "EDGES") != NULL, is_covered(e));
        assert_int_equal(strstr(badge, "LABELS") != NULL, is_covered(y));
        assert_string_equal(badge + strlen(badge) - 5, " ONLY");
    } else {
        assert_false(is_covered(f) || is_covered(e) || is_covered(y));
    }
    hrr_terms_free(terms);
    hrr_free(page);
    json_decref(json);
}

static void test_terms__every_combination_says_what_is_protected(void **state)
{
    (void)state;
    for (size_t f = 0; f < SIZE(features); f++)
        for (size_t e = 0; e < SIZE(edges); e++)
            for (size_t y = 0; y < SIZE(labels); y++)
                check_combination(&features[f], &edges[e], &labels[y]);
}

static void test_terms__who_says_that_edges_are_public(void **state)
{
    (void)state;
    json_t *json = certificate(&features[1], &edges[2], &labels[0], false);
    hrr_terms *terms;
    assert_ok(hrr_terms_of_certificate(&terms, json, NULL));
    assert_string_equal(hrr_terms_statement(terms),
                        "eps_f = 2 per node feature vector; every edge is published as it is, "
                        "because the input states that all its edges are public; one stored "
                        "release.");
    hrr_terms_free(terms);
    json_decref(json);
}

/* e^eps / (1 + e^eps), rounded up. */
static void test_terms__odds_are_rounded_up(void **state)
{
    (void)state;
    assert_true(hrr_right_at_most(1, 0) == 73.2);
    assert_true(hrr_right_at_most(4, 0) == 98.3);
    assert_true(hrr_right_at_most(0, 0) == 50);
    assert_true(hrr_right_at_most(0, .2) == 60); /* (1 + delta) / 2 */
    assert_true(hrr_right_at_most(20, .5) == 100);
}

/* What nobody wrote is no promise. */
static void test_terms__garbage_protects_nothing(void **state)
{
    (void)state;
    static const char *const eps[] = {"\"\"", "\"a lot\"", "\"-1\"", "3", "[]"};
    for (size_t i = 0; i < SIZE(eps); i++) {
        char text[200];
        snprintf(text, sizeof text, "{\"requested_eps\": %s, \"realised_eps\": \"1\"}", eps[i]);
        const way garbage = {text, HRR_UNPROTECTED};
        json_t *json = certificate(&garbage, &edges[0], &labels[0], false);
        hrr_terms *terms;
        assert_ok(hrr_terms_of_certificate(&terms, json, NULL));
        assert_int_equal(hrr_terms_of(terms, HRR_PART_FEATURES).treatment, HRR_UNPROTECTED);
        hrr_terms_free(terms);
        json_decref(json);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_terms__every_combination_says_what_is_protected),
        cmocka_unit_test(test_terms__who_says_that_edges_are_public),
        cmocka_unit_test(test_terms__odds_are_rounded_up),
        cmocka_unit_test(test_terms__garbage_protects_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
