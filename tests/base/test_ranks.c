/* A process that works alone is the only rank: the same calls, with nobody to talk to.
 * tests/cluster/ has the calls among several. */
#include "base/memory.h"
#include "base/ranks.h"
#include "support/brutal.h"
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>

static void test_ranks__alone_is_rank_0_of_1(void **state)
{
    (void)state;
    assert_int_equal(hrr_ranks_rank(NULL), 0);
    assert_int_equal(hrr_ranks_size(NULL), 1);
    const hrr_share all = hrr_ranks_own_share(NULL, 17);
    assert_int_equal(all.begin, 0);
    assert_int_equal(all.end, 17);
    hrr_ranks_watch(NULL, NULL);
    hrr_ranks_fail(NULL, &(hrr_error){.status = HRR_EIO});
    hrr_ranks_free(NULL);
}

static void test_ranks__alone_every_operation_gives_what_went_in(void **state)
{
    (void)state;
    hrr_error err = {0};
    uint64_t values[3] = {1, 2, 3}, received[3] = {0};
    const uint64_t sizes = sizeof values;
    bool same;
    assert_int_equal(hrr_ranks_check(NULL, &err), HRR_OK);
    assert_int_equal(hrr_ranks_agree(NULL, HRR_OK, &err), HRR_OK);
    assert_int_equal(hrr_ranks_agree(NULL, HRR_EIO, &err), HRR_EIO);
    assert_int_equal(hrr_ranks_barrier(NULL, &err), HRR_OK);
    assert_int_equal(hrr_ranks_same(&same, NULL, values, sizeof values, &err), HRR_OK);
    assert_true(same);
    assert_int_equal(hrr_ranks_broadcast(NULL, values, sizeof values, 0, &err), HRR_OK);
    assert_int_equal(hrr_ranks_reduce_all(NULL, values, 3, HRR_SUM_U64, &err), HRR_OK);
    assert_int_equal(hrr_ranks_reduce_to_owners(NULL, values, 3, 1, HRR_SUM_U64, &err), HRR_OK);
    assert_int_equal(hrr_ranks_collect_rows(NULL, values, values, 3, sizeof *values, 0, &err),
                     HRR_OK);
    assert_int_equal(hrr_ranks_exchange(NULL, received, &sizes, values, &sizes, &err), HRR_OK);
    for (uint64_t i = 0; i < 3; i++) {
        assert_int_equal(values[i], i + 1);
        assert_int_equal(received[i], i + 1);
    }
}

static hrr_status gather(void *user)
{
    void *out;
    uint64_t size;
    (void)user;
    hrr_status status = hrr_ranks_gather(&out, &size, NULL, "abc", 4, 0, NULL);
    if (status) {
        assert_null(out);
        return status;
    }
    assert_int_equal(size, 4);
    assert_string_equal(out, "abc");
    hrr_free(out);
    return HRR_OK;
}

static void test_ranks__gathering_survives_every_failing_allocation(void **state)
{
    (void)state;
    brutal(gather, NULL);
}

static void expect_alone(const char *name, const char *value, bool several)
{
    setenv(name, value, 1);
    assert_int_equal(hrr_ranks_expected(), several);
    unsetenv(name);
}

static void test_ranks__the_environment_tells_whether_there_are_several(void **state)
{
    (void)state;
    const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"};
    for (int i = 0; i < 3; i++)
        unsetenv(names[i]);
    assert_false(hrr_ranks_expected());
    expect_alone("OMPI_COMM_WORLD_SIZE", "1", false);
    expect_alone("OMPI_COMM_WORLD_SIZE", "4", true);
    expect_alone("PMI_SIZE", "1", false);
    expect_alone("PMI_SIZE", "2", true);
    unsetenv("SLURM_STEP_NUM_TASKS");
    expect_alone("PMIX_RANK", "0", true);
    setenv("SLURM_STEP_NUM_TASKS", "1", 1);
    expect_alone("PMIX_RANK", "0", false);
    unsetenv("SLURM_STEP_NUM_TASKS");
}

