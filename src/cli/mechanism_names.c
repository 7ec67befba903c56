/* mechanism_names.c: see mechanism_names.h. */
#include "cli/mechanism_names.h"

#include <heterorr/edge.h>
#include <heterorr/feature.h>

#include <assert.h>

enum { most_names = 64 };

const char *const *cli_feature_mechanisms(void)
{
    static const char *names[most_names]; /* the same whoever fills it in */
    const hrr_feature_mechanism *const *row = hrr_feature_mechanisms();
    for (size_t n = 0; row[n]; n++) {
        assert(n < most_names - 1);
        names[n] = row[n]->name;
    }
    return names;
}

const char *const *cli_edge_mechanisms(void)
{
    static const char *names[most_names];
    const hrr_edge_mechanism *const *row = hrr_edge_mechanisms();
    for (size_t n = 0; row[n]; n++) {
        assert(n < most_names - 1);
        names[n] = row[n]->name;
    }
    return names;
}

const char *const *cli_all_mechanisms(void)
{
    static const char *names[2 * most_names];
    size_t n = 0;
    for (const char *const *name = cli_feature_mechanisms(); *name; name++)
        names[n++] = *name;
    for (const char *const *name = cli_edge_mechanisms(); *name; name++)
        if (!hrr_feature_mechanism_find(*name)) names[n++] = *name;
    return names;
}

const char *const *cli_edge_trees(void)
{
    static const char *names[most_names];
    const hrr_edge_tree *const *row = hrr_edge_trees();
    for (size_t n = 0; row[n]; n++) {
        assert(n < most_names - 1);
        names[n] = row[n]->name;
    }
    return names;
}
