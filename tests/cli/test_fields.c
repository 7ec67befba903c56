/* From the library's fields to the options of a verb. */
#include "cli/fields.h"
#include "support/check.h"

static const cli_option options[] = {
    {.name = "avg-degree", .field = "average_degree"},
    {.name = "nodes", .field = "other n_nodes"},
    {.name = "bounds", .field = "features.lo features.hi"},
    {0},
};
static const cli_option more_options[] = {{.name = "classes", .field = "n_classes"}, {0}};
static const cli_option_set sets[] = {{"Some", options, 0}, {"More", more_options, 0}, {0}};
static const cli_verb verb = {.name = "verb", .sets = sets};

static void says(const char *message, const char *expected)
{
    char told[HRR_ERROR_SIZE];
    cli_in_users_words(told, sizeof told, message);
    assert_string_equal(told, expected);
}

static void test_fields__become_the_options_of_the_verb(void **state)
{
    (void)state;
    assert_null(cli_speak_as(&verb));
    says("`average_degree` must be 0 or more", "--avg-degree must be 0 or more");
    says("lower `average_degree` or `n_nodes`", "lower --avg-degree or --nodes");
    says("`n_classes`", "--classes");
    says("ask for fewer (`n_classes`) or more (`n_nodes`)",
         "ask for fewer (--classes) or more (--nodes)");
    assert_ptr_equal(cli_speak_as(NULL), &verb);
}

static void test_fields__are_words_where_the_verb_has_no_option(void **state)
{
    (void)state;
    cli_speak_as(&verb);
    says("`homophily` and `n_graphs` with `n_nodes`",
         "homophily and the number of graphs with --nodes");
    says("the share (`homophily`) is 2", "the share is 2");
    says("too many (`homophily`, `n_nodes`, `n_graphs`, `n_classes`)",
         "too many (--nodes, --classes)");
    says("(`homophily` 2)", "(homophily 2)");
    says("state them (`features.lo`, `features.hi`)", "state them (--bounds)"); /* one option */
    says("so (`homophily` 2)", "so (homophily 2)");
    cli_speak_as(NULL);
    says("`n_nodes` is 0", "the number of nodes is 0");
}

static void test_fields__other_text_stays(void **state)
{
    (void)state;
    cli_speak_as(&verb);
    for (const char *const *text =
             (const char *const[]){"", "row 7", "a`b`c: is empty", "`", "``", " (`",
                                   "(`x`, `n_nodes", " (`n_nodes", "x (``)", " (`x`)", NULL};
         *text; text++)
        says(*text, *text);
    says("a`n_nodes`b", "a--nodesb");
    cli_speak_as(NULL);
}

static void test_fields__advice_is_for_verbs_with_the_option(void **state)
{
    (void)state;
    assert_string_equal(cli_advice_on("features.lo"), "");
    cli_speak_as(&verb);
    assert_non_null(strstr(cli_advice_on("features.lo"), "--bounds LO,HI"));
    assert_string_equal(cli_advice_on("all_edges"), "");
    assert_string_equal(cli_advice_on("n_nodes"), "");
    cli_speak_as(NULL);
}

static void test_fields__texts_are_cut_not_overrun(void **state)
{
    (void)state;
    cli_speak_as(&verb);
    char told[10];
    memset(told, 42, sizeof told);
    cli_in_users_words(told, 9, "so (`average_degree`) is wrong");
    assert_string_equal(told, "so (--av");
    assert_int_equal(told[9], 42);
    cli_in_users_words(told, 1, "`n_nodes`");
    assert_string_equal(told, "");
    cli_speak_as(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields__become_the_options_of_the_verb),
        cmocka_unit_test(test_fields__are_words_where_the_verb_has_no_option),
        cmocka_unit_test(test_fields__other_text_stays),
        cmocka_unit_test(test_fields__advice_is_for_verbs_with_the_option),
        cmocka_unit_test(test_fields__texts_are_cut_not_overrun),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
