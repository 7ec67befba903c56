/* sgemm_tile.h: the innermost loop of a product of float matrices: one tile in registers. */
#ifndef HRR_MATRIX_SGEMM_TILE_H
#define HRR_MATRIX_SGEMM_TILE_H

#include "matrix/wide.h"

#include <stddef.h>

enum {
    HRR_TILE_DEPTH = 256, /* how much of the inner dimension is worked on at a time */
    HRR_TILE_GROUP = 84,  /* rows of A that wait in the cache: tiles are 14, 6 or 4 rows high */
    HRR_TILE_WIDTH = 32   /* the widest tile */
};

/* c (rows x cols, stride c_stride) += a b over `depth` steps. b is packed: `cols` floats for each
 * step. a lies in the HRR_TILE_GROUP x HRR_TILE_DEPTH block of rows, or (transposed) in the
 * HRR_TILE_DEPTH x HRR_TILE_GROUP block of columns. */
typedef void hrr_tile_run(float *c, size_t c_stride, const float *a, const float *b, size_t depth);

typedef struct hrr_tile {
    size_t rows, cols;
    hrr_tile_run *run, *run_transposed;
} hrr_tile;

/* The best tile for a product n columns wide on a processor with such vectors. */
hrr_tile hrr_tile_for(hrr_vector_width width, size_t n);

/* A product of matrices that are parts of larger arrays and are read where they lie. Row r of A
 * begins at a + r a_stride (transposed: step k of A at a + k a_stride), step k of B at
 * b + k b_stride. After `depth` steps A and B continue a_jump and b_jump behind the place where
 * these steps began; there are `runs` such runs of steps. */
typedef struct hrr_placed_product {
    const float *a, *b;
    size_t a_stride, b_stride, depth;
    ptrdiff_t a_jump, b_jump;
    size_t runs;
} hrr_placed_product;

/* c (rows x cols, stride c_stride) += the product */
typedef void hrr_placed_run(float *c, size_t c_stride, const hrr_placed_product *product);

enum { HRR_PLACED_ROWS = 8 }; /* a multiple of the height of every such tile */

typedef struct hrr_placed_tile {
    size_t rows, cols;
    hrr_placed_run *run, *run_transposed;
} hrr_placed_tile;

hrr_placed_tile hrr_placed_tile_for(hrr_vector_width width, size_t n);

#endif
