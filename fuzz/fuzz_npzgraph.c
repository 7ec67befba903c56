/* fuzz_npzgraph: a graph in one .npz archive. */
#include "fuzz_files.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const names[] = {"g.npz"};
    fuzz_graph("npz", "g.npz", names, FUZZ_COUNT(names), bytes, size);
    return 0;
}
