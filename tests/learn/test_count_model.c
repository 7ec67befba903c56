/* Classes from noisy counts of neighbours: the truth is found again, counts that say nothing change
 * nothing, and bad input is refused. */
#include "learn/count_model.h"
#include "learn/count_exposure.h"
#include "support/brutal.h"
#include "support/check.h"
#include "support/files.h"
#include "support/graphs.h"

#include "base/memory.h"
#include "edge/count_law.h"
#include "edge/need.h"
#include "random/fast.h"

#include <heterorr/edge.h>
#include <heterorr/io.h>
#include <heterorr/random.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { n_nodes = 3000, n_classes = 3, n_blocks = 4 };

/* Counts of a block model: Poisson with true_rate times the node's own level, noise of eps. */
static const double true_rate[n_classes][n_blocks] = {{4, 1, .2, 1}, {.5, 3, 1, 1}, {.3, .3, 2, 1}};

typedef struct example {
    int64_t count[n_nodes * n_blocks];
    int32_t classes[n_nodes];
    uint8_t split[n_nodes];
    hrr_dense logits;
    hrr_block_counts counts;
    hrr_graph *graph; /* classes and split as in the arrays; no edges */
} example;

/* After a change of classes or split. */
static void relabel(example *x)
{
    int32_t *classes = hrr_alloc(n_nodes, sizeof *classes);
    uint8_t *split = hrr_alloc(n_nodes, 1);
    hrr_graph_free(x->graph);
    x->graph = empty_graph(n_nodes);
    memcpy(classes, x->classes, sizeof x->classes);
    memcpy(split, x->split, sizeof x->split);
    assert_ok(hrr_graph_take_classes(x->graph, &classes, n_classes, NULL));
    assert_ok(hrr_graph_take_split(x->graph, &split, NULL));
}

static int64_t draw_poisson(hrr_fast_random *random, double mean)
{
    const double limit = exp(-mean);
    int64_t k = 0;
    for (double product = hrr_fast_uniform(random); product > limit; k++)
        product *= hrr_fast_uniform(random);
    return k;
}

static int64_t draw_geometric(hrr_fast_random *random, double eps)
{
    return (int64_t)floor(log1p(-hrr_fast_uniform(random)) / -eps);
}

/* Logits that are right about a class with e^hint to one. levels: nodes have a few or many edges.
 */
static example *make(double eps, double hint, bool levels, uint64_t seed)
{
    hrr_fast_random random;
    example *x = calloc(1, sizeof *x);
    hrr_fast_init(&random, seed, 0);
    assert_ok(hrr_dense_init(&x->logits, HRR_F32, n_nodes, n_classes, NULL));
    for (int i = 0; i < n_nodes; i++) {
        const int c = x->classes[i] = (int32_t)hrr_fast_below(&random, n_classes);
        const double level = levels ? exp(.8 * hrr_fast_normal(&random)) : 1;
        x->split[i] = (uint8_t[]){0, 0, 1, 2}[i % 4];
        for (int b = 0; b < n_blocks; b++)
            x->count[i * n_blocks + b] = draw_poisson(&random, level * true_rate[c][b]) +
                                         draw_geometric(&random, eps) -
                                         draw_geometric(&random, eps);
        /* Right with the probability that it claims. */
        const double sure = exp(hint) / (exp(hint) + n_classes - 1);
        const bool right = hrr_fast_uniform(&random) < sure;
        const int says = right ? c : (c + 1 + (int)hrr_fast_below(&random, 2)) % n_classes;
        ((float *)x->logits.data)[i * n_classes + says] = (float)hint;
    }
    x->counts =
        (hrr_block_counts){.n_nodes = n_nodes, .n_blocks = n_blocks, .count = x->count, .eps = eps};
    relabel(x);
    return x;
}

static void drop(example *x)
{
    hrr_dense_clear(&x->logits);
    hrr_graph_free(x->graph);
    free(x);
}

static hrr_status fit(hrr_count_model *out, const example *x, hrr_error *err)
{
    return hrr_count_model_fit(out, &x->logits, &x->counts, x->graph, 0, 2, NULL, err);
}

static int likeliest(const float *row)
{
    int best = 0;
    for (int c = 1; c < n_classes; c++)
        if (row[c] > row[best]) best = c;
    return best;
}

