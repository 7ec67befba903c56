/* edge_columns.c: see edge_columns.h. */
#include "io/edge_columns.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

static const char *const usual_pairs[][2] = {
    {"src", "dst"},
    {"source", "target"},
    {"from", "to"},
    {"u", "v"},
    {"id_1", "id_2"},
    {"id1", "id2"},
    {"node_1", "node_2"},
    {"node1", "node2"},
    {"src_id", "dst_id"},
    {"from_id", "to_id"},
    {"source_id", "target_id"},
    {"fromnodeid", "tonodeid"},
    {"head", "tail"},
    {"from_node_id", "to_node_id"},
};

bool hrr_is_usual_pair(const char *one, const char *other)
{
    for (size_t i = 0; i < sizeof usual_pairs / sizeof *usual_pairs; i++)
        if (strcasecmp(one, usual_pairs[i][0]) == 0 && strcasecmp(other, usual_pairs[i][1]) == 0)
            return true;
    return false;
}

bool hrr_is_mark_column(const char *name, const char *told)
{
    return strncasecmp(name, "private", 7) == 0 || (told && strcmp(name, told) == 0);
}

static const char *name_of(const hrr_named_columns *columns, uint64_t i)
{
    return columns->name(columns->table, i);
}

/* The first two columns may be ids only if their names allow it. */
static hrr_status check_first_two(const hrr_named_columns *columns, const char *told,
                                  hrr_error *err)
{
    for (uint64_t i = 0; i < 2; i++)
        if (hrr_is_mark_column(name_of(columns, i), told))
            return hrr_fail(
                err, HRR_EDATA,
                "%s: column %.80s marks private edges, but is in a position where an id is "
                "expected; name the columns of ids source and target, or put them first",
                columns->called, name_of(columns, i));
    if (hrr_is_usual_pair(name_of(columns, 0), name_of(columns, 1))) return HRR_OK;
    for (uint64_t i = 1; i + 1 < columns->n; i++)
        if (hrr_is_usual_pair(name_of(columns, i), name_of(columns, i + 1)))
            return hrr_fail(err, HRR_EDATA,
                            "%s: columns %" PRIu64 " and %" PRIu64
                            " have names of edge ends; they must be the first two columns, or be "
                            "named source and target",
                            columns->called, i + 1, i + 2);
    return HRR_OK;
}

hrr_status hrr_edge_ends_find(uint64_t ends[2], const hrr_named_columns *columns, const char *told,
                              hrr_error *err)
{
    if (columns->n < 2)
        return hrr_fail(err, HRR_EDATA, "%s: a table of edges needs two columns of ids",
                        columns->called);
    ends[0] = ends[1] = UINT64_MAX;
    for (uint64_t i = columns->n; i-- > 0;) {
        if (strcmp(name_of(columns, i), "source") == 0) ends[0] = i;
        if (strcmp(name_of(columns, i), "target") == 0) ends[1] = i;
    }
    if (ends[0] != UINT64_MAX && ends[1] != UINT64_MAX) return HRR_OK;
    ends[0] = 0;
    ends[1] = 1;
    return check_first_two(columns, told, err);
}
