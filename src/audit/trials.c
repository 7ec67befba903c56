/* trials.c: counting outcomes, and choosing the events that would give a lie away.
 *
 * 1. A pilot run on both sides, with draws of its own, decides how outcomes are told apart: each
 *    number by its value if it takes few, otherwise by 64 cells that the pilot finds equally likely
 *    (8 x 8 for two numbers).
 * 2. The pilot orders the outcomes by how much likelier they are on side 0. The events are the
 *    first i outcomes in this order, for side 0 against 1, and the last i the other way: the sets
 * on which a likelihood ratio is largest (Neyman and Pearson), as far as the pilot can tell.
 * 3. The main run counts. An (eps, delta) claim says P(E) <= e^eps Q(E) + delta for each event, so
 *
 *        eps >= ln((lower(P(E)) - delta) / upper(Q(E)))
 *
 *    with Clopper-Pearson bounds. One wrong bound of one event is enough to call a true claim
 *    false, so half the error rate of the row is shared equally by the two bounds of all events.
 * 4. The other half goes to the advantage of one test, a threshold for one of the numbers. From
 *    P <= e^eps Q + delta and 1 - Q <= e^eps (1 - P) + delta follows
 *
 *        P - Q <= (e^eps - 1 + 2 delta) / (e^eps + 1),
 *
 *    which for delta = 0 is tanh(eps / 2); discrete Laplace noise on one number reaches it. This
 *    bounds epsilon too, and better than a ratio where many events share the error. It cannot
 *    replace the ratios: who reveals the truth one time in three and else says nothing has an
 *    advantage of 1/3 and an infinite epsilon; and two numbers with noise of eps each have the
 *    advantage of one.
 *
 * The seed is fixed, so that an audit that passes keeps passing. */
#include "audit/trials.h"
#include "base/memory.h"
#include "privacy/eps_lower_bound.h"

#include <heterorr/privacy.h>

#include <math.h>
#include <stdlib.h>

enum { most_cells = 64, most_pilot_trials = 1 << 16, trials_per_block = 1 << 16 };
static const double row_error_rate = 1e-3;

/* "Yes" if the number in this column lies in this cell or a higher one; if `below`, if it does not.
 */
typedef struct threshold {
    uint32_t column, cell;
    bool below;
} threshold;

typedef struct outcomes {
    float cut[HRR_TRIAL_WIDTH][most_cells]; /* ascending; cell = how many cuts are <= value */
    uint32_t n_cells[HRR_TRIAL_WIDTH];
    uint32_t count;               /* outcomes in all */
    uint32_t order[most_cells];   /* by likelihood on side 0 over side 1, from the pilot */
    uint64_t seen[2][most_cells]; /* by side */
    threshold test;               /* the one that told the sides apart best in the pilot */
} outcomes;

/* ---- outcomes ------------------------------------------------------------------------------- */

static int compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Cuts from n sorted values: at each value but the first if there are few, else at quantiles. */
static uint32_t find_cuts(float *cut, const float *sorted, uint64_t n, uint32_t most)
{
    uint32_t n_cuts = 0, n_values = 1;
    for (uint64_t i = 1; i < n && n_values <= most; i++)
        n_values += sorted[i] != sorted[i - 1];
    if (n_values <= most) {
        for (uint64_t i = 1; i < n; i++)
            if (sorted[i] != sorted[i - 1]) cut[n_cuts++] = sorted[i];
        return n_cuts + 1;
    }
    for (uint32_t q = 1; q < most; q++) {
        float value = sorted[q * n / most];
        if (value > sorted[0] && (n_cuts == 0 || value > cut[n_cuts - 1])) cut[n_cuts++] = value;
    }
    return n_cuts + 1;
}

static uint32_t outcome_of(const outcomes *self, const float *value, uint32_t width)
{
    uint32_t outcome = 0;
    for (uint32_t w = 0; w < width; w++) {
        uint32_t low = 0, high = self->n_cells[w] - 1;
        while (low < high) {
            uint32_t middle = (low + high) / 2;
            if (self->cut[w][middle] <= value[w])
                low = middle + 1;
            else
                high = middle;
        }
        outcome = outcome * self->n_cells[w] + low;
    }
    return outcome;
}

static void count_block(outcomes *self, int side, const float *value, uint64_t n, uint32_t width)
{
    for (uint64_t i = 0; i < n; i++)
        self->seen[side][outcome_of(self, value + i * width, width)]++;
}

