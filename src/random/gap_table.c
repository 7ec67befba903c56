/* gap_table.c: see gap_table.h. */
#include "random/gap_table.h"

#include <assert.h>

__extension__ typedef unsigned __int128 uint128;

/* 128 binary digits of a power, high:low, times factor/2^64, cut off: they stay below the truth by
 * less than one in the last place for each step. All steps together are less than one in the last
 * of the first 64. */
void hrr_gap_table_init(hrr_gap_table *table, uint64_t weight)
{
    const uint64_t factor = -weight; /* 2^64 - weight */
    const unsigned shift = 64 - hrr_gap_table_log2_guide;
    assert(weight >> 52 != 0 && weight <= factor);
    uint64_t high = factor, low = 0;
    *table = (hrr_gap_table){.weight = weight, .doubt = 1};
    while (table->length < hrr_gap_table_longest && high >> shift != 0) {
        table->power[++table->length] = high;
        const uint128 product = (uint128)high * factor + (uint64_t)((uint128)low * factor >> 64);
        high = (uint64_t)(product >> 64);
        low = (uint64_t)product;
    }
    uint16_t gap = 0;
    for (uint64_t first = UINT64_C(1) << hrr_gap_table_log2_guide; first-- > 0;) {
        const uint64_t largest = ((first + 1) << shift) - 1; /* word that begins so */
        while (largest < table->power[gap + 1])
            gap++;
        table->guide[first] = gap;
    }
}

/* digit[0 .. g): q^g to the base 2^64, most significant first, exactly. */
static void power_digits(uint64_t *digit, uint64_t g, uint64_t factor)
{
    digit[0] = factor;
    for (uint64_t n = 1; n < g; n++) {
        uint64_t carry = 0;
        for (uint64_t i = n; i > 0; i--) {
            const uint128 product = (uint128)digit[i - 1] * factor + carry;
            digit[i] = (uint64_t)product;
            carry = (uint64_t)(product >> 64);
        }
        digit[0] = carry;
    }
}

/* Entries are at least 2^40 apart (2^-12 of a power that is at least 2^52): a word equals the first
 * digit of one power at most, and draws more digits for that one alone. */
uint64_t hrr_gap_in_doubt(const hrr_gap_table *table, uint64_t gap, uint64_t word,
                          hrr_stream *stream)
{
    uint64_t digit[hrr_gap_table_longest];
    for (; gap < table->length; gap++) {
        power_digits(digit, gap + 1, -table->weight);
        uint64_t i = 0, drawn = word;
        while (drawn == digit[i] && ++i <= gap)
            drawn = hrr_stream_word(stream);
        if (i > gap || drawn > digit[i]) break; /* all digits equal: U >= q^g */
    }
    return gap;
}
