/* clustering.c: triangles, and how often two neighbours of a node are neighbours.
 *
 * Every edge is directed from its end of smaller degree to the other (equal degrees: by number). A
 * triangle then has one node that both of its edges leave, and is found there once: mark what u
 * points to, and look for marks among what these point to. No node points to more than sqrt(2 m)
 * others, so the time is O(m^1.5) (Chiba and Nishizeki 1985; Latapy 2008). Counts are whole
 * numbers, so that threads may add in any order. */
#include <heterorr/structure.h>

#include "base/memory.h"
#include "base/thread_number.h"
#include "matrix/csr.h"
#include "structure/measures.h"
#include "structure/shape.h"

#include <string.h>

enum { nodes_at_a_time = 256 };

/* The directed edges, and the triangles at each node. */
typedef struct directed {
    uint64_t n_nodes;
    uint64_t *start;     /* n + 1 */
    uint32_t *to;        /* m */
    uint64_t *triangles; /* n for each thread; in the end the first has all */
    uint8_t *marks;      /* n for each thread */
} directed;

static bool points_to(const hrr_csr *graph, uint64_t u, uint64_t v)
{
    const uint64_t at_u = hrr_degree(graph, u), at_v = hrr_degree(graph, v);
    return at_u < at_v || (at_u == at_v && u < v);
}

static void direct(directed *d, const hrr_csr *graph)
{
    uint64_t count = 0;
    for (uint64_t u = 0; u < d->n_nodes; u++) {
        d->start[u] = count;
        for (uint64_t e = graph->row_start[u]; e < graph->row_start[u + 1]; e++)
            if (points_to(graph, u, graph->col[e])) d->to[count++] = graph->col[e];
    }
    d->start[d->n_nodes] = count;
}

static void count_from(const directed *d, uint64_t u, uint8_t *mark, uint64_t *triangles)
{
    const uint64_t begin = d->start[u], end = d->start[u + 1];
    for (uint64_t e = begin; e < end; e++)
        mark[d->to[e]] = 1;
    for (uint64_t e = begin; e < end; e++) {
        const uint32_t v = d->to[e];
        uint64_t at_v = 0;
        for (uint64_t f = d->start[v]; f < d->start[v + 1]; f++) {
            at_v += mark[d->to[f]];
            triangles[d->to[f]] += mark[d->to[f]];
        }
        triangles[v] += at_v;
        triangles[u] += at_v;
    }
    for (uint64_t e = begin; e < end; e++)
        mark[d->to[e]] = 0;
}

static void count_all(directed *d, int threads, hrr_progress *progress)
{
    const uint64_t n = d->n_nodes, n_batches = (n + nodes_at_a_time - 1) / nodes_at_a_time;
#pragma omp parallel num_threads(threads)
    {
        const uint64_t own = (uint64_t)hrr_thread_number() * n;
#pragma omp for schedule(dynamic)
        for (uint64_t batch = 0; batch < n_batches; batch++) {
            if (hrr_progress_cancelled(progress)) continue;
            const uint64_t begin = batch * nodes_at_a_time;
            const uint64_t end = begin + nodes_at_a_time < n ? begin + nodes_at_a_time : n;
            for (uint64_t u = begin; u < end; u++)
                count_from(d, u, d->marks + own, d->triangles + own);
            (void)hrr_progress_advance(progress, end - begin, NULL);
        }
    }
    for (int t = 1; t < threads; t++)
        for (uint64_t i = 0; i < n; i++)
            d->triangles[i] += d->triangles[(uint64_t)t * n + i];
}

static void conclude(hrr_clustering *out, const uint64_t *triangles, const hrr_csr *graph)
{
    uint64_t at_nodes = 0;
    double meetings = 0, local = 0; /* pairs of edges may outgrow 64 bits */
    for (uint64_t i = 0; i < graph->rows; i++) {
        const double degree = (double)hrr_degree(graph, i), pairs = degree * (degree - 1) / 2;
        at_nodes += triangles[i];
        meetings += pairs;
        if (pairs > 0) local += (double)triangles[i] / pairs;
    }
    out->triangles = at_nodes / 3;
    out->transitivity = meetings > 0 ? (double)at_nodes / meetings : 0;
    out->mean_local = local / (double)graph->rows;
}

hrr_status hrr_triangles_at(uint64_t *triangles, const hrr_csr *graph, int threads,
                            hrr_progress *progress, hrr_error *err)
{
    hrr_status status = HRR_OK;
    const uint64_t n = graph->rows;
    if (n == 0) return HRR_OK;
    threads = hrr_threads(threads);
    directed d = {
        .n_nodes = n,
        .start = hrr_alloc(n + 1, sizeof *d.start),
        .to = hrr_alloc(hrr_csr_n_entries(graph) / 2, sizeof *d.to),
        .triangles = hrr_alloc_zero(n, (size_t)threads * sizeof *d.triangles),
        .marks = hrr_alloc_zero(n, (size_t)threads),
    };
    if (!d.start || !d.to || !d.triangles || !d.marks) {
        status = hrr_no_memory(err);
        goto done;
    }
    direct(&d, graph);
    hrr_progress_begin(progress, "counting triangles", n);
    count_all(&d, threads, progress);
    if (hrr_progress_cancelled(progress)) status = hrr_progress_advance(progress, 0, err);
    memcpy(triangles, d.triangles, n * sizeof *triangles);
done:
    hrr_free(d.start);
    hrr_free(d.to);
    hrr_free(d.triangles);
    hrr_free(d.marks);
    return status;
}

hrr_status hrr_clustering_of(hrr_clustering *out, const hrr_csr *graph, int threads,
                             hrr_progress *progress, hrr_error *err)
{
    *out = (hrr_clustering){0};
    hrr_status status = hrr_same_nodes(graph, graph, err);
    if (status || graph->rows == 0) return status;
    uint64_t *triangles = hrr_alloc(graph->rows, sizeof *triangles);
    if (!triangles) return hrr_no_memory(err);
    status = hrr_triangles_at(triangles, graph, threads, progress, err);
    if (!status) conclude(out, triangles, graph);
    hrr_free(triangles);
    return status;
}