static void test_ranks__a_missing_plug_in_is_named(void **state)
{
    (void)state;
    hrr_ranks *ranks;
    hrr_error err = {0};
    setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
    setenv("HETERORR_MPI", "/nowhere/heterorr-mpi.so", 1);
    assert_int_equal(hrr_ranks_open(&ranks, &err), HRR_ERANKS);
    assert_null(ranks);
    assert_non_null(strstr(err.message, "/nowhere/heterorr-mpi.so"));
    assert_non_null(strstr(err.message, "libopenmpi-dev"));
    unsetenv("HETERORR_MPI");
    unsetenv("OMPI_COMM_WORLD_SIZE");
    assert_int_equal(hrr_ranks_open(&ranks, &err), HRR_OK);
    assert_null(ranks);
}

/* ---- an engine that answers for another rank ------------------------------------------------- */

typedef struct other {
    const char *version; /* of rank 0 */
    int n_broadcasts, n_closed;
} other;

static int begin_nothing(void *state)
{
    (void)state;
    return 0;
}

/* Rank 0 tells its version, and then how many ranks have another. */
static int tell(void *state, void *bytes, int size, int from)
{
    other *o = state;
    (void)from;
    if (o->n_broadcasts++) return 0;
    memset(bytes, 0, (size_t)size); /* a broadcast fills the whole block */
    snprintf(bytes, (size_t)size, "%s", o->version);
    return 0;
}

