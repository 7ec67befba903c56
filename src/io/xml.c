/* xml.c: see xml.h. Expat before 2.6 looks at an unfinished tag again with each piece that it is
 * given, so pieces are not small against the longest tag that is let through: the work stays
 * linear. */
#include "io/xml.h"
#include "io/source.h"
#include "base/memory.h"

#include <expat.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { piece_size = 1 << 16, largest_token = 1 << 20, largest_text = 1 << 20, deepest = 64 };
enum { passed_over = -1 };

struct hrr_xml {
    hrr_place place; /* first, so that a place is its walk */
    XML_Parser parser;
    const hrr_xml_layout *layout;
    void *user;
    hrr_status status; /* of the first failure; nothing is called after it */
    hrr_error *err;
    int depth;
    int kinds[deepest + 1]; /* of the open elements; [0] is the document */
    bool texts[deepest + 1];
    size_t prefix; /* length of the root's, with its colon */
    char *text;
    size_t text_used, text_room;
};

/* ---- expat's memory is ours ------------------------------------------------------------------ */

static void *give(size_t size)
{
    return hrr_alloc(size, 1);
}

static void *give_again(void *block, size_t size)
{
    return hrr_resize(block, size, 1);
}

static const XML_Memory_Handling_Suite memory = {give, give_again, hrr_free};

/* ---- where the walk is
 * -------------------------------------------------------------------------------- */

static uint64_t position_of(const hrr_place *place)
{
    const XML_Index position = XML_GetCurrentByteIndex(((const hrr_xml *)place)->parser);
    return position < 0 ? 0 : (uint64_t)position;
}

static uint64_t line_of(const hrr_place *place)
{
    return XML_GetCurrentLineNumber(((const hrr_xml *)place)->parser);
}

static uint64_t line_at(const char *path, uint64_t position)
{
    hrr_source *source;
    uint64_t line = 1;
    if (hrr_source_open(&source, path, NULL)) return 0;
    const char *bytes;
    size_t size = 1;
    while (position > 0 && size > 0 && !hrr_source_next(source, &bytes, &size, NULL)) {
        if (size > position) size = (size_t)position;
        for (size_t i = 0; i < size; i++)
            line += bytes[i] == '\n';
        position -= size;
    }
    hrr_source_close(source);
    return line;
}

const hrr_place *hrr_xml_place(const hrr_xml *xml)
{
    return &xml->place;
}

static void stop(hrr_xml *xml, hrr_status status)
{
    if (!status || xml->status) return;
    xml->status = status;
    XML_StopParser(xml->parser, XML_FALSE);
}

/* ---- what expat calls ------------------------------------------------------------------------ */

static int kind_of(const hrr_xml *xml, const char *name)
{
    const int parent = xml->kinds[xml->depth];
    for (const hrr_xml_rule *rule = xml->layout->rules; rule->name; rule++)
        if (rule->parent == parent && strcmp(rule->name, name) == 0) return rule->kind;
    return passed_over;
}

static bool wants_text(const hrr_xml *xml, int parent, int kind)
{
    for (const hrr_xml_rule *rule = xml->layout->rules; rule->name; rule++)
        if (rule->parent == parent && rule->kind == kind) return rule->text;
    return false;
}

static const char *without_prefix(const hrr_xml *xml, const char *name)
{
    return strlen(name) > xml->prefix && (!xml->prefix || name[xml->prefix - 1] == ':')
               ? name + xml->prefix
               : name;
}

static void open_element(void *user, const XML_Char *name, const XML_Char **attributes)
{
    hrr_xml *xml = user;
    if (xml->status) return;
    if (xml->depth == deepest) {
        stop(xml, hrr_place_fail(&xml->place, xml->err, "elements are nested more than %d deep",
                                 deepest));
        return;
    }
    const char *colon = xml->depth == 0 ? strchr(name, ':') : NULL;
    if (colon) xml->prefix = (size_t)(colon - name) + 1;
    const int kind = xml->kinds[xml->depth] == passed_over
                         ? passed_over
                         : kind_of(xml, without_prefix(xml, name));
    if (xml->depth == 0 && kind == passed_over) {
        stop(xml, hrr_place_fail(&xml->place, xml->err,
                                 "is XML, but not %s: the outermost element is different",
                                 xml->layout->name));
        return;
    }
    const bool text = kind != passed_over && wants_text(xml, xml->kinds[xml->depth], kind);
    xml->depth++;
    xml->kinds[xml->depth] = kind;
    xml->texts[xml->depth] = text;
    if (text) xml->text_used = 0;
    if (kind == passed_over) return;
    stop(xml, xml->layout->open(xml->user, xml, kind, attributes, xml->err));
}

static void close_element(void *user, const XML_Char *name)
{
    (void)name;
    hrr_xml *xml = user;
    if (xml->status) return;
    const int kind = xml->kinds[xml->depth];
    const bool text = xml->texts[xml->depth];
    if (text) xml->text[xml->text_used] = '\0';
    if (kind != passed_over)
        stop(xml, xml->layout->close(xml->user, xml, kind, text ? xml->text : NULL, xml->err));
    xml->depth--;
}

