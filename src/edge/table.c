/* table.c: every edge mechanism, as a row that says what it is. The rows stand in the files of the
 * mechanisms; here they have their order. */
#include "edge/mechanism.h"
#include "edge/traits.h"
#include "base/names.h"

static const hrr_edge_mechanism *const rows[] = {&hrr_edge_edgerr.about,
                                                 &hrr_edge_edgerr_node.about,
                                                 &hrr_edge_edgerr_links.about,
                                                 &hrr_edge_edgerr_degrees.about,
                                                 &hrr_edge_privhrg.about,
                                                 &hrr_edge_privhrg_private.about,
                                                 &hrr_edge_edgerand.about,
                                                 &hrr_edge_edgerand_private.about,
                                                 &hrr_edge_lapgraph.about,
                                                 &hrr_edge_lapgraph_private.about,
                                                 &hrr_edge_public_only.about,
                                                 &hrr_edge_none.about,
                                                 NULL};

static const char *name_at(size_t i)
{
    return rows[i] ? rows[i]->name : NULL;
}

const hrr_edge_mechanism *const *hrr_edge_mechanisms(void)
{
    return rows;
}

const hrr_edge_mechanism *hrr_edge_mechanism_find(const char *name)
{
    return rows[hrr_names_find(name_at, name)];
}

const hrr_edge_mechanism *hrr_edge_traits(const char *name)
{
    static const hrr_edge_mechanism unknown = {.name = ""};
    const hrr_edge_mechanism *row = hrr_edge_mechanism_find(name);
    return row ? row : &unknown;
}

const hrr_edge_mechanism *hrr_edge_mechanism_with(hrr_effect effect)
{
    size_t i = 0;
    while (rows[i] && rows[i]->effect != effect)
        i++;
    return rows[i];
}

_Static_assert(offsetof(hrr_edge_method, about) == 0, "a row is the beginning of its mechanism");

hrr_status hrr_edge_method_choose(const hrr_edge_method **out, const char *name, hrr_error *err)
{
    size_t i;
    hrr_status status =
        hrr_names_choose(&i, name_at, name, "edge mechanism", "edges.mechanism", err);
    if (!status) *out = (const hrr_edge_method *)rows[i];
    return status;
}
