/* shards.c: see shards.h. */
#include "experiment/shards.h"
#include "graph/name_index.h"
#include "base/memory.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

char *hrr_shard_path(const char *results, hrr_shard shard)
{
    return hrr_format_text("%s.shard-%" PRIu32 "-of-%" PRIu32, results, shard.number, shard.count);
}

static hrr_status check(hrr_shard shard, hrr_error *err)
{
    if (shard.number <= shard.count) return HRR_OK;
    if (!shard.count)
        return hrr_fail(
            err, HRR_EINVAL,
            "`shard`: give the number of a shard and the number of shards, such as %" PRIu32
            "/%" PRIu32,
            shard.number, shard.number);
    return hrr_fail(err, HRR_EINVAL,
                    "`shard`: %" PRIu32 " shards are numbered from 1 to %" PRIu32
                    ", so there is no shard %" PRIu32,
                    shard.count, shard.count, shard.number);
}

hrr_status hrr_shard_open(hrr_results **out, const char *path, hrr_shard shard,
                          const char *const *columns, int n_settings, const char *version,
                          hrr_error *err)
{
    *out = NULL;
    hrr_status status = check(shard, err);
    if (status) return status;
    if (!shard.number) return hrr_results_open(out, path, columns, n_settings, version, err);
    char *own = hrr_shard_path(path, shard);
    if (!own) return hrr_no_memory(err);
    status = hrr_results_open(out, own, columns, n_settings, version, err);
    if (!status) status = hrr_results_count_in(*out, path, err);
    if (status) {
        hrr_results_close(*out);
        *out = NULL;
    }
    hrr_free(own);
    return status;
}

/* ---- the rows of one shard ------------------------------------------------------------------- */

typedef struct shard_rows {
    hrr_name_index settings; /* each once, with its number */
    struct lines {
        char *text; /* all rows with these settings, ends of line between them; hrr_free() */
        bool is_wanted;
    } * lines; /* by number */
    uint64_t room;
    hrr_error failed;
    char *path;
    bool exists;
    uint64_t n_runs, n_missing;
} shard_rows;

static void clear_rows(shard_rows *rows)
{
    for (uint64_t i = 0; rows->lines && i < rows->settings.n_names; i++)
        hrr_free(rows->lines[i].text);
    hrr_free(rows->lines);
    hrr_free(rows->path);
    hrr_name_index_clear(&rows->settings);
}

static hrr_status find_or_add(uint32_t *number, shard_rows *rows, const char *settings,
                              hrr_error *err)
{
    bool fresh;
    if (hrr_name_index_find(&rows->settings, settings, number)) return HRR_OK;
    if (rows->settings.n_names == rows->room) {
        const uint64_t room = rows->room ? 2 * rows->room : 64;
        struct lines *lines = hrr_resize(rows->lines, room, sizeof *lines);
        if (!lines) return hrr_no_memory(err);
        rows->lines = lines;
        rows->room = room;
    }
    *number = (uint32_t)rows->settings.n_names;
    rows->lines[*number] = (struct lines){0};
    return hrr_name_index_add(&rows->settings, settings, *number, &fresh, err);
}

static void see_row(void *user, const char *settings, const char *values)
{
    shard_rows *rows = user;
    uint32_t number;
    if (rows->failed.status) return;
    if (find_or_add(&number, rows, settings, &rows->failed)) return;
    struct lines *lines = &rows->lines[number];
    char *text = hrr_format_text("%s%s%s,%s", lines->text ? lines->text : "",
                                 lines->text ? "\n" : "", settings, values);
    if (!text) {
        hrr_no_memory(&rows->failed);
        return;
    }
    hrr_free(lines->text);
    lines->text = text;
}

static hrr_status read_shard(shard_rows *rows, const hrr_results *results, hrr_shard shard,
                             hrr_error *err)
{
    hrr_results *file = NULL;
    rows->path = hrr_shard_path(hrr_results_path(results), shard);
    if (!rows->path) return hrr_no_memory(err);
    rows->exists = access(rows->path, F_OK) == 0;
    if (!rows->exists) return HRR_OK;
    hrr_status status = hrr_results_open_like(&file, rows->path, results, err);
    if (!status) status = hrr_results_each(file, see_row, rows, err);
    if (!status && rows->failed.status) {
        if (err) *err = rows->failed;
        status = rows->failed.status;
    }
    hrr_results_close(file);
    return status;
}

/* ---- putting shards together ----------------------------------------------------------------- */

/* One results file and the shards of it. */
typedef struct merge {
    const hrr_runs *runs;
    hrr_results *results;
    shard_rows *shards;
    uint32_t count;
    size_t rows_each; /* of a run */
} merge;

static char *row_settings(const merge *self, size_t run, size_t k)
{
    const hrr_runs *runs = self->runs;
    return self->rows_each > 1 ? runs->row_settings(runs->user, run, k)
                               : runs->settings(runs->user, run);
}

