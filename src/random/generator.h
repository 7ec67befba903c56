/* generator.h: the key behind every stream, and the one way to stop when it cannot be trusted. */
#ifndef HRR_RANDOM_GENERATOR_H
#define HRR_RANDOM_GENERATOR_H

#include "base/ranks.h"

#include <heterorr/random.h>

#include <sys/types.h>

enum { hrr_key_size = 16 };

struct hrr_random {
    unsigned char key[hrr_key_size];
    bool insecure;
    pid_t owner; /* the process that made it: a copy in a forked child would draw the same */
    _Atomic uint64_t n_children;
};

/* Collective: every rank gets the key of rank 0. It is sent in memory, never written.
 * Errors: HRR_ERANKS if some ranks are seeded and others are not, or with another seed. */
hrr_status hrr_random_share(hrr_random *random, hrr_ranks *ranks, hrr_error *err);

/* Say why on standard error and abort. Used where going on would release private data under a
 * false guarantee; unlike assert() it is there in every build. */
_Noreturn void hrr_random_stop(const char *reason);

#endif
