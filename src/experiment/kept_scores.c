/* kept_scores.c: see kept_scores.h. */
#include "experiment/kept_scores.h"
#include "matrix/dense.h"

enum { n_places = sizeof((hrr_kept *)0)->items / sizeof(hrr_kept_scores) };

void hrr_kept_clear(hrr_kept *kept)
{
    for (size_t i = 0; i < n_places; i++)
        hrr_dense_clear(&kept->items[i].scores);
    *kept = (hrr_kept){0};
}

/* Names are those of tables, so that the same name is the same pointer. */
static bool share(hrr_kept_kind kind, const hrr_training_setting *a, const hrr_training_setting *b)
{
    if (a->run != b->run || a->label_rate != b->label_rate || a->fraction != b->fraction)
        return false;
    if (kind == HRR_KEPT_FREE_MODEL) return a->edges == b->edges;
    return a->features == b->features && a->eps_features_nano == b->eps_features_nano &&
           a->propagate == b->propagate;
}

hrr_status hrr_kept_find(hrr_kept_scores *out, hrr_kept *kept, hrr_kept_kind kind,
                         const hrr_training_setting *setting, hrr_error *err)
{
    hrr_status status = HRR_OK;
    *out = (hrr_kept_scores){.kind = kind, .of = *setting};
    if (!kept) return HRR_OK;
#pragma omp critical(hrr_kept)
    for (size_t i = 0; i < n_places; i++) {
        const hrr_kept_scores *item = &kept->items[i];
        if (out->scores.data || status || !item->scores.data || item->kind != kind ||
            !share(kind, &item->of, setting))
            continue;
        status = hrr_dense_convert(&out->scores, &item->scores, HRR_F32, err);
        out->epochs = item->epochs;
        out->best_epoch = item->best_epoch;
    }
    return status;
}

hrr_status hrr_kept_add(hrr_kept *kept, const hrr_kept_scores *added, hrr_error *err)
{
    hrr_kept_scores copy = *added;
    if (!kept) return HRR_OK;
    copy.scores = (hrr_dense){0};
    hrr_status status = hrr_dense_convert(&copy.scores, &added->scores, HRR_F32, err);
    if (status) return status;
#pragma omp critical(hrr_kept)
    {
        hrr_kept_scores *place = &kept->items[kept->next++ % n_places];
        hrr_dense_clear(&place->scores);
        *place = copy;
    }
    return HRR_OK;
}
