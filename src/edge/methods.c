/* methods.c: see methods.h. The rows of the public table stand in the files of the trees; here they
 * have their order. */
#include "edge/methods.h"
#include "base/names.h"

static const hrr_edge_tree *const rows[] = {&hrr_tree_public.about,   &hrr_tree_uniform.about,
                                            &hrr_tree_select.about,   &hrr_tree_barker.about,
                                            &hrr_tree_quotient.about, &hrr_tree_single.about,
                                            &hrr_tree_paper.about,    NULL};

static const char *name_at(size_t i)
{
    return rows[i] ? rows[i]->name : NULL;
}

const hrr_edge_tree *const *hrr_edge_trees(void)
{
    return rows;
}

const hrr_edge_tree *hrr_edge_tree_find(const char *name)
{
    return name ? rows[hrr_names_find(name_at, name)] : rows[0];
}

_Static_assert(offsetof(hrr_tree_method, about) == 0, "a row is the beginning of its method");

hrr_status hrr_tree_method_choose(const hrr_tree_method **out, const char *name, hrr_error *err)
{
    size_t i;
    hrr_status status = hrr_names_choose(&i, name_at, name, "tree", "edges.tree", err);
    if (!status) *out = (const hrr_tree_method *)rows[i];
    return status;
}
