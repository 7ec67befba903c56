/* free_memo.h: free models of a sweep, kept for the settings of a run that need the same one: the
 * control itself, and each budget of a head's reports on top of it. A free model is most of what
 * such a setting costs. */
#ifndef HRR_EXPERIMENT_FREE_MEMO_H
#define HRR_EXPERIMENT_FREE_MEMO_H

#include "experiment/training_settings.h"
#include "learn/free_model.h"

typedef struct hrr_free_memo hrr_free_memo;

/* For so many runs at the same time. Errors: HRR_ENOMEM. */
hrr_status hrr_free_memo_new(hrr_free_memo **out, int threads, hrr_error *err) HRR_CHECKED;
void hrr_free_memo_free(hrr_free_memo *memo);

/* The scores of hrr_free_model_fit(), which is called unless a setting with the same run, split and
 * edges was here shortly before. memo NULL, or edges that a budget buys: always. The same numbers
 * either way. scores: new, n x C, F32. */
hrr_status hrr_free_scores(hrr_dense *scores, hrr_free_memo *memo,
                           const hrr_training_setting *setting, const hrr_graph *graph,
                           const hrr_dense *shown, const hrr_train_options *how,
                           hrr_progress *progress, hrr_error *err) HRR_CHECKED;

#endif
