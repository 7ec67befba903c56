/* make_ledger.c: make_ledger FILE [INPUT:FEATURES:EDGES:LABELS[:BUNDLE]]...: a ledger with these
 * charges, for test_ledger.py; the epsilons are in units of 1e-9. An empty BUNDLE: the release was
 * kept in memory, as programs can, but the command cannot. */
#include "privacy/charge.h"

#include <heterorr/privacy.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static hrr_status charge(hrr_ledger *ledger, const char *text, hrr_error *err)
{
    static const char sha256[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    static const uint8_t request[HRR_FINGERPRINT_SIZE] = "any";
    int input, used = 0;
    char name[32];
    hrr_spend spend = {0};
    if (sscanf(text, "%d:%" SCNu64 ":%" SCNu64 ":%" SCNu64 "%n", &input, &spend.features_nano,
               &spend.edges_nano, &spend.labels_nano, &used) != 4)
        return hrr_fail(err, HRR_EINVAL, "%s: not a charge", text);
    hrr_fingerprint fingerprint;
    hrr_ledger_entry entry;
    memset(&fingerprint, input, sizeof fingerprint);
    snprintf(name, sizeof name, "graph%d", input);
    hrr_status status =
        hrr_ledger_charge(&entry, ledger, &fingerprint, NULL, &spend, request, name, 0, err);
    const char *bundle = text[used] == ':' && text[used + 1] ? text + used + 1 : NULL;
    if (!status && text[used] == ':')
        status = hrr_ledger_released(ledger, &entry, bundle, bundle ? sha256 : NULL, err);
    return status;
}

int main(int argc, char **argv)
{
    hrr_ledger *ledger = NULL;
    hrr_error err = {0};
    hrr_status status = argc < 2 ? hrr_fail(&err, HRR_EINVAL, "name a file")
                                 : hrr_ledger_open(&ledger, argv[1], NULL, &err);
    for (int i = 2; !status && i < argc; i++)
        status = charge(ledger, argv[i], &err);
    hrr_ledger_free(ledger);
    if (status) fprintf(stderr, "%s\n", err.message);
    return status != HRR_OK;
}
