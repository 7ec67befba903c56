/* serve.h: predictions over HTTP in the Open Inference Protocol (KServe and Triton, version 2). A
 * service answers from a model and the release that it was trained on, so that its answers are
 * post-processing of the release. It can also serve a graph that was never protected, if this is
 * allowed explicitly; every answer then says so. docs/serve.md has the protocol and the threats. */
#ifndef HETERORR_SERVE_H
#define HETERORR_SERVE_H

#include <heterorr/attack.h>
#include <heterorr/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is served under one name. */
typedef struct hrr_served_model {
    const char *name;    /* letters, digits, '.', '_' and '-', at most 64; in the address */
    const char *model;   /* a directory that hrr_model_write() made */
    const char *release; /* a bundle, or any graph with `non_private` */
} hrr_served_model;

typedef struct hrr_server_options {
    size_t size;      /* set by hrr_server_options_init() */
    const char *host; /* an address, or localhost */
    uint32_t port;    /* 0: any that is free, see hrr_server_port() */
    /* Host names, separated by commas, that clients may use in addition to the numeric address;
     * NULL: none. This keeps pages of other sites from sending requests under their own name. With
     * a TLS certificate every name is accepted, except on a loopback address. */
    const char *other_hosts;
    bool non_private; /* also serve models and graphs without a guarantee */
    /* The most detailed output. Less detailed outputs are also available: with logits also
     * probabilities and labels. */
    hrr_returns returns;
    int decimals;                   /* of rounded probabilities */
    bool what_if;                   /* also answer about changed features and unseen nodes */
    const char *tokens;             /* a file of tokens; NULL: no token is required */
    double rate;                    /* requests a second for each token; 0: no limit */
    uint64_t most_body;             /* bytes of a request */
    uint64_t most_nodes;            /* asked about in one request */
    uint32_t most_connections;      /* at a time */
    uint32_t most_waiting;          /* questions that must be computed, at a time */
    double idle_seconds;            /* after which an unused connection is closed */
    double request_seconds;         /* time limit for receiving a request and sending its answer */
    const char *tls_cert, *tls_key; /* PEM files; NULL: no TLS */
    bool log_nodes;                 /* the access log says which nodes were asked about, too */
    int log;                        /* file descriptor of the access log; -1: none */
    int threads;                    /* that answer; 0: one for each processor */
    int reserved;                   /* 0 */
    uint64_t most_bodies;           /* bytes of all requests together, at a time */
} hrr_server_options;
/* Defaults: 127.0.0.1, a free port, labels, only nodes of the release, no log. */
HRR_EXPERIMENTAL void hrr_server_options_init_sized(hrr_server_options *options, size_t size);
static inline void hrr_server_options_init(hrr_server_options *options)
{
    hrr_server_options_init_sized(options, sizeof *options);
}

typedef struct hrr_server hrr_server;

/* Read the models and begin to answer.
 *
 * Ownership: *out belongs to the caller, hrr_server_free(); NULL on failure. options->log is
 *            borrowed.
 * Errors:    HRR_EINVAL, HRR_ECHECK (a model or release without a guarantee, unless `non_private`;
 * a model that was not trained on its release), HRR_EDATA, HRR_EIO (the address is taken),
 * HRR_ENOMEM, HRR_ECANCEL. */
HRR_EXPERIMENTAL HRR_STATUS hrr_server_start(hrr_server **out, const hrr_served_model *models,
                                             size_t n_models, const hrr_server_options *options,
                                             hrr_progress *progress, hrr_error *err);
HRR_EXPERIMENTAL uint32_t hrr_server_port(const hrr_server *server);
/* Whether a guarantee covers everything that is served. */
HRR_EXPERIMENTAL bool hrr_server_is_private(const hrr_server *server);

/* Whether all private models say that they were trained on the very release that is served. Those
 * of older versions do not. */
HRR_EXPERIMENTAL bool hrr_server_is_matched(const hrr_server *server);

/* Read models, releases and tokens again. The old models answer requests until all new ones are
 * loaded. After a failure the old ones stay in use. */
HRR_EXPERIMENTAL HRR_STATUS hrr_server_reload(hrr_server *server, hrr_progress *progress,
                                              hrr_error *err);

/* Accept no more connections, finish open requests for at most `seconds`, and free the server. NULL
 * is allowed. */
HRR_EXPERIMENTAL void hrr_server_free(hrr_server *server, double seconds);

/* ---- for other servers ----------------------------------------------------------------------- */

enum { HRR_ONNX_OPSET = 16 };

typedef struct hrr_onnx_options {
    size_t size;         /* set by hrr_onnx_options_init() */
    bool takes_features; /* the features of all nodes are an input and not stored in the file */
    bool non_private;    /* also write models and graphs without a guarantee */
    bool ignore_counts;  /* as in hrr_predict_options */
    bool ignore_reports; /* likewise */
    int reserved;        /* 0 */
} hrr_onnx_options;
HRR_EXPERIMENTAL void hrr_onnx_options_init_sized(hrr_onnx_options *options, size_t size);
static inline void hrr_onnx_options_init(hrr_onnx_options *options)
{
    hrr_onnx_options_init_sized(options, sizeof *options);
}

/* Write the network as an ONNX file. With a release, the network predicts the nodes of the release:
 * the file contains the normalised adjacency and the features; its inputs are `nodes` (numbers from
 * 0) and, with `takes_features`, `features`. release NULL: the network for a single node without
 * neighbours, whose input is `features`. Outputs are logits, probabilities and labels. Its metadata
 * contain the statement of the model.
 *
 * Guarantee: post-processing: the guarantee of the release holds for the file.
 * Errors:    HRR_ECHECK (a model or graph without a guarantee, unless `non_private`; a model of
 * another release), HRR_EINVAL for the single-node form of a network without features, HRR_EDATA,
 * HRR_EIO, HRR_ENOMEM. */
HRR_EXPERIMENTAL HRR_STATUS hrr_onnx_write(const hrr_model *model, const hrr_release *release,
                                           const hrr_onnx_options *options, const char *path,
                                           hrr_error *err);

/* ---- confinement ----------------------------------------------------------------------------- */

/* What the operating system now refuses to this process. */
typedef struct hrr_confinement {
    bool no_new_privileges; /* no other program can be started: execve() fails */
    bool files; /* no file can be written, and files can be read only below the given directories */
} hrr_confinement;

/* Confine this process permanently, for programs that only serve. Call it before any thread is
 * started. If the system does not support a restriction, this is not an error: see *out. */
HRR_EXPERIMENTAL void hrr_confine(hrr_confinement *out, const char *const *readable,
                                  size_t n_readable);

#ifdef __cplusplus
}
#endif
#endif
