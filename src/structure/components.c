/* components.c: see components.h. */
#include "structure/components.h"
#include "base/memory.h"
#include "matrix/csr.h"
#include "structure/shape.h"

#include <string.h>

uint64_t hrr_components_find(uint32_t *component, uint32_t *order, const hrr_csr *graph)
{
    uint64_t n_components = 0, head = 0, tail = 0;
    memset(component, 0xff, graph->rows * sizeof *component);
    for (uint64_t first = 0; first < graph->rows; first++) {
        if (component[first] != UINT32_MAX) continue;
        const uint32_t c = (uint32_t)n_components++;
        component[first] = c;
        for (order[tail++] = (uint32_t)first; head < tail; head++) {
            const uint32_t node = order[head];
            for (uint64_t e = graph->row_start[node]; e < graph->row_start[node + 1]; e++) {
                const uint32_t next = graph->col[e];
                if (component[next] != UINT32_MAX) continue;
                component[next] = c;
                order[tail++] = next;
            }
        }
    }
    return n_components;
}

static void renumber(hrr_components *out, const uint32_t *component, const uint32_t *order,
                     const hrr_csr *graph)
{
    uint64_t entries = 0;
    for (uint64_t k = 0; k < out->n_nodes; k++) {
        out->number[order[k]] = (uint32_t)k;
        if (k == 0 || component[order[k]] != component[order[k - 1]])
            out->start[component[order[k]]] = k;
    }
    out->start[out->n] = out->n_nodes;
    for (uint64_t k = 0; k < out->n_nodes; k++) {
        const uint32_t node = order[k];
        out->row_start[k] = entries;
        for (uint64_t e = graph->row_start[node]; e < graph->row_start[node + 1]; e++)
            out->col[entries++] = out->number[graph->col[e]];
    }
    out->row_start[out->n_nodes] = entries;
}

hrr_status hrr_components_init(hrr_components *out, const hrr_csr *graph, hrr_error *err)
{
    hrr_status status = HRR_OK;
    const uint64_t n = graph->rows;
    *out = (hrr_components){.n_nodes = n};
    uint32_t *component = hrr_alloc(n, sizeof *component), *order = hrr_alloc(n, sizeof *order);
    out->number = hrr_alloc(n, sizeof *out->number);
    out->row_start = hrr_alloc(n + 1, sizeof *out->row_start);
    out->col = hrr_alloc(hrr_csr_n_entries(graph), sizeof *out->col);
    if (!component || !order || !out->number || !out->row_start || !out->col) goto no_memory;
    out->n = n ? hrr_components_find(component, order, graph) : 0;
    out->start = hrr_alloc(out->n + 1, sizeof *out->start);
    if (!out->start) goto no_memory;
    renumber(out, component, order, graph);
    goto done;
no_memory:
    status = hrr_no_memory(err);
    hrr_components_clear(out);
done:
    hrr_free(component);
    hrr_free(order);
    return status;
}

void hrr_components_clear(hrr_components *components)
{
    hrr_free(components->start);
    hrr_free(components->number);
    hrr_free(components->row_start);
    hrr_free(components->col);
    *components = (hrr_components){0};
}
