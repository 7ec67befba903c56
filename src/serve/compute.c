/* compute.c: the queue of questions that take long, and the thread that computes them. A
 * thread of the HTTP library looks after thousands of connections: it must not stop for one. */
#include "serve/server.h"

#include <stdlib.h>

static void *compute_all(void *user)
{
    hrr_queue *queue = user;
    pthread_mutex_lock(&queue->lock);
    for (;;) {
        while (!queue->first && !queue->stop)
            pthread_cond_wait(&queue->wake, &queue->lock);
        hrr_exchange *x = queue->first;
        if (!x) break;
        queue->first = x->next;
        if (!queue->first) queue->end = &queue->first;
        pthread_mutex_unlock(&queue->lock);
        hrr_exchange_compute(x);
        atomic_fetch_sub(&x->server->counters.waiting, 1);
        atomic_fetch_add(&x->server->counters.computed, 1);
        hrr_watch_note(x->server, x->connection, HRR_ASKING);
        MHD_resume_connection(x->mhd); /* from now on x is no longer ours */
        pthread_mutex_lock(&queue->lock);
        queue->n_waiting--;
    }
    pthread_mutex_unlock(&queue->lock);
    return NULL;
}

hrr_status hrr_queue_start(hrr_queue *queue, hrr_error *err)
{
    queue->end = &queue->first;
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->wake, NULL);
    queue->running = pthread_create(&queue->thread, NULL, compute_all, queue) == 0;
    if (queue->running) return HRR_OK;
    pthread_cond_destroy(&queue->wake);
    pthread_mutex_destroy(&queue->lock);
    return hrr_fail(err, HRR_ENOMEM, "no thread can be started");
}

bool hrr_queue_put(hrr_queue *queue, hrr_exchange *x, uint32_t most)
{
    pthread_mutex_lock(&queue->lock);
    const bool room = queue->n_waiting < most && !queue->stop;
    if (room) {
        atomic_fetch_add(&x->server->counters.waiting, 1);
        hrr_watch_note(x->server, x->connection, HRR_COMPUTING);
        MHD_suspend_connection(x->mhd);
        x->next = NULL;
        *queue->end = x;
        queue->end = &x->next;
        queue->n_waiting++;
        pthread_cond_signal(&queue->wake);
    }
    pthread_mutex_unlock(&queue->lock);
    return room;
}

void hrr_queue_stop(hrr_queue *queue)
{
    if (!queue->running) return;
    pthread_mutex_lock(&queue->lock);
    queue->stop = true;
    pthread_cond_signal(&queue->wake);
    pthread_mutex_unlock(&queue->lock);
    pthread_join(queue->thread, NULL);
}

void hrr_queue_clear(hrr_queue *queue)
{
    if (!queue->running) return;
    pthread_cond_destroy(&queue->wake);
    pthread_mutex_destroy(&queue->lock);
    queue->running = false;
}
