/* audit.h: tests that try to refute the privacy claim of every mechanism: exactly where that is
 * possible, otherwise by draws through the public interface. Mechanisms that are wrong on purpose
 * must be caught. */
#ifndef HETERORR_AUDIT_H
#define HETERORR_AUDIT_H

#include <heterorr/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hrr_verdict { HRR_HOLDS = 0, HRR_BROKEN } hrr_verdict;

typedef struct hrr_audit_row {
    char mechanism[64];
    double claimed_eps;
    double realised_eps; /* exact, from the integers; negative: not known exactly */
    double lower_bound;  /* Clopper-Pearson, from draws through the public interface */
    bool is_control;     /* a wrong mechanism that must be caught */
    hrr_verdict verdict; /* for a control HRR_HOLDS means that it was caught */
    char how[160];
} hrr_audit_row;

/* Called with each row as soon as it is finished, because an audit may take minutes. */
typedef void hrr_audit_watch(void *user, const hrr_audit_row *row);

typedef struct hrr_audit_options {
    size_t size;           /* set by hrr_audit_options_init() */
    const char *mechanism; /* NULL: all, and the controls */
    uint64_t eps_nano;
    uint64_t trials;
    uint64_t seed; /* an audit draws with an insecure seed: it protects nothing */
    int threads;
    hrr_audit_watch *watch; /* may be NULL; called on the thread of hrr_audit() */
    void *watch_user;
} hrr_audit_options;
HRR_API void hrr_audit_options_init_sized(hrr_audit_options *options, size_t size);
static inline void hrr_audit_options_init(hrr_audit_options *options)
{
    hrr_audit_options_init_sized(options, sizeof *options);
}

/* The names that options.mechanism takes, 0, 1, ...: the mechanisms of features and edges,
 * "labels", and "protect": the complete path from a graph to a bundle. NULL after the last. */
HRR_API const char *hrr_audit_name(size_t index);

/* Audit the mechanisms for features, labels and edges: each by its own proof and by a Monte-Carlo
 * lower bound. Mechanisms that are wrong on purpose must be caught. The result is the same for the
 * same seed. rows: hrr memory, hrr_free(). A broken row is a result, not an error.
 *
 * Cost:   two million draws per row with the default number of trials, a tenth of that for edges.
 * protect runs trials/200 times on each of the two inputs, in a scratch directory. Errors:
 * HRR_EINVAL, HRR_EIO, HRR_ENOMEM, HRR_ECANCEL. */
HRR_API HRR_STATUS hrr_audit(hrr_audit_row **rows, size_t *n_rows, const hrr_audit_options *options,
                             hrr_progress *progress, hrr_error *err);

#ifdef __cplusplus
}
#endif
#endif
