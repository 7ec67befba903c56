/* draw_log.h: every address from which a test program draws.
 *
 * Two secrets hidden by the same draws are told by their difference, so no address (key, purpose,
 * row, block) may be drawn from twice: not in one release, nor in two. A program that links
 * hrr_draw_log keeps a log of them. The linker puts the log between the library and its streams
 * (--wrap in tests/CMakeLists.txt), so that the library is the one that is shipped, and pays
 * nothing.
 *
 * A cursor begins at block 0 of a stream and only goes forward (tests/random/test_stream.c): the
 * blocks drawn between two seeks are 0 .. n-1, and a stream that is drawn from twice shows. */
#ifndef TESTS_SUPPORT_DRAW_LOG_H
#define TESTS_SUPPORT_DRAW_LOG_H

#include <heterorr/random.h>

/* Forget what was drawn. */
void draw_log_clear(void);

/* Fails the test, naming the first address that was drawn from twice. Returns the number of
 * streams that were drawn from. */
size_t draw_log_check_once(void);

/* How many streams of the purpose were drawn from, over all keys. */
size_t draw_log_count(hrr_purpose purpose);

/* How many keys were used for the purpose. */
size_t draw_log_count_keys(hrr_purpose purpose);

/* Fails the test unless the rows of the purpose that were drawn from are [begin, end), under one
 * key. */
void draw_log_check_rows(hrr_purpose purpose, uint64_t begin, uint64_t end);

#endif
