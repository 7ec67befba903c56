/* unfinished.c: see unfinished.h. */
#include "vision/unfinished.h"

#include "base/memory.h"
#include "base/paths.h"
#include "base/size.h"
#include "io/npy_header.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { Z = 0, ZHAT, JOURNAL, N_FILES };

static const char *const file_names[N_FILES] = {"z.npy", "zhat.npy", "journal"};

struct hrr_unfinished {
    char *path;
    uint64_t n_rows, n_features, n_kept;
    bool masked;
    int fd[N_FILES];
    off_t data_at; /* where rows begin in z.npy and zhat.npy */
    bool *has;
    hrr_boxes *boxes;
};

static hrr_status refused(const hrr_unfinished *unfinished, const char *what, hrr_error *err)
{
    return hrr_fail(err, HRR_EIO, "%s: cannot be %s: %s", unfinished->path, what, strerror(errno));
}

/* ---- the journal -------------------------------------------------------------------------------
 */

/* A line is "ROW N LEFT TOP RIGHT BOTTOM SCORE ... end". false: it is not, or not a row of ours. */
static bool read_line(uint64_t *row, hrr_boxes *boxes, char *line, uint64_t n_rows)
{
    char *at = line;
    errno = 0;
    *row = strtoull(at, &at, 10);
    const uint64_t n = strtoull(at, &at, 10);
    if (errno || *row >= n_rows) return false;
    for (uint64_t i = 0; i < n; i++) {
        double value[5];
        for (int j = 0; j < 5; j++) {
            char *before = at;
            value[j] = strtod(before, &at);
            if (at == before) return false;
        }
        const hrr_box box = {value[0], value[1], value[2], value[3], value[4]};
        if (hrr_boxes_add(boxes, box, NULL)) return false; /* no memory: the row is made again */
    }
    return strcmp(at, " end") == 0;
}

static hrr_status read_journal(hrr_unfinished *unfinished, hrr_error *err)
{
    FILE *file = fdopen(dup(unfinished->fd[JOURNAL]), "r");
    char *line = NULL;
    size_t room = 0;
    if (!file) return refused(unfinished, "read", err);
    rewind(file);
    for (ssize_t length; (length = getline(&line, &room, file)) > 0;) {
        hrr_boxes boxes = {0};
        uint64_t row;
        if (line[length - 1] == '\n') line[length - 1] = '\0';
        if (read_line(&row, &boxes, line, unfinished->n_rows) && !unfinished->has[row]) {
            unfinished->has[row] = true;
            unfinished->boxes[row] = boxes;
            unfinished->n_kept++;
        } else {
            hrr_boxes_clear(&boxes);
        }
    }
    free(line);
    fclose(file);
    /* After half a line comes a new one. */
    if (lseek(unfinished->fd[JOURNAL], 0, SEEK_END) > 0 &&
        write(unfinished->fd[JOURNAL], "\n", 1) != 1)
        return refused(unfinished, "written", err);
    return HRR_OK;
}

/* ---- opening -----------------------------------------------------------------------------------
 */

/* A file of the size of all rows, which takes disk only where rows are. */
static hrr_status begin_array(hrr_unfinished *unfinished, int file, hrr_error *err)
{
    hrr_array shape = {.type = HRR_ARRAY_F32,
                       .item_size = 4,
                       .n_dims = 2,
                       .shape = {unfinished->n_rows, unfinished->n_features},
                       .n_items = unfinished->n_rows * unfinished->n_features};
    char *header = NULL;
    size_t size = 0;
    hrr_status status = hrr_npy_header_make(&header, &size, &shape, err);
    if (status) return status;
    unfinished->data_at = (off_t)size;
    if (pwrite(unfinished->fd[file], header, size, 0) != (ssize_t)size ||
        ftruncate(unfinished->fd[file], (off_t)(size + shape.n_items * 4)) != 0)
        status = refused(unfinished, "written", err);
    hrr_free(header);
    return status;
}

