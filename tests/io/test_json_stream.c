#include "io/bad_files.h"
#include "support/check.h"
#include "support/brutal.h"
#include "support/files.h"
#include "support/pack.h"

#include "io/json_stream.h"

#include <stdio.h>
#include <stdlib.h>

/* The events of a document as one line: {, }, [, ], k:TEXT, s:TEXT, n:TEXT, t, f, 0. */
static hrr_status events_of(const char *path, char *out, size_t size, hrr_error *err)
{
    static const char signs[] = "\0{}[]ksntf0";
    hrr_json_stream *json = NULL;
    hrr_status status = hrr_json_open(&json, path, NULL, err);
    size_t used = 0;
    out[0] = '\0';
    while (!status) {
        hrr_json_event event;
        if ((status = hrr_json_next(json, &event, err)) || event == HRR_JSON_END) break;
        bool text = event == HRR_JSON_KEY || event == HRR_JSON_STRING || event == HRR_JSON_NUMBER;
        used += (size_t)snprintf(out + used, size - used, text ? "%c:%s " : "%c ", signs[event],
                                 hrr_json_text(json));
    }
    hrr_json_close(json);
    return status;
}

static const char *put(void **state, const char *text)
{
    const char *path = in_dir(*state, "a.json");
    write_text(path, text);
    return path;
}

static void assert_events(void **state, const char *text, const char *expected)
{
    char events[4096];
    hrr_error err = {0};
    if (events_of(put(state, text), events, sizeof events, &err)) fail_msg("%s", err.message);
    assert_string_equal(events, expected);
}

static void refuse(void **state, const char *file, const char *text, const char *says)
{
    char events[4096];
    hrr_error err = {0};
    const char *path = in_dir(*state, file);
    write_text(path, text);
    if (events_of(path, events, sizeof events, &err) != HRR_EDATA)
        fail_msg("%s was accepted as %s", text, events);
    assert_says(err, path);
    assert_says(err, says);
}

static void test_json__events_come_in_order(void **state)
{
    assert_events(state,
                  "{\"a\": [1, -2.5e+3, \"x\"], \"b\": {\"c\": null}, \"d\": [true, false]}\n",
                  "{ k:a [ n:1 n:-2.5e+3 s:x ] k:b { k:c 0 } k:d [ t f ] } ");
    assert_events(state, " [ ] ", "[ ] ");
    assert_events(state, "{}", "{ } ");
    assert_events(state, "0", "n:0 ");
    assert_events(state, "\"\"", "s: ");
}

static void test_json__escapes_are_decoded(void **state)
{
    assert_events(state, "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "s:\"\\/\b\f\n\r\t ");
    assert_events(state, "\"\\u0041\\u00e9\\u4E2d\\ud83D\\uDE00\"",
                  "s:A\xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80 ");
    assert_events(state, "\"\xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80\"",
                  "s:\xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80 ");
}

static void test_json__a_zero_byte_in_a_string_shows_in_its_length(void **state)
{
    hrr_json_stream *json;
    hrr_json_event event;
    assert_ok(hrr_json_open(&json, put(state, "\"a\\u0000b\""), NULL, NULL));
    assert_ok(hrr_json_next(json, &event, NULL));
    assert_int_equal(hrr_json_length(json), 3);
    assert_memory_equal(hrr_json_text(json), "a\0b", 4);
    hrr_json_close(json);
}

static void test_json__what_the_grammar_forbids_is_refused(void **state)
{
    static const bad_text bad[] = {
        {"", ":1: the file ends in the middle"},
        {"{\"a\":\n\n1", ":3: the file ends in the middle"},
        {"[1", "the file ends in the middle"},
        {"[1,", "the file ends in the middle"},
        {"{\"a\"", "the file ends in the middle"},
        {"\"a", "the file ends in the middle"},
        {"\"a\\", "the file ends in the middle"},
        {"\"\\u12", "the file ends in the middle"},
        {"\"\\ud800", "the file ends in the middle"},
        {"\"\xc3", "the file ends in the middle"},
        {"tru", "the file ends in the middle"},
        {"[1]\n[2]", ":2: there is more text"},
        {"[1,]", "expected a JSON value"},
        {"[,1]", "expected a JSON value"},
        {"[1 2]", "expected a comma or the end of the list"},
        {"[1}", "expected a comma or the end of the list"},
        {"{\"a\":1]", "expected a comma or the end of the object"},
        {"{\"a\" 1}", "expected a colon"},
        {"{a:1}", "expected a key in quotes"},
        {"{\"a\":1,}", "expected a key in quotes"},
        {"{1:1}", "expected a key in quotes"},
        {"'a'", "expected a JSON value"},
        {"NaN", "expected a JSON value"},
        {"nul0", "JSON has no NaN"},
        {"-Infinity", "a number is not valid JSON"},
        {"+1", "expected a JSON value"},
        {0},
    };
    refuse_each(refuse, state, "a.json", bad);
}

