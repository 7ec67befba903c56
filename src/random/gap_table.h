/* gap_table.h: gaps between heads of a coin that is neither rare nor common, from one word and a
 * table; exactly.
 *
 * Let q = 1 - p, p = weight/2^64, and U uniform in [0, 1). The number of g >= 1 with U < q^g is at
 * least g with probability q^g: it is the gap. A word is the first 64 binary digits of U. The table
 * holds the first 64 digits of q, q^2, ..., q^length, rounded down, each at most one too low in the
 * last place. So a word below an entry is below the power, a word that is larger by two or more is
 * not, and in between (once in 2^57 draws) all digits of the power are worked out and U draws more
 * of its own until they differ. Gaps have no memory: one that reaches `length` starts again there.
 *
 * Claim. Nothing is rounded but the decision to look closer.
 * Cost.  1 + q^length words; 16 kB. Worth it while 1/p is not much more than 1024, the longest. */
#ifndef HRR_RANDOM_GAP_TABLE_H
#define HRR_RANDOM_GAP_TABLE_H

#include "random/stream.h"

enum { hrr_gap_table_longest = 1024, hrr_gap_table_log2_guide = 12 };

typedef struct hrr_gap_table {
    uint64_t weight; /* p, out of 2^64 */
    uint64_t doubt;  /* words this close above an entry are looked at again */
    uint64_t length; /* q^length >= 2^-12, so that entries are far apart */
    uint64_t power[hrr_gap_table_longest + 2];     /* [g]: of q^g; after the last, zero */
    uint16_t guide[1 << hrr_gap_table_log2_guide]; /* by the first digits: a gap to start from */
} hrr_gap_table;

/* 2^52 <= weight <= 2^63: smaller ones would want a longer table. */
void hrr_gap_table_init(hrr_gap_table *table, uint64_t weight);

/* The rest of a draw whose word is close to power[gap + 1]: the gap, or `length`. */
uint64_t hrr_gap_in_doubt(const hrr_gap_table *table, uint64_t gap, uint64_t word,
                          hrr_stream *stream);

/* P(G = g) = q^g p. */
static inline uint64_t hrr_gap_by_table(const hrr_gap_table *table, hrr_stream *stream)
{
    for (uint64_t whole = 0;; whole += table->length) {
        const uint64_t word = hrr_stream_word(stream);
        uint64_t gap = table->guide[word >> (64 - hrr_gap_table_log2_guide)];
        while (word < table->power[gap + 1])
            gap++;
        if (__builtin_expect(word - table->power[gap + 1] <= table->doubt, 0))
            gap = hrr_gap_in_doubt(table, gap, word, stream);
        if (__builtin_expect(gap < table->length, 1)) return whole + gap;
    }
}

#endif
