/* charge.c: see charge.h. */
#include "release/charge.h"
#include "certificate/file.h"
#include "io/hash.h"

#include <string.h>
#include <unistd.h>

/* Of an open ledger: the input's names, and what was released for the same public request. */
static hrr_status recognise(hrr_charge *out, hrr_error *err)
{
    const hrr_charge_terms *t = &out->terms;
    hrr_ledger_release before;
    hrr_status status =
        hrr_ledger_fingerprint(&out->input, out->ledger, t->graph, t->lo, t->hi, t->threads, err);
    if (!status)
        status = hrr_ledger_find_release(&before, out->ledger, out->input.graph, t->account,
                                         t->request, err);
    if (status) return status;
    out->charge_before = before.charge;
    hrr_ledger_release_clear(&before);
    return HRR_OK;
}

hrr_status hrr_charge_open(hrr_charge *out, const hrr_charge_terms *terms, hrr_progress *progress,
                           hrr_error *err)
{
    *out = (hrr_charge){.terms = *terms};
    hrr_status status = hrr_ledger_open(&out->ledger, terms->ledger, progress, err);
    if (!status) status = recognise(out, err);
    if (status) hrr_charge_clear(out);
    return status;
}

void hrr_charge_clear(hrr_charge *charge)
{
    hrr_ledger_free(charge->ledger);
    *charge = (hrr_charge){0};
}

static hrr_status none_stored(const hrr_charge_terms *terms, hrr_error *err)
{
    return hrr_fail(err, HRR_EINVAL,
                    "the ledger has no release of %s%s%s with these options that could be copied; "
                    "the graph name, nodes, public edges, account and options must be those of the "
                    "earlier release. Leave `again` out to draw and charge a new release",
                    hrr_graph_name(terms->graph), terms->account ? " on account " : "",
                    terms->account ? terms->account : "");
}

static hrr_status ledger_exists(bool *exists, const char *ledger, hrr_error *err)
{
    char *path = NULL;
    hrr_status status = ledger ? HRR_OK : hrr_ledger_default_path(&path, err);
    *exists = !status && access(ledger ? ledger : path, F_OK) == 0;
    hrr_free(path);
    return status;
}

static hrr_status find_stored(hrr_ledger_release *found, const hrr_charge_terms *terms,
                              hrr_progress *progress, hrr_error *err)
{
    hrr_ledger *ledger = NULL;
    hrr_fingerprint name;
    bool exists;
    *found = (hrr_ledger_release){0};
    hrr_status status = ledger_exists(&exists, terms->ledger, err);
    if (status || !exists) return status;
    status = hrr_ledger_open_existing(&ledger, terms->ledger, progress, err);
    if (!status) status = hrr_ledger_name_graph(&name, ledger, terms->graph, err);
    if (!status)
        status =
            hrr_ledger_find_release(found, ledger, name.graph, terms->account, terms->request, err);
    hrr_ledger_free(ledger);
    return status;
}

hrr_status hrr_charge_find_stored(char **bundle, const hrr_charge_terms *terms,
                                  hrr_progress *progress, hrr_error *err)
{
    char sha256[HRR_SHA256_TEXT_SIZE] = "";
    hrr_ledger_release found;
    *bundle = NULL;
    hrr_status status = find_stored(&found, terms, progress, err);
    if (status) return status;
    if (!found.charge) return none_stored(terms, err);
    status = hrr_certificate_hash(sha256, found.bundle, progress, err);
    if (status == HRR_EIO || (!status && strcmp(found.certificate_sha256, sha256) != 0))
        status = hrr_fail(err, HRR_EINVAL,
                          "the stored release (charge %llu) is missing or was changed: %s; restore "
                          "it, or leave `again` out to draw and charge a new release",
                          (unsigned long long)found.charge, found.bundle);
    if (!status) {
        *bundle = found.bundle;
        found.bundle = NULL;
    }
    hrr_ledger_release_clear(&found);
    return status;
}

hrr_status hrr_charge_make(hrr_charge *charge, const hrr_spend *spend, uint64_t limit_nano,
                           hrr_error *err)
{
    const hrr_charge_terms *t = &charge->terms;
    if (!charge->ledger) return HRR_OK;
    return hrr_ledger_charge(&charge->entry, charge->ledger, &charge->input, t->account, spend,
                             t->request, hrr_graph_name(t->graph), limit_nano, err);
}

hrr_status hrr_charge_check(const hrr_charge *charge, const hrr_spend *spend, uint64_t limit_nano,
                            hrr_error *err)
{
    return hrr_ledger_charge_check(charge->ledger, &charge->input, charge->terms.account, spend,
                                   limit_nano, err);
}

hrr_status hrr_charge_spent(hrr_spend *spent, const hrr_charge *charge, hrr_error *err)
{
    *spent = (hrr_spend){0};
    if (!charge->ledger) return HRR_OK;
    return hrr_ledger_spent(spent, charge->ledger, &charge->input, charge->terms.account, err);
}

hrr_status hrr_charge_before(hrr_spend *spent, uint64_t *n_charges, const hrr_charge *charge,
                             hrr_error *err)
{
    const char *name = charge->terms.account;
    hrr_ledger_list all = {0};
    *spent = (hrr_spend){0};
    *n_charges = 0;
    if (!charge->ledger || !name) return HRR_OK;
    hrr_status status = hrr_ledger_read(&all, charge->ledger, err);
    hrr_ledger_list earlier = {.rows = all.rows};
    for (; earlier.n_rows < all.n_rows; earlier.n_rows++) {
        const hrr_ledger_row *row = &all.rows[earlier.n_rows];
        if (row->number >= charge->entry.number) break;
        *n_charges += strcmp(row->account, name) == 0;
    }
    *spent = hrr_ledger_list_spent(&earlier, NULL, name);
    hrr_ledger_list_clear(&all);
    return status;
}

hrr_status hrr_charge_confirm(const hrr_charge *charge, hrr_error *err)
{
    const hrr_charge_terms *t = &charge->terms;
    hrr_fingerprint now;
    if (!charge->ledger) return HRR_OK;
    hrr_status status =
        hrr_ledger_fingerprint(&now, charge->ledger, t->graph, t->lo, t->hi, t->threads, err);
    if (status || memcmp(&now, &charge->input, sizeof now) == 0) return status;
    return hrr_fail(err, HRR_EDATA,
                    "the input changed while it was being protected, so nothing was released. Wait "
                    "until the files no longer change, and try again");
}

hrr_status hrr_charge_certified(hrr_charge *charge, const char *directory, hrr_progress *progress,
                                hrr_error *err)
{
    if (!charge->ledger) return HRR_OK;
    return hrr_certificate_hash(charge->certificate_sha256, directory, progress, err);
}

hrr_status hrr_charge_released(hrr_charge *charge, const char *bundle, hrr_error *err)
{
    if (!charge->ledger || !charge->entry.number) return HRR_OK;
    return hrr_ledger_released(charge->ledger, &charge->entry, bundle,
                               bundle ? charge->certificate_sha256 : NULL, err);
}

hrr_status hrr_charge_peek(hrr_charge *out, const hrr_charge_terms *terms, hrr_progress *progress,
                           hrr_error *err)
{
    *out = (hrr_charge){.terms = *terms};
    hrr_status status = hrr_ledger_look(&out->ledger, terms->ledger, progress, err);
    if (!status && out->ledger) status = recognise(out, err);
    if (status) hrr_charge_clear(out);
    return status;
}
