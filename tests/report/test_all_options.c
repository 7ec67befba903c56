/* Every public function that takes options and can fail refuses options that nobody initialised,
 * and those of a newer library. Here, behind all other rooms, since it calls all of them;
 * tests/house/test_options.py sees to it that none is left out. */
#include "support/check.h"

#include <heterorr/heterorr.h>

typedef struct fixture {
    hrr_graph *graph;
    hrr_release *release;
} fixture;

static int make(void **state)
{
    static fixture made;
    if (hrr_graph_new(&made.graph, "ten", 10, NULL)) return -1;
    if (hrr_release_non_private(&made.release, made.graph, NULL)) return -1;
    *state = &made;
    return 0;
}

static int clear(void **state)
{
    fixture *made = *state;
    hrr_release_free(made->release);
    hrr_graph_free(made->graph);
    return 0;
}

/* `call` takes &options and &err. The size is the first member, whatever the struct. */
#define REFUSES(type, call)                                                                        \
    do {                                                                                           \
        hrr_error err = {0};                                                                       \
        type options;                                                                              \
        memset(&options, 0, sizeof options);                                                       \
        assert_int_equal(call, HRR_EINVAL);                                                        \
        assert_says(err, "call " #type "_init()");                                                 \
        type##_init(&options);                                                                     \
        options.size += 8;                                                                         \
        assert_int_equal(call, HRR_EINVAL);                                                        \
        assert_says(err, "newer");                                                                 \
    } while (0)

/* The same for options inside options. */
#define REFUSES_INNER(type, member, inner, call)                                                   \
    do {                                                                                           \
        hrr_error err = {0};                                                                       \
        type options;                                                                              \
        type##_init(&options);                                                                     \
        options.member.size = 0;                                                                   \
        assert_int_equal(call, HRR_EINVAL);                                                        \
        assert_says(err, "call " #inner "_init()");                                                \
    } while (0)

#define P NULL, &err /* no progress */

static void test_graphs__are_read_and_written_with_initialised_options(void **state)
{
    const fixture *f = *state;
    hrr_graph *graph;
    hrr_csr matrix;
    hrr_structure_report report;
    hrr_pgb_answers answers;
    hrr_release *release;
    REFUSES(hrr_read_options, hrr_graph_read(&graph, "nowhere", &options, P));
    REFUSES(hrr_read_options, hrr_release_open(&release, "nowhere", &options, P));
    REFUSES(hrr_write_options, hrr_graph_write_check("nowhere", &options, &err));
    REFUSES(hrr_write_options, hrr_graph_write(f->graph, "nowhere", &options, P));
    REFUSES(hrr_adjacency_options, hrr_graph_adjacency(&matrix, f->graph, &options, &err));
    REFUSES(hrr_generate_options, hrr_generate(&graph, NULL, &options, P));
    REFUSES(hrr_structure_options, hrr_structure_compare(&report, NULL, NULL, &options, P));
    REFUSES(hrr_pgb_options, hrr_pgb_answer(&answers, NULL, &options, P));
}

static void test_releases__are_made_with_initialised_options(void **state)
{
    const fixture *f = *state;
    hrr_feature_plan *features;
    hrr_edge_plan *edges;
    hrr_release *release;
    hrr_audit_row *rows;
    size_t n;
    const hrr_edge_public known = {.n_nodes = 10};
    REFUSES(hrr_feature_options, hrr_feature_plan_new(&features, 4, &options, &err));
    REFUSES(hrr_feature_options, hrr_bounds_settle(&options, f->graph, &err));
    REFUSES(hrr_edge_options, hrr_edge_plan_new(&edges, &known, &options, P));
    REFUSES(hrr_protect_options,
            hrr_protect(&release, NULL, NULL, f->graph, &options, NULL, NULL, &err));
    REFUSES(hrr_protect_options,
            hrr_protect_over(NULL, NULL, f->graph, &options, NULL, NULL, NULL, &err));
    REFUSES_INNER(hrr_protect_options, features, hrr_feature_options,
                  hrr_protect(&release, NULL, NULL, f->graph, &options, NULL, NULL, &err));
    REFUSES_INNER(hrr_protect_options, edges, hrr_edge_options,
                  hrr_protect(&release, NULL, NULL, f->graph, &options, NULL, NULL, &err));
    REFUSES(hrr_audit_options, hrr_audit(&rows, &n, &options, P));
}

static void test_models__are_trained_and_asked_with_initialised_options(void **state)
{
    const fixture *f = *state;
    const hrr_dense none = {0};
    hrr_head head;
    hrr_dense out;
    hrr_model *model;
    REFUSES(hrr_head_train_options, hrr_head_train(&head, &none, NULL, NULL, 2, &options, P));
    REFUSES(hrr_explain_options, hrr_explain(&out, NULL, NULL, NULL, &options, P));
    REFUSES(hrr_train_options, hrr_model_train(&model, NULL, f->release, &options, P));
    REFUSES(hrr_train_options, hrr_model_train_over(&model, NULL, f->release, &options, NULL, P));
    REFUSES(hrr_predict_options, hrr_model_predict(&out, NULL, f->release, &options, P));
}

static void test_attacks__take_initialised_options(void **state)
{
    const fixture *f = *state;
    hrr_linkteller_result links;
    hrr_link_quality mean[HRR_LINK_ATTACKS], deviation[HRR_LINK_ATTACKS];
    hrr_link_verdict verdict;
    hrr_membership_result members;
    hrr_release_attack attack;
    hrr_attribute_result attributes;
    uint64_t n;
    REFUSES(hrr_linkteller_options,
            hrr_linkteller(&links, NULL, NULL, f->release, f->graph, &options, P));
    REFUSES(hrr_linkteller_options,
            hrr_links(mean, deviation, &verdict, &n, NULL, f->release, f->graph, &options, P));
    REFUSES(hrr_predict_options, hrr_membership(&members, NULL, f->release, &options, P));
    REFUSES(hrr_release_attack_options, hrr_attack_release(&attack, f->graph, &options, P));
    REFUSES(hrr_attribute_options,
            hrr_attributes_infer(&attributes, NULL, NULL, NULL, NULL, &options, P));
    hrr_reconstruction *guesses;
    size_t n_guesses;
    REFUSES(hrr_reconstruct_options,
            hrr_reconstruct(&guesses, &n_guesses, NULL, NULL, &options, P));
}

static void test_experiments__take_initialised_options(void **state)
{
    const fixture *f = *state;
    hrr_chain_mean *means;
    hrr_edge_advice advice;
    hrr_structure_advice structure;
    hrr_report_summary report;
    size_t n;
    REFUSES(hrr_structure_sweep_options, hrr_structure_sweep("nowhere", f->graph, &options, P));
    REFUSES(hrr_pgb_sweep_options, hrr_pgb_sweep("nowhere", f->graph, &options, P));
    REFUSES(hrr_training_sweep_options, hrr_training_sweep("nowhere", f->graph, &options, P));
    REFUSES_INNER(hrr_training_sweep_options, features, hrr_feature_options,
                  hrr_training_sweep("nowhere", f->graph, &options, P));
    REFUSES_INNER(hrr_training_sweep_options, train, hrr_train_options,
                  hrr_training_sweep("nowhere", f->graph, &options, P));
    REFUSES(hrr_chain_sweep_options, hrr_chain_sweep("nowhere", f->graph, &options, P));
    REFUSES_INNER(hrr_chain_sweep_options, chain, hrr_chain_options,
                  hrr_chain_sweep("nowhere", f->graph, &options, P));
    REFUSES_INNER(hrr_chain_sweep_options, chain.linkteller, hrr_linkteller_options,
                  hrr_chain_sweep("nowhere", f->graph, &options, P));
    REFUSES_INNER(hrr_chain_sweep_options, chain.train, hrr_train_options,
                  hrr_chain_sweep("nowhere", f->graph, &options, P));
    REFUSES_INNER(hrr_chain_sweep_options, chain.attributes, hrr_attribute_options,
                  hrr_chain_sweep("nowhere", f->graph, &options, P));
    REFUSES(hrr_chain_sweep_options,
            hrr_chain_means(&means, &n, "nowhere", f->graph, &options, &err));
    REFUSES(hrr_advise_options, hrr_advise_structure(&structure, "nowhere", f->graph, &options, P));
    REFUSES_INNER(hrr_advise_options, train, hrr_train_options,
                  hrr_advise_structure(&structure, "nowhere", f->graph, &options, P));
    REFUSES(hrr_advise_options, hrr_advise_edges(&advice, "nowhere", f->graph, &options, P));
    REFUSES_INNER(hrr_advise_options, train, hrr_train_options,
                  hrr_advise_edges(&advice, "nowhere", f->graph, &options, P));
    REFUSES(hrr_advise_options, hrr_advise_head(&advice, "nowhere", f->graph, &options, P));
    REFUSES_INNER(hrr_advise_options, train, hrr_train_options,
                  hrr_advise_head(&advice, "nowhere", f->graph, &options, P));
    hrr_report_advice left;
    REFUSES(hrr_advise_options, hrr_advise_reports(&left, f->graph, &options, P));
    REFUSES_INNER(hrr_advise_options, train, hrr_train_options,
                  hrr_advise_reports(&left, f->graph, &options, P));
    const char *images[] = {"nowhere"};
    REFUSES(hrr_embed_options, hrr_embed(NULL, images, 1, "nowhere", &options, P));
    REFUSES(hrr_report_options, hrr_report_write(&report, "nowhere", &options, P));
    hrr_server *server;
    hrr_remote *remote;
    REFUSES(hrr_remote_options, hrr_remote_open(&remote, NULL, &options, P));
    REFUSES(hrr_server_options, hrr_server_start(&server, NULL, 0, &options, P));
    REFUSES(hrr_onnx_options, hrr_onnx_write(NULL, NULL, &options, "", &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graphs__are_read_and_written_with_initialised_options),
        cmocka_unit_test(test_releases__are_made_with_initialised_options),
        cmocka_unit_test(test_models__are_trained_and_asked_with_initialised_options),
        cmocka_unit_test(test_attacks__take_initialised_options),
        cmocka_unit_test(test_experiments__take_initialised_options),
    };
    return cmocka_run_group_tests(tests, make, clear);
}
