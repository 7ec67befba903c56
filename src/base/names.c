/* names.c: see names.h. */
#include "base/names.h"

#include <stdio.h>
#include <string.h>

size_t hrr_names_find(hrr_name_at *name_at, const char *name)
{
    size_t i = 0;
    for (const char *at; (at = name_at(i)); i++)
        if (name && strcmp(at, name) == 0) break;
    return i;
}

hrr_status hrr_names_choose(size_t *out, hrr_name_at *name_at, const char *name, const char *kind,
                            const char *field, hrr_error *err)
{
    char list[512] = ""; /* a name that does not fit is left out, never cut */
    size_t used = 0;
    *out = hrr_names_find(name_at, name);
    if (name_at(*out)) return HRR_OK;
    for (size_t i = 0; name_at(i); i++) {
        const char *const before = used ? ", " : "";
        if (used + strlen(before) + strlen(name_at(i)) >= sizeof list) continue;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", before, name_at(i));
    }
    return hrr_fail(err, HRR_EINVAL, "there is no %s \"%.40s\" (`%s`); choose one of %s", kind,
                    name ? name : "", field, list);
}
