/* smallest.c: quickselect, then a draw among those that are equal at the border. */
#include "edge/smallest.h"
#include "random/below.h"

#include <assert.h>

static void swap(hrr_ranked *a, hrr_ranked *b)
{
    const hrr_ranked kept = *a;
    *a = *b;
    *b = kept;
}

/* Ranks are random already, so the middle one is as good a pivot as any. */
static void partition(hrr_ranked *item, uint64_t n, uint64_t k)
{
    uint64_t begin = 0, end = n; /* the border lies in here */
    while (end - begin > 1) {
        const uint64_t pivot = item[begin + (end - begin) / 2].rank;
        uint64_t i = begin, j = end - 1;
        for (;;) {
            while (item[i].rank < pivot)
                i++;
            while (item[j].rank > pivot)
                j--;
            if (i >= j) break;
            swap(&item[i++], &item[j--]);
        }
        /* begin..i-1 are at most the pivot, i..end-1 at least. If i has not moved, the first item
         * is the pivot and the smallest: it is a side of its own. Both sides shrink. */
        if (i == begin) i++;
        if (k <= i)
            end = i;
        else
            begin = i;
    }
}

static void break_ties(hrr_ranked *item, uint64_t n, uint64_t k, hrr_stream *stream)
{
    uint64_t border = 0;
    for (uint64_t i = 0; i < k; i++)
        border = item[i].rank > border ? item[i].rank : border;
    /* Gather the tied ones around position k: first..k-1 inside, k..last-1 outside. */
    uint64_t first = k, last = k;
    for (uint64_t i = 0; i < first;)
        if (item[i].rank < border)
            i++;
        else
            swap(&item[i], &item[--first]);
    for (uint64_t i = k; i < n; i++)
        if (item[i].rank == border) swap(&item[i], &item[last++]);
    if (last == k) return;
    for (uint64_t i = first; i < k; i++) /* the beginning of a Fisher-Yates shuffle */
        swap(&item[i], &item[i + hrr_below(stream, last - i)]);
}

void hrr_select_smallest(hrr_ranked *item, uint64_t n, uint64_t k, hrr_stream *stream)
{
    assert(k <= n);
    if (k == 0 || k == n) return;
    partition(item, n, k);
    break_ties(item, n, k, stream);
}
