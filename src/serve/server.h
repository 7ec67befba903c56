/* server.h: a running service, and one request on its way through it. */
#ifndef HRR_SERVE_SERVER_H
#define HRR_SERVE_SERVER_H

#include "serve/catalogue.h"
#include "serve/headers.h"
#include "serve/metrics.h"
#include "serve/reply.h"
#include "serve/site.h"

#include <microhttpd.h>
#include <pthread.h>

/* What a connection does: nothing, or the head of a request is on its way; a request or its answer
 * is; or it waits for us. */
typedef enum hrr_doing { HRR_IDLE = 0, HRR_ASKING, HRR_COMPUTING } hrr_doing;

/* A connection that the watch looks after (watch.c). */
typedef struct hrr_connection {
    int fd;
    _Atomic double since; /* in seconds of the watch */
    atomic_int doing;
    bool closed; /* by the watch */
    struct hrr_connection *next, *before;
} hrr_connection;

typedef struct hrr_watch {
    pthread_t thread;
    _Atomic double clock; /* seconds for which the service has run */
    pthread_mutex_t lock;
    pthread_cond_t wake;
    hrr_connection *first;
    bool running, stop;
} hrr_watch;

/* A request and its answer. */
typedef struct hrr_exchange {
    hrr_server *server;
    hrr_catalogue *catalogue;
    const hrr_caller *caller; /* of the catalogue's; NULL: nobody yet */
    hrr_served *served;       /* of the catalogue's; NULL: about none */
    hrr_route route;
    char method[8];
    char model[HRR_MODEL_NAME];
    char *body;
    size_t size, room, json_size; /* json_size: as the header says; SIZE_MAX: all */
    bool too_large, no_room;      /* no_room: others' bodies take it all */
    double began;
    hrr_reply reply;
    bool answered; /* reply is there */
    hrr_infer_request request;
    hrr_asking asking;
    bool is_read;     /* request and asking are there */
    uint64_t n_nodes; /* that the answer is about */
    struct MHD_Connection *mhd;
    hrr_connection *connection;
    struct hrr_exchange *next; /* in the queue */
} hrr_exchange;

/* Questions that take a forward pass, or are so large that reading them takes long, wait for one
 * thread, so that the others are answered meanwhile (compute.c). */
typedef struct hrr_queue {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    hrr_exchange *first, **end;
    uint32_t n_waiting;
    bool running, stop;
} hrr_queue;

struct hrr_server {
    hrr_server_options options; /* texts are its own */
    hrr_served_model *models;   /* likewise */
    size_t n_models;
    hrr_site site;
    struct MHD_Daemon *daemon;
    uint32_t port;
    pthread_mutex_t lock; /* of `catalogue`: which one it is */
    hrr_catalogue *catalogue;
    hrr_accounts accounts;
    hrr_counters counters;
    atomic_uint_fast64_t active; /* exchanges */
    atomic_bool stopping;
    hrr_queue queue;
    hrr_watch watch;
};

double hrr_server_clock(void);

/* answer.c: what a request is answered, whatever carried it. */
/* Before the body: may it be asked at all? If not, it is answered. */
void hrr_exchange_admit(hrr_exchange *x, const hrr_request_headers *headers);
/* With the body. False: it was put into the queue, and is answered later. */
bool hrr_exchange_answer(hrr_exchange *x);
/* What the queue does with it. */
void hrr_exchange_compute(hrr_exchange *x);

/* compute.c */
HRR_STATUS hrr_queue_start(hrr_queue *queue, hrr_error *err);
/* False: too many wait. */
bool hrr_queue_put(hrr_queue *queue, hrr_exchange *x, uint32_t most);
void hrr_queue_stop(
    hrr_queue *queue); /* after all that wait in it were computed; then it takes no more */
void hrr_queue_clear(hrr_queue *queue); /* when nobody can ask it any more */

/* watch.c: closes connections that are idle or slow for too long. */
HRR_STATUS hrr_watch_start(hrr_server *server, hrr_error *err);
void hrr_watch_stop(hrr_server *server);
hrr_connection *hrr_watch_add(hrr_server *server, int fd);
void hrr_watch_remove(hrr_server *server, hrr_connection *connection);
void hrr_watch_note(hrr_server *server, hrr_connection *connection, hrr_doing doing);

/* access_log.c: one line of JSON; what cannot be written is counted. */
void hrr_access_log(hrr_server *server, const hrr_exchange *x, double seconds);

#endif
