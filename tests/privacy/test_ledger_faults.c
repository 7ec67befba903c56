/* test_ledger_faults.c: what happens to a ledger: killed processes, races, full disks, damage, lost
 * files. Whatever happens, a charge whose call returned is there, or the ledger is refused. */
#include "privacy/ledger.h"
#include "privacy/ledgers.h"
#include "privacy/charge.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static hrr_status check(const char *path, size_t *n, hrr_error *err)
{
    bool with_key;
    return hrr_ledger_check(n, &with_key, path, NULL, err);
}

static hrr_status try_charge(const char *path, hrr_error *err)
{
    hrr_ledger *ledger;
    hrr_ledger_entry entry;
    hrr_status status = hrr_ledger_open(&ledger, path, NULL, err);
    if (!status) status = charge_one(ledger, 1, 0, &entry, err);
    hrr_ledger_free(ledger);
    return status;
}

/* Opening for a charge and `ledger check` refuse it with the same words. */
static void assert_refused(const char *path, const char *says)
{
    hrr_error err = {0};
    size_t n;
    assert_int_equal(try_charge(path, &err), HRR_EDATA);
    assert_says(err, says);
    assert_int_equal(check(path, &n, &err), HRR_ECHECK);
    assert_int_equal(err.status, HRR_ECHECK);
    assert_says(err, says);
}

/* ---- processes ------------------------------------------------------------------------------ */

/* Writes one byte for every charge whose call returned. */
static void charge_for_ever(const char *path, int to)
{
    hrr_ledger *ledger;
    hrr_ledger_entry entry;
    for (;;) {
        if (hrr_ledger_open(&ledger, path, NULL, NULL)) _exit(1);
        for (int i = 0; i < 4; i++) {
            if (charge_one(ledger, 1, 0, &entry, NULL)) _exit(2);
            if (write(to, "", 1) != 1) _exit(3);
        }
        hrr_ledger_free(ledger);
    }
}

/* Killed at an instant that differs each time; the number of charges it says it made. */
static size_t run_and_kill(const char *path, unsigned microseconds)
{
    int pipe_ends[2], how;
    assert_int_equal(pipe(pipe_ends), 0);
    pid_t child = fork();
    if (child == 0) charge_for_ever(path, pipe_ends[1]);
    close(pipe_ends[1]);
    usleep(microseconds);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how));
    size_t told = 0;
    char bytes[256];
    for (ssize_t got; (got = read(pipe_ends[0], bytes, sizeof bytes)) > 0;)
        told += (size_t)got;
    close(pipe_ends[0]);
    return told;
}

/* 200 kills, 0 to 40 ms after the start; some while the ledger is being made, because every 20th
 * begins anew. The ledger may hold one charge more than was told: killed between the two. */
static void test_kill__every_charge_that_returned_is_there(void **state)
{
    size_t told = 0, before = 0, n_unrolled = 0, n_told = 0, n;
    uint32_t random = 1;
    char path[4096], journal[4200];
    hrr_error err = {0};
    for (int round = 0; round < 200; round++) {
        if (round % 20 == 0) {
            snprintf(path, sizeof path, "%s", in_dir(*state, ""));
            snprintf(path + strlen(path), 32, "ledger%d", round);
            snprintf(journal, sizeof journal, "%s-journal", path);
            told = before = 0;
        }
        random = random * 1664525 + 1013904223;
        size_t returned = run_and_kill(path, (random >> 16) % 40000);
        told += returned;
        n_told += returned;
        n_unrolled += access(journal, F_OK) == 0;
        hrr_ledger *ledger = ledger_at(path); /* the next run works */
        hrr_ledger_free(ledger);
        hrr_status status = check(path, &n, &err);
        if (status) print_error("%s\n", err.message);
        assert_ok(status);
        assert_true(n >= told && n <= told + (size_t)(round % 20) + 1 && n >= before);
        before = n;
    }
    print_message("killed 200 times, %zu times within a transaction, after %zu charges\n",
                  n_unrolled, n_told);
    assert_true(n_told > 0);
}

/* Exactly floor(limit / charge) charges succeed, however many processes try, and the ledger is made
 * by all of them at once. */