static void test_json__numbers_follow_the_grammar(void **state)
{
    static const char *const wrong[] = {"01",  "-",   "1.",    ".5", "1e",
                                        "1e+", "--1", "1.2.3", "00", "-01"};
    static const char *const right[] = {"0", "-0", "10", "0.5", "1e5", "1E-5", "-1.25e+10"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char events[64];
        assert_int_equal(events_of(put(state, wrong[i]), events, sizeof events, NULL), HRR_EDATA);
    }
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        char events[64];
        assert_ok(events_of(put(state, right[i]), events, sizeof events, NULL));
    }
}

static void test_json__strings_must_be_unicode(void **state)
{
    static const bad_text bad[] = {
        {"\"\xff\"", "not valid UTF-8"},
        {"\"\x80\"", "not valid UTF-8"},
        {"\"\xc0\xaf\"", "not valid UTF-8"},         /* overlong */
        {"\"\xe0\x80\xaf\"", "not valid UTF-8"},     /* overlong */
        {"\"\xed\xa0\x80\"", "not valid UTF-8"},     /* a surrogate */
        {"\"\xf4\x90\x80\x80\"", "not valid UTF-8"}, /* over U+10FFFF */
        {"\"\xe4\xb8z\"", "not valid UTF-8"},
        {"\"\\udc00\"", "a low surrogate"},
        {"\"\\ud800\"", "a high surrogate"},
        {"\"\\ud800\\u0041\"", "a high surrogate"},
        {"\"\\ud800ab\"", "a high surrogate"},
        {"\"\\u00g0\"", "four hexadecimal digits"},
        {"\"\\x\"", "an unknown escape"},
        {"\"a\nb\"", "a string contains an unescaped control character"},
        {0},
    };
    refuse_each(refuse, state, "a.json", bad);
}

static void test_json__nesting_has_a_limit(void **state)
{
    char text[3 * HRR_JSON_MAX_DEPTH] = "";
    memset(text, '[', HRR_JSON_MAX_DEPTH);
    memset(text + HRR_JSON_MAX_DEPTH, ']', HRR_JSON_MAX_DEPTH);
    char events[8192];
    assert_ok(events_of(put(state, text), events, sizeof events, NULL));
    memset(text, '[', HRR_JSON_MAX_DEPTH + 1);
    refuse(state, "a.json", text, "nested more than 64 deep");
}

static void test_json__a_string_has_a_limit_and_may_span_windows(void **state)
{
    /* Longer than the reader's window of a megabyte, so that strings and numbers are cut by it. */
    size_t size = 3 << 20, used = 1;
    char *text = malloc(size + 64);
    text[0] = '[';
    uint64_t count = 0;
    while (used < size) {
        used += (size_t)sprintf(text + used, "\"caf\xc3\xa9 %llu\",%llu,\n",
                                (unsigned long long)count, (unsigned long long)count);
        count++;
    }
    used += (size_t)sprintf(text + used, "null]");
    const char *path = in_dir(*state, "long.json");
    write_file(path, text, used);
    write_gzip(in_dir(*state, "long.json.gz"), text, used, 0);
    for (int packed = 0; packed < 2; packed++) {
        hrr_json_stream *json;
        hrr_json_event event;
        char expected[64];
        int64_t value;
        assert_ok(hrr_json_open(&json, packed ? in_dir(*state, "long.json.gz") : path, NULL, NULL));
        assert_ok(hrr_json_expect(json, HRR_JSON_ARRAY, "a list", NULL));
        for (uint64_t i = 0; i < count; i++) {
            assert_ok(hrr_json_next(json, &event, NULL));
            snprintf(expected, sizeof expected, "caf\xc3\xa9 %llu", (unsigned long long)i);
            assert_string_equal(hrr_json_text(json), expected);
            assert_ok(hrr_json_next(json, &event, NULL));
            assert_int_equal(event, HRR_JSON_NUMBER);
            assert_true(hrr_json_integer(json, &value));
            assert_int_equal(value, i);
        }
        assert_ok(hrr_json_expect(json, HRR_JSON_NULL, "null", NULL));
        hrr_json_close(json);
    }
    memset(text, 'x', HRR_JSON_MAX_TEXT + 2);
    text[0] = '"';
    text[HRR_JSON_MAX_TEXT + 2] = '\0';
    refuse(state, "a.json", text, "longer than 1048576 bytes");
    free(text);
}

