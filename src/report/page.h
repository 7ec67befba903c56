/* page.h: a report under construction: one HTML page, and beside it every chart as SVG and CSV. */
#ifndef HRR_REPORT_PAGE_H
#define HRR_REPORT_PAGE_H

#include "report/chart.h"
#include "experiment/rows.h"

#include <heterorr/report.h>

#include <jansson.h>

typedef struct hrr_page {
    hrr_text html;         /* sections, one after the other */
    hrr_text contents;     /* links to them */
    hrr_words styles;      /* a name's number is its style in every chart */
    const char *directory; /* where files go */
    json_t *files;         /* what was written, for report.json */
    /* The edge mechanism and the budget of one pair of the bundle shown; "" and 0: there is none.
     */
    char bundle_edges[48];
    double bundle_eps_edges;
    hrr_report_summary *summary;
    hrr_progress *progress;
} hrr_page;

/* A section's heading, and a sentence (HTML) under it that says how to read it. */
void hrr_page_section(hrr_page *page, const char *id, const char *title, const char *introduction);
void hrr_page_end_section(hrr_page *page);

/* The style that a name has in every chart of this page. Errors: HRR_ENOMEM. */
hrr_status hrr_page_style(int *style, hrr_page *page, const char *name, hrr_error *err);

/* Draw the chart into the page, and write ID.svg and ID.csv. Empty charts are passed over. */
hrr_status hrr_page_chart(hrr_page *page, const hrr_chart *chart, hrr_error *err);

/* A file that belongs to the report, and a link that downloads its text: out of the page itself,
 * or, beyond a megabyte, from the file beside it. */
hrr_status hrr_page_file(hrr_page *page, const hrr_text *text, const char *name, const char *what,
                         hrr_error *err);
void hrr_page_link(hrr_page *page, const hrr_text *text, const char *name, const char *type,
                   const char *words);

/* One of the sentences that matter, for the top of the page and for the caller. Not escaped. */
void hrr_page_say(hrr_page *page, const char *format, ...) HRR_PRINTF(2, 3);

/* The page itself, as index.html. title: not escaped. */
hrr_status hrr_page_finish(hrr_page *page, const char *title, hrr_error *err);
void hrr_page_clear(hrr_page *page);

/* Everything that every page has: its style and its script. */
extern const char hrr_page_style_sheet[];
extern const char hrr_page_script[];

#endif
