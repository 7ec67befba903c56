/* staircase.h: the degrees of a graph in descending order, without saying whose they are.
 *
 * Draw them as a staircase: cell (i, k) is filled if the i-th largest degree is k or more, i from
 * 0, k from 1. One pair adds 1 to two degrees, and so fills two cells. The staircase is counted
 * along both of its sides, and each cell once:
 *     row[i]        filled cells with k > i:   max(d_i - i, 0)
 *     column[k - 1] filled cells with k <= i:  max(#{degrees >= k} - k, 0).
 * So the L1 sensitivity of all rows and columns together is 2. The few nodes of large degree are
 * counted by rows and the many of small degree by columns: a flat part of the staircase is a long
 * run of equal numbers, whose noise isotonic regression averages away (M. Hay, C. Li, G. Miklau,
 * D. Jensen, ICDM 2009, who count by rows alone). */
#ifndef HRR_EDGE_STAIRCASE_H
#define HRR_EDGE_STAIRCASE_H

#include <heterorr/base.h>

/* row, column: n numbers each. degree < n; `sorted` is scratch for n. O(n). */
void hrr_staircase_count(int64_t *row, int64_t *column, uint32_t *sorted, const uint32_t *degree,
                         uint64_t n);

/* The n degrees that noisy rows and columns tell of, descending; eps: of the noise of each number.
 * Post-processing. O(n). Errors: HRR_ENOMEM. */
hrr_status hrr_staircase_fit(uint32_t *degree, const int64_t *row, const int64_t *column,
                             uint64_t n, double eps, hrr_error *err);

#endif
