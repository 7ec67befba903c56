/* shared_bases.c: see shared_bases.h. */
#include "experiment/shared_bases.h"
#include "matrix/dense.h"

#include <string.h>

void hrr_shared_bases_clear(hrr_shared_bases *bases)
{
    for (size_t i = 0; i < sizeof bases->kept / sizeof *bases->kept; i++)
        hrr_dense_clear(&bases->kept[i].logits);
    *bases = (hrr_shared_bases){0};
}

/* Public edges, features, split and first weights are the same. */
static bool share(const hrr_training_setting *a, const hrr_training_setting *b)
{
    return strcmp(a->features, b->features) == 0 && a->eps_features_nano == b->eps_features_nano &&
           a->fraction == b->fraction && a->propagate == b->propagate && a->run == b->run &&
           a->label_rate == b->label_rate;
}

hrr_status hrr_shared_bases_find(hrr_shared_base *out, hrr_shared_bases *bases,
                                 const hrr_training_setting *setting, hrr_error *err)
{
    hrr_status status = HRR_OK;
    *out = (hrr_shared_base){.of = *setting};
    if (!bases) return HRR_OK;
#pragma omp critical(hrr_shared_bases)
    for (size_t i = 0; i < sizeof bases->kept / sizeof *bases->kept; i++) {
        const hrr_shared_base *kept = &bases->kept[i];
        if (out->logits.data || status || !kept->logits.data || !share(&kept->of, setting))
            continue;
        status = hrr_dense_convert(&out->logits, &kept->logits, HRR_F32, err);
        out->epochs = kept->epochs;
        out->best_epoch = kept->best_epoch;
    }
    return status;
}

hrr_status hrr_shared_bases_keep(hrr_shared_bases *bases, const hrr_shared_base *base,
                                 hrr_error *err)
{
    hrr_shared_base copy = *base;
    if (!bases) return HRR_OK;
    hrr_status status = hrr_dense_convert(&copy.logits, &base->logits, HRR_F32, err);
    if (status) return status;
#pragma omp critical(hrr_shared_bases)
    {
        hrr_shared_base *place =
            &bases->kept[bases->next++ % (sizeof bases->kept / sizeof *bases->kept)];
        hrr_dense_clear(&place->logits);
        *place = copy;
    }
    return HRR_OK;
}
