/* estimate.c: expected edges from noisy counts, without the bias that cutting off at 0 brings.
 *
 * A noisy count y of an empty query is below 0 as often as above. Cut off at 0 it is on average
 * a / (1 - a^2) too high, a = e^-eps; over thousands of nearly empty queries that is hundreds of
 * edges too many. The sum of all noisy counts has no such bias. So (PRIVACY.md, section 3):
 *
 * 1. Lean. How far do private edges lie where public ones lie? The weights v_r of the nodes are a
 *    mixture of "spread evenly over candidate pairs" and "like public edges". The share of the
 *    latter is fitted to the noisy counts by least squares, held towards one half as far as noise
 *    blurs it. Public edges that say nothing are so left out of account.
 *
 * 2. Classes. Queries whose weights V_q (sums of v_r) have the same floor(log2) are a class.
 * Without weights, V_q are pairs. A class's total is the sum of its noisy counts; the totals are
 *    projected onto what is feasible: between 0 and the pairs of the class, together equal to the
 *    total of all noisy counts. Least squares, weighted by the variance (the number of queries in
 *    the class).
 *
 * 3. Posterior. Inside a class a query's true count is taken as geometric with mean proportional to
 *    V_q and cut off at its pairs; x_q is its posterior mean given y_q.
 *
 * 4. Rescale. The x_q of a class are multiplied to meet its total again, no x_q above its pairs.
 *
 * 5. Spread. x_q goes to the query's nodes in proportion to v_r, none above its pairs.
 *
 * The paper's way (clamp) is here beside it, for its own mode and for comparison. */
#include "edge/estimate.h"
#include "edge/noise_law.h"
#include "base/memory.h"

#include <math.h>

enum {
    n_classes = 160,
    class_of_one = 80, /* weights from 2^-80 to 2^80: sums of 64-bit numbers and shares of them */
    most_rescales = 40,
    n_halvings = 200 /* of the interval of doubles that the projection's shift lies in */
};

static const double likely_lean = 0.5, lean_deviation = 0.5;

typedef struct estimate {
    const hrr_queries *queries;
    const int64_t *noisy;
    double eps;
    double *node_weight;  /* n_internal: v_r */
    double *query_weight; /* n_queries: V_q */
    double *x;            /* n_queries: the estimate */
    struct {
        double total, pairs, weight, n_queries;
    } class[n_classes];
    int used[n_classes], n_used; /* the classes that have queries */
} estimate;

static double clip(double x, double lo, double hi)
{
    return fmin(fmax(x, lo), hi);
}

/* ---- spread --------------------------------------------------------------------------------- */

/* node[r] <- weight of r, room[q] and taken[q] are scratch. What does not fit a node goes to the
 * others of its query in proportion to the room they have left. */
static void spread(double *expected, const hrr_queries *queries, const double *x,
                   const double *node_weight, const double *query_weight, double *missing,
                   double *room)
{
    for (uint32_t q = 0; q < queries->n_queries; q++)
        missing[q] = x[q], room[q] = 0;
    for (uint32_t r = 0; r < queries->n_internal; r++) {
        const uint32_t q = queries->query[r];
        const double pairs = (double)queries->node_pairs[r];
        const double part = query_weight[q] > 0 ? x[q] * node_weight[r] / query_weight[q] : 0;
        expected[r] = fmin(part, pairs);
        missing[q] -= expected[r];
        room[q] += pairs - expected[r];
    }
    for (uint32_t r = 0; r < queries->n_internal; r++) {
        const uint32_t q = queries->query[r];
        if (missing[q] <= 0 || room[q] <= 0) continue;
        const double pairs = (double)queries->node_pairs[r];
        expected[r] =
            fmin(expected[r] + fmin(missing[q] / room[q], 1) * (pairs - expected[r]), pairs);
    }
}

/* ---- lean ----------------------------------------------------------------------------------- */

/* With shares a_q of the public weights, b_q of the pairs and y_q / T of the noisy counts, the
 * least-squares solution of y/T = b + lean (a - b); its variance is that of the noise over
 * T^2 |a - b|^2. */
static double find_lean(const estimate *self, double *weights, double all_weight, double all_pairs)
{
    const hrr_queries *queries = self->queries;
    double total = 0, fit = 0, length = 0;
    for (uint32_t q = 0; q < queries->n_queries; q++)
        total += (double)self->noisy[q], weights[q] = 0;
    for (uint32_t r = 0; r < queries->n_internal; r++)
        weights[queries->query[r]] += queries->weight[r];
    total = fmax(total, 1);
    for (uint32_t q = 0; q < queries->n_queries; q++) {
        const double even = (double)queries->pairs[q] / all_pairs;
        const double away = weights[q] / all_weight - even;
        fit += away * ((double)self->noisy[q] / total - even);
        length += away * away;
    }
    const double precision = total * total / hrr_noise_variance(self->eps);
    const double held = 1 / (lean_deviation * lean_deviation);
    return clip((fit * precision + likely_lean * held) / (length * precision + held), 0, 1);
}

