/* headers.c: see headers.h. */
#include "serve/headers.h"

#include <string.h>
#include <strings.h>

void hrr_request_headers_take(hrr_request_headers *out, const char *name, const char *value)
{
    const struct {
        const char *name;
        const char **place;
    } known[] = {{"Host", &out->host},
                 {"Origin", &out->origin},
                 {"Authorization", &out->authorization},
                 {"Inference-Header-Content-Length", &out->json_size},
                 {"Content-Length", &out->content_length},
                 {"Transfer-Encoding", &out->transfer_encoding}};
    if (strpbrk(name, " \t")) out->fault = "a header name contains a space";
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcasecmp(name, known[i].name) != 0) continue;
        if (*known[i].place) out->fault = "a header occurs twice that may occur once";
        *known[i].place = value ? value : "";
    }
    if (out->transfer_encoding && strcasecmp(out->transfer_encoding, "chunked") != 0)
        out->fault = "the only Transfer-Encoding that is accepted is chunked";
    else if (out->transfer_encoding && out->content_length)
        out->fault = "a request must not have both Content-Length and Transfer-Encoding";
}
