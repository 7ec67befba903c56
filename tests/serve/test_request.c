/* Requests of strangers: what is right becomes tensors, what is wrong is named. */
#include "serve/route.h"
#include "serve/tensor.h"
#include "support/brutal.h"
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static hrr_status parse(hrr_infer_request *out, const char *json, hrr_error *err)
{
    return hrr_infer_parse(out, json, strlen(json), strlen(json), err);
}

static void test_request__has_tensors_of_every_kind(void **state)
{
    (void)state;
    hrr_infer_request request;
    assert_ok(parse(&request,
                    "{\"id\": \"seven\", \"inputs\": ["
                    "{\"name\": \"a\", \"datatype\": \"INT64\", \"shape\": [2, 2], \"data\": [[1, "
                    "-2], [3, 4]]},"
                    "{\"name\": \"b\", \"datatype\": \"FP32\", \"shape\": [2], \"data\": [1, 0.1]},"
                    "{\"name\": \"c\", \"datatype\": \"BYTES\", \"shape\": [2], \"data\": [\"x\", "
                    "\"\"]}],"
                    "\"outputs\": [{\"name\": \"o\", \"parameters\": {\"binary_data\": true}}]}",
                    NULL));
    assert_string_equal(request.id, "seven");
    const hrr_tensor *a = hrr_infer_input(&request, "a"), *b = hrr_infer_input(&request, "b"),
                     *c = hrr_infer_input(&request, "c");
    assert_int_equal(a->n_dims, 2);
    assert_int_equal(a->n, 4);
    assert_int_equal(a->integers[1], -2);
    assert_true(b->reals[1] == (double)0.1f);
    assert_string_equal(c->text + c->text_start[0], "x");
    assert_string_equal(c->text + c->text_start[1], "");
    assert_int_equal(request.n_outputs, 1);
    assert_true(request.outputs[0].binary);
    assert_null(hrr_infer_input(&request, "d"));
    hrr_infer_request_clear(&request);
}

/* JSON, then 2 INT32, 1 FP64 and the texts "ab" and "". */
static const char binary_json[] =
    "{\"parameters\": {\"binary_data_output\": true}, \"inputs\": ["
    "{\"name\": \"a\", \"datatype\": \"INT32\", \"shape\": [2], \"parameters\": "
    "{\"binary_data_size\": 8}},"
    "{\"name\": \"b\", \"datatype\": \"FP64\", \"shape\": [1], \"parameters\": "
    "{\"binary_data_size\": 8}},"
    "{\"name\": \"c\", \"datatype\": \"BYTES\", \"shape\": [2], \"parameters\": "
    "{\"binary_data_size\": 10}}]}";
static const char binary_data[] = "\x02\0\0\0\xff\xff\xff\xff"
                                  "\0\0\0\0\0\0\xf0\x3f"
                                  "\x02\0\0\0ab\0\0\0";

static hrr_status parse_binary(hrr_infer_request *out, const char *data, size_t size,
                               hrr_error *err)
{
    char body[sizeof binary_json + 64];
    const size_t json = strlen(binary_json);
    memcpy(body, binary_json, json);
    memcpy(body + json, data, size);
    return hrr_infer_parse(out, body, json + size, json, err);
}

