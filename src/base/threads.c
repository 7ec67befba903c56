/* threads.c: how many threads a piece of work may use. */
#include <heterorr/base.h>

#include <sched.h>

int hrr_threads(int requested)
{
    if (requested > 0) return requested;
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 1;
    int count = CPU_COUNT(&allowed);
    return count > 0 ? count : 1;
}