static void test_race__the_limit_is_reached_and_never_passed(void **state)
{
    enum { n_children = 6, tries = 20, limit = 19 };
    const char *path = in_dir(*state, "l");
    int passed = 0, how, gate[2];
    assert_int_equal(pipe(gate), 0);
    for (int i = 0; i < n_children; i++) {
        if (fork() != 0) continue;
        char byte;
        hrr_ledger *ledger;
        hrr_ledger_entry entry;
        int mine = 0;
        close(gate[1]);
        if (read(gate[0], &byte, 1) != 0) _exit(100); /* all start when the gate closes */
        if (hrr_ledger_open(&ledger, path, NULL, NULL)) _exit(101);
        for (int j = 0; j < tries; j++) {
            hrr_status status = charge_one(ledger, 1, limit, &entry, NULL);
            if (status && status != HRR_EBUDGET) _exit(102);
            mine += status == HRR_OK;
        }
        hrr_ledger_free(ledger);
        _exit(mine);
    }
    close(gate[0]);
    close(gate[1]);
    for (int i = 0; i < n_children; i++) {
        wait(&how);
        assert_true(WIFEXITED(how) && WEXITSTATUS(how) <= tries);
        passed += WEXITSTATUS(how);
    }
    assert_int_equal(passed, limit);
    size_t n;
    assert_ok(check(path, &n, NULL));
    assert_int_equal(n, limit);
}

static void test_lock__is_waited_for_and_then_named(void **state)
{
    const char *path = in_dir(*state, "l");
    hrr_error err = {0};
    hrr_ledger_entry entry;
    hrr_ledger *first = ledger_at(path), *second = ledger_at(path);
    second->most_waits = 3;
    assert_ok(hrr_ledger_run(first, "BEGIN IMMEDIATE", NULL));
    assert_int_equal(charge_one(second, 1, 0, &entry, &err), HRR_EIO);
    assert_says(err, "another process has locked the ledger;");

    hrr_progress *progress;
    assert_ok(hrr_progress_new(&progress, NULL, NULL, NULL));
    second->progress = progress;
    second->most_waits = 1000000;
    hrr_progress_cancel(progress);
    assert_int_equal(charge_one(second, 1, 0, &entry, &err), HRR_ECANCEL);
    second->progress = NULL;
    hrr_progress_free(progress);

    assert_ok(hrr_ledger_end(first, HRR_OK, NULL));
    assert_ok(charge_one(second, 1, 0, &entry, NULL));
    hrr_ledger_free(first);
    hrr_ledger_free(second);
}

/* ---- making ---------------------------------------------------------------------------------- */

/* Whatever stopped the making: there is no ledger or a whole one, and the next run works. */
static void assert_makes_on(const char *path)
{
    hrr_error err = {0};
    size_t before = 0, after;
    if (access(path, F_OK) == 0) {
        hrr_status status = check(path, &before, &err);
        if (status) print_error("%s\n", err.message);
        assert_ok(status);
    }
    hrr_status status = try_charge(path, &err);
    if (status) print_error("%s\n", err.message);
    assert_ok(status);
    assert_ok(check(path, &after, NULL));
    assert_int_equal(after, before + 1);
}

/* Runs until the k-th time that it enters or leaves a system call, and is killed there. Returns
 * whether it came so far; *traced false: this system does not allow it. */
static bool charge_until(const char *path, int k, bool *traced)
{
    int how;
    pid_t child = fork();
    if (child == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) _exit(77);
        raise(SIGSTOP);
        _exit(try_charge(path, NULL) != HRR_OK);
    }
    assert_int_equal(waitpid(child, &how, 0), child);
    *traced = WIFSTOPPED(how);
    for (int i = 0; i < k && WIFSTOPPED(how); i++) {
        ptrace(PTRACE_SYSCALL, child, NULL, NULL);
        assert_int_equal(waitpid(child, &how, 0), child);
    }
    if (WIFEXITED(how)) {
        assert_int_equal(WEXITSTATUS(how), *traced ? 0 : 77);
        return false;
    }
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &how, 0), child);
    return true;
}