static double accuracy(const hrr_dense *scores, const example *x)
{
    double right = 0, n = 0;
    for (int i = 0; i < n_nodes; i++)
        if (x->split[i] == HRR_TEST)
            right += likeliest((float *)scores->data + i * n_classes) == x->classes[i], n++;
    return right / n;
}

/* Bayes' rule with the true rates, Poisson counts and hints of known worth: nothing can be better
 * on average. 750 test nodes: the fitted model loses no more than two points, and gains much over
 * the hints alone. */
static void test_count_model__recovers_the_truth_of_a_block_model(void **state)
{
    (void)state;
    example *x = make(1, 1, false, 1);
    hrr_count_model model;
    hrr_dense best;
    const double alone = accuracy(&x->logits, x);
    assert_ok(hrr_dense_init(&best, HRR_F32, n_nodes, n_classes, NULL));
    for (int i = 0; i < n_nodes; i++)
        for (int c = 0; c < n_classes; c++) {
            double sum = (double)((float *)x->logits.data)[i * n_classes + c];
            for (int b = 0; b < n_blocks; b++)
                sum += hrr_edge_count_log_likelihood(x->count[i * n_blocks + b], true_rate[c][b],
                                                     x->counts.eps);
            ((float *)best.data)[i * n_classes + c] = (float)sum;
        }
    assert_ok(fit(&model, x, NULL));
    /* 750 nodes a class, noise variance 1.84: a standard error of .09 at most; five of them. */
    for (int c = 0; c < n_classes; c++)
        for (int b = 0; b < n_blocks; b++)
            assert_true(fabs(((double *)model.rate.data)[c * n_blocks + b] - true_rate[c][b]) <
                        .45);
    assert_true(fabs(model.weight_model - 1) < .3 && fabs(model.weight_counts - 1) < .3);
    assert_ok(hrr_count_model_apply(&x->logits, &model, &x->counts, x->graph, 1, NULL));
    assert_true(accuracy(&x->logits, x) > accuracy(&best, x) - .02);
    assert_true(accuracy(&x->logits, x) > alone + .2);
    hrr_count_model_clear(&model);
    hrr_dense_clear(&best);
    drop(x);
}

/* Ends that count: a node sees the share of its edges that is to nodes in lesser need. Training
 * nodes and half of the validation nodes need less than others. liars: these validation nodes count
 * as if they were of another class. */
typedef struct needy {
    example *x;
    uint32_t need[n_nodes], block[n_nodes];
} needy;

static needy *make_needy(double eps, bool liars, uint64_t seed)
{
    needy *it = calloc(1, sizeof *it);
    example *x = it->x = make(eps, 1, false, seed);
    hrr_fast_random random;
    hrr_exposure exposure;
    hrr_fast_init(&random, seed, 1);
    for (uint32_t i = 0; i < n_nodes; i++) {
        const bool less = x->split[i] == HRR_TRAIN || (x->split[i] == HRR_VALID && i % 8 == 2);
        it->need[i] = (uint32_t)hrr_fast_below(&random, n_nodes) + (less ? 0 : n_nodes);
        it->block[i] = (uint32_t)hrr_fast_below(&random, n_blocks);
    }
    x->counts.need = it->need;
    x->counts.block = it->block;
    assert_ok(hrr_exposure_init(&exposure, &x->counts, NULL, NULL));
    for (uint32_t i = 0; i < n_nodes; i++) {
        const bool lies = liars && x->split[i] == HRR_VALID && it->need[i] < n_nodes;
        const double *rate = true_rate[(x->classes[i] + lies) % n_classes];
        for (uint32_t b = 0; b < n_blocks; b++)
            x->count[i * n_blocks + b] =
                draw_poisson(&random, hrr_exposure_of(&exposure, i)[b] * rate[b]) +
                draw_geometric(&random, eps) - draw_geometric(&random, eps);
    }
    hrr_exposure_clear(&exposure);
    return it;
}

static void drop_needy(needy *it)
{
    drop(it->x);
    free(it);
}

static uint64_t least_needed(const needy *it)
{
    uint64_t least = 0;
    for (uint32_t i = 1; i < n_nodes; i++)
        if (hrr_need_is_greater(it->need, (uint32_t)least, i)) least = i;
    return least;
}

/* Rates are those of a node that would see all its edges. 750 labelled nodes a class are exposed to
 * some .4: as much as 300 nodes, with noise of variance 1.84 / .4 and Poisson of up to 4: a
 * standard error of .17 at most; five of them. Whoever takes all for equal finds rates of .4. */
