/* judge.c: see judge.h: settings, tests and verdicts. Which control a setting has to beat is
 * decided in training_means.c and structure_means.c. */
#include "experiment/judge.h"
#include "base/memory.h"
#include "learn/statistics.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static const double clear_below = 0.05;

const char *hrr_worth_word(hrr_worth worth)
{
    static const char *const words[] = {"untested", "better", "no better", "worse"};
    return words[worth];
}

/* ---- settings -------------------------------------------------------------------------------- */

void hrr_judged_clear(hrr_judged *judged)
{
    hrr_free(judged->first);
    hrr_free(judged->of);
    *judged = (hrr_judged){0};
}

enum { key_size = 12 * HRR_N_TEXT_COLUMNS + 128 };

/* Texts are numbers already, so a setting is a short line of them. */
static void write_key(char key[key_size], const hrr_rows *rows, uint64_t row)
{
    int used = 0;
    for (int c = 0; c < HRR_N_TEXT_COLUMNS; c++)
        if (rows->word[c] && c != HRR_COL_RUN && c != HRR_COL_SEED && c != HRR_COL_STATUS)
            used +=
                snprintf(key + used, key_size - (size_t)used, "%" PRIu32 ",", rows->word[c][row]);
    for (int c = HRR_COL_EPS_FEATURES; c <= HRR_COL_EPS; c++)
        if (rows->number[c])
            used += snprintf(key + used, key_size - (size_t)used, "%.17g,", rows->number[c][row]);
    key[used] = '\0';
}

hrr_status hrr_judge_settings(hrr_judged *out, const hrr_rows *rows, hrr_error *err)
{
    hrr_words keys = {0};
    hrr_judged found = {.first = hrr_alloc(rows->n, sizeof *found.first),
                        .of = hrr_alloc(rows->n, sizeof *found.of)};
    hrr_status status = found.first && found.of ? HRR_OK : hrr_no_memory(err);
    for (uint64_t i = 0; i < rows->n && !status; i++) {
        char key[key_size];
        write_key(key, rows, i);
        status = hrr_words_add(&found.of[i], &keys, key, err);
        if (!status && found.of[i] == found.n) found.first[found.n++] = i;
    }
    hrr_name_index_clear(&keys);
    if (status) hrr_judged_clear(&found);
    *out = found;
    return status;
}

/* ---- tests ----------------------------------------------------------------------------------- */

hrr_worth_test hrr_test_none(void)
{
    return (hrr_worth_test){
        .control = -1, .difference = NAN, .p = NAN, .p_adjusted = NAN, .half_width = NAN};
}

hrr_status hrr_test_pair(hrr_worth_test *test, const hrr_cell *x, const hrr_cell *y, hrr_error *err)
{
    double *a = hrr_alloc(2 * (size_t)x->n, sizeof *a);
    if (!a) return hrr_no_memory(err);
    hrr_t_test found;
    hrr_status status = HRR_OK;
    test->pairs = hrr_cells_pair(a, a + x->n, x, y);
    if (test->pairs >= 2 && !(status = hrr_t_test_paired(&found, a, a + x->n, test->pairs, err))) {
        test->difference = found.difference;
        test->p = found.p;
        test->half_width = hrr_t_quantile(0.975, found.degrees) * found.standard_error;
    }
    hrr_free(a);
    return status;
}

hrr_status hrr_tests_decide(hrr_worth_test *const *tests, size_t n, bool lower_is_better,
                            hrr_error *err)
{
    double *p = hrr_alloc(2 * n, sizeof *p);
    if (!p) return hrr_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        const hrr_worth_test *test = tests[i];
        const bool is_worse = lower_is_better ? test->difference > 0 : test->difference < 0;
        p[i] = is_worse ? fmin(1, test->p * test->controls) : test->p;
    }
    hrr_status status = hrr_holm(p + n, p, n, err);
    for (size_t i = 0; i < n && !status; i++) {
        hrr_worth_test *test = tests[i];
        const double gain = lower_is_better ? -test->difference : test->difference;
        test->p_adjusted = p[n + i];
        test->worth = test->control < 0 || test->pairs < 2             ? HRR_WORTH_UNTESTED
                      : !(test->p_adjusted < clear_below) || gain == 0 ? HRR_WORTH_NO_MORE
                      : gain > 0                                       ? HRR_WORTH_MORE
                                                                       : HRR_WORTH_LESS;
    }
    hrr_free(p);
    return status;
}
