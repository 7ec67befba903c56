/* results.c: see results.h.
 *
 * A row is one write() to a file that was opened for appending, then fdatasync(): after a crash the
 * file holds whole rows and at most one torn one at its end. The file is locked while it is open:
 * two processes that write the same runs would have every row twice. Settings are compared as text,
 * which is why whoever writes rows formats a number one way only. */
#include "experiment/results.h"
#include "graph/name_index.h"
#include "base/memory.h"

#include <heterorr/experiment.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct hrr_results {
    int fd;
    int n_settings;
    char *path, *header, *version; /* version: may be NULL */
    hrr_name_index finished;
};

/* The first n fields of a row; fields hold neither quotes nor commas of their own. */
static size_t settings_length(const char *row, int n)
{
    const char *at = row;
    for (int field = 0; field < n && *at; field++)
        at += strcspn(at, ",") + (field + 1 < n && at[strcspn(at, ",")] == ',');
    return (size_t)(at - row);
}

static hrr_status remember(hrr_results *results, char *row, hrr_error *err)
{
    bool fresh;
    const size_t length = settings_length(row, results->n_settings);
    const char after = row[length];
    row[length] = '\0';
    hrr_status status = hrr_name_index_add(&results->finished, row, 0, &fresh, err);
    row[length] = after;
    return status;
}

static hrr_status cannot(const char *path, const char *what, hrr_error *err)
{
    return hrr_fail(err, HRR_EIO, "%s: cannot be %s: %s", path, what, strerror(errno));
}

static char *header_of(const char *const *columns)
{
    size_t size = 1;
    for (int i = 0; columns[i]; i++)
        size += strlen(columns[i]) + 1;
    char *header = hrr_alloc(size, 1);
    if (!header) return NULL;
    header[0] = '\0';
    for (int i = 0; columns[i]; i++) {
        if (i) strcat(header, ",");
        strcat(header, columns[i]);
    }
    return header;
}

/* The whole file, NUL-terminated. Results are small beside what made them. */
static hrr_status read_all(char **out, size_t *size, int fd, const char *path, hrr_error *err)
{
    struct stat there;
    if (fstat(fd, &there) != 0) return cannot(path, "read", err);
    char *text = hrr_alloc((size_t)there.st_size + 1, 1);
    if (!text) return hrr_no_memory(err);
    size_t used = 0;
    while (used < (size_t)there.st_size) {
        const ssize_t got = pread(fd, text + used, (size_t)there.st_size - used, (off_t)used);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        used += (size_t)got;
    }
    text[used] = '\0';
    *out = text;
    *size = used;
    return HRR_OK;
}

static hrr_status check_version(const hrr_results *results, const char *path, const char *row,
                                hrr_error *err)
{
    const char *version = results->version;
    const size_t length = strcspn(row, ",");
    if (!version || (length == strlen(version) && strncmp(row, version, length) == 0))
        return HRR_OK;
    return hrr_fail(err, HRR_EDATA,
                    "%s: contains rows of version %.*s, but this is version %s, whose runs may "
                    "differ; choose another file",
                    path, length < 40 ? (int)length : 40, row, version);
}

/* Rows of a file, which may be another one than that of the results. */
static hrr_status read_rows(hrr_results *results, char *text, const char *path, hrr_error *err)
{
    bool first = true;
    for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        if (first && strcmp(line, results->header) != 0)
            return hrr_fail(err, HRR_EDATA,
                            "%s: has other columns than these results; choose another file", path);
        hrr_status status = first ? HRR_OK : check_version(results, path, line, err);
        if (!status && !first) status = remember(results, line, err);
        if (status) return status;
        first = false;
    }
    return HRR_OK;
}

/* What stands after the last end of line goes. */
static hrr_status cut_torn_row(hrr_results *results, const char *text, size_t size, hrr_error *err)
{
    size_t whole = size;
    while (whole > 0 && text[whole - 1] != '\n')
        whole--;
    if (whole == size || ftruncate(results->fd, (off_t)whole) == 0) return HRR_OK;
    return cannot(results->path, "written", err);
}

