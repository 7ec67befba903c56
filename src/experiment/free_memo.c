/* free_memo.c: see free_memo.h. Settings of a run follow each other in a sweep, so that few models
 * are needed at a time: two for each thread, the oldest of which makes room. */
#include "experiment/free_memo.h"
#include "experiment/treatments.h"
#include "base/memory.h"
#include "matrix/dense.h"

typedef struct kept {
    hrr_training_setting setting;
    hrr_dense scores;
} kept;

struct hrr_free_memo {
    kept *items;
    size_t n, oldest;
};

hrr_status hrr_free_memo_new(hrr_free_memo **out, int threads, hrr_error *err)
{
    enum { each = 2 };
    hrr_free_memo *made = hrr_alloc_zero(1, sizeof *made);
    *out = NULL;
    if (!made) return hrr_no_memory(err);
    made->n = each * (size_t)hrr_threads(threads);
    made->items = hrr_alloc_zero(made->n, sizeof *made->items);
    if (!made->items) {
        hrr_free(made);
        return hrr_no_memory(err);
    }
    *out = made;
    return HRR_OK;
}

void hrr_free_memo_free(hrr_free_memo *memo)
{
    for (size_t i = 0; memo && i < memo->n; i++)
        hrr_dense_clear(&memo->items[i].scores);
    if (memo) hrr_free(memo->items);
    hrr_free(memo);
}

/* Names are those of tables, so that the same name is the same pointer. */
static bool is_same(const hrr_training_setting *a, const hrr_training_setting *b)
{
    return a->run == b->run && a->label_rate == b->label_rate && a->edges == b->edges &&
           a->fraction == b->fraction;
}

static hrr_status look_up(hrr_dense *scores, const hrr_free_memo *memo,
                          const hrr_training_setting *setting, hrr_error *err)
{
    hrr_status status = HRR_OK;
#pragma omp critical(free_memo)
    for (size_t i = 0; i < memo->n && !status && !scores->data; i++)
        if (memo->items[i].scores.data && is_same(&memo->items[i].setting, setting))
            status = hrr_dense_convert(scores, &memo->items[i].scores, HRR_F32, err);
    return status;
}

static hrr_status keep(hrr_free_memo *memo, const hrr_dense *scores,
                       const hrr_training_setting *setting, hrr_error *err)
{
    hrr_dense copy = {0};
    hrr_status status = hrr_dense_convert(&copy, scores, HRR_F32, err);
    if (status) return status;
#pragma omp critical(free_memo)
    {
        kept *place = &memo->items[memo->oldest];
        memo->oldest = (memo->oldest + 1) % memo->n;
        hrr_dense_clear(&place->scores);
        *place = (kept){.setting = *setting, .scores = copy};
    }
    return HRR_OK;
}

hrr_status hrr_free_scores(hrr_dense *scores, hrr_free_memo *memo,
                           const hrr_training_setting *setting, const hrr_graph *graph,
                           const hrr_dense *shown, const hrr_train_options *how,
                           hrr_progress *progress, hrr_error *err)
{
    hrr_free_model model;
    hrr_status status = HRR_OK;
    *scores = (hrr_dense){0};
    if (hrr_edges_spend(hrr_edge_half_of(setting->edges))) memo = NULL;
    if (memo) status = look_up(scores, memo, setting, err);
    if (status || scores->data) return status;
    status = hrr_free_model_fit(&model, graph, shown, how, progress, err);
    if (status) return status;
    if (memo) status = keep(memo, &model.scores, setting, err);
    if (!status) {
        *scores = model.scores;
        model.scores = (hrr_dense){0};
    }
    hrr_free_model_clear(&model);
    return status;
}
