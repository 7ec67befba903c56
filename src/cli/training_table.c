/* training_table.c: see training_table.h. */
#include "cli/training_table.h"
#include "cli/figures.h"
#include "cli/json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* "featurerr" with what is needed to tell it from its neighbours in the table. */
static void name(char *text, size_t size, const hrr_training_mean *m)
{
    const bool propagates = strcmp(m->propagate, "0") != 0;
    snprintf(text, size, "%s%s%s%s%s%s%s", m->treatment, *m->tree ? ", " : "", m->tree,
             *m->directions ? ", " : "", m->directions, propagates ? ", K=" : "",
             propagates ? m->propagate : "");
}

static const char *eps_word(const char *eps)
{
    return strcmp(eps, "0") == 0 ? "-" : eps;
}

/* With what it spends: a control may differ from what is held against it in that alone. */
static void name_and_budgets(char *text, size_t size, const hrr_training_mean *m)
{
    const char *const f = m->eps_features, *const e = m->eps_edges;
    const bool spends_f = strcmp(f, "0") != 0, spends_e = strcmp(e, "0") != 0;
    char label[192];
    name(label, sizeof label, m);
    snprintf(text, size, "%s%s%s%s%s", label, spends_f ? ", eps_f " : "", spends_f ? f : "",
             spends_e ? ", eps_e " : "", spends_e ? e : "");
}

/* ---- for people ------------------------------------------------------------------------------ */

static void print_test(const hrr_worth_test *test, const hrr_training_mean *means, FILE *to)
{
    char control[256];
    if (test->worth == HRR_WORTH_UNTESTED) return;
    name_and_budgets(control, sizeof control, &means[test->control]);
    fprintf(to, "  %+6.2f", 100 * test->difference);
    if (isnan(test->p_adjusted))
        fprintf(to, " %8s", "-");
    else if (test->p_adjusted < 1e-4)
        fprintf(to, " %8.1e", test->p_adjusted);
    else
        fprintf(to, " %8.4f", test->p_adjusted);
    fprintf(to, "  %s than %s", hrr_worth_word(test->worth), control);
}

static void print_row(const hrr_training_mean *m, const hrr_training_mean *means, FILE *to)
{
    char label[192];
    name(label, sizeof label, m);
    fprintf(to, "%-34s %6s %6s %9s %4" PRIu32, label, eps_word(m->eps_features),
            eps_word(m->eps_edges), m->private_fraction, m->runs);
    if (isnan(m->mean))
        fprintf(to, " %7s        ", "-");
    else if (isnan(m->half_width))
        fprintf(to, " %7.2f        ", 100 * m->mean);
    else
        fprintf(to, " %7.2f +-%5.2f", 100 * m->mean, 100 * m->half_width);
    print_test(&m->test, means, to);
    if (m->diverged) fprintf(to, "  (%" PRIu32 " diverged)", m->diverged);
    fprintf(to, "\n");
}

static bool rates_differ(const hrr_training_mean *means, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (strcmp(means[i].label_rate, means[0].label_rate) != 0) return true;
    return false;
}

/* The settings with this verdict. */
static void print_list(const hrr_training_mean *means, size_t n, hrr_worth worth, FILE *to)
{
    const char *before = " ";
    const bool by_rate = rates_differ(means, n);
    for (size_t i = 0; i < n; i++) {
        if (means[i].test.worth != worth) continue;
        char label[256];
        name_and_budgets(label, sizeof label, &means[i]);
        fprintf(to, "%s%s", before, label);
        if (strcmp(means[i].private_fraction, "any") != 0)
            fprintf(to, ", %s private", means[i].private_fraction);
        if (by_rate) fprintf(to, ", %s labelled", means[i].label_rate);
        before = "; ";
    }
    fprintf(to, "\n");
}

