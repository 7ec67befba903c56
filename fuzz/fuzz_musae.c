/* fuzz_musae: the three files of a MUSAE graph. */
#include "fuzz_files.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const names[] = {"P_edges.csv", "P_features.json", "P_target.csv"};
    fuzz_graph("musae", "P", names, FUZZ_COUNT(names), bytes, size);
    return 0;
}
