/* Whatever a file says, the page stays whole. */
#include "support/brutal.h"
#include "support/check.h"
#include "report/text.h"

#include <stdlib.h>

static void assert_escaped(const char *words, const char *expected)
{
    hrr_text text = {0};
    hrr_text_escape(&text, words);
    hrr_text_put(&text, ".");
    assert_int_equal(text.size, strlen(expected) + 1);
    assert_memory_equal(text.bytes, expected, strlen(expected));
    hrr_text_clear(&text);
}

static void test_escape__markup_is_text(void **state)
{
    (void)state;
    assert_escaped("<script>alert('x' & \"y\")</script>",
                   "&lt;script&gt;alert(&#39;x&#39; &amp; &quot;y&quot;)&lt;/script&gt;");
    assert_escaped("\u03b5 = 1 \U0001f600", "\u03b5 = 1 \U0001f600");
}

/* Latin-1, overlong forms, surrogates, truncated characters, controls, U+FFFF. */
static void test_escape__what_xml_forbids_is_replaced(void **state)
{
    (void)state;
    assert_escaped("caf\xe9!", "caf\ufffd!");
    assert_escaped("\xc0\xaf", "\ufffd\ufffd");
    assert_escaped("\xed\xa0\x80", "\ufffd\ufffd\ufffd");
    assert_escaped("\xf5\x80\x80\x80", "\ufffd\ufffd\ufffd\ufffd");
    assert_escaped("a\xe2\x82", "a\ufffd\ufffd");
    assert_escaped("\x01\x7f\x0c", "\ufffd\ufffd\ufffd");
    assert_escaped("\xef\xbf\xbf", "\ufffd\ufffd\ufffd");
    assert_escaped("tab\tline\n", "tab\tline\n");
}

static void test_field__is_quoted_where_it_must_be(void **state)
{
    static const char *const cases[][2] = {{"plain", "plain"},
                                           {"a,b", "\"a,b\""},
                                           {"say \"x\"", "\"say \"\"x\"\"\""},
                                           {"two\nlines", "\"two\nlines\""},
                                           {"#1", "\"#1\""},
                                           {"", ""}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hrr_text text = {0};
        hrr_text_field(&text, cases[i][0]);
        assert_string_equal(text.bytes ? text.bytes : "", cases[i][1]);
        hrr_text_clear(&text);
    }
}

/* The vectors of RFC 4648. */
static void test_base64__is_the_standard_one(void **state)
{
    static const char *const cases[][2] = {{"", ""},
                                           {"f", "Zg=="},
                                           {"fo", "Zm8="},
                                           {"foo", "Zm9v"},
                                           {"foob", "Zm9vYg=="},
                                           {"fooba", "Zm9vYmE="},
                                           {"foobar", "Zm9vYmFy"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hrr_text text = {0};
        hrr_text_base64(&text, cases[i][0], strlen(cases[i][0]));
        assert_string_equal(text.bytes, cases[i][1]);
        hrr_text_clear(&text);
    }
}

static hrr_status write_words(void *user)
{
    hrr_text text = {0};
    (void)user;
    for (int i = 0; i < 2000; i++) {
        hrr_text_printf(&text, "%d ", i);
        hrr_text_escape(&text, "<&>");
        hrr_text_base64(&text, "abc", 3);
    }
    const hrr_status status = text.failed ? HRR_ENOMEM : HRR_OK;
    hrr_text_clear(&text);
    return status;
}

static void test_text__remembers_that_memory_ran_out(void **state)
{
    (void)state;
    assert_true(brutal(write_words, NULL) > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_escape__markup_is_text),
        cmocka_unit_test(test_escape__what_xml_forbids_is_replaced),
        cmocka_unit_test(test_field__is_quoted_where_it_must_be),
        cmocka_unit_test(test_base64__is_the_standard_one),
        cmocka_unit_test(test_text__remembers_that_memory_ran_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
