/* public_bounds.c: see public_bounds.h. Whether bounds make sense is for the library to say. */
#include "cli/public_bounds.h"
#include "cli/number.h"

#include <heterorr/io.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char cli_bounds_undeclared[] = "# NOT DECLARED";

void cli_bounds_clear(cli_bounds *bounds)
{
    free(bounds->lo);
    *bounds = (cli_bounds){0};
}

/* "LO,HI"; changes the text. */
static bool read_pair(char *text, double *lo, double *hi)
{
    char *comma = strchr(text, ',');
    if (!comma) return false;
    *comma = '\0';
    char *second = comma + 1;
    while (*second == ' ')
        second++;
    return cli_read_real(text, lo) && cli_read_real(second, hi);
}

static hrr_status read_npy(cli_bounds *out, const char *path, uint64_t d, hrr_error *err)
{
    hrr_array array = {0};
    hrr_dense matrix = {0};
    hrr_status status = hrr_array_read(&array, path, err);
    if (!status) status = hrr_array_into_dense(&matrix, &array, "the bounds", err);
    if (status) goto done;
    bool rows = matrix.rows == 2 && matrix.cols == d,
         columns = matrix.rows == d && matrix.cols == 2;
    if (!rows && !columns) {
        status = hrr_fail(err, HRR_EDATA,
                          "%s: bounds must be 2 x %" PRIu64 " or %" PRIu64
                          " x 2 numbers, but these are %" PRIu64 " x %" PRIu64,
                          path, d, d, matrix.rows, matrix.cols);
        goto done;
    }
    for (uint64_t i = 0; i < d; i++) {
        out->lo[i] = rows ? hrr_dense_get(&matrix, 0, i) : hrr_dense_get(&matrix, i, 0);
        out->hi[i] = rows ? hrr_dense_get(&matrix, 1, i) : hrr_dense_get(&matrix, i, 1);
    }
done:
    hrr_array_clear(&array);
    hrr_dense_clear(&matrix);
    return status;
}

/* Takes a remark at the end of a line away, and blanks. */
static void cut(char *line)
{
    size_t length = strcspn(line, "#\r\n");
    while (length > 0 && (line[length - 1] == ' ' || line[length - 1] == '\t'))
        length--;
    line[length] = '\0';
}

static hrr_status read_lines(cli_bounds *out, const char *path, uint64_t d, hrr_error *err)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return hrr_fail(err, HRR_EIO,
                        "--bounds %s: is neither LO,HI nor data nor a file that can be read: %s",
                        path, strerror(errno));
    char *line = NULL;
    size_t capacity = 0;
    uint64_t n = 0;
    hrr_status status = HRR_OK;
    for (uint64_t number = 1; getline(&line, &capacity, file) >= 0; number++) {
        if (strncmp(line, cli_bounds_undeclared, strlen(cli_bounds_undeclared)) == 0) {
            status = hrr_fail(
                err, HRR_EINVAL,
                "%s: line %" PRIu64
                " says that these bounds were rounded from private values; replace them by "
                "commonly known bounds, then delete that line, which declares them public",
                path, number);
            break;
        }
        const bool is_remark = *line == '#';
        if (is_remark) continue;
        cut(line);
        if (n < d && read_pair(line, &out->lo[n], &out->hi[n])) {
            n++;
            continue;
        }
        status =
            hrr_fail(err, HRR_EDATA, "%s: line %" PRIu64 " is not LO,HI for one of %" PRIu64 " %s",
                     path, number, d, hrr_plural(d, "feature", "features"));
        break;
    }
    if (!status && n < d)
        status = hrr_fail(err, HRR_EDATA,
                          "%s: has bounds for %" PRIu64 " %s, but the graph has %" PRIu64, path, n,
                          hrr_plural(n, "feature", "features"), d);
    free(line);
    fclose(file);
    return status;
}

hrr_status cli_bounds_read(cli_bounds *out, const char *text, uint64_t n_features, hrr_error *err)
{
    *out = (cli_bounds){0};
    if (!text || !n_features) return HRR_OK;
    if (strcmp(text, "data") == 0) {
        out->from_data = true;
        return HRR_OK;
    }
    out->lo = calloc(2 * n_features, sizeof *out->lo);
    if (!out->lo) return hrr_fail(err, HRR_ENOMEM, "out of memory");
    out->hi = out->lo + n_features;
    hrr_status status = HRR_OK;
    char pair[128];
    double lo, hi;
    snprintf(pair, sizeof pair, "%.120s", text);
    size_t length = strlen(text);
    if (read_pair(pair, &lo, &hi)) {
        for (uint64_t i = 0; i < n_features; i++) {
            out->lo[i] = lo;
            out->hi[i] = hi;
        }
    } else if (length > 4 && strcmp(text + length - 4, ".npy") == 0) {
        status = read_npy(out, text, n_features, err);
    } else {
        status = read_lines(out, text, n_features, err);
    }
    if (status) cli_bounds_clear(out);
    return status;
}