static void weigh(estimate *self, double *scratch)
{
    const hrr_queries *queries = self->queries;
    double all_weight = 0, all_pairs = 0, lean = 0;
    for (uint32_t r = 0; r < queries->n_internal; r++) {
        all_pairs += (double)queries->node_pairs[r];
        if (queries->weight) all_weight += queries->weight[r];
    }
    if (all_weight > 0) lean = find_lean(self, scratch, all_weight, all_pairs);
    for (uint32_t q = 0; q < queries->n_queries; q++)
        self->query_weight[q] = 0;
    for (uint32_t r = 0; r < queries->n_internal; r++) {
        double v = (1 - lean) * (double)queries->node_pairs[r];
        if (lean > 0) v += lean * queries->weight[r] * (all_pairs / all_weight);
        self->node_weight[r] = v;
        self->query_weight[queries->query[r]] += v;
    }
}

/* ---- classes -------------------------------------------------------------------------------- */

static int class_of(const estimate *self, uint32_t q)
{
    const double weight = self->query_weight[q];
    if (!(weight > 0)) return 0;
    return (int)clip(ilogb(weight) + class_of_one, 0, n_classes - 1);
}

static double shifted(const estimate *self, int c, double shift)
{
    return clip(self->class[c].total - shift * self->class[c].n_queries, 0, self->class[c].pairs);
}

static double shifted_sum(const estimate *self, double shift)
{
    double sum = 0;
    for (int i = 0; i < self->n_used; i++)
        sum += shifted(self, self->used[i], shift);
    return sum;
}

/* argmin sum (t_c - T_c)^2 / n_c over 0 <= t_c <= pairs_c, sum t_c = T: t_c = clip(T_c - s n_c)
 * with the shift s at which they add up. */
static void project_totals(estimate *self)
{
    double total = 0, pairs = 0, reach = 1;
    for (int i = 0; i < self->n_used; i++) {
        const int c = self->used[i];
        total += self->class[c].total;
        pairs += self->class[c].pairs;
        reach = fmax(reach, fabs(self->class[c].total) + self->class[c].pairs);
    }
    total = clip(total, 0, pairs);
    double low = -reach, high = reach; /* all classes full, all empty */
    for (int i = 0; i < n_halvings; i++) {
        const double middle = low + (high - low) / 2;
        if (middle == low || middle == high) break; /* neighbouring doubles */
        if (shifted_sum(self, middle) > total)
            low = middle;
        else
            high = middle;
    }
    for (int i = 0; i < self->n_used; i++)
        self->class[self->used[i]].total = shifted(self, self->used[i], high);
}

static void make_classes(estimate *self)
{
    for (int c = 0; c < n_classes; c++)
        self->class[c].total = self->class[c].pairs = self->class[c].weight =
            self->class[c].n_queries = 0;
    for (uint32_t q = 0; q < self->queries->n_queries; q++) {
        const int c = class_of(self, q);
        self->class[c].total += (double)self->noisy[q];
        self->class[c].pairs += (double)self->queries->pairs[q];
        self->class[c].weight += self->query_weight[q];
        self->class[c].n_queries++;
    }
    for (int c = 0; c < n_classes; c++)
        if (self->class[c].n_queries > 0) self->used[self->n_used++] = c;
    project_totals(self);
}

/* ---- posterior ------------------------------------------------------------------------------ */

/* A run of n terms, each e^-step times the one before: the logarithm of their sum, relative to the
 * first, and the mean position. step >= 0, n >= 1. */
typedef struct run {
    double log_sum, mean;
} run;

static run sum_run(double step, double n)
{
    const double all = n * step;
    if (all < 1e-4) /* the quotients below lose their digits; the next term is all^3 n / 720 */
        return (run){log(n) - (n - 1) * step / 2, (n - 1) / 2 - (n * n - 1) * step / 12};
    return (run){log(expm1(-all) / expm1(-step)),
                 1 / expm1(step) - (all < 700 ? n / expm1(all) : 0)};
}

/* The mean of e in 0..pairs with weights rho^e a^|y - e|, rho = mean / (1 + mean), a = e^-eps: one
 * geometric run up to y, another beyond. */
static double posterior_mean(double y, double pairs, double mean, double eps)
{
    const double log_rho = mean > 0 ? -log1p(1 / mean) : -745;
    const double last_low = fmin(y, pairs), first_high = fmax(y + 1, 0);
    double log_low = -INFINITY, mean_low = 0, log_high = -INFINITY, mean_high = 0;
    if (last_low >= 0) {
        const double slope = log_rho + eps; /* of the logarithm, as e grows */
        const run low = sum_run(fabs(slope), last_low + 1);
        const double heaviest = slope >= 0 ? last_low : 0;
        log_low = heaviest * log_rho - (y - heaviest) * eps + low.log_sum;
        mean_low = slope >= 0 ? last_low - low.mean : low.mean;
    }
    if (first_high <= pairs) {
        const run high = sum_run(eps - log_rho, pairs - first_high + 1);
        log_high = first_high * log_rho - (first_high - y) * eps + high.log_sum;
        mean_high = first_high + high.mean;
    }
    const double share_low = 1 / (1 + exp(log_high - log_low));
    return share_low * mean_low + (1 - share_low) * mean_high;
}

