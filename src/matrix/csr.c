/* csr.c: compressed sparse rows. */
#include <heterorr/matrix.h>

#include "base/memory.h"
#include "base/size.h"
#include "matrix/csr.h"

hrr_status hrr_csr_init(hrr_csr *out, uint64_t rows, uint64_t cols, uint64_t n_entries,
                        bool with_values, hrr_error *err)
{
    *out = (hrr_csr){0};
    hrr_csr made = {.rows = rows, .cols = cols};
    size_t starts, bytes;
    if (!hrr_add_fits(rows, 1, &starts) || !hrr_mul_fits(starts, sizeof *made.row_start, &bytes))
        return hrr_no_memory(err);
    made.row_start = hrr_alloc_zero(starts, sizeof *made.row_start);
    made.col = hrr_alloc(n_entries, sizeof *made.col);
    made.value = with_values ? hrr_alloc(n_entries, sizeof *made.value) : NULL;
    if (!made.row_start || !made.col || (with_values && !made.value)) {
        hrr_csr_clear(&made);
        return hrr_no_memory(err);
    }
    made.row_start[rows] = n_entries;
    *out = made;
    return HRR_OK;
}

void hrr_csr_clear(hrr_csr *matrix)
{
    hrr_free(matrix->row_start);
    hrr_free(matrix->col);
    hrr_free(matrix->value);
    *matrix = (hrr_csr){0};
}

uint64_t hrr_csr_n_entries(const hrr_csr *matrix)
{
    return matrix->row_start ? matrix->row_start[matrix->rows] : 0;
}
