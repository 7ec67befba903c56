/* svg_colour.c: see svg_colour.h.
 *
 * Lines: Okabe and Ito's colours (Color Universal Design, 2008) without their yellow, which white
 * paper swallows; black is the ink of the page, so that it turns light in the dark. Areas: cividis
 * (Nuñez, Anderton and Renslow, PLoS ONE 2018), which looks the same to nearly everybody and rises
 * evenly in lightness. */
#include "report/svg_colour.h"

#include <math.h>
#include <stdio.h>

static const char light[] =
    "--ink:#1b1f24;--soft:#57606a;--rule:#d5d9de;--paper:#ffffff;--card:#f6f7f9;--bad:#b3261e;"
    "--c0:#0072b2;--c1:#d55e00;--c2:#009e73;--c3:#c4649a;--c4:#b97f00;--c5:#3d9bd6;--c6:#1b1f24";
static const char dark[] =
    "--ink:#e8eaed;--soft:#a3abb5;--rule:#3a4049;--paper:#14171b;--card:#1d2126;--bad:#ff8a80;"
    "--c0:#3a9ad9;--c1:#ef7d2d;--c2:#22b98e;--c3:#dd92bd;--c4:#e69f00;--c5:#8fd0f7;--c6:#e8eaed";

void hrr_svg_style(hrr_text *out)
{
    hrr_text_printf(out, ":root{color-scheme:light dark;%s}", light);
    hrr_text_printf(out, "@media screen and (prefers-color-scheme:dark){:root{%s}}\n", dark);
    hrr_text_put(
        out,
        "svg.chart{font:12px system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',"
        "'Noto Sans','DejaVu Sans',Arial,sans-serif;font-variant-numeric:tabular-nums}\n"
        ".chart text{fill:var(--soft)}.chart .ink{fill:var(--ink)}.chart .head{fill:var(--ink);"
        "font-size:15px;font-weight:600}.chart .name{fill:var(--ink);font-weight:600}"
        ".chart .on-light{fill:#000}.chart .on-dark{fill:#fff}\n"
        ".chart .grid{stroke:var(--rule);stroke-width:1;fill:none}.chart .axis{stroke:var(--soft);"
        "stroke-width:1;fill:none}.chart .lead{stroke:var(--soft);stroke-width:.75;fill:none;"
        "opacity:.6}\n"
        ".chart .context{fill:none;stroke:var(--soft);stroke-width:.75;opacity:.4}\n"
        ".chart .line{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}"
        ".chart .ref{fill:none;stroke:var(--soft);stroke-width:1.5}.chart .band{stroke:none;"
        "opacity:.16}.chart .refwhisker{stroke:var(--soft);stroke-width:2;opacity:.55;fill:none}"
        ".chart .whisker{stroke:var(--ink);stroke-width:1.25;fill:none}\n"
        ".chart .paper{fill:var(--paper)}.chart .m.on{stroke:var(--ink);stroke-width:2}"
        ".chart .m{stroke:var(--paper);stroke-width:1}.chart .cell{stroke:var(--paper);"
        "stroke-width:2}.chart .quiet{opacity:0}.chart .quiet.on{opacity:1}.chart "
        ".dot{stroke:var(--soft);stroke-width:.6}.chart "
        ".grey{fill:var(--soft)}\n");
    for (int i = 0; i < hrr_n_colours; i++)
        hrr_text_printf(out, ".chart .l%d{stroke:var(--c%d)}.chart .f%d{fill:var(--c%d)}", i, i, i,
                        i);
    hrr_text_put(out, "\n");
}

static const unsigned char cividis[][3] = {
    {0, 34, 78},     {18, 53, 112},   {59, 73, 108},   {87, 93, 109},  {112, 113, 115},
    {138, 134, 120}, {165, 156, 116}, {195, 179, 105}, {225, 204, 85}, {254, 232, 56},
};
enum { n_stops = sizeof cividis / sizeof *cividis };

static void mix(double rgb[3], double share)
{
    share = share > 0 ? fmin(share, 1) : 0; /* NAN is none */
    const double at = share * (n_stops - 1);
    const int below = at >= n_stops - 1 ? n_stops - 2 : (int)at;
    for (int i = 0; i < 3; i++)
        rgb[i] = cividis[below][i] + (at - below) * (cividis[below + 1][i] - cividis[below][i]);
}

void hrr_svg_ramp(char colour[8], double share)
{
    double rgb[3];
    mix(rgb, share);
    snprintf(colour, 8, "#%02x%02x%02x", (unsigned)lround(rgb[0]) & 255,
             (unsigned)lround(rgb[1]) & 255, (unsigned)lround(rgb[2]) & 255);
}

bool hrr_svg_ramp_is_light(double share)
{
    double rgb[3];
    mix(rgb, share);
    /* The luminance at which black and white words have the same contrast (WCAG 2), roughly. */
    return 0.2126 * pow(rgb[0] / 255, 2.2) + 0.7152 * pow(rgb[1] / 255, 2.2) +
               0.0722 * pow(rgb[2] / 255, 2.2) >
           0.179;
}
