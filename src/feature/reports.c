/* reports.c: see reports.h. */
#include "feature/reports.h"
#include "feature/channels.h"
#include "base/memory.h"

hrr_status hrr_head_budgets(uint64_t *eps_nano, const hrr_head *head, uint64_t total_nano,
                            hrr_error *err)
{
    const uint64_t k = head->weight.cols;
    if (head->output == HRR_OUTPUT_SIGMOID)
        return hrr_channels_split(eps_nano, total_nano, head->shares.data, k, err);
    for (uint64_t j = 0; j < k; j++)
        eps_nano[j] = total_nano;
    return HRR_OK;
}

hrr_status hrr_reports_read(hrr_reports *out, const hrr_dense *released, uint32_t report_size,
                            const uint64_t *eps_nano, hrr_error *err)
{
    const uint64_t k = released->cols;
    /* Values of named answers lie above it, of the others below. */
    const double middle = report_size ? 1 / (double)k : .5;
    *out = (hrr_reports){.n_nodes = released->rows,
                         .n_answers = (uint32_t)k,
                         .report_size = report_size,
                         .named = hrr_alloc(released->rows, k),
                         .log_ratio = hrr_alloc(k, sizeof *out->log_ratio)};
    if (!out->named || !out->log_ratio) {
        hrr_reports_clear(out);
        return hrr_no_memory(err);
    }
    for (uint64_t i = 0; i < released->rows; i++)
        for (uint64_t j = 0; j < k; j++)
            out->named[i * k + j] = hrr_dense_get(released, i, j) > middle;
    for (uint64_t j = 0; j < k; j++)
        out->log_ratio[j] = (double)eps_nano[j] / HRR_EPS_UNIT;
    return HRR_OK;
}

void hrr_reports_clear(hrr_reports *reports)
{
    hrr_free(reports->named);
    hrr_free(reports->log_ratio);
    *reports = (hrr_reports){0};
}
