/* run_all.c: see run_all.h. A run has one thread for itself: runs are many and alike, so that
 * nothing is left to gain inside one. */
#include "experiment/run_all.h"
#include "base/memory.h"
#include "base/progress.h"

#include <time.h>

double hrr_run_clock(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Numbers of the runs that are not finished. *todo: hrr_free(). */
static hrr_status list_unfinished(size_t **todo, size_t *n, const hrr_runs *runs,
                                  const hrr_results *results, hrr_error *err)
{
    *n = 0;
    *todo = hrr_alloc(runs->n, sizeof **todo);
    if (!*todo) return hrr_no_memory(err);
    for (size_t i = runs->first; i < runs->n; i += runs->step ? runs->step : 1) {
        char *settings = runs->settings(runs->user, i);
        if (!settings) {
            hrr_free(*todo);
            *todo = NULL;
            return hrr_no_memory(err);
        }
        if (!hrr_results_has(results, settings) ||
            (runs->also && !hrr_results_has(runs->also, settings)))
            (*todo)[(*n)++] = i;
        hrr_free(settings);
    }
    return HRR_OK;
}

static hrr_status run_one(const hrr_runs *runs, size_t i, hrr_progress *progress, hrr_error *err)
{
    hrr_progress *inner = NULL;
    char *settings = runs->settings(runs->user, i);
    hrr_status status = settings ? HRR_OK : hrr_no_memory(err);
    if (!status) status = hrr_progress_new_inner(&inner, progress, err);
    if (!status) status = runs->run(runs->user, i, settings, inner, err);
    if (!status) status = hrr_progress_advance(progress, 1, err);
    hrr_progress_free(inner);
    hrr_free(settings);
    return status;
}

hrr_status hrr_run_all(const hrr_runs *runs, const hrr_results *results, int threads,
                       hrr_progress *progress, hrr_error *err)
{
    size_t *todo, n;
    hrr_status status = list_unfinished(&todo, &n, runs, results, err);
    if (status) return status;
    threads = hrr_threads(threads);
    (void)threads; /* the fuzz targets are built without OpenMP */
    hrr_progress_begin(progress, runs->what, n);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (size_t k = 0; k < n; k++) {
        hrr_status failed;
#pragma omp atomic read
        failed = status;
        if (failed) continue;
        hrr_error mine = {0};
        hrr_status ended = run_one(runs, todo[k], progress, &mine);
        if (!ended) continue;
#pragma omp critical(hrr_run_all)
        if (!status) {
            if (err) *err = mine;
#pragma omp atomic write
            status = ended;
        }
    }
    hrr_free(todo);
    if (status == HRR_ECANCEL)
        return hrr_fail(err, HRR_ECANCEL,
                        "interrupted; finished runs are in the file, and the same request "
                        "continues with the others");
    return status;
}
