/* held_engine.c: a plug-in for tests. It is the real one (HRR_ENGINE), but rank 1 waits for a
 * signal at the first collective operation that it begins after a file exists whose name matches
 * HRR_HOLD_WHEN; it makes the file HRR_HELD first. No other rank gets past that operation, so a
 * test meets the run at a certain point, however fast the machine is. (SIGSTOP would not do: mpirun
 * wakes all ranks a second before it ends them.) */
#include "base/ranks_engine.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static hrr_ranks_engine real;

static void hold(void)
{
    static bool held;
    const char *pattern = getenv("HRR_HOLD_WHEN"), *mark = getenv("HRR_HELD");
    glob_t found = {0};
    if (held || real.rank != 1 || !pattern || !mark) return;
    held = glob(pattern, GLOB_NOSORT, NULL, &found) == 0;
    globfree(&found);
    if (!held) return;
    FILE *file = fopen(mark, "w");
    if (file) fclose(file);
    pause();
}

static int barrier(void *state)
{
    hold();
    return real.barrier(state);
}

static int broadcast(void *state, void *bytes, int size, int from)
{
    hold();
    return real.broadcast(state, bytes, size, from);
}

static int reduce(void *state, void *values, int n_values, hrr_reduction reduction, int to)
{
    hold();
    return real.reduce(state, values, n_values, reduction, to);
}

static int exchange(void *state, const hrr_ranks_block *received, const hrr_ranks_block *sent)
{
    hold();
    return real.exchange(state, received, sent);
}

hrr_ranks_engine_opener hrr_ranks_engine_open;
bool hrr_ranks_engine_open(hrr_ranks_engine *out, unsigned layout, char why[HRR_RANKS_TEXT_SIZE])
{
    hrr_ranks_engine_opener *open_real = NULL;
    const char *path = getenv("HRR_ENGINE");
    void *plug_in = path ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : NULL;
    if (plug_in) *(void **)&open_real = dlsym(plug_in, "hrr_ranks_engine_open");
    if (!open_real) {
        snprintf(why, HRR_RANKS_TEXT_SIZE, "HRR_ENGINE is not a plug-in");
        return false;
    }
    if (!open_real(&real, layout, why)) return false;
    *out = real;
    out->barrier = barrier;
    out->broadcast = broadcast;
    out->reduce = reduce;
    out->exchange = exchange;
    return true;
}
