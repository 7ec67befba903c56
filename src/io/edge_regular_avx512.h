/* edge_regular_avx512.h: hrr_edge_regular_read() for processors with AVX-512. */
#ifndef HRR_IO_EDGE_REGULAR_AVX512_H
#define HRR_IO_EDGE_REGULAR_AVX512_H

#include "io/edge_regular.h"

bool hrr_edge_regular_has_avx512(void);

/* As hrr_edge_regular_read(), for lines that end with "\n", in groups of eight rows: it returns no
 * rows if eight regular ones do not come first, or if fewer than 256 bytes are left. */
hrr_regular_rows hrr_edge_regular_read_avx512(uint32_t *source, uint32_t *target, char delimiter,
                                              const char *at, const char *end);

#endif
