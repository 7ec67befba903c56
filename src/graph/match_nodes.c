/* match_nodes.c: which node of one graph a node of another is. Most often both have the same nodes
 * in the same order, so that is tried first; otherwise names are looked up in an index. */
#include "graph/graph.h"
#include "graph/name_index.h"
#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

static bool has_same_order(const hrr_graph *a, const hrr_graph *b)
{
    const hrr_node_ids *x = hrr_graph_node_ids(a), *y = hrr_graph_node_ids(b);
    char space_x[hrr_decimal_size], space_y[hrr_decimal_size];
    if (a->n_nodes != b->n_nodes) return false;
    for (uint64_t i = 0; x && y && i < a->n_nodes; i++)
        if (x->integer && y->integer
                ? x->integer[i] != y->integer[i]
                : strcmp(hrr_node_name(space_x, x, i), hrr_node_name(space_y, y, i)) != 0)
            return false;
    return true;
}

static hrr_status not_there(uint64_t node, hrr_error *err)
{
    return hrr_fail(err, HRR_EDATA,
                    "node %" PRIu64
                    " of the other graph (counting from 0) is not in the original, or occurs twice "
                    "in the other graph; both graphs must have the same nodes",
                    node);
}

static hrr_status match_by_names(uint32_t *place, const hrr_graph *original, const hrr_graph *other,
                                 hrr_error *err)
{
    const hrr_node_ids *ids = hrr_graph_node_ids(other);
    hrr_name_index names = {0};
    uint8_t *is_taken = hrr_alloc_zero(original->n_nodes, 1);
    hrr_status status =
        is_taken ? hrr_name_index_of_graph(&names, original, err) : hrr_no_memory(err);
    for (uint64_t i = 0; i < other->n_nodes && !status; i++) {
        char decimal[hrr_decimal_size];
        if (!hrr_name_index_find(&names, hrr_node_name(decimal, ids, i), &place[i]) ||
            is_taken[place[i]])
            status = not_there(i, err);
        else
            is_taken[place[i]] = 1;
    }
    hrr_name_index_clear(&names);
    hrr_free(is_taken);
    return status;
}

hrr_status hrr_graph_match_nodes(uint32_t *place, const hrr_graph *original, const hrr_graph *other,
                                 hrr_error *err)
{
    if (!has_same_order(original, other)) return match_by_names(place, original, other, err);
    for (uint64_t i = 0; i < other->n_nodes; i++)
        place[i] = (uint32_t)i;
    return HRR_OK;
}
