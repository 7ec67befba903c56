/* verify_reports.c: see verify.h. A report has few values: an answer is named, not named, or was
 * not asked about, and how likely it is then follows from its budget. Any other number could carry
 * what nobody paid for. */
#include "certificate/verify.h"
#include "feature/reports.h"
#include "matrix/dense.h"
#include "base/memory.h"

static bool is_value(float value, const float *own)
{
    return value == own[0] || value == own[1] || value == own[2];
}

/* So many of a node's answers are named, or were asked about. */
static bool are_reports(const hrr_dense *features, const float *value, uint64_t n_named,
                        uint64_t n_asked)
{
    const uint64_t k = features->cols;
    for (uint64_t i = 0; i < features->rows; i++) {
        uint64_t named = 0, spoken = 0;
        for (uint64_t j = 0; j < k; j++) {
            const float own = (float)hrr_dense_get(features, i, j);
            if (!is_value(own, value + 3 * j)) return false;
            named += own == value[3 * j + 1];
            spoken += own != value[3 * j + 2];
        }
        if ((n_named && named != n_named) || (n_asked && spoken != n_asked)) return false;
    }
    return true;
}

hrr_status hrr_verify_reports(hrr_findings *findings, const json_t *certificate,
                              const hrr_dense *features, hrr_error *err)
{
    const json_t *record = json_object_get(certificate, "features");
    const uint64_t k = hrr_json_count(record, "answers");
    const uint64_t size = hrr_json_count(record, "report_size");
    if (!features || !k || hrr_json_count(record, "propagated_steps")) return HRR_OK;
    if (features->cols != k || size >= k) {
        hrr_find(findings, "features: they are not reports of %llu answers", (unsigned long long)k);
        return HRR_OK;
    }
    uint64_t *eps_nano = hrr_alloc(k, sizeof *eps_nano);
    float *value = hrr_alloc(k, 3 * sizeof *value);
    hrr_status status = eps_nano && value ? HRR_OK : hrr_no_memory(err);
    uint64_t whole = 0;
    bool good = !status && hrr_eps_of_text(&whole, hrr_json_word(record, "requested_eps")) &&
                whole && hrr_answer_budgets(eps_nano, record, k, whole);
    if (good) status = hrr_report_values(value, (uint32_t)k, (uint32_t)size, eps_nano, err);
    if (good && !status)
        good = are_reports(features, value, size, hrr_json_count(record, "features_per_node"));
    if (!status && !good)
        hrr_find(findings,
                 "features: a report contains a value that is impossible with these budgets");
    hrr_free(eps_nano);
    hrr_free(value);
    return status;
}
