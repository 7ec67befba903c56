/* roc.c: the ROC curve of an attack in few points.
 *
 * Without equal scores the curve is a staircase; where scores are equal it runs straight, as every
 * order of them would on average. Its corners are the whole curve. If there are too many, corners
 * are left out as long as the straight line past them stays within some distance of each, measured
 * along the true positive rate: so a curve is as true near 0 as elsewhere, whatever the scale. The
 * distance grows until few enough are left. */
#include "attack/ranking.h"
#include "base/memory.h"

#include <math.h>

/* Whether b lies on the way from a straight to c. */
static bool is_straight(const uint64_t a[2], const uint64_t b[2], const uint64_t c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) == (c[0] - a[0]) * (b[1] - a[1]);
}

/* The corners, from no pair called an edge to all; room for n + 1. */
static size_t find_corners(hrr_roc_point *out, const hrr_ranked_pair *order,
                           const hrr_link_pairs *pairs)
{
    const double n_positive = (double)pairs->n_positive;
    const double n_negative = (double)(pairs->n - pairs->n_positive);
    uint64_t before[2] = {0, 0}, at[2] = {0, 0}; /* false and true positives */
    size_t n = 1;
    out[0] = (hrr_roc_point){0, 0};
    for (uint64_t i = 0; i < pairs->n;) {
        const hrr_tie tie = hrr_tie_at(order, pairs, i);
        const uint64_t next[2] = {at[0] + (tie.end - tie.begin - tie.n_positive),
                                  at[1] + tie.n_positive};
        if (n > 1 && is_straight(before, at, next)) {
            n--;
        } else {
            before[0] = at[0];
            before[1] = at[1];
        }
        out[n++] = (hrr_roc_point){(double)next[0] / n_negative, (double)next[1] / n_positive};
        at[0] = next[0];
        at[1] = next[1];
        i = tie.end;
    }
    return n;
}

/* Whether the line from corner a to corner b passes all between within the distance. */
static bool passes(const hrr_roc_point *corner, size_t a, size_t b, double distance)
{
    const double width = corner[b].false_positive_rate - corner[a].false_positive_rate;
    const double height = corner[b].true_positive_rate - corner[a].true_positive_rate;
    if (width <= 0) return true; /* upright: all between lie on it */
    for (size_t i = a + 1; i < b; i++) {
        const double along =
            (corner[i].false_positive_rate - corner[a].false_positive_rate) / width;
        const double line = corner[a].true_positive_rate + along * height;
        if (fabs(corner[i].true_positive_rate - line) > distance) return false;
    }
    return true;
}

/* kept: room for n. Each line is as long as it can be. */
static size_t thin(size_t *kept, const hrr_roc_point *corner, size_t n, size_t most,
                   double distance)
{
    size_t n_kept = 1;
    kept[0] = 0;
    for (size_t a = 0; a + 1 < n;) {
        size_t b = a + 1;
        while (b + 1 < n && passes(corner, a, b + 1, distance))
            b++;
        if (n_kept == most) return n_kept + 1; /* too many */
        kept[n_kept++] = a = b;
    }
    return n_kept;
}

hrr_status hrr_link_roc(hrr_roc_point **points, size_t *n_points, const hrr_link_pairs *pairs,
                        const double *scores, size_t most, hrr_error *err)
{
    hrr_ranked_pair *order = NULL;
    hrr_roc_point *corner = NULL;
    size_t *kept = NULL, n_kept;
    *points = NULL;
    *n_points = 0;
    if (most < 2) return hrr_fail(err, HRR_EINVAL, "a curve has at least two points");
    hrr_status status = hrr_rank_pairs(&order, pairs, scores, err);
    if (status) return status;
    if (!(corner = hrr_alloc(pairs->n + 1, sizeof *corner))) {
        status = hrr_no_memory(err);
        goto done;
    }
    size_t n = find_corners(corner, order, pairs);
    if (n > most) {
        if (!(kept = hrr_alloc(n, sizeof *kept))) {
            status = hrr_no_memory(err);
            goto done;
        }
        double distance = 1e-4;
        while ((n_kept = thin(kept, corner, n, most, distance)) > most)
            distance *= 1.25;
        for (size_t i = 0; i < n_kept; i++)
            corner[i] = corner[kept[i]];
        n = n_kept;
    }
    *points = corner;
    *n_points = n;
    corner = NULL;
done:
    hrr_free(order);
    hrr_free(corner);
    hrr_free(kept);
    return status;
}
