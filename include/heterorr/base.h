/* base.h: what all other headers use: statuses and errors, memory, progress and
 * cancellation, and files that appear whole or not at all. */
#ifndef HETERORR_BASE_H
#define HETERORR_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is exported, in two tiers. HRR_API is stable: it changes only with the library's major
 * version (docs/api/main.md says what may still grow). HRR_EXPERIMENTAL may change in any version.
 */
#define HRR_API __attribute__((visibility("default")))
#define HRR_EXPERIMENTAL __attribute__((visibility("default")))
#define HRR_PRINTF(text, first) __attribute__((format(printf, text, first)))
#define HRR_CHECKED __attribute__((warn_unused_result))

HRR_API const char *hrr_version(void);

/* ---- status and error ------------------------------------------------------------------- */

typedef enum hrr_status {
    HRR_OK = 0,
    HRR_EINVAL, /* an option, or a combination of options, is not valid */
    HRR_EDATA,  /* the data is not what it should be */
    HRR_EIO,    /* the operating system reported a failure: not readable, not writable, disk full */
    HRR_ENOMEM, /* out of memory */
    HRR_EBUDGET, /* the privacy budget does not allow it */
    HRR_ECANCEL, /* the caller interrupted */
    HRR_ECHECK,  /* a verification or an audit failed */
    HRR_ERANKS   /* the processes that share the work cannot be reached, or one of them ended */
} hrr_status;

/* The return type of functions that can fail: compilers warn if the caller ignores it. */
#define HRR_STATUS HRR_CHECKED hrr_status

#define HRR_ERROR_SIZE 1024
#define HRR_FIELD_SIZE 64

/* Filled by a failing call: what, where and what to do. Messages about private data name
 * positions in the file, never values. A message names members of option structs in backquotes:
 * "`homophily` must lie between 0 and 1". Those of hrr_feature_options and hrr_edge_options are
 * named as in hrr_protect_options, by whatever call they came: `edges.tree_share`. */
typedef struct hrr_error {
    hrr_status status;
    char message[HRR_ERROR_SIZE];
    char field[HRR_FIELD_SIZE]; /* the first member that message names, without the backquotes; "":
                                   none */
} hrr_error;

/* A short stable word for a status ("bad_data"), the `code` of JSON errors. */
HRR_API const char *hrr_status_name(hrr_status status);

/* The form of a noun that goes with the number: hrr_plural(1, "edge", "edges") is "edge". */
HRR_API const char *hrr_plural(uint64_t number, const char *one, const char *many);

/* Record a failure in err (which may be NULL) and return status, so that a failing function
 * can say `return hrr_fail(err, HRR_EDATA, ...)`. err->field is read from the message. Its return
 * value may be ignored. */
HRR_API hrr_status hrr_fail(hrr_error *err, hrr_status status, const char *format, ...)
    HRR_PRINTF(3, 4);

/* ---- options ----------------------------------------------------------------------------- */

/* Option structs begin with their size, which hrr_x_options_init() sets, and grow at their end
 * only: a program that knows fewer members than the library gets the defaults of the others.
 * Options inside options have room to grow in, `bytes` in all. docs/api/main.md has the rules. NULL
 * in place of options stands for the defaults. */
#define HRR_ROOM(type, name, bytes)                                                                \
    union {                                                                                        \
        type name;                                                                                 \
        uint64_t name##_room[sizeof(type) <= (bytes) ? (bytes) / 8 : -1];                          \
    }

/* ---- memory ----------------------------------------------------------------------------- */

/* Where the library's heap memory comes from. Tests install one that fails on purpose. */
typedef struct hrr_allocator {
    void *(*allocate)(size_t size);
    void *(*resize)(void *block, size_t size);
    void (*release)(void *block);
} hrr_allocator;

/* Replace the allocator for the whole process; NULL restores the C library's. Call it when the
 * library holds no memory: a block is released by the allocator that is installed then. */
HRR_API void hrr_set_allocator(const hrr_allocator *allocator);

/* Take large blocks (1 MiB and more) from files of this directory instead of from memory, for the
 * whole process; NULL: from memory again. The files have no name and are gone when the process
 * ends. Results are the same. Private data may be written to that disk, and remains there as the
 * content of deleted files does: choose a disk that is trusted as that of the input. Call it while
 * no other function of the library runs.
 * Errors: HRR_EIO (no such directory, not writable, no room), HRR_ENOMEM. */
HRR_EXPERIMENTAL HRR_STATUS hrr_set_scratch(const char *directory, hrr_error *err);

/* Release memory that a function of this library handed over. NULL is allowed. */
HRR_API void hrr_free(void *block);

/* A block of bytes: on the heap, mapped from a file, or borrowed. With it a matrix can be a view of
 * a mapped file. */
typedef struct hrr_region {
    void *start;
    size_t size;
    enum { HRR_REGION_BORROWED = 0, HRR_REGION_HEAP, HRR_REGION_MAPPED } kind;
} hrr_region;

/* ---- threads ---------------------------------------------------------------------------- */

/* How many threads to use when `requested` were asked for; 0 asks for all that this process
 * may run on. Never less than 1. */
HRR_API int hrr_threads(int requested);

