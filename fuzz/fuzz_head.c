/* fuzz_head: a public head, as an archive and as one array. */
#include "fuzz_files.h"

#include <heterorr/learn.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const names[] = {"head.npz", "head.npy"};
    const char *directory = fuzz_directory(names, FUZZ_COUNT(names));
    for (size_t i = 0; i < FUZZ_COUNT(names); i++) {
        char path[256];
        hrr_head head;
        hrr_error err;
        fuzz_put(directory, names[i], bytes, size);
        snprintf(path, sizeof path, "%s/%s", directory, names[i]);
        if (hrr_head_read(&head, path, HRR_OUTPUT_SOFTMAX, &err) == HRR_OK) hrr_head_clear(&head);
    }
    return 0;
}
