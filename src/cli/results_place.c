/* results_place.c: see results_place.h. A sweep appends to its file, reads it again to continue
 * and to judge, so even rows for standard output need one on the way. */
#include "cli/results_place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

hrr_status cli_results_open(cli_results_place *place, const char *output, hrr_error *err)
{
    enum { most_directory = sizeof place->scratch - sizeof "/rows.csv" };
    const char *base = getenv("TMPDIR");
    *place = (cli_results_place){.file = output};
    if (output) return HRR_OK;
    int length = snprintf(place->scratch, most_directory, "%s/heterorr-rows-XXXXXX",
                          base && *base ? base : "/tmp");
    if (length >= most_directory || !mkdtemp(place->scratch))
        return hrr_fail(err, HRR_EIO, "cannot create a scratch directory; name a file with -o");
    place->directory_length = (size_t)length;
    strcat(place->scratch, "/rows.csv");
    place->file = place->scratch;
    return HRR_OK;
}

void cli_results_print(const cli_results_place *place)
{
    char piece[1 << 14];
    FILE *rows = fopen(place->file, "r");
    if (!rows) return;
    for (size_t n; (n = fread(piece, 1, sizeof piece, rows)) > 0;)
        fwrite(piece, 1, n, stdout);
    fclose(rows);
}

void cli_results_close(cli_results_place *place)
{
    if (!place->directory_length) return;
    unlink(place->scratch);
    place->scratch[place->directory_length] = '\0';
    rmdir(place->scratch);
    place->directory_length = 0;
}
