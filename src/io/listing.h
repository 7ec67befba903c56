/* listing.h: a graph that a file lists node by node and edge by edge, with attributes that have
 * names, as GraphML and GEXF do. The reader of the file tells what it meets; the listing decides
 * what each attribute means, and becomes a graph.
 *
 * Nodes: the ids are names. They are put in order as those of edge lists are (integers by value,
 * otherwise texts by their bytes): a program that builds a graph from its edges lists nodes in the
 * order in which edges name them, and this must not show.
 *
 * Node attributes: the one that `label_column` names holds the classes; if nothing is named, the
 * one that is called "class", or those called "class:..." that are true or false, a column of the
 * label matrix each. What is called so is never a feature. "split" holds train, valid and test. Any
 * other of numbers is a feature; features are in the order of their names, so that it does not
 * matter in which order a program declares them. Texts are passed over, and the report says so.
 *
 * Edge attributes: those whose names begin with "private", and the one that `private_column`
 * names, mark private edges, as columns of an edge list do. Others are passed over.
 *
 * A feature or a mark has a value for every node or edge, its own or a default: whoever leaves one
 * out may mean either. A node without a class is one whose class is unknown. */
#ifndef HRR_IO_LISTING_H
#define HRR_IO_LISTING_H

#include "io/place.h"

#include <heterorr/io.h>

typedef enum hrr_attribute_type {
    HRR_ATTRIBUTE_TEXT,
    HRR_ATTRIBUTE_TRUTH, /* true or false */
    HRR_ATTRIBUTE_INTEGER,
    HRR_ATTRIBUTE_FLOAT,
    HRR_ATTRIBUTE_DOUBLE
} hrr_attribute_type;

typedef enum hrr_attribute_owner { HRR_OF_NODES, HRR_OF_EDGES } hrr_attribute_owner;

typedef struct hrr_attribute_declaration {
    hrr_attribute_owner owner;
    hrr_attribute_type type;
    const char *id;        /* what values say they belong to */
    const char *name;      /* what people call it */
    const char *otherwise; /* the value where none is given; NULL: there is none */
    const char *choices;   /* all values that there are, "a|b|c", in order; NULL: not stated */
} hrr_attribute_declaration;

/* Room for a number as text. */
#define HRR_LISTING_NUMBER_SIZE 40

typedef struct hrr_listing hrr_listing;

/* path and options must outlive the listing. */
hrr_status hrr_listing_new(hrr_listing **out, const char *path, const hrr_read_options *options,
                           hrr_error *err);
void hrr_listing_free(hrr_listing *listing);

/* What the reader meets. Errors carry the line: HRR_EDATA for attributes declared after the first
 * node or edge that may have them, values of attributes that were not declared, values given twice,
 * left out or of the wrong type, nodes that are there twice. */
hrr_status hrr_listing_declare(hrr_listing *listing, const hrr_attribute_declaration *declaration,
                               const hrr_place *at, hrr_error *err);
hrr_status hrr_listing_node(hrr_listing *listing, const char *id, const hrr_place *at,
                            hrr_error *err);
hrr_status hrr_listing_edge(hrr_listing *listing, const char *source, const char *target,
                            const hrr_place *at, hrr_error *err);
/* A value of the node or edge that was met last. */
hrr_status hrr_listing_value(hrr_listing *listing, const char *attribute, const char *value,
                             const hrr_place *at, hrr_error *err);
/* The same for the attribute that was declared as number `attribute`, counting from 0, whose value
 * is a number already. */
hrr_status hrr_listing_take_number(hrr_listing *listing, uint32_t attribute, double value,
                                   const hrr_place *at, hrr_error *err);
/* The end of the node or edge. */
hrr_status hrr_listing_end(hrr_listing *listing, const hrr_place *at, hrr_error *err);

/* What programs write of edges and cannot mark them private: weight, key, id. */
bool hrr_edge_attribute_is_harmless(const char *name);

/* A description of the whole file; what our own writer puts there is believed, words are not read.
 */
#define HRR_LISTING_INFERRED "inferred: " /* and hrr_inferred bits, as in the native layout */
hrr_status hrr_listing_note(hrr_listing *listing, const char *text, const hrr_place *at,
                            hrr_error *err);

/* The graph; the listing is spent. `directed`: the file says that its edges have directions, which
 * are not kept. Errors: HRR_EDATA if an edge names a node that is not listed. */
hrr_status hrr_listing_into_graph(hrr_graph **out, hrr_listing *listing, bool directed,
                                  hrr_progress *progress, hrr_error *err);

#endif
