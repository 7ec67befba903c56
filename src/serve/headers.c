/* headers.c: see headers.h. */
#include "serve/headers.h"

#include <string.h>
#include <strings.h>

/* A token of RFC 9110: nothing that a proxy could read as the end of the name, or pass over. */
static bool is_name(const char *name)
{
    static const char allowed[] = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return *name && name[strspn(name, allowed)] == '\0';
}

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
    if (!is_name(name)) out->fault = "a header has a name with a space, with signs, or none";
    if (value && strpbrk(value, "\r\n")) out->fault = "a header contains the end of a line";
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcasecmp(name, known[i].name) != 0) continue;
        if (*known[i].place) out->fault = "a header occurs twice that may occur once";
        *known[i].place = value ? value : "";
    }
    if (out->transfer_encoding && strcasecmp(out->transfer_encoding, "chunked") != 0)
        out->fault = "the only Transfer-Encoding that is accepted is chunked";
    else if (out->transfer_encoding && out->is_http_1_0)
        out->fault = "a request of HTTP/1.0 must not have Transfer-Encoding";
    else if (out->transfer_encoding && out->content_length)
        out->fault = "a request must not have both Content-Length and Transfer-Encoding";
}
