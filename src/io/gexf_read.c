/* gexf_read.c: GEXF (Gephi's format, gexf.net, versions 1.1 to 1.3), as Gephi and networkx write
 * it: <attributes> declare, <nodes> and <edges> list, each with <attvalues>. Attributes mean what
 * listing.h says. Drawings (viz:...) and times are passed over; nodes inside nodes and values that
 * change with time are refused. */
#include "io/graph_formats.h"
#include "io/listing.h"
#include "io/xml.h"
#include "base/memory.h"

#include <string.h>

enum {
    GEXF = 1,
    META,
    DESCRIPTION,
    GRAPH,
    ATTRIBUTES,
    ATTRIBUTE,
    ATTRIBUTE_DEFAULT,
    ATTRIBUTE_OPTIONS,
    NODES,
    NODE,
    EDGES,
    EDGE,
    ATTVALUES,
    ATTVALUE,
    NESTED
};

static const hrr_xml_rule rules[] = {
    {0, "gexf", GEXF, false},
    {GEXF, "meta", META, false},
    {META, "description", DESCRIPTION, true},
    {GEXF, "graph", GRAPH, false},
    {GRAPH, "attributes", ATTRIBUTES, false},
    {ATTRIBUTES, "attribute", ATTRIBUTE, false},
    {ATTRIBUTE, "default", ATTRIBUTE_DEFAULT, true},
    {ATTRIBUTE, "options", ATTRIBUTE_OPTIONS, true},
    {GRAPH, "nodes", NODES, false},
    {NODES, "node", NODE, false},
    {GRAPH, "edges", EDGES, false},
    {EDGES, "edge", EDGE, false},
    {NODE, "attvalues", ATTVALUES, false},
    {EDGE, "attvalues", ATTVALUES, false},
    {ATTVALUES, "attvalue", ATTVALUE, false},
    {NODE, "nodes", NESTED, false},
    {NODE, "edges", NESTED, false},
    {NODE, "graph", NESTED, false},
    {0},
};

enum { ATTRIBUTE_ID, ATTRIBUTE_NAME, ATTRIBUTE_OTHERWISE, ATTRIBUTE_CHOICES, N_TEXTS };

typedef struct reading {
    hrr_listing *listing;
    uint64_t n_graphs;
    bool directed;
    hrr_attribute_declaration attribute; /* under way; its texts are */
    char *texts[N_TEXTS];
} reading;

static hrr_attribute_type type_of(const char *word)
{
    static const struct {
        const char *word;
        hrr_attribute_type type;
    } types[] = {
        {"boolean", HRR_ATTRIBUTE_TRUTH},     {"integer", HRR_ATTRIBUTE_INTEGER},
        {"long", HRR_ATTRIBUTE_INTEGER},      {"short", HRR_ATTRIBUTE_INTEGER},
        {"byte", HRR_ATTRIBUTE_INTEGER},      {"biginteger", HRR_ATTRIBUTE_INTEGER},
        {"float", HRR_ATTRIBUTE_FLOAT},       {"double", HRR_ATTRIBUTE_DOUBLE},
        {"bigdecimal", HRR_ATTRIBUTE_DOUBLE},
    };
    for (size_t i = 0; word && i < sizeof types / sizeof *types; i++)
        if (strcmp(word, types[i].word) == 0) return types[i].type;
    return HRR_ATTRIBUTE_TEXT;
}

static hrr_status open_attributes(reading *in, hrr_xml *xml, const char **attributes,
                                  hrr_error *err)
{
    const char *whose = hrr_xml_attribute(attributes, "class");
    const bool of_edges = whose && strcmp(whose, "edge") == 0;
    if (!of_edges && (!whose || strcmp(whose, "node") != 0))
        return hrr_place_fail(hrr_xml_place(xml), err,
                              "the class of attributes must be node or edge");
    in->attribute.owner = of_edges ? HRR_OF_EDGES : HRR_OF_NODES;
    return HRR_OK;
}

static hrr_status open_attribute(reading *in, hrr_xml *xml, const char **attributes, hrr_error *err)
{
    const char *id = hrr_xml_attribute(attributes, "id");
    const char *title = hrr_xml_attribute(attributes, "title");
    if (!id) return hrr_place_fail(hrr_xml_place(xml), err, "an attribute has no id");
    in->attribute.type = type_of(hrr_xml_attribute(attributes, "type"));
    hrr_status status = hrr_xml_keep(&in->texts[ATTRIBUTE_ID], id, err);
    if (!status) status = hrr_xml_keep(&in->texts[ATTRIBUTE_NAME], title ? title : id, err);
    if (!status) status = hrr_xml_keep(&in->texts[ATTRIBUTE_OTHERWISE], NULL, err);
    return status ? status : hrr_xml_keep(&in->texts[ATTRIBUTE_CHOICES], NULL, err);
}

