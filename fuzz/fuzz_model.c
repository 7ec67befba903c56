/* fuzz_model: a model's directory: its shape, weights, counts and reports. */
#include "fuzz_files.h"

#include <heterorr/learn.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const names[] = {"model.json",  "weights.npz", "counts.npz",
                                        "reports.npz", "base.npz",    "no_edges.npz"};
    const char *directory = fuzz_directory(names, FUZZ_COUNT(names));
    hrr_model *model;
    hrr_error err;
    fuzz_split(directory, names, FUZZ_COUNT(names), bytes, size);
    if (hrr_model_read(&model, directory, &err) == HRR_OK) hrr_model_free(model);
    return 0;
}
