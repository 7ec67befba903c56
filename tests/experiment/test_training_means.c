/* What rows written by hand say: which control is whose, verdicts, and files that are none. */
#include "experiment/training_settings.h"
#include "experiment/treatments.h"
#include "support/check.h"
#include "support/files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A results file with a row for each call of add(). */
typedef struct page {
    char text[100000];
    size_t used;
} page;

static void header(page *p)
{
    p->used = 0;
    for (int i = 0; hrr_training_setting_columns[i]; i++)
        p->used += (size_t)sprintf(p->text + p->used, "%s,", hrr_training_setting_columns[i]);
    p->used += (size_t)sprintf(p->text + p->used, "status,test_accuracy,test_auc\n");
}

typedef struct row {
    const char *features, *edges, *eps_features, *eps_edges, *fraction, *hidden;
    const char *label_rate; /* NULL: .5 */
} row;

/* Accuracies of runs with seeds 1, 2, ...; below 0: the run diverged. */
static void add(page *p, row r, size_t n, const double *accuracy)
{
    char name[HRR_TREATMENT_SIZE];
    hrr_treatment_name(name, r.features, r.edges);
    for (size_t i = 0; i < n; i++) {
        p->used +=
            (size_t)sprintf(p->text + p->used,
                            "0,g,9,9,%s,%s,%s,,0,none,%s,%s,%s,%s,,,,,,,gcn,%s,2,symmetric,1,"
                            "adam,.01,0,0,0,9,9,own,%zu,%zu,",
                            name, r.features, r.edges, r.eps_features, r.eps_edges, r.fraction,
                            r.label_rate ? r.label_rate : "0.5", r.hidden, i, i + 1);
        if (accuracy[i] < 0)
            p->used += (size_t)sprintf(p->text + p->used, "diverged,nan,nan\n");
        else
            p->used += (size_t)sprintf(p->text + p->used, "ok,%.9g,nan\n", accuracy[i]);
    }
}

static const hrr_training_mean *find(const hrr_training_mean *means, size_t n, const char *name,
                                     const char *fraction)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(means[i].treatment, name) == 0 &&
            strcmp(means[i].private_fraction, fraction) == 0)
            return &means[i];
    fail_msg("there is no %s at %s", name, fraction);
    return NULL;
}

static void assert_control(const hrr_training_mean *means, const hrr_worth_test *test,
                           const char *name, const char *fraction)
{
    assert_true(test->control >= 0);
    assert_string_equal(means[test->control].treatment, name);
    assert_string_equal(means[test->control].private_fraction, fraction);
}

static void test_means__a_control_sees_nothing_that_is_private(void **state)
{
    static page p;
    static const double base[] = {.50, .52, .51, .53};
    double value[4];
    header(&p);
#define ADD(more, ...)                                                                             \
    do {                                                                                           \
        for (int k = 0; k < 4; k++)                                                                \
            value[k] = base[k] + (more) + .001 * (k % 2);                                          \
        add(&p, (row){__VA_ARGS__, NULL}, 4, value);                                               \
    } while (0)
    ADD(.40, "none", "none", "0", "0", "any", "64"); /* sees everything: no control */
    ADD(.05, "none", "mlp", "0", "0", "any", "64");
    ADD(.20, "featfree", "none", "0", "0", "any", "64");
    ADD(.30, "none", "public-only", "0", "0", "0.3", "64");
    ADD(.01, "none", "public-only", "0", "0", "0.9", "64");
    ADD(.39, "none", "public-only", "0", "0", "0.3", "128"); /* another network */
    ADD(.02, "featfree", "public-only", "0", "0", "0.3", "64");
    ADD(.25, "duchi", "none", "1", "0", "any", "64");
    ADD(.10, "duchi", "mlp", "1", "0", "any", "64");
    ADD(.15, "duchi", "public-only", "1", "0", "0.3", "64");
    ADD(.35, "duchi", "public-only", "2", "0", "0.3", "64"); /* more was spent on features */
    ADD(.12, "duchi", "edgerr", "1", "1", "0.3", "64");
    ADD(.03, "featfree", "edgerr", "0", "1", "0.3", "64");
    ADD(.37, "featfree", "edgerr", "0", "2", "0.3", "64"); /* more was spent on edges */
    ADD(.38, "featfree", "lapgraph", "0", "1", "0.3", "64");
    ADD(.28, "none", "edgerr", "0", "1", "0.3", "64");
    ADD(.00, "none", "edgerr", "0", "1", "0.9", "64");
#undef ADD
    const char *path = in_dir(*state, "r.csv");
    write_file(path, p.text, p.used);
    hrr_training_mean *means;
    size_t n;
    assert_ok(hrr_training_means(&means, &n, path, NULL, "accuracy", NULL));
    assert_int_equal(n, 17);

    const hrr_training_mean *m = find(means, n, "duchi", "any");
    assert_control(means, &m->test, "featfree", "any");
    assert_int_equal(m->edge_test.control, -1);
    assert_int_equal(m->test.pairs, 4);
    assert_true(fabs(m->test.difference - .05) < 1e-9);
    m = find(means, n, "edgerr", "0.3");
    assert_control(means, &m->test, "public-only", "0.3");
    assert_string_equal(means[m->test.control].network, m->network);
    m = find(means, n, "edgerr", "0.9");
    assert_control(means, &m->test, "mlp", "any");
    m = find(means, n, "duchi+edgerr", "0.3");
    assert_control(means, &m->test, "featfree+public-only", "0.3");
    assert_control(means, &m->edge_test, "duchi+public-only", "0.3");
    assert_string_equal(means[m->edge_test.control].eps_features, "1");
    assert_control(means, &m->feature_test, "featfree+edgerr", "0.3");
    assert_string_equal(means[m->feature_test.control].eps_edges, "1");
    m = find(means, n, "duchi+mlp", "any");
    assert_control(means, &m->test, "featfree", "any");
    /* What spends nothing is not tested. */
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(means[i].spends, means[i].test.control >= 0);
        assert_int_equal(means[i].runs, 4);
    }
    /* One network after the other, then the private share, then the best first. */
    assert_string_equal(means[0].network,
                        "hidden 128, layers 2, aggregation symmetric, bias 1, optimiser adam, lr "
                        ".01, momentum 0, weight_decay 0, dropout 0, epochs 9, patience 9, split "
                        "own");
    assert_string_equal(means[1].treatment, "non-private");
    assert_string_equal(means[n - 1].private_fraction, "0.9");
    hrr_free(means);
}

