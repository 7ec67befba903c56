/* svg_measure.c: see svg_measure.h. */
#include "report/svg_measure.h"

#include <stdio.h>
#include <string.h>

/* Advance widths of DejaVu Sans for the characters 32 to 126, in thousandths of the size. */
static const short advance[] = {
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,  611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838,
};

/* A character beyond ASCII counts as a wide one, once. */
static double width_of(unsigned char c, double size)
{
    if (c >= 0x80 && c < 0xc0) return 0; /* inside a UTF-8 character */
    return size / 1000 * (c >= 32 && c < 127 ? advance[c - 32] : 1000);
}

double hrr_text_width(const char *words, double size)
{
    double width = 0;
    for (const char *at = words; *at; at++)
        width += width_of((unsigned char)*at, size);
    return width;
}

void hrr_text_fit(char *out, size_t room, const char *words, double size, double width)
{
    if (hrr_text_width(words, size) <= width && strlen(words) < room) {
        snprintf(out, room, "%s", words);
        return;
    }
    double left = width - size; /* the ellipsis */
    size_t kept = 0;
    for (size_t i = 0; words[i] && i + 4 < room; i++) {
        if ((left -= width_of((unsigned char)words[i], size)) < 0) break;
        if (((unsigned char)words[i + 1] & 0xc0) != 0x80) kept = i + 1; /* whole characters only */
    }
    snprintf(out, room, "%.*s\u2026", (int)kept, words);
}