static void test_making__killed_at_every_system_call(void **state)
{
    char path[4096];
    bool reached = true, traced = true;
    int k = 0;
    for (; reached && traced; k++) {
        char name[32];
        snprintf(name, sizeof name, "ledger%d", k);
        snprintf(path, sizeof path, "%s", in_dir(*state, name));
        reached = charge_until(path, k, &traced);
        if (traced) assert_makes_on(path);
    }
    if (!traced) {
        print_message("SKIPPED: processes cannot be traced here\n");
        skip();
    }
    print_message("killed at each of %d places of making a ledger and charging it\n", k - 1);
    assert_true(k > 50);
}

/* Files that may grow to `room` bytes and no further, for every number of half pages that a new
 * ledger may need. */
static void test_making__on_a_full_disk(void **state)
{
    int n_failed = 0, how;
    for (int halves = 0; halves < 24; halves++) {
        char name[32];
        snprintf(name, sizeof name, "ledger%d", halves);
        const char *path = in_dir(*state, name);
        if (fork() == 0) {
            struct rlimit room = {(rlim_t)halves * 2048, (rlim_t)halves * 2048};
            signal(SIGXFSZ, SIG_IGN);
            setrlimit(RLIMIT_FSIZE, &room);
            _exit(try_charge(path, NULL));
        }
        wait(&how);
        assert_true(WIFEXITED(how));
        assert_true(WEXITSTATUS(how) == HRR_OK || WEXITSTATUS(how) == HRR_EIO);
        n_failed += WEXITSTATUS(how) != HRR_OK;
        assert_makes_on(path);
    }
    assert_true(n_failed > 5 && n_failed < 24);
}

/* ---- the disk ------------------------------------------------------------------------------- */

/* A child that may write files of at most `room` bytes charges until it cannot. */
static void test_full_disk__nothing_is_lost(void **state)
{
    const char *path = in_dir(*state, "l");
    make_ledger(path, 2);
    struct stat file;
    assert_int_equal(stat(path, &file), 0);
    int how;
    if (fork() == 0) {
        hrr_error err = {0};
        struct rlimit room = {(rlim_t)file.st_size, (rlim_t)file.st_size};
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &room);
        hrr_status status = HRR_OK;
        int n = 0;
        for (; n < 100 && !status; n++)
            status = try_charge(path, &err);
        _exit(status == HRR_EIO ? n - 1 : 200);
    }
    wait(&how);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) < 100);
    size_t n;
    assert_ok(check(path, &n, NULL));
    assert_int_equal(n, 2 + WEXITSTATUS(how));
    hrr_error err = {0};
    assert_ok(try_charge(path, &err)); /* there is room again */
}

/* In a child that is not root, for whom permissions mean something. */
static void test_read_only__is_named_and_still_readable(void **state)
{
    const char *path = in_dir(*state, "l"), *other = in_dir(*state, "other");
    make_ledger(path, 2);
    chmod(path, 0444);
    chmod(in_dir(*state, "l.key"), 0444);
    chmod(*state, 0555);
    int how;
    if (fork() == 0) {
        hrr_error err = {0};
        size_t n;
        if (geteuid() == 0 && setuid(65534) != 0) _exit(77);
        if (try_charge(path, &err) != HRR_EIO || !strstr(err.message, "read-only")) _exit(1);
        if (try_charge(other, &err) != HRR_EIO || !strstr(err.message, "cannot create")) _exit(2);
        if (check(path, &n, &err) != HRR_OK || n != 2) _exit(3);
        _exit(0);
    }
    wait(&how);
    chmod(*state, 0777);
    chmod(path, 0666);
    assert_true(WIFEXITED(how));
    assert_int_equal(WEXITSTATUS(how), 0);
    /* A file that may be written in a directory that may not: no journal, no charge. */
    chmod(*state, 0555);
    if (fork() == 0) {
        hrr_error err = {0};
        if (geteuid() == 0 && setuid(65534) != 0) _exit(77);
        if (try_charge(path, &err) != HRR_EIO || !strstr(err.message, "writable")) _exit(1);
        _exit(0);
    }
    wait(&how);
    chmod(*state, 0777);
    assert_true(WIFEXITED(how));
    assert_int_equal(WEXITSTATUS(how), 0);
}

/* ---- lost and foreign files ----------------------------------------------------------------- */