static int leave(void *state, void *values, int n_values, hrr_reduction reduction, int to)
{
    (void)state, (void)values, (void)n_values, (void)reduction, (void)to;
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

static int no_notice(void *state, int *from, void *bytes, int size)
{
    (void)state, (void)bytes, (void)size;
    *from = -1;
    return 0;
}

static void count_closing(void *state, bool lost)
{
    (void)lost;
    ((other *)state)->n_closed++;
}

static hrr_status join(hrr_ranks **ranks, other *o, hrr_error *err)
{
    const hrr_ranks_engine engine = {.rank = 1,
                                     .size = 2,
                                     .state = o,
                                     .barrier = begin_nothing,
                                     .broadcast = tell,
                                     .reduce = leave,
                                     .poll = done_at_once,
                                     .notify = tell_nobody,
                                     .find_notice = no_notice,
                                     .close = count_closing};
    return hrr_ranks_join(ranks, &engine, "1.2.3", err);
}

static void test_ranks__another_version_is_refused(void **state)
{
    (void)state;
    hrr_ranks *ranks;
    hrr_error err = {0};
    other same = {.version = "1.2.3"}, older = {.version = "1.2.2"};
    assert_int_equal(join(&ranks, &same, &err), HRR_OK);
    assert_int_equal(hrr_ranks_rank(ranks), 1);
    hrr_ranks_free(ranks);
    assert_int_equal(same.n_closed, 1);
    assert_int_equal(join(&ranks, &older, &err), HRR_ERANKS);
    assert_null(ranks);
    assert_non_null(strstr(err.message, "1.2.3"));
    assert_int_equal(older.n_closed, 1);
}

static hrr_status join_brutally(void *user)
{
    hrr_ranks *ranks;
    other same = {.version = "1.2.3"};
    (void)user;
    hrr_status status = join(&ranks, &same, NULL);
    hrr_ranks_free(ranks);
    assert_int_equal(same.n_closed, 1);
    return status;
}

static void test_ranks__joining_survives_every_failing_allocation(void **state)
{
    (void)state;
    brutal(join_brutally, NULL);
}

/* ---- an engine whose operations are not done when a rank fails ---------------------------------
 */

/* Where operations still write to, after the wait for them has ended. */
typedef struct under_way {
    void *bytes;
    size_t size;
    bool waits, began;
} under_way;

static int begin_broadcast(void *state, void *bytes, int size, int from)
{
    under_way *u = state;
    (void)from;
    *u = (under_way){bytes, (size_t)size, u->waits, true};
    if (!u->waits) memset(bytes, 0, (size_t)size); /* joining: the version "", and no other one */
    return 0;
}

static int begin_reduction(void *state, void *values, int n_values, hrr_reduction reduction, int to)
{
    (void)reduction;
    return begin_broadcast(state, values, n_values * (int)sizeof(uint64_t), to);
}

static int begin_exchange(void *state, const hrr_ranks_block *received, const hrr_ranks_block *sent)
{
    (void)sent;
    return begin_broadcast(state, received[0].bytes, received[0].size, 0);
}

static int is_done(void *state, bool *done)
{
    *done = !((under_way *)state)->waits;
    return 0;
}

static int fail_elsewhere(void *state, int *from, void *bytes, int size)
{
    const hrr_error failed = {.status = HRR_ECANCEL, .message = "interrupted"};
    const under_way *u = state;
    *from = u->waits && u->began ? 0 : -1;
    if (*from == 0 && (size_t)size == sizeof failed) memcpy(bytes, &failed, sizeof failed);
    return 0;
}

/* As MPI does while it ends: what was begun goes on. */
static void go_on(void *state, bool lost)
{
    const under_way *u = state;
    assert_true(lost);
    memset(u->bytes, 0xee, u->size);
}

typedef enum operation { BROADCAST, REDUCE, EXCHANGE } operation;

static hrr_status operate(hrr_ranks *ranks, operation which, uint64_t values[4])
{
    const uint64_t in[] = {4 * sizeof *values, 0}, out[] = {0, 0};
    switch (which) {
    case BROADCAST:
        return hrr_ranks_broadcast(ranks, values, in[0], 0, NULL);
    case REDUCE:
        return hrr_ranks_reduce(ranks, values, 4, HRR_SUM_U64, 1, NULL);
    default:
        return hrr_ranks_exchange(ranks, values, in, values, out, NULL);
    }
}

static void
test_ranks__an_operation_that_nobody_waits_for_writes_into_no_memory_of_a_caller(void **state)
{
    (void)state;
    for (operation which = BROADCAST; which <= EXCHANGE; which++) {
        under_way u = {0};
        const hrr_ranks_engine engine = {.rank = 1,
                                         .size = 2,
                                         .state = &u,
                                         .barrier = begin_nothing,
                                         .broadcast = begin_broadcast,
                                         .reduce = begin_reduction,
                                         .exchange = begin_exchange,
                                         .poll = is_done,
                                         .notify = tell_nobody,
                                         .find_notice = fail_elsewhere,
                                         .close = go_on};
        uint64_t values[4] = {1, 2, 3, 4};
        hrr_ranks *ranks;
        assert_ok(hrr_ranks_join(&ranks, &engine, "", NULL));
        u.waits = true;
        u.began = false;
        assert_int_equal(operate(ranks, which, values), HRR_ECANCEL);
        assert_true(u.began);
        hrr_ranks_free(ranks);
        for (uint64_t i = 0; i < 4; i++)
            assert_int_equal(values[i], i + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranks__alone_is_rank_0_of_1),
        cmocka_unit_test(test_ranks__alone_every_operation_gives_what_went_in),
        cmocka_unit_test(test_ranks__gathering_survives_every_failing_allocation),
        cmocka_unit_test(test_ranks__the_environment_tells_whether_there_are_several),
        cmocka_unit_test(test_ranks__a_missing_plug_in_is_named),
        cmocka_unit_test(test_ranks__another_version_is_refused),
        cmocka_unit_test(test_ranks__joining_survives_every_failing_allocation),
        cmocka_unit_test(
            test_ranks__an_operation_that_nobody_waits_for_writes_into_no_memory_of_a_caller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
