/* settings.h: what the rows of a results file are about, in words for people: a row belongs to a
 * series ("featurerr+edgerr", or "edgerr, bins 4" where bins vary) and to a facet ("cora, private
 * fraction 0.9"). */
#ifndef HRR_REPORT_SETTINGS_H
#define HRR_REPORT_SETTINGS_H

#include "experiment/samples.h"

typedef struct hrr_settings {
    hrr_words series, facets, bases; /* a base: a facet without its private fraction */
    uint32_t *series_of, *facet_of;  /* of each row */
    uint32_t *base_of;               /* of each row; then, base_of_facet of each facet */
    uint32_t *base_of_facet;
} hrr_settings;

/* The facet of a control that stands beside every private fraction of its base: it uses all edges,
 * or none. */
#define HRR_EVERY_FACET UINT32_MAX

void hrr_settings_clear(hrr_settings *settings);

/* Cost: O(rows). Errors: HRR_ENOMEM. */
hrr_status hrr_settings_make(hrr_settings *out, const hrr_rows *rows, const hrr_words *words,
                             hrr_error *err);

/* Add the sample of a row to its facet, or to all that it stands for. */
hrr_status hrr_settings_add(hrr_samples *samples, const hrr_settings *settings, uint64_t row,
                            hrr_sample sample, hrr_error *err);

/* Whether a series is one of those that spend nothing (experiment/references.h), whatever settings
 * stand behind a comma. */
bool hrr_is_control(const char *series);

#endif
