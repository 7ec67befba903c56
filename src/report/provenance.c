/* provenance.c: how a report was made: commands, versions, and the hash of every file it rests on;
 * and what could be in it and is not. */
#include "report/sections.h"

#include <inttypes.h>
#include <string.h>

/* What was measured by another version than wrote the report. */
static void put_versions(hrr_text *html, const hrr_all_rows *all)
{
    for (int k = 0; k < HRR_N_ROWS_KINDS; k++) {
        const uint32_t *version = all->kind[k].word[HRR_COL_VERSION];
        uint32_t last = 0;
        for (uint64_t i = 0; version && i < all->kind[k].n; i++) {
            const char *text = hrr_words_text(&all->words, version[i]);
            if (version[i] == last || strcmp(text, hrr_version()) == 0) continue;
            hrr_text_put(html, "<li>Some runs were made by version ");
            hrr_text_escape(html, text);
            hrr_text_put(html, ".</li>\n");
            last = version[i];
        }
    }
}

static void put_missing(hrr_text *html, const hrr_all_rows *all, const hrr_report_options *options)
{
    static const struct {
        hrr_rows_kind kind;
        const char *what;
    } parts[] = {
        {HRR_ROWS_UTILITY, "utility (<code>heterorr compare learning GRAPH --mechanisms</code>)"},
        {HRR_ROWS_ATTACKS, "attacks (<code>heterorr attack</code>)"},
        {HRR_ROWS_STRUCTURE, "structure (<code>heterorr compare structure GRAPH "
                             "--mechanisms</code>)"},
        {HRR_ROWS_PGB, "PGB's queries (<code>heterorr compare structure GRAPH --suite pgb "
                       "--mechanisms</code>)"},
        {HRR_ROWS_ERRORS, "expected error (<code>heterorr compare errors</code>)"},
    };
    bool any = false;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (all->kind[parts[i].kind].n) continue;
        if (parts[i].kind == HRR_ROWS_ATTACKS && all->kind[HRR_ROWS_ROC].n) continue;
        hrr_text_printf(html, "%s%s",
                        any ? ", " : "<p class=\"note\">Not in this report: ", parts[i].what);
        any = true;
    }
    if (!options->bundle) {
        hrr_text_printf(html, "%sthe guarantee of a release (<code>--bundle</code>)",
                        any ? ", " : "<p class=\"note\">Not in this report: ");
        any = true;
    }
    if (!options->scores) {
        hrr_text_printf(html, "%sscores of features (<code>--scores</code>)",
                        any ? ", " : "<p class=\"note\">Not in this report: ");
        any = true;
    }
    if (any) hrr_text_put(html, ".</p>\n");
}

hrr_status hrr_section_made(hrr_page *page, const hrr_results_file *files, const hrr_all_rows *all,
                            const hrr_report_options *options, hrr_error *err)
{
    (void)err; /* sections fail alike */
    hrr_text *html = &page->html;
    hrr_page_section(page, "made", "How this report was made",
                     "Results that were measured on private data (utility, attacks, structure), "
                     "and scores and images that were made from it, are not protected: a report "
                     "that contains them is for the owner of the data.");
    if (options->commands && options->commands[0]) {
        hrr_text_put(html, "<pre>");
        for (const char *const *command = options->commands; *command; command++) {
            hrr_text_escape(html, *command);
            hrr_text_put(html, "\n");
        }
        hrr_text_put(html, "</pre>\n");
    }
    hrr_text_printf(html, "<ul class=\"wide-list\"><li>Report written by heterorr %s.</li>\n",
                    hrr_version());
    put_versions(html, all);
    hrr_text_put(html, "</ul>\n");
    if (options->n_results)
        hrr_text_put(html,
                     "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Files\">"
                     "<table class=\"words\"><thead><tr><th>file</th><th>what it is</th>"
                     "<th>rows</th><th>SHA-256</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < options->n_results; i++) {
        const char *slash = strrchr(files[i].path, '/');
        hrr_text_put(html, "<tr><td>");
        hrr_text_escape(html, slash ? slash + 1 : files[i].path);
        hrr_text_printf(html,
                        "</td><td>%s</td><td data-l=\"rows\">%" PRIu64
                        "</td><td class=\"hash\" data-l=\"SHA-256\">%s</td></tr>\n",
                        hrr_rows_kind_name(files[i].kind), files[i].n_rows, files[i].sha256);
    }
    if (options->n_results) hrr_text_put(html, "</tbody></table></div>\n");
    put_missing(html, all, options);
    hrr_page_end_section(page);
    return HRR_OK;
}
