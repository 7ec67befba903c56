/* place.h: where a reader stands in its file, for messages: "FILE:LINE: ", of tables that are no
 * text "FILE:ROW: ", both counted from 1. */
#ifndef HRR_IO_PLACE_H
#define HRR_IO_PLACE_H

#include <heterorr/base.h>

typedef struct hrr_place hrr_place;
struct hrr_place {
    const char *path;
    uint64_t (*position)(const hrr_place *place);             /* cheap; what line_at() takes */
    uint64_t (*line)(const hrr_place *place);                 /* where the reader stands now */
    uint64_t (*line_at)(const char *path, uint64_t position); /* found later, perhaps slowly */
};

/* HRR_EDATA with the place before the message. */
hrr_status hrr_place_fail(const hrr_place *place, hrr_error *err, const char *format, ...)
    HRR_PRINTF(3, 4);

#endif
