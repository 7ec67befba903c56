/* check.h: cmocka with what it needs before it. */
#ifndef TESTS_SUPPORT_CHECK_H
#define TESTS_SUPPORT_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <heterorr/base.h>

/* The call must succeed; its message is shown if it does not. */
#define assert_ok(call)                                                                            \
    do {                                                                                           \
        hrr_status check_status_ = (call);                                                         \
        if (check_status_ != HRR_OK)                                                               \
            print_error("%s: %s\n", #call, hrr_status_name(check_status_));                        \
        assert_int_equal(check_status_, HRR_OK);                                                   \
    } while (0)

/* err.message must contain the text. */
#define assert_says(err, text)                                                                     \
    do {                                                                                           \
        if (!strstr((err).message, (text)))                                                        \
            print_error("\"%s\" does not say \"%s\"\n", (err).message, (text));                    \
        assert_non_null(strstr((err).message, (text)));                                            \
    } while (0)

#endif
