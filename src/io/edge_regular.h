/* edge_regular.h: the rows that nearly every edge list consists of, many at a time. */
#ifndef HRR_IO_EDGE_REGULAR_H
#define HRR_IO_EDGE_REGULAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    HRR_REGULAR_ROWS = 1024, /* no call returns more */
    HRR_REGULAR_DIGITS = 8,  /* of an id, at most */
};

/* How rows are read, each way with less of a processor than the next. */
typedef enum hrr_regular_way {
    HRR_REGULAR_NOT, /* no rows are ever returned */
    HRR_REGULAR_SSE41,
    HRR_REGULAR_AVX512, /* and, where this returns none, the way before */
} hrr_regular_way;

/* What does not change from call to call. */
typedef struct hrr_regular {
    hrr_regular_way way; /* the best that the processor can do; may be lowered */
    char delimiter;
    /* Where each byte of two lanes of digits comes from, for ids of a + 1 and b + 1 digits. */
    uint8_t shuffles[HRR_REGULAR_DIGITS][HRR_REGULAR_DIGITS][2 * HRR_REGULAR_DIGITS];
} hrr_regular;

typedef struct hrr_regular_rows {
    uint64_t n_rows;
    uint32_t largest;  /* id */
    const char *after; /* where the next row begins */
} hrr_regular_rows;

void hrr_edge_regular_init(hrr_regular *regular, char delimiter);

/* Read rows of exactly "digits, delimiter, digits, line end" from `at` as far as they go. `end` is
 * after a newline, and 16 bytes behind it can be read. source and target have room for
 * HRR_REGULAR_ROWS. Returns no rows if another kind comes first, or if few bytes are left. How
 * many rows a call returns depends on the way; what is in them does not. */
hrr_regular_rows hrr_edge_regular_read(uint32_t *source, uint32_t *target,
                                       const hrr_regular *regular, const char *at, const char *end);

#endif
