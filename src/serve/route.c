/* route.c: see route.h. */
#include "serve/route.h"

#include <string.h>

#define MODELS "/v2/models/"

static const hrr_route_row rows[HRR_ROUTES] = {
    [HRR_ROUTE_NONE] = {"GET", "(unknown)", true},
    [HRR_ROUTE_PAGE] = {"GET", "/", true},
    [HRR_ROUTE_PRIVACY] = {"GET", "/privacy", true},
    [HRR_ROUTE_OPENAPI] = {"GET", "/openapi.json", true},
    [HRR_ROUTE_METRICS] = {"GET", "/metrics", false},
    [HRR_ROUTE_SERVER] = {"GET", "/v2", true},
    [HRR_ROUTE_LIVE] = {"GET", "/v2/health/live", true},
    [HRR_ROUTE_READY] = {"GET", "/v2/health/ready", true},
    [HRR_ROUTE_MODEL] = {"GET", MODELS "{model}", false},
    [HRR_ROUTE_MODEL_READY] = {"GET", MODELS "{model}/ready", true},
    [HRR_ROUTE_INFER] = {"POST", MODELS "{model}/infer", false},
    [HRR_ROUTE_NEIGHBOURS] = {"POST", MODELS "{model}/neighbours", false},
};

const hrr_route_row *hrr_route_describe(hrr_route route)
{
    return &rows[route];
}

bool hrr_route_takes(hrr_route route, const char *method)
{
    return strcmp(rows[route].method, method) == 0 ||
           (strcmp(method, "HEAD") == 0 && strcmp(rows[route].method, "GET") == 0);
}

static const char name_characters[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

bool hrr_model_name_is_good(const char *name)
{
    const size_t length = strlen(name);
    return length && length < HRR_MODEL_NAME && name[0] != '.' &&
           strspn(name, name_characters) == length;
}

hrr_route hrr_route_find(char model[HRR_MODEL_NAME], const char *path)
{
    model[0] = '\0';
    if (strncmp(path, MODELS, strlen(MODELS)) != 0) {
        for (int r = HRR_ROUTE_PAGE; r < HRR_ROUTE_MODEL; r++)
            if (strcmp(rows[r].path, path) == 0) return (hrr_route)r;
        return HRR_ROUTE_NONE;
    }
    path += strlen(MODELS);
    const size_t length = strspn(path, name_characters);
    if (!length || length >= HRR_MODEL_NAME) return HRR_ROUTE_NONE;
    memcpy(model, path, length);
    model[length] = '\0';
    path += length;
    /* Every model has one version. */
    if (strncmp(path, "/versions/1", strlen("/versions/1")) == 0) path += strlen("/versions/1");
    for (int r = HRR_ROUTE_MODEL; r < HRR_ROUTES; r++)
        if (strcmp(rows[r].path + strlen(MODELS "{model}"), path) == 0) return (hrr_route)r;
    return HRR_ROUTE_NONE;
}
