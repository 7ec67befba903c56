/* report.h: turns results files into one page with charts. Results that were measured on private
 * data (learning, attacks, structure) are not protected: a report that contains them is for the
 * owner of the data. */
#ifndef HETERORR_REPORT_H
#define HETERORR_REPORT_H

#include <heterorr/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Every member is optional, but at least one input is needed. */
typedef struct hrr_report_options {
    size_t size;                /* set by hrr_report_options_init() */
    const char *const *results; /* CSV files, identified by their headers (docs/report.md) */
    size_t n_results;
    bool replace;       /* an earlier report */
    const char *bundle; /* a release: the page shows its guarantee, and whether the files match its
                           certificate */
    const char *scores; /* of `heterorr scores` */
    const char *images; /* a directory of PNG and JPEG files to show */
    const char *title;  /* NULL: "heterorr report" */
    const char *metric; /* accuracy, auc, f1_micro, f1_macro, average_precision; NULL: the default
                           of each graph, as in hrr_training_means() */
    const char *const
        *commands; /* the commands that made the results, to be shown; NULL-terminated, or NULL */
} hrr_report_options;

HRR_EXPERIMENTAL void hrr_report_options_init_sized(hrr_report_options *options, size_t size);
static inline void hrr_report_options_init(hrr_report_options *options)
{
    hrr_report_options_init_sized(options, sizeof *options);
}

enum { HRR_REPORT_SENTENCES = 3, HRR_REPORT_SENTENCE_SIZE = 640 };

typedef struct hrr_report_summary {
    int n_sentences; /* the main findings, at the top of the page */
    char sentence[HRR_REPORT_SENTENCES][HRR_REPORT_SENTENCE_SIZE];
    uint32_t n_charts;
    uint64_t n_rows;
} hrr_report_summary;

/* Write DIRECTORY/index.html, which needs nothing else, and beside it every chart as SVG and CSV,
 * significance.csv, and report.json, which lists them.
 *
 * Cost:   O(rows log rows); reads the whole bundle if there is one.
 * Errors: HRR_EINVAL for options that make no sense or a directory that is something else;
 *         HRR_EDATA naming file, line and column; HRR_EIO, HRR_ENOMEM, HRR_ECANCEL: nothing is
 *         left behind. */
HRR_EXPERIMENTAL HRR_STATUS hrr_report_write(hrr_report_summary *out, const char *directory,
                                             const hrr_report_options *options,
                                             hrr_progress *progress, hrr_error *err);

#ifdef __cplusplus
}
#endif
#endif
