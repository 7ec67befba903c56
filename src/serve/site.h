/* site.h: under which name, and from which site, a request was made. A browser sends whatever the
 * page of a stranger tells it to; what the page cannot choose are the headers Host and Origin.
 * Pure. */
#ifndef HRR_SERVE_SITE_H
#define HRR_SERVE_SITE_H

#include <heterorr/base.h>

typedef struct hrr_site {
    bool loopback;           /* the service listens on a loopback address */
    bool tls;                /* and with a certificate, which names it */
    const char *other_hosts; /* names that it also has, with commas between them; NULL: none */
} hrr_site;

/* Is the service called that? A page of another site that gets its own name to lead here (DNS
 * rebinding) asks under that name. Numbers are no names that somebody could lead elsewhere. With a
 * certificate browsers check the name, and any is taken on an address that others reach. NULL: a
 * client of HTTP/1.0, no browser. */
bool hrr_site_has_name(const hrr_site *site, const char *host);

/* Was the request made by a page of this service, or by no page? origin NULL: by none. */
bool hrr_site_is_origin(const hrr_site *site, const char *origin, const char *host);

#endif
