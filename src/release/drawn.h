/* drawn.h: everything that is drawn for one release. It stands in memory, where whoever asked for
 * it may keep it, and a bundle is written from it. Features alone may go straight to a file, a
 * block of rows at a time, if nobody needs them here: they may be larger than memory. */
#ifndef HRR_RELEASE_DRAWN_H
#define HRR_RELEASE_DRAWN_H

#include "release/edge_protection.h"
#include "release/label_response.h"
#include "release/own_blocks.h"

/* What is to be drawn, and by which plans. */
typedef struct hrr_drawing {
    const hrr_graph *graph;           /* private */
    const hrr_feature_plan *features; /* NULL: there are none */
    uint32_t n_propagate;             /* features are averaged over released edges so often */
    const hrr_label_response *labels;
    const hrr_block_maker *maker; /* of blocks; NULL: there is none */
    hrr_edge_protection *edges;   /* is given the blocks */
    int threads;
    hrr_random *random;
    hrr_ranks *ranks; /* that draw together; NULL: this process alone */
} hrr_drawing;

typedef struct hrr_drawn {
    hrr_graph *graph;        /* all that is released, but features that went to a file; nothing in
                                it belongs to the private graph */
    hrr_edge_release beside; /* what the edge mechanism releases beside edges, and what it realised;
                                the edges are the graph's */
} hrr_drawn;

/* Whether features must stand in memory until edges are drawn: somebody learns from them, or they
 * are averaged over edges. */
bool hrr_drawing_keeps_features(const hrr_drawing *drawing);

/* Draw features, labels, blocks and edges, in this order. features_to: the directory in which
 * features.npy is written as it is drawn; NULL: features stand in memory. The draws are the same.
 * Over ranks the call is collective, and *out is empty but at rank 0.
 *
 * Guarantee: what the plans claim. The graph holds what they drew and what is public.
 * Ownership: hrr_drawn_clear().
 * Errors:    HRR_EDATA, HRR_EIO, HRR_ENOMEM, HRR_ECANCEL, and what the maker says. */
hrr_status hrr_draw(hrr_drawn *out, const hrr_drawing *drawing, const char *features_to,
                    hrr_protect_phases *phases, hrr_progress *progress, hrr_error *err);
void hrr_drawn_clear(hrr_drawn *drawn);

#endif
