/* edge_text.h: edge lists as text: csv, tsv, SNAP, .pairs; with or without a header; two id
 * columns, then optionally mark columns (headers that begin with "private", or a third 0/1 column
 * named so). This is the fast reader: one pass over mapped bytes. */
#ifndef HRR_IO_EDGE_TEXT_H
#define HRR_IO_EDGE_TEXT_H

#include "io/header.h"
#include "graph/name_index.h"

#include <heterorr/io.h>

typedef enum hrr_id_policy {
    HRR_IDS_MAP = 0, /* ids are names: compacted to 0..n-1 (integers ascending, texts in the order
                        of their bytes), originals kept. If the integers seen are 0..n-1 or 1..n
                        without a gap, self-loops name nodes too; otherwise a node named by
                        self-loops alone is dropped and counted. */
    HRR_IDS_DIRECT   /* ids are row numbers 0..n_nodes-1 of something else; others are errors */
} hrr_id_policy;

typedef struct hrr_edge_text_options {
    hrr_id_policy ids;
    uint64_t n_nodes; /* with HRR_IDS_DIRECT; 0: largest id + 1 */
    int threads;
    const char *mark_column;     /* a column that holds marks whatever its name; NULL: none */
    bool may_be_empty;           /* with HRR_IDS_MAP: no edge, or self-loops alone, is an answer */
    hrr_told_header header;      /* whether the first row is one, if the owner says it */
    const hrr_name_index *nodes; /* with HRR_IDS_MAP: the ids that there are, if they are known */
    hrr_read_report *report;     /* what was decided; NULL: nobody asks */
} hrr_edge_text_options;

typedef struct hrr_edge_text {
    hrr_edge_list edges; /* in the order of the file, self-loops and repeats still there (except
                            those of dropped nodes); if ids are names the first row may come last */
    uint64_t n_nodes;
    hrr_node_ids ids; /* empty when the ids are 0..n-1 */
    bool passed_over; /* columns that are neither ids nor marks were not read */
    int n_marks;
    char *mark_names[HRR_MAX_MARKS];
    hrr_removed
        removed; /* what was dropped already: self_loops and isolated_nodes of dropped nodes */
} hrr_edge_text;

/* How a header is recognised: header.h. A third column without a header is not a mark.
 * Errors: HRR_EDATA names file and line: a first row that may be a header or an edge, an id that is
 * negative or over 2^31 - 1 (direct) or not UTF-8, a row
 * with too few columns, a mark that is not 0 or 1, no edge at all. That is no error where edges are
 * private and their number is nobody's business: may_be_empty, and with HRR_IDS_DIRECT if n_nodes
 * is given. HRR_EIO also for a pipe: the file is looked at twice. */
hrr_status hrr_edge_text_read(hrr_edge_text *out, const char *path,
                              const hrr_edge_text_options *options, hrr_progress *progress,
                              hrr_error *err);
void hrr_edge_text_clear(hrr_edge_text *text);

#endif