static double pilot_ratio(const outcomes *self, uint32_t outcome)
{
    return ((double)self->seen[0][outcome] + 0.5) / ((double)self->seen[1][outcome] + 0.5);
}

/* Largest ratio first; few outcomes, so insertion does. */
static void order_outcomes(outcomes *self)
{
    for (uint32_t i = 0; i < self->count; i++) {
        uint32_t place = i;
        while (place > 0 && pilot_ratio(self, self->order[place - 1]) < pilot_ratio(self, i)) {
            self->order[place] = self->order[place - 1];
            place--;
        }
        self->order[place] = i;
    }
}

/* ---- one test ------------------------------------------------------------------------------- */

static uint64_t says_yes(const outcomes *self, const threshold *test, int side)
{
    const uint32_t n_last = self->count / self->n_cells[0]; /* cells of the second column, or 1 */
    uint64_t yes = 0;
    for (uint32_t i = 0; i < self->count; i++) {
        const uint32_t cell = test->column == 0 ? i / n_last : i % n_last;
        if ((cell >= test->cell) != test->below) yes += self->seen[side][i];
    }
    return yes;
}

/* The outcomes of the pilot are in `seen`. Nothing told apart: the first test, which always says
 * yes. */
static void choose_test(outcomes *self, uint32_t width)
{
    double most = 0;
    for (uint32_t column = 0; column < width; column++)
        for (uint32_t cell = 1; cell < self->n_cells[column]; cell++) {
            threshold test = {column, cell, false};
            const double apart =
                (double)says_yes(self, &test, 1) - (double)says_yes(self, &test, 0);
            if (fabs(apart) <= most) continue;
            most = fabs(apart);
            test.below = apart < 0;
            self->test = test;
        }
}

static void measure_advantage(hrr_trials_finding *out, const outcomes *self, uint64_t trials)
{
    const double alpha = row_error_rate / 2 / 4; /* two probabilities, two sides */
    const uint64_t p = says_yes(self, &self->test, 1), q = says_yes(self, &self->test, 0);
    out->advantage = ((double)p - (double)q) / (double)trials;
    out->least_advantage =
        hrr_clopper_pearson_lower(p, trials, alpha) - hrr_clopper_pearson_upper(q, trials, alpha);
    out->most_advantage =
        hrr_clopper_pearson_upper(p, trials, alpha) - hrr_clopper_pearson_lower(q, trials, alpha);
}

/* The epsilon that this advantage needs at least. */
static double eps_of_advantage(double advantage, double delta)
{
    return advantage > delta ? log1p(2 * (advantage - delta) / (1 - advantage)) : 0;
}

/* ---- trials --------------------------------------------------------------------------------- */

typedef struct runner {
    const hrr_trials *experiment;
    int threads;
    hrr_progress *progress;
} runner;

/* Trials [first, first + n) of both sides, side 1 after side 0 in value. Of several errors the
 * first in the order of the trials is reported. */
static hrr_status run_both(float *value, const runner *self, uint64_t first, uint64_t n,
                           hrr_error *err)
{
    const hrr_trials *experiment = self->experiment;
    const uint64_t step = HRR_TRIALS_PER_CALL, n_calls = (n + step - 1) / step;
    const int threads = hrr_threads(self->threads);
    (void)threads; /* the fuzz targets are built without OpenMP */
    uint64_t first_wrong = UINT64_MAX;
    hrr_error wrong = {0};
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (uint64_t call = 0; call < 2 * n_calls; call++) {
        if (hrr_progress_cancelled(self->progress)) continue;
        const int side = call >= n_calls;
        const uint64_t begin = (call - (side ? n_calls : 0)) * step;
        const uint64_t length = n - begin < step ? n - begin : step;
        float *out = value + ((side ? n : 0) + begin) * experiment->width;
        hrr_error own = {0};
        hrr_status status =
            experiment->run(out, experiment->user, side, first + begin, length, &own);
        if (!status) continue;
#pragma omp critical(hrr_audit_trials)
        if (call < first_wrong) {
            first_wrong = call;
            wrong = own;
            wrong.status = status;
        }
    }
    if (first_wrong < UINT64_MAX) return hrr_fail(err, wrong.status, "%s", wrong.message);
    return hrr_progress_advance(self->progress, 0, err);
}

