/* fuzz_ogb: the folders of an OGB graph. */
#include "fuzz_files.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const names[] = {
        "raw/edge.csv",       "raw/num-node-list.csv", "raw/num-edge-list.csv", "raw/node-feat.csv",
        "raw/node-label.csv", "split/s/train.csv",     "split/s/valid.csv",     "split/s/test.csv"};
    fuzz_graph("ogb", "", names, FUZZ_COUNT(names), bytes, size);
    return 0;
}
