/* edge_append.c: see edge_append.h. */
#include "io/edge_append.h"
#include "base/memory.h"

#include <string.h>

static bool grow_region(hrr_region *region, uint64_t count, size_t size)
{
    void *start = hrr_resize(region->start, count, size);
    if (!start) return false;
    *region = (hrr_region){start, count * size, HRR_REGION_HEAP};
    return true;
}

static hrr_status reserve(hrr_edge_growth *growth, uint64_t needed, bool with_marks, hrr_error *err)
{
    hrr_edge_list *edges = &growth->edges;
    if (needed <= growth->room) return HRR_OK;
    uint64_t room = needed < 512 ? 1024 : 2 * needed;
    if (!grow_region(&edges->source_storage, room, sizeof *edges->source))
        return hrr_no_memory(err);
    edges->source = edges->source_storage.start;
    if (!grow_region(&edges->target_storage, room, sizeof *edges->target))
        return hrr_no_memory(err);
    edges->target = edges->target_storage.start;
    if (with_marks) {
        if (!grow_region(&edges->marks_storage, room, 1)) return hrr_no_memory(err);
        edges->marks = edges->marks_storage.start;
    }
    growth->room = room;
    return HRR_OK;
}

hrr_status hrr_edge_growth_add(hrr_edge_growth *growth, uint32_t source, uint32_t target,
                               hrr_error *err)
{
    hrr_edge_list *edges = &growth->edges;
    if (edges->n_edges == growth->room) {
        hrr_status status = reserve(growth, edges->n_edges + 1, edges->marks != NULL, err);
        if (status) return status;
    }
    edges->source[edges->n_edges] = source;
    edges->target[edges->n_edges] = target;
    edges->n_edges++;
    return HRR_OK;
}

hrr_status hrr_edge_growth_add_marked(hrr_edge_growth *growth, uint32_t source, uint32_t target,
                                      uint8_t marks, hrr_error *err)
{
    hrr_status status = reserve(growth, growth->edges.n_edges + 1, true, err);
    if (!status) status = hrr_edge_growth_add(growth, source, target, err);
    if (!status) growth->edges.marks[growth->edges.n_edges - 1] = marks;
    return status;
}

hrr_status hrr_edge_growth_append(hrr_edge_growth *growth, const hrr_edge_list *more,
                                  uint64_t offset, hrr_error *err)
{
    hrr_edge_list *edges = &growth->edges;
    uint64_t old = edges->n_edges;
    bool with_marks = more->marks && (old == 0 || edges->marks);
    hrr_status status = reserve(growth, old + more->n_edges, with_marks, err);
    if (status) return status;
    for (uint64_t e = 0; e < more->n_edges; e++) {
        edges->source[old + e] = (uint32_t)(more->source[e] + offset);
        edges->target[old + e] = (uint32_t)(more->target[e] + offset);
    }
    if (with_marks && more->n_edges) memcpy(edges->marks + old, more->marks, more->n_edges);
    edges->n_edges = old + more->n_edges;
    return HRR_OK;
}

void hrr_edge_growth_clear(hrr_edge_growth *growth)
{
    hrr_edge_list_clear(&growth->edges);
    growth->room = 0;
}