/* value, scratch: room for the pilot of both sides. Its trials are those after the main run's. */
static hrr_status run_pilot(outcomes *self, const runner *run, uint64_t trials, float *value,
                            float *scratch, hrr_error *err)
{
    const hrr_trials *experiment = run->experiment;
    const uint32_t width = experiment->width;
    uint64_t pilot_trials = experiment->pilot ? experiment->pilot : trials;
    if (pilot_trials > most_pilot_trials) pilot_trials = most_pilot_trials;
    hrr_status status = run_both(value, run, trials, pilot_trials, err);
    if (status) return status;
    self->count = 1;
    for (uint32_t w = 0; w < width; w++) {
        for (uint64_t i = 0; i < 2 * pilot_trials; i++)
            scratch[i] = value[i * width + w];
        qsort(scratch, 2 * pilot_trials, sizeof *scratch, compare_floats);
        self->n_cells[w] =
            find_cuts(self->cut[w], scratch, 2 * pilot_trials, width == 1 ? most_cells : 8);
        self->count *= self->n_cells[w];
    }
    for (int side = 0; side < 2; side++)
        count_block(self, side, value + (size_t)side * pilot_trials * width, pilot_trials, width);
    order_outcomes(self);
    choose_test(self, width);
    for (uint32_t i = 0; i < self->count; i++)
        self->seen[0][i] = self->seen[1][i] = 0;
    return HRR_OK;
}

/* ---- the bound ------------------------------------------------------------------------------ */

typedef struct event {
    uint64_t more, less; /* how often it was seen on either side */
    double promise;      /* its bound by a normal approximation, to choose the event by */
} event;

static void consider(event *best, uint64_t more, uint64_t less)
{
    const double z = 3.29, none_seen = 7.6; /* both at 5e-4: of a normal law, and for 0 successes */
    double low = (double)more - z * sqrt((double)more);
    double promise = low / ((double)less + z * sqrt((double)less) + none_seen);
    if (promise > best->promise) *best = (event){more, less, promise};
}

/* The exact bound of the event that promises most: one pair of Clopper-Pearson bounds costs as much
 * as ten thousand draws. */
static double largest_bound(const outcomes *self, uint64_t trials, double delta)
{
    uint64_t first[2] = {0, 0}, last[2] = {0, 0};
    event best = {0};
    for (uint32_t i = 0; i + 1 < self->count; i++) {
        for (int side = 0; side < 2; side++) {
            first[side] += self->seen[side][self->order[i]];
            last[side] += self->seen[side][self->order[self->count - 1 - i]];
        }
        consider(&best, first[0], first[1]);
        consider(&best, last[1], last[0]);
    }
    const uint32_t n_events = self->count > 1 ? 2 * (self->count - 1) : 1;
    const double alpha = row_error_rate / 2 / (2.0 * n_events);
    const double p = hrr_clopper_pearson_lower(best.more, trials, alpha) - delta;
    const double q = hrr_clopper_pearson_upper(best.less, trials, alpha);
    return p > q ? log(p / q) : 0;
}

hrr_status hrr_audit_trials(hrr_trials_finding *out, const hrr_trials *experiment, uint64_t trials,
                            int threads, hrr_progress *progress, hrr_error *err)
{
    _Static_assert((int)most_pilot_trials <= (int)trials_per_block, "a pilot is one block");
    const uint32_t width = experiment->width;
    const runner run = {experiment, threads, progress};
    hrr_status status = HRR_OK;
    outcomes *self = hrr_alloc_zero(1, sizeof *self);
    float *value = hrr_alloc(2 * trials_per_block, width * sizeof *value);
    float *scratch = hrr_alloc(2 * most_pilot_trials, sizeof *scratch);
    if (!self || !value || !scratch) {
        status = hrr_no_memory(err);
        goto done;
    }
    if ((status = run_pilot(self, &run, trials, value, scratch, err))) goto done;
    for (uint64_t first = 0; first < trials; first += trials_per_block) {
        uint64_t n = trials - first;
        if (n > trials_per_block) n = trials_per_block;
        if ((status = run_both(value, &run, first, n, err))) goto done;
        for (int side = 0; side < 2; side++)
            count_block(self, side, value + (side ? n : 0) * width, n, width);
        if ((status = hrr_progress_advance(progress, n, err))) goto done;
    }
    measure_advantage(out, self, trials);
    out->lower_bound = fmax(largest_bound(self, trials, experiment->delta),
                            eps_of_advantage(out->least_advantage, experiment->delta));
    out->n_outcomes = self->count;
done:
    hrr_free(self);
    hrr_free(value);
    hrr_free(scratch);
    return status;
}
