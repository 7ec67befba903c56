/* edge_names.h: text ids, numbered as they come and then put in the order of their bytes. The order
 * of appearance must not survive: it tells in which rows, private ones among them, a node was
 * named. */
#ifndef HRR_IO_EDGE_NAMES_H
#define HRR_IO_EDGE_NAMES_H

#include <heterorr/graph.h>

typedef struct hrr_edge_names {
    hrr_node_ids ids; /* text and text_start, n_names of them */
    uint64_t n_names;
    uint64_t text_used, text_capacity, name_capacity;
    uint32_t *slots;  /* hash table of number + 1; 0: free */
    uint64_t n_slots; /* a power of two, or 0 */
    uint64_t key;
} hrr_edge_names;

/* The number of a name, new or known. At most 2^31 - 1 names: HRR_EDATA beyond. */
hrr_status hrr_edge_names_number(hrr_edge_names *names, const char *name, uint64_t *number,
                                 hrr_error *err);
bool hrr_edge_names_has(const hrr_edge_names *names, const char *name);
/* Number the names in the order of their bytes; *rank (hrr memory, n_names) is each one's new
 * number. */
hrr_status hrr_edge_names_sort(hrr_edge_names *names, uint32_t **rank, hrr_error *err);
void hrr_edge_names_clear(hrr_edge_names *names);

#endif
