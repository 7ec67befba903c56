/* xml.h: an XML file as a walk through its elements, for layouts that are XML. Expat does the
 * parsing, streamed from an hrr_source, with the library's own memory.
 *
 * What could make a small file cost a lot is refused: entities that a file declares itself (which
 * may grow without bound, or name other files), tags and texts of more than a megabyte, elements
 * nested more than 64 deep. Nothing but the file itself is ever opened. */
#ifndef HRR_IO_XML_H
#define HRR_IO_XML_H

#include "io/place.h"

typedef struct hrr_xml hrr_xml;

/* An element that means something: which kind it is inside which other. Kind 0 is the document;
 * elements without a rule are passed over with all that is in them. Names are compared without the
 * prefix that the root element has. */
typedef struct hrr_xml_rule {
    int parent;
    const char *name;
    int kind;
    bool text; /* close() wants to know what stands in it */
} hrr_xml_rule;

typedef struct hrr_xml_layout {
    const char *name;          /* of the layout, for messages */
    const hrr_xml_rule *rules; /* the last has no name */
    /* attributes: name, value, ..., NULL. */
    hrr_status (*open)(void *user, hrr_xml *xml, int kind, const char **attributes, hrr_error *err);
    /* text: NULL unless the rule asks for it. */
    hrr_status (*close)(void *user, hrr_xml *xml, int kind, const char *text, hrr_error *err);
} hrr_xml_layout;

/* Errors: HRR_EDATA with file and line for what is not XML, not this layout, or refused; HRR_EIO,
 * HRR_ENOMEM, HRR_ECANCEL, and what open() and close() return. Memory: what they take. */
hrr_status hrr_xml_read(const char *path, const hrr_xml_layout *layout, void *user,
                        hrr_progress *progress, hrr_error *err);

/* Where the walk is. Positions are bytes; their lines are found by reading the file again. */
const hrr_place *hrr_xml_place(const hrr_xml *xml);

/* The value of an attribute, or NULL. */
const char *hrr_xml_attribute(const char **attributes, const char *name);

/* A copy of the text, or NULL, takes the place of the one that *place owns. Errors: HRR_ENOMEM. */
hrr_status hrr_xml_keep(char **place, const char *text, hrr_error *err);

#endif
