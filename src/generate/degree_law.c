/* degree_law.c: shares and draws of the degree law. */
#include "generate/degree_law.h"

#include <math.h>

static void set_shift(hrr_degree_law *law, double shift)
{
    law->shift = shift;
    law->low = pow(shift, law->q);
    law->span = pow((double)law->size + shift, law->q) - law->low;
}

void hrr_degree_law_init(hrr_degree_law *law, double exponent, uint64_t size, double top_share)
{
    *law = (hrr_degree_law){.size = size, .q = 1 - 1 / (exponent - 1)};
    set_shift(law, 0);
    /* A thousand sizes of shift is flat to within a thousandth. */
    while (hrr_degree_law_share(law, 0) > top_share && law->shift < 1000.0 * (double)size)
        set_shift(law, 2 * law->shift + 1);
    for (uint64_t rank = 0; rank < size; rank++) {
        double share = hrr_degree_law_share(law, rank);
        law->sum_squares += share * share;
    }
}

double hrr_degree_law_share(const hrr_degree_law *law, uint64_t rank)
{
    double x = (double)rank + law->shift;
    return (pow(x + 1, law->q) - pow(x, law->q)) / law->span;
}

uint64_t hrr_degree_law_draw(const hrr_degree_law *law, hrr_fast_random *random)
{
    double x = pow(law->low + hrr_fast_uniform(random) * law->span, 1 / law->q) - law->shift;
    uint64_t rank = x > 0 ? (uint64_t)x : 0;
    return rank < law->size ? rank : law->size - 1; /* rounding */
}
