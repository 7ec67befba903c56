/* watch.c: clients that send a byte now and then, or read one, are not idle, and the HTTP library
 * would keep them for ever. From the end of one answer to the end of the next a connection has so
 * many seconds, the time that we compute apart. */
#include "serve/server.h"
#include "base/memory.h"

#include <sys/socket.h>
#include <time.h>

double hrr_server_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The HTTP library closes the socket later, when it has noticed: until hrr_watch_remove() the
 * number is no other's. */
static void close_slow(hrr_server *server, double now)
{
    for (hrr_connection *c = server->watch.first; c; c = c->next) {
        if (c->closed || c->computing || now - c->since < server->options.request_seconds) continue;
        c->closed = true;
        shutdown(c->fd, SHUT_RDWR);
        atomic_fetch_add(&server->counters.slow_closed, 1);
    }
}

static void *watch_all(void *user)
{
    hrr_server *server = user;
    hrr_watch *watch = &server->watch;
    pthread_mutex_lock(&watch->lock);
    while (!watch->stop) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 250000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&watch->wake, &watch->lock, &until);
        close_slow(server, hrr_server_clock());
    }
    pthread_mutex_unlock(&watch->lock);
    return NULL;
}

hrr_status hrr_watch_start(hrr_server *server, hrr_error *err)
{
    hrr_watch *watch = &server->watch;
    pthread_mutex_init(&watch->lock, NULL);
    pthread_cond_init(&watch->wake, NULL);
    watch->running = pthread_create(&watch->thread, NULL, watch_all, server) == 0;
    if (watch->running) return HRR_OK;
    pthread_cond_destroy(&watch->wake);
    pthread_mutex_destroy(&watch->lock);
    return hrr_fail(err, HRR_ENOMEM, "no thread can be started");
}

void hrr_watch_stop(hrr_server *server)
{
    hrr_watch *watch = &server->watch;
    if (!watch->running) return;
    pthread_mutex_lock(&watch->lock);
    watch->stop = true;
    pthread_cond_signal(&watch->wake);
    pthread_mutex_unlock(&watch->lock);
    pthread_join(watch->thread, NULL);
    pthread_cond_destroy(&watch->wake);
    pthread_mutex_destroy(&watch->lock);
    watch->running = false;
}

hrr_connection *hrr_watch_add(hrr_server *server, int fd)
{
    hrr_watch *watch = &server->watch;
    hrr_connection *c = hrr_alloc_zero(1, sizeof *c);
    if (!c) return NULL;
    *c = (hrr_connection){.fd = fd, .since = hrr_server_clock()};
    pthread_mutex_lock(&watch->lock);
    c->next = watch->first;
    if (c->next) c->next->before = c;
    watch->first = c;
    pthread_mutex_unlock(&watch->lock);
    atomic_fetch_add(&server->counters.connections, 1);
    return c;
}

void hrr_watch_remove(hrr_server *server, hrr_connection *c)
{
    hrr_watch *watch = &server->watch;
    if (!c) return;
    pthread_mutex_lock(&watch->lock);
    if (c->before)
        c->before->next = c->next;
    else
        watch->first = c->next;
    if (c->next) c->next->before = c->before;
    pthread_mutex_unlock(&watch->lock);
    atomic_fetch_sub(&server->counters.connections, 1);
    hrr_free(c);
}

void hrr_watch_note(hrr_server *server, hrr_connection *c, bool computing)
{
    if (!c) return;
    pthread_mutex_lock(&server->watch.lock);
    c->since = hrr_server_clock();
    c->computing = computing;
    pthread_mutex_unlock(&server->watch.lock);
}
