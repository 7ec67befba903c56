/* write.c: a report from its parts; see report.h. */
#include "report/sections.h"
#include "io/hash.h"
#include "io/json_write.h"
#include "base/memory.h"
#include "base/options.h"

#include <heterorr/report.h>

void hrr_report_options_init_sized(hrr_report_options *options, size_t size)
{
    const hrr_report_options own = {0};
    hrr_options_init(options, size, &own, sizeof own);
}

static hrr_status read_results(hrr_results_file *files, hrr_all_rows *all, uint64_t *n_rows,
                               const hrr_report_options *options, hrr_progress *progress,
                               hrr_error *err)
{
    hrr_status status = HRR_OK;
    hrr_progress_begin(progress, "reading results", 0);
    for (size_t i = 0; i < options->n_results && !status; i++) {
        const char *path = options->results[i];
        uint64_t size;
        status = hrr_all_rows_read(&files[i], all, path, progress, err);
        if (!status && files[i].n_rows == 0)
            status = hrr_fail(err, HRR_EDATA,
                              "%s: has a header but no rows, so nothing was run yet", path);
        if (!status) status = hrr_sha256_file(files[i].sha256, &size, path, progress, err);
        *n_rows += files[i].n_rows;
    }
    return status;
}

static hrr_status put_sections(hrr_page *page, const hrr_results_file *files,
                               const hrr_all_rows *all, const hrr_report_options *options,
                               hrr_error *err)
{
    hrr_status status = hrr_section_guarantee(page, options->bundle, err);
    hrr_progress_begin(page->progress, "drawing charts", 0);
    if (!status) status = hrr_section_utility(page, all, options, err);
    if (!status) status = hrr_section_attacks(page, all, err);
    if (!status) status = hrr_section_images(page, options->images, err);
    if (!status) status = hrr_section_structure(page, all, err);
    if (!status) status = hrr_section_pgb(page, all, err);
    if (!status) status = hrr_section_errors(page, all, err);
    if (!status) status = hrr_section_scores(page, options->scores, err);
    if (!status) status = hrr_section_made(page, files, all, options, err);
    return status;
}

/* A title that is no UTF-8 is shown with replacement characters on the page; here it is null. */
static json_t *title_json(const char *title)
{
    json_t *text = json_string(title);
    return text ? text : json_null();
}

/* report.json: what is there, for programs; and the sign by which an old report is known. */
static const hrr_dir_kind report_directory = {
    .what = "report", .file = "report.json", .text = "\"heterorr report\""};

static hrr_status write_list(const hrr_page *page, const char *title, hrr_error *err)
{
    json_t *sentences = json_array();
    for (int i = 0; i < page->summary->n_sentences; i++)
        json_array_append_new(sentences, json_string(page->summary->sentence[i]));
    json_t *json = json_pack(
        "{s:s, s:i, s:o, s:o, s:o, s:I, s:O}", "format", "heterorr report", "format_version", 1,
        "program", json_sprintf("heterorr %s", hrr_version()), "title", title_json(title),
        "sentences", sentences, "rows", (json_int_t)page->summary->n_rows, "files", page->files);
    hrr_status status = hrr_json_write(json, page->directory, "report.json", err);
    json_decref(json);
    return status;
}

hrr_status hrr_report_write(hrr_report_summary *out, const char *directory,
                            const hrr_report_options *options, hrr_progress *progress,
                            hrr_error *err)
{
    *out = (hrr_report_summary){0};
    hrr_report_options own;
    hrr_status status = HRR_ADOPT(hrr_report_options, &own, options, err);
    if (status) return status;
    options = &own;
    if (!options->n_results && !options->bundle && !options->scores && !options->images)
        return hrr_fail(
            err, HRR_EINVAL,
            "there is nothing to report: name results files, a bundle, scores or images");
    const char *title = options->title ? options->title : "heterorr report";
    hrr_all_rows all = {0};
    hrr_output_dir *dir = NULL;
    hrr_page page = {.summary = out, .progress = progress, .files = json_array()};
    hrr_results_file *files = hrr_alloc_zero(options->n_results, sizeof *files);
    status = files && page.files ? HRR_OK : hrr_no_memory(err);
    if (status) goto done;
    if ((status = hrr_output_dir_open(&dir, directory, &report_directory, options->replace, err)))
        goto done;
    page.directory = hrr_output_dir_staging(dir);
    if ((status = read_results(files, &all, &out->n_rows, options, progress, err))) goto done;
    if ((status = put_sections(&page, files, &all, options, err))) goto done;
    if ((status = hrr_page_finish(&page, title, err))) goto done;
    if ((status = write_list(&page, title, err))) goto done;
    status = hrr_output_dir_commit(dir, err);
done:
    hrr_output_dir_free(dir);
    hrr_page_clear(&page);
    hrr_all_rows_clear(&all);
    hrr_free(files);
    return status;
}
