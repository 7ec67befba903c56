/* text_page.h: a page of text for people, put together in memory: paragraphs, headings, lines. */
#ifndef HRR_CERTIFICATE_TEXT_PAGE_H
#define HRR_CERTIFICATE_TEXT_PAGE_H

#include <heterorr/base.h>

/* Begins as {0}. Once memory ran out, the page stays as it is and says so. */
typedef struct hrr_text_page {
    char *text; /* hrr_free() */
    size_t used, room;
    bool out_of_memory;
} hrr_text_page;

void hrr_page_put(hrr_text_page *page, const char *text);
/* Broken between words at 78 columns; lines after the first begin with `indent` blanks, 16 at most.
 */
void hrr_page_paragraph(hrr_text_page *page, const char *first, size_t indent, const char *text);
/* An empty line, then the title. */
void hrr_page_heading(hrr_text_page *page, const char *title);
/* A paragraph with a mark in front. */
void hrr_page_point(hrr_text_page *page, const char *text);
/* A name, and in a column behind it the value. */
void hrr_page_line(hrr_text_page *page, const char *name, const char *value);

#endif
