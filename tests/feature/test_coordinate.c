#include "feature/features.h"
#include "support/statistics.h"
#include "feature/law_table.h"

#include "feature/coordinate.h"

#include <heterorr/privacy.h>

#include <math.h>
#include <stdlib.h>

__extension__ typedef __int128 int128;

/* The middle five are those of the table of worst variances. */
static const uint64_t eps_grid[] = {1,          1000,       100000,      1000000,
                                    100000000,  500000000,  1000000000,  2000000000,
                                    4000000000, 8000000000, 12000000000, 20000000000};
enum { n_eps = sizeof eps_grid / sizeof eps_grid[0], n_published = 5 };
static const uint64_t published_eps[n_published] = {100000000, 500000000, 1000000000, 2000000000,
                                                    4000000000};

static const struct law_case {
    const char *name;
    hrr_coordinate_init *init;
    double variance[n_published]; /* the worst, as published */
} cases[] = {
    {"duchi", hrr_duchi_init, {400.7, 16.67, 4.683, 1.724, 1.076}},
    {"piecewise", hrr_piecewise_init, {533.2, 21.22, 5.224, 1.228, .241}},
    {"hybrid", hrr_hybrid_init, {400.7, 16.67, 4.289, 1.042, .219}},
    {"three-output", hrr_three_output_init, {400.7, 16.67, 4.456, 1.000, .318}},
    {"pm-sub", hrr_pm_sub_init, {533.1, 21.08, 5.082, 1.105, .167}},
};
static const double last_digit[n_published] = {.1, .01, .001, .001, .001};
enum { n_cases = sizeof cases / sizeof cases[0] };

static bool has_atoms(const hrr_coordinate *law)
{
    return law->form != HRR_LAW_WINDOW;
}

static bool has_window(const hrr_coordinate *law)
{
    return law->form != HRR_LAW_ATOMS;
}

/* ---- the certificate ------------------------------------------------------------------------ */

enum { n_atom_inputs = 4099, n_window_inputs = 5 };

/* 4,096 steps over the grid, and the neighbours of 0, where the slopes change. */
static void atoms_table(uint64_t *weight, const hrr_atoms *atoms)
{
    const int64_t stride = 2 * HRR_ATOMS_STEPS / 4096;
    for (int i = 0; i <= 4096; i++)
        hrr_atoms_weights(weight + 3 * i, atoms, i * stride - HRR_ATOMS_STEPS);
    hrr_atoms_weights(weight + 3 * 4097, atoms, -1);
    hrr_atoms_weights(weight + 3 * 4098, atoms, 1);
}

static void window_inputs(uint32_t at[n_window_inputs], const hrr_window *window)
{
    const uint32_t last = window->n_cells - window->width;
    at[0] = 0, at[1] = 1, at[2] = last / 2, at[3] = last - 1, at[4] = last;
}

static uint64_t *window_table(const hrr_window *window)
{
    uint32_t at[n_window_inputs];
    window_inputs(at, window);
    uint64_t *weight = malloc((size_t)n_window_inputs * window->n_cells * sizeof *weight);
    for (size_t i = 0; i < n_window_inputs; i++)
        for (uint32_t u = 0; u < window->n_cells; u++)
            weight[i * window->n_cells + u] = hrr_window_weight(window, at[i], u);
    return weight;
}

static bool law_certifies(const hrr_coordinate *law, uint64_t eps_nano)
{
    bool good = true;
    if (has_atoms(law)) {
        static uint64_t weight[3 * n_atom_inputs];
        atoms_table(weight, &law->atoms);
        good = table_certifies(weight, n_atom_inputs, 3, eps_nano);
    }
    if (good && has_window(law)) {
        uint64_t *weight = window_table(&law->window);
        good = table_certifies(weight, n_window_inputs, law->window.n_cells, eps_nano);
        free(weight);
    }
    return good;
}

static void test_coordinate__every_law_is_certified(void **state)
{
    (void)state;
    for (int c = 0; c < n_cases; c++)
        for (int i = 0; i < n_eps; i++) {
            hrr_coordinate law;
            cases[c].init(&law, eps_grid[i]);
            if (!law_certifies(&law, eps_grid[i]))
                fail_msg("%s at eps %g", cases[c].name, (double)eps_grid[i] / 1e9);
        }
}

static void test_coordinate__realised_eps_is_below_and_close(void **state)
{
    (void)state;
    for (int c = 0; c < n_cases; c++)
        for (int i = 0; i < n_eps; i++) {
            hrr_coordinate law;
            cases[c].init(&law, eps_grid[i]);
            const double eps = (double)eps_grid[i] / HRR_EPS_UNIT;
            /* At 1e-9 the integers are coarse: 1 in 500 is lost; at 20 Three-output's sides weigh
             * so little that 1 in 10^5 is. */
            const double loss = eps_grid[i] == 1 ? 2e-3 : 2e-5;
            if (law.realised_eps > eps || law.realised_eps < eps * (1 - loss))
                fail_msg("%s: eps %.12g realised %.12g", cases[c].name, eps, law.realised_eps);
        }
}

