/* page.c: see page.h.
 *
 * A chart is on the page twice, drawn for a desk and for a phone: scaling one drawing would make
 * its words too small to read, and a script that draws would leave nothing to print. The style
 * sheet shows one of the two; the other is hidden from assistive technology, too. */
#include "report/page.h"
#include "report/svg_colour.h"
#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { wide = 760, narrow = 340, rows_in_table = 200, most_inside = 1 << 20 };

void hrr_page_section(hrr_page *page, const char *id, const char *title, const char *introduction)
{
    hrr_text_printf(&page->html, "<section id=\"%s\"><h2>", id);
    hrr_text_escape(&page->html, title);
    hrr_text_printf(&page->html, "</h2>\n<p>%s</p>\n", introduction);
    hrr_text_printf(&page->contents, "<a href=\"#%s\">", id);
    hrr_text_escape(&page->contents, title);
    hrr_text_put(&page->contents, "</a>\n");
}

void hrr_page_end_section(hrr_page *page)
{
    hrr_text_put(&page->html, "</section>\n");
}

hrr_status hrr_page_style(int *style, hrr_page *page, const char *name, hrr_error *err)
{
    uint32_t number = 0;
    hrr_status status = hrr_words_add(&number, &page->styles, name, err);
    *style = (int)number;
    return status;
}

hrr_status hrr_page_file(hrr_page *page, const hrr_text *text, const char *name, const char *what,
                         hrr_error *err)
{
    hrr_status status = hrr_text_write(text, page->directory, name, err);
    if (status) return status;
    json_t *title = json_string(what); /* NULL if it is no UTF-8, which a graph's name may be */
    json_t *file = json_pack("{s:s, s:o}", "name", name, "what", title ? title : json_null());
    return json_array_append_new(page->files, file) == 0 ? HRR_OK : hrr_no_memory(err);
}

void hrr_page_link(hrr_page *page, const hrr_text *text, const char *name, const char *type,
                   const char *words)
{
    if (text->size > most_inside) {
        hrr_text_printf(&page->html, "<a class=\"file\" download=\"%s\" href=\"%s\">%s</a>\n", name,
                        name, words);
        return;
    }
    hrr_text_printf(&page->html, "<a class=\"file\" download=\"%s\" href=\"data:%s;base64,", name,
                    type);
    page->html.failed = page->html.failed || text->failed;
    if (!text->failed) hrr_text_base64(&page->html, text->bytes, text->size);
    hrr_text_printf(&page->html, "\">%s</a>\n", words);
}

/* The figure: heading, the two drawings, links, the table. */
static void put_figure(hrr_page *page, const hrr_chart *chart, const hrr_text *svg,
                       const hrr_text *csv)
{
    hrr_text *html = &page->html;
    char name[80];
    hrr_text_printf(html, "<figure id=\"chart-%s\"><figcaption><h3>", chart->id);
    hrr_text_escape(html, chart->title);
    hrr_text_put(html, "</h3>");
    if (*chart->note) {
        hrr_text_put(html, "<p class=\"note\">");
        hrr_text_escape(html, chart->note);
        hrr_text_put(html, "</p>");
    }
    hrr_text_put(html, "</figcaption>\n");
    for (int i = 0; i < 2; i++) {
        hrr_text_printf(html, "<div class=\"plot %s\" tabindex=\"0\" role=\"group\" aria-label=\"",
                        i ? "narrow" : "wide");
        hrr_text_escape(html, chart->title);
        hrr_text_put(html, ": arrow keys read the values\">");
        hrr_chart_draw(html, chart, i ? narrow : wide, i ? "n" : "w", false);
        hrr_text_put(html, "</div>\n");
    }
    hrr_text_put(html, "<div class=\"links\">");
    snprintf(name, sizeof name, "%s.csv", chart->id);
    hrr_page_link(page, csv, name, "text/csv", "Data (CSV)");
    snprintf(name, sizeof name, "%s.svg", chart->id);
    hrr_page_link(page, svg, name, "image/svg+xml", "Picture (SVG)");
    hrr_text_put(html, "</div>\n<details><summary>Values as a table</summary>");
    hrr_chart_table(html, chart, rows_in_table);
    hrr_text_put(html, "</details></figure>\n");
}

