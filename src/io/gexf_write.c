/* gexf_write.c: graphs as GEXF 1.2, for Gephi and networkx. The classes that there are stand in the
 * options of their attribute. Gephi shows the label of a node: its id. */
#include "io/graph_formats.h"
#include "io/listing_write.h"

static void declare(hrr_listing_sink *sink, const hrr_attribute_declaration *declaration)
{
    static const char *const types[] = {"string", "boolean", "integer", "float", "double"};
    hrr_listing_put(sink, "      <attribute id=\"");
    hrr_listing_put(sink, declaration->id);
    hrr_listing_put(sink, "\" title=\"");
    hrr_listing_put_text(sink, declaration->name);
    hrr_listing_put(sink, "\" type=\"");
    hrr_listing_put(sink, types[declaration->type]);
    if (declaration->choices) {
        hrr_listing_put(sink, "\"><options>");
        hrr_listing_put_text(sink, declaration->choices);
        hrr_listing_put(sink, "</options></attribute>\n");
    } else {
        hrr_listing_put(sink, "\"/>\n");
    }
}

static void open_node(hrr_listing_sink *sink, const char *id)
{
    hrr_listing_put(sink, "      <node id=\"");
    hrr_listing_put_text(sink, id);
    hrr_listing_put(sink, "\" label=\"");
    hrr_listing_put_text(sink, id);
    hrr_listing_put(sink, "\">");
}

static void open_edge(hrr_listing_sink *sink, const char *source, const char *target)
{
    hrr_listing_put(sink, "      <edge source=\"");
    hrr_listing_put_text(sink, source);
    hrr_listing_put(sink, "\" target=\"");
    hrr_listing_put_text(sink, target);
    hrr_listing_put(sink, "\">");
}

hrr_status hrr_gexf_write(const hrr_graph *graph, const char *path, hrr_progress *progress,
                          hrr_error *err)
{
    static const hrr_listing_style style = {
        .head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                "<gexf xmlns=\"http://www.gexf.net/1.2draft\" version=\"1.2\">\n",
        .before_note = "  <meta><description>",
        .after_note = "</description></meta>\n",
        .start = "  <graph mode=\"static\" defaultedgetype=\"undirected\">\n",
        .declare = declare,
        .before_declarations = {"    <attributes class=\"node\" mode=\"static\">\n",
                                "    <attributes class=\"edge\" mode=\"static\">\n"},
        .after_declarations = {"    </attributes>\n", "    </attributes>\n"},
        .before_nodes = "    <nodes>\n",
        .after_nodes = "    </nodes>\n",
        .before_edges = "    <edges>\n",
        .after_edges = "    </edges>\n",
        .tail = "  </graph>\n</gexf>\n",
        .open_node = open_node,
        .open_edge = open_edge,
        .before_values = "<attvalues>",
        .after_values = "</attvalues>",
        .before_attribute = "<attvalue for=\"",
        .before_value = "\" value=\"",
        .after_value = "\"/>",
        .close_node = "</node>\n",
        .close_edge = "</edge>\n",
    };
    return hrr_listing_write(graph, path, &style, progress, err);
}
