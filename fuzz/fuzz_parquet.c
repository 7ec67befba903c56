/* fuzz_parquet: nodes and edges as Parquet tables, or edges alone. */
#include "fuzz_files.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const names[] = {"edges.parquet", "nodes.parquet"};
    fuzz_graph("parquet", "", names, FUZZ_COUNT(names), bytes, size);
    return 0;
}