/* A file system without locks does without. */
static hrr_status lock(const hrr_results *results, hrr_error *err)
{
    if (flock(results->fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return HRR_OK;
    return hrr_fail(err, HRR_EDATA,
                    "%s: another process is writing this file; wait until it has finished, or "
                    "choose another file",
                    results->path);
}

static hrr_status take_up(hrr_results *results, hrr_error *err)
{
    char *text = NULL;
    size_t size = 0;
    hrr_status status = read_all(&text, &size, results->fd, results->path, err);
    if (status) return status;
    /* A first line that is torn is ours only if it is the beginning of our header. */
    const bool has_line = memchr(text, '\n', size) != NULL;
    if (!has_line && strncmp(results->header, text, size) != 0)
        status = hrr_fail(err, HRR_EDATA, "%s: is not a results file; choose another file",
                          results->path);
    if (!status) status = cut_torn_row(results, text, size, err);
    if (!status && !has_line) status = hrr_results_add(results, results->header, err);
    if (!status && has_line) status = read_rows(results, text, results->path, err);
    hrr_free(text);
    return status;
}

/* header: adopted; NULL is a lack of memory. */
static hrr_status open_file(hrr_results **out, const char *path, char *header, int n_settings,
                            const char *version, hrr_error *err)
{
    *out = NULL;
    hrr_results *results = hrr_alloc_zero(1, sizeof *results);
    hrr_status status = HRR_OK;
    if (results) {
        results->n_settings = n_settings;
        results->fd = -1;
        results->path = hrr_copy_text(path);
        results->header = header;
        results->version = version ? hrr_copy_text(version) : NULL;
    } else {
        hrr_free(header);
    }
    if (!results || !header || !results->path || (version && !results->version))
        status = hrr_no_memory(err);
    if (!status) {
        results->fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        if (results->fd < 0) status = cannot(path, "opened", err);
    }
    if (!status) status = lock(results, err);
    if (!status) status = take_up(results, err);
    if (status)
        hrr_results_close(results);
    else
        *out = results;
    return status;
}

hrr_status hrr_results_open(hrr_results **out, const char *path, const char *const *columns,
                            int n_settings, const char *version, hrr_error *err)
{
    return open_file(out, path, header_of(columns), n_settings, version, err);
}

hrr_status hrr_results_open_like(hrr_results **out, const char *path, const hrr_results *like,
                                 hrr_error *err)
{
    return open_file(out, path, hrr_copy_text(like->header), like->n_settings, like->version, err);
}

hrr_status hrr_results_count_in(hrr_results *results, const char *path, hrr_error *err)
{
    char *text = NULL;
    size_t size;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return errno == ENOENT ? HRR_OK : cannot(path, "opened", err);
    hrr_status status = read_all(&text, &size, fd, path, err);
    close(fd);
    if (!status) status = read_rows(results, text, path, err);
    hrr_free(text);
    return status;
}

void hrr_results_close(hrr_results *results)
{
    if (!results) return;
    if (results->fd >= 0) close(results->fd);
    hrr_name_index_clear(&results->finished);
    hrr_free(results->path);
    hrr_free(results->header);
    hrr_free(results->version);
    hrr_free(results);
}

const char *hrr_results_path(const hrr_results *results)
{
    return results->path;
}

void hrr_results_name(char *text, size_t size, const char *name)
{
    snprintf(text, size, "%s", name);
    for (char *at = text; *at; at++)
        if (strchr(",\"\n\r", *at)) *at = '_';
}

bool hrr_results_has(const hrr_results *results, const char *settings)
{
    uint32_t row;
    return hrr_name_index_find(&results->finished, settings, &row);
}

hrr_status hrr_results_each(const hrr_results *results, hrr_results_see *see, void *user,
                            hrr_error *err)
{
    char *text;
    size_t size;
    hrr_status status = read_all(&text, &size, results->fd, results->path, err);
    if (status) return status;
    char *line = strchr(text, '\n'); /* the end of the header */
    for (char *end; line && (end = strchr(++line, '\n')); line = end) {
        *end = '\0';
        const size_t length = settings_length(line, results->n_settings);
        const char *values = line + length + (line[length] == ',');
        line[length] = '\0';
        see(user, line, values);
    }
    hrr_free(text);
    return HRR_OK;
}

hrr_status hrr_results_add(hrr_results *results, const char *row, hrr_error *err)
{
    char *line = hrr_format_text("%s\n", row);
    if (!line) return hrr_no_memory(err);
    const size_t size = strlen(line);
    size_t written = 0;
    hrr_status status = HRR_OK;
    while (written < size && !status) {
        const ssize_t some = write(results->fd, line + written, size - written);
        if (some < 0 && errno == EINTR) continue;
        if (some < 0) status = cannot(results->path, "written", err);
        written += some > 0 ? (size_t)some : 0;
    }
    if (!status && fdatasync(results->fd) != 0 && errno != EINVAL)
        status = cannot(results->path, "written", err);
    hrr_free(line);
    return status;
}
