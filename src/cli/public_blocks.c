/* public_blocks.c: see public_blocks.h. */
#include "cli/public_blocks.h"

#include <heterorr/io.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { most_blocks = 65536 };

static uint32_t largest_in_row(const hrr_dense *matrix, uint64_t row)
{
    uint32_t best = 0;
    for (uint32_t c = 1; c < matrix->cols; c++)
        if (hrr_dense_get(matrix, row, c) > hrr_dense_get(matrix, row, best)) best = c;
    return best;
}

static hrr_status fill(uint32_t *blocks, uint32_t *n_blocks, const hrr_dense *matrix,
                       const char *path, hrr_error *err)
{
    *n_blocks = matrix->cols > 1 ? (uint32_t)matrix->cols : 0;
    for (uint64_t i = 0; i < matrix->rows; i++) {
        const double value =
            matrix->cols > 1 ? largest_in_row(matrix, i) : hrr_dense_get(matrix, i, 0);
        if (!(value >= 0) || value >= most_blocks || value != floor(value))
            return hrr_fail(err, HRR_EDATA,
                            "%s: row %" PRIu64
                            " is not a block; blocks are whole numbers from 0 to %d",
                            path, i, most_blocks - 1);
        blocks[i] = (uint32_t)value;
        if (blocks[i] >= *n_blocks) *n_blocks = blocks[i] + 1;
    }
    return HRR_OK;
}

hrr_status cli_blocks_read(uint32_t **blocks, uint32_t *n_blocks, const char *path,
                           uint64_t n_nodes, hrr_error *err)
{
    hrr_array array = {0};
    hrr_dense matrix = {0};
    *blocks = NULL;
    hrr_status status = hrr_array_read(&array, path, err);
    if (!status) status = hrr_array_into_dense(&matrix, &array, path, err);
    if (!status && (matrix.rows != n_nodes || matrix.cols < 1 || matrix.cols > most_blocks))
        status = hrr_fail(err, HRR_EDATA,
                          "%s: is %" PRIu64 " x %" PRIu64
                          "; it must have one row for each of the %" PRIu64
                          " nodes, with its block or with one number per block",
                          path, matrix.rows, matrix.cols, n_nodes);
    if (!status && !(*blocks = malloc((n_nodes + 1) * sizeof **blocks)))
        status = hrr_fail(err, HRR_ENOMEM, "out of memory");
    if (!status) status = fill(*blocks, n_blocks, &matrix, path, err);
    if (status) {
        free(*blocks);
        *blocks = NULL;
    }
    hrr_dense_clear(&matrix);
    hrr_array_clear(&array);
    return status;
}
