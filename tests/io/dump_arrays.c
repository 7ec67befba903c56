/* dump_arrays: the library's view of .npy and .npz files, for test_numpy.py.
 *
 *   dump_arrays read FILE.npy | FILE.npz NAME   "TYPE ITEM_SIZE [SHAPE] mapped|heap" and raw data
 *   dump_arrays copy FILE.npy OUT.npy           read and write again
 *   dump_arrays pack OUT.npz NAME FILE.npy ...  into an archive */
#include "io/npy_header.h"

#include <heterorr/io.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int failed(const hrr_error *err)
{
    fprintf(stderr, "%s: %s\n", hrr_status_name(err->status), err->message);
    return 3;
}

static hrr_status load(hrr_array *array, const char *path, const char *name, hrr_error *err)
{
    if (!name) return hrr_array_read(array, path, err);
    hrr_npz_reader *npz;
    hrr_status status = hrr_npz_open(&npz, path, err);
    if (status) return status;
    status = hrr_npz_read(array, npz, name, err);
    hrr_npz_close(npz);
    return status;
}

static int pack(int count, char **words)
{
    enum { most = 64 };
    hrr_error err;
    hrr_array arrays[most] = {0};
    hrr_npz_item items[most] = {0};
    size_t n_items = 0;
    hrr_status status = HRR_OK;
    for (int i = 3; i + 1 < count && !status; i += 2, n_items++) {
        status = hrr_array_read(&arrays[n_items], words[i + 1], &err);
        items[n_items] = (hrr_npz_item){.name = words[i], .array = &arrays[n_items]};
    }
    if (!status) status = hrr_npz_write(words[2], items, n_items, &err);
    for (size_t i = 0; i < n_items; i++)
        hrr_array_clear(&arrays[i]);
    return status ? failed(&err) : 0;
}

int main(int count, char **words)
{
    hrr_error err;
    hrr_array array;
    if (count < 3) return 2;
    if (strcmp(words[1], "pack") == 0) return pack(count, words);
    bool copy = strcmp(words[1], "copy") == 0;
    if (load(&array, words[2], copy || count < 4 ? NULL : words[3], &err)) return failed(&err);
    if (copy) {
        if (hrr_array_write(&array, words[3], &err)) return failed(&err);
    } else {
        printf("%s %zu [", hrr_array_type_name(array.type), array.item_size);
        for (int i = 0; i < array.n_dims; i++)
            printf("%s%" PRIu64, i ? "," : "", array.shape[i]);
        printf("] %s\n", array.storage.kind == HRR_REGION_MAPPED ? "mapped" : "heap");
        fwrite(array.data, array.item_size, array.n_items, stdout);
    }
    hrr_array_clear(&array);
    return 0;
}
