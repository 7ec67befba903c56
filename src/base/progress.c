/* progress.c: how far a long task is, how long it will still take, and whether to stop.
 *
 * Workers only add to an atomic counter; whoever finds that a tenth of a second has passed since
 * the last report makes the next one. The cancel flag is a lock-free atomic, so that a signal
 * handler may set it. */
#include "base/memory.h"
#include "base/progress.h"

#include <stdatomic.h>
#include <time.h>

struct hrr_progress {
    hrr_progress_show *show;
    void *user;
    const char *phase;
    uint64_t total;
    int64_t began;
    _Atomic uint64_t done;
    _Atomic int64_t shown;
    atomic_flag showing;
    atomic_bool cancelled;
    const hrr_progress *parent; /* NULL, or whoever's cancelling is this one's too */
};

static const int64_t show_interval = 100 * 1000 * 1000; /* nanoseconds */
static const double settle_seconds = 0.3;               /* before that, a rate is noise */

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

hrr_status hrr_progress_new(hrr_progress **out, hrr_progress_show *show, void *user, hrr_error *err)
{
    *out = NULL;
    hrr_progress *progress = hrr_alloc_zero(1, sizeof *progress);
    if (!progress) return hrr_no_memory(err);
    progress->show = show;
    progress->user = user;
    atomic_flag_clear(&progress->showing);
    hrr_progress_begin(progress, "", 0);
    *out = progress;
    return HRR_OK;
}

hrr_status hrr_progress_new_inner(hrr_progress **out, const hrr_progress *parent, hrr_error *err)
{
    hrr_status status = hrr_progress_new(out, NULL, NULL, err);
    if (!status) (*out)->parent = parent;
    return status;
}

void hrr_progress_free(hrr_progress *progress)
{
    hrr_free(progress);
}

void hrr_progress_begin(hrr_progress *progress, const char *phase, uint64_t total)
{
    if (!progress) return;
    progress->phase = phase;
    progress->total = total;
    progress->began = now();
    atomic_store(&progress->done, 0);
    atomic_store(&progress->shown, progress->began);
}

static void report(hrr_progress *progress, uint64_t done, int64_t time)
{
    double seconds = (double)(time - progress->began) * 1e-9;
    hrr_progress_view view = {
        .phase = progress->phase,
        .done = done,
        .total = progress->total,
        .seconds = seconds,
        .seconds_left = -1,
    };
    if (done > 0 && done <= progress->total && seconds >= settle_seconds)
        view.seconds_left = seconds * (double)(progress->total - done) / (double)done;
    progress->show(progress->user, &view);
}

hrr_status hrr_progress_advance(hrr_progress *progress, uint64_t amount, hrr_error *err)
{
    if (!progress) return HRR_OK;
    uint64_t done = atomic_fetch_add(&progress->done, amount) + amount;
    if (progress->show) {
        int64_t time = now();
        if (time - atomic_load(&progress->shown) >= show_interval &&
            !atomic_flag_test_and_set(&progress->showing)) {
            atomic_store(&progress->shown, time);
            report(progress, done, time);
            atomic_flag_clear(&progress->showing);
        }
    }
    if (hrr_progress_cancelled(progress))
        return hrr_fail(err, HRR_ECANCEL, "interrupted; nothing was written");
    return HRR_OK;
}

void hrr_progress_cancel(hrr_progress *progress)
{
    if (progress) atomic_store(&progress->cancelled, true);
}

bool hrr_progress_cancelled(const hrr_progress *progress)
{
    for (; progress; progress = progress->parent)
        if (atomic_load(&progress->cancelled)) return true;
    return false;
}