static void test_count_model__knows_that_ends_see_unequal_shares(void **state)
{
    (void)state;
    needy *it = make_needy(1, false, 7);
    example *x = it->x;
    hrr_count_model model;
    assert_ok(fit(&model, x, NULL));
    for (int c = 0; c < n_classes; c++)
        for (int b = 0; b < n_blocks; b++)
            assert_true(fabs(((double *)model.rate.data)[c * n_blocks + b] - true_rate[c][b]) <
                        .85);
    assert_true(fabs(model.weight_counts - 1) < .3);
    const double alone = accuracy(&x->logits, x);
    hrr_dense likelihood;
    assert_ok(hrr_count_log_likelihood(&likelihood, &model, &x->counts, NULL, 1, NULL));
    /* The node in least need sees nothing, and its counts say nothing. */
    const uint64_t last = least_needed(it);
    for (uint64_t c = 1; c < n_classes; c++)
        assert_true(fabsf(((float *)likelihood.data)[last * n_classes + c] -
                          ((float *)likelihood.data)[last * n_classes]) < .1f);
    assert_ok(hrr_count_model_apply(&x->logits, &model, &x->counts, x->graph, 1, NULL));
    assert_true(accuracy(&x->logits, x) > alone + .15);
    hrr_dense_clear(&likelihood);
    hrr_count_model_clear(&model);
    drop_needy(it);
}

/* The two likeliest classes by the hint share one count, the difference of theirs under the noise
 * of one. The law is learnt from nodes that count plainly. 750 test nodes, the same for both ways:
 * the shared count is worth more than two counts (seed fixed; .04 of accuracy here). */
static void test_count_model__reads_counts_that_rivals_share(void **state)
{
    (void)state;
    static uint32_t rivals[2 * n_nodes];
    const double eps = .5;
    double gain[2];
    for (int opposed = 0; opposed < 2; opposed++) {
        needy *it = make_needy(eps, false, 21);
        example *x = it->x;
        hrr_fast_random random;
        hrr_exposure exposure;
        hrr_count_model model;
        hrr_fast_init(&random, 21, 2);
        assert_ok(hrr_exposure_init(&exposure, &x->counts, NULL, NULL));
        for (uint32_t i = 0; i < n_nodes; i++) {
            const uint32_t first = (uint32_t)likeliest((float *)x->logits.data + i * n_classes);
            const uint32_t second = (first + 1) % n_classes;
            const bool shares = opposed && it->need[i] >= n_nodes;
            const double *rate = true_rate[x->classes[i]];
            const double *exposed = hrr_exposure_of(&exposure, i);
            int64_t *count = x->count + i * n_blocks;
            rivals[2 * i] = first;
            rivals[2 * i + 1] = shares ? second : first;
            if (!shares) continue;
            count[first] = draw_poisson(&random, exposed[first] * rate[first]) -
                           draw_poisson(&random, exposed[second] * rate[second]) +
                           draw_geometric(&random, eps) - draw_geometric(&random, eps);
            count[second] = 0;
        }
        x->counts.rivals = opposed ? rivals : NULL;
        const double alone = accuracy(&x->logits, x);
        assert_ok(fit(&model, x, NULL));
        assert_true(fabs(model.weight_counts - 1) < .4);
        assert_ok(hrr_count_model_apply(&x->logits, &model, &x->counts, x->graph, 1, NULL));
        gain[opposed] = accuracy(&x->logits, x) - alone;
        hrr_count_model_clear(&model);
        hrr_exposure_clear(&exposure);
        drop_needy(it);
    }
    print_message("gains %f %f\n", gain[0], gain[1]);
    assert_true(gain[0] > .02 && gain[1] > gain[0]);
}

/* What the counts are worth is measured on validation nodes that count as test nodes do. */
static void test_count_model__weighs_counts_on_nodes_that_count(void **state)
{
    (void)state;
    needy *it = make_needy(2, true, 8);
    hrr_count_model model;
    assert_ok(fit(&model, it->x, NULL));
    assert_true(model.weight_counts > 1);
    hrr_count_model_clear(&model);
    drop_needy(it);
}

/* Nodes with many edges and nodes with few: Poisson without levels is sure of the wrong things;
 * here the counts keep nearly their whole weight. */
