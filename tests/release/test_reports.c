/* test_reports.c: reports of a head's answers: in memory, in a bundle and read again they are the
 * same, and nobody takes anything else for reports. */
#include "release/releases.h"
#include "support/brutal.h"
#include "support/public_head.h"

static hrr_protect_options head_options(hrr_output_kind output)
{
    static double shares[] = {1, 0, 3};
    hrr_protect_options options = usual_options();
    hrr_head *head = public_head(small_features, 3, output);
    if (output == HRR_OUTPUT_SIGMOID) head->shares = public_head_part(shares, 1, 3);
    options.features.mechanism = "featurerr-head";
    options.features.head = head;
    options.declared_public = HRR_PUBLIC_HEAD;
    options.replace = true;
    return options;
}

static hrr_status keep(hrr_release **out, const char *bundle, const hrr_graph *graph,
                       const hrr_protect_options *options)
{
    hrr_random *random;
    *out = NULL;
    hrr_status status = hrr_random_new_insecure(&random, 1, NULL);
    if (status) return status;
    status = hrr_protect(out, NULL, bundle, graph, options, random, NULL, NULL);
    hrr_random_free(random);
    return status;
}

static void test_reports__are_the_same_in_memory_and_in_a_bundle(void **state)
{
    const char *bundle = in_dir(*state, "bundle");
    hrr_graph *graph = small_graph(7);
    for (int output = HRR_OUTPUT_SOFTMAX; output <= HRR_OUTPUT_SIGMOID; output++) {
        const hrr_protect_options options = head_options((hrr_output_kind)output);
        hrr_release *kept, *opened;
        assert_ok(keep(&kept, bundle, graph, &options));
        assert_ok(hrr_release_open(&opened, bundle, NULL, NULL, NULL));
        const hrr_reports *a = hrr_release_reports(kept), *b = hrr_release_reports(opened);
        assert_non_null(a);
        assert_non_null(b);
        assert_int_equal(a->n_nodes, small_nodes);
        assert_int_equal(a->n_answers, 3);
        assert_int_equal(a->report_size, output == HRR_OUTPUT_SOFTMAX ? 1 : 0);
        assert_int_equal(b->report_size, a->report_size);
        assert_memory_equal(a->named, b->named, small_nodes * 3);
        assert_memory_equal(a->log_ratio, b->log_ratio, 3 * sizeof *a->log_ratio);
        assert_true(a->log_ratio[0] == 1); /* of labels, because a node is asked about one */
        int named = 0;
        for (int i = 0; i < small_nodes * 3; i++)
            named += output == HRR_OUTPUT_SOFTMAX ? a->named[i] : a->named[i] != HRR_REPORT_SILENT;
        assert_int_equal(named, small_nodes);
        hrr_release_free(kept);
        hrr_release_free(opened);
    }
    hrr_graph_free(graph);
}

static void test_reports__are_not_found_where_there_are_none(void **state)
{
    const char *bundle = in_dir(*state, "bundle");
    hrr_graph *graph = small_graph(7);
    hrr_protect_options options = usual_options();
    hrr_release *release;
    assert_ok(keep(&release, NULL, graph, &options));
    assert_null(hrr_release_reports(release));
    hrr_release_free(release);
    /* Averages of reports are no reports. */
    options = head_options(HRR_OUTPUT_SOFTMAX);
    options.n_propagate = 1;
    assert_ok(keep(&release, bundle, graph, &options));
    assert_null(hrr_release_reports(release));
    hrr_release_free(release);
    hrr_graph_free(graph);
}

static void test_reports__a_head_must_be_declared_public(void **state)
{
    hrr_graph *graph = small_graph(7);
    hrr_protect_options options = head_options(HRR_OUTPUT_SOFTMAX);
    hrr_error err;
    options.declared_public = 0;
    assert_int_equal(hrr_public_refused(graph, &options), HRR_PUBLIC_HEAD);
    assert_int_equal(try_protect(&err, in_dir(*state, "bundle"), graph, &options), HRR_EINVAL);
    assert_says(err, "HRR_PUBLIC_HEAD");
    assert_says(err, "trained on the private features");
    hrr_graph_free(graph);
}

static hrr_status keep_once(void *graph)
{
    const hrr_protect_options options = head_options(HRR_OUTPUT_SIGMOID);
    hrr_release *release;
    const hrr_status status = keep(&release, NULL, graph, &options);
    hrr_release_free(release);
    return status;
}

static void test_reports__survive_without_memory(void **state)
{
    (void)state;
    hrr_graph *graph = small_graph(7);
    assert_true(brutal(keep_once, graph) > 20);
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_reports__are_the_same_in_memory_and_in_a_bundle),
        WITH_SCRATCH(test_reports__are_not_found_where_there_are_none),
        WITH_SCRATCH(test_reports__a_head_must_be_declared_public),
        cmocka_unit_test(test_reports__survive_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