static void test_coordinate__weights_of_atoms_sum_to_2_to_64(void **state)
{
    (void)state;
    for (int i = 0; i < n_eps; i++) {
        hrr_coordinate law;
        hrr_three_output_init(&law, eps_grid[i]);
        for (int64_t s = -HRR_ATOMS_STEPS; s <= HRR_ATOMS_STEPS; s += 997) {
            uint64_t weight[3];
            hrr_atoms_weights(weight, &law.atoms, s);
            assert_true((int128)weight[0] + weight[1] + weight[2] == (int128)1 << 64);
        }
    }
}

static void test_window__small_laws_are_certified_whole(void **state)
{
    (void)state;
    enum { cells = 64 };
    uint64_t weight[cells * cells];
    for (uint32_t width = 1; width < cells; width += 7)
        for (int i = 0; i < n_eps; i++) {
            hrr_window window;
            hrr_window_init(&window, eps_grid[i], cells, width);
            for (uint32_t j = 0; j <= cells - width; j++) {
                int128 total = 0;
                for (uint32_t u = 0; u < cells; u++)
                    total += weight[j * cells + u] = hrr_window_weight(&window, j, u);
                assert_true(total == window.total);
            }
            assert_true(table_certifies(weight, cells - width + 1, cells, eps_grid[i]));
        }
}

/* ---- negative controls ---------------------------------------------------------------------- */

static void test_coordinate__two_percent_too_much_is_caught(void **state)
{
    (void)state;
    for (int c = 0; c < n_cases; c++)
        for (int i = 1; i < n_eps - 1; i++) {
            hrr_coordinate law;
            cases[c].init(&law, eps_grid[i] / 50 * 51 + 1);
            assert_false(law_certifies(&law, eps_grid[i]));
        }
}

/* The last branch of a public PM-SUB: everything right of the window becomes one end point. */
static void test_pm_sub__with_an_atom_is_caught(void **state)
{
    (void)state;
    enum { cells = 64, width = 24, places = cells - width };
    hrr_window window;
    hrr_window_init(&window, HRR_EPS_UNIT, cells, width);
    static uint64_t weight[places][cells];
    for (uint32_t j = 0; j < places; j++)
        for (uint32_t u = 0; u < cells; u++)
            weight[j][u] = hrr_window_weight(&window, j, u);
    assert_true(table_certifies(weight[0], places, cells, HRR_EPS_UNIT));
    for (uint32_t j = 0; j < places; j++)
        for (uint32_t u = j + width + 1; u < cells; u++) {
            weight[j][j + width] += weight[j][u];
            weight[j][u] = 0;
        }
    assert_false(table_certifies(weight[0], places, cells, HRR_EPS_UNIT));
    assert_false(table_certifies(weight[0], places, cells, HRR_EPS_MAX));
}

static void test_window__a_total_that_depends_on_the_input_is_caught(void **state)
{
    (void)state;
    const uint64_t weight[] = {5, 4, 4, 5, 5, 4};
    assert_true(table_certifies((const uint64_t[]){5, 4, 4, 4, 5, 4}, 2, 3, HRR_EPS_UNIT));
    assert_false(table_certifies(weight, 2, 3, HRR_EPS_UNIT));
}

/* ---- unbiased, and as good as published -------------------------------------------------- */

/* Mean and variance of the law's answers for one input, from its integers. */
typedef struct moments {
    double input, mean, variance;
} moments;

static moments atoms_moments(const hrr_coordinate *law, int64_t s)
{
    uint64_t weight[3];
    hrr_atoms_weights(weight, &law->atoms, s);
    const double c = law->atoms.value, x = (double)s / HRR_ATOMS_STEPS;
    const double difference = (double)((int128)weight[2] - weight[0]) / 0x1p64;
    const double sides = (double)((int128)weight[2] + weight[0]) / 0x1p64;
    return (moments){x, c * difference, c * c * sides - c * difference * c * difference};
}

static moments window_moments(const hrr_coordinate *law, uint32_t j)
{
    const hrr_window *window = &law->window;
    int128 first = 0;
    long double second = 0;
    for (uint32_t u = 0; u < window->n_cells; u++) {
        const int64_t place = 2 * (int64_t)u + 1 - window->n_cells;
        const uint64_t weight = hrr_window_weight(window, j, u);
        first += (int128)weight * place;
        second += (long double)weight * (long double)(place * place);
    }
    const int64_t last = window->n_cells - window->width;
    /* The identity that coordinate.c rests on, in integers. */
    assert_true(first ==
                (int128)(window->high - window->low) * window->width * (2 * (int64_t)j - last));
    const double total = (double)window->total, unit = law->cell_value;
    const double mean = unit * (double)first / total;
    return (moments){(double)(2 * (int64_t)j - last) / (double)last, mean,
                     unit * unit * (double)(second / total) - mean * mean};
}

