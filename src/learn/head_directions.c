/* head_directions.c: the directions of feature space that a head distinguishes.
 *
 * What a head makes of x it makes of x W, W its first layer, so features matter through the span of
 * the columns of W alone. In unit scale, x_i = lo_i + z_i (hi_i - lo_i), row i of W grows by
 * hi_i - lo_i. A linear softmax head does not change when all classes gain the same: there the mean
 * column is taken away, and C classes leave C - 1 directions. Principal directions of the columns
 * put what weighs most first, so that the first few are a fair summary of a wide layer. */
#include "learn/head.h"
#include "matrix/products.h"

hrr_status hrr_head_directions(hrr_dense *out, const hrr_head *head, const double *lo,
                               const double *hi, uint32_t n, hrr_error *err)
{
    const bool linear = hrr_head_is_linear(head);
    const hrr_dense *first = linear ? &head->weight : &head->hidden_weight;
    hrr_dense columns = {0};
    *out = (hrr_dense){0};
    hrr_status status = hrr_dense_transpose(&columns, first, err);
    for (uint64_t i = 0; !status && i < columns.rows * columns.cols; i++) {
        const uint64_t feature = i % columns.cols;
        ((double *)columns.data)[i] *= (hi ? hi[feature] : 1) - (lo ? lo[feature] : 0);
    }
    if (!status)
        status = hrr_dense_principal(out, NULL, &columns, n,
                                     linear && head->output == HRR_OUTPUT_SOFTMAX, err);
    hrr_dense_clear(&columns);
    return status;
}
