/* help_mechanisms.c: see help_mechanisms.h. */
#include "cli/help_mechanisms.h"

#include <heterorr/experiment.h>

/* ---- for people ------------------------------------------------------------------------------ */

static void print_row(FILE *to, const char *name, const char *what, const char *remark)
{
    fprintf(to, "  %-21s %s%s%s\n", name, what, *remark ? "; " : "", remark);
}

/* What one must know before choosing it. */
static const char *remark_on(hrr_effect effect, bool certified)
{
    if (effect == HRR_EFFECT_KEEP) return "NOT PRIVATE";
    if (effect == HRR_EFFECT_LEAVE_OUT) return "spends nothing";
    return certified ? "" : "NOT CERTIFIED";
}

void cli_print_mechanisms(FILE *to)
{
    fprintf(to, "Features (protect --feature-mechanism):\n");
    for (const hrr_feature_mechanism *const *row = hrr_feature_mechanisms(); *row; row++)
        print_row(to, (*row)->name, (*row)->what, remark_on((*row)->effect, (*row)->certified));
    fprintf(to, "\nEdges (protect --edge-mechanism):\n");
    for (const hrr_edge_mechanism *const *row = hrr_edge_mechanisms(); *row; row++)
        print_row(to, (*row)->name, (*row)->what, remark_on((*row)->effect, (*row)->certified));
    fprintf(to, "\nTrees of edgerr (protect --tree):\n");
    for (const hrr_edge_tree *const *row = hrr_edge_trees(); *row; row++)
        print_row(to, (*row)->name, (*row)->what, remark_on(HRR_EFFECT_PROTECT, (*row)->certified));
    fprintf(to, "\nIn experiments also (compare learning --mechanisms):\n");
    for (const hrr_experiment_treatment *const *row = hrr_experiment_treatments(); *row; row++)
        print_row(to, (*row)->name, (*row)->what, "");
    fprintf(to, "\ndocs/mechanisms/ has a page for each, with its claim, proof and cost.\n");
}

/* ---- for programs ---------------------------------------------------------------------------- */

static const char *effect_name(hrr_effect effect)
{
    switch (effect) {
    case HRR_EFFECT_PROTECT:
        return "protect";
    case HRR_EFFECT_LEAVE_OUT:
        return "leave out";
    case HRR_EFFECT_KEEP:
        return "keep";
    }
    return NULL;
}

static json_t *feature_json(const hrr_feature_mechanism *m)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:b, s:b, s:b, s:b, s:b, s:b, s:s?, s:b, s:b, s:b}",
                     "name", m->name, "what", m->what, "page", m->page, "effect",
                     effect_name(m->effect), "certified", m->certified, "needs_bounds",
                     m->needs_bounds, "has_bins", m->has_bins, "has_decodings", m->has_decodings,
                     "weighs_budget", m->weighs_budget, "samples", m->samples, "sampled_form",
                     m->sampled_form, "needs_directions", m->needs_directions, "needs_delta",
                     m->needs_delta, "needs_head", m->needs_head);
}

static json_t *edge_json(const hrr_edge_mechanism *m)
{
    return json_pack("{s:s, s:s, s:s, s:s?, s:s, s:b, s:b, s:s?, s:b, s:b, s:b, s:b}", "name",
                     m->name, "what", m->what, "page", m->page, "bias", m->bias, "effect",
                     effect_name(m->effect), "certified", m->certified, "whole_graph",
                     m->whole_graph, "private_form", m->private_form, "has_tree", m->has_tree,
                     "chooses_tree", m->chooses_tree, "has_counts", m->has_counts, "flips_pairs",
                     m->flips_pairs);
}

static json_t *tree_json(const hrr_edge_tree *t)
{
    return json_pack("{s:s, s:s, s:s, s:f, s:b, s:b}", "name", t->name, "what", t->what, "page",
                     t->page, "default_share", t->default_share, "certified", t->certified,
                     "of_paper_mode", t->of_paper_mode);
}

hrr_status cli_mechanisms_json(json_t **out, hrr_error *err)
{
    json_t *features = json_array(), *edges = json_array();
    json_t *trees = json_array(), *treatments = json_array();
    int failed = 0;
    for (const hrr_feature_mechanism *const *row = hrr_feature_mechanisms(); *row; row++)
        failed |= json_array_append_new(features, feature_json(*row));
    for (const hrr_edge_mechanism *const *row = hrr_edge_mechanisms(); *row; row++)
        failed |= json_array_append_new(edges, edge_json(*row));
    for (const hrr_edge_tree *const *row = hrr_edge_trees(); *row; row++)
        failed |= json_array_append_new(trees, tree_json(*row));
    for (const hrr_experiment_treatment *const *row = hrr_experiment_treatments(); *row; row++)
        failed |= json_array_append_new(treatments,
                                        json_pack("{s:s, s:s, s:b}", "name", (*row)->name, "what",
                                                  (*row)->what, "whole", (*row)->whole));
    *out = json_pack("{s:o, s:o, s:o, s:o}", "features", features, "edges", edges, "trees", trees,
                     "treatments", treatments);
    if (*out && !failed) return HRR_OK;
    json_decref(*out);
    *out = NULL;
    return hrr_fail(err, HRR_ENOMEM, "out of memory");
}
