/* mechanism_names.c: see mechanism_names.h. */
#include "cli/mechanism_names.h"

#include <heterorr/edge.h>
#include <heterorr/experiment.h>
#include <heterorr/feature.h>

#include <assert.h>
#include <stdio.h>

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

const char *const *cli_treatments(void)
{
    static const char *names[3 * most_names];
    const hrr_experiment_treatment *const *row = hrr_experiment_treatments();
    size_t n = 0;
    for (const char *const *name = cli_feature_mechanisms(); *name; name++)
        names[n++] = *name;
    for (const char *const *name = cli_edge_mechanisms(); *name; name++)
        if (!hrr_feature_mechanism_find(*name)) names[n++] = *name;
    for (; *row; row++) {
        assert(n < 3 * most_names - 1);
        names[n++] = (*row)->name;
    }
    return names;
}

/* ---- notes ----------------------------------------------------------------------------------- */

static const char only_in_paper_mode[] = "Not certified, and only in --mode paper";

/* "WHAT: a, b"; nothing is said where no name is added. */
static void add(char *out, size_t size, size_t *used, bool is_first, const char *what,
                const char *name)
{
    if (*used >= size) return;
    const char *before = is_first && *used ? ". " : is_first ? "" : ", ";
    *used += (size_t)snprintf(out + *used, size - *used, "%s%s%s%s", before, is_first ? what : "",
                              is_first ? ": " : "", name);
}

void cli_edge_mechanisms_note(char *out, size_t size)
{
    size_t used = 0;
    bool first = true;
    *out = '\0';
    for (const hrr_edge_mechanism *const *row = hrr_edge_mechanisms(); *row; row++)
        if ((*row)->effect == HRR_EFFECT_PROTECT && !(*row)->certified) {
            add(out, size, &used, first, only_in_paper_mode, (*row)->name);
            first = false;
        }
}

void cli_edge_trees_note(char *out, size_t size)
{
    size_t used = 0;
    *out = '\0';
    for (int certified = 1; certified >= 0; certified--) {
        bool first = true;
        for (const hrr_edge_tree *const *row = hrr_edge_trees(); *row; row++)
            if (certified ? (*row)->default_share > 0 : !(*row)->certified) {
                add(out, size, &used, first,
                    certified ? "Spend a share of the budget" : only_in_paper_mode, (*row)->name);
                first = false;
            }
    }
}
