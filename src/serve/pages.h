/* pages.h: documents that do not change while a service runs. */
#ifndef HRR_SERVE_PAGES_H
#define HRR_SERVE_PAGES_H

extern const char hrr_serve_page[];    /* GET /: HTML, with all it needs */
extern const char hrr_serve_openapi[]; /* GET /openapi.json */

#endif
