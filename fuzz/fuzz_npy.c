/* fuzz_npy: any bytes as a .npy file. What is read must be readable to its last byte, also as a
 * matrix. */
#include "fuzz_input.h"

#include <heterorr/io.h>

static volatile unsigned char sink;

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    hrr_array array;
    hrr_dense matrix;
    hrr_error err;
    if (hrr_array_read(&array, fuzz_path(bytes, size), &err)) return 0;
    const unsigned char *data = array.data;
    for (size_t i = 0; i < array.n_items * array.item_size; i++)
        sink ^= data[i];
    if (hrr_array_into_dense(&matrix, &array, "input", &err) == HRR_OK) {
        if (matrix.rows && matrix.cols)
            sink ^= hrr_dense_get(&matrix, matrix.rows - 1, matrix.cols - 1) > 0;
        hrr_dense_clear(&matrix);
    }
    hrr_array_clear(&array);
    return 0;
}
