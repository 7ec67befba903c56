/* Numbers of requests and answers are those that the C library reads and writes. */
#include "serve/decimal.h"
#include "serve/json_lists.h"
#include "serve/real_digits.h"
#include "random/fast.h"
#include "support/check.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void assert_written(double value, int digits)
{
    char ours[HRR_REAL_DIGITS + 1], wanted[64];
    ours[hrr_real_digits(ours, value, digits)] = '\0';
    snprintf(wanted, sizeof wanted, "%.*g", digits, value);
    assert_string_equal(ours, wanted);
}

static void test_digits__are_those_of_printf(void **state)
{
    (void)state;
    static const double special[] = {0,
                                     -0.,
                                     1,
                                     .5,
                                     .1,
                                     1e-4,
                                     1e-5,
                                     9.5,
                                     123456789,
                                     1e16,
                                     1e17,
                                     1e22,
                                     1e-11,
                                     1e-12,
                                     1e300,
                                     5e-324,
                                     0x1p53,
                                     0x1p-30,
                                     .99999999999999994,
                                     9999999999999998.,
                                     1 / 3.,
                                     2 / 3.,
                                     .3,
                                     1e15};
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++)
        for (int digits = 1; digits <= 17; digits++) {
            assert_written(special[i], digits);
            assert_written(-special[i], digits);
        }
    hrr_fast_random random;
    hrr_fast_init(&random, 1, 0);
    for (int i = 0; i < 300000; i++) {
        const double u = hrr_fast_uniform(&random);
        assert_written(u, 17);
        assert_written(exp(60 * (u - .5)), 17);
        assert_written(round(u * 1000) / 1000, 15);
        assert_written(-exp(700 * (u - .5)), 1 + i % 17);
        assert_written(ldexp(floor(u * 4096), i % 60 - 40), 1 + i % 17); /* ties */
    }
}

static void test_reals__are_those_of_strtod(void **state)
{
    (void)state;
    hrr_fast_random random;
    hrr_fast_init(&random, 2, 0);
    for (int i = 0; i < 300000; i++) {
        char text[64];
        double read;
        const double u = hrr_fast_uniform(&random), value = exp(600 * (u - .5)) * (i % 2 ? 1 : -1);
        const int digits = i % 20;
        if (i % 3)
            snprintf(text, sizeof text, "[%.*e]", digits, value);
        else
            snprintf(text, sizeof text, "[ %.*f ]", digits, u * 1e6);
        const hrr_json_list list = {.at = text, .size = strlen(text)};
        assert_true(hrr_json_list_reals(&read, 1, &list, 1));
        const double wanted = strtod(text + 1, NULL);
        assert_memory_equal(&read, &wanted, sizeof read);
    }
}

static void test_lists__have_numbers_alone(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int n; /* numbers that it has; -1: not a list of such */
        bool integers;
    } rows[] = {
        {"[]", 0, true},
        {"[ ]", 0, true},
        {"[1]", 1, true},
        {"[-1,\t2 ,\n3]", 3, true},
        {"[[1],[2,3]]", 3, true},
        {"[true,false]", 2, true},
        {"[1.5]", -1, true},
        {"[1e2]", -1, true},
        {"[01]", -1, true},
        {"[-]", -1, true},
        {"[+1]", -1, true},
        {"[1,]", -1, true},
        {"[,1]", -1, true},
        {"[1 2]", -1, true},
        {"[1]]", -1, true},
        {"[[1]", -1, true},
        {"[1", -1, true},
        {"[", -1, true},
        {"[tru]", -1, true},
        {"[1][2]", -1, true},
        {"[\"1\"]", -1, true},
        {"[999999999999999999]", 1, true},
        {"[9999999999999999999]", -1, true},
        {"[0.5,1,-1e-3,1E+2]", 4, false},
        {"[0.]", -1, false},
        {"[.5]", -1, false},
        {"[1e]", -1, false},
        {"[1e+]", -1, false},
        {"[00.5]", -1, false},
        {"[NaN]", -1, false},
        {"[1e999]", -1, false},
        {"[true]", -1, false},
        {"[[[[1]]]]", -1, false},
        {"[[[1]]]", 1, false},
        {"[0x10]", -1, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t integers[8];
        double reals[8];
        const size_t size = strlen(rows[i].text);
        char *copy = malloc(size); /* so that a sanitizer sees what is read behind it */
        memcpy(copy, rows[i].text, size);
        const hrr_json_list list = {.at = copy, .size = size};
        for (uint64_t n = 0; n < 8; n++) {
            const bool good = rows[i].integers ? hrr_json_list_integers(integers, n, &list, 3)
                                               : hrr_json_list_reals(reals, n, &list, 3);
            if (good != ((int)n == rows[i].n)) fail_msg("%s of %d", rows[i].text, (int)n);
        }
        free(copy);
    }
}

/* What jansson says: the integers of a list; false: it is no list of n integers. */
static bool read_with_library(int64_t *out, uint64_t n, const char *text, size_t size)
{
    json_t *list = json_loadb(text, size, 0, NULL);
    bool good = json_array_size(list) == n;
    for (uint64_t i = 0; i < n && good; i++) {
        const json_t *item = json_array_get(list, i);
        good = json_is_integer(item) || json_is_boolean(item);
        out[i] = json_integer_value(item);
    }
    json_decref(list);
    return good;
}

/* Numbers of more than 18 digits are left to the library. */
static bool has_long_number(const char *text, size_t size)
{
    int digits = 0;
    for (size_t i = 0; i < size && digits <= 18; i++)
        digits = text[i] >= '0' && text[i] <= '9' ? digits + 1 : 0;
    return digits > 18;
}

/* Long lists are read in blocks. A list, and the same with up to three bytes changed, are what
 * jansson takes them for. */
