/* agreement.c: how far two divisions of the same nodes agree.
 *
 * Normalised mutual information of communities a and b, with p the shares of nodes:
 *
 *     I = sum over a, b of  p_ab log(p_ab / (p_a p_b))        NMI = 2 I / (H_a + H_b)
 *
 * 1 for the same division, 1 also if both have one community (Strehl and Ghosh 2002, with the
 * arithmetic mean of the entropies). */
#include "structure/measures.h"

#include "base/memory.h"

#include <math.h>

static double entropy(const uint64_t *count, uint32_t n_counts, double n)
{
    double sum = 0;
    for (uint32_t c = 0; c < n_counts; c++)
        if (count[c]) sum -= (double)count[c] / n * log((double)count[c] / n);
    return sum;
}

/* How many nodes are in each community; start: where they begin in `order`, n_communities + 1. */
static void sort_nodes(uint32_t *order, uint64_t *start, const uint32_t *community,
                       uint32_t n_communities, uint64_t n)
{
    for (uint32_t c = 0; c <= n_communities; c++)
        start[c] = 0;
    for (uint64_t i = 0; i < n; i++)
        start[community[i]]++;
    for (uint32_t c = 0; c < n_communities; c++)
        start[c + 1] += start[c];
    for (uint64_t i = n; i-- > 0;)
        order[--start[community[i]]] = (uint32_t)i;
}

typedef struct division {
    const uint32_t *of;
    uint32_t n;
    uint64_t *size;
} division;

/* order: nodes by community of `a`. together: zero, one for each community of `b`; zero again. */
static double information(const division *a, const division *b, const uint32_t *order,
                          uint64_t *together, double n)
{
    double sum = 0;
    uint64_t first = 0;
    for (uint32_t c = 0; c < a->n; c++) {
        const uint64_t last = first + a->size[c];
        for (uint64_t k = first; k < last; k++)
            together[b->of[order[k]]]++;
        for (uint64_t k = first; k < last; k++) {
            const uint32_t d = b->of[order[k]];
            const double both = (double)together[d];
            if (both == 0) continue; /* seen already */
            sum += both / n * log(both * n / ((double)a->size[c] * (double)b->size[d]));
            together[d] = 0;
        }
        first = last;
    }
    return sum;
}

hrr_status hrr_mutual_information(double *out, const uint32_t *a, uint32_t n_a, const uint32_t *b,
                                  uint32_t n_b, uint64_t n, hrr_error *err)
{
    hrr_status status = HRR_OK;
    *out = NAN;
    if (n == 0) return HRR_OK;
    division one = {a, n_a, hrr_alloc((size_t)n_a + 1, sizeof *one.size)};
    division two = {b, n_b, hrr_alloc_zero(n_b, sizeof *two.size)};
    uint32_t *order = hrr_alloc(n, sizeof *order);
    uint64_t *together = hrr_alloc_zero(n_b, sizeof *together);
    if (!one.size || !two.size || !order || !together) {
        status = hrr_no_memory(err);
        goto done;
    }
    sort_nodes(order, one.size, a, n_a, n);
    for (uint32_t c = 0; c < n_a; c++)
        one.size[c] = one.size[c + 1] - one.size[c];
    for (uint64_t i = 0; i < n; i++)
        two.size[b[i]]++;
    const double entropies = entropy(one.size, n_a, (double)n) + entropy(two.size, n_b, (double)n);
    *out = entropies > 0 ? 2 * information(&one, &two, order, together, (double)n) / entropies : 1;
    if (*out < 0) *out = 0; /* by rounding */
done:
    hrr_free(one.size);
    hrr_free(two.size);
    hrr_free(order);
    hrr_free(together);
    return status;
}
