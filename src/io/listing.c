/* listing.c: see listing.h: what a reader tells, taken down. listing_graph.c makes the graph. */
#include "io/edge_columns.h"
#include "io/listing_parts.h"
#include "io/table.h"
#include "io/xml.h"
#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

hrr_status hrr_listing_new(hrr_listing **out, const char *path, const hrr_read_options *options,
                           hrr_error *err)
{
    *out = hrr_alloc_zero(1, sizeof **out);
    if (!*out) return hrr_no_memory(err);
    (*out)->path = path;
    (*out)->options = options;
    return HRR_OK;
}

static void clear_columns(columns *all)
{
    hrr_free(all->items);
    hrr_name_index_clear(&all->index);
}

void hrr_listing_free(hrr_listing *listing)
{
    if (!listing) return;
    for (uint32_t i = 0; i < listing->n_attributes; i++) {
        hrr_free(listing->attributes[i].name);
        hrr_free(listing->attributes[i].otherwise);
        hrr_free(listing->attributes[i].choices);
    }
    hrr_free(listing->attributes);
    hrr_name_index_clear(&listing->ids[HRR_OF_NODES]);
    hrr_name_index_clear(&listing->ids[HRR_OF_EDGES]);
    clear_columns(&listing->features);
    clear_columns(&listing->labels);
    clear_columns(&listing->marks);
    hrr_edge_names_clear(&listing->names);
    hrr_free(listing->first_mention);
    hrr_free(listing->listed);
    hrr_free(listing->node_of_row);
    hrr_free(listing->feature_rows);
    hrr_free(listing->label_rows);
    hrr_free(listing->class_rows);
    hrr_free(listing->split_rows);
    hrr_name_index_clear(&listing->class_texts);
    hrr_edge_growth_clear(&listing->edges);
    hrr_free(listing);
}

/* ---- attributes ------------------------------------------------------------------------------ */

static attribute_role role_of(const hrr_listing *listing, const hrr_attribute_declaration *d)
{
    const char *told = listing->options->label_column;
    if (d->owner == HRR_OF_EDGES) {
        const char *mark = listing->options->private_column;
        return hrr_is_mark_column(d->name, mark) ? ROLE_MARK : ROLE_NONE;
    }
    const bool is_label = d->type == HRR_ATTRIBUTE_TRUTH && strncmp(d->name, "class:", 6) == 0;
    if (told && strcmp(d->name, told) == 0) return ROLE_CLASS;
    if (strcmp(d->name, "class") == 0) return told ? ROLE_NONE : ROLE_CLASS;
    if (is_label) return told ? ROLE_NONE : ROLE_LABEL;
    if (d->type == HRR_ATTRIBUTE_TEXT)
        return strcmp(d->name, "split") == 0 ? ROLE_SPLIT : ROLE_NONE;
    return ROLE_FEATURE;
}

bool hrr_is_passed_over_text(const attribute *a)
{
    return a->role == ROLE_NONE && a->type == HRR_ATTRIBUTE_TEXT;
}

