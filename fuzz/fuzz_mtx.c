/* fuzz_mtx: any bytes as a Matrix Market file. Every edge must join nodes that exist. */
#include "fuzz_input.h"

#include "io/mtx.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    hrr_edge_list edges;
    uint64_t n_nodes;
    hrr_error err;
    if (hrr_mtx_read(&edges, &n_nodes, fuzz_path(bytes, size), NULL, &err)) return 0;
    for (uint64_t i = 0; i < edges.n_edges; i++)
        if (edges.source[i] >= n_nodes || edges.target[i] >= n_nodes) abort();
    hrr_edge_list_clear(&edges);
    return 0;
}
