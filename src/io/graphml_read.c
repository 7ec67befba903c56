/* graphml_read.c: GraphML (Brandes, Eiglsperger, Lerner, "GraphML Primer"), as networkx, igraph,
 * Gephi and yEd write it: <key> declares attributes, <graph> holds <node> and <edge>, each with
 * <data>. Attributes mean what listing.h says. Hyperedges, graphs inside nodes and files with
 * several graphs are refused: they are no graph of pairs. */
#include "io/graph_formats.h"
#include "io/listing.h"
#include "io/xml.h"
#include "base/memory.h"

#include <string.h>

enum {
    GRAPHML = 1,
    DESCRIPTION,
    KEY,
    KEY_DEFAULT,
    KEY_DESCRIPTION,
    GRAPH,
    NODE,
    EDGE,
    DATA,
    NESTED,
    HYPEREDGE
};

static const hrr_xml_rule rules[] = {
    {0, "graphml", GRAPHML, false},
    {GRAPHML, "desc", DESCRIPTION, true},
    {GRAPHML, "key", KEY, false},
    {KEY, "default", KEY_DEFAULT, true},
    {KEY, "desc", KEY_DESCRIPTION, true},
    {GRAPHML, "graph", GRAPH, false},
    {GRAPH, "node", NODE, false},
    {GRAPH, "edge", EDGE, false},
    {GRAPH, "hyperedge", HYPEREDGE, false},
    {NODE, "data", DATA, true},
    {EDGE, "data", DATA, true},
    {NODE, "graph", NESTED, false},
    {EDGE, "graph", NESTED, false},
    {0},
};

/* What the writer puts before the choices of the class attribute. */
static const char choices_word[] = "classes: ";

typedef struct reading {
    hrr_listing *listing;
    uint64_t n_graphs;
    bool directed;
    bool of_nodes, of_edges; /* the key under way */
    hrr_attribute_declaration key;
    char *texts[5]; /* of the key and the data under way */
} reading;

enum { KEY_ID, KEY_NAME, KEY_OTHERWISE, KEY_CHOICES, DATA_KEY };

static hrr_attribute_type type_of(const char *word)
{
    static const struct {
        const char *word;
        hrr_attribute_type type;
    } types[] = {
        {"boolean", HRR_ATTRIBUTE_TRUTH},   {"int", HRR_ATTRIBUTE_INTEGER},
        {"integer", HRR_ATTRIBUTE_INTEGER}, {"long", HRR_ATTRIBUTE_INTEGER},
        {"float", HRR_ATTRIBUTE_FLOAT},     {"double", HRR_ATTRIBUTE_DOUBLE},
    };
    for (size_t i = 0; word && i < sizeof types / sizeof *types; i++)
        if (strcmp(word, types[i].word) == 0) return types[i].type;
    return HRR_ATTRIBUTE_TEXT;
}

static hrr_status open_key(reading *in, hrr_xml *xml, const char **attributes, hrr_error *err)
{
    const char *whose = hrr_xml_attribute(attributes, "for");
    const char *id = hrr_xml_attribute(attributes, "id");
    const char *name = hrr_xml_attribute(attributes, "attr.name");
    if (!id) return hrr_place_fail(hrr_xml_place(xml), err, "a key has no id");
    const bool all = !whose || strcmp(whose, "all") == 0;
    in->of_nodes = all || strcmp(whose, "node") == 0;
    in->of_edges = all || strcmp(whose, "edge") == 0;
    in->key.type = type_of(hrr_xml_attribute(attributes, "attr.type"));
    hrr_status status = hrr_xml_keep(&in->texts[KEY_ID], id, err);
    if (!status) status = hrr_xml_keep(&in->texts[KEY_NAME], name ? name : id, err);
    if (!status) status = hrr_xml_keep(&in->texts[KEY_OTHERWISE], NULL, err);
    return status ? status : hrr_xml_keep(&in->texts[KEY_CHOICES], NULL, err);
}

