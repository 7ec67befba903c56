/* fuzz_faces: any numbers that a face detector may say. Boxes are finite and ordered. */
#include "vision/faces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    enum { rows = 2, cols = 3, n = rows * cols };
    static const uint32_t strides[] = {32, 16, 8, 7};
    float numbers[12 * n] = {0};
    hrr_boxes boxes = {0};
    hrr_error err;
    if (size < 1) return 0;
    memcpy(numbers, bytes + 1, size - 1 < sizeof numbers ? size - 1 : sizeof numbers);
    const hrr_face_map map = {strides[bytes[0] % 4], rows, cols, numbers, numbers + 4 * n};
    if (hrr_face_decode(&boxes, &map, 0.5, &err)) abort();
    if (boxes.n > 2 * n) abort();
    for (size_t i = 0; i < boxes.n; i++) {
        const hrr_box *b = &boxes.items[i];
        if (!isfinite(b->left + b->right + b->top + b->bottom)) abort();
        if (b->left > b->right || b->top > b->bottom || !(b->score >= 0.5)) abort();
    }
    hrr_boxes_keep_best(&boxes, 0.4);
    hrr_boxes_clear(&boxes);
    return 0;
}
