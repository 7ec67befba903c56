/* ledger.c: charging, and looking up what was charged.
 *
 * A charge is one transaction that holds the only write lock from before the first entry is read
 * until the new one is on the disk (BEGIN IMMEDIATE): two processes cannot both see room for
 * themselves under a limit. It ends before anything is drawn; if it fails in any way, nothing is.
 */
#include "privacy/ledger.h"
#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

hrr_status hrr_ledger_fingerprint(hrr_fingerprint *out, const hrr_ledger *ledger,
                                  const hrr_graph *graph, bool every_edge, int threads,
                                  hrr_error *err)
{
    if (!ledger->has_key)
        return hrr_fail(err, HRR_EINVAL, "%s: was opened without its key, for reading only",
                        ledger->path);
    return hrr_fingerprint_graph(out, graph, every_edge, ledger->key, threads, ledger->progress,
                                 err);
}

/* ---- sums ----------------------------------------------------------------------------------- */

static bool same(const uint8_t a[HRR_FINGERPRINT_SIZE], const uint8_t b[HRR_FINGERPRINT_SIZE])
{
    return memcmp(a, b, HRR_FINGERPRINT_SIZE) == 0;
}

/* A sum that is never too small: where it does not fit it is the largest number. */
static uint64_t add(uint64_t a, uint64_t b)
{
    uint64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static uint64_t total(const hrr_spend *spend)
{
    return add(add(spend->features_nano, spend->edges_nano), spend->labels_nano);
}

hrr_spend hrr_ledger_list_spent(const hrr_ledger_list *list, const hrr_fingerprint *input)
{
    hrr_spend spent = {0};
    for (size_t i = 0; i < list->n_rows; i++) {
        const hrr_ledger_row *row = &list->rows[i];
        const bool features = same(row->input.features, input->features);
        /* The very same graph has the same pairs, even if they were named by their marks once and
         * taken whole for private another time. */
        const bool edges =
            same(row->input.edges, input->edges) || same(row->input.whole, input->whole);
        const bool labels = same(row->input.labels, input->labels);
        if (features) spent.features_nano = add(spent.features_nano, row->spend.features_nano);
        if (edges) spent.edges_nano = add(spent.edges_nano, row->spend.edges_nano);
        if (labels) spent.labels_nano = add(spent.labels_nano, row->spend.labels_nano);
        if (features) spent.delta += row->spend.delta;
        /* Which of the secrets went out without a bound is not written down: it counts for each. */
        if (features || edges || labels) spent.unbounded |= row->spend.unbounded;
    }
    return spent;
}

static void format_eps(char text[HRR_EPS_TEXT_SIZE], uint64_t eps_nano, bool unbounded)
{
    if (unbounded)
        snprintf(text, HRR_EPS_TEXT_SIZE, "infinity");
    else
        hrr_eps_format(text, eps_nano);
}

static hrr_status refuse(const hrr_spend *spent, const hrr_spend *spend, uint64_t limit_nano,
                         hrr_error *err)
{
    char before[HRR_EPS_TEXT_SIZE], more[HRR_EPS_TEXT_SIZE], limit[HRR_EPS_TEXT_SIZE];
    char features[HRR_EPS_TEXT_SIZE], edges[HRR_EPS_TEXT_SIZE], labels[HRR_EPS_TEXT_SIZE];
    format_eps(before, total(spent), spent->unbounded);
    format_eps(more, total(spend), spend->unbounded);
    hrr_eps_format(limit, limit_nano);
    hrr_eps_format(features, spent->features_nano);
    hrr_eps_format(edges, spent->edges_nano);
    hrr_eps_format(labels, spent->labels_nano);
    return hrr_fail(
        err, HRR_EBUDGET,
        "the budget of this input does not allow it: spent %s + requested %s > limit %s "
        "(spent: features %s, edges %s, labels %s). Nothing was charged or drawn; ask "
        "for less, use the release that exists, or raise the limit",
        before, more, limit, features, edges, labels);
}

static hrr_status check_limit(const hrr_ledger_list *list, const hrr_fingerprint *input,
                              const hrr_spend *spend, uint64_t limit_nano, hrr_error *err)
{
    if (!limit_nano) return HRR_OK;
    const hrr_spend spent = hrr_ledger_list_spent(list, input);
    const bool unbounded = spent.unbounded || spend->unbounded;
    if (!unbounded && add(total(&spent), total(spend)) <= limit_nano) return HRR_OK;
    return refuse(&spent, spend, limit_nano, err);
}

/* ---- transactions --------------------------------------------------------------------------- */

static hrr_status append(hrr_chain *chain, hrr_entry *entry, hrr_ledger *ledger, hrr_error *err)
{
    entry->time = (int64_t)time(NULL);
    return hrr_chain_append(chain, entry, ledger, err);
}

static hrr_status check_spend(const hrr_spend *spend, hrr_error *err)
{
    if (spend->features_nano <= HRR_EPS_MAX && spend->edges_nano <= HRR_EPS_MAX &&
        spend->labels_nano <= HRR_EPS_MAX && spend->delta >= 0 && spend->delta < 1)
        return HRR_OK;
    return hrr_fail(err, HRR_EINVAL,
                    "an epsilon above 20 or a delta outside 0..1 cannot be charged");
}

hrr_status hrr_ledger_charge(hrr_ledger_entry *out, hrr_ledger *ledger,
                             const hrr_fingerprint *input, const hrr_spend *spend,
                             const uint8_t request[HRR_FINGERPRINT_SIZE], const char *name,
                             uint64_t limit_nano, hrr_error *err)
{
    assert(ledger->has_key);
    hrr_ledger_list list = {0};
    hrr_chain chain;
    hrr_entry entry = {
        .kind = HRR_ENTRY_CHARGE, .input = *input, .spend = *spend, .text = name ? name : ""};
    memcpy(entry.request, request, sizeof entry.request);
    hrr_status status = check_spend(spend, err);
    if (!status) status = hrr_ledger_run(ledger, "BEGIN IMMEDIATE", err);
    if (status) return status;
    status = hrr_chain_read(&chain, &list, ledger, err);
    if (!status) status = check_limit(&list, input, spend, limit_nano, err);
    if (!status) status = append(&chain, &entry, ledger, err);
    const uint64_t n_before = list.n_rows;
    hrr_ledger_list_clear(&list);
    if ((status = hrr_ledger_end(ledger, status, err))) return status;

    *out = (hrr_ledger_entry){.number = entry.number, .charge = n_before + 1};
    hrr_sha256_text(out->link, chain.link);
    for (int i = 0; i < hrr_ledger_id_size; i++)
        snprintf(out->ledger_id + 2 * i, 3, "%02x", ledger->id[i]);
    return HRR_OK;
}

static bool parse_sha256(uint8_t digest[hrr_sha256_size], const char *text)
{
    unsigned value;
    if (strlen(text) != 2 * hrr_sha256_size || strspn(text, "0123456789abcdef") != strlen(text))
        return false;
    for (int i = 0; i < hrr_sha256_size; i++) {
        sscanf(text + 2 * i, "%2x", &value);
        digest[i] = (uint8_t)value;
    }
    return true;
}

static bool is_open(const hrr_ledger_list *list, uint64_t number)
{
    for (size_t i = 0; i < list->n_rows; i++)
        if (list->rows[i].number == number) return !list->rows[i].bundle;
    return false;
}

hrr_status hrr_ledger_released(hrr_ledger *ledger, const hrr_ledger_entry *charge,
                               const char *bundle, const char *certificate_sha256, hrr_error *err)
{
    assert(ledger->has_key);
    hrr_ledger_list list = {0};
    hrr_chain chain;
    hrr_entry entry = {.kind = HRR_ENTRY_RELEASE, .charge = charge->number};
    if (!parse_sha256(entry.certificate, certificate_sha256))
        return hrr_fail(err, HRR_EINVAL, "\"%.70s\" is not a SHA-256", certificate_sha256);
    char *absolute = realpath(bundle, NULL); /* good in every working directory */
    entry.text = absolute ? absolute : bundle;
    hrr_status status = hrr_ledger_run(ledger, "BEGIN IMMEDIATE", err);
    if (!status) {
        status = hrr_chain_read(&chain, &list, ledger, err);
        if (!status && !is_open(&list, charge->number))
            status = hrr_fail(err, HRR_EINVAL, "%s: has no open charge %llu", ledger->path,
                              (unsigned long long)charge->number);
        if (!status) status = append(&chain, &entry, ledger, err);
        hrr_ledger_list_clear(&list);
        status = hrr_ledger_end(ledger, status, err);
    }
    free(absolute);
    return status;
}

hrr_status hrr_ledger_read(hrr_ledger_list *out, hrr_ledger *ledger, hrr_error *err)
{
    hrr_chain chain;
    *out = (hrr_ledger_list){0};
    /* A transaction, so that the entries and the end of the chain are of one moment. */
    hrr_status status = hrr_ledger_run(ledger, "BEGIN", err);
    if (status) return status;
    status = hrr_ledger_end(ledger, hrr_chain_read(&chain, out, ledger, err), err);
    if (status) hrr_ledger_list_clear(out);
    return status;
}

hrr_status hrr_ledger_spent(hrr_spend *spent, hrr_ledger *ledger, const hrr_fingerprint *input,
                            hrr_error *err)
{
    hrr_ledger_list list;
    hrr_status status = hrr_ledger_read(&list, ledger, err);
    if (status) return status;
    *spent = hrr_ledger_list_spent(&list, input);
    hrr_ledger_list_clear(&list);
    return HRR_OK;
}

hrr_status hrr_ledger_find_release(char **bundle, char certificate_sha256[HRR_DIGEST_TEXT_SIZE],
                                   hrr_ledger *ledger, const hrr_fingerprint *input,
                                   const uint8_t request[HRR_FINGERPRINT_SIZE], hrr_error *err)
{
    hrr_ledger_list list;
    *bundle = NULL;
    hrr_status status = hrr_ledger_read(&list, ledger, err);
    if (status) return status;
    for (size_t i = list.n_rows; i-- > 0;) {
        hrr_ledger_row *row = &list.rows[i];
        if (!row->bundle || !same(row->input.whole, input->whole) || !same(row->request, request))
            continue;
        if (row->spend.unbounded) continue; /* it protects nothing: nobody asks for it again */
        *bundle = row->bundle;
        row->bundle = NULL;
        memcpy(certificate_sha256, row->certificate_sha256, HRR_DIGEST_TEXT_SIZE);
        break;
    }
    hrr_ledger_list_clear(&list);
    return HRR_OK;
}