static void test_json__skip_passes_over_a_whole_value(void **state)
{
    hrr_json_stream *json;
    hrr_json_event event;
    assert_ok(
        hrr_json_open(&json, put(state, "{\"a\":{\"b\":[1,{\"c\":2}]},\"d\":3}"), NULL, NULL));
    assert_ok(hrr_json_expect(json, HRR_JSON_OBJECT, "", NULL));
    assert_ok(hrr_json_expect(json, HRR_JSON_KEY, "", NULL));
    assert_ok(hrr_json_next(json, &event, NULL));
    assert_ok(hrr_json_skip(json, event, NULL));
    assert_ok(hrr_json_expect(json, HRR_JSON_KEY, "", NULL));
    assert_string_equal(hrr_json_text(json), "d");
    assert_ok(hrr_json_next(json, &event, NULL));
    assert_ok(hrr_json_skip(json, event, NULL));
    assert_ok(hrr_json_expect(json, HRR_JSON_OBJECT_END, "", NULL));
    assert_ok(hrr_json_expect(json, HRR_JSON_END, "", NULL));
    hrr_json_close(json);
}

static void test_json__integers_are_whole_and_fit(void **state)
{
    static const struct {
        const char *text;
        bool fits;
        int64_t value;
    } cases[] = {{"0", true, 0},
                 {"-7", true, -7},
                 {"9223372036854775807", true, INT64_MAX},
                 {"9223372036854775808", false, 0},
                 {"1.0", false, 0},
                 {"1e3", false, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hrr_json_stream *json;
        int64_t value = 0;
        assert_ok(hrr_json_open(&json, put(state, cases[i].text), NULL, NULL));
        assert_ok(hrr_json_expect(json, HRR_JSON_NUMBER, "", NULL));
        assert_int_equal(hrr_json_integer(json, &value), cases[i].fits);
        if (cases[i].fits) assert_int_equal(value, cases[i].value);
        hrr_json_close(json);
    }
}

static void test_json__expect_says_what_was_found(void **state)
{
    hrr_json_stream *json;
    hrr_error err = {0};
    assert_ok(hrr_json_open(&json, put(state, "\n\n[]"), NULL, NULL));
    assert_int_equal(
        hrr_json_expect(json, HRR_JSON_OBJECT, "an object that maps ids to rows", &err), HRR_EDATA);
    assert_says(err, "a.json:3: expected an object that maps ids to rows, found a list");
    hrr_json_close(json);
}

static void test_json__a_missing_file_is_named(void **state)
{
    hrr_json_stream *json;
    hrr_error err = {0};
    assert_int_equal(hrr_json_open(&json, in_dir(*state, "none.json"), NULL, &err), HRR_EIO);
    assert_null(json);
    assert_says(err, "none.json");
}

static void test_json__cancelling_is_answered(void **state)
{
    hrr_progress *progress;
    hrr_json_stream *json;
    hrr_json_event event;
    assert_ok(hrr_progress_new(&progress, NULL, NULL, NULL));
    hrr_progress_cancel(progress);
    assert_ok(hrr_json_open(&json, put(state, "[1]"), progress, NULL));
    assert_int_equal(hrr_json_next(json, &event, NULL), HRR_ECANCEL);
    hrr_json_close(json);
    hrr_progress_free(progress);
}

static hrr_status read_all(void *path)
{
    char events[4096];
    return events_of(path, events, sizeof events, NULL);
}

static void test_json__survives_running_out_of_memory_anywhere(void **state)
{
    char text[1024] = "[\"";
    memset(text + 2, 'y', 900); /* long enough to make the text buffer grow */
    strcpy(text + 902, "\"]");
    assert_true(brutal(read_all, (void *)(uintptr_t)put(state, text)) >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_json__events_come_in_order),
        WITH_SCRATCH(test_json__escapes_are_decoded),
        WITH_SCRATCH(test_json__a_zero_byte_in_a_string_shows_in_its_length),
        WITH_SCRATCH(test_json__what_the_grammar_forbids_is_refused),
        WITH_SCRATCH(test_json__numbers_follow_the_grammar),
        WITH_SCRATCH(test_json__strings_must_be_unicode),
        WITH_SCRATCH(test_json__nesting_has_a_limit),
        WITH_SCRATCH(test_json__a_string_has_a_limit_and_may_span_windows),
        WITH_SCRATCH(test_json__skip_passes_over_a_whole_value),
        WITH_SCRATCH(test_json__integers_are_whole_and_fit),
        WITH_SCRATCH(test_json__expect_says_what_was_found),
        WITH_SCRATCH(test_json__a_missing_file_is_named),
        WITH_SCRATCH(test_json__cancelling_is_answered),
        WITH_SCRATCH(test_json__survives_running_out_of_memory_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
