/* cells_avx512.h: common coins and what becomes of their heads, for processors with AVX-512. */
#ifndef HRR_EDGE_CELLS_AVX512_H
#define HRR_EDGE_CELLS_AVX512_H

#include "random/coins.h"

bool hrr_cells_have_avx512(void);

/* hrr_coins() in wide registers: the same draws, the same coins. */
void hrr_coins_avx512(uint64_t heads[hrr_coin_words], hrr_stream *stream, uint64_t weight);

enum { hrr_heads_slack = 16 }; /* pairs that may be written behind the last head, as rubbish */

/* One pair (source, first + i) for each bit i of heads, ascending. Returns their number; there must
 * be room for hrr_heads_slack more. */
size_t hrr_row_heads_avx512(uint32_t *source_out, uint32_t *target_out, uint32_t source,
                            uint32_t first, uint64_t heads);

#endif
