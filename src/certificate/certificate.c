/* certificate.c: what follows from what a release records of itself. */
#include "certificate/certificate.h"
#include "certificate/terms.h"
#include "feature/channels.h"
#include "feature/traits.h"
#include "base/memory.h"
#include "feature/reports.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

bool hrr_certificate_is_private(const hrr_certificate *certificate)
{
    return certificate->not_private_because.count == 0;
}

static hrr_status list_answers(hrr_certificate *c, hrr_error *err)
{
    const hrr_feature_claim *claim = &c->features;
    if (!claim->n_answers || claim->report_size) return HRR_OK;
    c->eps_of_answer_nano = hrr_alloc(claim->n_answers, sizeof *c->eps_of_answer_nano);
    if (!c->eps_of_answer_nano) return hrr_no_memory(err);
    return hrr_head_budgets(c->eps_of_answer_nano, c->request.features->head, claim->eps_nano, err);
}

static hrr_status list_budgets(hrr_certificate *c, hrr_error *err)
{
    const hrr_feature_options *options = c->request.features;
    if (!c->n_features_in || !hrr_feature_traits(options->mechanism)->weighs_budget) return HRR_OK;
    if (options->theta && !c->request.scores_are_public) return HRR_OK;
    c->eps_of_feature_nano = hrr_alloc(c->n_features_in, sizeof *c->eps_of_feature_nano);
    if (!c->eps_of_feature_nano) return hrr_no_memory(err);
    return hrr_channels_split(c->eps_of_feature_nano, options->eps_nano, options->theta,
                              c->n_features_in, err);
}

/* The day, in UTC. A seeded run has none unless SOURCE_DATE_EPOCH says one: the same seed gives the
 * same bytes on every day. */
static void set_date(hrr_certificate *c)
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    char *end = NULL;
    const long long given = epoch ? strtoll(epoch, &end, 10) : 0;
    const bool is_given = epoch && end != epoch && *end == '\0' && given >= 0;
    const time_t now = is_given ? (time_t)given : time(NULL);
    struct tm day;
    if ((is_given || !c->insecure) && gmtime_r(&now, &day))
        strftime(c->date, sizeof c->date, "%Y-%m-%d", &day);
}

/* What the record means: read back from it, as every reader does. */
static hrr_status find_terms(hrr_certificate *c, hrr_error *err)
{
    json_t *json;
    hrr_terms *terms = NULL;
    hrr_status status = hrr_certificate_json(&json, c, err);
    if (!status) status = hrr_terms_of_certificate(&terms, json, err);
    if (!status) {
        snprintf(c->statement, sizeof c->statement, "%s", hrr_terms_statement(terms));
        for (int part = 0; part < HRR_N_PARTS; part++)
            c->treatment[part] = hrr_terms_of(terms, (hrr_part)part).treatment;
    }
    hrr_terms_free(terms);
    json_decref(json);
    return status;
}

hrr_status hrr_certificate_settle(hrr_certificate *certificate, hrr_error *err)
{
    hrr_status status = list_budgets(certificate, err);
    if (!status) status = list_answers(certificate, err);
    set_date(certificate);
    return status ? status : find_terms(certificate, err);
}

void hrr_certificate_clear(hrr_certificate *certificate)
{
    hrr_free(certificate->eps_of_feature_nano);
    hrr_free(certificate->eps_of_answer_nano);
    certificate->eps_of_feature_nano = certificate->eps_of_answer_nano = NULL;
}
