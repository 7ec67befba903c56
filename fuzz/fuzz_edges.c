/* fuzz_edges: any bytes as an edge list, under both policies, whatever is said of its header. Every
 * edge must join nodes that exist, and every node must have its name. */
#include "fuzz_input.h"

#include "io/edge_text.h"

#include <string.h>

static void check(const hrr_edge_text *text)
{
    for (uint64_t i = 0; i < text->edges.n_edges; i++)
        if (text->edges.source[i] >= text->n_nodes || text->edges.target[i] >= text->n_nodes)
            abort();
    for (uint64_t i = 1; text->ids.integer && i < text->n_nodes; i++)
        if (text->ids.integer[i - 1] >= text->ids.integer[i]) abort();
    for (uint64_t i = 0; text->ids.text && i < text->n_nodes; i++)
        if (strlen(text->ids.text + text->ids.text_start[i]) + 1 !=
            text->ids.text_start[i + 1] - text->ids.text_start[i])
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const hrr_edge_text_options ways[] = {
        {.ids = HRR_IDS_MAP, .threads = 1},
        {.ids = HRR_IDS_DIRECT, .n_nodes = 100, .threads = 1},
        {.ids = HRR_IDS_DIRECT, .threads = 1},
        {.ids = HRR_IDS_MAP, .threads = 1, .header = HRR_HEADER_YES},
        {.ids = HRR_IDS_MAP, .threads = 1, .header = HRR_HEADER_NO},
    };
    const char *path = fuzz_path(bytes, size);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        hrr_edge_text text;
        hrr_error err;
        if (hrr_edge_text_read(&text, path, &ways[i], NULL, &err)) continue;
        check(&text);
        hrr_edge_text_clear(&text);
    }
    return 0;
}
