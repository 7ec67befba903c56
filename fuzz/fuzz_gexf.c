/* fuzz_gexf: a graph as GEXF. */
#include "fuzz_files.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const names[] = {"g.gexf"};
    fuzz_graph("gexf", "g.gexf", names, FUZZ_COUNT(names), bytes, size);
    return 0;
}
