/* coordinate.h: randomisers of one number x in [-1, 1], unbiased and certified in integers.
 *
 * A law answers with one of three atoms (atoms.h), with a cell of a grid around 0 (window.h), or
 * tosses a coin that does not look at x to choose between the two. x is first moved to the nearest
 * point of the law's public grid; for a grid point the mean of the answer is that point, but for
 * the last bit of one double. So the whole bias is at most HRR_COORDINATE_BIAS, a millionth of
 * the range. */
#ifndef HRR_FEATURE_COORDINATE_H
#define HRR_FEATURE_COORDINATE_H

#include "feature/atoms.h"
#include "feature/window.h"

#define HRR_COORDINATE_CELLS (UINT32_C(1) << 20) /* M; windows begin at J + 1 > M/2 places */
#define HRR_COORDINATE_BIAS 0x1p-19

typedef struct hrr_coordinate {
    enum { HRR_LAW_ATOMS, HRR_LAW_WINDOW, HRR_LAW_MIXTURE } form;
    uint64_t eps_nano;   /* what was asked for */
    double realised_eps; /* largest log-ratio of the integers that are drawn; <= eps */
    hrr_atoms atoms;
    hrr_window window;
    double cell_value;     /* cell u answers cell_value (2 u + 1 - M) */
    uint64_t window_share; /* of a mixture: the window answers with probability share / 2^64 */
} hrr_coordinate;

/* Decide a law for eps_nano in 1..HRR_EPS_MAX; one function in the file of each mechanism. */
typedef void hrr_coordinate_init(hrr_coordinate *law, uint64_t eps_nano);
hrr_coordinate_init hrr_duchi_init, hrr_three_output_init, hrr_piecewise_init, hrr_pm_sub_init,
    hrr_hybrid_init;

/* What those functions are made of. `centre` as in hrr_atoms_init(). The window covers 1/(t+1) of
 * the answers. `window_share` is a probability in (0, 1). */
void hrr_coordinate_use_atoms(hrr_coordinate *law, uint64_t eps_nano, uint64_t centre);
void hrr_coordinate_use_window(hrr_coordinate *law, uint64_t eps_nano, double t);
void hrr_coordinate_mix(hrr_coordinate *law, const hrr_coordinate *with_window,
                        double window_share);

static inline uint32_t hrr_coordinate_window_at(const hrr_coordinate *law, double unit)
{
    return (uint32_t)(unit * (law->window.n_cells - law->window.width) + 0.5);
}

static inline double hrr_coordinate_cell_value(const hrr_coordinate *law, uint32_t cell)
{
    return law->cell_value * (2.0 * cell + 1 - law->window.n_cells);
}

/* Answer for x = 2 unit - 1, unit in [0, 1]: one accepted word, and one before it in a mixture. */
static inline double hrr_coordinate_draw(const hrr_coordinate *law, double unit, hrr_stream *stream)
{
    bool window = law->form == HRR_LAW_WINDOW;
    if (law->form == HRR_LAW_MIXTURE) window = hrr_stream_word(stream) < law->window_share;
    if (!window) return hrr_atoms_draw(&law->atoms, hrr_atoms_quantise(unit), stream);
    const uint32_t j = hrr_coordinate_window_at(law, unit);
    return hrr_coordinate_cell_value(law, hrr_window_draw(&law->window, j, stream));
}

#endif
