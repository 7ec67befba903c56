/* name_index.c: see name_index.h. Open addressing with linear probing, at most half full; names
 * come from files, so a 64-bit mix follows FNV-1a to spread runs of similar ids. */
#include "graph/name_index.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void hrr_decimal(char out[hrr_decimal_size], int64_t value)
{
    snprintf(out, hrr_decimal_size, "%" PRId64, value);
}

void hrr_name_index_clear(hrr_name_index *index)
{
    hrr_free(index->text);
    hrr_free(index->text_start);
    hrr_free(index->row);
    hrr_free(index->slots);
    *index = (hrr_name_index){0};
}

static uint64_t hash_of(const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    hash ^= hash >> 32;
    hash *= UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* The slot that holds the name, or the empty one where it belongs. */
static uint64_t slot_of(const hrr_name_index *index, const char *name)
{
    uint64_t slot = hash_of(name) & (index->n_slots - 1);
    while (index->slots[slot] &&
           strcmp(index->text + index->text_start[index->slots[slot] - 1], name) != 0)
        slot = (slot + 1) & (index->n_slots - 1);
    return slot;
}

bool hrr_name_index_find(const hrr_name_index *index, const char *name, uint32_t *row)
{
    if (!index->n_slots) return false;
    uint32_t found = index->slots[slot_of(index, name)];
    if (!found) return false;
    *row = index->row[found - 1];
    return true;
}

static hrr_status grow_slots(hrr_name_index *index, hrr_error *err)
{
    uint64_t n_slots = index->n_slots ? 2 * index->n_slots : 64;
    uint32_t *slots = hrr_alloc_zero(n_slots, sizeof *slots);
    if (!slots) return hrr_no_memory(err);
    hrr_free(index->slots);
    index->slots = slots;
    index->n_slots = n_slots;
    for (uint64_t i = 0; i < index->n_names; i++)
        slots[slot_of(index, index->text + index->text_start[i])] = (uint32_t)i + 1;
    return HRR_OK;
}

static hrr_status grow_names(hrr_name_index *index, hrr_error *err)
{
    uint64_t room = index->names_room ? 2 * index->names_room : 32;
    uint64_t *text_start = hrr_resize(index->text_start, room, sizeof *text_start);
    if (!text_start) return hrr_no_memory(err);
    index->text_start = text_start;
    uint32_t *row = hrr_resize(index->row, room, sizeof *row);
    if (!row) return hrr_no_memory(err);
    index->row = row;
    index->names_room = room;
    return HRR_OK;
}

hrr_status hrr_name_index_add(hrr_name_index *index, const char *name, uint32_t row, bool *fresh,
                              hrr_error *err)
{
    hrr_status status;
    if (index->n_names == HRR_MAX_NODES)
        return hrr_fail(err, HRR_EDATA, "there are more than %" PRIu64 " nodes", HRR_MAX_NODES);
    if (2 * (index->n_names + 1) > index->n_slots && (status = grow_slots(index, err)))
        return status;
    if (index->n_names == index->names_room && (status = grow_names(index, err))) return status;

    uint64_t slot = slot_of(index, name);
    *fresh = index->slots[slot] == 0;
    if (!*fresh) return HRR_OK;

    size_t size = strlen(name) + 1;
    if (index->text_used + size > index->text_room) {
        size_t room = 2 * (index->text_used + size);
        char *text = hrr_resize(index->text, room, 1);
        if (!text) return hrr_no_memory(err);
        index->text = text;
        index->text_room = room;
    }
    memcpy(index->text + index->text_used, name, size);
    index->text_start[index->n_names] = index->text_used;
    index->row[index->n_names] = row;
    index->text_used += size;
    index->slots[slot] = (uint32_t)++index->n_names;
    return HRR_OK;
}

const char *hrr_node_name(char decimal[hrr_decimal_size], const hrr_node_ids *ids, uint64_t i)
{
    if (ids && ids->text) return ids->text + ids->text_start[i];
    hrr_decimal(decimal, ids && ids->integer ? ids->integer[i] : (int64_t)i);
    return decimal;
}

hrr_status hrr_name_index_of_graph(hrr_name_index *out, const hrr_graph *graph, hrr_error *err)
{
    hrr_status status = HRR_OK;
    hrr_name_index index = {0};
    const hrr_node_ids *ids = hrr_graph_node_ids(graph);
    uint64_t n_nodes = hrr_graph_n_nodes(graph);
    for (uint64_t i = 0; i < n_nodes && !status; i++) {
        char decimal[hrr_decimal_size];
        bool fresh;
        status =
            hrr_name_index_add(&index, hrr_node_name(decimal, ids, i), (uint32_t)i, &fresh, err);
        if (!status && !fresh)
            status = hrr_fail(err, HRR_EDATA, "row %" PRIu64 " repeats the id of another node", i);
    }
    if (status) {
        hrr_name_index_clear(&index);
        return status;
    }
    *out = index;
    return HRR_OK;
}
