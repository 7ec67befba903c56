/* read_report.c: see read_report.h. */
#include "io/read_report.h"
#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>

hrr_status hrr_read_report_add(hrr_read_report *report, hrr_error *err, const char *format, ...)
{
    if (!report) return HRR_OK;
    char sentence[HRR_ERROR_SIZE];
    va_list values;
    va_start(values, format);
    vsnprintf(sentence, sizeof sentence, format, values);
    va_end(values);
    char **notes = hrr_resize(report->notes, report->n_notes + 1, sizeof *notes);
    if (!notes) return hrr_no_memory(err);
    report->notes = notes;
    notes[report->n_notes] = hrr_copy_text(sentence);
    if (!notes[report->n_notes]) return hrr_no_memory(err);
    report->n_notes++;
    return HRR_OK;
}

void hrr_read_report_clear(hrr_read_report *report)
{
    for (size_t i = 0; i < report->n_notes; i++)
        hrr_free(report->notes[i]);
    hrr_free(report->notes);
    *report = (hrr_read_report){0};
}
