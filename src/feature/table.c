/* table.c: every feature mechanism, as a row that says what it is. The rows stand in the files of
 * the mechanisms; here they have their order. */
#include "feature/mechanism.h"
#include "feature/traits.h"
#include "base/names.h"

static const hrr_feature_mechanism *const rows[] = {&hrr_feature_featurerr.about,
                                                    &hrr_feature_featurerr_sampled.about,
                                                    &hrr_feature_featurerr_projected.about,
                                                    &hrr_feature_featurerr_head.about,
                                                    &hrr_feature_duchi.about,
                                                    &hrr_feature_duchi_sampled.about,
                                                    &hrr_feature_piecewise.about,
                                                    &hrr_feature_piecewise_sampled.about,
                                                    &hrr_feature_hybrid.about,
                                                    &hrr_feature_hybrid_sampled.about,
                                                    &hrr_feature_three_output.about,
                                                    &hrr_feature_three_output_sampled.about,
                                                    &hrr_feature_pm_sub.about,
                                                    &hrr_feature_pm_sub_sampled.about,
                                                    &hrr_feature_multibit.about,
                                                    &hrr_feature_laplace.about,
                                                    &hrr_feature_gaussian.about,
                                                    &hrr_feature_featfree.about,
                                                    &hrr_feature_none.about,
                                                    NULL};

static const char *name_at(size_t i)
{
    return rows[i] ? rows[i]->name : NULL;
}

const hrr_feature_mechanism *const *hrr_feature_mechanisms(void)
{
    return rows;
}

const hrr_feature_mechanism *hrr_feature_mechanism_find(const char *name)
{
    return rows[hrr_names_find(name_at, name)];
}

const hrr_feature_mechanism *hrr_feature_traits(const char *name)
{
    static const hrr_feature_mechanism unknown = {.name = "", .needs_bounds = true};
    const hrr_feature_mechanism *row = hrr_feature_mechanism_find(name);
    return row ? row : &unknown;
}

const hrr_feature_mechanism *hrr_feature_mechanism_with(hrr_effect effect)
{
    size_t i = 0;
    while (rows[i] && rows[i]->effect != effect)
        i++;
    return rows[i];
}

_Static_assert(offsetof(hrr_feature_method, about) == 0, "a row is the beginning of its mechanism");

hrr_status hrr_feature_method_choose(const hrr_feature_method **out, const char *name,
                                     hrr_error *err)
{
    size_t i;
    hrr_status status =
        hrr_names_choose(&i, name_at, name, "feature mechanism", "features.mechanism", err);
    if (!status) *out = (const hrr_feature_method *)rows[i];
    return status;
}
