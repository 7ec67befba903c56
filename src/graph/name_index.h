/* name_index.h: from what a file calls a node to its row: a hash table of texts. Integers are
 * looked up in their plain decimal form, so 7 and "7" are the same name. */
#ifndef HRR_GRAPH_NAME_INDEX_H
#define HRR_GRAPH_NAME_INDEX_H

#include <heterorr/graph.h>

typedef struct hrr_name_index {
    uint64_t n_names;
    char *text; /* NUL-terminated names in the order they were added */
    size_t text_used, text_room;
    uint64_t *text_start; /* n_names offsets into text */
    uint32_t *row;        /* n_names values */
    uint64_t names_room;
    uint32_t *slots; /* 1 + position of a name; 0: empty. A power of two of them. */
    uint64_t n_slots;
} hrr_name_index;

/* All zero bytes is the empty index. */
void hrr_name_index_clear(hrr_name_index *index);

/* *fresh is false, and nothing changes, if the name is there already. Errors: HRR_ENOMEM, and
 * HRR_EDATA beyond HRR_MAX_NODES names. */
hrr_status hrr_name_index_add(hrr_name_index *index, const char *name, uint32_t row, bool *fresh,
                              hrr_error *err);
bool hrr_name_index_find(const hrr_name_index *index, const char *name, uint32_t *row);

/* The names of a graph's nodes: its ids, or 0..n-1 where it has none. Errors: HRR_ENOMEM, and
 * HRR_EDATA if two nodes have the same id. */
hrr_status hrr_name_index_of_graph(hrr_name_index *out, const hrr_graph *graph, hrr_error *err);

/* Room for the decimal form of any int64_t. */
enum { hrr_decimal_size = 24 };
void hrr_decimal(char out[hrr_decimal_size], int64_t value);

/* What node i is called; without ids (NULL, or empty) its number. The text lies in `ids` or in
 * `decimal`. */
const char *hrr_node_name(char decimal[hrr_decimal_size], const hrr_node_ids *ids, uint64_t i);

#endif