static void test_means__verdicts(void **state)
{
    static page p;
    static const double control[] = {.50, .52, .51, .53, .49};
    static const double better[] = {.60, .63, .60, .64, .59}, worse[] = {.40, .43, .40, .44, .39};
    static const double alike[] = {.51, .51, .52, .52, .50}, broken[] = {.60, .63, .60, -1, .59};
    static const struct {
        const char *name;
        const double *value;
        hrr_worth worth;
        uint32_t pairs;
    } cases[] = {{"duchi", better, HRR_WORTH_MORE, 5},
                 {"hybrid", worse, HRR_WORTH_LESS, 5},
                 {"laplace", alike, HRR_WORTH_NO_MORE, 5},
                 {"multibit", broken, HRR_WORTH_NO_MORE, 4}};
    header(&p);
    add(&p, (row){"featfree", "none", "0", "0", "any", "64", NULL}, 5, control);
    for (int i = 0; i < 4; i++)
        add(&p, (row){cases[i].name, "none", "1", "0", "any", "64", NULL}, 5, cases[i].value);
    add(&p, (row){"pm-sub", "none", "1", "0", "any", "64", NULL}, 1,
        better); /* one run is no test */
    const char *path = in_dir(*state, "r.csv");
    write_file(path, p.text, p.used);
    hrr_training_mean *means;
    size_t n;
    assert_ok(hrr_training_means(&means, &n, path, NULL, "accuracy", NULL));
    for (int i = 0; i < 4; i++) {
        const hrr_training_mean *m = find(means, n, cases[i].name, "any");
        assert_int_equal(m->test.worth, cases[i].worth);
        assert_int_equal(m->test.pairs, cases[i].pairs);
        assert_int_equal(m->diverged, 5 - cases[i].pairs);
        assert_true(m->test.p_adjusted >= m->test.p);
    }
    const hrr_training_mean *m = find(means, n, "pm-sub", "any");
    assert_int_equal(m->test.worth, HRR_WORTH_UNTESTED);
    assert_true(isnan(m->half_width) && fabs(m->mean - .6) < 1e-12);
    hrr_free(means);
    /* A metric that is undefined in every run has no mean and no tests. */
    assert_ok(hrr_training_means(&means, &n, path, NULL, "auc", NULL));
    for (size_t i = 0; i < n; i++) {
        assert_true(isnan(means[i].mean));
        assert_int_equal(means[i].test.worth, HRR_WORTH_UNTESTED);
    }
    hrr_free(means);
}

