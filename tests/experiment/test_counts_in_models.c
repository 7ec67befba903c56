/* What `compare learning` says counts are worth is what a model has that is trained on a bundle:
 * the same blocks, needs and rivals, the same base, the same law of counts.
 *
 * Sweeps and protect draw noise from streams of their own. So the budget is one at which noise is 0
 * (one of the 1,200 counts differs with a chance below 1e-5); all else must be the same number. */
#include "experiment/made_graphs.h"
#include "experiment/training_run.h"
#include "learn/measure_logits.h"
#include "learn/model.h"
#include "release/releases.h"

#include <math.h>

static const uint64_t eps = 20 * HRR_EPS_UNIT; /* the largest that there is */
enum { seed = 1 };                             /* that blocks are predicted with */

static hrr_training_outcome compared(const hrr_graph *graph, const char *edges)
{
    hrr_training_sweep_options options;
    hrr_training_outcome found;
    hrr_training_sweep_options_init(&options);
    options.own_split = true;
    options.seed = seed;
    hrr_train_options_init(&options.train); /* sweeps take narrower networks */
    const hrr_training_setting setting = {"none", edges, 0, eps, HRR_ANY_FRACTION, 0, 0, 0};
    hrr_error err = {0};
    hrr_status status = hrr_training_run(&found, graph, &setting, &options, NULL, NULL, &err);
    if (status) print_error("%s\n", err.message);
    assert_int_equal(status, HRR_OK);
    return found;
}

static hrr_release *counted(const char *bundle, const hrr_graph *graph)
{
    hrr_protect_options options;
    hrr_release *release;
    hrr_protect_options_init(&options);
    options.features.mechanism = "none";
    options.edges.mechanism = "edgerr-node";
    options.edges.eps_nano = eps;
    options.blocks_from =
        hrr_graph_is_multilabel(graph) ? HRR_BLOCKS_COMMUNITIES : HRR_BLOCKS_PREDICTED;
    protect(bundle, graph, &options);
    assert_ok(hrr_release_open(&release, bundle, NULL, NULL, NULL));
    return release;
}

/* Trained, written, read, asked. */
static hrr_metrics model_is(hrr_model **model, const char *path, const hrr_release *release)
{
    const hrr_graph *graph = hrr_release_graph(release);
    hrr_train_options how;
    hrr_train_summary summary;
    hrr_predict_options answer;
    hrr_model *made;
    hrr_dense said;
    hrr_metrics parts[3];
    hrr_train_options_init(&how);
    how.seed = seed;
    assert_ok(hrr_model_train(&made, &summary, release, &how, NULL, NULL));
    assert_ok(hrr_model_write(made, NULL, path, false, NULL));
    assert_ok(hrr_model_read(model, path, NULL));
    hrr_predict_options_init(&answer);
    answer.logits = true;
    assert_ok(hrr_model_predict(&said, *model, release, &answer, NULL, NULL));
    assert_ok(hrr_measure_logits(parts, &said, graph, NULL));
    assert_memory_equal(parts, summary.parts, sizeof parts);
    hrr_dense_clear(&said);
    hrr_model_free(made);
    return parts[HRR_TEST];
}

static void test_counts__in_a_model_are_worth_what_compare_says(void **state)
{
    static const char *const names[][2] = {{"bundle", "model"}, {"several", "labels"}};
    for (int several = 0; several < 2; several++) {
        hrr_graph *graph = made_graph(400, 6, .8, several);
        const hrr_training_outcome sweep = compared(graph, "edgerr-node");
        const hrr_training_outcome best_free = compared(graph, "public-best");
        hrr_release *release = counted(in_dir(*state, names[several][0]), graph);
        hrr_model *model;
        const hrr_metrics found = model_is(&model, in_dir(*state, names[several][1]), release);
        assert_memory_equal(&found, &sweep.test, sizeof found);
        /* The case is one in which the base and the counts have something to say. */
        assert_true(hrr_public_base_is_more(&model->base));
        assert_true(hrr_model_counts(model)->weight_counts > 0);
        assert_memory_not_equal(&found, &best_free.test, sizeof found);
        hrr_model_free(model);
        hrr_release_free(release);
        hrr_graph_free(graph);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_counts__in_a_model_are_worth_what_compare_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
