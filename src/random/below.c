/* below.c: uniform integers and rational coins; the method and its proof are in below.h. */
#include "random/below.h"
#include "random/generator.h"

uint64_t hrr_sample_below(hrr_stream *stream, uint64_t n)
{
    if (n == 0) hrr_random_stop("cannot draw a uniform integer below 0");
    return hrr_below(stream, n);
}

bool hrr_sample_bernoulli(hrr_stream *stream, uint64_t num, uint64_t den)
{
    if (num > den || den == 0)
        hrr_random_stop("the probability of a coin must lie between 0 and 1");
    return hrr_below(stream, den) < num;
}
