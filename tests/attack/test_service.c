/* A service that is busy is asked again, one that errs or answers nonsense ends the attack. */
#include "attack/local_service.h"
#include "attack/models.h"
#include "attack/service.h"
#include "certificate/release.h"
#include "learn/model.h"
#include "matrix/dense.h"
#include "support/brutal.h"

#include <math.h>

typedef struct fake {
    int calls, refusals; /* how often it was asked; how often it says "not now" first */
    hrr_status fails;
    double says;
} fake;

static hrr_status answer(void *user, double *out, const hrr_question *question, hrr_error *err)
{
    fake *f = user;
    f->calls++;
    if (f->calls <= f->refusals) return hrr_fail(err, HRR_EIO, "429 too many requests");
    if (f->fails) return hrr_fail(err, f->fails, "500 oh dear");
    for (uint64_t i = 0; i < 2 * question->n_asked; i++)
        out[i] = i == 3 ? f->says : 0;
    return HRR_OK;
}

static const uint32_t asked[] = {4, 7};

static hrr_status ask(fake *f, uint32_t retries, hrr_error *err)
{
    const hrr_service service = {
        .query = answer, .user = f, .n_nodes = 9, .n_classes = 2, .retries = retries, .wait = 1e-4};
    const hrr_question question = {.asked = asked, .n_asked = 2, .changed = -1};
    double out[4];
    return hrr_service_ask(out, &service, &question, NULL, err);
}

static void test_service__is_asked_again_when_busy(void **state)
{
    (void)state;
    fake f = {.refusals = 3, .says = 1};
    assert_ok(ask(&f, 3, NULL));
    assert_int_equal(f.calls, 4);
}

static void test_service__is_given_up_when_it_stays_busy(void **state)
{
    (void)state;
    fake f = {.refusals = 100};
    hrr_error err = {0};
    assert_int_equal(ask(&f, 3, &err), HRR_EIO);
    assert_int_equal(f.calls, 4);
    assert_says(err, "4 times");
    assert_says(err, "429 too many requests");
}

static void test_service__is_not_asked_again_after_a_failure(void **state)
{
    (void)state;
    fake f = {.fails = HRR_EDATA};
    hrr_error err = {0};
    assert_int_equal(ask(&f, 3, &err), HRR_EDATA);
    assert_int_equal(f.calls, 1);
    assert_says(err, "500 oh dear");
}

static void test_service__nonsense_is_named(void **state)
{
    (void)state;
    fake f = {.says = NAN};
    hrr_error err = {0};
    assert_int_equal(ask(&f, 0, &err), HRR_EDATA);
    assert_says(err, "node 7");
    assert_says(err, "column 2");
    f.says = INFINITY;
    assert_int_equal(ask(&f, 0, &err), HRR_EDATA);
    assert_says(err, "infinite");
}

static void test_service__waiting_ends_when_cancelled(void **state)
{
    (void)state;
    fake f = {.refusals = 100};
    hrr_progress *progress;
    assert_ok(hrr_progress_new(&progress, NULL, NULL, NULL));
    hrr_progress_cancel(progress);
    const hrr_service service = {
        .query = answer, .user = &f, .n_classes = 2, .retries = 100, .wait = 1e6};
    const hrr_question question = {.asked = asked, .n_asked = 2, .changed = -1};
    double out[4];
    assert_int_equal(hrr_service_ask(out, &service, &question, progress, NULL), HRR_ECANCEL);
    hrr_progress_free(progress);
}

/* ---- counts of neighbours -------------------------------------------------------------------- */

enum { n_people = 12, n_blocks = 2, n_kinds_of = 3 };

typedef struct counting {
    hrr_graph *graph;
    hrr_model *model;
    int64_t count[n_people][n_blocks];
    hrr_release served;
} counting;

static void learn_to_count(counting *c)
{
    c->graph = graph_for(&kinds[0], n_people);
    c->model = model_of(&kinds[0], c->graph);
    hrr_count_model *how = &c->model->counts;
    *how = (hrr_count_model){.shape = INFINITY, .weight_model = .5, .weight_counts = .8};
    assert_ok(hrr_dense_init(&how->rate, HRR_F64, n_kinds_of, n_blocks, NULL));
    for (int i = 0; i < n_kinds_of * n_blocks; i++)
        ((double *)how->rate.data)[i] = 1 + i % 4;
    for (int i = 0; i < HRR_COUNT_LEVELS; i++)
        how->level_share[i] = 1.0 / HRR_COUNT_LEVELS;
    for (int i = 0; i < n_people; i++)
        for (int b = 0; b < n_blocks; b++)
            c->count[i][b] = (i * 5 + b * 3) % 7 - 1;
    c->served = (hrr_release){
        .graph = c->graph,
        .counts = {.n_nodes = n_people, .n_blocks = n_blocks, .count = c->count[0], .eps = 1}};
}

static hrr_status answer_with_counts(double *out, const counting *c, bool ignored, hrr_error *err)
{
    const hrr_serve_options how = {.ignore_counts = ignored, .threads = 1};
    hrr_local_service *local;
    hrr_status status = hrr_local_service_new(&local, c->model, &c->served, &how, NULL, err);
    if (!status) {
        const hrr_service service = hrr_local_service_view(local);
        const hrr_question question = {.asked = asked, .n_asked = 2, .changed = -1};
        status = hrr_service_ask(out, &service, &question, NULL, err);
    }
    hrr_local_service_free(local);
    return status;
}

