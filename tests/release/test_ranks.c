/* test_ranks.c: rank 0 tells the truth about a bundle, whatever becomes of the other ranks.
 * tests/cluster/ has several real ones. */
#include "release/releases.h"
#include "base/ranks.h"

#include <unistd.h>

/* An engine of one rank. Another one is interrupted as soon as there is a bundle. */

static int begin_nothing(void *state)
{
    (void)state;
    return 0;
}

static int keep_bytes(void *state, void *bytes, int size, int from)
{
    (void)state, (void)bytes, (void)size, (void)from;
    return 0;
}

static int keep_values(void *state, void *values, int n_values, hrr_reduction reduction, int to)
{
    (void)state, (void)values, (void)n_values, (void)reduction, (void)to;
    return 0;
}

static int give_itself(void *state, const hrr_ranks_block *received, const hrr_ranks_block *sent)
{
    (void)state;
    if (sent->size) memmove(received->bytes, sent->bytes, (size_t)sent->size);
    return 0;
}

static int done_at_once(void *state, bool *done)
{
    (void)state;
    *done = true;
    return 0;
}

static int tell_nobody(void *state, const void *bytes, int size)
{
    (void)state, (void)bytes, (void)size;
    return 0;
}

/* state: the path of the bundle. */
static int interrupt_after_publishing(void *state, int *from, void *bytes, int size)
{
    const hrr_error interrupted = {.status = HRR_ECANCEL, .message = "interrupted"};
    *from = access(state, F_OK) == 0 ? 1 : -1;
    assert_int_equal(size, sizeof interrupted);
    if (*from > 0) memcpy(bytes, &interrupted, sizeof interrupted);
    return 0;
}

static void close_nothing(void *state, bool lost)
{
    (void)state, (void)lost;
}

static hrr_ranks *ranks_interrupted_after(const char *bundle)
{
    hrr_ranks *ranks;
    const hrr_ranks_engine engine = {.size = 1,
                                     .state = (void *)(uintptr_t)bundle,
                                     .barrier = begin_nothing,
                                     .broadcast = keep_bytes,
                                     .reduce = keep_values,
                                     .exchange = give_itself,
                                     .poll = done_at_once,
                                     .notify = tell_nobody,
                                     .find_notice = interrupt_after_publishing,
                                     .close = close_nothing};
    assert_ok(hrr_ranks_join(&ranks, &engine, "1", NULL));
    return ranks;
}

static void test_ranks__what_is_published_is_not_denied(void **state)
{
    const char *bundle = in_dir(*state, "bundle");
    hrr_graph *graph = small_graph(7);
    hrr_protect_options options = usual_options();
    hrr_protect_summary summary;
    hrr_random *random;
    hrr_error err = {0};
    options.with_ledger = true;
    options.ledger = in_dir(*state, "ledger");
    assert_ok(hrr_random_new_insecure(&random, 1, NULL));
    hrr_ranks *ranks = ranks_interrupted_after(bundle);
    hrr_status status =
        hrr_protect_over(&summary, bundle, graph, &options, ranks, random, NULL, &err);
    if (status) print_error("%s\n", err.message);
    assert_int_equal(status, HRR_OK);
    assert_int_equal(access(in_dir(bundle, "certificate.json"), R_OK), 0);
    assert_false(summary.not_recorded);
    hrr_ranks_free(ranks);
    hrr_random_free(random);
    hrr_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_ranks__what_is_published_is_not_denied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
