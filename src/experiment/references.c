/* references.c: see references.h. */
#include "experiment/references.h"

#include <string.h>

const hrr_reference hrr_references[] = {
    [HRR_REFERENCE_NON_PRIVATE] = {"non-private", "no protection", "without any protection", true},
    [HRR_REFERENCE_PUBLIC_EDGES] = {"public-only", "public edges only", "with public edges only"},
    {"predicted-links", "public edges and predicted links",
     "with public edges and predicted links"},
    {"public-best", "everything free combined", "with everything free combined"},
    {"mlp", "no edges (MLP)", "without edges"},
    {"featfree", "random features", "with random features"},
    {"featfree-rows", "one row of weights per node, no features", "without features"},
    {"label-propagation", "labels propagated over edges", "by propagating labels over edges"},
    {"free", "labels and edges, no features", "from labels and edges only"},
    {"majority", "majority class", "by guessing the majority class"},
    {"none", "no protection", NULL, true},
    {"featfree+public-only", "random features, public edges only", NULL},
    {"featfree-rows+public-only", "no features, public edges only", NULL},
    {"label-propagation+public-only", "labels propagated over public edges", NULL},
    {"free+public-only", "labels and public edges, no features", NULL},
    {"whole graph", "whole graph", NULL},
    {"guess", "a guess", NULL},
    {"public-tree", "edges drawn from the public tree", NULL},
    {"public-walks", "no model: walks on public edges", NULL},
    {"lsa2-attr", "no model: similar features", NULL},
    {"public-both", "no model: walks and features", NULL},
    {"mean-picture", "mean picture", NULL},
    {"random-features", "decoder given noise", NULL},
    {"class", "class only", NULL},
};
const size_t hrr_n_references = sizeof hrr_references / sizeof *hrr_references;

const hrr_reference *hrr_reference_find(const char *name, size_t length)
{
    for (size_t i = 0; i < hrr_n_references; i++)
        if (strlen(hrr_references[i].name) == length &&
            memcmp(hrr_references[i].name, name, length) == 0)
            return &hrr_references[i];
    return NULL;
}

bool hrr_is_unprotected(const char *series)
{
    const hrr_reference *known = hrr_reference_find(series, strcspn(series, ","));
    return known && known->unprotected;
}
