/* svg_scale.c: see svg_scale.h. Steps of 1, 2 and 5 are what people count in; the choice among them
 * is Heckbert's (Nice numbers for graph labels, Graphics Gems, 1990). */
#include "report/svg_scale.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

hrr_scale hrr_scale_for(double low, double high, bool log)
{
    if (!(isfinite(low) && isfinite(high) && low <= high)) low = log ? 0.1 : 0, high = 1;
    if (log && !(low > 0)) log = false;
    if (low == high || !isfinite(high - low)) {
        const double around = low == high ? low : 0;
        const double reach = around != 0 ? fabs(around) / 10 : 1;
        low = log ? around / 2 : around - reach;
        high = log ? around * 2 : around + reach;
    }
    return (hrr_scale){.low = low, .high = high, .from = 0, .to = 1, .log = log};
}

double hrr_scale_place(const hrr_scale *scale, double value)
{
    const double share = scale->log ? log(value / scale->low) / log(scale->high / scale->low)
                                    : (value - scale->low) / (scale->high - scale->low);
    return scale->from + share * (scale->to - scale->from);
}

static double nice_step(double range, int about)
{
    const double rough = range / about, power = pow(10, floor(log10(rough))), share = rough / power;
    return power * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
}

hrr_scale hrr_scale_round(hrr_scale scale, int about)
{
    if (scale.log) {
        const double low = log10(scale.low), high = log10(scale.high);
        if (high - low > 1) {
            scale.low = pow(10, floor(low + 1e-9));
            scale.high = pow(10, ceil(high - 1e-9));
        }
        return scale;
    }
    const double step = nice_step(scale.high - scale.low, about);
    scale.low = floor(scale.low / step + 1e-9) * step;
    scale.high = ceil(scale.high / step - 1e-9) * step;
    return scale;
}

void hrr_tick_label(char label[hrr_tick_size], double value)
{
    char plain[hrr_tick_size];
    const double size = fabs(value);
    if (size != 0 && (size >= 1e5 || size < 1e-4))
        snprintf(plain, sizeof plain, "%.3g", value);
    else
        snprintf(plain, sizeof plain, "%.6g", value);
    /* 1e-05 is written 1e-5 */
    char *exponent = strchr(plain, 'e');
    if (exponent && exponent[2] == '0') memmove(exponent + 2, exponent + 3, strlen(exponent + 2));
    if (exponent && exponent[1] == '+') memmove(exponent + 1, exponent + 2, strlen(exponent + 1));
    snprintf(label, hrr_tick_size, "%s%s", plain[0] == '-' ? "\u2212" : "",
             plain + (plain[0] == '-'));
}

static void add(hrr_ticks *ticks, double value)
{
    if (ticks->n == hrr_most_ticks) return;
    ticks->at[ticks->n].value = value;
    hrr_tick_label(ticks->at[ticks->n++].label, value);
}

static void add_decades(hrr_ticks *ticks, const hrr_scale *scale, int about)
{
    static const double inside[] = {1, 2, 5};
    const double decades = log10(scale->high / scale->low);
    const int first = (int)floor(log10(scale->low)), last = (int)ceil(log10(scale->high));
    const int per_decade = 3 * decades <= about ? 3 : 1;
    const int stride = per_decade == 1 && decades > about ? (int)ceil(decades / about) : 1;
    for (int power = first; power <= last; power += stride)
        for (int i = 0; i < per_decade; i++) {
            const double value = inside[i] * pow(10, power);
            if (value >= scale->low * (1 - 1e-9) && value <= scale->high * (1 + 1e-9))
                add(ticks, value);
        }
}

hrr_ticks hrr_scale_ticks(const hrr_scale *scale, int about)
{
    hrr_ticks ticks = {0};
    assert(scale->low < scale->high && about > 0);
    if (scale->log) add_decades(&ticks, scale, about);
    if (ticks.n >= 2) return ticks;
    /* Less than a decade may hold a single power of ten: count in steps there, too. */
    ticks.n = 0;
    const double step = nice_step(scale->high - scale->low, about);
    const double first = ceil(scale->low / step - 1e-9);
    for (int i = 0; (first + i) * step <= scale->high + 1e-9 * step && i < hrr_most_ticks; i++)
        if (!scale->log || first + i > 0) add(&ticks, (first + i) * step);
    return ticks;
}

hrr_ticks hrr_ticks_at(const double *values, size_t n)
{
    hrr_ticks ticks = {0};
    for (size_t i = 0; i < n; i++)
        add(&ticks, values[i]);
    return ticks;
}
