/* ledgers.h: small ledgers and charges for the tests. */
#ifndef TESTS_PRIVACY_LEDGERS_H
#define TESTS_PRIVACY_LEDGERS_H

#include "support/check.h"
#include "support/files.h"
#include "privacy/charge.h"

#include <heterorr/privacy.h>

static const uint8_t any_request[HRR_FINGERPRINT_SIZE] = "a request";

/* Four secrets that no other number names. */
static inline hrr_fingerprint input_of(uint8_t number)
{
    hrr_fingerprint input;
    memset(&input, number, sizeof input);
    return input;
}

static inline hrr_spend spend_of(uint64_t features, uint64_t edges, uint64_t labels)
{
    return (hrr_spend){.features_nano = features * HRR_EPS_UNIT,
                       .edges_nano = edges * HRR_EPS_UNIT,
                       .labels_nano = labels * HRR_EPS_UNIT};
}

static inline hrr_ledger *ledger_at(const char *path)
{
    hrr_ledger *ledger;
    hrr_error err = {0};
    hrr_status status = hrr_ledger_open(&ledger, path, NULL, &err);
    if (status) print_error("%s\n", err.message);
    assert_ok(status);
    return ledger;
}

/* Charge 1 for the features of input `number`; the status of the call. */
static inline hrr_status charge_one(hrr_ledger *ledger, uint8_t number, uint64_t limit,
                                    hrr_ledger_entry *entry, hrr_error *err)
{
    const hrr_fingerprint input = input_of(number);
    const hrr_spend spend = spend_of(1, 0, 0);
    return hrr_ledger_charge(entry, ledger, &input, NULL, &spend, any_request, "graph",
                             limit * HRR_EPS_UNIT, err);
}

/* A ledger at path with n charges of 1 for input 1, the first of them released. */
static inline void make_ledger(const char *path, int n)
{
    hrr_ledger *ledger = ledger_at(path);
    hrr_ledger_entry entry;
    for (int i = 0; i < n; i++) {
        assert_ok(charge_one(ledger, 1, 0, &entry, NULL));
        if (i > 0) continue;
        const char sha256[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
        assert_ok(hrr_ledger_released(ledger, &entry, "/somewhere/bundle", sha256, NULL));
    }
    hrr_ledger_free(ledger);
}

#endif