static void test_request__has_binary_tensors(void **state)
{
    (void)state;
    hrr_infer_request request;
    hrr_error err = {0};
    assert_ok(parse_binary(&request, binary_data, sizeof binary_data, NULL));
    assert_true(request.binary);
    assert_int_equal(request.inputs[0].integers[0], 2);
    assert_int_equal(request.inputs[0].integers[1], -1);
    assert_true(request.inputs[1].reals[0] == 1);
    assert_string_equal(request.inputs[2].text, "ab");
    hrr_infer_request_clear(&request);
    for (size_t size = 0; size < sizeof binary_data; size++)
        assert_int_equal(parse_binary(&request, binary_data, size, NULL), HRR_EINVAL);
    char wrong[sizeof binary_data + 1];
    memcpy(wrong, binary_data, sizeof binary_data);
    assert_int_equal(parse_binary(&request, wrong, sizeof wrong, &err), HRR_EINVAL);
    assert_says(err, "do not belong to any input");
    wrong[14] = '\xf8'; /* infinity has no fraction; this is not a number */
    wrong[15] = '\x7f';
    assert_int_equal(parse_binary(&request, wrong, sizeof binary_data, &err), HRR_EINVAL);
    assert_says(err, "element 0 of input 'b'");
    memcpy(wrong, binary_data, sizeof binary_data);
    wrong[16] = '\x7f'; /* a text of 127 bytes, where 6 are left */
    assert_int_equal(parse_binary(&request, wrong, sizeof binary_data, &err), HRR_EINVAL);
    assert_says(err, "damaged");
}

/* Of every width; the last of three is one that the type does not have. */
static void test_request__has_integers_of_every_width(void **state)
{
    (void)state;
    static const struct {
        const char *type, *wrong;
        unsigned width;
    } rows[] = {{"INT8", NULL, 1},   {"INT16", NULL, 2}, {"INT32", NULL, 4},
                {"INT64", NULL, 8},  {"UINT8", NULL, 1}, {"UINT16", NULL, 2},
                {"UINT32", NULL, 4}, {"UINT64", "2", 8}, {"BOOL", "2", 1}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        const unsigned width = rows[k].width;
        hrr_infer_request request;
        hrr_error err = {0};
        char body[300] = {0}, says[64];
        const int json =
            snprintf(body, sizeof body,
                     "{\"inputs\": [{\"name\": \"a\", \"datatype\": \"%s\", \"shape\": "
                     "[3], \"parameters\": {\"binary_data_size\": %u}}]}",
                     rows[k].type, 3 * width);
        body[(unsigned)json + width] = 1;                       /* 0, 1... */
        memset(body + (unsigned)json + 2 * width, 0xff, width); /* ... -1, or the largest */
        const hrr_status status =
            hrr_infer_parse(&request, body, (unsigned)json + 3 * width, (unsigned)json, &err);
        assert_int_equal(status, rows[k].wrong ? HRR_EINVAL : HRR_OK);
        if (rows[k].wrong) {
            snprintf(says, sizeof says, "element %s of input 'a' is not of type %s", rows[k].wrong,
                     rows[k].type);
            assert_says(err, says);
            continue;
        }
        const int64_t *found = request.inputs[0].integers;
        assert_int_equal(found[0], 0);
        assert_int_equal(found[1], 1);
        assert_true(found[2] == (rows[k].type[0] == 'I' ? -1 : (INT64_C(1) << 8 * width) - 1));
        hrr_infer_request_clear(&request);
    }
}

#define TENSOR(type, shape, data)                                                                  \
    "{\"inputs\": [{\"name\": \"a\", \"datatype\": " type ", \"shape\": " shape                    \
    ", \"data\": " data "}]}"

#define BINARY(size)                                                                               \
    "{\"inputs\": [{\"name\": \"a\", \"datatype\": \"INT64\", \"shape\": [1], \"parameters\": "    \
    "{\"binary_data_size\": " size "}}]}"

