/* fuzz_graphml: a graph as GraphML. */
#include "fuzz_files.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const names[] = {"g.graphml"};
    fuzz_graph("graphml", "g.graphml", names, FUZZ_COUNT(names), bytes, size);
    return 0;
}