static void test_lists__long_ones_are_read_as_by_a_library(void **state)
{
    (void)state;
    enum { n = 60, rounds = 20000 };
    static const char changes[] = " ,0123456789-[]x.\n\t\r\ve";
    hrr_fast_random random;
    hrr_fast_init(&random, 3, 0);
    int n_bad = 0, n_good = 0;
    for (int round = 0; round < rounds; round++) {
        int64_t found[n], wanted[n];
        hrr_text text = {0};
        for (int i = 0; i < n; i++) {
            static const char *const gaps[] = {"", "", " ", "\n", "\t", "\r\n  "};
            uint64_t most = 10;
            for (uint64_t d = hrr_fast_below(&random, 9); d; d--)
                most *= 10;
            const int gap = round % 3 ? 0 : 6;
            hrr_text_put(&text, i ? "," : "[");
            hrr_text_put(&text, round % 3 == 1 ? " " : gap ? gaps[hrr_fast_below(&random, 6)] : "");
            hrr_text_printf(&text, "%llu", (unsigned long long)hrr_fast_below(&random, most));
            hrr_text_put(&text, gap ? gaps[hrr_fast_below(&random, 6)] : "");
        }
        hrr_text_put(&text, "]");
        char *copy = malloc(text.size); /* so that a sanitizer sees what is read behind it */
        memcpy(copy, text.bytes, text.size);
        for (int change = 0; change < round % 4; change++)
            copy[1 + hrr_fast_below(&random, text.size - 1)] =
                changes[hrr_fast_below(&random, sizeof changes - 1)];
        const hrr_json_list list = {.at = copy, .size = text.size};
        const bool good = hrr_json_list_integers(found, n, &list, 1);
        if (good !=
            (read_with_library(wanted, n, copy, text.size) && !has_long_number(copy, text.size)))
            fail_msg("%s: %.*s", good ? "taken" : "refused", (int)text.size, copy);
        if (good) assert_memory_equal(found, wanted, sizeof found);
        n_good += good;
        n_bad += !good;
        free(copy);
        hrr_text_clear(&text);
    }
    assert_true(n_good > rounds / 4 && n_bad > rounds / 10);
}

/* Labels are written by eight digits, and read by as many. */
static void test_decimals__are_those_of_printf(void **state)
{
    (void)state;
    hrr_fast_random random;
    hrr_fast_init(&random, 4, 0);
    for (uint32_t i = 0; i < 400000; i++) {
        const uint32_t value = i < 100000   ? i
                               : i < 200000 ? 99999999 - (i - 100000)
                                            : (uint32_t)hrr_fast_below(&random, 100000000);
        char ours[9] = "", wanted[16];
        hrr_eight_digits(ours, value);
        snprintf(wanted, sizeof wanted, "%08u", value);
        assert_string_equal(ours, wanted);
        const int n = snprintf(wanted, sizeof wanted, "%u,234567", value);
        assert_true(n > 0 && hrr_read_digits(wanted, (unsigned)n - 7) == value);
    }
}

static void assert_rest(const char *text, const char *rest, uint32_t n)
{
    hrr_json_lists lists;
    assert_ok(hrr_json_lists_take(&lists, text, strlen(text), NULL));
    assert_string_equal(lists.rest.bytes, rest);
    assert_int_equal(lists.n, n);
    hrr_text_clear(&lists.rest);
}

static void test_lists__are_found_by_their_name(void **state)
{
    (void)state;
    assert_rest("{\"data\" : [1, [2], 3] , \"x\": [4]}", "{\"data\" : [0] , \"x\": [4]}", 1);
    assert_rest("{\"a\":{\"data\":[\"]\", \"\\\"]\"]},\"data\":[]}",
                "{\"a\":{\"data\":[0]},\"data\":[1]}", 2);
    assert_rest("{\"x\":\"\\\"data\\\":[1]\"}", "{\"x\":\"\\\"data\\\":[1]\"}", 0);
    assert_rest("[\"data\", [1]]", "[\"data\", [1]]", 0);
    assert_rest("{\"data\":1}", "{\"data\":1}", 0);
    assert_rest("{\"data\":[1", "{\"data\":[1", 0);
    assert_rest("\"data", "\"data", 0);
    assert_rest("{\"data\":[\"\\", "{\"data\":[\"\\", 0);
    char json[300];
    for (int i = 0; i < 200; i++) { /* brackets and quotation marks everywhere in a block */
        snprintf(json, sizeof json, "{\"data\":[%*s[1],%*s\"]\",2]}", i, "", 200 - i, "");
        assert_rest(json, "{\"data\":[0]}", 1);
    }
    hrr_json_lists lists;
    hrr_error err = {0};
    static const char escaped[] = "{\"d\\u0061ta\":[5]}";
    assert_int_equal(hrr_json_lists_take(&lists, escaped, strlen(escaped), &err), HRR_EINVAL);
    assert_says(err, "escapes");
    hrr_text_clear(&lists.rest);
    hrr_text many = {0};
    for (int i = 0; i <= HRR_MOST_LISTS; i++)
        hrr_text_put(&many, "\"data\":[1],");
    assert_int_equal(hrr_json_lists_take(&lists, many.bytes, many.size, &err), HRR_EINVAL);
    hrr_text_clear(&lists.rest);
    hrr_text_clear(&many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_digits__are_those_of_printf),
        cmocka_unit_test(test_reals__are_those_of_strtod),
        cmocka_unit_test(test_lists__have_numbers_alone),
        cmocka_unit_test(test_lists__long_ones_are_read_as_by_a_library),
        cmocka_unit_test(test_decimals__are_those_of_printf),
        cmocka_unit_test(test_lists__are_found_by_their_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