static void run_sql(const char *path, const char *sql)
{
    sqlite3 *database;
    char *words = NULL;
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    if (sqlite3_exec(database, sql, NULL, NULL, &words)) print_error("%s: %s\n", sql, words);
    assert_null(words);
    sqlite3_close(database);
}

static void test_foreign__files_are_not_taken_for_ledgers(void **state)
{
    const char *path = in_dir(*state, "other");
    write_text(path, "this is a text and not a database at all, whatever its name may say\n");
    assert_refused(path, "is not a ledger");
    unlink(path);
    run_sql(path, "CREATE TABLE t (x); INSERT INTO t VALUES (1)");
    assert_refused(path, "of another program");
    unlink(path);
    run_sql(path, "PRAGMA application_id = 1752330860; PRAGMA user_version = 3;"
                  "CREATE TABLE entry (number)");
    assert_refused(path, "newer heterorr");
    run_sql(path, "PRAGMA user_version = 1");
    assert_refused(path, "is a ledger of version 1");

    hrr_error err = {0};
    size_t n;
    assert_int_equal(check(in_dir(*state, "missing"), &n, &err), HRR_EIO);
    assert_says(err, "there is no ledger");
    assert_int_equal(access(in_dir(*state, "missing"), F_OK), -1);
    assert_int_equal(try_charge(*state, &err), HRR_EIO); /* a directory */
    assert_int_equal(try_charge(in_dir(*state, "no/such/place"), &err), HRR_EIO);
    write_text(path, "");
    assert_int_equal(check(path, &n, &err), HRR_ECHECK);
    assert_says(err, "is empty");
}

static void test_lost__key_or_ledger_is_noticed(void **state)
{
    const char *path = in_dir(*state, "l"), *key = in_dir(*state, "l.key");
    const char *aside = in_dir(*state, "aside");
    hrr_error err = {0};
    size_t n;
    bool with_key;
    make_ledger(path, 2);
    make_ledger(in_dir(*state, "m"), 1);

    assert_int_equal(rename(key, aside), 0);
    assert_int_equal(try_charge(path, &err), HRR_EDATA);
    assert_says(err, "the key of the ledger is missing,");
    assert_ok(hrr_ledger_check(&n, &with_key, path, NULL, NULL)); /* as an auditor would */
    assert_int_equal(n, 2);
    assert_false(with_key);
    write_text(key, "heterorr ledger key 1\nnot hexadecimal\n");
    assert_refused(path, "is not the key of a ledger");
    assert_int_equal(rename(in_dir(*state, "m.key"), key), 0);
    assert_refused(path, "is not the key of this ledger");
    assert_int_equal(rename(aside, key), 0);
    assert_ok(try_charge(path, NULL));

    assert_int_equal(rename(path, aside), 0);
    assert_int_equal(try_charge(path, &err), HRR_EDATA);
    assert_says(err, "moved or lost");
    assert_int_equal(access(path, F_OK), -1);
    write_text(path, "");
    assert_refused(path, "is empty");
    assert_int_equal(rename(aside, path), 0);
    assert_ok(try_charge(path, NULL));

    /* A journal would be played back into whatever ledger is made in its place. */
    assert_int_equal(rename(path, aside), 0);
    assert_int_equal(unlink(key), 0);
    write_text(in_dir(*state, "l-journal"), "what is left of a ledger\n");
    assert_int_equal(try_charge(path, &err), HRR_EDATA);
    assert_says(err, "there is a journal");
    assert_int_equal(access(path, F_OK), -1);
}

/* ---- damage --------------------------------------------------------------------------------- */

#define UNLOCK "DROP TRIGGER entry_is_kept; DROP TRIGGER entry_stays; "
#define LOCK                                                                                       \
    "; CREATE TRIGGER entry_is_kept BEFORE DELETE ON entry BEGIN "                                 \
    "SELECT RAISE(ABORT, 'an entry of a ledger is never removed'); END;"                           \
    "CREATE TRIGGER entry_stays BEFORE UPDATE ON entry BEGIN "                                     \
    "SELECT RAISE(ABORT, 'an entry of a ledger is never changed'); END"