static const struct {
    const char *json, *says;
} bad[] = {
    {"", "not valid JSON"},
    {"{", "not valid JSON"},
    {"[1]", "not a JSON object"},
    {"{\"a\": 1, \"a\": 2}", "not valid JSON"},
    {"{}", "'inputs'"},
    {"{\"inputs\": []}", "'inputs'"},
    {"{\"inputs\": [1]}", "no name"},
    {"{\"id\": 7, \"inputs\": []}", "'id'"},
    {"{\"inputs\": [{\"name\": \"a\"}]}", "'datatype'"},
    {TENSOR("\"INT7\"", "[1]", "[1]"), "'datatype'"},
    {TENSOR("7", "[1]", "[1]"), "'datatype'"},
    {TENSOR("\"INT64\"", "1", "[1]"), "'shape'"},
    {TENSOR("\"INT64\"", "[1, 1, 1, 1, 1]", "[1]"), "'shape'"},
    {TENSOR("\"INT64\"", "[-1]", "[1]"), "dimension 0"},
    {TENSOR("\"INT64\"", "[1.5]", "[1]"), "dimension 0"},
    {TENSOR("\"INT64\"", "[4294967296, 4294967296]", "[1]"), "dimension 1"},
    {TENSOR("\"INT64\"", "[4611686018427387904]", "[1]"), "fewer elements"},
    {TENSOR("\"INT64\"", "[2]", "[1]"), "fewer elements"},
    {TENSOR("\"INT64\"", "[1]", "[1, 2]"), "more elements"},
    {TENSOR("\"INT64\"", "[1]", "1"), "needs a list 'data'"},
    {TENSOR("\"INT64\"", "[1]", "[[[[[1]]]]]"), "nested too deeply"},
    {TENSOR("\"INT64\"", "[1]", "[1.0]"), "not of type INT64"},
    {TENSOR("\"INT64\"", "[1]", "[\"1\"]"), "not of type INT64"},
    {TENSOR("\"INT64\"", "[1]", "[9223372036854775808]"), "not valid JSON"},
    {TENSOR("\"UINT64\"", "[1]", "[-1]"), "not of type UINT64"},
    {TENSOR("\"INT8\"", "[1]", "[128]"), "not of type INT8"},
    {TENSOR("\"UINT8\"", "[1]", "[256]"), "not of type UINT8"},
    {TENSOR("\"BOOL\"", "[1]", "[2]"), "not of type BOOL"},
    {TENSOR("\"FP64\"", "[1]", "[NaN]"), "not valid JSON"},
    {TENSOR("\"FP64\"", "[1]", "[1e400]"), "not valid JSON"},
    {TENSOR("\"FP32\"", "[1]", "[1e300]"), "not of type FP32"},
    {TENSOR("\"FP64\"", "[1]", "[null]"), "not of type FP64"},
    {TENSOR("\"BYTES\"", "[1]", "[1]"), "not of type BYTES"},
    {TENSOR("\"BYTES\"", "[1]", "[\"a\\u0000b\"]"), "not valid JSON"},
    {BINARY("8"), "binary_data_size"},
    {BINARY("-8"), "binary_data_size"},
    {BINARY("9223372036854775807"), "binary_data_size"},
    {BINARY("9223372036854775808"), "not valid JSON"},
    {BINARY("8.0"), "binary_data_size"},
    {"{\"inputs\": [{\"name\": \"a\", \"datatype\": \"INT64\", \"shape\": [0], \"data\": []}, "
     "{\"name\": \"a\", \"datatype\": \"INT64\", \"shape\": [0], \"data\": []}]}",
     "given twice"},
    {"{\"outputs\": [{\"name\": \"a\"}, {\"name\": \"a\"}], \"inputs\": []}", "given twice"},
    {"{\"x\": {\"data\": [}]}, \"inputs\": [{\"name\": \"a\", \"datatype\": \"INT64\", \"shape\": "
     "[1], \"data\": [1]}]}",
     "not valid JSON"},
    {"{\"outputs\": 7, \"inputs\": []}", "'outputs'"},
};

static void test_request__what_is_wrong_is_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        hrr_infer_request request;
        hrr_error err = {0};
        if (parse(&request, bad[i].json, &err) != HRR_EINVAL) fail_msg("%s passed", bad[i].json);
        assert_says(err, bad[i].says);
        assert_int_equal(request.n_inputs, 0);
    }
}

static void test_request__says_how_much_of_it_is_json(void **state)
{
    (void)state;
    hrr_infer_request request;
    hrr_error err = {0};
    assert_int_equal(hrr_infer_parse(&request, "{}", 2, 3, &err), HRR_EINVAL);
    assert_says(err, "fewer than the header");
}

