/* fuzz_lists: any text that begins with '[' as a list of numbers. What our reader takes, jansson
 * takes, too, and both read the same numbers, to the bit. The other way round our reader may say
 * no: whoever calls it then asks jansson. */
#include "serve/json_lists.h"
#include "serve/tensor.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { most = 4096 };

typedef struct leaves {
    int64_t integers[most];
    double reals[most];
    bool all_integers, all_reals;
    uint64_t n;
} leaves;

static void gather(leaves *out, const json_t *list, int depth)
{
    size_t i;
    const json_t *item;
    if (depth > HRR_TENSOR_DIMS) out->all_integers = out->all_reals = false;
    json_array_foreach(list, i, item)
    {
        if (json_is_array(item)) {
            gather(out, item, depth + 1);
            continue;
        }
        if (out->n == most) return;
        out->integers[out->n] =
            json_is_boolean(item) ? json_boolean_value(item) : json_integer_value(item);
        out->reals[out->n++] = json_number_value(item);
        out->all_integers = out->all_integers && (json_is_integer(item) || json_is_boolean(item));
        out->all_reals = out->all_reals && json_is_number(item);
    }
}

/* What jansson reads; integers as such, or as reals, which may be larger. False: it is no JSON. */
static bool read_tree(leaves *out, const hrr_json_list *list, size_t flags)
{
    json_t *tree = json_loadb(list->at, list->size, JSON_REJECT_DUPLICATES | flags, NULL);
    out->n = 0;
    out->all_integers = out->all_reals = true;
    gather(out, tree, 1);
    const bool is_json = tree != NULL;
    json_decref(tree);
    return is_json;
}

static void compare(const hrr_json_list *list, uint64_t n)
{
    static int64_t integers[most];
    static double reals[most];
    static leaves wanted;
    if (hrr_json_list_integers(integers, n, list, HRR_TENSOR_DIMS))
        if (!read_tree(&wanted, list, 0) || !wanted.all_integers || wanted.n != n ||
            memcmp(integers, wanted.integers, n * sizeof *integers) != 0)
            abort();
    if (hrr_json_list_reals(reals, n, list, HRR_TENSOR_DIMS))
        if (!read_tree(&wanted, list, JSON_DECODE_INT_AS_REAL) || !wanted.all_reals ||
            wanted.n != n || memcmp(reals, wanted.reals, n * sizeof *reals) != 0)
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const hrr_json_list list = {.at = (const char *)bytes, .size = size};
    uint64_t most_elements = 1; /* one more than there are commas */
    if (!size || bytes[0] != '[') return 0;
    for (size_t i = 0; i < size; i++)
        most_elements += bytes[i] == ',';
    for (uint64_t n = most_elements < 8 ? 0 : most_elements - 8; n <= most_elements && n <= most;
         n++)
        compare(&list, n);
    return 0;
}
