/* up_convolution.h: transposed convolutions with 4 x 4 weights and stride 2, which double the sides
 * of pictures: place (r, c) adds to the pixels (2 r - 1 + v, 2 c - 1 + u), v and u from 0 to 3.
 *
 * A sheet holds a batch of pictures: row y of all pictures, then row y + 1. A picture has a border
 * of one place, so that the 4 x 4 pixels of a place are there at the edges, too. With this layout
 * the four pixels of a place in one row lie side by side, and all three products of a layer are
 * products of matrices that lie in sheets: nothing is copied. */
#ifndef HRR_LEARN_UP_CONVOLUTION_H
#define HRR_LEARN_UP_CONVOLUTION_H

#include <heterorr/matrix.h>

typedef struct hrr_sheet {
    uint32_t side, width; /* of a picture without its border; numbers of a place */
    uint64_t batch;       /* pictures, a multiple of HRR_PLACED_ROWS */
    size_t row;           /* numbers of one row of one picture, with border and room behind it */
    float *memory, *at;   /* at: aligned */
} hrr_sheet;

/* All zero. Errors: HRR_ENOMEM. */
hrr_status hrr_sheet_init(hrr_sheet *out, uint32_t side, uint32_t width, uint64_t batch,
                          hrr_error *err) HRR_CHECKED;
void hrr_sheet_clear(hrr_sheet *sheet);

/* The `width` numbers of a place; y and x from -1 (border) to side. */
static inline float *hrr_sheet_place(const hrr_sheet *sheet, int64_t y, uint64_t picture, int64_t x)
{
    return sheet->at + ((uint64_t)(y + 1) * sheet->batch + picture) * sheet->row +
           (size_t)(x + 1) * sheet->width;
}

/* Floats of space that each of the functions below needs. */
size_t hrr_up_space(uint32_t side, uint32_t n_in, uint32_t n_out);

/* out = up(in, weights) + bias, or relu of it, for the first n pictures. weights: in.width x 16 x
 * out.width. The same bits for any number of threads, here and below. */
void hrr_up_forward(const hrr_sheet *out, const hrr_sheet *in, const float *weights,
                    const float *bias, bool relu, uint64_t n, float *space, int threads);

/* From the derivatives of the outputs, with a border of 0, those of weights and biases. */
void hrr_up_gradient(float *weights, float *bias, const hrr_sheet *out, const hrr_sheet *in,
                     uint64_t n, float *space, int threads);

/* Inputs that are outputs of a relu are replaced by their derivatives. */
void hrr_up_back(const hrr_sheet *in, const hrr_sheet *out, const float *weights, uint64_t n,
                 float *space, int threads);

#endif
