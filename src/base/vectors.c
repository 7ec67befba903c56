/* vectors.c: see vectors.h. The answer is a constant of the process: it is worked out before
 * main(), because kernels that take less than a microsecond ask for it. */
#include "base/vectors.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"plain", "avx2", "avx512"};

static hrr_vector_width widest;

static hrr_vector_width of_processor(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init(); /* constructors run in no particular order */
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                      __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
                        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512vl");
    return avx2 && avx512 ? HRR_VECTORS_AVX512 : avx2 ? HRR_VECTORS_AVX2 : HRR_VECTORS_PLAIN;
#else
    return HRR_VECTORS_PLAIN;
#endif
}

static hrr_vector_width allowed(void)
{
    const char *wanted = getenv("HETERORR_VECTORS");
    for (int width = HRR_VECTORS_PLAIN; wanted && width < HRR_VECTORS_AVX512; width++)
        if (strcmp(wanted, names[width]) == 0) return (hrr_vector_width)width;
    return HRR_VECTORS_AVX512;
}

__attribute__((constructor)) static void find_widest(void)
{
    const hrr_vector_width has = of_processor(), may = allowed();
    widest = has < may ? has : may;
}

hrr_vector_width hrr_widest_vectors(void)
{
    return widest;
}

const char *hrr_vector_width_name(hrr_vector_width width)
{
    return names[width];
}
