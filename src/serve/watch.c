/* watch.c: connections that nobody uses, or uses a byte at a time, are closed. The HTTP library
 * could close idle ones, but it counts from the last byte, also while the client waits for us: on a
 * busy machine it closed connections instead of answering. Here the time in which the service does
 * not run, or computes, is nobody's fault; and a connection that has bytes for us is not idle. */
#include "serve/server.h"
#include "base/memory.h"

#include <math.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>

double hrr_server_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool has_bytes_for_us(const hrr_connection *c)
{
    int n = 0;
    return ioctl(c->fd, FIONREAD, &n) == 0 && n > 0;
}

/* The HTTP library closes the socket later, when it has noticed: until hrr_watch_remove() the
 * number is no other's. */
static void close_late(hrr_server *server)
{
    const hrr_server_options *o = &server->options;
    const double now = atomic_load(&server->watch.clock);
    for (hrr_connection *c = server->watch.first; c; c = c->next) {
        const int doing = atomic_load(&c->doing);
        const double seconds = now - atomic_load(&c->since);
        const bool slow = seconds >= o->request_seconds;
        const bool idle = doing == HRR_IDLE && seconds >= o->idle_seconds && !has_bytes_for_us(c);
        if (c->closed || doing == HRR_COMPUTING || !(slow || idle)) continue;
        c->closed = true;
        shutdown(c->fd, SHUT_RDWR);
        if (!idle) atomic_fetch_add(&server->counters.slow_closed, 1);
    }
}

static void *watch_all(void *user)
{
    static const double longest_step = 1; /* what is more, the service did not run */
    hrr_server *server = user;
    hrr_watch *watch = &server->watch;
    double before = hrr_server_clock();
    pthread_mutex_lock(&watch->lock);
    while (!watch->stop) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 250000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&watch->wake, &watch->lock, &until);
        const double now = hrr_server_clock();
        atomic_store(&watch->clock, atomic_load(&watch->clock) + fmin(now - before, longest_step));
        before = now;
        close_late(server);
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
    c->fd = fd;
    atomic_init(&c->since, atomic_load(&watch->clock));
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

void hrr_watch_note(hrr_server *server, hrr_connection *c, hrr_doing doing)
{
    if (!c) return;
    atomic_store(&c->since, atomic_load(&server->watch.clock));
    atomic_store(&c->doing, doing);
}