static hrr_status open_files(hrr_unfinished *unfinished, hrr_error *err)
{
    for (int i = 0; i < N_FILES; i++) {
        if (i == ZHAT && !unfinished->masked) continue;
        char *path = hrr_path_join(unfinished->path, file_names[i]);
        if (!path) return hrr_no_memory(err);
        unfinished->fd[i] =
            open(path, O_RDWR | O_CREAT | O_CLOEXEC | (i == JOURNAL ? O_APPEND : 0), 0666);
        hrr_free(path);
        if (unfinished->fd[i] < 0) return refused(unfinished, "written", err);
    }
    if (flock(unfinished->fd[JOURNAL], LOCK_EX | LOCK_NB) != 0)
        return hrr_fail(err, HRR_EINVAL,
                        "%s: another process is writing there; wait until it has finished",
                        unfinished->path);
    return HRR_OK;
}

/* What is there was begun with this plan, with another one, or nothing is there. */
static hrr_status check_plan(const hrr_unfinished *unfinished,
                             const char text[HRR_SHA256_TEXT_SIZE], bool replace, hrr_error *err)
{
    char there[HRR_SHA256_TEXT_SIZE] = "";
    char *path = hrr_path_join(unfinished->path, "plan");
    if (!path) return hrr_no_memory(err);
    hrr_status status = HRR_OK;
    FILE *file = fopen(path, "r");
    bool same = file && fread(there, 1, sizeof there - 1, file) == sizeof there - 1 &&
                strcmp(there, text) == 0;
    if (file) fclose(file);
    if (!same && file && !replace) {
        status = hrr_fail(err, HRR_EINVAL,
                          "%s: contains an unfinished run with other pictures or settings; remove "
                          "it, or pass `replace` to start again",
                          unfinished->path);
    } else if (!same) {
        hrr_path_remove_flat(unfinished->path);
        hrr_output *plan = NULL;
        if (mkdir(unfinished->path, 0777) != 0)
            status = hrr_path_refused(unfinished->path, "made", errno, err);
        if (!status) status = hrr_output_open(&plan, path, err);
        if (!status) status = hrr_output_write(plan, text, HRR_SHA256_TEXT_SIZE - 1, err);
        if (!status) status = hrr_output_commit(plan, err);
        hrr_output_free(plan);
    }
    hrr_free(path);
    return status;
}

hrr_status hrr_unfinished_open(hrr_unfinished **out, const char *directory,
                               const uint8_t plan[hrr_sha256_size], uint64_t n_rows,
                               uint64_t n_features, bool masked, bool replace, hrr_error *err)
{
    char text[HRR_SHA256_TEXT_SIZE];
    *out = NULL;
    hrr_unfinished *unfinished = hrr_alloc_zero(1, sizeof *unfinished);
    if (!unfinished) return hrr_no_memory(err);
    *unfinished = (hrr_unfinished){
        .n_rows = n_rows, .n_features = n_features, .masked = masked, .fd = {-1, -1, -1}};
    size_t length = strlen(directory);
    while (length > 1 && directory[length - 1] == '/')
        length--;
    unfinished->path = hrr_format_text("%.*s.unfinished", (int)length, directory);
    unfinished->has = hrr_alloc_zero(n_rows, sizeof *unfinished->has);
    unfinished->boxes = hrr_alloc_zero(n_rows, sizeof *unfinished->boxes);
    hrr_status status = HRR_OK;
    if (!unfinished->path || !unfinished->has || !unfinished->boxes) {
        status = hrr_no_memory(err);
        goto done;
    }
    hrr_sha256_text(text, plan);
    if ((status = check_plan(unfinished, text, replace, err))) goto done;
    if ((status = open_files(unfinished, err))) goto done;
    if ((status = begin_array(unfinished, Z, err))) goto done;
    if (masked && (status = begin_array(unfinished, ZHAT, err))) goto done;
    if ((status = read_journal(unfinished, err))) goto done;
    *out = unfinished;
    unfinished = NULL;
done:
    hrr_unfinished_free(unfinished);
    return status;
}

