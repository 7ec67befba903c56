/* message.c: see message.h. Colour follows https://no-color.org: none when NO_COLOR is set to
 * anything but the empty text. */
#include "cli/message.h"
#include "cli/fields.h"

#include <langinfo.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static bool wants_colour(void)
{
    const char *refused = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) && !(refused && *refused) &&
           !(terminal && strcmp(terminal, "dumb") == 0);
}

static bool quiet;

void cli_be_quiet(void)
{
    quiet = true;
}

bool cli_is_quiet(void)
{
    return quiet;
}

static void say(const char *kind, const char *colour, const char *message)
{
    if (quiet) return;
    fflush(stdout); /* so that a terminal shows both streams in the order they were written */
    if (wants_colour())
        fprintf(stderr, "heterorr: \033[%sm%s:\033[0m %s\n", colour, kind, message);
    else
        fprintf(stderr, "heterorr: %s: %s\n", kind, message);
}

void cli_error(const char *message)
{
    say("error", "1;31", message);
}

void cli_add_advice(hrr_error *err, const char *advice)
{
    const size_t used = strlen(err->message);
    snprintf(err->message + used, sizeof err->message - used, "%s", advice);
}

void cli_note(const char *format, ...)
{
    char message[HRR_ERROR_SIZE], told[HRR_ERROR_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    cli_in_users_words(told, sizeof told, message);
    say("note", "1;36", told);
}

bool cli_shows_utf8(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

double cli_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
