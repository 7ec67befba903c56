/* fuzz_ppicsv: a collection of edge lists with features. */
#include "fuzz_files.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const names[] = {"train_0.csv",      "train_1.csv",        "test_0.csv",
                                        "train_feats.npy",  "train_graph_id.npy", "test_feats.npy",
                                        "test_graph_id.npy"};
    fuzz_graph("ppi-csv", "", names, FUZZ_COUNT(names), bytes, size);
    return 0;
}
