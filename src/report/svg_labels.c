/* svg_labels.c: see svg_labels.h.
 *
 * Subtract i gap from the i-th place in order: labels are far enough from each other exactly if
 * what is left never falls. The nearest such sequence is isotonic regression, which pooling
 * adjacent violators finds (Ayer et al. 1955); clipping it to the bounds keeps it the nearest. */
#include "report/svg_labels.h"
#include "base/memory.h"

#include <stdlib.h>

typedef struct pool {
    double sum;
    size_t n;
} pool;

typedef struct wish {
    double place;
    size_t at;
} wish;

static int by_place(const void *a, const void *b)
{
    const wish *x = a, *y = b;
    if (x->place != y->place) return x->place < y->place ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

bool hrr_labels_spread(double *place, size_t n, double gap, double low, double high)
{
    if (n == 0) return true;
    const double room = high - low - gap * (double)(n - 1);
    if (!(room >= 0)) return false;
    wish *wishes = hrr_alloc(n, sizeof *wishes);
    pool *pools = hrr_alloc(n, sizeof *pools);
    size_t n_pools = 0;
    if (!wishes || !pools) goto done;
    for (size_t i = 0; i < n; i++)
        wishes[i] = (wish){place[i], i};
    qsort(wishes, n, sizeof *wishes, by_place);
    for (size_t i = 0; i < n; i++) {
        pools[n_pools++] = (pool){wishes[i].place - gap * (double)i, 1};
        while (n_pools > 1 && pools[n_pools - 2].sum / (double)pools[n_pools - 2].n >
                                  pools[n_pools - 1].sum / (double)pools[n_pools - 1].n) {
            n_pools--;
            pools[n_pools - 1].sum += pools[n_pools].sum;
            pools[n_pools - 1].n += pools[n_pools].n;
        }
    }
    for (size_t p = 0, i = 0; p < n_pools; p++) {
        double level = pools[p].sum / (double)pools[p].n;
        level = level < low ? low : level > low + room ? low + room : level;
        for (size_t k = 0; k < pools[p].n; k++, i++)
            place[wishes[i].at] = level + gap * (double)i;
    }
done:
    hrr_free(wishes);
    hrr_free(pools);
    return n_pools > 0;
}

size_t hrr_labels_wrap(size_t *row, double *x, const double *item_width, size_t n, double between,
                       double width)
{
    size_t rows = 0;
    double at = 0;
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && at + item_width[i] > width) {
            rows++;
            at = 0;
        }
        row[i] = rows;
        x[i] = at;
        at += item_width[i] + between;
    }
    return n ? rows + 1 : 0;
}
