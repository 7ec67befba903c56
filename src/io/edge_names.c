/* edge_names.c: see edge_names.h. Open addressing over one run of texts. The hash is keyed at
 * random, so that nobody can prepare a file whose names all collide; numbers do not depend on it.
 */
#include "io/edge_names.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static uint64_t mix(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t hash(const char *name, size_t length, uint64_t key)
{
    const uint64_t odd = 0x9e3779b97f4a7c15; /* 2^64 / golden ratio */
    uint64_t state = key ^ length;
    while (length > 0) {
        uint64_t word = 0;
        size_t step = length < 8 ? length : 8;
        memcpy(&word, name, step);
        state = mix(state ^ word, key | 1) + odd;
        name += step;
        length -= step;
    }
    return mix(state, odd ^ key);
}

static const char *name_at(const hrr_edge_names *names, uint64_t number)
{
    return names->ids.text + names->ids.text_start[number];
}

static uint64_t length_at(const hrr_edge_names *names, uint64_t number)
{
    return names->ids.text_start[number + 1] - names->ids.text_start[number] - 1;
}

/* The slot that holds this name, or the free one where it belongs. */
static uint32_t *find_slot(const hrr_edge_names *names, const char *name, size_t length)
{
    uint64_t mask = names->n_slots - 1, at = hash(name, length, names->key) & mask;
    for (;; at = (at + 1) & mask) {
        uint32_t *slot = &names->slots[at];
        if (!*slot) return slot;
        uint64_t number = *slot - 1;
        if (length_at(names, number) == length && memcmp(name_at(names, number), name, length) == 0)
            return slot;
    }
}

static hrr_status grow_slots(hrr_edge_names *names, hrr_error *err)
{
    uint64_t n_slots = names->n_slots ? 2 * names->n_slots : 1024;
    uint32_t *slots = hrr_alloc_zero(n_slots, sizeof *slots);
    if (!slots) return hrr_no_memory(err);
    if (!names->n_slots && getrandom(&names->key, sizeof names->key, 0) != sizeof names->key)
        names->key = (uint64_t)(uintptr_t)slots;
    hrr_free(names->slots);
    names->slots = slots;
    names->n_slots = n_slots;
    for (uint64_t i = 0; i < names->n_names; i++)
        *find_slot(names, name_at(names, i), length_at(names, i)) = (uint32_t)i + 1;
    return HRR_OK;
}

static hrr_status make_room(hrr_edge_names *names, size_t size, hrr_error *err)
{
    if (names->n_names + 2 > names->name_capacity) {
        uint64_t capacity = 2 * names->name_capacity + 1024;
        uint64_t *start = hrr_resize(names->ids.text_start, capacity, sizeof *start);
        if (!start) return hrr_no_memory(err);
        if (!names->ids.text_start) start[0] = 0;
        names->ids.text_start = start;
        names->name_capacity = capacity;
    }
    if (names->text_used + size > names->text_capacity) {
        uint64_t capacity = 2 * names->text_capacity + size + 4096;
        char *text = hrr_resize(names->ids.text, capacity, 1);
        if (!text) return hrr_no_memory(err);
        names->ids.text = text;
        names->text_capacity = capacity;
    }
    return HRR_OK;
}

hrr_status hrr_edge_names_number(hrr_edge_names *names, const char *name, uint64_t *number,
                                 hrr_error *err)
{
    hrr_status status = HRR_OK;
    size_t length = strlen(name);
    if (2 * names->n_names >= names->n_slots && (status = grow_slots(names, err))) return status;
    uint32_t *slot = find_slot(names, name, length);
    if (!*slot) {
        if (names->n_names == HRR_MAX_NODES)
            return hrr_fail(err, HRR_EDATA, "there are more than 2^31 - 1 names; split the graph");
        if ((status = make_room(names, length + 1, err))) return status;
        memcpy(names->ids.text + names->text_used, name, length + 1);
        names->text_used += length + 1;
        names->ids.text_start[++names->n_names] = names->text_used;
        *slot = (uint32_t)names->n_names;
    }
    *number = *slot - 1;
    return HRR_OK;
}

bool hrr_edge_names_has(const hrr_edge_names *names, const char *name)
{
    return names->n_slots && *find_slot(names, name, strlen(name));
}

static int by_bytes(const void *a, const void *b, void *user)
{
    const hrr_edge_names *names = user;
    return strcmp(name_at(names, *(const uint32_t *)a), name_at(names, *(const uint32_t *)b));
}

hrr_status hrr_edge_names_sort(hrr_edge_names *names, uint32_t **rank, hrr_error *err)
{
    const uint64_t n = names->n_names;
    hrr_status status = HRR_OK;
    uint32_t *order = hrr_alloc(n, sizeof *order);
    uint64_t *start = hrr_alloc(n + 1, sizeof *start);
    char *text = hrr_alloc(names->text_used, 1);
    *rank = hrr_alloc(n, sizeof **rank);
    if (!order || !start || !text || !*rank) {
        status = hrr_no_memory(err);
        goto done;
    }
    for (uint64_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    qsort_r(order, n, sizeof *order, by_bytes, names);
    start[0] = 0;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t size = length_at(names, order[i]) + 1;
        memcpy(text + start[i], name_at(names, order[i]), size);
        start[i + 1] = start[i] + size;
        (*rank)[order[i]] = (uint32_t)i;
    }
    hrr_node_ids_clear(&names->ids);
    names->ids = (hrr_node_ids){.text = text, .text_start = start};
    text = NULL;
    start = NULL;
done:
    hrr_free(order);
    hrr_free(start);
    hrr_free(text);
    if (status) {
        hrr_free(*rank);
        *rank = NULL;
    }
    return status;
}

void hrr_edge_names_clear(hrr_edge_names *names)
{
    hrr_node_ids_clear(&names->ids);
    hrr_free(names->slots);
    *names = (hrr_edge_names){0};
}
