/* random.h: the secure generator for private data, exact samplers that use it, and a fast generator
 * for everything else. The fast generator is a separate type, so that privacy code cannot use it.
 */
#ifndef HETERORR_RANDOM_H
#define HETERORR_RANDOM_H

#include <heterorr/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the secure generator --------------------------------------------------------------- */

/* A secret key. Draws are AES-128-CTR under it, addressed by (purpose, row): a stream gives the
 * same draws in every thread and process, and streams never overlap. */
typedef struct hrr_random hrr_random;

/* The purpose of a draw. Each use has its own number, so that no two mechanisms share a stream.
 * Append only, because releases made with a seed depend on the numbers. */
typedef enum hrr_purpose {
    HRR_PURPOSE_TEST = 1,
    HRR_PURPOSE_FEATURE_CHANNEL,
    HRR_PURPOSE_FEATURE_CHOICE,
    HRR_PURPOSE_LABELS,
    HRR_PURPOSE_EDGE_COUNTS,
    HRR_PURPOSE_EDGE_TREE,
    HRR_PURPOSE_EDGE_CHANNEL,
    HRR_PURPOSE_POSTPROCESS_SEED,
    HRR_PURPOSE_CHILD_KEY
} hrr_purpose;

/* Key from the operating system. Aborts the process if the system provides no entropy, because
 * weaker noise would make the guarantee false. */
HRR_API HRR_STATUS hrr_random_new(hrr_random **out, hrr_error *err);
/* A process that forks makes a new one on each side: using the parent's stops the process. */

/* Key derived from a seed: for tests and reproduction. NOT PRIVATE, and everything made with it is
 * marked so. */
HRR_API HRR_STATUS hrr_random_new_insecure(hrr_random **out, uint64_t seed, hrr_error *err);
HRR_API bool hrr_random_is_insecure(const hrr_random *random);

/* A generator of its own for one piece of work. A stream (purpose, row) of one generator must be
 * used for one secret only: the difference of two secrets that are hidden by the same draws reveals
 * both. Use a new child for each secret. The child's key is a block of the parent's output that
 * nothing else uses; the n-th child of a seeded generator is always the same. Thread-safe. */
HRR_API HRR_STATUS hrr_random_new_child(hrr_random **out, hrr_random *parent, hrr_error *err);

/* Wipes the key. NULL is allowed. */
HRR_API void hrr_random_free(hrr_random *random);

/* A cursor in the generator's output; one per thread, moved from stream to stream. Holds its
 * own copy of the key, so it may outlive the hrr_random; freeing wipes it. */
typedef struct hrr_stream hrr_stream;

HRR_API HRR_STATUS hrr_stream_new(hrr_stream **out, const hrr_random *random, hrr_error *err);
HRR_API void hrr_stream_free(hrr_stream *stream);

/* Go to the beginning of stream (purpose, row), row < 2^56. Each stream holds 2^40 blocks of 16
 * bytes. A new cursor stands nowhere: seek before the first draw. */
HRR_API void hrr_stream_seek(hrr_stream *stream, hrr_purpose purpose, uint64_t row);

/* ---- exact samplers: integers in, integers out, no floating point ------------------------ */

/* Uniform on 0..n-1, n >= 1, by rejection. */
HRR_API uint64_t hrr_sample_below(hrr_stream *stream, uint64_t n);

/* True with probability num/den exactly, num <= den, den >= 1. */
HRR_API bool hrr_sample_bernoulli(hrr_stream *stream, uint64_t num, uint64_t den);

/* Discrete Laplace: P(y) proportional to exp(-eps |y|), eps = num/den > 0; num, den < 2^32. */
HRR_API int64_t hrr_sample_laplace(hrr_stream *stream, uint64_t num, uint64_t den);
/* The same, count independent draws into out (the fast way to noise many counts). */
HRR_API void hrr_sample_laplace_fill(int64_t *out, size_t count, hrr_stream *stream, uint64_t num,
                                     uint64_t den);

/* ---- the fast generator: NOT for privacy ------------------------------------------------- */

/* xoshiro256++: initialising weights, splitting, synthetic graphs, free post-processing. */
typedef struct hrr_fast_random {
    uint64_t state[4];
} hrr_fast_random;

/* Distinct (seed, stream) give independent sequences. */
HRR_API void hrr_fast_init(hrr_fast_random *random, uint64_t seed, uint64_t stream);
HRR_API double hrr_fast_uniform(hrr_fast_random *random); /* [0, 1) */

#ifdef __cplusplus
}
#endif
#endif
