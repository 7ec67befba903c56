/* test_table.c: every row says of its mechanism what the mechanism does. */
#include "edge/tiny.h"
#include "edge/traits.h"

#include <math.h>

enum { n_nodes = 24 };

/* A path of public edges, a private one beside it. */
typedef struct path {
    uint32_t source[n_nodes - 1], target[n_nodes - 1], from, to;
    hrr_edge_public known;
    hrr_edge_secret secret;
} path;

static void make_path(path *out)
{
    for (uint32_t i = 0; i + 1 < n_nodes; i++) {
        out->source[i] = i;
        out->target[i] = i + 1;
    }
    out->from = 3;
    out->to = 9;
    out->known = (hrr_edge_public){
        .n_nodes = n_nodes, .n_edges = n_nodes - 1, .source = out->source, .target = out->target};
    out->secret = (hrr_edge_secret){.n_edges = 1, .source = &out->from, .target = &out->to};
}

static bool has_part(const hrr_edge_release *release, const char *name)
{
    for (int i = 0; i < release->n_parts; i++)
        if (strcmp(release->parts[i].name, name) == 0) return true;
    return false;
}

static void test_table__every_row_is_found_by_its_name_and_has_its_words(void **state)
{
    (void)state;
    for (const hrr_edge_mechanism *const *row = hrr_edge_mechanisms(); *row; row++) {
        assert_ptr_equal(hrr_edge_mechanism_find((*row)->name), *row);
        assert_ptr_equal(hrr_edge_traits((*row)->name), *row);
        assert_true(*(*row)->what);
        assert_ptr_equal(strstr((*row)->page, "docs/mechanisms/"), (*row)->page);
        assert_int_equal((*row)->bias != NULL, (*row)->effect != HRR_EFFECT_KEEP);
    }
    for (const hrr_edge_tree *const *row = hrr_edge_trees(); *row; row++) {
        assert_ptr_equal(hrr_edge_tree_find((*row)->name), *row);
        assert_true(*(*row)->what);
        assert_ptr_equal(strstr((*row)->page, "docs/mechanisms/"), (*row)->page);
    }
    assert_ptr_equal(hrr_edge_tree_find(NULL), hrr_edge_trees()[0]);
    assert_null(hrr_edge_mechanism_find("edgerr-nod"));
    assert_null(hrr_edge_mechanism_find(NULL));
    assert_null(hrr_edge_tree_find("tall"));
}

static void test_table__a_name_that_nobody_has_spends_and_has_no_trait(void **state)
{
    (void)state;
    const hrr_edge_mechanism *unknown = hrr_edge_traits("nothing");
    assert_string_equal(unknown->name, "");
    assert_int_equal(unknown->effect, HRR_EFFECT_PROTECT);
    assert_false(unknown->certified || unknown->whole_graph || unknown->has_counts);
    assert_ptr_equal(hrr_edge_traits(NULL), unknown);
}

static void test_table__floor_and_reference_are_the_rows_one_expects(void **state)
{
    (void)state;
    assert_string_equal(hrr_edge_mechanism_with(HRR_EFFECT_LEAVE_OUT)->name, "public-only");
    assert_string_equal(hrr_edge_mechanism_with(HRR_EFFECT_KEEP)->name, "none");
    assert_null(hrr_edge_mechanism_with((hrr_effect)99));
}

static void test_table__whole_graphs_have_a_private_form(void **state)
{
    (void)state;
    for (const hrr_edge_mechanism *const *row = hrr_edge_mechanisms(); *row; row++) {
        assert_int_equal((*row)->whole_graph, (*row)->private_form != NULL);
        if (!(*row)->private_form) continue;
        const hrr_edge_mechanism *form = hrr_edge_mechanism_find((*row)->private_form);
        assert_non_null(form);
        assert_false(form->whole_graph);
        assert_int_equal(form->certified, (*row)->certified);
        assert_string_equal(form->page, (*row)->page);
    }
    assert_true(hrr_edge_mechanism_find("edgerand")->whole_graph);
    assert_true(hrr_edge_mechanism_find("lapgraph")->whole_graph);
    assert_true(hrr_edge_mechanism_find("privhrg")->whole_graph);
    assert_false(hrr_edge_mechanism_find("edgerr")->whole_graph);
    assert_false(hrr_edge_mechanism_find("public-only")->whole_graph);
}

static void test_table__effects_are_what_plans_promise(void **state)
{
    (void)state;
    path at;
    make_path(&at);
    for (const hrr_edge_mechanism *const *row = hrr_edge_mechanisms(); *row; row++) {
        const bool spends = (*row)->effect == HRR_EFFECT_PROTECT;
        hrr_edge_options options = edge_options((*row)->name, 0);
        hrr_edge_plan *plan = NULL;
        assert_int_equal(hrr_edge_plan_new(&plan, &at.known, &options, NULL, NULL) != HRR_OK,
                         spends);
        hrr_edge_plan_free(plan);
        options.eps_nano = HRR_EPS_UNIT;
        plan = plan_of(&at.known, &options);
        const hrr_edge_claim claim = hrr_edge_plan_claim(plan);
        assert_int_equal(isfinite(claim.realised_eps) != 0, (*row)->certified);
        if (!spends)
            assert_true(claim.realised_eps == ((*row)->effect == HRR_EFFECT_KEEP ? INFINITY : 0.0));
        hrr_edge_plan_free(plan);
    }
}

