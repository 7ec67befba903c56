/* svg_colour.h: colours that people with any kind of colour vision tell apart, in light and dark.
 */
#ifndef HRR_REPORT_SVG_COLOUR_H
#define HRR_REPORT_SVG_COLOUR_H

#include "report/text.h"

/* Colours, shapes and dashes are as many, so that the first lines of a chart differ in all three.
 */
enum { hrr_n_colours = 7, hrr_n_shapes = hrr_n_colours };

/* Style sheet for everything a chart draws, which is coloured by class alone: the custom properties
 * in light and dark, then the rules. The page has it once; an SVG file of its own has it inside. */
void hrr_svg_style(hrr_text *out);

/* The colour of a share in [0, 1], dark to light, as #rrggbb; and whether words on it are to be
 * dark. */
void hrr_svg_ramp(char colour[8], double share);
bool hrr_svg_ramp_is_light(double share);

#endif