/* ---- progress and cancellation ---------------------------------------------------------- */

/* One long task seen from outside. Every function that takes one accepts NULL. */
typedef struct hrr_progress hrr_progress;

typedef struct hrr_progress_view {
    const char *phase;
    uint64_t done, total; /* total 0: unknown */
    double seconds;       /* since the phase began */
    double seconds_left;  /* negative: unknown */
} hrr_progress_view;

typedef void hrr_progress_show(void *user, const hrr_progress_view *view);

/* `show` (may be NULL) is called at most ten times a second, from one thread at a time. */
HRR_API HRR_STATUS hrr_progress_new(hrr_progress **out, hrr_progress_show *show, void *user,
                                    hrr_error *err);
HRR_API void hrr_progress_free(hrr_progress *progress);

/* Start a phase. `phase` must stay valid until the next one begins. */
HRR_API void hrr_progress_begin(hrr_progress *progress, const char *phase, uint64_t total);

/* Count `amount` units as done; HRR_ECANCEL (and err filled) once the task was cancelled.
 * Safe from any thread; call it every millisecond of work or so, not every element. */
HRR_API HRR_STATUS hrr_progress_advance(hrr_progress *progress, uint64_t amount, hrr_error *err);

/* Ask the task to stop. Safe inside a signal handler. */
HRR_API void hrr_progress_cancel(hrr_progress *progress);
HRR_API bool hrr_progress_cancelled(const hrr_progress *progress);

/* ---- many processes ---------------------------------------------------------------------- */

/* The processes that share one task, numbered from 0: those that mpirun started. */
typedef struct hrr_ranks hrr_ranks;

/* Whether this process was started by mpirun, srun or the like as one of several. */
HRR_EXPERIMENTAL bool hrr_ranks_expected(void);

/* Connect this process with the others that were started with it; *out is NULL if it is alone. Call
 * it once in a process, before anything that takes ranks.
 *
 * MPI is not linked: the plug-in heterorr-mpi.so is loaded, from where HETERORR_MPI says, or from
 * beside the library.
 * Ownership: *out belongs to the caller, hrr_ranks_free().
 * Errors:    HRR_ERANKS if the plug-in is missing or does not fit, or another rank runs another
 *            version of heterorr; HRR_ENOMEM. */
HRR_EXPERIMENTAL HRR_STATUS hrr_ranks_open(hrr_ranks **out, hrr_error *err);

/* Which one this process is, and how many there are; 0 and 1 for NULL. */
HRR_EXPERIMENTAL int hrr_ranks_rank(const hrr_ranks *ranks);
HRR_EXPERIMENTAL int hrr_ranks_size(const hrr_ranks *ranks);

/* Waits until every rank calls it. Errors: what another rank failed with, HRR_ECANCEL. */
HRR_EXPERIMENTAL HRR_STATUS hrr_ranks_barrier(hrr_ranks *ranks, hrr_error *err);

/* Tell the other ranks that this one has failed, if they do not know it yet: they stop. */
HRR_EXPERIMENTAL void hrr_ranks_fail(hrr_ranks *ranks, const hrr_error *why);

/* Waits until all ranks call it. NULL is allowed. */
HRR_EXPERIMENTAL void hrr_ranks_free(hrr_ranks *ranks);

/* ---- output that appears whole or not at all -------------------------------------------- */

/* A file under construction: written beside its place, synced and renamed by commit. */
typedef struct hrr_output hrr_output;

HRR_API HRR_STATUS hrr_output_open(hrr_output **out, const char *path, hrr_error *err);
HRR_API HRR_STATUS hrr_output_write(hrr_output *output, const void *bytes, size_t size,
                                    hrr_error *err);
HRR_API HRR_STATUS hrr_output_printf(hrr_output *output, hrr_error *err, const char *format, ...)
    HRR_PRINTF(3, 4);
/* Make the file appear, replacing what was there. After a failure nothing has changed. */
HRR_API HRR_STATUS hrr_output_commit(hrr_output *output, hrr_error *err);
/* Release; an uncommitted file is removed. NULL is allowed. */
HRR_API void hrr_output_free(hrr_output *output);

/* The same for a directory of files. */
typedef struct hrr_output_dir hrr_output_dir;

/* What a directory holds, and how one that was made before is recognised. Literals. */
typedef struct hrr_dir_kind {
    const char *what;    /* "graph", for messages */
    const char *file;    /* which it has */
    const char *text;    /* near the beginning of that file */
    const char *without; /* no file has a name that begins so, in capitals or not; NULL: any may */
} hrr_dir_kind;

/* Without `replace` an existing path is refused (HRR_EINVAL) before any work is done; with it, one
 * that is not of this kind. */
HRR_API HRR_STATUS hrr_output_dir_open(hrr_output_dir **out, const char *path,
                                       const hrr_dir_kind *kind, bool replace, hrr_error *err);
/* The staging directory to write files into; valid until free. */
HRR_API const char *hrr_output_dir_staging(const hrr_output_dir *dir);
HRR_API HRR_STATUS hrr_output_dir_commit(hrr_output_dir *dir, hrr_error *err);
HRR_API void hrr_output_dir_free(hrr_output_dir *dir);

#ifdef __cplusplus
}
#endif
#endif
