/* csr.h: sparse matrices under construction. */
#ifndef HRR_MATRIX_CSR_H
#define HRR_MATRIX_CSR_H

#include <heterorr/matrix.h>

/* Room for n_entries. row_start is zero but for its last, n_entries; the caller fills the rest. */
HRR_STATUS hrr_csr_init(hrr_csr *out, uint64_t rows, uint64_t cols, uint64_t n_entries,
                        bool with_values, hrr_error *err);
uint64_t hrr_csr_n_entries(const hrr_csr *matrix);

#endif
