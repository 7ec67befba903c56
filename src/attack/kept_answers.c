/* kept_answers.c: see kept_answers.h.
 *
 * The file is a line of text, then records of
 *
 *     SHA-256 of the question, 32 bytes;  n, 8 bytes;  n doubles;  SHA-256 of these n + 1 and the
 *     question's, 32 bytes
 *
 * in the byte order of the machine: it is for the one that the attack runs on. A record whose last
 * hash is not right is the end of the file. */
#include "attack/kept_answers.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char first_line[] = "heterorr answers of a service, format 1\n";
enum { head_size = hrr_sha256_size + sizeof(uint64_t) };

typedef struct record {
    uint8_t question[hrr_sha256_size];
    uint64_t n, at; /* where its numbers begin */
} record;

struct hrr_kept_answers {
    int fd;
    char *path;
    uint64_t size; /* of the file, up to its last whole record */
    record *records;
    size_t n_records, room;
};

void hrr_kept_answers_close(hrr_kept_answers *kept)
{
    if (!kept) return;
    if (kept->fd >= 0) close(kept->fd);
    hrr_free(kept->records);
    hrr_free(kept->path);
    hrr_free(kept);
}

static hrr_status seal(uint8_t out[hrr_sha256_size], const uint8_t question[hrr_sha256_size],
                       const double *answer, uint64_t n, hrr_error *err)
{
    hrr_hash hash;
    hrr_hash_init(&hash);
    hrr_hash_add(&hash, question, hrr_sha256_size);
    hrr_hash_u64(&hash, n);
    hrr_hash_add(&hash, answer, n * sizeof *answer);
    return hrr_hash_finish(out, &hash, err);
}

static hrr_status remember(hrr_kept_answers *kept, const record *found, hrr_error *err)
{
    if (kept->n_records == kept->room) {
        const size_t room = kept->room ? 2 * kept->room : 64;
        record *records = hrr_resize(kept->records, room, sizeof *records);
        if (!records) return hrr_no_memory(err);
        kept->records = records;
        kept->room = room;
    }
    kept->records[kept->n_records++] = *found;
    return HRR_OK;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* The record that begins at the end of what is known; *whole false: there is none. */
static hrr_status read_record(hrr_kept_answers *kept, bool *whole, uint64_t file_size,
                              hrr_error *err)
{
    uint8_t head[head_size], last[hrr_sha256_size], right[hrr_sha256_size];
    record found = {.at = kept->size + head_size};
    *whole = false;
    if (pread(kept->fd, head, sizeof head, (off_t)kept->size) != sizeof head) return HRR_OK;
    memcpy(found.question, head, sizeof found.question);
    memcpy(&found.n, head + hrr_sha256_size, sizeof found.n);
    if (found.n > file_size / sizeof(double)) return HRR_OK;
    const size_t bytes = found.n * sizeof(double);
    double *answer = hrr_alloc(found.n, sizeof *answer);
    if (!answer) return hrr_no_memory(err);
    hrr_status status = HRR_OK;
    if (pread(kept->fd, answer, bytes, (off_t)found.at) == (ssize_t)bytes &&
        pread(kept->fd, last, sizeof last, (off_t)(found.at + bytes)) == sizeof last) {
        status = seal(right, found.question, answer, found.n, err);
        *whole = !status && memcmp(last, right, sizeof last) == 0;
    }
    hrr_free(answer);
    if (!*whole) return status;
    kept->size = found.at + bytes + sizeof last;
    return remember(kept, &found, err);
}

static hrr_status fail(const hrr_kept_answers *kept, const char *what, hrr_error *err)
{
    return hrr_fail(err, HRR_EIO, "%s cannot be %s: %s", kept->path, what, strerror(errno));
}

static hrr_status read_all(hrr_kept_answers *kept, hrr_error *err)
{
    char line[sizeof first_line - 1];
    struct stat about;
    bool whole = true;
    if (flock(kept->fd, LOCK_EX | LOCK_NB) != 0)
        return hrr_fail(err, HRR_EDATA,
                        "%s: another attack is writing this file; wait until it has finished, or "
                        "choose another file",
                        kept->path);
    if (fstat(kept->fd, &about) != 0) return fail(kept, "read", err);
    kept->size = sizeof line;
    if (about.st_size == 0)
        return write(kept->fd, first_line, sizeof line) == sizeof line ? HRR_OK
                                                                       : fail(kept, "written", err);
    if (pread(kept->fd, line, sizeof line, 0) != sizeof line ||
        memcmp(line, first_line, sizeof line) != 0)
        return hrr_fail(
            err, HRR_EDATA,
            "%s: exists, but does not contain answers of a service; choose another file",
            kept->path);
    hrr_status status = HRR_OK;
    while (whole && !status)
        status = read_record(kept, &whole, (uint64_t)about.st_size, err);
    if (!status && ftruncate(kept->fd, (off_t)kept->size) != 0) status = fail(kept, "written", err);
    return status;
}

hrr_status hrr_kept_answers_open(hrr_kept_answers **out, const char *path, hrr_error *err)
{
    *out = NULL;
    hrr_kept_answers *made = hrr_alloc_zero(1, sizeof *made);
    if (!made) return hrr_no_memory(err);
    made->fd = -1;
    hrr_status status = (made->path = hrr_copy_text(path)) ? HRR_OK : hrr_no_memory(err);
    if (!status) {
        made->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        status = made->fd < 0 ? fail(made, "opened", err) : read_all(made, err);
    }
    if (status) {
        hrr_kept_answers_close(made);
        return status;
    }
    *out = made;
    return HRR_OK;
}

/* ---- answers --------------------------------------------------------------------------------- */

/* An attack asks in the same order again, so that the next one is mostly the next. Workload: some
 * thousand questions, each of which took a request. */
bool hrr_kept_answers_find(hrr_kept_answers *kept, const uint8_t question[hrr_sha256_size],
                           double *answer, uint64_t n)
{
    for (size_t i = 0; i < kept->n_records; i++) {
        const record *r = &kept->records[i];
        if (r->n != n || memcmp(r->question, question, hrr_sha256_size) != 0) continue;
        const size_t bytes = n * sizeof *answer;
        return pread(kept->fd, answer, bytes, (off_t)r->at) == (ssize_t)bytes;
    }
    return false;
}

hrr_status hrr_kept_answers_add(hrr_kept_answers *kept, const uint8_t question[hrr_sha256_size],
                                const double *answer, uint64_t n, hrr_error *err)
{
    const size_t numbers = n * sizeof *answer, bytes = head_size + numbers + hrr_sha256_size;
    record added = {.n = n, .at = kept->size + head_size};
    uint8_t *text = hrr_alloc(bytes, 1);
    if (!text) return hrr_no_memory(err);
    memcpy(added.question, question, sizeof added.question);
    memcpy(text, question, hrr_sha256_size);
    memcpy(text + hrr_sha256_size, &n, sizeof n);
    memcpy(text + head_size, answer, numbers);
    hrr_status status = seal(text + head_size + numbers, question, answer, n, err);
    if (!status && pwrite(kept->fd, text, bytes, (off_t)kept->size) != (ssize_t)bytes) {
        status = fail(kept, "written", err);
        (void)!ftruncate(kept->fd, (off_t)kept->size);
    }
    hrr_free(text);
    if (!status) status = remember(kept, &added, err);
    if (!status) kept->size += bytes;
    return status;
}
