/* fuzz_noderows: any bytes as rows about nodes: every row has its values, and a name of its own. */
#include "fuzz_input.h"

#include "io/node_rows.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const char *path = fuzz_path(bytes, size);
    const hrr_node_rows_options ways[] = {
        {0}, {.labels = true}, {.labels = true, .column = "c"}, {.header = HRR_HEADER_YES}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        hrr_node_rows rows;
        hrr_error err;
        if (hrr_node_rows_read(&rows, path, &ways[i], &err)) continue;
        if (rows.values.n_items % rows.n != 0 || rows.values.n_items < rows.n) abort();
        if (rows.named && rows.names.n_names != rows.n) abort();
        hrr_node_rows_clear(&rows);
    }
    return 0;
}
