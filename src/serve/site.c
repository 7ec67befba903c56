/* site.c: see site.h. */
#include "serve/site.h"

#include <string.h>
#include <strings.h>

/* How much of "name:port" is the name. */
static size_t name_length(const char *host)
{
    const char *port = strrchr(host, ':');
    return port && !strchr(port, ']') ? (size_t)(port - host) : strlen(host);
}

static bool is_listed(const char *list, const char *name, size_t length)
{
    for (const char *at = list; at && *at;) {
        const size_t own = strcspn(at, ",");
        if (own && own == length && strncasecmp(name, at, length) == 0) return true;
        at += own + (at[own] == ',');
    }
    return false;
}

static bool is_number(const char *host, size_t length)
{
    if (host[0] == '[')
        return length > 2 && strspn(host + 1, "0123456789abcdefABCDEF:.") == length - 2;
    return length && strspn(host, "0123456789.") == length;
}

bool hrr_site_has_name(const hrr_site *site, const char *host)
{
    if (!host) return true;
    const size_t length = name_length(host);
    if (is_listed("localhost,[::1]", host, length) || is_listed(site->other_hosts, host, length))
        return true;
    if (site->loopback) return strncmp(host, "127.", 4) == 0 && is_number(host, length);
    return site->tls || is_number(host, length);
}

bool hrr_site_is_origin(const hrr_site *site, const char *origin, const char *host)
{
    if (!origin) return true;
    const char *own = strncasecmp(origin, "http://", 7) == 0    ? origin + 7
                      : strncasecmp(origin, "https://", 8) == 0 ? origin + 8
                                                                : NULL;
    if (!own || !*own) return false; /* "null": a page that hides where it comes from */
    if (host && strcasecmp(own, host) == 0) return true;
    return is_listed(site->other_hosts, own, name_length(own));
}
