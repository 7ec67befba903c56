/* fields.c: see fields.h. */
#include "certificate/fields.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *hrr_json_word(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "";
}

unsigned long long hrr_json_count(const json_t *object, const char *name)
{
    return (unsigned long long)json_integer_value(json_object_get(object, name));
}

bool hrr_json_lists(const json_t *object, const char *name, const char *text)
{
    const json_t *list = json_object_get(object, name);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *item = json_string_value(json_array_get(list, i));
        if (item && strcmp(item, text) == 0) return true;
    }
    return false;
}

bool hrr_eps_of_text(uint64_t *eps_nano, const char *text)
{
    char again[HRR_EPS_TEXT_SIZE];
    *eps_nano = 0;
    if (strcmp(text, "0") == 0) return true;
    if (hrr_eps_parse(eps_nano, text, "", NULL)) return false;
    hrr_eps_format(again, *eps_nano);
    return strcmp(text, again) == 0;
}

bool hrr_answer_budgets(uint64_t *eps_nano, const json_t *features, uint64_t k, uint64_t whole)
{
    const json_t *listed = json_object_get(features, "eps_answer_nano");
    if (json_is_array(listed) && json_array_size(listed) != k) return false;
    for (uint64_t j = 0; j < k; j++) {
        const json_t *own = json_is_array(listed) ? json_array_get(listed, j) : listed;
        const json_int_t budget = json_integer_value(own);
        if (listed && (budget < 0 || (uint64_t)budget > whole)) return false;
        eps_nano[j] = listed ? (uint64_t)budget : whole;
    }
    return true;
}

void hrr_realised_text(char text[HRR_EPS_TEXT_SIZE], double realised_eps, uint64_t requested_nano)
{
    if (!isfinite(realised_eps)) {
        snprintf(text, HRR_EPS_TEXT_SIZE, "infinity");
        return;
    }
    double nano = ceil(nextafter(realised_eps * (double)HRR_EPS_UNIT, INFINITY));
    uint64_t whole = realised_eps > 0 ? (uint64_t)nano : 0;
    hrr_eps_format(text, whole < requested_nano ? whole : requested_nano);
}
