/* timing.h: what the programs that time something share. */
#ifndef BENCH_TIMING_H
#define BENCH_TIMING_H

#include <heterorr/base.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double seconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static inline void must(hrr_status status, const hrr_error *err)
{
    if (!status) return;
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, err->message);
    exit(1);
}

#endif
