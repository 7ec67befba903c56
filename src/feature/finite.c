/* finite.c: one loop, compiled for each kind of processor. Mechanisms that answer few features
 * spend most of their time here. */
#include "feature/finite.h"
#include "base/vectors.h"

static bool portable(const float *value, size_t n)
{
    return hrr_finite_loop_f32(value, n);
}

#if defined(__x86_64__)

__attribute__((target("avx2"))) static bool avx2(const float *value, size_t n)
{
    return hrr_finite_loop_f32(value, n);
}

__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))) static bool avx512(const float *value,
                                                                                 size_t n)
{
    return hrr_finite_loop_f32(value, n);
}

bool hrr_all_finite_f32(const float *value, size_t n)
{
    switch (hrr_widest_vectors()) {
    case HRR_VECTORS_AVX512:
        return avx512(value, n);
    case HRR_VECTORS_AVX2:
        return avx2(value, n);
    case HRR_VECTORS_PLAIN:
        break;
    }
    return portable(value, n);
}

#else

bool hrr_all_finite_f32(const float *value, size_t n)
{
    return portable(value, n);
}

#endif
