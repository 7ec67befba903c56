/* listing_parts.h: inside a listing. Only listing.c and listing_graph.c include this. */
#ifndef HRR_IO_LISTING_PARTS_H
#define HRR_IO_LISTING_PARTS_H

#include "io/edge_append.h"
#include "io/edge_names.h"
#include "io/listing.h"
#include "graph/name_index.h"

typedef enum attribute_role {
    ROLE_NONE,
    ROLE_FEATURE,
    ROLE_CLASS,
    ROLE_LABEL, /* a column of the label matrix */
    ROLE_SPLIT,
    ROLE_MARK
} attribute_role;

typedef struct attribute {
    hrr_attribute_owner owner;
    hrr_attribute_type type;
    attribute_role role;
    uint32_t column; /* among those of its role */
    uint64_t given;  /* 1 + number of the node or edge that had a value last */
    char *name, *otherwise, *choices;
} attribute;

/* A column of numbers: a feature, a label or a mark. Several attributes may fill one: networkx
 * declares one for each type that it meets. */
typedef struct column {
    char *name; /* an attribute's */
    bool has_default;
    double otherwise;
    double value;   /* of the node or edge under way */
    uint64_t given; /* as in attribute */
} column;

typedef struct columns {
    column *items;
    uint32_t n, room;
    hrr_name_index index; /* by name */
} columns;

struct hrr_listing {
    const char *path;
    const hrr_read_options *options;
    attribute *attributes;
    uint32_t n_attributes, attribute_room;
    hrr_name_index ids[2]; /* attribute ids of nodes and of edges */
    columns features, labels, marks;
    hrr_dtype feature_type;
    unsigned inferred; /* as the file states it */
    bool has_texts;    /* node attributes that were passed over */
    bool passed_over;  /* edge attributes that may mark private edges were */

    hrr_edge_names names;    /* of nodes, numbered as they come */
    hrr_place edges_at;      /* of the last edge; only its path and line_at() outlive it */
    uint64_t *first_mention; /* where a node was named first, a position of the file */
    uint8_t *listed;         /* a node element names it */
    uint64_t names_room;
    uint64_t n_listed;
    uint32_t *node_of_row; /* the number of the node that row i of what follows is about */
    void *feature_rows;    /* of feature_type */
    uint8_t *label_rows, *split_rows;
    uint32_t *class_rows; /* number of a text, or HRR_NO_CLASS_TEXT */
    uint64_t rows_room;
    hrr_name_index class_texts;
    const char *class_choices; /* an attribute's */
    uint32_t class_default;    /* 1 + the attribute that has one */

    hrr_edge_growth edges;
    uint64_t n_edges; /* met so far */
    enum { MET_NOTHING, MET_NODE, MET_EDGE } under_way;
    uint32_t source, target;
    uint32_t class_text; /* of the node under way */
    uint8_t split;
};

/* Something that the labels may be in. */
bool hrr_is_passed_over_text(const attribute *a);

enum { hrr_no_split = 255 };
#define HRR_NO_CLASS_TEXT UINT32_MAX

#endif
