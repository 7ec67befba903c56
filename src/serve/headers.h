/* headers.h: what the headers of a request say, and whether they say it clearly. A proxy and this
 * service must read the same requests from the same bytes: where they could differ about the end of
 * a body or the name of the host, a request could hide in another one (request smuggling). Pure. */
#ifndef HRR_SERVE_HEADERS_H
#define HRR_SERVE_HEADERS_H

#include <heterorr/base.h>

typedef struct hrr_request_headers {
    bool is_http_1_0;                          /* set before the first header */
    const char *host, *origin, *authorization; /* NULL: not there */
    const char *json_size;                     /* Inference-Header-Content-Length */
    const char *content_length, *transfer_encoding;
    const char *fault; /* why the request must be refused; NULL: it is clear */
} hrr_request_headers;

/* Called for each header, in any order. The texts must outlive *out. */
void hrr_request_headers_take(hrr_request_headers *out, const char *name, const char *value);

#endif
