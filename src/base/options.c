/* options.c: see options.h. */
#include "base/options.h"

#include <string.h>

static size_t size_of(const void *options)
{
    size_t size;
    memcpy(&size, options, sizeof size);
    return size;
}

static hrr_status check(size_t size, size_t own_size, const char *type, hrr_error *err)
{
    if (size < sizeof size)
        return hrr_fail(
            err, HRR_EINVAL,
            "the size stored in the %s is %zu; call %s_init() before you use the struct", type,
            size, type);
    if (size > own_size)
        return hrr_fail(err, HRR_EINVAL,
                        "the size stored in the %s is %zu, but this library knows only %zu bytes: "
                        "the program was built for a newer library, or it did not call %s_init()",
                        type, size, own_size, type);
    return HRR_OK;
}

void hrr_options_init(void *options, size_t size, const void *defaults, size_t defaults_size)
{
    memset(options, 0, size);
    memcpy(options, defaults, size < defaults_size ? size : defaults_size);
    memcpy(options, &size, sizeof size);
}

hrr_status hrr_options_adopt(void *own, size_t own_size, const void *given, const char *type,
                             hrr_error *err)
{
    if (!given) return HRR_OK;
    hrr_status status = check(size_of(given), own_size, type, err);
    if (status) return status;
    memcpy(own, given, size_of(given));
    memcpy(own, &own_size, sizeof own_size);
    return HRR_OK;
}

hrr_status hrr_options_adopt_inner(void *inner, size_t inner_size, const void *defaults,
                                   const char *type, hrr_error *err)
{
    const size_t size = size_of(inner);
    hrr_status status = check(size, inner_size, type, err);
    if (status) return status;
    memcpy((char *)inner + size, (const char *)defaults + size, inner_size - size);
    memcpy(inner, &inner_size, sizeof inner_size);
    return HRR_OK;
}