static void test_count_model__knows_that_degrees_differ(void **state)
{
    (void)state;
    example *x = make(2, 1, true, 2);
    hrr_count_model model;
    const double alone = accuracy(&x->logits, x);
    assert_ok(fit(&model, x, NULL));
    double spread = 0;
    for (int l = 0; l < HRR_COUNT_LEVELS; l++)
        spread += model.level_share[l] > .03;
    assert_true(spread >= 3);
    assert_true(model.weight_counts > .7 && model.weight_counts < 1.3);
    assert_ok(hrr_count_model_apply(&x->logits, &model, &x->counts, x->graph, 1, NULL));
    assert_true(accuracy(&x->logits, x) > alone + .2);
    hrr_count_model_clear(&model);
    drop(x);
}

/* At a tiny epsilon counts are noise: every probability is the model's own, but for its weight,
 * which the hints do not need. */
static void test_count_model__says_nothing_when_counts_are_noise(void **state)
{
    (void)state;
    static const double eps[] = {1e-9, 1e-4};
    for (int e = 0; e < 2; e++) {
        example *x = make(eps[e], 1.5, false, 3);
        hrr_count_model model;
        float before[n_nodes];
        for (int i = 0; i < n_nodes; i++)
            before[i] = ((float *)x->logits.data)[i * n_classes + 1] -
                        ((float *)x->logits.data)[i * n_classes];
        assert_ok(fit(&model, x, NULL));
        assert_ok(hrr_count_model_apply(&x->logits, &model, &x->counts, x->graph, 1, NULL));
        /* Rates are at most the 3000 nodes: 4 counts x 3000 x eps is all that can be said. */
        const double most = 4 * 3000 * eps[e] * model.weight_counts + 1e-4;
        for (int i = 0; i < n_nodes; i++) {
            const float *row = (float *)x->logits.data + i * n_classes;
            assert_true(fabs(row[1] - row[0] - model.weight_model * before[i]) <= most);
        }
        assert_true(fabs(model.weight_model - 1) < .3);
        hrr_count_model_clear(&model);
        drop(x);
    }
}

/* A node outside the candidate set was not counted: its zeros are no evidence. */
static void test_count_model__who_was_not_counted_keeps_its_logits(void **state)
{
    (void)state;
    example *x = make(1, 1, false, 4);
    uint8_t counted[n_nodes];
    float before[n_classes];
    hrr_count_model model;
    memset(counted, 1, sizeof counted);
    counted[3] = counted[4] = 0;
    x->counts.counted = counted;
    memcpy(before, (float *)x->logits.data + 3 * n_classes, sizeof before);
    assert_ok(fit(&model, x, NULL));
    assert_ok(hrr_count_model_apply(&x->logits, &model, &x->counts, x->graph, 1, NULL));
    for (int c = 0; c < n_classes; c++)
        assert_true(((float *)x->logits.data)[3 * n_classes + c] ==
                    (float)(model.weight_model * before[c]));
    hrr_count_model_clear(&model);
    drop(x);
}

/* Likelihoods do not depend on the threads; the labels of test nodes are not looked at. */
static void test_count_model__depends_on_nothing_else(void **state)
{
    (void)state;
    example *x = make(1, 1, true, 5);
    hrr_count_model model, again;
    hrr_dense one, more;
    assert_ok(fit(&model, x, NULL));
    for (int i = 0; i < n_nodes; i++)
        if (x->split[i] == HRR_TEST) x->classes[i] = i % 8 == 3 ? -1 : 0;
    relabel(x);
    assert_ok(fit(&again, x, NULL));
    assert_memory_equal(model.rate.data, again.rate.data, sizeof true_rate);
    assert_memory_equal(model.level_share, again.level_share, sizeof model.level_share);
    assert_true(model.weight_counts == again.weight_counts && model.shape == again.shape);
    assert_ok(hrr_count_log_likelihood(&one, &model, &x->counts, NULL, 1, NULL));
    assert_ok(hrr_count_log_likelihood(&more, &model, &x->counts, NULL, 3, NULL));
    assert_memory_equal(one.data, more.data, n_nodes * n_classes * sizeof(float));
    hrr_dense_clear(&one);
    hrr_dense_clear(&more);
    hrr_count_model_clear(&model);
    hrr_count_model_clear(&again);
    drop(x);
}

