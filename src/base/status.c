/* status.c: statuses, their names, and the error message that travels with them. */
#include <heterorr/base.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *hrr_version(void)
{
    return HRR_VERSION_STRING;
}

const char *hrr_status_name(hrr_status status)
{
    switch (status) {
    case HRR_OK:
        return "ok";
    case HRR_EINVAL:
        return "bad_request";
    case HRR_EDATA:
        return "bad_data";
    case HRR_EIO:
        return "io_error";
    case HRR_ENOMEM:
        return "out_of_memory";
    case HRR_EBUDGET:
        return "budget_refused";
    case HRR_ECANCEL:
        return "interrupted";
    case HRR_ECHECK:
        return "check_failed";
    case HRR_ERANKS:
        return "ranks_unavailable";
    }
    return "unknown";
}

/* The first name in backquotes. A name is made of small letters, digits, _ and dots, so that other
 * text between backquotes, such as a part of a path, is not taken for one. */
static void find_field(char field[HRR_FIELD_SIZE], const char *message)
{
    field[0] = '\0';
    for (const char *at = message; (at = strchr(at, '`')); at++) {
        size_t length = strspn(at + 1, "abcdefghijklmnopqrstuvwxyz0123456789_.");
        if (length == 0 || length >= HRR_FIELD_SIZE || at[1 + length] != '`') continue;
        memcpy(field, at + 1, length);
        field[length] = '\0';
        return;
    }
}

hrr_status hrr_fail(hrr_error *err, hrr_status status, const char *format, ...)
{
    if (err) {
        va_list arguments;
        va_start(arguments, format);
        err->status = status;
        vsnprintf(err->message, sizeof err->message, format, arguments);
        va_end(arguments);
        find_field(err->field, err->message);
    }
    return status;
}

const char *hrr_plural(uint64_t number, const char *one, const char *many)
{
    return number == 1 ? one : many;
}
