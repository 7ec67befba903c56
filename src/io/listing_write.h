/* listing_write.h: a graph written node by node and edge by edge, with attributes that have names:
 * the other direction of listing.h. What is written is the same for every layout; a layout says how
 * it looks.
 *
 * Written: ids, features as feature_0, feature_1, ..., the class as "class" (its name, or its
 * number if classes have no names) or labels as "class:NAME", the split as train, valid or test,
 * and which edges are private. A node whose class is unknown has none. Masked features, candidates
 * and graph ids do not fit. */
#ifndef HRR_IO_LISTING_WRITE_H
#define HRR_IO_LISTING_WRITE_H

#include "io/listing.h"
#include "io/text_sink.h"
#include "graph/name_index.h"

typedef struct hrr_listing_sink {
    hrr_text_sink *text;
    const hrr_graph *graph;
    hrr_status status; /* of the first failure; nothing is written after it */
    hrr_error *err;
} hrr_listing_sink;

/* A literal piece, and a text with what means something in XML escaped. */
void hrr_listing_put(hrr_listing_sink *sink, const char *piece);
void hrr_listing_put_text(hrr_listing_sink *sink, const char *text);

/* Whether the features, 0 and 1, stand for false and true, as the graph states it. */
bool hrr_listing_truths(const hrr_graph *graph);
/* A feature as a text that is read back as the same number: in `out`, or a literal. */
const char *hrr_listing_number(char out[HRR_LISTING_NUMBER_SIZE], const hrr_dense *features,
                               uint64_t row, uint64_t col, bool truths);

/* Whether the names of classes can stand in a list with bars between them, each once; otherwise
 * their numbers are written. */
hrr_status hrr_listing_names_fit(bool *fit, const hrr_graph *graph, hrr_error *err);
/* The name of a class, or its number in `decimal`. */
const char *hrr_listing_class(char decimal[hrr_decimal_size], const hrr_graph *graph, bool names,
                              uint32_t label);
/* All classes as "a|b|c", hrr memory; NULL: out of memory. */
char *hrr_listing_choices(const hrr_graph *graph, bool names);

typedef struct hrr_listing_style {
    const char *head;
    const char *before_note, *after_note; /* what hrr_listing_note() takes, if there is any */
    const char *start;                    /* before the declarations */
    /* id is a plain word, name and choices are texts; choices NULL: not stated. */
    void (*declare)(hrr_listing_sink *sink, const hrr_attribute_declaration *declaration);
    /* Around all declarations of an owner, if there are any. */
    const char *before_declarations[2], *after_declarations[2];
    const char *before_nodes, *after_nodes; /* between them the nodes */
    const char *before_edges, *after_edges;
    const char *tail;
    void (*open_node)(hrr_listing_sink *sink, const char *id);
    void (*open_edge)(hrr_listing_sink *sink, const char *source, const char *target);
    /* Around the values of a node or edge, if there are any. */
    const char *before_values, *after_values;
    const char *before_attribute, *before_value, *after_value; /* id and value stand between */
    const char *close_node, *close_edge;
} hrr_listing_style;

/* Errors: HRR_EDATA if a name holds a character that XML cannot; HRR_EIO, HRR_ENOMEM, HRR_ECANCEL.
 */
hrr_status hrr_listing_write(const hrr_graph *graph, const char *path,
                             const hrr_listing_style *style, hrr_progress *progress,
                             hrr_error *err);

#endif
