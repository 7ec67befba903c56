/* draws.h: what the sampler tests share. */
#ifndef TESTS_RANDOM_DRAWS_H
#define TESTS_RANDOM_DRAWS_H

#include "support/check.h"

#include <heterorr/random.h>

/* A stream of a fixed seed at row 0, as cmocka's setup and teardown: *state is the hrr_stream. */
static inline int stream_setup(void **state)
{
    hrr_random *random = NULL;
    hrr_stream *stream = NULL;
    if (hrr_random_new_insecure(&random, 20240607, NULL)) return -1;
    hrr_status status = hrr_stream_new(&stream, random, NULL);
    hrr_random_free(random);
    if (status) return -1;
    hrr_stream_seek(stream, HRR_PURPOSE_TEST, 0);
    *state = stream;
    return 0;
}

static inline int stream_teardown(void **state)
{
    hrr_stream_free(*state);
    return 0;
}

#define with_stream(test) cmocka_unit_test_setup_teardown(test, stream_setup, stream_teardown)

/* The false-failure rate of one statistical assertion. The room makes fewer than 200 of them, with
 * fixed seeds: had a correct sampler failed one, it would have been seen when the test was written.
 */
static const double alpha = 1e-6;

#endif