static hrr_status count_once(void *user)
{
    double out[2 * n_kinds_of];
    return answer_with_counts(out, user, false, NULL);
}

static void test_local_service__answers_with_counts_as_predict_does(void **state)
{
    (void)state;
    counting c;
    double out[2 * n_kinds_of], with[2 * n_kinds_of];
    hrr_dense predicted;
    hrr_error err = {0};
    learn_to_count(&c);
    for (int ignored = 0; ignored < 2; ignored++) {
        const hrr_predict_options how = {.size = sizeof(hrr_predict_options),
                                         .logits = true,
                                         .ignore_counts = ignored,
                                         .threads = 1};
        assert_ok(answer_with_counts(out, &c, ignored, NULL));
        assert_ok(hrr_model_predict(&predicted, c.model, &c.served, &how, NULL, NULL));
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < n_kinds_of; k++)
                assert_true(fabs(out[i * n_kinds_of + k] -
                                 hrr_dense_get(&predicted, asked[i], (uint64_t)k)) < 1e-4);
        hrr_dense_clear(&predicted);
        if (!ignored) memcpy(with, out, sizeof with);
    }
    assert_memory_not_equal(with, out, sizeof with);
    assert_true(brutal(count_once, &c) > 10);
    c.served.counts.n_nodes = n_people - 1;
    assert_int_equal(answer_with_counts(out, &c, false, &err), HRR_EDATA);
    assert_says(err, "counts for 11 nodes");
    hrr_model_free(c.model); /* one that has not learnt from counts does not look at them */
    c.model = model_of(&kinds[0], c.graph);
    assert_ok(answer_with_counts(out, &c, false, NULL));
    hrr_model_free(c.model);
    hrr_graph_free(c.graph);
}

/* Counts that join more than the network: kinds[6] looks at no edges. */
static void give_base(hrr_model *model, const hrr_graph *graph, hrr_base_part best)
{
    hrr_public_base *base = &model->base;
    *base = (hrr_public_base){.output = HRR_OUTPUT_SOFTMAX, .best = best, .weight = {.7, .5, .3}};
    base->no_edges = model_of(&kinds[6], graph);
    assert_ok(hrr_dense_init(&base->free, HRR_F32, n_people, n_kinds_of, NULL));
    for (int i = 0; i < n_people * n_kinds_of; i++)
        ((float *)base->free.data)[i] = (float)(i * 7 % 11) / 4 - 1;
}

/* What a question changes about node 4, and what is answered about 4 and 7. */
static void assert_same_answers(const counting *c, bool changed)
{
    const hrr_serve_options how = {.threads = 1};
    hrr_predict_options as_logits = {
        .size = sizeof(hrr_predict_options), .logits = true, .threads = 1};
    const hrr_dense *features = hrr_graph_features(c->graph);
    hrr_local_service *local;
    hrr_dense other, predicted;
    double out[2 * n_kinds_of], row[16];
    assert_ok(hrr_dense_convert(&other, features, HRR_F32, NULL));
    for (uint64_t k = 0; k < features->cols; k++) {
        if (changed) ((float *)other.data)[asked[0] * features->cols + k] += 1;
        row[k] = hrr_dense_get(&other, asked[0], k);
    }
    as_logits.features = &other;
    assert_ok(hrr_model_predict(&predicted, c->model, &c->served, &as_logits, NULL, NULL));
    assert_ok(hrr_local_service_new(&local, c->model, &c->served, &how, NULL, NULL));
    const hrr_service service = hrr_local_service_view(local);
    const hrr_question question = {
        .asked = asked, .n_asked = 2, .changed = changed ? (int64_t)asked[0] : -1, .features = row};
    for (int again = 0; again < 2; again++) {
        assert_ok(hrr_service_ask(out, &service, &question, NULL, NULL));
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < n_kinds_of; k++)
                assert_true(fabs(out[i * n_kinds_of + k] -
                                 hrr_dense_get(&predicted, asked[i], (uint64_t)k)) < 1e-4);
    }
    hrr_local_service_free(local);
    hrr_dense_clear(&predicted);
    hrr_dense_clear(&other);
}

static void test_local_service__answers_as_predict_does_where_counts_join_several(void **state)
{
    (void)state;
    counting c;
    double out[2 * n_kinds_of];
    hrr_error err = {0};
    learn_to_count(&c);
    for (hrr_base_part best = 0; best < HRR_N_BASE_PARTS; best++) {
        give_base(c.model, c.graph, best);
        assert_same_answers(&c, false);
        assert_same_answers(&c, true);
        if (!best) assert_true(brutal(count_once, &c) > 20);
        hrr_public_base_clear(&c.model->base);
    }
    give_base(c.model, c.graph, HRR_BASE_EDGES);
    c.model->base.free.rows--;
    assert_int_equal(answer_with_counts(out, &c, false, &err), HRR_EDATA);
    assert_says(err, "its 11 nodes, but the graph has 12");
    assert_ok(answer_with_counts(out, &c, true, NULL));
    hrr_model_free(c.model);
    hrr_graph_free(c.graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_service__is_asked_again_when_busy),
        cmocka_unit_test(test_service__is_given_up_when_it_stays_busy),
        cmocka_unit_test(test_service__is_not_asked_again_after_a_failure),
        cmocka_unit_test(test_service__nonsense_is_named),
        cmocka_unit_test(test_service__waiting_ends_when_cancelled),
        cmocka_unit_test(test_local_service__answers_with_counts_as_predict_does),
        cmocka_unit_test(test_local_service__answers_as_predict_does_where_counts_join_several),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
