/* test_ledger_memory.c: SQLite runs out of memory at each of its allocations in turn. It has an
 * allocator of its own, which a test may replace for its process. */
#include "privacy/ledgers.h"
#include "privacy/charge.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

static sqlite3_mem_methods plain;
static int64_t allowed;

static void *failing_malloc(int size)
{
    return allowed-- > 0 ? plain.xMalloc(size) : NULL;
}

static void *failing_realloc(void *block, int size)
{
    return allowed-- > 0 ? plain.xRealloc(block, size) : NULL;
}

typedef struct outcome {
    hrr_status status;
    int n_returned; /* charges whose call returned */
} outcome;

static outcome charge_and_release(const char *path)
{
    static const char sha256[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    hrr_ledger *ledger;
    hrr_ledger_entry entry;
    outcome o = {.status = hrr_ledger_open(&ledger, path, NULL, NULL)};
    if (!o.status && !(o.status = charge_one(ledger, 1, 0, &entry, NULL))) {
        o.n_returned = 1;
        o.status = hrr_ledger_released(ledger, &entry, "/b", sha256, NULL);
    }
    hrr_ledger_free(ledger);
    return o;
}

/* From a new ledger each time, so that its making fails everywhere too. */
static void test_memory__sqlite_runs_out_at_every_allocation(void **state)
{
    const char *path = in_dir(*state, "l"), *key = in_dir(*state, "l.key");
    int tries = 0;
    for (outcome o = {.status = HRR_ENOMEM}; o.status; tries++) {
        unlink(path);
        unlink(key);
        allowed = tries;
        o = charge_and_release(path);
        allowed = INT64_MAX;
        assert_true(o.status == HRR_OK || o.status == HRR_ENOMEM);
        assert_true(tries < 100000);
        size_t n = 0;
        bool with_key;
        hrr_ledger_free(ledger_at(path)); /* the next run finds a ledger that works */
        assert_ok(hrr_ledger_check(&n, &with_key, path, NULL, NULL));
        assert_true((int)n >= o.n_returned);
    }
    assert_int_equal(sqlite3_memory_used(), 0);
    print_message("%d allocations of SQLite failed in turn\n", tries - 1);
    assert_true(tries > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_memory__sqlite_runs_out_at_every_allocation,
                                        scratch_setup, scratch_teardown),
    };
    /* Thousands of ledgers are made; memory needs no syncing. */
    if (access("/dev/shm", W_OK) == 0) setenv("TMPDIR", "/dev/shm", 1);
    allowed = INT64_MAX;
    sqlite3_config(SQLITE_CONFIG_GETMALLOC, &plain);
    sqlite3_mem_methods failing = plain;
    failing.xMalloc = failing_malloc;
    failing.xRealloc = failing_realloc;
    sqlite3_config(SQLITE_CONFIG_MALLOC, &failing);
    sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0); /* every allocation shall be seen */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
