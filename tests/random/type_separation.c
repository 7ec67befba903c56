/* Compiled, never run: see CMakeLists.txt. */
#include <heterorr/random.h>

#ifdef GIVE_THE_FAST_GENERATOR
typedef hrr_fast_random given;
#else
typedef hrr_stream given;
#endif

int64_t noise(given *generator);

int64_t noise(given *generator)
{
    return hrr_sample_laplace(generator, 1, 1);
}