static void print_sentences(const hrr_training_mean *means, size_t n, FILE *to)
{
    size_t count[4] = {0}, n_edges = 0, n_features = 0, n_both = 0, n_diverged = 0;
    for (size_t i = 0; i < n; i++) {
        count[means[i].test.worth]++;
        n_both += means[i].edge_test.worth != HRR_WORTH_UNTESTED;
        n_edges += means[i].edge_test.worth == HRR_WORTH_MORE;
        n_features += means[i].feature_test.worth == HRR_WORTH_MORE;
        n_diverged += means[i].diverged > 0;
    }
    const size_t tested = n - count[HRR_WORTH_UNTESTED];
    if (!tested) {
        fprintf(to, "no setting that spends a budget could be tested: a test needs at least two "
                    "runs of the setting and of a baseline\n");
        return;
    }
    fprintf(to,
            "%zu of %s a budget %s the best baseline that spends none (paired t-test over runs, p "
            "< 0.05 after Holm's correction)%s",
            count[HRR_WORTH_MORE],
            cli_count(tested, "setting that spends", "settings that spend").text,
            hrr_plural(tested, "beats", "beat"), count[HRR_WORTH_MORE] ? ":" : "\n");
    if (count[HRR_WORTH_MORE]) print_list(means, n, HRR_WORTH_MORE, to);
    if (count[HRR_WORTH_NO_MORE] + count[HRR_WORTH_LESS])
        fprintf(to, "%zu %s no significant gain; %zu of these %s worse than spending nothing\n",
                count[HRR_WORTH_NO_MORE] + count[HRR_WORTH_LESS],
                hrr_plural(count[HRR_WORTH_NO_MORE] + count[HRR_WORTH_LESS], "shows", "show"),
                count[HRR_WORTH_LESS], hrr_plural(count[HRR_WORTH_LESS], "is", "are"));
    if (n_both)
        fprintf(to,
                "of %s both budgets, %zu %s the same features with no edge budget, and %zu %s the "
                "same edges with random features\n",
                cli_count(n_both, "setting that spends", "settings that spend").text, n_edges,
                hrr_plural(n_edges, "beats", "beat"), n_features,
                hrr_plural(n_features, "beats", "beat"));
    if (n_diverged)
        fprintf(to, "training diverged in some runs of %s; the means leave those runs out\n",
                cli_count(n_diverged, "setting", "settings").text);
}

static bool same_table(const hrr_training_mean *a, const hrr_training_mean *b)
{
    return strcmp(a->graph, b->graph) == 0 && strcmp(a->network, b->network) == 0 &&
           strcmp(a->label_rate, b->label_rate) == 0;
}

void cli_training_print(const hrr_training_mean *means, size_t n, FILE *to)
{
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || !same_table(&means[i], &means[i - 1]))
            fprintf(to,
                    "%s (%s)\ntest %s in percent, half-width of the 95 %% confidence interval, and "
                    "the difference from the best baseline that spends nothing\n%-34s %6s %6s %9s "
                    "%4s %7s\n",
                    means[i].graph, means[i].network, means[i].metric, "", "eps_f", "eps_e",
                    "private", "runs", "mean");
        print_row(&means[i], means, to);
    }
    print_sentences(means, n, to);
}

/* ---- for scripts ----------------------------------------------------------------------------- */

json_t *cli_worth_test_json(const hrr_worth_test *test, const char *verdict)
{
    if (test->control < 0) return json_null();
    return json_pack("{s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:s}", "control",
                     (json_int_t)test->control, "controls", (json_int_t)test->controls, "pairs",
                     (json_int_t)test->pairs, "difference", cli_json_real(test->difference), "p",
                     cli_json_real(test->p), "p_adjusted", cli_json_real(test->p_adjusted),
                     "half_width", cli_json_real(test->half_width), "verdict", verdict);
}

static json_t *test_json(const hrr_worth_test *test)
{
    return cli_worth_test_json(test, hrr_worth_word(test->worth));
}

json_t *cli_training_json(const hrr_training_mean *means, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        const hrr_training_mean *m = &means[i];
        json_array_append_new(
            list,
            json_pack(
                "{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:I, s:I, s:o, s:o, "
                "s:b, s:o, s:o, s:o, s:s}",
                "graph", m->graph, "network", m->network, "treatment", m->treatment,
                "feature_mechanism", m->features, "edge_mechanism", m->edges, "tree", m->tree,
                "propagate", m->propagate, "directions", m->directions, "eps_features",
                m->eps_features, "eps_edges", m->eps_edges, "private_fraction", m->private_fraction,
                "metric", m->metric, "runs", (json_int_t)m->runs, "diverged",
                (json_int_t)m->diverged, "mean", cli_json_real(m->mean), "half_width",
                cli_json_real(m->half_width), "spends", m->spends, "test", test_json(&m->test),
                "edge_test", test_json(&m->edge_test), "feature_test", test_json(&m->feature_test),
                "label_rate", m->label_rate));
    }
    return list;
}
