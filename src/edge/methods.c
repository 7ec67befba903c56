/* methods.c: see methods.h. */
#include "edge/methods.h"

#include <string.h>

/* The two arrays run in step, and both end with NULL. The first is the default. */
static const char *const names[] = {"public",   "uniform", "select", "barker",
                                    "quotient", "single",  "paper",  NULL};
static const hrr_tree_method *const methods[] = {
    &hrr_tree_public,   &hrr_tree_uniform, &hrr_tree_select, &hrr_tree_barker,
    &hrr_tree_quotient, &hrr_tree_single,  &hrr_tree_paper,  NULL};
_Static_assert(sizeof names == sizeof methods, "a name for every method");

const char *const *hrr_edge_trees(void)
{
    return names;
}

hrr_status hrr_tree_method_find(const hrr_tree_method **out, const char *name, hrr_error *err)
{
    char list[256] = "";
    for (int i = 0; names[i]; i++) {
        if (!name || strcmp(names[i], name) == 0) {
            *out = methods[i];
            return HRR_OK;
        }
        if (strlen(list) + strlen(names[i]) + 3 > sizeof list) continue;
        if (i > 0) strcat(list, ", ");
        strcat(list, names[i]);
    }
    return hrr_fail(err, HRR_EINVAL, "there is no tree \"%.40s\" (`edges.tree`); choose one of %s",
                    name, list);
}
