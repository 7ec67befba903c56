/* graphml_write.c: graphs as GraphML, for networkx, igraph, Gephi and yEd. The classes that there
 * are stand in the description of their key, which other programs pass over. */
#include "io/graph_formats.h"
#include "io/listing_write.h"

static void declare(hrr_listing_sink *sink, const hrr_attribute_declaration *declaration)
{
    static const char *const types[] = {"string", "boolean", "int", "float", "double"};
    hrr_listing_put(sink, "  <key id=\"");
    hrr_listing_put(sink, declaration->id);
    hrr_listing_put(sink, declaration->owner == HRR_OF_NODES ? "\" for=\"node\" attr.name=\""
                                                             : "\" for=\"edge\" attr.name=\"");
    hrr_listing_put_text(sink, declaration->name);
    hrr_listing_put(sink, "\" attr.type=\"");
    hrr_listing_put(sink, types[declaration->type]);
    if (declaration->choices) {
        hrr_listing_put(sink, "\"><desc>classes: ");
        hrr_listing_put_text(sink, declaration->choices);
        hrr_listing_put(sink, "</desc></key>\n");
    } else {
        hrr_listing_put(sink, "\"/>\n");
    }
}

static void open_node(hrr_listing_sink *sink, const char *id)
{
    hrr_listing_put(sink, "    <node id=\"");
    hrr_listing_put_text(sink, id);
    hrr_listing_put(sink, "\">");
}

static void open_edge(hrr_listing_sink *sink, const char *source, const char *target)
{
    hrr_listing_put(sink, "    <edge source=\"");
    hrr_listing_put_text(sink, source);
    hrr_listing_put(sink, "\" target=\"");
    hrr_listing_put_text(sink, target);
    hrr_listing_put(sink, "\">");
}

hrr_status hrr_graphml_write(const hrr_graph *graph, const char *path, hrr_progress *progress,
                             hrr_error *err)
{
    static const hrr_listing_style style = {
        .head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\"\n"
                "         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"\n"
                "         xsi:schemaLocation=\"http://graphml.graphdrawing.org/xmlns "
                "http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd\">\n",
        .before_note = "  <desc>",
        .after_note = "</desc>\n",
        .start = "",
        .declare = declare,
        .before_declarations = {"", ""},
        .after_declarations = {"", ""},
        .before_nodes = "  <graph id=\"G\" edgedefault=\"undirected\">\n",
        .after_nodes = "",
        .before_edges = "",
        .after_edges = "  </graph>\n",
        .tail = "</graphml>\n",
        .open_node = open_node,
        .open_edge = open_edge,
        .before_values = "",
        .after_values = "",
        .before_attribute = "<data key=\"",
        .before_value = "\">",
        .after_value = "</data>",
        .close_node = "</node>\n",
        .close_edge = "</edge>\n",
    };
    return hrr_listing_write(graph, path, &style, progress, err);
}
