/* sections.h: the parts of a report. Each adds nothing if there is nothing to say. */
#ifndef HRR_REPORT_SECTIONS_H
#define HRR_REPORT_SECTIONS_H

#include "report/page.h"

hrr_status hrr_section_guarantee(hrr_page *page, const char *bundle, hrr_error *err);
hrr_status hrr_section_utility(hrr_page *page, const hrr_all_rows *all,
                               const hrr_report_options *options, hrr_error *err);
hrr_status hrr_section_attacks(hrr_page *page, const hrr_all_rows *all, hrr_error *err);
hrr_status hrr_section_structure(hrr_page *page, const hrr_all_rows *all, hrr_error *err);
hrr_status hrr_section_pgb(hrr_page *page, const hrr_all_rows *all, hrr_error *err);
hrr_status hrr_section_errors(hrr_page *page, const hrr_all_rows *all, hrr_error *err);
hrr_status hrr_section_scores(hrr_page *page, const char *scores, hrr_error *err);
hrr_status hrr_section_images(hrr_page *page, const char *directory, hrr_error *err);
hrr_status hrr_section_made(hrr_page *page, const hrr_results_file *files, const hrr_all_rows *all,
                            const hrr_report_options *options, hrr_error *err);

#endif