static void test_coordinate__every_law_is_unbiased(void **state)
{
    (void)state;
    for (int c = 0; c < n_cases; c++)
        for (int i = 0; i < n_eps; i++) {
            hrr_coordinate law;
            cases[c].init(&law, eps_grid[i]);
            for (int64_t s = -HRR_ATOMS_STEPS; has_atoms(&law) && s <= HRR_ATOMS_STEPS;
                 s += 65521) {
                moments m = atoms_moments(&law, s);
                assert_true(fabs(m.mean - m.input) < 1e-14);
            }
            uint32_t at[n_window_inputs];
            if (has_window(&law)) window_inputs(at, &law.window);
            for (int n = 0; has_window(&law) && n < n_window_inputs; n++) {
                moments m = window_moments(&law, at[n]);
                assert_true(fabs(m.mean - m.input) < 1e-14);
            }
        }
}

static void test_coordinate__moving_to_the_grid_stays_within_the_stated_bias(void **state)
{
    (void)state;
    for (int c = 0; c < n_cases; c++)
        for (int i = 0; i < n_eps; i++) {
            hrr_coordinate law;
            cases[c].init(&law, eps_grid[i]);
            for (int n = 0; n <= 10000; n++) {
                const double unit = n / 10000.0, x = 2 * unit - 1;
                if (has_atoms(&law)) {
                    int64_t s = hrr_atoms_quantise(unit);
                    assert_in_range(s + HRR_ATOMS_STEPS, 0, 2 * HRR_ATOMS_STEPS);
                    assert_true(fabs((double)s / HRR_ATOMS_STEPS - x) <= 0x1p-20);
                }
                if (has_window(&law)) {
                    uint32_t last = law.window.n_cells - law.window.width;
                    uint32_t j = hrr_coordinate_window_at(&law, unit);
                    assert_in_range(j, 0, last);
                    assert_true(fabs(2.0 * j / last - 1 - x) <= HRR_COORDINATE_BIAS);
                }
            }
        }
}

/* Over 33 inputs where the window takes part (each costs a pass over 2^20 cells; the extremes of
 * these laws lie at the ends or in the middle), 4,097 otherwise. */
static double worst_variance(const hrr_coordinate *law)
{
    const int n = has_window(law) ? 32 : 4096;
    const double share = law->form == HRR_LAW_MIXTURE ? (double)law->window_share / 0x1p64 : 1;
    double worst = 0;
    for (int i = 0; i <= n; i++) {
        const double unit = (double)i / n;
        double variance = 0;
        if (has_window(law))
            variance = share * window_moments(law, hrr_coordinate_window_at(law, unit)).variance;
        if (has_atoms(law))
            variance += (has_window(law) ? 1 - share : 1) *
                        atoms_moments(law, hrr_atoms_quantise(unit)).variance;
        worst = fmax(worst, variance);
    }
    return worst;
}

static void test_coordinate__worst_variances_are_the_published_ones(void **state)
{
    (void)state;
    for (int c = 0; c < n_cases; c++)
        for (int i = 0; i < n_published; i++) {
            hrr_coordinate law;
            cases[c].init(&law, published_eps[i]);
            const double worst = worst_variance(&law);
            if (fabs(worst - cases[c].variance[i]) > last_digit[i])
                fail_msg("%s at eps %g: %.6g, published %g", cases[c].name,
                         (double)published_eps[i] / 1e9, worst, cases[c].variance[i]);
        }
}

static void test_piecewise__discretising_costs_almost_no_variance(void **state)
{
    (void)state;
    for (int i = 0; i < n_eps; i++) {
        hrr_coordinate law;
        hrr_piecewise_init(&law, eps_grid[i]);
        const double z1 = expm1((double)eps_grid[i] / HRR_EPS_UNIT / 2), z = z1 + 1;
        const double continuous = 1 / z1 + (z + 3) / (3 * z1 * z1);
        /* The certified weights at 1e-9 are coarse, and 48 cells are wide at eps = 20. */
        const double tolerance = eps_grid[i] == 1 || eps_grid[i] > 10000000000 ? 1e-2 : 1e-5;
        const double ours = window_moments(&law, 0).variance;
        if (fabs(ours / continuous - 1) > tolerance)
            fail_msg("eps %g: %.9g, continuous %.9g", (double)eps_grid[i] / 1e9, ours, continuous);
    }
}

/* ---- what is drawn is what is described -------------------------------------------------- */

