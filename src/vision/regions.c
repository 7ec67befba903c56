/* regions.c: see regions.h. */
#include "vision/regions.h"

#include "base/memory.h"
#include "io/table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <strings.h>

enum column { PICTURE = 0, LEFT, TOP, RIGHT, BOTTOM, N_COLUMNS };

static const char *const column_names[N_COLUMNS] = {"picture", "left", "top", "right", "bottom"};

static hrr_status find_columns(size_t at[N_COLUMNS], const hrr_table_row *header, const char *path,
                               hrr_error *err)
{
    for (int c = 0; c < N_COLUMNS; c++) {
        at[c] = 0;
        while (at[c] < header->n_fields && strcasecmp(header->fields[at[c]], column_names[c]) != 0)
            at[c]++;
        if (at[c] == header->n_fields)
            return hrr_fail(err, HRR_EDATA,
                            "%s:%" PRIu64 ": the column %s is missing; the first row of a file of "
                            "regions must be picture,left,top,right,bottom",
                            path, header->line, column_names[c]);
    }
    return HRR_OK;
}

static hrr_status read_box(hrr_box *box, uint32_t *picture, const hrr_table_row *row,
                           const size_t at[N_COLUMNS], const hrr_name_index *names,
                           const char *path, hrr_error *err)
{
    double side[N_COLUMNS] = {0};
    for (int c = 0; c < N_COLUMNS; c++)
        if (at[c] >= row->n_fields)
            return hrr_fail(err, HRR_EDATA, "%s:%" PRIu64 ": has no %s", path, row->line,
                            column_names[c]);
    if (!hrr_name_index_find(names, row->fields[at[PICTURE]], picture))
        return hrr_fail(err, HRR_EDATA,
                        "%s:%" PRIu64 ": names a picture that is not one of those to embed", path,
                        row->line);
    for (int c = LEFT; c < N_COLUMNS; c++)
        if (!hrr_field_number(row->fields[at[c]], &side[c]) || !isfinite(side[c]))
            return hrr_fail(err, HRR_EDATA, "%s:%" PRIu64 ": %s is not a number", path, row->line,
                            column_names[c]);
    if (!(side[LEFT] < side[RIGHT] && side[TOP] < side[BOTTOM]))
        return hrr_fail(err, HRR_EDATA,
                        "%s:%" PRIu64 ": the box has no area: left must be less than right, top "
                        "less than bottom",
                        path, row->line);
    *box = (hrr_box){side[LEFT], side[TOP], side[RIGHT], side[BOTTOM], 1};
    return HRR_OK;
}

static hrr_status add_box(hrr_regions *regions, uint32_t picture, hrr_box box, uint64_t line,
                          hrr_error *err)
{
    hrr_boxes *boxes = &regions->boxes[picture];
    hrr_status status = hrr_boxes_add(boxes, box, err);
    if (status) return status;
    uint64_t *lines = hrr_resize(regions->lines[picture], boxes->room, sizeof *lines);
    if (!lines) return hrr_no_memory(err);
    lines[boxes->n - 1] = line;
    regions->lines[picture] = lines;
    return HRR_OK;
}

hrr_status hrr_regions_read(hrr_regions *out, const char *path, const hrr_name_index *names,
                            hrr_error *err)
{
    hrr_table *table = NULL;
    const hrr_table_row *row = NULL;
    size_t at[N_COLUMNS];
    *out = (hrr_regions){0};
    hrr_regions regions = {.path = path, .n = names->n_names};
    regions.boxes = hrr_alloc_zero(regions.n, sizeof *regions.boxes);
    regions.lines = hrr_alloc_zero(regions.n, sizeof *regions.lines);
    hrr_status status = regions.boxes && regions.lines ? hrr_table_open(&table, path, '\0', err)
                                                       : hrr_no_memory(err);
    if (!status) status = hrr_table_next(table, &row, err);
    if (!status && !row)
        status = hrr_fail(err, HRR_EDATA,
                          "%s: is empty; the first row of a file of regions must be "
                          "picture,left,top,right,bottom",
                          path);
    if (!status) status = find_columns(at, row, path, err);
    while (!status) {
        hrr_box box;
        uint32_t picture;
        if ((status = hrr_table_next(table, &row, err)) || !row) break;
        status = read_box(&box, &picture, row, at, names, path, err);
        if (!status) status = add_box(&regions, picture, box, row->line, err);
    }
    hrr_table_close(table);
    if (status)
        hrr_regions_clear(&regions);
    else
        *out = regions;
    return status;
}

void hrr_regions_clear(hrr_regions *regions)
{
    for (uint64_t i = 0; i < regions->n && regions->boxes && regions->lines; i++) {
        hrr_boxes_clear(&regions->boxes[i]);
        hrr_free(regions->lines[i]);
    }
    hrr_free(regions->boxes);
    hrr_free(regions->lines);
    *regions = (hrr_regions){0};
}

hrr_status hrr_regions_find(hrr_boxes *out, const hrr_regions *regions, uint64_t i,
                            const char *name, const hrr_picture *picture, hrr_error *err)
{
    hrr_status status = HRR_OK;
    *out = (hrr_boxes){0};
    for (size_t j = 0; j < regions->boxes[i].n && !status; j++) {
        hrr_box box = regions->boxes[i].items[j];
        if (!hrr_box_clip(&box, picture->full_width, picture->full_height))
            status = hrr_fail(err, HRR_EDATA,
                              "%s:%" PRIu64 ": the region lies outside the picture %s, which has "
                              "%" PRIu32 " x %" PRIu32 " pixels",
                              regions->path, regions->lines[i][j], name, picture->full_width,
                              picture->full_height);
        if (!status) status = hrr_boxes_add(out, box, err);
    }
    if (status) hrr_boxes_clear(out);
    return status;
}
