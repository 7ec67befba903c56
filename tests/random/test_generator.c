#include "random/stream.h"
#include "support/check.h"
#include "support/brutal.h"
#include "support/death.h"

#include <heterorr/random.h>

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint64_t first_draw(const hrr_random *random)
{
    hrr_stream *stream;
    assert_ok(hrr_stream_new(&stream, random, NULL));
    hrr_stream_seek(stream, HRR_PURPOSE_TEST, 0);
    uint64_t word = hrr_stream_u64(stream);
    hrr_stream_free(stream);
    return word;
}

static void test_generator__two_keys_from_the_system_differ(void **state)
{
    (void)state;
    hrr_random *a, *b;
    assert_ok(hrr_random_new(&a, NULL));
    assert_ok(hrr_random_new(&b, NULL));
    assert_false(hrr_random_is_insecure(a));
    assert_true(first_draw(a) != first_draw(b)); /* a false failure: 2^-64 */
    hrr_random_free(a);
    hrr_random_free(b);
}

static void test_generator__a_seed_repeats_and_says_so(void **state)
{
    (void)state;
    hrr_random *a, *b, *c;
    assert_ok(hrr_random_new_insecure(&a, 7, NULL));
    assert_ok(hrr_random_new_insecure(&b, 7, NULL));
    assert_ok(hrr_random_new_insecure(&c, 8, NULL));
    assert_true(hrr_random_is_insecure(a));
    assert_true(first_draw(a) == first_draw(b));
    assert_true(first_draw(a) != first_draw(c));
    hrr_random_free(a);
    hrr_random_free(b);
    hrr_random_free(c);
    hrr_random_free(NULL);
}

/* From now on this process's getrandom(2) fails with ENOSYS. */
static bool take_entropy_away(void)
{
    struct sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getrandom, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {sizeof program / sizeof program[0], program};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

static void new_without_entropy(void *user)
{
    (void)user;
    if (!take_entropy_away()) return;
    hrr_random *random;
    (void)!hrr_random_new(&random, NULL);
}

static void test_generator__no_entropy_stops_the_process(void **state)
{
    (void)state;
    assert_true(
        aborts_saying("the operating system provides no entropy", new_without_entropy, NULL));
}

/* An allocator that looks at each block as it comes back. The size is kept in front of it. */
enum { front = 16 };
static size_t bytes_released, bytes_not_wiped;

static void *allocate_sized(size_t size)
{
    char *block = malloc(front + size);
    if (!block) return NULL;
    memcpy(block, &size, sizeof size);
    return block + front;
}

static void release_and_look(void *block)
{
    size_t size;
    memcpy(&size, (char *)block - front, sizeof size);
    bytes_released += size;
    for (size_t i = 0; i < size; i++)
        bytes_not_wiped += ((char *)block)[i] != 0;
    free((char *)block - front);
}

static void test_generator__memory_comes_back_wiped(void **state)
{
    (void)state;
    static const hrr_allocator looking = {allocate_sized, NULL, release_and_look};
    hrr_random *random;
    hrr_stream *stream;
    hrr_set_allocator(&looking);
    assert_ok(hrr_random_new(&random, NULL));
    assert_ok(hrr_stream_new(&stream, random, NULL));
    hrr_stream_seek(stream, HRR_PURPOSE_TEST, 0);
    hrr_stream_u64(stream);
    hrr_stream_free(stream);
    hrr_random_free(random);
    hrr_set_allocator(NULL);
    assert_true(bytes_released > 256);
    assert_int_equal(bytes_not_wiped, 0);
}

static hrr_status make_both(void *user)
{
    (void)user;
    hrr_random *secure = NULL, *seeded = NULL;
    hrr_stream *stream = NULL;
    hrr_status status = hrr_random_new(&secure, NULL);
    if (!status) status = hrr_random_new_insecure(&seeded, 1, NULL);
    if (!status) status = hrr_stream_new(&stream, secure, NULL);
    hrr_stream_free(stream);
    hrr_random_free(seeded);
    hrr_random_free(secure);
    return status;
}

static void test_generator__survives_running_out_of_memory(void **state)
{
    (void)state;
    assert_int_equal(brutal(make_both, NULL), 3);
}

static void test_generator__children_share_no_draws_and_can_be_repeated(void **state)
{
    (void)state;
    hrr_random *parent, *again, *child[3], *repeated;
    assert_ok(hrr_random_new_insecure(&parent, 5, NULL));
    assert_ok(hrr_random_new_insecure(&again, 5, NULL));
    for (int i = 0; i < 3; i++)
        assert_ok(hrr_random_new_child(&child[i], parent, NULL));
    assert_ok(hrr_random_new_child(&repeated, again, NULL));
    assert_true(hrr_random_is_insecure(child[0]));
    assert_true(first_draw(child[0]) == first_draw(repeated));
    assert_true(first_draw(child[0]) != first_draw(child[1]));
    assert_true(first_draw(child[0]) != first_draw(child[2]));
    assert_true(first_draw(child[1]) != first_draw(child[2]));
    assert_true(first_draw(child[0]) != first_draw(parent));
    for (int i = 0; i < 3; i++)
        hrr_random_free(child[i]);
    hrr_random_free(repeated);
    hrr_random_free(again);
    hrr_random_free(parent);
    assert_ok(hrr_random_new(&parent, NULL));
    assert_ok(hrr_random_new_child(&child[0], parent, NULL));
    assert_false(hrr_random_is_insecure(child[0]));
    hrr_random_free(child[0]);
    hrr_random_free(parent);
}

static hrr_status make_child(void *user)
{
    (void)user;
    hrr_random *parent = NULL, *child = NULL;
    hrr_status status = hrr_random_new_insecure(&parent, 1, NULL);
    if (!status) status = hrr_random_new_child(&child, parent, NULL);
    hrr_random_free(child);
    hrr_random_free(parent);
    return status;
}

static void test_generator__a_child_survives_running_out_of_memory(void **state)
{
    (void)state;
    assert_int_equal(brutal(make_child, NULL), 3);
}

static void draw_once(void *random)
{
    (void)first_draw(random);
}

/* A child process would draw what its parent draws. A seeded one may: it hides nothing. */
static void test_generator__stops_the_process_after_a_fork(void **state)
{
    (void)state;
    hrr_random *secure, *child, *seeded;
    assert_ok(hrr_random_new(&secure, NULL));
    assert_ok(hrr_random_new_child(&child, secure, NULL));
    assert_ok(hrr_random_new_insecure(&seeded, 1, NULL));
    draw_once(secure); /* on this side of the fork it draws */
    assert_true(aborts_saying("after fork()", draw_once, secure));
    assert_true(aborts_saying("after fork()", draw_once, child));
    assert_false(aborts_saying("", draw_once, seeded));
    hrr_random_free(secure);
    hrr_random_free(child);
    hrr_random_free(seeded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_generator__two_keys_from_the_system_differ),
        cmocka_unit_test(test_generator__a_seed_repeats_and_says_so),
        cmocka_unit_test(test_generator__no_entropy_stops_the_process),
        cmocka_unit_test(test_generator__stops_the_process_after_a_fork),
        cmocka_unit_test(test_generator__memory_comes_back_wiped),
        cmocka_unit_test(test_generator__survives_running_out_of_memory),
        cmocka_unit_test(test_generator__children_share_no_draws_and_can_be_repeated),
        cmocka_unit_test(test_generator__a_child_survives_running_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