static hrr_status close_attribute(reading *in, hrr_xml *xml, hrr_error *err)
{
    in->attribute.id = in->texts[ATTRIBUTE_ID];
    in->attribute.name = in->texts[ATTRIBUTE_NAME];
    in->attribute.otherwise = in->texts[ATTRIBUTE_OTHERWISE];
    in->attribute.choices = in->texts[ATTRIBUTE_CHOICES];
    return hrr_listing_declare(in->listing, &in->attribute, hrr_xml_place(xml), err);
}

static hrr_status open_graph(reading *in, hrr_xml *xml, const char **attributes, hrr_error *err)
{
    const char *direction = hrr_xml_attribute(attributes, "defaultedgetype");
    if (in->n_graphs++)
        return hrr_place_fail(hrr_xml_place(xml), err,
                              "the file contains a second graph; write each graph to its own file");
    in->directed = direction && strcmp(direction, "directed") == 0;
    return HRR_OK;
}

/* Version 1.1 says id in place of for. */
static hrr_status open_value(reading *in, hrr_xml *xml, const char **attributes, hrr_error *err)
{
    const char *id = hrr_xml_attribute(attributes, "for");
    return hrr_listing_value(in->listing, id ? id : hrr_xml_attribute(attributes, "id"),
                             hrr_xml_attribute(attributes, "value"), hrr_xml_place(xml), err);
}

static hrr_status open_element(void *user, hrr_xml *xml, int kind, const char **attributes,
                               hrr_error *err)
{
    reading *in = user;
    switch (kind) {
    case GRAPH:
        return open_graph(in, xml, attributes, err);
    case ATTRIBUTES:
        return open_attributes(in, xml, attributes, err);
    case ATTRIBUTE:
        return open_attribute(in, xml, attributes, err);
    case NODE:
        return hrr_listing_node(in->listing, hrr_xml_attribute(attributes, "id"),
                                hrr_xml_place(xml), err);
    case EDGE:
        return hrr_listing_edge(in->listing, hrr_xml_attribute(attributes, "source"),
                                hrr_xml_attribute(attributes, "target"), hrr_xml_place(xml), err);
    case ATTVALUE:
        return open_value(in, xml, attributes, err);
    case NESTED:
        return hrr_place_fail(
            hrr_xml_place(xml), err,
            "nodes inside nodes are not supported; write the graph without nesting");
    default:
        return HRR_OK;
    }
}

static hrr_status close_element(void *user, hrr_xml *xml, int kind, const char *text,
                                hrr_error *err)
{
    reading *in = user;
    switch (kind) {
    case DESCRIPTION:
        return hrr_listing_note(in->listing, text, hrr_xml_place(xml), err);
    case ATTRIBUTE:
        return close_attribute(in, xml, err);
    case ATTRIBUTE_DEFAULT:
        return hrr_xml_keep(&in->texts[ATTRIBUTE_OTHERWISE], text, err);
    case ATTRIBUTE_OPTIONS:
        return hrr_xml_keep(&in->texts[ATTRIBUTE_CHOICES], text, err);
    case NODE:
    case EDGE:
        return hrr_listing_end(in->listing, hrr_xml_place(xml), err);
    default:
        return HRR_OK;
    }
}

hrr_status hrr_gexf_read(hrr_graph **out, const char *path, const hrr_read_options *options,
                         hrr_progress *progress, hrr_error *err)
{
    static const hrr_xml_layout layout = {"GEXF", rules, open_element, close_element};
    reading in = {0};
    *out = NULL;
    hrr_status status = hrr_listing_new(&in.listing, path, options, err);
    if (!status) status = hrr_xml_read(path, &layout, &in, progress, err);
    if (!status && !in.n_graphs)
        status = hrr_fail(err, HRR_EDATA, "%s: is a GEXF file without a graph", path);
    if (!status) status = hrr_listing_into_graph(out, in.listing, in.directed, progress, err);
    for (size_t i = 0; i < N_TEXTS; i++)
        hrr_free(in.texts[i]);
    hrr_listing_free(in.listing);
    return status;
}