/* The law has probability one: summed over every count of one block that is at all likely. Each
 * term is known up to what classes share, a^-x below 0; here all of it is put back. */
static void test_count_model__likelihood_is_a_law(void **state)
{
    (void)state;
    enum { low = -30, high = 170, n = high - low };
    static int64_t count[n];
    double rate[2] = {3, 9};
    hrr_count_model model = {.rate = {.dtype = HRR_F64, .rows = 2, .cols = 1, .data = rate},
                             .shape = 2};
    hrr_dense out;
    model.level_share[6] = .25, model.level_share[7] = .5, model.level_share[8] = .25;
    for (int k = 0; k < n; k++)
        count[k] = low + k;
    const hrr_block_counts counts = {.n_nodes = n, .n_blocks = 1, .count = count, .eps = 1};
    assert_ok(hrr_count_log_likelihood(&out, &model, &counts, NULL, 1, NULL));
    for (int c = 0; c < 2; c++) {
        double sum = 0;
        for (int k = 0; k < n; k++)
            sum += exp((double)((float *)out.data)[2 * k + c] + fmin((double)count[k], 0));
        assert_true(fabs(sum - 1) < 1e-4);
    }
    hrr_dense_clear(&out);
}

static void test_count_model__bad_input_is_refused(void **state)
{
    (void)state;
    example *x = make(1, 1, false, 6);
    hrr_count_model model;
    hrr_error err;
    const hrr_block_counts good = x->counts;
    x->counts.n_nodes--;
    assert_int_equal(fit(&model, x, &err), HRR_EDATA);
    assert_says(err, "counts for 2999 nodes");
    x->counts = good;
    x->counts.eps = 0;
    assert_int_equal(fit(&model, x, &err), HRR_EINVAL);
    x->counts.eps = NAN;
    assert_int_equal(fit(&model, x, &err), HRR_EINVAL);
    x->counts = good;
    x->counts.n_blocks = 0;
    assert_int_equal(fit(&model, x, &err), HRR_EDATA);
    x->counts = good;
    hrr_graph *bare = empty_graph(n_nodes);
    assert_int_equal(hrr_count_model_fit(&model, &x->logits, &good, bare, 0, 1, NULL, &err),
                     HRR_EDATA);
    assert_says(err, "no labels or no split");
    hrr_graph_free(bare);
    x->logits.cols--;
    assert_int_equal(fit(&model, x, &err), HRR_EINVAL);
    x->logits.cols++;
    memset(x->split, HRR_TEST, n_nodes);
    relabel(x);
    assert_int_equal(fit(&model, x, &err), HRR_EDATA);
    assert_says(err, "no node with counts");
    memset(x->split, HRR_TRAIN, n_nodes); /* no validation: weights of one */
    relabel(x);
    assert_ok(fit(&model, x, &err));
    assert_true(model.weight_model == 1 && model.weight_counts == 1);
    x->counts.n_blocks = 2;
    assert_int_equal(hrr_count_model_apply(&x->logits, &model, &x->counts, x->graph, 1, &err),
                     HRR_EDATA);
    assert_says(err, "fitted to 4");
    hrr_count_model_clear(&model);
    drop(x);
}

static void test_count_model__is_read_as_it_was_written(void **state)
{
    example *x = make(1, 1, false, 7);
    hrr_count_model model, again;
    hrr_error err;
    assert_ok(fit(&model, x, NULL));
    assert_ok(hrr_count_model_read(&again, *state, n_classes, HRR_OUTPUT_SOFTMAX, NULL));
    assert_int_equal(again.rate.rows, 0); /* there is none yet */
    model.shape = INFINITY;
    model.weight_spread[0] = .25, model.weight_spread[1] = .5;
    assert_ok(hrr_count_model_write(&model, *state, NULL));
    assert_ok(hrr_count_model_read(&again, *state, n_classes, HRR_OUTPUT_SOFTMAX, NULL));
    assert_memory_equal(model.rate.data, again.rate.data, sizeof true_rate);
    assert_memory_equal(model.level_share, again.level_share, sizeof model.level_share);
    assert_true(isinf(again.shape) && again.weight_counts == model.weight_counts &&
                again.weight_model == model.weight_model);
    assert_memory_equal(again.weight_spread, model.weight_spread, sizeof model.weight_spread);
    hrr_count_model_clear(&again);
    assert_int_equal(hrr_count_model_read(&again, *state, n_classes + 1, HRR_OUTPUT_SOFTMAX, &err),
                     HRR_EDATA);
    assert_says(err, "rate");
    memset(model.level_share, 0, sizeof model.level_share);
    assert_ok(hrr_count_model_write(&model, *state, NULL));
    assert_int_equal(hrr_count_model_read(&again, *state, n_classes, HRR_OUTPUT_SOFTMAX, &err),
                     HRR_EDATA);
    hrr_count_model_clear(&model);
    drop(x);
}

