/* mixing.c: see mixing.h. */
#include "edge/mixing.h"

#include <math.h>
#include <string.h>

enum { em_rounds = 100, balance_rounds = 3, bisections = 100 };
static const double errors_apart = 1;

int hrr_mixing_class(uint32_t degree)
{
    if (degree < 1) return 0;
    const int c = (int)(2 * log((double)degree) + 1e-9);
    return c < HRR_MOST_MIXING_CLASSES ? c : HRR_MOST_MIXING_CLASSES - 1;
}

/* ---- counts that are no counts --------------------------------------------------------------- */

/* Noise makes some counts negative. Setting these to 0 alone would add edges, most of them where
 * there are few: all are lowered by the same amount, so that the total is that of the degrees. */
static void make_consistent(hrr_mixing_matrix out, const int64_t *count, int n, double total)
{
    double least = -total - 1, most = total + 1;
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            const double c = fabs((double)count[i * n + j]);
            if (c > most) most = c, least = -c;
        }
    for (int round = 0; round < bisections; round++) {
        const double cut = (least + most) / 2;
        double sum = 0;
        for (int i = 0; i < n; i++)
            for (int j = i; j < n; j++) {
                const double rest = (double)count[i * n + j] - cut;
                if (rest > 0) sum += 2 * rest;
            }
        if (sum > total)
            least = cut;
        else
            most = cut;
    }
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            const double rest = (double)count[i * n + j] - least;
            out[i][j] = out[j][i] = rest <= 0 ? 0 : i == j ? 2 * rest : rest;
        }
}

/* ---- which class an end is taken for --------------------------------------------------------- */

/* P(noise >= x) for x between whole numbers. */
static double tail(double x, double eps)
{
    return x > 0 ? exp(-eps * x) / 2 : 1 - exp(eps * x) / 2;
}

/* bound[k]: the least noisy degree of class k. */
static void find_bounds(double *bound, const uint32_t *degree, const double *noisy, uint64_t n,
                        int n_classes)
{
    int k = n_classes - 1;
    for (uint64_t i = 0; i < n && k > 0; i++)
        while (k > hrr_mixing_class(degree[i]))
            bound[k--] = i ? (noisy[i] + noisy[i - 1]) / 2 : INFINITY;
    while (k >= 0)
        bound[k--] = -INFINITY;
}

static void find_confusion(hrr_mixing_matrix confusion, double *ends, const double *bound,
                           const uint32_t *degree, uint64_t n, double eps, int n_classes)
{
    for (uint64_t i = 0, next; i < n && degree[i] > 0; i = next) {
        for (next = i; next < n && degree[next] == degree[i];)
            next++;
        const int c = hrr_mixing_class(degree[i]);
        const double weight = (double)degree[i] * (double)(next - i);
        double above = 0;
        ends[c] += weight;
        for (int k = n_classes - 1; k >= 0; k--) {
            const double p = isinf(bound[k]) ? bound[k] < 0 : tail(bound[k] - degree[i], eps);
            confusion[c][k] += weight * fmax(p - above, 0);
            above = fmax(p, above);
        }
    }
    for (int c = 0; c < n_classes; c++)
        for (int k = 0; k < n_classes && ends[c] > 0; k++)
            confusion[c][k] /= ends[c];
}

/* ---- undoing it ------------------------------------------------------------------------------ */

/* out = a b or, where transposed, a' b. */
static void multiply(hrr_mixing_matrix out, hrr_mixing_matrix a, hrr_mixing_matrix b,
                     bool transposed, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += (transposed ? a[k][i] : a[i][k]) * b[k][j];
            out[i][j] = sum;
        }
}

/* Rows and columns sum to the ends of each class. */
static void balance(hrr_mixing_matrix x, const double *ends, int n)
{
    for (int round = 0; round < balance_rounds; round++) {
        double by[HRR_MOST_MIXING_CLASSES];
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int j = 0; j < n; j++)
                sum += x[i][j];
            by[i] = sum > 0 ? sqrt(ends[i] / sum) : 1;
        }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                x[i][j] *= by[i] * by[j];
    }
}