/* A row of a run, whose shard has it, whose results have it, or which is missing. */
static hrr_status want(bool *is_missing, merge *self, size_t run, size_t k, hrr_error *err)
{
    uint32_t number;
    shard_rows *shard = &self->shards[run % self->count];
    char *settings = row_settings(self, run, k);
    if (!settings) return hrr_no_memory(err);
    if (hrr_name_index_find(&shard->settings, settings, &number))
        shard->lines[number].is_wanted = true;
    else if (!hrr_results_has(self->results, settings))
        *is_missing = true;
    hrr_free(settings);
    return HRR_OK;
}

static hrr_status check_shard(const shard_rows *rows, hrr_shard shard, hrr_error *err)
{
    if (rows->n_missing && !rows->exists)
        return hrr_fail(err, HRR_EDATA,
                        "%s: is missing; run shard %" PRIu32 " of %" PRIu32 " first", rows->path,
                        shard.number, shard.count);
    for (uint64_t i = 0; i < rows->settings.n_names; i++)
        if (!rows->lines[i].is_wanted)
            return hrr_fail(err, HRR_EDATA,
                            "%s: contains a run that shard %" PRIu32 " of %" PRIu32
                            " of this sweep does not have: %.200s; merge shards with the same "
                            "options that they were run with",
                            rows->path, shard.number, shard.count,
                            rows->settings.text + rows->settings.text_start[i]);
    if (rows->n_missing)
        return hrr_fail(err, HRR_EDATA,
                        "%s: lacks %" PRIu64 " of %" PRIu64 " %s; finish shard %" PRIu32
                        " of %" PRIu32 " first: the same request continues it",
                        rows->path, rows->n_missing, rows->n_runs,
                        hrr_plural(rows->n_runs, "run", "runs"), shard.number, shard.count);
    return HRR_OK;
}

/* Reads all shards; afterwards every run is known to be somewhere. */
static hrr_status prepare(merge *self, hrr_error *err)
{
    hrr_status status = HRR_OK;
    self->shards = hrr_alloc_zero(self->count, sizeof *self->shards);
    if (!self->shards) return hrr_no_memory(err);
    for (uint32_t s = 0; s < self->count && !status; s++)
        status = read_shard(&self->shards[s], self->results, (hrr_shard){s + 1, self->count}, err);
    for (size_t run = 0; run < self->runs->n && !status; run++) {
        bool is_missing = false;
        for (size_t k = 0; k < self->rows_each && !status; k++)
            status = want(&is_missing, self, run, k, err);
        self->shards[run % self->count].n_missing += is_missing;
        self->shards[run % self->count].n_runs++;
    }
    for (uint32_t s = 0; s < self->count && !status; s++)
        status = check_shard(&self->shards[s], (hrr_shard){s + 1, self->count}, err);
    return status;
}

static hrr_status append(merge *self, size_t run, size_t k, hrr_error *err)
{
    uint32_t number;
    const shard_rows *shard = &self->shards[run % self->count];
    char *settings = row_settings(self, run, k);
    hrr_status status = settings ? HRR_OK : hrr_no_memory(err);
    if (!status && !hrr_results_has(self->results, settings) &&
        hrr_name_index_find(&shard->settings, settings, &number))
        status = hrr_results_add(self->results, shard->lines[number].text, err);
    hrr_free(settings);
    return status;
}

static hrr_status append_all(merge *self, hrr_error *err)
{
    hrr_status status = HRR_OK;
    for (size_t run = 0; run < self->runs->n && !status; run++)
        for (size_t k = 0; k < self->rows_each && !status; k++)
            status = append(self, run, k, err);
    return status;
}

static void remove_shards(const merge *self)
{
    for (uint32_t s = 0; s < self->count; s++)
        if (self->shards[s].exists) unlink(self->shards[s].path);
}

static void clear_merge(merge *self)
{
    for (uint32_t s = 0; self->shards && s < self->count; s++)
        clear_rows(&self->shards[s]);
    hrr_free(self->shards);
}

static hrr_status put_together(const hrr_runs *runs, hrr_results *results, uint32_t count,
                               hrr_error *err)
{
    merge rows = {runs, results, NULL, count, runs->n_rows ? runs->n_rows : 1};
    merge also = {runs, runs->also, NULL, count, 1};
    hrr_status status = prepare(&rows, err);
    if (!status && runs->also) status = prepare(&also, err);
    if (!status && runs->also) status = append_all(&also, err);
    if (!status) status = append_all(&rows, err);
    if (!status) remove_shards(&rows);
    if (!status && runs->also) remove_shards(&also);
    clear_merge(&rows);
    clear_merge(&also);
    return status;
}

hrr_status hrr_shard_run(const hrr_runs *runs, hrr_results *results, hrr_shard shard, int threads,
                         hrr_progress *progress, hrr_error *err)
{
    hrr_runs mine = *runs;
    if (shard.count && !shard.number) return put_together(runs, results, shard.count, err);
    if (shard.count) {
        mine.first = shard.number - 1;
        mine.step = shard.count;
    }
    return hrr_run_all(&mine, results, threads, progress, err);
}