/* Three quarters of the labels go through randomised response with eps 2: 79 % of them stay. The
 * rates are those of the true classes, not blurred ones, and counts help nearly as much. */
static void test_count_model__learns_from_protected_labels(void **state)
{
    (void)state;
    const double eps = 2, stay = exp(eps) / (exp(eps) + n_classes - 1);
    example *x = make(1, 1, false, 9);
    hrr_fast_random random;
    hrr_count_model model;
    const double alone = accuracy(&x->logits, x);
    hrr_fast_init(&random, 9, 1);
    for (int i = 0; i < n_nodes; i++)
        if (x->split[i] != HRR_TEST && hrr_fast_uniform(&random) > stay)
            x->classes[i] = (x->classes[i] + 1 + (int32_t)hrr_fast_below(&random, 2)) % n_classes;
    relabel(x);
    assert_ok(hrr_count_model_fit(&model, &x->logits, &x->counts, x->graph, eps, 2, NULL, NULL));
    for (int c = 0; c < n_classes; c++)
        for (int b = 0; b < n_blocks; b++)
            assert_true(fabs(((double *)model.rate.data)[c * n_blocks + b] - true_rate[c][b]) <
                        .45);
    assert_ok(hrr_count_model_apply(&x->logits, &model, &x->counts, x->graph, 1, NULL));
    assert_true(accuracy(&x->logits, x) > alone + .15);
    hrr_count_model_clear(&model);
    drop(x);
}

/* A dozen validation nodes, half of whose labels are wrong. A law that hundreds of training nodes
 * tell is trusted all the same, and counts help; a law from few nodes, or under much noise, is not.
 */
static void test_count_model__trusts_a_law_that_many_nodes_tell(void **state)
{
    (void)state;
    const struct {
        int train_every; /* 3000 nodes of three classes */
        double eps;
        bool trusted;
    } cases[] = {{4, 1, true}, {40, 1, false}, {4, .1, false}};
    for (int k = 0; k < 3; k++) {
        example *x = make(cases[k].eps, 1, false, 12);
        hrr_count_model model;
        for (int i = 0; i < n_nodes; i++) {
            x->split[i] = i % cases[k].train_every == 0 ? HRR_TRAIN : HRR_TEST;
            if (i % 250 != 1) continue;
            x->split[i] = HRR_VALID;
            if (i % 500 == 1) x->classes[i] = (x->classes[i] + 1) % n_classes;
        }
        relabel(x);
        const double alone = accuracy(&x->logits, x);
        assert_ok(fit(&model, x, NULL));
        assert_true(cases[k].trusted ? model.weight_counts > .5
                                     : model.weight_counts == 0 && model.weight_model == 1);
        assert_ok(hrr_count_model_apply(&x->logits, &model, &x->counts, x->graph, 1, NULL));
        assert_true(accuracy(&x->logits, x) >= alone + (cases[k].trusted ? .15 : 0));
        hrr_count_model_clear(&model);
        drop(x);
    }
}

/* Counts that tell nothing, into more blocks than they can fill, and labels of which half are
 * wrong: rates that saw the validation labels would seem to explain them. The counts must weigh
 * nothing. */
static void test_count_model__validation_labels_do_not_judge_themselves(void **state)
{
    (void)state;
    enum { many = 40 };
    static int64_t noise[n_nodes * many];
    int used = 0;
    for (uint64_t seed = 0; seed < 4; seed++) {
        example *x = make(1, 1, false, 20 + seed);
        hrr_fast_random random;
        hrr_count_model model;
        hrr_fast_init(&random, seed, 2);
        for (int k = 0; k < n_nodes * many; k++)
            noise[k] = draw_geometric(&random, 1) - draw_geometric(&random, 1);
        for (int i = 0; i < n_nodes; i++) {
            if (hrr_fast_below(&random, 2)) x->classes[i] = (int32_t)hrr_fast_below(&random, 3);
            x->split[i] = (uint8_t[]){0, 1, 2, 2, 2, 2}[i % 6];
        }
        relabel(x);
        x->counts.count = noise;
        x->counts.n_blocks = many;
        const double eps = log(4); /* two of three stay */
        assert_ok(
            hrr_count_model_fit(&model, &x->logits, &x->counts, x->graph, eps, 2, NULL, NULL));
        used += model.weight_counts > .1;
        hrr_count_model_clear(&model);
        drop(x);
    }
    assert_int_equal(used, 0);
}

