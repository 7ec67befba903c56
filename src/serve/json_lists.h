/* json_lists.h: long lists of numbers in JSON, read without a tree of them: a tree takes some
 * thirty times the memory and the time. What a request says beside its lists is short, and is left
 * to a library. Pure. */
#ifndef HRR_SERVE_JSON_LISTS_H
#define HRR_SERVE_JSON_LISTS_H

#include "report/text.h"

enum { HRR_MOST_LISTS = 32 };

typedef struct hrr_json_list {
    const char *at; /* its '[' */
    size_t size;    /* to its ']' */
    bool is_read;   /* and so found to be JSON; for whoever takes it */
} hrr_json_list;

typedef struct hrr_json_lists {
    hrr_text rest; /* the text, with [0], [1]... in the place of the lists */
    hrr_json_list list[HRR_MOST_LISTS];
    uint32_t n;
} hrr_json_lists;

/* Take out the lists that are called "data". The text need be no JSON; of one that is, the rest is,
 * too. Keys that are written with escapes are refused, so that no other list takes their place.
 * Ownership: hrr_text_clear() the rest, also after a failure.
 * Errors:    HRR_EINVAL, HRR_ENOMEM. */
HRR_STATUS hrr_json_lists_take(hrr_json_lists *out, const char *json, size_t size, hrr_error *err);

/* The list's numbers, n of them, nested no deeper than `most_depth`. False if it has another number
 * of elements, any that is no such number, or is no JSON: whoever wants to know what is wrong reads
 * it with a library. */
bool hrr_json_list_integers(int64_t *out, uint64_t n, const hrr_json_list *list,
                            uint32_t most_depth);
bool hrr_json_list_reals(double *out, uint64_t n, const hrr_json_list *list, uint32_t most_depth);

#endif
