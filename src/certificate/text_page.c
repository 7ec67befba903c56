/* text_page.c: see text_page.h. */
#include "certificate/text_page.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

enum { line_width = 78, value_column = 15 };

static void put(hrr_text_page *page, const char *bytes, size_t size)
{
    if (page->out_of_memory) return;
    if (page->used + size + 1 > page->room) {
        const size_t room = 2 * (page->room + size) + 4096;
        char *grown = hrr_resize(page->text, room, 1);
        page->out_of_memory = !grown;
        if (!grown) return;
        page->text = grown;
        page->room = room;
    }
    memcpy(page->text + page->used, bytes, size);
    page->used += size;
    page->text[page->used] = '\0';
}

void hrr_page_put(hrr_text_page *page, const char *text)
{
    put(page, text, strlen(text));
}

void hrr_page_paragraph(hrr_text_page *page, const char *first, size_t indent, const char *text)
{
    static const char blanks[] = "                ";
    put(page, first, strlen(first));
    size_t column = strlen(first);
    bool at_start = true;
    while (*text) {
        size_t word = strcspn(text, " ");
        if (!at_start && column + 1 + word > line_width) {
            put(page, "\n", 1);
            put(page, blanks, indent);
            column = indent;
            at_start = true;
        }
        if (!at_start) {
            put(page, " ", 1);
            column++;
        }
        put(page, text, word);
        column += word;
        at_start = false;
        text += word;
        while (*text == ' ')
            text++;
    }
    put(page, "\n", 1);
}

void hrr_page_heading(hrr_text_page *page, const char *title)
{
    hrr_page_put(page, "\n");
    hrr_page_put(page, title);
    hrr_page_put(page, "\n");
}

void hrr_page_point(hrr_text_page *page, const char *text)
{
    hrr_page_paragraph(page, "  - ", 4, text);
}

void hrr_page_line(hrr_text_page *page, const char *name, const char *value)
{
    char label[32];
    snprintf(label, sizeof label, "  %-12s ", name);
    hrr_page_paragraph(page, label, value_column, value);
}