static void test_table__trees_and_counts_are_what_releases_have(void **state)
{
    (void)state;
    path at;
    make_path(&at);
    for (const hrr_edge_mechanism *const *row = hrr_edge_mechanisms(); *row; row++) {
        const hrr_edge_options options = edge_options((*row)->name, HRR_EPS_UNIT);
        hrr_edge_plan *plan = plan_of(&at.known, &options);
        hrr_random *random = seeded(1);
        hrr_edge_release release;
        assert_ok(hrr_edge_plan_draw(&release, plan, &at.secret, random, NULL, NULL));
        assert_int_equal(has_part(&release, "tree.npy"), (*row)->has_tree);
        assert_int_equal(has_part(&release, "tree_counts.npy"), (*row)->has_tree);
        assert_int_equal(has_part(&release, "block_counts.npy"), (*row)->has_counts);
        assert_int_equal(has_part(&release, "blocks.npy"), (*row)->has_counts);
        assert_int_equal(hrr_edge_plan_claim(plan).tree != NULL, (*row)->has_tree);
        assert_int_equal(hrr_edge_plan_claim(plan).count_ends > 0, (*row)->has_counts);
        hrr_edge_release_clear(&release);
        hrr_random_free(random);
        hrr_edge_plan_free(plan);
    }
}

/* The tree that is asked for is the one that is made, or it is not asked for. */
static void test_table__who_chooses_a_tree_gets_it(void **state)
{
    (void)state;
    path at;
    make_path(&at);
    for (const hrr_edge_mechanism *const *row = hrr_edge_mechanisms(); *row; row++) {
        hrr_edge_options options = edge_options((*row)->name, HRR_EPS_UNIT);
        options.tree = "uniform";
        hrr_edge_plan *plan = NULL;
        const hrr_status status = hrr_edge_plan_new(&plan, &at.known, &options, NULL, NULL);
        const char *tree = status ? NULL : hrr_edge_plan_claim(plan).tree;
        assert_int_equal(tree && strcmp(tree, "uniform") == 0, (*row)->chooses_tree);
        hrr_edge_plan_free(plan);
    }
}

static void test_table__trees_spend_and_are_proved_as_their_rows_say(void **state)
{
    (void)state;
    path at;
    make_path(&at);
    int of_paper_mode = 0;
    for (const hrr_edge_tree *const *row = hrr_edge_trees(); *row; row++) {
        hrr_edge_options options = edge_options("edgerr", HRR_EPS_UNIT);
        options.tree = (*row)->name;
        hrr_edge_plan *plan = plan_of(&at.known, &options);
        const hrr_edge_claim claim = hrr_edge_plan_claim(plan);
        assert_int_equal(isfinite(claim.realised_eps) != 0, (*row)->certified);
        assert_int_equal(!claim.not_certified, (*row)->certified);
        const double spent = (double)claim.eps_tree_nano / (double)HRR_EPS_UNIT;
        assert_true(fabs(spent - (*row)->default_share) < 1e-8);
        of_paper_mode += (*row)->of_paper_mode;
        hrr_edge_plan_free(plan);
    }
    assert_int_equal(of_paper_mode, 1);
    assert_true(hrr_edge_tree_find("paper")->of_paper_mode);
}

/* Twice the nodes have four times the pairs. */
static void test_table__false_edges_grow_with_the_pairs_where_pairs_are_flipped(void **state)
{
    (void)state;
    for (const hrr_edge_mechanism *const *row = hrr_edge_mechanisms(); *row; row++) {
        const hrr_edge_options options = edge_options((*row)->name, HRR_EPS_UNIT);
        double expected[2];
        for (int twice = 0; twice < 2; twice++) {
            const hrr_edge_public known = {.n_nodes = twice ? 400 : 200};
            hrr_edge_plan *plan = plan_of(&known, &options);
            expected[twice] = hrr_edge_plan_claim(plan).expected_false_edges;
            hrr_edge_plan_free(plan);
        }
        assert_int_equal(expected[1] > 3.5 * expected[0], (*row)->flips_pairs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table__every_row_is_found_by_its_name_and_has_its_words),
        cmocka_unit_test(test_table__a_name_that_nobody_has_spends_and_has_no_trait),
        cmocka_unit_test(test_table__floor_and_reference_are_the_rows_one_expects),
        cmocka_unit_test(test_table__whole_graphs_have_a_private_form),
        cmocka_unit_test(test_table__effects_are_what_plans_promise),
        cmocka_unit_test(test_table__trees_and_counts_are_what_releases_have),
        cmocka_unit_test(test_table__who_chooses_a_tree_gets_it),
        cmocka_unit_test(test_table__trees_spend_and_are_proved_as_their_rows_say),
        cmocka_unit_test(test_table__false_edges_grow_with_the_pairs_where_pairs_are_flipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