hrr_status hrr_page_chart(hrr_page *page, const hrr_chart *chart, hrr_error *err)
{
    if (chart->failed) return hrr_no_memory(err);
    if (hrr_chart_points(chart) == 0) return HRR_OK;
    hrr_text svg = {0}, csv = {0};
    char name[80];
    hrr_chart_draw(&svg, chart, wide, "f", true);
    hrr_chart_csv(&csv, chart);
    snprintf(name, sizeof name, "%s.svg", chart->id);
    hrr_status status = hrr_page_file(page, &svg, name, chart->title, err);
    snprintf(name, sizeof name, "%s.csv", chart->id);
    if (!status) status = hrr_page_file(page, &csv, name, chart->title, err);
    if (!status) put_figure(page, chart, &svg, &csv);
    if (!status && page->html.failed) status = hrr_no_memory(err);
    if (!status) status = hrr_progress_advance(page->progress, 1, err);
    if (!status) page->summary->n_charts++;
    hrr_text_clear(&svg);
    hrr_text_clear(&csv);
    return status;
}

void hrr_page_say(hrr_page *page, const char *format, ...)
{
    hrr_report_summary *summary = page->summary;
    if (summary->n_sentences == HRR_REPORT_SENTENCES) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(summary->sentence[summary->n_sentences++], HRR_REPORT_SENTENCE_SIZE, format,
              arguments);
    va_end(arguments);
}

static void put_head(hrr_text *out, const hrr_page *page, const char *title)
{
    hrr_text_put(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                      "<meta name=\"color-scheme\" content=\"light dark\">\n"
                      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                      "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
                      "<title>");
    hrr_text_escape(out, title);
    hrr_text_put(out, "</title>\n<style>\n");
    hrr_svg_style(out);
    hrr_text_put(out, hrr_page_style_sheet);
    hrr_text_put(out, "</style></head>\n<body><main>\n<header><h1>");
    hrr_text_escape(out, title);
    hrr_text_put(out, "</h1>\n");
    if (page->summary->n_sentences) hrr_text_put(out, "<ul class=\"sentences\">\n");
    for (int i = 0; i < page->summary->n_sentences; i++) {
        hrr_text_put(out, "<li>");
        hrr_text_escape(out, page->summary->sentence[i]);
        hrr_text_put(out, "</li>\n");
    }
    if (page->summary->n_sentences) hrr_text_put(out, "</ul>\n");
    hrr_text_put(out, "<nav aria-label=\"Sections\">\n");
}

hrr_status hrr_page_finish(hrr_page *page, const char *title, hrr_error *err)
{
    hrr_text out = {.failed = page->html.failed || page->contents.failed};
    put_head(&out, page, title);
    if (!out.failed) {
        if (page->contents.bytes) hrr_text_put(&out, page->contents.bytes);
        hrr_text_put(&out, "</nav></header>\n");
        if (page->html.bytes) hrr_text_put_bytes(&out, page->html.bytes, page->html.size);
        hrr_text_put(&out, "</main>\n<div id=\"tip\" hidden></div><div id=\"said\" "
                           "class=\"unseen\" aria-live=\"polite\"></div>\n<script>\n");
        hrr_text_put(&out, hrr_page_script);
        hrr_text_put(&out, "</script></body></html>\n");
    }
    hrr_status status = hrr_text_write(&out, page->directory, "index.html", err);
    hrr_text_clear(&out);
    return status;
}

void hrr_page_clear(hrr_page *page)
{
    hrr_text_clear(&page->html);
    hrr_text_clear(&page->contents);
    hrr_name_index_clear(&page->styles);
    json_decref(page->files);
}