/* By somebody who knows SQL and puts the triggers back. */
static void test_tampering__is_noticed(void **state)
{
    static const struct {
        const char *sql, *says;
    } cases[] = {
        {"UPDATE entry SET eps_features = 1 WHERE number = 3", "entry 3 does not match the hash"},
        {"UPDATE entry SET eps_edges = 1 WHERE number = 3", "entry 3 does not match the hash"},
        {"UPDATE entry SET eps_labels = 1 WHERE number = 3", "entry 3 does not match the hash"},
        {"UPDATE entry SET eps_labels = -1 WHERE number = 3", "entry 3 cannot be read;"},
        {"UPDATE entry SET eps_edges = NULL WHERE number = 3", "entry 3 cannot be read;"},
        {"UPDATE entry SET delta = .5 WHERE number = 3", "entry 3 does not match the hash"},
        {"UPDATE entry SET unbounded = 1 WHERE number = 3", "entry 3 does not match the hash"},
        {"UPDATE entry SET time = time + 1 WHERE number = 1", "entry 1 does not match the hash"},
        {"UPDATE entry SET text = 'x' WHERE number = 2", "entry 2 does not match the hash"},
        {"UPDATE entry SET account = 'x' WHERE number = 1", "entry 1 does not"},
        {"UPDATE entry SET account = NULL WHERE number = 1", "entry 1 cannot be read;"},
        {"UPDATE entry SET graph = zeroblob(32) WHERE number = 1", "entry 1 does not"},
        {"UPDATE entry SET clipped = zeroblob(32) WHERE number = 1", "entry 1 does not"},
        {"UPDATE entry SET pairs = zeroblob(32) WHERE number = 1", "entry 1 does not"},
        {"UPDATE entry SET features = zeroblob(32) WHERE number = 1", "entry 1 does not"},
        {"UPDATE entry SET edges = zeroblob(32) WHERE number = 1", "entry 1 does not"},
        {"UPDATE entry SET labels = zeroblob(32) WHERE number = 1", "entry 1 does not"},
        {"UPDATE entry SET request = zeroblob(32) WHERE number = 1", "entry 1 does not"},
        {"UPDATE entry SET certificate = zeroblob(32) WHERE number = 2", "entry 2 does not"},
        {"UPDATE entry SET charge = 3 WHERE number = 2", "entry 2 does not"},
        {"UPDATE entry SET kind = 7 WHERE number = 2", "entry 2 cannot be read;"},
        {"UPDATE entry SET link = zeroblob(31) WHERE number = 2", "entry 2 cannot be read;"},
        {"UPDATE entry SET number = 9 WHERE number = 4", "entry 4 is missing"},
        {"DELETE FROM entry WHERE number = 2", "entry 2 is missing"},
        {"DELETE FROM entry WHERE number = 4", "ends with entry 3"},
        {"DELETE FROM entry", "ends with entry 0"},
        {"UPDATE ledger SET id = zeroblob(16)", "not the key of this ledger"},
        {"UPDATE ledger SET id = zeroblob(15)", "the ledger has lost its identifier;"},
        {"UPDATE ledger SET seal = zeroblob(32)", "ends with entry 4"},
        /* Cut off with care: without the key the seal cannot be made. */
        {"DELETE FROM entry WHERE number = 4; UPDATE ledger SET n_entries = 3, "
         "link = (SELECT link FROM entry WHERE number = 3)",
         "ends with entry 3"},
        {"DELETE FROM ledger", "the ledger has lost its identifier;"},
        {"UPDATE ledger SET key_check = NULL", "does not say which key"},
        {"UPDATE ledger SET key_check = NULL, n_entries = 0", "does not say which key"},
        {"UPDATE ledger SET key_check = NULL; DELETE FROM entry", "does not say which key"},
        {"CREATE TABLE more (x)", "tables of the ledger were changed"},
    };
    const char *path = in_dir(*state, "l");
    make_ledger(path, 3);
    size_t size;
    char *good = read_file(path, &size), sql[2000];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_file(path, good, size);
        snprintf(sql, sizeof sql, UNLOCK "%s" LOCK, cases[i].sql);
        run_sql(path, sql);
        assert_refused(path, cases[i].says);
    }
    write_file(path, good, size);
    run_sql(path, "DROP TRIGGER entry_stays");
    assert_refused(path, "tables of the ledger were changed");
    write_file(path, good, size);
    hrr_error err = {0};
    assert_ok(try_charge(path, &err));
    free(good);
}

