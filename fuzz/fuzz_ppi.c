/* fuzz_ppi: two splits of a PPI collection. */
#include "fuzz_files.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const names[] = {
        "train_graph.json", "train_feats.npy", "train_labels.npy", "train_graph_id.npy",
        "test_graph.json",  "test_feats.npy",  "test_labels.npy",  "test_graph_id.npy"};
    fuzz_graph("ppi", "", names, FUZZ_COUNT(names), bytes, size);
    return 0;
}