/* One test in a million fails by chance, and the seed is fixed. */
static const double alpha = 1e-6;
enum { n_draws = 200000, n_groups = 64 };

/* Answers sorted into -C, 0, C and 64 groups of cells, with the probabilities of the integers. */
static void group_probabilities(double *probability, const hrr_coordinate *law, double unit)
{
    const double share = law->form == HRR_LAW_ATOMS    ? 0
                         : law->form == HRR_LAW_WINDOW ? 1
                                                       : (double)law->window_share / 0x1p64;
    if (has_atoms(law)) {
        uint64_t weight[3];
        hrr_atoms_weights(weight, &law->atoms, hrr_atoms_quantise(unit));
        for (int a = 0; a < 3; a++)
            probability[a] = (1 - share) * (double)weight[a] / 0x1p64;
    }
    if (has_window(law)) {
        const uint32_t j = hrr_coordinate_window_at(law, unit);
        for (uint32_t u = 0; u < law->window.n_cells; u++)
            probability[3 + u / (law->window.n_cells / n_groups)] +=
                share * (double)hrr_window_weight(&law->window, j, u) / (double)law->window.total;
    }
}

static int group_of(const hrr_coordinate *law, double answer)
{
    if (has_atoms(law)) {
        if (answer == 0) return 1;
        if (fabs(answer) == law->atoms.value) return answer < 0 ? 0 : 2;
    }
    assert_true(has_window(law));
    const double u = (answer / law->cell_value - 1 + law->window.n_cells) / 2;
    assert_true(fabs(u - round(u)) < 1e-6 && u > -.5 && u < law->window.n_cells - .5);
    return 3 + (int)((uint32_t)round(u) / (law->window.n_cells / n_groups));
}

static void test_coordinate__draws_follow_the_weights(void **state)
{
    (void)state;
    static const double inputs[] = {0, .1, .5, .77, 1};
    for (int c = 0; c < n_cases; c++)
        for (int i = 0; i < n_published; i++) {
            hrr_coordinate law;
            cases[c].init(&law, published_eps[i]);
            hrr_stream *stream = stream_of_seed((uint64_t)(100 * c + i));
            for (int x = 0; x < 5; x++) {
                double probability[3 + n_groups] = {0};
                uint64_t count[3 + n_groups] = {0};
                group_probabilities(probability, &law, inputs[x]);
                for (int n = 0; n < n_draws; n++)
                    count[group_of(&law, hrr_coordinate_draw(&law, inputs[x], stream))]++;
                /* Leave out what cannot happen. */
                size_t cells = 0;
                for (int g = 0; g < 3 + n_groups; g++) {
                    if (probability[g] == 0) {
                        assert_int_equal(count[g], 0);
                        continue;
                    }
                    probability[cells] = probability[g], count[cells++] = count[g];
                }
                if (chi_square_p(count, probability, cells) < alpha)
                    fail_msg("%s at eps %g, unit %g", cases[c].name, (double)published_eps[i] / 1e9,
                             inputs[x]);
            }
            hrr_stream_free(stream);
        }
}

static void test_window__every_cell_is_drawn_with_its_weight(void **state)
{
    (void)state;
    enum { cells = 12, width = 5 };
    hrr_window window;
    hrr_window_init(&window, 700000000, cells, width);
    hrr_stream *stream = stream_of_seed(3);
    for (uint32_t j = 0; j <= cells - width; j++) {
        uint64_t count[cells] = {0};
        double probability[cells];
        for (uint32_t u = 0; u < cells; u++)
            probability[u] = (double)hrr_window_weight(&window, j, u) / (double)window.total;
        for (int n = 0; n < n_draws; n++)
            count[hrr_window_draw(&window, j, stream)]++;
        assert_true(chi_square_p(count, probability, cells) > alpha);
    }
    hrr_stream_free(stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coordinate__every_law_is_certified),
        cmocka_unit_test(test_coordinate__realised_eps_is_below_and_close),
        cmocka_unit_test(test_coordinate__weights_of_atoms_sum_to_2_to_64),
        cmocka_unit_test(test_window__small_laws_are_certified_whole),
        cmocka_unit_test(test_coordinate__two_percent_too_much_is_caught),
        cmocka_unit_test(test_pm_sub__with_an_atom_is_caught),
        cmocka_unit_test(test_window__a_total_that_depends_on_the_input_is_caught),
        cmocka_unit_test(test_coordinate__every_law_is_unbiased),
        cmocka_unit_test(test_coordinate__moving_to_the_grid_stays_within_the_stated_bias),
        cmocka_unit_test(test_coordinate__worst_variances_are_the_published_ones),
        cmocka_unit_test(test_piecewise__discretising_costs_almost_no_variance),
        cmocka_unit_test(test_coordinate__draws_follow_the_weights),
        cmocka_unit_test(test_window__every_cell_is_drawn_with_its_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