static void test_request__nests_as_deeply_as_it_likes(void **state)
{
    (void)state;
    enum { depth = 100000 };
    hrr_infer_request request;
    char *json = malloc(depth);
    memset(json, '[', depth);
    assert_int_equal(hrr_infer_parse(&request, json, depth, depth, NULL), HRR_EINVAL);
    free(json);
}

static hrr_status parse_once(void *user)
{
    hrr_infer_request request;
    (void)user;
    const hrr_status status = parse_binary(&request, binary_data, sizeof binary_data, NULL);
    hrr_infer_request_clear(&request);
    return status;
}

static void test_request__survives_want_of_memory(void **state)
{
    (void)state;
    brutal(parse_once, NULL);
}

/* ---- addresses ------------------------------------------------------------------------------- */

static void test_route__finds_models(void **state)
{
    (void)state;
    char model[HRR_MODEL_NAME];
    assert_int_equal(hrr_route_find(model, "/v2/models/a-b_c.1/infer"), HRR_ROUTE_INFER);
    assert_string_equal(model, "a-b_c.1");
    assert_int_equal(hrr_route_find(model, "/v2/models/m/versions/1/infer"), HRR_ROUTE_INFER);
    assert_int_equal(hrr_route_find(model, "/v2/models/m"), HRR_ROUTE_MODEL);
    assert_int_equal(hrr_route_find(model, "/v2/models/m/ready"), HRR_ROUTE_MODEL_READY);
    assert_int_equal(hrr_route_find(model, "/v2/health/live"), HRR_ROUTE_LIVE);
    assert_int_equal(hrr_route_find(model, "/"), HRR_ROUTE_PAGE);
    assert_true(hrr_route_takes(HRR_ROUTE_PAGE, "HEAD"));
    assert_false(hrr_route_takes(HRR_ROUTE_PAGE, "POST"));
    assert_true(hrr_route_takes(HRR_ROUTE_INFER, "POST"));
}

static void test_route__finds_nothing_else(void **state)
{
    (void)state;
    static const char *const nowhere[] = {"",
                                          "/v2/",
                                          "/v3",
                                          "/v2/models",
                                          "/v2/models/",
                                          "/v2/models//infer",
                                          "/v2/models/a/../b/infer",
                                          "/v2/models/m/versions/2/infer",
                                          "/v2/models/m/infers",
                                          "/v2/models/{model}/infer",
                                          "(unknown)"};
    char model[HRR_MODEL_NAME], path[256] = "/v2/models/";
    for (size_t i = 0; i < sizeof nowhere / sizeof nowhere[0]; i++)
        assert_int_equal(hrr_route_find(model, nowhere[i]), HRR_ROUTE_NONE);
    memset(path + strlen(path), 'a', HRR_MODEL_NAME);
    assert_int_equal(hrr_route_find(model, path), HRR_ROUTE_NONE);
}

static void test_route__names_are_safe_in_addresses(void **state)
{
    (void)state;
    assert_true(hrr_model_name_is_good("cora-1.5_b"));
    assert_false(hrr_model_name_is_good(""));
    assert_false(hrr_model_name_is_good("."));
    assert_false(hrr_model_name_is_good(".."));
    assert_false(hrr_model_name_is_good("a/b"));
    assert_false(hrr_model_name_is_good("a b"));
    assert_false(hrr_model_name_is_good("a\"b"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_request__has_tensors_of_every_kind),
        cmocka_unit_test(test_request__has_binary_tensors),
        cmocka_unit_test(test_request__has_integers_of_every_width),
        cmocka_unit_test(test_request__what_is_wrong_is_named),
        cmocka_unit_test(test_request__says_how_much_of_it_is_json),
        cmocka_unit_test(test_request__nests_as_deeply_as_it_likes),
        cmocka_unit_test(test_request__survives_want_of_memory),
        cmocka_unit_test(test_route__finds_models),
        cmocka_unit_test(test_route__finds_nothing_else),
        cmocka_unit_test(test_route__names_are_safe_in_addresses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
