/* fuzz_npz: any bytes as an .npz archive. Members of the seeds' names are read to their last byte.
 */
#include "fuzz_input.h"

#include <heterorr/io.h>

static volatile unsigned char sink;

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const names[] = {"a", "b", "adj_data"};
    hrr_npz_reader *npz;
    hrr_error err;
    if (hrr_npz_open(&npz, fuzz_path(bytes, size), &err)) return 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        hrr_array array;
        if (hrr_npz_read(&array, npz, names[i], &err)) continue;
        const unsigned char *data = array.data;
        for (size_t at = 0; at < array.n_items * array.item_size; at++)
            sink ^= data[at];
        hrr_array_clear(&array);
    }
    hrr_npz_close(npz);
    return 0;
}
