/* set_lists.c: see set_lists.h. */
#include "io/set_lists.h"
#include "base/memory.h"

#include <string.h>

enum { in_no_list = 255 };

hrr_status hrr_set_lists_init(hrr_set_lists *lists, uint64_t n, hrr_error *err)
{
    *lists = (hrr_set_lists){.n = n, .split = hrr_alloc(n, 1)};
    if (!lists->split) return hrr_no_memory(err);
    memset(lists->split, in_no_list, n);
    return HRR_OK;
}

bool hrr_set_lists_put(hrr_set_lists *lists, int64_t number, hrr_split split)
{
    if (number < 0 || (uint64_t)number >= lists->n) return false;
    if (lists->split[number] != in_no_list && lists->split[number] != split) return false;
    lists->split[number] = (uint8_t)split;
    return true;
}

void hrr_set_lists_finish(hrr_set_lists *lists)
{
    for (uint64_t i = 0; i < lists->n; i++)
        if (lists->split[i] == in_no_list) lists->split[i] = HRR_TEST;
}

void hrr_set_lists_clear(hrr_set_lists *lists)
{
    hrr_free(lists->split);
    *lists = (hrr_set_lists){0};
}
