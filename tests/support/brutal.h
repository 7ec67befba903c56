/* brutal.h: an allocator that fails on purpose (the idea is LAGraph's). Run a call with 0, 1, 2...
 * allocations allowed until it succeeds; each failure must be HRR_ENOMEM and leak nothing. */
#ifndef TESTS_SUPPORT_BRUTAL_H
#define TESTS_SUPPORT_BRUTAL_H

#include <heterorr/base.h>

/* One attempt: returns the call's status and releases what it made. */
typedef hrr_status brutal_call(void *user);

/* Asserts all of the above, inside a cmocka test; returns how many allocations success took. */
int brutal(brutal_call *call, void *user);

#endif