/* Labels that a node has independently of each other, each with edges of its own. */
static void test_count_model__learns_from_several_labels_a_node(void **state)
{
    (void)state;
    example *x = make(1, 0, false, 10);
    hrr_fast_random random;
    hrr_count_model model;
    hrr_dense labels;
    hrr_metrics before, after;
    hrr_fast_init(&random, 10, 1);
    assert_ok(hrr_dense_init(&labels, HRR_U8, n_nodes, n_classes, NULL));
    uint8_t *has = labels.data;
    for (int i = 0; i < n_nodes; i++) {
        for (int c = 0; c < n_classes; c++)
            has[i * n_classes + c] = hrr_fast_below(&random, 3) == 0;
        for (int b = 0; b < n_blocks; b++) {
            double mean = .5;
            for (int c = 0; c < n_classes; c++)
                mean += has[i * n_classes + c] * true_rate[c][b];
            x->count[i * n_blocks + b] = draw_poisson(&random, mean) + draw_geometric(&random, 1) -
                                         draw_geometric(&random, 1);
        }
    }
    uint8_t *split = hrr_alloc(n_nodes, 1);
    memcpy(split, x->split, n_nodes);
    hrr_graph_free(x->graph);
    x->graph = empty_graph(n_nodes);
    assert_ok(hrr_graph_take_label_matrix(x->graph, &labels, NULL));
    assert_ok(hrr_graph_take_split(x->graph, &split, NULL));
    const hrr_dense *matrix = hrr_graph_label_matrix(x->graph);
    for (int k = 0; k < n_nodes * n_classes; k++) /* the network knows how frequent labels are */
        ((float *)x->logits.data)[k] = -.69F;
    assert_ok(hrr_measure(&before, &x->logits, NULL, matrix, 0, x->split, HRR_TEST, NULL));
    assert_ok(fit(&model, x, NULL));
    assert_true(model.output == HRR_OUTPUT_SIGMOID && model.rate.rows == 2 * n_classes);
    /* Label 0 in block 0: others add (.5 + .3) / 3 there. 1000 nodes, five standard errors. */
    assert_true(fabs(((double *)model.rate.data)[0] - (4 + .5 + .8 / 3)) < .5);
    assert_true(fabs(((double *)model.rate.data)[n_blocks] - (.5 + .8 / 3)) < .3);
    assert_ok(hrr_count_model_apply(&x->logits, &model, &x->counts, x->graph, 1, NULL));
    assert_ok(hrr_measure(&after, &x->logits, NULL, matrix, 0, x->split, HRR_TEST, NULL));
    assert_true(before.auc < .55 && after.auc > .75);
    hrr_count_model_clear(&model);
    drop(x);
}

/* Nodes in pairs of one class, joined by an edge; of a pair one is counted. What its counts say is
 * news about the other. */
static void test_count_model__tells_neighbours(void **state)
{
    (void)state;
    static uint32_t pairs[n_nodes];
    static uint8_t counted[n_nodes];
    example *x = make(2, 1, false, 11);
    hrr_fast_random random;
    hrr_count_model model;
    hrr_fast_init(&random, 11, 1);
    for (int i = 0; i < n_nodes; i += 2) {
        x->classes[i + 1] = x->classes[i];
        pairs[i] = (uint32_t)i, pairs[i + 1] = (uint32_t)i + 1;
        counted[i] = 1;
        for (int k = i; k < i + 2; k++)
            x->split[k] = (uint8_t)hrr_fast_below(&random, 3);
    }
    memset(x->logits.data, 0, n_nodes * n_classes * sizeof(float));
    relabel(x);
    x->counts.counted = counted;
    hrr_edge_list edges = edge_list(n_nodes / 2, pairs, NULL);
    assert_ok(hrr_graph_take_edges(x->graph, &edges, NULL, 0, NULL, NULL));
    assert_ok(fit(&model, x, NULL));
    assert_true(model.weight_spread[0] > 1);
    assert_ok(hrr_count_model_apply(&x->logits, &model, &x->counts, x->graph, 1, NULL));
    double right = 0, n = 0;
    for (int i = 1; i < n_nodes; i += 2)
        if (x->split[i] == HRR_TEST)
            right += likeliest((float *)x->logits.data + i * n_classes) == x->classes[i], n++;
    assert_true(right / n > .6);
    hrr_count_model_clear(&model);
    drop(x);
}

