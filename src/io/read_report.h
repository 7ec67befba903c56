/* read_report.h: telling the owner what a reader decided for her. */
#ifndef HRR_IO_READ_REPORT_H
#define HRR_IO_READ_REPORT_H

#include <heterorr/io.h>

/* Add a sentence. It names files, lines and columns, never a value, and must not depend on private
 * edges. report NULL: nobody asks. Errors: HRR_ENOMEM. */
hrr_status hrr_read_report_add(hrr_read_report *report, hrr_error *err, const char *format, ...)
    HRR_PRINTF(3, 4);

#endif
