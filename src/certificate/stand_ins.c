/* stand_ins.c: see stand_ins.h. */
#include "certificate/stand_ins.h"
#include "certificate/fields.h"
#include "feature/traits.h"
#include "base/memory.h"

#include <string.h>

/* A certificate is not a reason to allocate without end. */
enum { most_numbers = 1 << 24 };

bool hrr_json_reals(double *out, uint64_t n, const json_t *json)
{
    if (json_is_number(json)) {
        for (uint64_t i = 0; i < n; i++)
            out[i] = json_number_value(json);
        return true;
    }
    if (json_array_size(json) != n) return false;
    for (uint64_t i = 0; i < n; i++) {
        if (!json_is_number(json_array_get(json, i))) return false;
        out[i] = json_number_value(json_array_get(json, i));
    }
    return true;
}

static json_int_t number_of(const json_t *features, const char *name)
{
    return json_integer_value(json_object_get(features, name));
}

static const hrr_feature_mechanism *mechanism_of(const json_t *features)
{
    return hrr_feature_traits(hrr_json_word(features, "mechanism"));
}

bool hrr_stand_ins_are_too_large(const json_t *features, uint64_t n)
{
    const char *count = mechanism_of(features)->needs_head ? "answers" : "directions";
    return (double)number_of(features, count) * (double)n > most_numbers;
}

/* The first axes of n dimensions, one for each direction that is recorded. None: no such number. */
static hrr_status make_axes(hrr_dense *out, const json_t *features, uint64_t n, hrr_error *err)
{
    const json_int_t r = number_of(features, "directions");
    if (r < 1 || (uint64_t)r > n) return HRR_OK;
    hrr_status status = hrr_dense_init(out, HRR_F64, (uint64_t)r, n, err);
    if (status) return status;
    double *axis = out->data;
    memset(axis, 0, (size_t)r * n * sizeof *axis);
    for (uint64_t a = 0; a < (uint64_t)r; a++)
        axis[a * n + a] = 1;
    return HRR_OK;
}

/* A linear head of zeros. None: no such number of answers, or shares that are none. */
static hrr_status make_head(hrr_stand_ins *out, const json_t *features, uint64_t n, hrr_error *err)
{
    const json_int_t k = number_of(features, "answers");
    const json_t *shares = json_object_get(features, "answer_shares");
    const bool equal = strcmp(hrr_json_word(features, "answer_shares"), "equal") == 0;
    if (k < 1 || k > UINT32_MAX) return HRR_OK;
    hrr_head *head = &out->head;
    head->output = number_of(features, "report_size") ? HRR_OUTPUT_SOFTMAX : HRR_OUTPUT_SIGMOID;
    hrr_status status = hrr_dense_init(&head->bias, HRR_F64, 1, (uint64_t)k, err);
    if (!status && shares && !equal) {
        out->shares = hrr_alloc((size_t)k, sizeof *out->shares);
        if (!out->shares) return hrr_no_memory(err);
        if (!hrr_json_reals(out->shares, (uint64_t)k, shares)) return HRR_OK;
        head->shares =
            (hrr_dense){.dtype = HRR_F64, .rows = 1, .cols = (uint64_t)k, .data = out->shares};
    }
    return status ? status : hrr_dense_init(&head->weight, HRR_F64, n, (uint64_t)k, err);
}

hrr_status hrr_stand_ins_make(hrr_stand_ins *out, const json_t *features, uint64_t n,
                              hrr_error *err)
{
    const hrr_feature_mechanism *mechanism = mechanism_of(features);
    *out = (hrr_stand_ins){0};
    if (mechanism->needs_directions) return make_axes(&out->axes, features, n, err);
    if (!mechanism->needs_head) return HRR_OK;
    hrr_status status = make_head(out, features, n, err);
    if (status) hrr_stand_ins_clear(out);
    return status;
}

void hrr_stand_ins_clear(hrr_stand_ins *stand_ins)
{
    hrr_dense_clear(&stand_ins->axes);
    hrr_dense_clear(&stand_ins->head.weight);
    hrr_dense_clear(&stand_ins->head.bias);
    hrr_free(stand_ins->shares);
    *stand_ins = (hrr_stand_ins){0};
}
