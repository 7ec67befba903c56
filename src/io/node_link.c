/* node_link.c: see node_link.h. `nodes` and `links` come in either order, so positions are turned
 * into rows after both were read. */
#include "io/node_link.h"
#include "io/edge_append.h"
#include "io/json_stream.h"
#include "base/memory.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

typedef struct node {
    uint32_t row;
    uint8_t split;
} node;

typedef struct reading {
    bool passed_over; /* see hrr_node_link */
    const char *path;
    hrr_json_stream *json;
    const hrr_name_index *rows;
    node *nodes;
    uint64_t n_nodes, room;
    bool has_split, has_nodes, has_links;
    bool has_end, ends_are_texts; /* the first end decides; texts are turned into rows at once */
    hrr_edge_growth links;
} reading;

/* A node id or the end of a link, as text; false if it is neither a text nor an integer. */
static bool id_text(const hrr_json_stream *json, hrr_json_event event,
                    char decimal[hrr_decimal_size], const char **text)
{
    int64_t value;
    if (event == HRR_JSON_NUMBER && hrr_json_integer(json, &value)) {
        hrr_decimal(decimal, value);
        *text = decimal;
        return true;
    }
    *text = hrr_json_text(json);
    return event == HRR_JSON_STRING && strlen(*text) == hrr_json_length(json);
}

static hrr_status read_flag(reading *in, bool *flag, hrr_error *err)
{
    hrr_json_event event;
    hrr_status status = hrr_json_next(in->json, &event, err);
    if (status) return status;
    if (event != HRR_JSON_TRUE && event != HRR_JSON_FALSE)
        return hrr_json_fail(in->json, err, "expected true or false for val or test, found %s",
                             hrr_json_event_name(event));
    *flag = event == HRR_JSON_TRUE;
    in->has_split = true;
    return HRR_OK;
}

static hrr_status read_id(reading *in, node *made, hrr_error *err)
{
    char decimal[hrr_decimal_size];
    const char *text;
    hrr_json_event event;
    hrr_status status = hrr_json_next(in->json, &event, err);
    if (status) return status;
    if (!in->rows) return hrr_json_skip(in->json, event, err);
    if (!id_text(in->json, event, decimal, &text))
        return hrr_json_fail(in->json, err, "a node id is neither an integer nor a text");
    if (!hrr_name_index_find(in->rows, text, &made->row))
        return hrr_json_fail(
            in->json, err, "node %" PRIu64 " (counting from 0) has an id that is not in the id map",
            in->n_nodes);
    return HRR_OK;
}

static hrr_status read_node(reading *in, hrr_error *err)
{
    if (in->n_nodes == HRR_MAX_NODES)
        return hrr_json_fail(in->json, err, "there are more than %" PRIu64 " nodes", HRR_MAX_NODES);
    node made = {.row = (uint32_t)in->n_nodes};
    bool has_id = false, valid = false, test = false;
    for (;;) {
        hrr_json_event event;
        hrr_status status = hrr_json_next(in->json, &event, err);
        if (status) return status;
        if (event == HRR_JSON_OBJECT_END) break;
        const char *key = hrr_json_text(in->json);
        if (strcmp(key, "id") == 0) {
            if (has_id) return hrr_json_fail(in->json, err, "a node has two ids");
            has_id = true;
            status = read_id(in, &made, err);
        } else if (strcmp(key, "val") == 0) {
            status = read_flag(in, &valid, err);
        } else if (strcmp(key, "test") == 0) {
            status = read_flag(in, &test, err);
        } else {
            status = hrr_json_next(in->json, &event, err);
            if (!status) status = hrr_json_skip(in->json, event, err);
        }
        if (status) return status;
    }
    if (!has_id && in->rows) return hrr_json_fail(in->json, err, "a node has no id");
    if (valid && test) return hrr_json_fail(in->json, err, "a node is in both val and test");
    made.split = test ? HRR_TEST : valid ? HRR_VALID : HRR_TRAIN;
    if (in->n_nodes == in->room) {
        uint64_t room = in->room ? 2 * in->room : 1024;
        node *nodes = hrr_resize(in->nodes, room, sizeof *nodes);
        if (!nodes) return hrr_no_memory(err);
        in->nodes = nodes;
        in->room = room;
    }
    in->nodes[in->n_nodes++] = made;
    return HRR_OK;
}