/* By somebody who can write the ledger and lacks the key. Whatever he makes of it, it is not sealed
 * for him when it is opened next. */
static void test_tampering__an_emptied_ledger_is_not_sealed_anew(void **state)
{
    const char *path = in_dir(*state, "l"), *other = in_dir(*state, "other");
    make_ledger(path, 3);
    hrr_ledger *ledger = ledger_at(other); /* as new: a key, and no entry */
    hrr_ledger_free(ledger);
    size_t size, n, new_size;
    char *good = read_file(path, &size), *new_one = read_file(other, &new_size);
    static const char *const attacks[] = {
        /* The whole of it: what a ledger looks like that was made a moment ago. */
        UNLOCK "DELETE FROM entry; UPDATE ledger SET key_check = NULL, seal = NULL, n_entries = 0, "
               "link = x''" LOCK,
        /* With another identity, as if it were another ledger. */
        UNLOCK "DELETE FROM entry; UPDATE ledger SET id = randomblob(16), key_check = NULL, "
               "seal = NULL, n_entries = 0" LOCK,
        UNLOCK "DELETE FROM entry; UPDATE ledger SET seal = NULL, n_entries = 0" LOCK,
        UNLOCK
        "DELETE FROM entry; UPDATE ledger SET key_check = randomblob(32), n_entries = 0" LOCK,
    };
    static const char *const says[] = {"emptied or replaced", "emptied or replaced",
                                       "which is not the last one that was written;",
                                       "not the key of this ledger"};
    for (size_t i = 0; i < sizeof attacks / sizeof *attacks; i++) {
        hrr_error err = {0};
        write_file(path, good, size);
        run_sql(path, attacks[i]);
        char *left = read_file(path, &n);
        assert_refused(path, says[i]);
        assert_int_equal(try_charge(path, &err), HRR_EDATA); /* and is refused a second time */
        size_t after;
        char *now = read_file(path, &after);
        assert_int_equal(n, after); /* nothing was written */
        assert_memory_equal(left, now, n);
        free(left);
        free(now);
    }
    /* Another ledger in its place, with and without what it says of its own key. */
    write_file(path, new_one, new_size);
    assert_refused(path, "not the key of this ledger");
    run_sql(path, "UPDATE ledger SET key_check = NULL, seal = NULL");
    assert_refused(path, "emptied or replaced");
    write_file(path, good, size);
    assert_ok(check(path, &n, NULL));
    assert_int_equal(n, 3);
    free(good);
    free(new_one);
}

/* A key that is made anew would hide that the old one is gone. */
static void test_tampering__no_key_is_made_for_a_ledger_with_entries(void **state)
{
    const char *path = in_dir(*state, "l"), *key = in_dir(*state, "l.key");
    make_ledger(path, 3);
    run_sql(path, "UPDATE ledger SET key_check = NULL");
    assert_int_equal(unlink(key), 0);
    size_t before, after;
    char *left = read_file(path, &before);
    assert_refused(path, "does not say which key");
    assert_int_not_equal(access(key, F_OK), 0);
    char *now = read_file(path, &after);
    assert_int_equal(before, after);
    assert_memory_equal(left, now, before);
    free(left);
    free(now);
}

/* The triggers stop those who do not mean harm. */
static void test_tampering__entries_cannot_be_changed_by_mistake(void **state)
{
    const char *path = in_dir(*state, "l");
    make_ledger(path, 2);
    sqlite3 *database;
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    assert_int_not_equal(sqlite3_exec(database, "DELETE FROM entry", NULL, NULL, NULL), SQLITE_OK);
    assert_string_equal(sqlite3_errmsg(database), "an entry of a ledger is never removed");
    assert_int_not_equal(sqlite3_exec(database, "UPDATE entry SET time = 0", NULL, NULL, NULL),
                         SQLITE_OK);
    sqlite3_close(database);
}

/* A file with a byte flipped is either refused or, where the byte means nothing (unused space of a
 * page, counters), whole: what is read is what was written. Every 7th byte keeps it short. */
