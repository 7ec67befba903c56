/* window.c: the weights of window.h. With E = R / 2^bits <= e^eps the certified bound,
 *     low = floor(2^60 / (w E + M - w)),   high = floor(E low):
 * then high / low <= E by construction and T = w high + (M - w) low <= 2^60. Staying that far below
 * 2^64 keeps the rejections of below(T) under 1 in 16. */
#include "feature/window.h"
#include "privacy/exp_bound.h"

#include <assert.h>
#include <math.h>

__extension__ typedef unsigned __int128 uint128;

void hrr_window_init(hrr_window *window, uint64_t eps_nano, uint32_t n_cells, uint32_t width)
{
    assert(width >= 1 && width < n_cells && n_cells < UINT32_C(1) << 31);
    const hrr_exp_bound bound = hrr_exp_lower_bound(eps_nano);
    const uint64_t others = n_cells - width;
    const uint128 spread = (uint128)width * bound.mantissa + ((uint128)others << bound.bits);
    const uint64_t low = (uint64_t)(((uint128)1 << (60 + bound.bits)) / spread);
    const uint64_t high = (uint64_t)(((uint128)low * bound.mantissa) >> bound.bits);
    *window = (hrr_window){.n_cells = n_cells,
                           .width = width,
                           .high = high,
                           .low = low,
                           .total = width * high + others * low};
}

long double hrr_window_realised_eps(const hrr_window *window)
{
    return log1pl((long double)(window->high - window->low) / (long double)window->low);
}