static hrr_status read_end(reading *in, int64_t *end, hrr_error *err)
{
    hrr_json_event event;
    hrr_status status = hrr_json_next(in->json, &event, err);
    if (status) return status;
    if (*end >= 0) return hrr_json_fail(in->json, err, "a link has two sources or two targets");
    bool text = event == HRR_JSON_STRING;
    if (!in->has_end) in->ends_are_texts = text;
    in->has_end = true;
    if (text) {
        uint32_t row;
        if (!in->rows)
            return hrr_json_fail(
                in->json, err,
                "a link names its ends by text; positions in the list of nodes are needed");
        if (strlen(hrr_json_text(in->json)) != hrr_json_length(in->json) ||
            !hrr_name_index_find(in->rows, hrr_json_text(in->json), &row))
            return hrr_json_fail(in->json, err, "a link names a node that is not in the id map");
        *end = row;
    } else if (event != HRR_JSON_NUMBER || !hrr_json_integer(in->json, end) || *end < 0 ||
               (uint64_t)*end >= HRR_MAX_NODES) {
        return hrr_json_fail(
            in->json, err,
            "the end of a link is neither a position in the list of nodes nor a node id");
    }
    if (text != in->ends_are_texts)
        return hrr_json_fail(in->json, err, "the links name their ends in two different ways");
    return HRR_OK;
}

/* What GraphSAGE and networkx write beside the ends of a link. Anything else may mark it private.
 */
static bool is_harmless(const char *key)
{
    static const char *const keys[] = {"weight", "key", "id", "train_removed", "test_removed"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(key, keys[i]) == 0) return true;
    return false;
}

static hrr_status read_link(reading *in, hrr_error *err)
{
    int64_t source = -1, target = -1;
    for (;;) {
        hrr_json_event event;
        hrr_status status = hrr_json_next(in->json, &event, err);
        if (status) return status;
        if (event == HRR_JSON_OBJECT_END) break;
        const char *key = hrr_json_text(in->json);
        if (strcmp(key, "source") == 0) {
            status = read_end(in, &source, err);
        } else if (strcmp(key, "target") == 0) {
            status = read_end(in, &target, err);
        } else {
            in->passed_over |= !is_harmless(key);
            status = hrr_json_next(in->json, &event, err);
            if (!status) status = hrr_json_skip(in->json, event, err);
        }
        if (status) return status;
    }
    if (source < 0 || target < 0)
        return hrr_json_fail(in->json, err, "a link has no source or no target");
    return hrr_edge_growth_add(&in->links, (uint32_t)source, (uint32_t)target, err);
}

static hrr_status read_list(reading *in, bool *already, const char *what,
                            hrr_status (*read_one)(reading *, hrr_error *), hrr_error *err)
{
    if (*already) return hrr_json_fail(in->json, err, "the key %s occurs twice", what);
    *already = true;
    hrr_status status = hrr_json_expect(in->json, HRR_JSON_ARRAY, "a list of nodes or links", err);
    while (!status) {
        hrr_json_event event;
        if ((status = hrr_json_next(in->json, &event, err))) break;
        if (event == HRR_JSON_ARRAY_END) break;
        if (event != HRR_JSON_OBJECT)
            return hrr_json_fail(in->json, err, "expected an object in the list of %s, found %s",
                                 what, hrr_json_event_name(event));
        status = read_one(in, err);
    }
    return status;
}