/* Richardson and Lucy: X *= B (O / (B' X B)) B'. */
static void deconvolve(hrr_mixing_matrix x, hrr_mixing_matrix seen, hrr_mixing_matrix confusion,
                       const double *ends, int n)
{
    hrr_mixing_matrix half, expected, ratio;
    for (int round = 0; round < em_rounds; round++) {
        multiply(half, x, confusion, false, n);
        multiply(expected, confusion, half, true, n);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                ratio[i][j] = expected[i][j] > 1e-9 ? seen[i][j] / expected[i][j] : 1;
        multiply(half, confusion, ratio, false, n);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double by = 0;
                for (int k = 0; k < n; k++)
                    by += half[i][k] * confusion[j][k];
                x[i][j] *= by;
            }
        balance(x, ends, n);
    }
}

/* The correlation of degrees at both ends. Also its standard error, which has two parts. Noise of
 * variance v on degrees of variance s, over m edges, gives (s + v) / s / sqrt(m). Noise of variance
 * c on the count between two classes, whose degrees are a and b above the mean, moves the
 * correlation by a b / (m s) times its own size. */
static double correlate(double *error, hrr_mixing_matrix x, const double *ends,
                        const uint32_t *degree, uint64_t n, double total, double noise,
                        double count_noise, int n_classes)
{
    double mean_of[HRR_MOST_MIXING_CLASSES] = {0}, mean = 0, square = 0, product = 0, sum = 0;
    double moved = 0;
    for (uint64_t i = 0; i < n; i++) {
        const double d = degree[i];
        mean_of[hrr_mixing_class(degree[i])] += d * d;
        mean += d * d / total;
        square += d * d * d / total;
    }
    for (int c = 0; c < n_classes; c++)
        if (ends[c] > 0) mean_of[c] /= ends[c];
    for (int i = 0; i < n_classes; i++)
        for (int j = 0; j < n_classes; j++) {
            sum += x[i][j];
            const double by = (mean_of[i] - mean) * (mean_of[j] - mean);
            product += x[i][j] * by;
            if (i <= j && ends[i] > 0 && ends[j] > 0) moved += by * by * count_noise;
        }
    const double variance = square - mean * mean;
    *error = INFINITY;
    if (sum <= 0 || variance <= 1e-9) return 0;
    *error = hypot((1 + noise / variance) / sqrt(total / 2), sqrt(moved) / (total / 2 * variance));
    return product / sum / variance;
}

static void by_chance(hrr_mixing_matrix out, const double *ends, double total, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            out[i][j] = ends[i] * ends[j] / total;
}

void hrr_mixing_fit(hrr_mixing *out, const uint32_t *degree, const double *noisy, uint64_t n,
                    double eps, const int64_t *count, double count_eps, int n_classes)
{
    double bound[HRR_MOST_MIXING_CLASSES], ends[HRR_MOST_MIXING_CLASSES] = {0}, total = 0, error;
    hrr_mixing_matrix confusion = {{0}}, seen = {{0}};
    memset(out, 0, sizeof *out);
    out->n_classes = n_classes;
    find_bounds(bound, degree, noisy, n, n_classes);
    find_confusion(confusion, ends, bound, degree, n, eps, n_classes);
    for (int c = 0; c < n_classes; c++)
        total += ends[c];
    if (total == 0) return;
    make_consistent(seen, count, n_classes, total);
    by_chance(out->ends, ends, total, n_classes);
    deconvolve(out->ends, seen, confusion, ends, n_classes);
    out->assortativity = correlate(&error, out->ends, ends, degree, n, total, 2 / (eps * eps),
                                   2 / (count_eps * count_eps), n_classes);
    if (fabs(out->assortativity) > errors_apart * error) return;
    by_chance(out->ends, ends, total, n_classes);
    out->assortativity = 0;
}