/* Earlier versions knew no spread. */
static void test_count_model__reads_files_without_weights_of_neighbours(void **state)
{
    double rate[n_classes * n_blocks] = {1, 2, 3}, share[HRR_COUNT_LEVELS] = {1},
                            law[] = {2, .5, .75};
    const hrr_array arrays[] = {{.type = HRR_ARRAY_F64,
                                 .item_size = 8,
                                 .n_dims = 2,
                                 .shape = {n_classes, n_blocks},
                                 .n_items = n_classes * n_blocks,
                                 .data = rate},
                                {.type = HRR_ARRAY_F64,
                                 .item_size = 8,
                                 .n_dims = 1,
                                 .shape = {HRR_COUNT_LEVELS},
                                 .n_items = HRR_COUNT_LEVELS,
                                 .data = share},
                                {.type = HRR_ARRAY_F64,
                                 .item_size = 8,
                                 .n_dims = 1,
                                 .shape = {3},
                                 .n_items = 3,
                                 .data = law}};
    const hrr_npz_item items[] = {
        {"rate", &arrays[0]}, {"level_share", &arrays[1]}, {"law", &arrays[2]}};
    hrr_count_model model;
    assert_ok(hrr_npz_write(in_dir(*state, "counts.npz"), items, 3, NULL));
    assert_ok(hrr_count_model_read(&model, *state, n_classes, HRR_OUTPUT_SOFTMAX, NULL));
    assert_true(model.shape == 2 && model.weight_model == .5 && model.weight_counts == .75);
    assert_true(model.weight_spread[0] == 0 && model.weight_spread[1] == 0);
    hrr_count_model_clear(&model);
    assert_int_equal(hrr_count_model_read(&model, *state, n_classes, HRR_OUTPUT_SIGMOID, NULL),
                     HRR_EDATA);
}

static hrr_status fit_and_apply(void *user)
{
    example *x = user;
    hrr_count_model model;
    hrr_status status = fit(&model, x, NULL);
    if (status) return status;
    status = hrr_count_model_apply(&x->logits, &model, &x->counts, x->graph, 1, NULL);
    hrr_count_model_clear(&model);
    return status;
}

static void test_count_model__runs_out_of_memory_without_a_trace(void **state)
{
    (void)state;
    example *x = make(1, 1, false, 8);
    brutal(fit_and_apply, x);
    drop(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_count_model__recovers_the_truth_of_a_block_model),
        cmocka_unit_test(test_count_model__knows_that_ends_see_unequal_shares),
        cmocka_unit_test(test_count_model__reads_counts_that_rivals_share),
        cmocka_unit_test(test_count_model__weighs_counts_on_nodes_that_count),
        cmocka_unit_test(test_count_model__knows_that_degrees_differ),
        cmocka_unit_test(test_count_model__says_nothing_when_counts_are_noise),
        cmocka_unit_test(test_count_model__who_was_not_counted_keeps_its_logits),
        cmocka_unit_test(test_count_model__depends_on_nothing_else),
        cmocka_unit_test(test_count_model__likelihood_is_a_law),
        cmocka_unit_test(test_count_model__bad_input_is_refused),
        cmocka_unit_test(test_count_model__learns_from_protected_labels),
        cmocka_unit_test(test_count_model__trusts_a_law_that_many_nodes_tell),
        cmocka_unit_test(test_count_model__validation_labels_do_not_judge_themselves),
        cmocka_unit_test(test_count_model__learns_from_several_labels_a_node),
        cmocka_unit_test(test_count_model__tells_neighbours),
        WITH_SCRATCH(test_count_model__is_read_as_it_was_written),
        WITH_SCRATCH(test_count_model__reads_files_without_weights_of_neighbours),
        cmocka_unit_test(test_count_model__runs_out_of_memory_without_a_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