static hrr_status read_document(reading *in, hrr_error *err)
{
    hrr_status status =
        hrr_json_expect(in->json, HRR_JSON_OBJECT, "an object with nodes and links", err);
    while (!status) {
        hrr_json_event event;
        if ((status = hrr_json_next(in->json, &event, err))) break;
        if (event == HRR_JSON_OBJECT_END) break;
        const char *key = hrr_json_text(in->json);
        if (strcmp(key, "nodes") == 0) {
            status = read_list(in, &in->has_nodes, "nodes", read_node, err);
        } else if (strcmp(key, "links") == 0 || strcmp(key, "edges") == 0) {
            status = read_list(in, &in->has_links, "links", read_link, err);
        } else {
            status = hrr_json_next(in->json, &event, err);
            if (!status) status = hrr_json_skip(in->json, event, err);
        }
    }
    if (!status) status = hrr_json_expect(in->json, HRR_JSON_END, "the end of the file", err);
    if (!status && (!in->has_nodes || !in->has_links))
        status = hrr_fail(err, HRR_EDATA, "%s: has no list of %s", in->path,
                          in->has_nodes ? "links" : "nodes");
    return status;
}

static hrr_status positions_to_rows(reading *in, hrr_error *err)
{
    hrr_edge_list *links = &in->links.edges;
    for (uint64_t e = 0; e < links->n_edges; e++) {
        if (links->source[e] >= in->n_nodes || links->target[e] >= in->n_nodes)
            return hrr_fail(err, HRR_EDATA,
                            "%s: link %" PRIu64
                            " (counting from 0) names a position outside the list of %" PRIu64
                            " %s",
                            in->path, e, in->n_nodes, hrr_plural(in->n_nodes, "node", "nodes"));
        if (in->ends_are_texts) continue;
        links->source[e] = in->nodes[links->source[e]].row;
        links->target[e] = in->nodes[links->target[e]].row;
    }
    return HRR_OK;
}

/* The split by row; also checks that every row has its node. */
static hrr_status place_nodes(uint8_t **split, const reading *in, hrr_error *err)
{
    enum { nobody = 255 };
    if (in->rows && in->rows->n_names != in->n_nodes)
        return hrr_fail(err, HRR_EDATA, "%s: has %" PRIu64 " %s, but the id map has %" PRIu64 " %s",
                        in->path, in->n_nodes, hrr_plural(in->n_nodes, "node", "nodes"),
                        in->rows->n_names, hrr_plural(in->rows->n_names, "id", "ids"));
    uint8_t *placed = hrr_alloc(in->n_nodes, 1);
    if (!placed) return hrr_no_memory(err);
    memset(placed, nobody, in->n_nodes);
    for (uint64_t i = 0; i < in->n_nodes; i++) {
        uint32_t row = in->nodes[i].row;
        if (placed[row] != nobody) {
            hrr_free(placed);
            return hrr_fail(err, HRR_EDATA,
                            "%s: node %" PRIu64 " (counting from 0) repeats the id of another node",
                            in->path, i);
        }
        placed[row] = in->nodes[i].split;
    }
    *split = placed;
    return HRR_OK;
}

hrr_status hrr_node_link_read(hrr_node_link *out, const char *path, const hrr_name_index *rows,
                              hrr_progress *progress, hrr_error *err)
{
    reading in = {.path = path, .rows = rows};
    uint8_t *split = NULL;
    struct stat there;
    *out = (hrr_node_link){0};
    hrr_progress_begin(progress, "reading nodes and links",
                       stat(path, &there) == 0 ? (uint64_t)there.st_size : 0);
    hrr_status status = hrr_json_open(&in.json, path, progress, err);
    if (!status) status = read_document(&in, err);
    if (!status) status = place_nodes(&split, &in, err);
    if (!status) status = positions_to_rows(&in, err);
    if (!status) {
        out->n_nodes = in.n_nodes;
        out->passed_over = in.passed_over;
        out->edges = in.links.edges;
        in.links.edges = (hrr_edge_list){0};
        if (in.has_split) {
            out->split = split;
            split = NULL;
        }
    }
    hrr_free(split);
    hrr_free(in.nodes);
    hrr_edge_growth_clear(&in.links);
    hrr_json_close(in.json);
    return status;
}

void hrr_node_link_clear(hrr_node_link *graph)
{
    hrr_edge_list_clear(&graph->edges);
    hrr_free(graph->split);
    *graph = (hrr_node_link){0};
}