static void add_text(void *user, const XML_Char *text, int length)
{
    hrr_xml *xml = user;
    if (xml->status || !xml->texts[xml->depth]) return;
    const size_t needed = xml->text_used + (size_t)length + 1;
    if (needed > largest_text) {
        stop(xml,
             hrr_place_fail(&xml->place, xml->err, "a text is longer than %d bytes", largest_text));
        return;
    }
    if (needed > xml->text_room) {
        char *larger = hrr_resize(xml->text, 2 * needed, 1);
        if (!larger) {
            stop(xml, hrr_no_memory(xml->err));
            return;
        }
        xml->text = larger;
        xml->text_room = 2 * needed;
    }
    memcpy(xml->text + xml->text_used, text, (size_t)length);
    xml->text_used += (size_t)length;
}

static void refuse_entity(hrr_xml *xml)
{
    if (xml->status) return;
    stop(xml, hrr_place_fail(&xml->place, xml->err,
                             "declares or uses an entity of its own, which is never read; write "
                             "the text itself instead"));
}

static void meet_declaration(void *user, const XML_Char *name, int is_parameter,
                             const XML_Char *value, int length, const XML_Char *base,
                             const XML_Char *system, const XML_Char *public_id,
                             const XML_Char *notation)
{
    (void)name, (void)is_parameter, (void)value, (void)length, (void)base, (void)system;
    (void)public_id, (void)notation;
    refuse_entity(user);
}

static void meet_entity(void *user, const XML_Char *name, int is_parameter)
{
    (void)name, (void)is_parameter;
    refuse_entity(user);
}

/* ---- the walk -------------------------------------------------------------------------------- */

static hrr_status parser_failed(hrr_xml *xml, hrr_error *err)
{
    if (xml->status) return xml->status;
    const enum XML_Error error = XML_GetErrorCode(xml->parser);
    if (error == XML_ERROR_NO_MEMORY) return hrr_no_memory(err);
    return hrr_place_fail(&xml->place, err, "is not well-formed XML: %s", XML_ErrorString(error));
}

static hrr_status parse(hrr_xml *xml, const char *bytes, size_t size, bool last, hrr_error *err)
{
    if (XML_Parse(xml->parser, bytes, (int)size, last) != XML_STATUS_OK)
        return parser_failed(xml, err);
    return HRR_OK;
}

static hrr_status walk(hrr_xml *xml, hrr_source *source, hrr_progress *progress, hrr_error *err)
{
    uint64_t fed = 0, reported = 0;
    for (;;) {
        const char *bytes;
        size_t size;
        hrr_status status = hrr_source_next(source, &bytes, &size, err);
        if (status) return status;
        if (size == 0) return parse(xml, "", 0, true, err);
        while (size > 0) {
            const size_t part = size < piece_size ? size : piece_size;
            if ((status = parse(xml, bytes, part, false, err))) return status;
            bytes += part;
            size -= part;
            fed += part;
            if (fed - position_of(&xml->place) > largest_token)
                return hrr_place_fail(&xml->place, err, "a tag or comment is longer than %d bytes",
                                      largest_token);
            const uint64_t consumed = hrr_source_consumed(source) - size;
            const uint64_t more = consumed > reported ? consumed - reported : 0;
            reported += more;
            if ((status = hrr_progress_advance(progress, more, err))) return status;
        }
    }
}

hrr_status hrr_xml_read(const char *path, const hrr_xml_layout *layout, void *user,
                        hrr_progress *progress, hrr_error *err)
{
    hrr_source *source = NULL;
    hrr_xml xml = {
        .place = {path, position_of, line_of, line_at}, .layout = layout, .user = user, .err = err};
    hrr_status status = hrr_source_open(&source, path, err);
    if (status) return status;
    xml.text_room = 256;
    xml.text = hrr_alloc(xml.text_room, 1);
    xml.parser = xml.text ? XML_ParserCreate_MM(NULL, &memory, NULL) : NULL;
    if (!xml.parser) {
        status = hrr_no_memory(err);
        goto done;
    }
    XML_SetUserData(xml.parser, &xml);
    XML_SetElementHandler(xml.parser, open_element, close_element);
    XML_SetCharacterDataHandler(xml.parser, add_text);
    XML_SetEntityDeclHandler(xml.parser, meet_declaration);
    XML_SetSkippedEntityHandler(xml.parser, meet_entity);
    hrr_progress_begin(progress, "reading the graph", hrr_source_size(source));
    status = walk(&xml, source, progress, err);
done:
    if (xml.parser) XML_ParserFree(xml.parser);
    hrr_free(xml.text);
    hrr_source_close(source);
    return status;
}

const char *hrr_xml_attribute(const char **attributes, const char *name)
{
    for (; attributes[0]; attributes += 2)
        if (strcmp(attributes[0], name) == 0) return attributes[1];
    return NULL;
}

hrr_status hrr_xml_keep(char **place, const char *text, hrr_error *err)
{
    hrr_free(*place);
    *place = text ? hrr_copy_text(text) : NULL;
    return !text || *place ? HRR_OK : hrr_no_memory(err);
}
