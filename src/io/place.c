/* place.c: see place.h. */
#include "io/place.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

hrr_status hrr_place_fail(const hrr_place *place, hrr_error *err, const char *format, ...)
{
    char message[HRR_ERROR_SIZE];
    va_list values;
    va_start(values, format);
    vsnprintf(message, sizeof message, format, values);
    va_end(values);
    return hrr_fail(err, HRR_EDATA, "%s:%" PRIu64 ": %s", place->path, place->line(place), message);
}
