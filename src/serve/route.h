/* route.h: what a request is about, from its method and address. Pure. */
#ifndef HRR_SERVE_ROUTE_H
#define HRR_SERVE_ROUTE_H

#include <heterorr/base.h>

enum { HRR_MODEL_NAME = 65 };

typedef enum hrr_route {
    HRR_ROUTE_NONE = 0,
    HRR_ROUTE_PAGE,
    HRR_ROUTE_PRIVACY,
    HRR_ROUTE_OPENAPI,
    HRR_ROUTE_METRICS,
    HRR_ROUTE_SERVER,
    HRR_ROUTE_LIVE,
    HRR_ROUTE_READY,
    HRR_ROUTE_MODEL,
    HRR_ROUTE_MODEL_READY,
    HRR_ROUTE_INFER,
    HRR_ROUTE_NEIGHBOURS,
    HRR_ROUTES
} hrr_route;

typedef struct hrr_route_row {
    const char *method; /* GET (and HEAD) or POST */
    const char *path;   /* as documented: "/v2/models/{model}/infer" */
    bool open;          /* needs no token */
} hrr_route_row;
const hrr_route_row *hrr_route_describe(hrr_route route);

/* model: the name in the address, or "". HRR_ROUTE_NONE: there is nothing. */
hrr_route hrr_route_find(char model[HRR_MODEL_NAME], const char *path);
bool hrr_route_takes(hrr_route route, const char *method);

/* Letters, digits, '.', '_' and '-', 1 to 64 of them, not beginning with '.'. */
bool hrr_model_name_is_good(const char *name);

#endif