static void find_posterior(estimate *self)
{
    const hrr_queries *queries = self->queries;
    for (uint32_t q = 0; q < queries->n_queries; q++) {
        const int c = class_of(self, q);
        const double pairs = (double)queries->pairs[q];
        self->x[q] = 0;
        if (pairs == 0 || self->class[c].total <= 0) continue;
        const double mean = self->class[c].total * self->query_weight[q] / self->class[c].weight;
        self->x[q] = clip(posterior_mean((double)self->noisy[q], pairs, mean, self->eps), 0, pairs);
    }
}

/* Each round multiplies what is not full yet; full ones drop out, so rounds are few. */
static void rescale(estimate *self)
{
    const hrr_queries *queries = self->queries;
    for (int i = 0; i < most_rescales; i++) {
        double full[n_classes] = {0}, other[n_classes] = {0};
        bool more = false;
        for (uint32_t q = 0; q < queries->n_queries; q++)
            *(self->x[q] >= (double)queries->pairs[q] ? &full[class_of(self, q)]
                                                      : &other[class_of(self, q)]) += self->x[q];
        for (uint32_t q = 0; q < queries->n_queries; q++) {
            const int c = class_of(self, q);
            const double pairs = (double)queries->pairs[q];
            if (self->x[q] >= pairs || other[c] <= 0) continue;
            const double factor = fmax(self->class[c].total - full[c], 0) / other[c];
            self->x[q] *= factor;
            if (self->x[q] >= pairs) self->x[q] = pairs, more = true;
        }
        if (!more) return;
    }
}

/* ---- both ways ------------------------------------------------------------------------------ */

static void clamp(estimate *self)
{
    const hrr_queries *queries = self->queries;
    for (uint32_t q = 0; q < queries->n_queries; q++) {
        self->x[q] = clip((double)self->noisy[q], 0, (double)queries->pairs[q]);
        self->query_weight[q] = (double)queries->pairs[q];
    }
    for (uint32_t r = 0; r < queries->n_internal; r++)
        self->node_weight[r] = (double)queries->node_pairs[r];
}

hrr_status hrr_estimate_edges(double *expected, const hrr_queries *queries, const int64_t *noisy,
                              uint64_t eps_nano, hrr_estimator estimator, hrr_error *err)
{
    const uint32_t n_queries = queries->n_queries;
    double *scratch = hrr_alloc(n_queries, 2 * sizeof *scratch);
    estimate self = {
        .queries = queries,
        .noisy = noisy,
        .eps = (double)eps_nano / HRR_EPS_UNIT,
        .node_weight = hrr_alloc(queries->n_internal, sizeof *self.node_weight),
        .query_weight = hrr_alloc(n_queries, sizeof *self.query_weight),
        .x = hrr_alloc(n_queries, sizeof *self.x),
    };
    hrr_status status = HRR_OK;
    if (!scratch || !self.node_weight || !self.query_weight || !self.x) {
        status = hrr_no_memory(err);
        goto done;
    }
    if (estimator == HRR_ESTIMATE_CLAMP) {
        clamp(&self);
    } else {
        weigh(&self, scratch);
        make_classes(&self);
        find_posterior(&self);
        rescale(&self);
    }
    spread(expected, queries, self.x, self.node_weight, self.query_weight, scratch,
           scratch + n_queries);
done:
    hrr_free(scratch);
    hrr_free(self.node_weight);
    hrr_free(self.query_weight);
    hrr_free(self.x);
    return status;
}

hrr_status hrr_estimate_like_public(double *expected, const hrr_queries *queries, uint64_t n_edges,
                                    hrr_error *err)
{
    hrr_queries together = *queries; /* all nodes in one query */
    double *weight = hrr_alloc(queries->n_internal, sizeof *weight);
    double all_pairs = 0, all_weight = 0, missing, room;
    together.n_queries = 1;
    together.query = hrr_alloc_zero(queries->n_internal, sizeof *together.query);
    hrr_status status = weight && together.query ? HRR_OK : hrr_no_memory(err);
    if (!status) {
        for (uint32_t r = 0; r < queries->n_internal; r++) {
            weight[r] = queries->weight ? queries->weight[r] : (double)queries->node_pairs[r];
            all_weight += weight[r];
            all_pairs += (double)queries->node_pairs[r];
        }
        const double wanted = fmin((double)n_edges, all_pairs);
        spread(expected, &together, &wanted, weight, &all_weight, &missing, &room);
    }
    hrr_free(weight);
    hrr_free(together.query);
    return status;
}