void hrr_unfinished_free(hrr_unfinished *unfinished)
{
    if (!unfinished) return;
    for (int i = 0; i < N_FILES; i++)
        if (unfinished->fd[i] >= 0) close(unfinished->fd[i]);
    for (uint64_t i = 0; unfinished->boxes && i < unfinished->n_rows; i++)
        hrr_boxes_clear(&unfinished->boxes[i]);
    hrr_free(unfinished->boxes);
    hrr_free(unfinished->has);
    hrr_free(unfinished->path);
    hrr_free(unfinished);
}

const char *hrr_unfinished_path(const hrr_unfinished *unfinished)
{
    return unfinished->path;
}

bool hrr_unfinished_has(const hrr_unfinished *unfinished, uint64_t row)
{
    return unfinished->has[row];
}

uint64_t hrr_unfinished_count(const hrr_unfinished *unfinished)
{
    return unfinished->n_kept;
}

const hrr_boxes *hrr_unfinished_boxes(const hrr_unfinished *unfinished, uint64_t row)
{
    return &unfinished->boxes[row];
}

char *hrr_unfinished_array(const hrr_unfinished *unfinished, bool masked)
{
    return hrr_path_join(unfinished->path, file_names[masked ? ZHAT : Z]);
}

void hrr_unfinished_remove(hrr_unfinished *unfinished)
{
    if (!unfinished) return;
    hrr_path_remove_flat(unfinished->path);
    hrr_unfinished_free(unfinished);
}

/* ---- keeping rows ------------------------------------------------------------------------------
 */

static hrr_status put_row(hrr_unfinished *unfinished, int file, uint64_t row, const float *values,
                          hrr_error *err)
{
    const size_t size = unfinished->n_features * sizeof *values;
    const off_t at = unfinished->data_at + (off_t)(row * size);
    for (size_t done = 0; done < size;) {
        ssize_t written = pwrite(unfinished->fd[file], (const char *)values + done, size - done,
                                 at + (off_t)done);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return refused(unfinished, "written", err);
        done += (size_t)written;
    }
    return HRR_OK;
}

static hrr_status put_line(hrr_unfinished *unfinished, uint64_t row, const hrr_boxes *boxes,
                           hrr_error *err)
{
    enum { most_of_number = 32 };
    const size_t room = (boxes->n * 5 + 3) * most_of_number;
    char *line = hrr_alloc(room, 1);
    if (!line) return hrr_no_memory(err);
    size_t used = (size_t)snprintf(line, room, "%" PRIu64 " %zu", row, boxes->n);
    for (size_t i = 0; i < boxes->n; i++) {
        const hrr_box *b = &boxes->items[i];
        used += (size_t)snprintf(line + used, room - used, " %.17g %.17g %.17g %.17g %.17g",
                                 b->left, b->top, b->right, b->bottom, b->score);
    }
    used += (size_t)snprintf(line + used, room - used, " end\n");
    hrr_status status = write(unfinished->fd[JOURNAL], line, used) == (ssize_t)used
                            ? HRR_OK
                            : refused(unfinished, "written", err);
    hrr_free(line);
    return status;
}

hrr_status hrr_unfinished_keep(hrr_unfinished *unfinished, const uint64_t *rows, uint32_t n,
                               const float *z, const float *zhat, hrr_boxes *boxes, hrr_error *err)
{
    hrr_status status = HRR_OK;
    for (uint32_t i = 0; i < n && !status; i++) {
        status = put_row(unfinished, Z, rows[i], z + i * unfinished->n_features, err);
        if (!status && unfinished->masked)
            status = put_row(unfinished, ZHAT, rows[i], zhat + i * unfinished->n_features, err);
    }
    if (!status && (fdatasync(unfinished->fd[Z]) != 0 ||
                    (unfinished->masked && fdatasync(unfinished->fd[ZHAT]) != 0)))
        status = refused(unfinished, "written", err);
    for (uint32_t i = 0; i < n && !status; i++) {
        if ((status = put_line(unfinished, rows[i], &boxes[i], err))) break;
        unfinished->has[rows[i]] = true;
        unfinished->boxes[rows[i]] = boxes[i];
        unfinished->n_kept++;
        boxes[i] = (hrr_boxes){0};
    }
    return status;
}
