/* volunteers.h: nodes that show their features to everybody, in a run of a training sweep. */
#ifndef HRR_EXPERIMENT_VOLUNTEERS_H
#define HRR_EXPERIMENT_VOLUNTEERS_H

#include <heterorr/learn.h>

/* Volunteers are drawn among the training nodes, since they show their labels, too: share * n of
 * them, and all if there are fewer. chosen: n bytes, new, hrr_free(); by the seed alone.
 * Errors: HRR_EDATA (nobody is trained on), HRR_ENOMEM. */
hrr_status hrr_volunteers_draw(uint8_t **chosen, const uint8_t *split, uint64_t n, double share,
                               uint64_t seed, hrr_error *err) HRR_CHECKED;

/* A head from volunteers alone: no other node's features or labels are read. Errors: as
 * hrr_head_from_graphs(). */
hrr_status hrr_volunteers_head(hrr_head *out, const hrr_graph *graph, const uint8_t *chosen,
                               hrr_progress *progress, hrr_error *err) HRR_CHECKED;

#endif