bool hrr_edge_attribute_is_harmless(const char *name)
{
    static const char *const names[] = {"weight", "key", "id"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

static columns *columns_of(hrr_listing *listing, attribute_role role)
{
    return role == ROLE_FEATURE ? &listing->features
           : role == ROLE_LABEL ? &listing->labels
           : role == ROLE_MARK  ? &listing->marks
                                : NULL;
}

static bool as_number(const attribute *a, const char *text, double *out)
{
    bool truth;
    if (a->type != HRR_ATTRIBUTE_TRUTH && a->role != ROLE_MARK)
        return hrr_field_number(text, out) && isfinite(*out);
    if (!hrr_field_truth(text, &truth)) return false;
    *out = truth;
    return true;
}

/* A number may stand between blanks and line ends. */
static const char *trimmed(char *out, size_t size, const char *text)
{
    static const char blanks[] = " \t\r\n";
    text += strspn(text, blanks);
    size_t length = strlen(text);
    while (length > 0 && strchr(blanks, text[length - 1]))
        length--;
    if (length >= size) return ""; /* longer than any number */
    memcpy(out, text, length);
    out[length] = '\0';
    return out;
}

static hrr_status wrong_value(const attribute *a, const hrr_place *at, hrr_error *err)
{
    return hrr_place_fail(at, err, "a value of %s attribute %.80s is not %s",
                          a->owner == HRR_OF_NODES ? "node" : "edge", a->name,
                          a->role == ROLE_MARK || a->type == HRR_ATTRIBUTE_TRUTH ? "true or false"
                                                                                 : "a number");
}

static hrr_status add_column(hrr_listing *listing, attribute *a, const hrr_place *at,
                             hrr_error *err)
{
    columns *all = columns_of(listing, a->role);
    if (!all) return HRR_OK;
    bool fresh;
    hrr_status status = hrr_name_index_add(&all->index, a->name, all->n, &fresh, err);
    if (status) return status;
    hrr_name_index_find(&all->index, a->name, &a->column);
    if (fresh) {
        if (all == &listing->marks && all->n == HRR_MAX_MARKS)
            return hrr_place_fail(at, err,
                                  "more than %d edge attributes have names that begin with "
                                  "\"private\"; keep only those that you need",
                                  HRR_MAX_MARKS);
        if (all->n == all->room) {
            const uint32_t room = all->room ? 2 * all->room : 16;
            column *items = hrr_resize(all->items, room, sizeof *items);
            if (!items) return hrr_no_memory(err);
            all->items = items;
            all->room = room;
        }
        all->items[all->n++] = (column){.name = a->name};
    }
    column *c = &all->items[a->column];
    char text[64];
    if (a->otherwise && !c->has_default) {
        c->has_default = as_number(a, trimmed(text, sizeof text, a->otherwise), &c->otherwise);
        if (!c->has_default) return wrong_value(a, at, err);
    }
    return HRR_OK;
}

/* The narrowest type that holds the features of all types. */
static hrr_dtype wider(hrr_dtype so_far, hrr_attribute_type type)
{
    if (type == HRR_ATTRIBUTE_TRUTH) return so_far ? so_far : HRR_U8;
    if (type == HRR_ATTRIBUTE_FLOAT) return so_far == HRR_F64 ? HRR_F64 : HRR_F32;
    return HRR_F64;
}

hrr_status hrr_listing_declare(hrr_listing *listing, const hrr_attribute_declaration *declaration,
                               const hrr_place *at, hrr_error *err)
{
    const bool of_nodes = declaration->owner == HRR_OF_NODES;
    if (of_nodes ? listing->n_listed : listing->n_edges)
        return hrr_place_fail(at, err,
                              "an attribute is declared after the first %s; declare it earlier",
                              of_nodes ? "node" : "edge");
    if (listing->n_attributes == listing->attribute_room) {
        const uint32_t room = listing->attribute_room ? 2 * listing->attribute_room : 16;
        attribute *larger = hrr_resize(listing->attributes, room, sizeof *larger);
        if (!larger) return hrr_no_memory(err);
        listing->attributes = larger;
        listing->attribute_room = room;
    }
    bool fresh;
    hrr_status status = hrr_name_index_add(&listing->ids[declaration->owner], declaration->id,
                                           listing->n_attributes, &fresh, err);
    if (status) return status;
    if (!fresh) return hrr_place_fail(at, err, "an attribute is declared twice");

    attribute *a = &listing->attributes[listing->n_attributes++];
    *a = (attribute){.owner = declaration->owner,
                     .type = declaration->type,
                     .role = role_of(listing, declaration)};
    if ((status = hrr_xml_keep(&a->name, declaration->name, err))) return status;
    if ((status = hrr_xml_keep(&a->otherwise, declaration->otherwise, err))) return status;
    if ((status = hrr_xml_keep(&a->choices, declaration->choices, err))) return status;
    if (a->role == ROLE_FEATURE) listing->feature_type = wider(listing->feature_type, a->type);
    if (a->role == ROLE_CLASS && a->otherwise) listing->class_default = listing->n_attributes;
    if (a->role == ROLE_CLASS && a->choices) listing->class_choices = a->choices;
    listing->has_texts |= of_nodes && hrr_is_passed_over_text(a);
    listing->passed_over |=
        !of_nodes && a->role == ROLE_NONE && !hrr_edge_attribute_is_harmless(a->name);
    return add_column(listing, a, at, err);
}

hrr_status hrr_listing_note(hrr_listing *listing, const char *text, const hrr_place *at,
                            hrr_error *err)
{
    const size_t word = strlen(HRR_LISTING_INFERRED);
    int64_t bits;
    if (strncmp(text, HRR_LISTING_INFERRED, word) != 0) return HRR_OK;
    if (!hrr_field_integer(text + word, &bits) || bits < 0 || bits >= HRR_INFERRED_END)
        return hrr_place_fail(at, err, "the value of inferred is not one that heterorr writes");
    listing->inferred |= (unsigned)bits;
    return HRR_OK;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* The number of the node of that name, new or known. */
static hrr_status number_of(hrr_listing *listing, const char *name, uint32_t *out,
                            const hrr_place *at, hrr_error *err)
{
    const uint64_t known = listing->names.n_names;
    uint64_t number;
    if (!*name) return hrr_place_fail(at, err, "the id of a node is empty");
    if (known == listing->names_room) {
        const uint64_t room = listing->names_room ? 2 * listing->names_room : 256;
        uint64_t *mention = hrr_resize(listing->first_mention, room, sizeof *mention);
        if (!mention) return hrr_no_memory(err);
        listing->first_mention = mention;
        uint8_t *listed = hrr_resize(listing->listed, room, 1);
        if (!listed) return hrr_no_memory(err);
        listing->listed = listed;
        listing->names_room = room;
    }
    hrr_status status = hrr_edge_names_number(&listing->names, name, &number, err);
    if (status) return status;
    if (number == known) {
        listing->first_mention[number] = at->position(at);
        listing->listed[number] = 0;
    }
    *out = (uint32_t)number;
    return HRR_OK;
}

/* *rows, resized; a size of 0 is nothing to keep. */
static bool resized(void *rows, uint64_t room, size_t size)
{
    void *old, *larger;
    if (size == 0) return true;
    memcpy(&old, rows, sizeof old);
    larger = hrr_resize(old, room, size);
    if (larger) memcpy(rows, &larger, sizeof larger);
    return larger != NULL;
}

static hrr_status make_node_room(hrr_listing *listing, hrr_error *err)
{
    if (listing->n_listed < listing->rows_room) return HRR_OK;
    const uint64_t room = listing->rows_room ? 2 * listing->rows_room : 64;
    const size_t size = listing->features.n ? hrr_dtype_size(listing->feature_type) : 0;
    const bool enough = resized(&listing->node_of_row, room, sizeof *listing->node_of_row) &&
                        resized(&listing->feature_rows, room, listing->features.n * size) &&
                        resized(&listing->label_rows, room, listing->labels.n) &&
                        resized(&listing->class_rows, room, sizeof *listing->class_rows) &&
                        resized(&listing->split_rows, room, 1);
    if (!enough) return hrr_no_memory(err);
    listing->rows_room = room;
    return HRR_OK;
}

hrr_status hrr_listing_node(hrr_listing *listing, const char *id, const hrr_place *at,
                            hrr_error *err)
{
    uint32_t node;
    if (!id) return hrr_place_fail(at, err, "a node has no id");
    hrr_status status = make_node_room(listing, err);
    if (!status) status = number_of(listing, id, &node, at, err);
    if (status) return status;
    if (listing->listed[node]) return hrr_place_fail(at, err, "a node is listed twice");
    listing->listed[node] = 1;
    listing->node_of_row[listing->n_listed++] = node;
    listing->class_text = HRR_NO_CLASS_TEXT;
    listing->split = hrr_no_split;
    listing->under_way = MET_NODE;
    return HRR_OK;
}

/* Numbers of every type are classes if they are whole: 1.0 is 1, and -1 is unknown. */
static hrr_status take_class(hrr_listing *listing, const attribute *a, const char *value,
                             hrr_error *err)
{
    char text[64], decimal[hrr_decimal_size];
    double number;
    bool fresh;
    if (a->type != HRR_ATTRIBUTE_TEXT) {
        value = trimmed(text, sizeof text, value);
        if (hrr_field_number(value, &number) && number == floor(number) && fabs(number) < 1e9) {
            if (number == -1) return HRR_OK;
            hrr_decimal(decimal, (int64_t)number);
            value = decimal;
        }
    }
    hrr_status status = hrr_name_index_add(&listing->class_texts, value,
                                           (uint32_t)listing->class_texts.n_names, &fresh, err);
    if (!status) hrr_name_index_find(&listing->class_texts, value, &listing->class_text);
    return status;
}

static void take_split(hrr_listing *listing, const char *value)
{
    static const char *const words[] = {"train", "valid", "test"};
    for (uint8_t i = 0; i < 3; i++)
        if (strcmp(value, words[i]) == 0) listing->split = i;
}

/* ---- values ---------------------------------------------------------------------------------- */

hrr_status hrr_listing_value(hrr_listing *listing, const char *id, const char *value,
                             const hrr_place *at, hrr_error *err)
{
    const bool of_node = listing->under_way == MET_NODE;
    const uint64_t stamp = of_node ? listing->n_listed : listing->n_edges;
    uint32_t place;
    if (!id || !value ||
        !hrr_name_index_find(&listing->ids[of_node ? HRR_OF_NODES : HRR_OF_EDGES], id, &place))
        return hrr_place_fail(at, err,
                              "a value refers to an attribute of %s that is not declared before it",
                              of_node ? "nodes" : "edges");
    attribute *a = &listing->attributes[place];
    if (a->given == stamp)
        return hrr_place_fail(
            at, err,
            "attribute %.80s has two values; values that change over time are not supported",
            a->name);
    a->given = stamp;
    if (a->role == ROLE_CLASS) return take_class(listing, a, value, err);
    if (a->role == ROLE_SPLIT) take_split(listing, value);
    columns *all = columns_of(listing, a->role);
    if (!all) return HRR_OK;
    char text[64];
    column *c = &all->items[a->column];
    if (!as_number(a, trimmed(text, sizeof text, value), &c->value)) return wrong_value(a, at, err);
    c->given = stamp;
    return HRR_OK;
}

hrr_status hrr_listing_take_number(hrr_listing *listing, uint32_t attribute_number, double value,
                                   const hrr_place *at, hrr_error *err)
{
    attribute *a = &listing->attributes[attribute_number];
    const bool truth = a->type == HRR_ATTRIBUTE_TRUTH || a->role == ROLE_MARK;
    if (a->role == ROLE_CLASS) {
        char text[HRR_LISTING_NUMBER_SIZE];
        snprintf(text, sizeof text, "%.17g", value);
        return take_class(listing, a, text, err);
    }
    columns *all = columns_of(listing, a->role);
    if (!all) return HRR_OK;
    if (truth ? value != 0 && value != 1 : !isfinite(value)) return wrong_value(a, at, err);
    column *c = &all->items[a->column];
    c->value = value;
    c->given = listing->under_way == MET_NODE ? listing->n_listed : listing->n_edges;
    return HRR_OK;
}

static hrr_status complete(columns *all, uint64_t stamp, const char *whose, const hrr_place *at,
                           hrr_error *err)
{
    for (uint32_t i = 0; i < all->n; i++) {
        column *c = &all->items[i];
        if (c->given == stamp) continue;
        if (!c->has_default)
            return hrr_place_fail(at, err,
                                  "there is no value for attribute %.80s; give every %s a value, "
                                  "or declare a default",
                                  c->name, whose);
        c->value = c->otherwise;
    }
    return HRR_OK;
}

static hrr_status end_node(hrr_listing *listing, const hrr_place *at, hrr_error *err)
{
    const uint64_t row = listing->n_listed - 1;
    const uint32_t n_features = listing->features.n, n_labels = listing->labels.n;
    hrr_status status = complete(&listing->features, listing->n_listed, "node", at, err);
    if (!status) status = complete(&listing->labels, listing->n_listed, "node", at, err);
    if (status) return status;
    if (listing->class_default && listing->class_text == HRR_NO_CLASS_TEXT) {
        const attribute *a = &listing->attributes[listing->class_default - 1];
        if ((status = take_class(listing, a, a->otherwise, err))) return status;
    }
    listing->class_rows[row] = listing->class_text;
    listing->split_rows[row] = listing->split;
    for (uint32_t i = 0; i < n_labels; i++)
        listing->label_rows[row * n_labels + i] = (uint8_t)listing->labels.items[i].value;
    void *features = listing->feature_rows;
    for (uint32_t i = 0; i < n_features; i++) {
        const uint64_t place = row * n_features + i;
        const double value = listing->features.items[i].value;
        if (listing->feature_type == HRR_U8)
            ((uint8_t *)features)[place] = (uint8_t)value;
        else if (listing->feature_type == HRR_F32)
            ((float *)features)[place] = (float)value;
        else
            ((double *)features)[place] = value;
    }
    return HRR_OK;
}

/* ---- edges ----------------------------------------------------------------------------------- */

hrr_status hrr_listing_edge(hrr_listing *listing, const char *source, const char *target,
                            const hrr_place *at, hrr_error *err)
{
    if (!source || !target) return hrr_place_fail(at, err, "an edge has no source or no target");
    hrr_status status = number_of(listing, source, &listing->source, at, err);
    if (!status) status = number_of(listing, target, &listing->target, at, err);
    if (status) return status;
    listing->edges_at = *at;
    listing->n_edges++;
    listing->under_way = MET_EDGE;
    return HRR_OK;
}

static hrr_status end_edge(hrr_listing *listing, const hrr_place *at, hrr_error *err)
{
    uint8_t marks = 0;
    if (!listing->marks.n)
        return hrr_edge_growth_add(&listing->edges, listing->source, listing->target, err);
    hrr_status status = complete(&listing->marks, listing->n_edges, "edge", at, err);
    for (uint32_t i = 0; i < listing->marks.n; i++)
        if (listing->marks.items[i].value != 0) marks |= (uint8_t)(1u << i);
    return status ? status
                  : hrr_edge_growth_add_marked(&listing->edges, listing->source, listing->target,
                                               marks, err);
}

hrr_status hrr_listing_end(hrr_listing *listing, const hrr_place *at, hrr_error *err)
{
    const bool node = listing->under_way == MET_NODE;
    listing->under_way = MET_NOTHING;
    return node ? end_node(listing, at, err) : end_edge(listing, at, err);
}
