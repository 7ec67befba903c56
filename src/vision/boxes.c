/* boxes.c: see boxes.h. */
#include "vision/boxes.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

hrr_status hrr_boxes_add(hrr_boxes *boxes, hrr_box box, hrr_error *err)
{
    if (boxes->n == boxes->room) {
        size_t room = boxes->room ? 2 * boxes->room : 16;
        hrr_box *grown = hrr_resize(boxes->items, room, sizeof *grown);
        if (!grown) return hrr_no_memory(err);
        boxes->items = grown;
        boxes->room = room;
    }
    boxes->items[boxes->n++] = box;
    return HRR_OK;
}

void hrr_boxes_clear(hrr_boxes *boxes)
{
    hrr_free(boxes->items);
    *boxes = (hrr_boxes){0};
}

static double area(double width, double height)
{
    return width > 0 && height > 0 ? width * height : 0;
}

double hrr_box_overlap(const hrr_box *a, const hrr_box *b)
{
    double common = area(fmin(a->right, b->right) - fmax(a->left, b->left),
                         fmin(a->bottom, b->bottom) - fmax(a->top, b->top));
    double both = area(a->right - a->left, a->bottom - a->top) +
                  area(b->right - b->left, b->bottom - b->top) - common;
    return both > 0 ? common / both : 0;
}

/* Surest first; boxes that are equally sure by place, so that the order is one and the same. */
static int compare(const void *one, const void *two)
{
    const hrr_box *a = one, *b = two;
    const double pairs[][2] = {{b->score, a->score}, {a->top, b->top}, {a->left, b->left}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i][0] != pairs[i][1]) return pairs[i][0] < pairs[i][1] ? -1 : 1;
    return 0;
}

void hrr_boxes_keep_best(hrr_boxes *boxes, double most_overlap)
{
    size_t kept = 0;
    if (boxes->n) qsort(boxes->items, boxes->n, sizeof *boxes->items, compare);
    for (size_t i = 0; i < boxes->n; i++) {
        size_t j = 0;
        while (j < kept && hrr_box_overlap(&boxes->items[i], &boxes->items[j]) <= most_overlap)
            j++;
        if (j == kept) boxes->items[kept++] = boxes->items[i];
    }
    boxes->n = kept;
}

bool hrr_box_clip(hrr_box *box, double width, double height)
{
    box->left = fmax(box->left, 0);
    box->top = fmax(box->top, 0);
    box->right = fmin(box->right, width);
    box->bottom = fmin(box->bottom, height);
    return box->left < box->right && box->top < box->bottom;
}

void hrr_boxes_mask(hrr_picture *picture, const hrr_boxes *boxes, double margin,
                    const uint8_t rgb[3])
{
    const double across = (double)picture->width / picture->full_width;
    const double down = (double)picture->height / picture->full_height;
    for (size_t i = 0; i < boxes->n; i++) {
        hrr_box box = boxes->items[i];
        const double wider = margin * (box.right - box.left);
        const double higher = margin * (box.bottom - box.top);
        box.left = floor((box.left - wider) * across);
        box.right = ceil((box.right + wider) * across);
        box.top = floor((box.top - higher) * down);
        box.bottom = ceil((box.bottom + higher) * down);
        if (!hrr_box_clip(&box, picture->width, picture->height)) continue;
        for (size_t y = (size_t)box.top; y < (size_t)box.bottom; y++)
            for (size_t x = (size_t)box.left; x < (size_t)box.right; x++)
                memcpy(picture->rgb + (y * picture->width + x) * 3, rgb, 3);
    }
}
