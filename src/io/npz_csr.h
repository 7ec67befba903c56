/* npz_csr.h: a sparse matrix in an .npz archive: NAME_data, NAME_indices, NAME_indptr and
 * NAME_shape, as scipy.sparse and gnn-benchmark write it. */
#ifndef HRR_IO_NPZ_CSR_H
#define HRR_IO_NPZ_CSR_H

#include <heterorr/io.h>

typedef struct hrr_npz_csr {
    uint64_t rows, cols, n_entries;
    hrr_array indptr, indices; /* integers; ranges and order were checked */
    hrr_dense values;          /* n_entries x 1; data NULL: all are 1 */
    bool truths;               /* the values are of type bool */
} hrr_npz_csr;

/* Errors: HRR_EDATA names "FILE: NAME_PART". */
hrr_status hrr_npz_csr_read(hrr_npz_csr *out, hrr_npz_reader *npz, const char *path,
                            const char *name, hrr_error *err);
/* Whether every entry has its mirror image, with a value that is 0 in both or in none, and with the
 * same mark (a byte for each entry; NULL: none). Columns must ascend in each row; otherwise the
 * answer is no. O(m log m). */
bool hrr_npz_csr_is_symmetric(const hrr_npz_csr *matrix, const uint8_t *marks);
bool hrr_npz_csr_is_zero(const hrr_npz_csr *matrix, uint64_t entry);
void hrr_npz_csr_clear(hrr_npz_csr *matrix);

#endif
