/* fuzz_native: a native directory, whole or cut into shards. */
#include "fuzz_files.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const names[] = {
        "graph.json",          "edges.npy",         "private.npy",        "features.npy",
        "labels.npy",          "split.npy",         "node_ids.npy",       "graph_ids.npy",
        "masked_features.npy", "candidates.npy",    "edges-00000.npy",    "edges-00001.npy",
        "private-00000.npy",   "private-00001.npy", "features-00000.npy", "features-00001.npy"};
    fuzz_graph("native", "", names, FUZZ_COUNT(names), bytes, size);
    return 0;
}
