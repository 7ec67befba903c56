/* draw_log.c: see draw_log.h. A stream's draws are noted when its cursor moves on or is freed. */
#include "support/draw_log.h"
#include "support/check.h"
#include "random/generator.h"
#include "random/stream.h"

#include <pthread.h>
#include <stdlib.h>

hrr_status __real_hrr_stream_new(hrr_stream **out, const hrr_random *random, hrr_error *err);
void __real_hrr_stream_seek(hrr_stream *stream, hrr_purpose purpose, uint64_t row);
void __real_hrr_stream_free(hrr_stream *stream);
hrr_status __wrap_hrr_stream_new(hrr_stream **out, const hrr_random *random, hrr_error *err);
void __wrap_hrr_stream_seek(hrr_stream *stream, hrr_purpose purpose, uint64_t row);
void __wrap_hrr_stream_free(hrr_stream *stream);

typedef struct drawn {
    unsigned char key[hrr_key_size];
    hrr_purpose purpose;
    uint64_t row, n_blocks;
} drawn;

typedef struct cursor {
    const hrr_stream *stream;
    unsigned char key[hrr_key_size];
} cursor;

enum { most_cursors = 64 }; /* open at once: one a thread */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cursor cursors[most_cursors];
static drawn *entries;
static size_t n_entries, capacity;

/* ---- writing -------------------------------------------------------------------------------- */

/* The cursor of the stream; NULL: a place for a new one. */
static cursor *find(const hrr_stream *stream)
{
    for (int i = 0; i < most_cursors; i++)
        if (cursors[i].stream == stream) return &cursors[i];
    abort(); /* more threads than there is room for */
}

/* Blocks of which a byte was drawn; what lies in the buffer was not. */
static uint64_t blocks_drawn(const hrr_stream *stream)
{
    const uint64_t blocks_per_stream = UINT64_C(1) << 40;
    if (stream->blocks_left == 0) return 0; /* it stands nowhere yet */
    return blocks_per_stream - stream->blocks_left -
           (stream->filled - stream->used) / hrr_block_size;
}

static void note(const hrr_stream *stream)
{
    const uint64_t n_blocks = blocks_drawn(stream);
    if (n_blocks == 0) return;
    pthread_mutex_lock(&lock);
    if (n_entries == capacity) {
        capacity = 2 * capacity + 1024;
        entries = realloc(entries, capacity * sizeof *entries);
        if (!entries) abort();
    }
    drawn *entry = &entries[n_entries++];
    *entry = (drawn){.purpose = stream->purpose, .row = stream->row, .n_blocks = n_blocks};
    memcpy(entry->key, find(stream)->key, hrr_key_size);
    pthread_mutex_unlock(&lock);
}

hrr_status __wrap_hrr_stream_new(hrr_stream **out, const hrr_random *random, hrr_error *err)
{
    hrr_status status = __real_hrr_stream_new(out, random, err);
    if (status) return status;
    pthread_mutex_lock(&lock);
    cursor *place = find(NULL);
    place->stream = *out;
    memcpy(place->key, random->key, hrr_key_size);
    pthread_mutex_unlock(&lock);
    return HRR_OK;
}

void __wrap_hrr_stream_seek(hrr_stream *stream, hrr_purpose purpose, uint64_t row)
{
    note(stream);
    __real_hrr_stream_seek(stream, purpose, row);
}

void __wrap_hrr_stream_free(hrr_stream *stream)
{
    if (!stream) return;
    note(stream);
    pthread_mutex_lock(&lock);
    find(stream)->stream = NULL;
    pthread_mutex_unlock(&lock);
    __real_hrr_stream_free(stream);
}

/* ---- reading -------------------------------------------------------------------------------- */

static int by_address(const void *a, const void *b)
{
    const drawn *x = a, *y = b;
    if (x->purpose != y->purpose) return x->purpose < y->purpose ? -1 : 1;
    const int keys = memcmp(x->key, y->key, hrr_key_size);
    if (keys != 0) return keys;
    return (x->row > y->row) - (x->row < y->row);
}

static void sort(void)
{
    if (n_entries > 1) qsort(entries, n_entries, sizeof *entries, by_address);
}

void draw_log_clear(void)
{
    n_entries = 0;
}

size_t draw_log_check_once(void)
{
    sort();
    for (size_t i = 1; i < n_entries; i++) {
        if (by_address(&entries[i - 1], &entries[i]) != 0) continue;
        print_error("purpose %d, row %llu: blocks 0..%llu and 0..%llu were drawn under one key\n",
                    (int)entries[i].purpose, (unsigned long long)entries[i].row,
                    (unsigned long long)entries[i - 1].n_blocks - 1,
                    (unsigned long long)entries[i].n_blocks - 1);
        fail();
    }
    return n_entries;
}

size_t draw_log_count(hrr_purpose purpose)
{
    size_t n = 0;
    for (size_t i = 0; i < n_entries; i++)
        n += entries[i].purpose == purpose;
    return n;
}

size_t draw_log_count_keys(hrr_purpose purpose)
{
    size_t n = 0;
    const unsigned char *key = NULL;
    sort();
    for (size_t i = 0; i < n_entries; i++) {
        if (entries[i].purpose != purpose) continue;
        n += !key || memcmp(key, entries[i].key, hrr_key_size) != 0;
        key = entries[i].key;
    }
    return n;
}

void draw_log_check_rows(hrr_purpose purpose, uint64_t begin, uint64_t end)
{
    uint64_t next = begin;
    sort();
    for (size_t i = 0; i < n_entries; i++) {
        if (entries[i].purpose != purpose) continue;
        if (entries[i].row != next)
            print_error("purpose %d: row %llu was drawn from where %llu was expected\n",
                        (int)purpose, (unsigned long long)entries[i].row, (unsigned long long)next);
        assert_true(entries[i].row == next);
        next++;
    }
    assert_true(next == end);
}
