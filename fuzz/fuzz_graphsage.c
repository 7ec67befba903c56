/* fuzz_graphsage: the four files of a GraphSAGE graph. */
#include "fuzz_files.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const names[] = {"P-G.json", "P-id_map.json", "P-class_map.json",
                                        "P-feats.npy"};
    fuzz_graph("graphsage", "P", names, FUZZ_COUNT(names), bytes, size);
    return 0;
}
