/* coordinate.c: from the weights of atoms.h and window.h to unbiased answers.
 *
 * Window. Let cell u stand for 2 u + 1 - M, which makes the grid symmetric around 0. All cells with
 * weight `low` have mean 0, so the mean comes from the extra weight high - low of the window's w
 * cells, whose centre is 2 j - J with J = M - w:
 *     E[2 u + 1 - M | j] = (high - low) w (2 j - J) / T.
 * That is linear in j: with x = (2 j - J) / J the answer is unbiased if cells are scaled by
 *     cell_value = T / ((high - low) w J).
 * In the limit of many cells this is the published C = (e + t)(t + 1) / (t (e - 1)).
 *
 * Mixture. The coin is public noise: even who sees it learns at most the larger of the two
 * epsilons. */
#include "feature/coordinate.h"
#include "privacy/exp_bound.h"

#include <assert.h>
#include <math.h>

void hrr_coordinate_use_atoms(hrr_coordinate *law, uint64_t eps_nano, uint64_t centre)
{
    *law = (hrr_coordinate){.form = HRR_LAW_ATOMS, .eps_nano = eps_nano};
    hrr_atoms_init(&law->atoms, eps_nano, centre);
    law->realised_eps = hrr_eps_round_up(hrr_atoms_realised_eps(&law->atoms), eps_nano);
}

void hrr_coordinate_use_window(hrr_coordinate *law, uint64_t eps_nano, double t)
{
    assert(t >= 1);
    *law = (hrr_coordinate){.form = HRR_LAW_WINDOW, .eps_nano = eps_nano};
    hrr_window *window = &law->window;
    const double width = fmax(1, round(HRR_COORDINATE_CELLS / (t + 1)));
    hrr_window_init(window, eps_nano, HRR_COORDINATE_CELLS, (uint32_t)width);
    const double places = window->n_cells - window->width;
    law->cell_value =
        (double)window->total / ((double)(window->high - window->low) * width * places);
    law->realised_eps = hrr_eps_round_up(hrr_window_realised_eps(window), eps_nano);
}

void hrr_coordinate_mix(hrr_coordinate *law, const hrr_coordinate *with_window, double window_share)
{
    assert(law->form == HRR_LAW_ATOMS && with_window->form == HRR_LAW_WINDOW);
    assert(law->eps_nano == with_window->eps_nano && window_share > 0 && window_share < 1);
    law->form = HRR_LAW_MIXTURE;
    law->window = with_window->window;
    law->cell_value = with_window->cell_value;
    law->window_share = (uint64_t)(window_share * 0x1p64);
    law->realised_eps = fmax(law->realised_eps, with_window->realised_eps);
}
