/* service.c: asking a prediction service that may be busy or wrong. */
#include <heterorr/attack.h>

#include "attack/service.h"
#include "base/memory.h"
#include "learn/head.h"

#include <inttypes.h>
#include <math.h>
#include <time.h>

/* In short pieces, so that an interrupted attack stops at once. */
static void wait_for(double seconds, const hrr_progress *progress)
{
    const double piece = 0.05;
    for (; seconds > 0 && !hrr_progress_cancelled(progress); seconds -= piece) {
        const double now = seconds < piece ? seconds : piece;
        nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * now)}, NULL);
    }
}

static hrr_status check_answer(const double *answer, const hrr_question *question,
                               uint32_t n_classes, hrr_error *err)
{
    for (uint64_t i = 0; i < question->n_asked * n_classes; i++)
        if (!isfinite(answer[i]))
            return hrr_fail(err, HRR_EDATA,
                            "the answer of the service for node %" PRIu32
                            " has %s in column %" PRIu64 ", so influence cannot be measured",
                            question->asked[i / n_classes],
                            isnan(answer[i]) ? "not a number" : "an infinite number",
                            i % n_classes + 1);
    return HRR_OK;
}

hrr_status hrr_service_ask(double *answer, const hrr_service *service, const hrr_question *question,
                           const hrr_progress *progress, hrr_error *err)
{
    double wait = service->wait;
    for (uint32_t refused = 0;; refused++, wait *= 2) {
        hrr_error why = {0};
        if (hrr_progress_cancelled(progress)) return hrr_fail(err, HRR_ECANCEL, "interrupted");
        const hrr_status status = service->query(service->user, answer, question, &why);
        if (!status) return check_answer(answer, question, service->n_classes, err);
        if (status != HRR_EIO) {
            if (err) *err = why;
            return status;
        }
        if (refused >= service->retries)
            return hrr_fail(err, HRR_EIO,
                            "the service refused the same request %" PRIu32
                            " times, the last time after a pause of %g s (%.400s); try again "
                            "later, or with fewer nodes",
                            refused + 1, refused ? wait / 2 : 0, why.message);
        wait_for(wait, progress);
    }
}

hrr_status hrr_service_ask_all(hrr_dense *out, const hrr_service *service, hrr_returns returns,
                               const hrr_graph *graph, hrr_progress *progress, hrr_error *err)
{
    const uint64_t n = hrr_graph_n_nodes(graph);
    uint32_t *everybody = hrr_alloc(n, sizeof *everybody);
    *out = (hrr_dense){0};
    hrr_status status = everybody ? HRR_OK : hrr_no_memory(err);
    if (!status) status = hrr_dense_init(out, HRR_F64, n, service->n_classes, err);
    if (!status) {
        for (uint64_t v = 0; v < n; v++)
            everybody[v] = (uint32_t)v;
        const hrr_question question = {.asked = everybody, .n_asked = n, .changed = -1};
        status = hrr_service_ask(out->data, service, &question, progress, err);
    }
    if (!status && returns == HRR_RETURNS_LOGITS)
        hrr_output_apply(out->data,
                         hrr_graph_is_multilabel(graph) ? HRR_OUTPUT_SIGMOID : HRR_OUTPUT_SOFTMAX,
                         n, service->n_classes);
    hrr_free(everybody);
    if (status) hrr_dense_clear(out);
    return status;
}