static void test_damage__no_flipped_byte_changes_what_was_spent(void **state)
{
    const char *path = in_dir(*state, "l");
    make_ledger(path, 4);
    size_t size, n, n_refused = 0;
    char *good = read_file(path, &size);
    for (size_t at = 0; at < size; at += 7) {
        char *bad = malloc(size);
        memcpy(bad, good, size);
        bad[at] = (char)(bad[at] ^ 0x11);
        write_file(path, bad, size);
        free(bad);
        hrr_status status = check(path, &n, NULL);
        assert_true(status == HRR_OK || status == HRR_ECHECK || status == HRR_EIO);
        if (status == HRR_OK) assert_int_equal(n, 4);
        n_refused += status != HRR_OK;
        unlink(in_dir(*state, "l-journal"));
        unlink(in_dir(*state, "l-wal"));
        unlink(in_dir(*state, "l-shm"));
    }
    assert_true(n_refused > 100);
    free(good);
}

static void test_damage__a_cut_file_is_refused(void **state)
{
    const char *path = in_dir(*state, "l");
    make_ledger(path, 40);
    size_t size, n;
    char *good = read_file(path, &size);
    assert_true(size > 8192);
    for (size_t left = 1; left < size; left += 509) {
        hrr_error err = {0};
        write_file(path, good, left);
        assert_int_equal(check(path, &n, &err), HRR_ECHECK);
        assert_int_equal(try_charge(path, &err), HRR_EDATA);
    }
    free(good);
}

/* A clock that goes backwards changes nothing: the order is that of the numbers. */
static void test_clock__may_go_backwards(void **state)
{
    hrr_ledger *ledger = ledger_at(in_dir(*state, "l"));
    hrr_chain chain;
    hrr_ledger_list list;
    for (int64_t time = 3; time > 0; time--) {
        hrr_entry entry = {.kind = HRR_ENTRY_CHARGE, .time = time, .text = "", .account = ""};
        assert_ok(hrr_ledger_run(ledger, "BEGIN IMMEDIATE", NULL));
        assert_ok(hrr_chain_read(&chain, &list, ledger, NULL));
        hrr_ledger_list_clear(&list);
        assert_ok(hrr_ledger_end(ledger, hrr_chain_append(&chain, &entry, ledger, NULL), NULL));
    }
    assert_ok(hrr_ledger_read(&list, ledger, NULL));
    assert_int_equal(list.n_rows, 3);
    assert_int_equal(list.rows[2].time, 1);
    hrr_ledger_list_clear(&list);
    hrr_ledger_free(ledger);
}

/* Another program switched it to a write-ahead log; charges go on in one file. */
static void test_journal__is_put_back(void **state)
{
    const char *path = in_dir(*state, "l");
    make_ledger(path, 1);
    run_sql(path, "PRAGMA journal_mode = WAL");
    hrr_error err = {0};
    assert_ok(try_charge(path, &err));
    size_t size;
    char *bytes = read_file(path, &size);
    assert_int_equal(bytes[18], 1); /* "file format write version": 2 is a write-ahead log */
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCRATCH(test_kill__every_charge_that_returned_is_there),
        WITH_SCRATCH(test_race__the_limit_is_reached_and_never_passed),
        WITH_SCRATCH(test_lock__is_waited_for_and_then_named),
        WITH_SCRATCH(test_making__killed_at_every_system_call),
        WITH_SCRATCH(test_making__on_a_full_disk),
        WITH_SCRATCH(test_full_disk__nothing_is_lost),
        WITH_SCRATCH(test_read_only__is_named_and_still_readable),
        WITH_SCRATCH(test_foreign__files_are_not_taken_for_ledgers),
        WITH_SCRATCH(test_lost__key_or_ledger_is_noticed),
        WITH_SCRATCH(test_tampering__is_noticed),
        WITH_SCRATCH(test_tampering__an_emptied_ledger_is_not_sealed_anew),
        WITH_SCRATCH(test_tampering__no_key_is_made_for_a_ledger_with_entries),
        WITH_SCRATCH(test_tampering__entries_cannot_be_changed_by_mistake),
        WITH_SCRATCH(test_damage__no_flipped_byte_changes_what_was_spent),
        WITH_SCRATCH(test_damage__a_cut_file_is_refused),
        WITH_SCRATCH(test_clock__may_go_backwards),
        WITH_SCRATCH(test_journal__is_put_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
