/* influence.c: LinkTeller's influence by questions, as published: one forward pass of the service
 * for each node. */
#include "attack/influence.h"
#include "attack/f64_model.h"
#include "attack/service.h"
#include "base/memory.h"

#include <heterorr/attack.h>

#include <inttypes.h>
#include <math.h>

static hrr_status check(const hrr_service *service, const hrr_dense *features,
                        const uint32_t *nodes, uint64_t n_nodes, double delta, hrr_error *err)
{
    if (!(delta > 0) || !isfinite(delta))
        return hrr_fail(err, HRR_EINVAL, "`delta` must be above 0; 1e-4 is usual");
    if (!features || features->rows != service->n_nodes || features->cols != service->n_features)
        return hrr_fail(err, HRR_EDATA,
                        "the service has %" PRIu64 " nodes with %" PRIu64
                        " features, but the attack has a matrix of %" PRIu64 " x %" PRIu64,
                        service->n_nodes, service->n_features, features ? features->rows : 0,
                        features ? features->cols : 0);
    for (uint64_t i = 0; i < n_nodes; i++)
        if (nodes[i] >= service->n_nodes)
            return hrr_fail(err, HRR_EINVAL, "there is no node %" PRIu32, nodes[i]);
    return HRR_OK;
}

hrr_status hrr_influence_measure(hrr_dense *out, const hrr_service *service,
                                 const hrr_dense *features, const uint32_t *nodes, uint64_t n_nodes,
                                 double delta, hrr_progress *progress, hrr_error *err)
{
    const uint32_t n_classes = service->n_classes;
    hrr_dense made = {0}, calm = {0}, moved = {0};
    double *x = NULL, *nudge = NULL;
    *out = (hrr_dense){0};
    hrr_status status = check(service, features, nodes, n_nodes, delta, err);
    if (status) return status;
    const uint64_t d = features->cols;
    if ((status = hrr_dense_init(&made, HRR_F64, n_nodes, n_nodes, err))) goto done;
    if ((status = hrr_dense_init(&calm, HRR_F64, n_nodes, n_classes, err))) goto done;
    if ((status = hrr_dense_init(&moved, HRR_F64, n_nodes, n_classes, err))) goto done;
    x = hrr_alloc(d, sizeof *x);
    nudge = hrr_alloc(d, sizeof *nudge);
    if (!x || !nudge) {
        status = hrr_no_memory(err);
        goto done;
    }
    hrr_progress_begin(progress, "querying the service", n_nodes + 1);
    hrr_question question = {.asked = nodes, .n_asked = n_nodes, .changed = -1};
    if ((status = hrr_service_ask(calm.data, service, &question, progress, err))) goto done;
    question.features = x;
    for (uint64_t v = 0; v < n_nodes; v++) {
        question.changed = nodes[v];
        hrr_attack_nudge(nudge, features, nodes[v]);
        for (uint64_t k = 0; k < d; k++)
            x[k] = hrr_dense_get(features, nodes[v], k) + delta * nudge[k];
        if ((status = hrr_service_ask(moved.data, service, &question, progress, err))) goto done;
        for (uint64_t u = 0; u < n_nodes; u++) {
            const double *before = (const double *)calm.data + u * n_classes;
            const double *after = (const double *)moved.data + u * n_classes;
            double sum = 0;
            for (uint32_t c = 0; c < n_classes; c++)
                sum += (after[c] - before[c]) * (after[c] - before[c]);
            ((double *)made.data)[v * n_nodes + u] = sqrt(sum) / delta;
        }
        if ((status = hrr_progress_advance(progress, 1, err))) goto done;
    }
    *out = made;
    made = (hrr_dense){0};
done:
    hrr_free(x);
    hrr_free(nudge);
    hrr_dense_clear(&made);
    hrr_dense_clear(&calm);
    hrr_dense_clear(&moved);
    return status;
}