/* The same seeds with other labels are other runs: a control of another rate is no control. */
static void test_means__pairs_are_of_one_label_rate(void **state)
{
    static page p;
    static const double low[] = {.50, .52, .51, .53}, high[] = {.60, .62, .613, .63};
    header(&p);
    add(&p, (row){"featfree", "none", "0", "0", "any", "8", "0.1"}, 4, low);
    add(&p, (row){"featfree", "none", "0", "0", "any", "8", "0.5"}, 4, high);
    add(&p, (row){"duchi", "none", "1", "0", "any", "8", "0.1"}, 4, high);
    add(&p, (row){"duchi", "none", "1", "0", "any", "8", "0.02"}, 4, high);
    const char *path = in_dir(*state, "r.csv");
    write_file(path, p.text, p.used);
    hrr_training_mean *means;
    size_t n;
    assert_ok(hrr_training_means(&means, &n, path, NULL, NULL, NULL));
    assert_int_equal(n, 4);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(means[i].features, "duchi") != 0) continue;
        if (strcmp(means[i].label_rate, "0.02") == 0) {
            assert_int_equal(means[i].test.worth, HRR_WORTH_UNTESTED);
            continue;
        }
        assert_int_equal(means[i].test.worth, HRR_WORTH_MORE);
        assert_string_equal(means[means[i].test.control].label_rate, "0.1");
    }
    hrr_free(means);
}

static void test_means__a_seed_counts_once(void **state)
{
    static page p;
    static const double value[] = {.5, -1, .6}, more[] = {.5, -1, .6, .7};
    header(&p);
    add(&p, (row){"duchi", "none", "1", "0", "any", "64", NULL}, 3, value);
    add(&p, (row){"duchi", "none", "1", "0", "any", "64", NULL}, 4, more);
    const char *path = in_dir(*state, "r.csv");
    write_file(path, p.text, p.used);
    hrr_training_mean *means;
    size_t n;
    assert_ok(hrr_training_means(&means, &n, path, NULL, "accuracy", NULL));
    assert_int_equal(n, 1);
    assert_int_equal(means->runs, 4);
    assert_int_equal(means->diverged, 1);
    assert_true(fabs(means->mean - .6) < 1e-12);
    hrr_free(means);
}

static void test_means__refuse_another_file(void **state)
{
    static page p;
    static const double value[] = {.5};
    hrr_training_mean *means;
    size_t n;
    hrr_error err = {0};
    const char *path = in_dir(*state, "r.csv");
    assert_int_equal(hrr_training_means(&means, &n, path, NULL, "accuracy", &err), HRR_EIO);
    static const char *const others[] = {"", "a,b\n1,2\n", "version,test_accuracy\n"};
    static const char *const says[] = {"is empty", "the columns do not show",
                                       "the column mechanism or treatment or method is missing"};
    for (int i = 0; i < 3; i++) {
        write_text(path, others[i]);
        assert_int_equal(hrr_training_means(&means, &n, path, NULL, "accuracy", &err), HRR_EDATA);
        assert_says(err, says[i]);
    }
    header(&p);
    write_file(path, p.text, p.used);
    assert_ok(hrr_training_means(&means, &n, path, NULL, "accuracy", &err));
    assert_int_equal(n, 0);
    hrr_free(means);
    assert_int_equal(hrr_training_means(&means, &n, path, NULL, "speed", &err), HRR_EINVAL);
    assert_says(err, "speed");
    assert_int_equal(hrr_training_means(&means, &n, path, NULL, "f1_macro", &err), HRR_EDATA);
    add(&p, (row){"featfree", "none", "0", "0", "any", "64", NULL}, 1, value);
    const size_t whole = p.used;
    strcpy(p.text + whole, "0,g\n");
    write_text(path, p.text);
    assert_int_equal(hrr_training_means(&means, &n, path, NULL, "accuracy", &err), HRR_EDATA);
    assert_says(err, ":3: the row has 2 fields");
    p.text[whole] = '\0';
    memcpy(strstr(p.text, "ok,0.5,") + 3, "abc", 3);
    write_text(path, p.text);
    assert_int_equal(hrr_training_means(&means, &n, path, NULL, "accuracy", &err), HRR_EDATA);
    assert_says(err, ":2: column test_accuracy or accuracy is not a number");
}

int main(void)
{
    const struct CMUnitTest tests[] = {

        WITH_SCRATCH(test_means__a_control_sees_nothing_that_is_private),
        WITH_SCRATCH(test_means__verdicts),
        WITH_SCRATCH(test_means__pairs_are_of_one_label_rate),
        WITH_SCRATCH(test_means__a_seed_counts_once),
        WITH_SCRATCH(test_means__refuse_another_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
