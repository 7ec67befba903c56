/* figures.c: see figures.h. */
#include "cli/figures.h"
#include "cli/message.h"

#include <heterorr/base.h>

#include <inttypes.h>
#include <math.h>
#include <sys/resource.h>

cli_text cli_grouped(uint64_t number)
{
    char digits[24];
    size_t length = (size_t)snprintf(digits, sizeof digits, "%" PRIu64, number), used = 0;
    cli_text out;
    for (size_t i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) out.text[used++] = ',';
        out.text[used++] = digits[i];
    }
    out.text[used] = '\0';
    return out;
}

cli_text cli_count(uint64_t number, const char *one, const char *many)
{
    cli_text out;
    snprintf(out.text, sizeof out.text, "%.26s %.20s", cli_grouped(number).text,
             hrr_plural(number, one, many));
    return out;
}

cli_text cli_real(double number)
{
    cli_text out = {"-"};
    if (!isnan(number)) snprintf(out.text, sizeof out.text, "%.4g", number);
    return out;
}

cli_text cli_percent(double share)
{
    cli_text out = {"-"};
    if (!isnan(share)) snprintf(out.text, sizeof out.text, "%.1f %%", 100 * share);
    return out;
}

/* Three digits at most: more would be noise, and none is written with an exponent. */
cli_text cli_duration(double seconds)
{
    cli_text out;
    const double ms = 1e3 * seconds;
    if (ms < 999.5)
        snprintf(out.text, sizeof out.text, "%.*f ms", ms < 9.995 ? 2 : ms < 99.95 ? 1 : 0, ms);
    else if (seconds < 99.5)
        snprintf(out.text, sizeof out.text, "%.1f s", seconds);
    else if (seconds < 90 * 60)
        snprintf(out.text, sizeof out.text, "%.0f min", seconds / 60);
    else
        snprintf(out.text, sizeof out.text, "%.1f h", seconds / 3600);
    return out;
}

cli_text cli_bytes(uint64_t size)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    double amount = (double)size;
    size_t unit = 0;
    for (; amount >= 1024 && unit < 4; unit++)
        amount /= 1024;
    cli_text out;
    snprintf(out.text, sizeof out.text, "%.*f %s", unit ? 1 : 0, amount, units[unit]);
    return out;
}

void cli_print_bar(FILE *to, double share, int cells)
{
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    bool utf8 = cli_shows_utf8();
    int filled = (int)lround(fmin(1, fmax(0, share)) * cells * 8);
    if (filled == 0 && share > 0) filled = 1; /* something is not nothing */
    if (!utf8) filled = (filled + 7) / 8 * 8;
    for (int i = 0; i < filled / 8; i++)
        fputs(utf8 ? "█" : "#", to);
    fputs(eighths[filled % 8], to);
}

uint64_t cli_peak_memory(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_maxrss * 1024;
}
