/* below.c: uniform integers and rational coins; the method and its proof are in below.h. */
#include "random/below.h"
#include "random/generator.h"

uint64_t hrr_sample_below(hrr_stream *stream, uint64_t n)
{
    if (n == 0) hrr_random_stop("a uniform integer below 0 was asked for");
    return hrr_below(stream, n);
}

bool hrr_sample_bernoulli(hrr_stream *stream, uint64_t num, uint64_t den)
{
    if (num > den || den == 0) hrr_random_stop("a coin's probability is not in 0..1");
    return hrr_below(stream, den) < num;
}
