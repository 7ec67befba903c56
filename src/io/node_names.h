/* node_names.h: nodes of a graph by what a file calls them. */
#ifndef HRR_IO_NODE_NAMES_H
#define HRR_IO_NODE_NAMES_H

#include "io/edge_text.h"
#include "graph/name_index.h"

/* A field as the file has it, or, if that is nobody's id, as the integer it stands for. */
bool hrr_find_node(const hrr_name_index *names, const char *field, uint32_t *row);

/* From a list's own numbering to the rows of `names`, for each of its nodes.
 * Errors: HRR_EDATA names the line of a node that nobody has. */
hrr_status hrr_map_nodes(uint32_t *node_of, const hrr_edge_text *list, const hrr_name_index *names,
                         const char *path, hrr_error *err);

/* An integer in its plain decimal form: "7", not "07" or "+7". */
bool hrr_plain_integer(const char *name, int64_t *value);

/* Whether every name is a whole number, so that no word can be one. */
bool hrr_names_are_numbers(const hrr_name_index *index);

/* The names as node ids in row order: integers if all of them are, none at all if name i is "i".
 * The rows must be 0..n_names-1, each once. */
hrr_status hrr_names_into_ids(hrr_node_ids *out, const hrr_name_index *index, hrr_error *err);

#endif
