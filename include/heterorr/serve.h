/* serve.h: predictions over HTTP in the Open Inference Protocol (KServe and Triton, version 2). A
 * service answers from a model and the release that it was trained on, so that what it tells is
 * post-processing of the release. It can be told to answer from a graph that was never protected,
 * and then says so with every answer. docs/serve.md has the protocol and the threats. */
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
    /* Names beside its address in numbers that clients may call a service by, with commas between
     * them; NULL: none. A page of another site cannot make a browser ask under its own name. With a
     * certificate any name is taken, but on a loopback address. */
    const char *other_hosts;
    bool non_private; /* serve also what no release promises anything for */
    /* The most that is told about a node. Less is told too: with logits also probabilities and
     * labels. */
    hrr_returns returns;
    int decimals; /* of rounded probabilities */
    bool what_if; /* answer about changed features and unseen nodes, not about known nodes alone */
    const char *tokens;             /* a file of them; NULL: anybody may ask */
    double rate;                    /* requests a second for each token; 0: no limit */
    uint64_t most_body;             /* bytes of a request */
    uint64_t most_nodes;            /* asked about in one request */
    uint32_t most_connections;      /* at a time */
    uint32_t most_waiting;          /* questions that must be computed, at a time */
    double idle_seconds;            /* after which an unused connection is closed */
    double request_seconds;         /* that a request and its answer may take on the way */
    const char *tls_cert, *tls_key; /* PEM files; NULL: no TLS */
    bool log_nodes;                 /* the access log says which nodes were asked about, too */
    int log;                        /* file descriptor of the access log; -1: none */
    int threads;                    /* that answer; 0: one for each processor */
    int reserved;                   /* 0 */
    uint64_t most_bodies;           /* bytes of all requests together, at a time */
} hrr_server_options;
/* 127.0.0.1, a free port, labels, nobody but nodes of the release, no log. */
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
 * Errors:    HRR_EINVAL, HRR_ECHECK (a model or release that promises nothing, without
 *            `non_private`; a model that was not trained on its release), HRR_EDATA, HRR_EIO (the
 *            address is taken), HRR_ENOMEM, HRR_ECANCEL. */
HRR_EXPERIMENTAL HRR_STATUS hrr_server_start(hrr_server **out, const hrr_served_model *models,
                                             size_t n_models, const hrr_server_options *options,
                                             hrr_progress *progress, hrr_error *err);
HRR_EXPERIMENTAL uint32_t hrr_server_port(const hrr_server *server);
/* Whether a release promises something for all that is served. */
HRR_EXPERIMENTAL bool hrr_server_is_private(const hrr_server *server);

/* Whether all private models say that they were trained on the very release that is served. Those
 * of older versions do not. */
HRR_EXPERIMENTAL bool hrr_server_is_matched(const hrr_server *server);

/* Read models, releases and tokens again. Requests are answered meanwhile, by the old models until
 * all new ones are there. After a failure the old ones stay. */
HRR_EXPERIMENTAL HRR_STATUS hrr_server_reload(hrr_server *server, hrr_progress *progress,
                                              hrr_error *err);

/* Take no more connections, answer what was asked, for `seconds` at most, and release. NULL is
 * allowed. */
HRR_EXPERIMENTAL void hrr_server_free(hrr_server *server, double seconds);

/* ---- for other servers ----------------------------------------------------------------------- */

enum { HRR_ONNX_OPSET = 16 };

typedef struct hrr_onnx_options {
    size_t size;         /* set by hrr_onnx_options_init() */
    bool takes_features; /* those of all nodes are an input, and not in the file */
    bool non_private;    /* write also what no release promises anything for */
    bool ignore_counts;  /* as in hrr_predict_options */
    bool ignore_reports; /* likewise */
    int reserved;        /* 0 */
} hrr_onnx_options;
HRR_EXPERIMENTAL void hrr_onnx_options_init_sized(hrr_onnx_options *options, size_t size);
static inline void hrr_onnx_options_init(hrr_onnx_options *options)
{
    hrr_onnx_options_init_sized(options, sizeof *options);
}

/* Write the network as a file of ONNX. With a release: what it says about the release's nodes. The
 * file has the normalised adjacency and the features; its inputs are `nodes` (numbers from 0) and,
 * with `takes_features`, `features`. release NULL: the part of one node, from
 * `features` to what the network says of a node without neighbours. Outputs are logits,
 * probabilities and labels. Its metadata have the model's statement.
 *
 * Guarantee: post-processing: what the release promises holds for the file.
 * Errors:    HRR_ECHECK (a model or graph that promises nothing, without `non_private`; a model of
 *            another release), HRR_EINVAL for the part of one node of a network without features,
 *            HRR_EDATA, HRR_EIO, HRR_ENOMEM. */
HRR_EXPERIMENTAL HRR_STATUS hrr_onnx_write(const hrr_model *model, const hrr_release *release,
                                           const hrr_onnx_options *options, const char *path,
                                           hrr_error *err);

/* ---- confinement ----------------------------------------------------------------------------- */

/* What the system was made to refuse this process. */
typedef struct hrr_confinement {
    bool no_new_privileges; /* nor other programs: execve() and its kin fail */
    bool files;             /* no file is written, and none read but below the given directories */
} hrr_confinement;

/* Confine this process for ever: for programs whose only work is to serve. Call it before any
 * thread is started. What the system cannot refuse is not an error: see *out. */
HRR_EXPERIMENTAL void hrr_confine(hrr_confinement *out, const char *const *readable,
                                  size_t n_readable);

#ifdef __cplusplus
}
#endif
#endif
