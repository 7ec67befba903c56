/* Questions about a model in memory: names, changed features, unseen nodes; and every allocation on
 * their way fails once. */
#include "attack/models.h"
#include "certificate/release.h"
#include "serve/reply.h"
#include "support/brutal.h"

#include <math.h>

enum { n_people = 9 };

typedef struct fixture {
    hrr_graph *graph;
    hrr_model *model;
    hrr_release release;
    hrr_served served;
    const char *json;
} fixture;

static void make(fixture *f)
{
    *f = (fixture){0};
    f->graph = graph_for(&kinds[0], n_people);
    f->model = model_of(&kinds[0], f->graph);
    f->release = (hrr_release){.graph = f->graph};
    const hrr_serve_options how = {.threads = 1};
    hrr_served *s = &f->served;
    *s = (hrr_served){.name = (char *)(uintptr_t) "m",
                      .model = f->model,
                      .release = &f->release,
                      .graph = f->graph,
                      .unseen = true,
                      .returns = HRR_RETURNS_LOGITS,
                      .most_nodes = 100};
    assert_ok(hrr_local_service_new(&s->local, f->model, &f->release, &how, NULL, NULL));
    const hrr_service service = hrr_local_service_view(s->local);
    assert_ok(hrr_dense_init(&s->table, HRR_F64, n_people, service.n_classes, NULL));
    uint32_t everybody[n_people];
    for (uint32_t v = 0; v < n_people; v++)
        everybody[v] = v;
    const hrr_question all = {.asked = everybody, .n_asked = n_people, .changed = -1};
    assert_ok(service.query(service.user, s->table.data, &all, NULL));
}

static void clear(fixture *f)
{
    hrr_local_service_free(f->served.local);
    hrr_dense_clear(&f->served.table);
    hrr_model_free(f->model);
    hrr_graph_free(f->graph);
}

/* From text to text. */
static hrr_status ask(hrr_reply *reply, const fixture *f, const char *json, hrr_error *err)
{
    hrr_infer_request request = {0};
    hrr_asking asking = {0};
    double logits[100];
    hrr_status status = hrr_infer_parse(&request, json, strlen(json), strlen(json), err);
    if (!status) status = hrr_asking_read(&asking, &f->served, &request, err);
    if (!status) {
        assert_true(asking.n_asked * f->served.table.cols <= 100);
        status = hrr_asking_answer(logits, &asking, &f->served, err);
    }
    if (!status) hrr_reply_inference(reply, &f->served, &asking, request.id, logits);
    hrr_asking_clear(&asking);
    hrr_infer_request_clear(&request);
    return status;
}

static const char about_nodes[] = "{\"inputs\":[{\"name\":\"nodes\",\"datatype\":\"INT64\","
                                  "\"shape\":[2],\"data\":[4,4]}]}";

/* A tensor of as many features as the model takes, all of them `value`. */
static void put_features(hrr_text *out, const fixture *f, const char *name, double value)
{
    const uint64_t d = hrr_model_get_shape(f->model)->n_features;
    hrr_text_printf(out, "{\"name\":\"%s\",\"datatype\":\"FP64\",\"shape\":[1,%d],\"data\":[", name,
                    (int)d);
    for (uint64_t k = 0; k < d; k++)
        hrr_text_printf(out, "%s%g", k ? "," : "", value);
    hrr_text_put(out, "]}");
}

/* About node 4, if node `changed` had such features. */
static void put_change(hrr_text *out, const fixture *f, int changed, double value)
{
    hrr_text_printf(out,
                    "{\"inputs\":[{\"name\":\"nodes\",\"datatype\":\"INT64\",\"shape\":[1],"
                    "\"data\":[4]},{\"name\":\"changed_node\",\"datatype\":\"INT64\",\"shape\":"
                    "[1],\"data\":[%d]},",
                    changed);
    put_features(out, f, "changed_features", value);
    hrr_text_put(out, "]}");
}

static void put_unseen(hrr_text *out, const fixture *f, double value)
{
    hrr_text_put(out, "{\"inputs\":[");
    put_features(out, f, "features", value);
    hrr_text_put(out, ",{\"name\":\"edges\",\"datatype\":\"BYTES\",\"shape\":[2,2],\"data\":[\"0\","
                      "\"3\",\"0\",\"7\"]}]}");
}

static void test_question__leaves_nothing_behind_for_the_next(void **state)
{
    (void)state;
    fixture f;
    hrr_reply before = {0}, between = {0}, after = {0};
    hrr_text calm = {0}, change = {0};
    make(&f);
    put_change(&calm, &f, 3, .5);
    put_change(&change, &f, 4, 3);
    assert_ok(ask(&before, &f, calm.bytes, NULL));
    assert_ok(ask(&between, &f, change.bytes, NULL));
    assert_ok(ask(&after, &f, calm.bytes, NULL));
    assert_string_equal(before.body.bytes, after.body.bytes);
    assert_string_not_equal(before.body.bytes, between.body.bytes);
    hrr_text_clear(&calm);
    hrr_text_clear(&change);
    hrr_text_clear(&before.body);
    hrr_text_clear(&between.body);
    hrr_text_clear(&after.body);
    clear(&f);
}

static void test_question__that_has_no_finite_answer_is_refused(void **state)
{
    (void)state;
    fixture f;
    hrr_reply reply = {0};
    hrr_text change = {0};
    hrr_error err = {0};
    make(&f);
    put_change(&change, &f, 4, 1.7e308);
    assert_int_equal(ask(&reply, &f, change.bytes, &err), HRR_EINVAL);
    assert_says(err, "too large");
    hrr_text_clear(&change);
    clear(&f);
}

static hrr_status ask_once(void *user)
{
    const fixture *f = user;
    hrr_reply reply = {0};
    hrr_status status = ask(&reply, f, f->json, NULL);
    /* Without memory for an answer there is an error, or nothing. */
    if (!status && reply.status != 200) status = HRR_ENOMEM;
    hrr_text_clear(&reply.body);
    return status;
}

static void test_question__survives_want_of_memory(void **state)
{
    (void)state;
    fixture f;
    hrr_text change = {0}, unseen = {0};
    make(&f);
    put_change(&change, &f, 4, .5);
    put_unseen(&unseen, &f, .5);
    const char *const texts[] = {about_nodes, change.bytes, unseen.bytes};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        f.json = texts[i];
        brutal(ask_once, &f);
    }
    hrr_text_clear(&change);
    hrr_text_clear(&unseen);
    clear(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_question__leaves_nothing_behind_for_the_next),
        cmocka_unit_test(test_question__that_has_no_finite_answer_is_refused),
        cmocka_unit_test(test_question__survives_want_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