static hrr_status close_key(reading *in, hrr_xml *xml, hrr_error *err)
{
    hrr_status status = HRR_OK;
    in->key.id = in->texts[KEY_ID];
    in->key.name = in->texts[KEY_NAME];
    in->key.otherwise = in->texts[KEY_OTHERWISE];
    in->key.choices = in->texts[KEY_CHOICES];
    in->key.owner = HRR_OF_NODES;
    if (in->of_nodes) status = hrr_listing_declare(in->listing, &in->key, hrr_xml_place(xml), err);
    in->key.owner = HRR_OF_EDGES;
    if (!status && in->of_edges)
        status = hrr_listing_declare(in->listing, &in->key, hrr_xml_place(xml), err);
    return status;
}

static hrr_status open_graph(reading *in, hrr_xml *xml, const char **attributes, hrr_error *err)
{
    const char *direction = hrr_xml_attribute(attributes, "edgedefault");
    if (in->n_graphs++)
        return hrr_place_fail(hrr_xml_place(xml), err,
                              "the file contains a second graph; write each graph to its own file");
    in->directed = direction && strcmp(direction, "directed") == 0;
    return HRR_OK;
}

static hrr_status open_element(void *user, hrr_xml *xml, int kind, const char **attributes,
                               hrr_error *err)
{
    reading *in = user;
    switch (kind) {
    case KEY:
        return open_key(in, xml, attributes, err);
    case GRAPH:
        return open_graph(in, xml, attributes, err);
    case NODE:
        return hrr_listing_node(in->listing, hrr_xml_attribute(attributes, "id"),
                                hrr_xml_place(xml), err);
    case EDGE:
        return hrr_listing_edge(in->listing, hrr_xml_attribute(attributes, "source"),
                                hrr_xml_attribute(attributes, "target"), hrr_xml_place(xml), err);
    case DATA:
        return hrr_xml_keep(&in->texts[DATA_KEY], hrr_xml_attribute(attributes, "key"), err);
    case NESTED:
        return hrr_place_fail(
            hrr_xml_place(xml), err,
            "a graph inside a node or edge is not supported; write the graph without nesting");
    case HYPEREDGE:
        return hrr_place_fail(hrr_xml_place(xml), err,
                              "hyperedges are not supported; write pairs of nodes instead");
    default:
        return HRR_OK;
    }
}

static hrr_status close_element(void *user, hrr_xml *xml, int kind, const char *text,
                                hrr_error *err)
{
    reading *in = user;
    const size_t word = strlen(choices_word);
    switch (kind) {
    case DESCRIPTION:
        return hrr_listing_note(in->listing, text, hrr_xml_place(xml), err);
    case KEY:
        return close_key(in, xml, err);
    case KEY_DEFAULT:
        return hrr_xml_keep(&in->texts[KEY_OTHERWISE], text, err);
    case KEY_DESCRIPTION:
        return strncmp(text, choices_word, word) == 0
                   ? hrr_xml_keep(&in->texts[KEY_CHOICES], text + word, err)
                   : HRR_OK;
    case DATA:
        return hrr_listing_value(in->listing, in->texts[DATA_KEY], text, hrr_xml_place(xml), err);
    case NODE:
    case EDGE:
        return hrr_listing_end(in->listing, hrr_xml_place(xml), err);
    default:
        return HRR_OK;
    }
}

hrr_status hrr_graphml_read(hrr_graph **out, const char *path, const hrr_read_options *options,
                            hrr_progress *progress, hrr_error *err)
{
    static const hrr_xml_layout layout = {"GraphML", rules, open_element, close_element};
    reading in = {0};
    *out = NULL;
    hrr_status status = hrr_listing_new(&in.listing, path, options, err);
    if (!status) status = hrr_xml_read(path, &layout, &in, progress, err);
    if (!status && !in.n_graphs)
        status = hrr_fail(err, HRR_EDATA, "%s: is a GraphML file without a graph", path);
    if (!status) status = hrr_listing_into_graph(out, in.listing, in.directed, progress, err);
    for (size_t i = 0; i < sizeof in.texts / sizeof *in.texts; i++)
        hrr_free(in.texts[i]);
    hrr_listing_free(in.listing);
    return status;
}
