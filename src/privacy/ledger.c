/* ledger.c: charging, and looking up what was charged.
 *
 * A charge is one transaction that holds the only write lock from before the first entry is read
 * until the new one is on the disk (BEGIN IMMEDIATE): two processes cannot both see room for
 * themselves under a limit. It ends before anything is drawn; if it fails in any way, nothing is.
 */
#include "privacy/ledger.h"
#include "privacy/charge.h"
#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static hrr_status need_key(const hrr_ledger *ledger, hrr_error *err)
{
    if (ledger->has_key) return HRR_OK;
    return hrr_fail(err, HRR_EINVAL, "%s: was opened read-only, without its key", ledger->path);
}

hrr_status hrr_ledger_fingerprint(hrr_fingerprint *out, const hrr_ledger *ledger,
                                  const hrr_graph *graph, const double *lo, const double *hi,
                                  int threads, hrr_error *err)
{
    hrr_status status = need_key(ledger, err);
    if (status) return status;
    return hrr_fingerprint_graph(out, graph, lo, hi, ledger->key, threads, ledger->progress, err);
}

hrr_status hrr_ledger_name_graph(hrr_fingerprint *out, const hrr_ledger *ledger,
                                 const hrr_graph *graph, hrr_error *err)
{
    hrr_status status = need_key(ledger, err);
    *out = (hrr_fingerprint){0};
    return status ? status : hrr_fingerprint_public(out, graph, ledger->key, err);
}

/* ---- sums ----------------------------------------------------------------------------------- */

static bool same(const uint8_t a[HRR_FINGERPRINT_SIZE], const uint8_t b[HRR_FINGERPRINT_SIZE])
{
    static const uint8_t absent[HRR_FINGERPRINT_SIZE];
    return memcmp(a, b, HRR_FINGERPRINT_SIZE) == 0 && memcmp(a, absent, sizeof absent) != 0;
}

/* The same secret, by any of the two names that each input has for it. */
static bool same_features(const hrr_fingerprint *a, const hrr_fingerprint *b)
{
    return same(a->features, b->features) || same(a->clipped, b->clipped) ||
           same(a->features, b->clipped) || same(a->clipped, b->features);
}

static bool same_edges(const hrr_fingerprint *a, const hrr_fingerprint *b)
{
    return same(a->edges, b->edges) || same(a->pairs, b->pairs) || same(a->edges, b->pairs) ||
           same(a->pairs, b->edges);
}

/* "" and NULL are no account, and nobody shares that. */
static bool same_account(const hrr_ledger_row *row, const char *account)
{
    return account && *account && strcmp(row->account, account) == 0;
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

hrr_spend hrr_ledger_list_spent(const hrr_ledger_list *list, const hrr_fingerprint *input,
                                const char *account)
{
    static const hrr_fingerprint nothing;
    const hrr_fingerprint *known = input ? input : &nothing;
    hrr_spend spent = {0};
    for (size_t i = 0; i < list->n_rows; i++) {
        const hrr_ledger_row *row = &list->rows[i];
        /* By what is public: another version of the data, with one pair or one value changed, adds
         * up to the same sums, so that neither a sum nor a refusal tells of the change. */
        const bool all = same_account(row, account) || same(row->input.graph, known->graph);
        const bool features = all || same_features(&row->input, known);
        const bool edges = all || same_edges(&row->input, known);
        const bool labels = all || same(row->input.labels, known->labels);
        if (features) spent.features_nano = add(spent.features_nano, row->spend.features_nano);
        if (edges) spent.edges_nano = add(spent.edges_nano, row->spend.edges_nano);
        if (labels) spent.labels_nano = add(spent.labels_nano, row->spend.labels_nano);
        if (features) spent.delta += row->spend.delta;
        /* Which of the secrets went out without a bound is not written down: it counts for each. */
        if (features || edges || labels) spent.unbounded |= row->spend.unbounded;
    }
    return spent;
}

/* Where there is no epsilon, there is no sum that a limit could allow. */
static hrr_status refuse_unbounded(const hrr_spend *spend, const char *of, const char *account,
                                   hrr_error *err)
{
    if (spend->unbounded)
        return hrr_fail(err, HRR_EBUDGET,
                        "this release is NOT PRIVATE: no epsilon bounds what it reveals, so it "
                        "exceeds every limit. Nothing was charged or drawn; protect everything "
                        "that it contains, or omit the limit (`limit_nano`)");
    return hrr_fail(
        err, HRR_EBUDGET,
        "the budget of %s%s does not allow this release: a release that is NOT PRIVATE was charged "
        "before, to this account or for the same data, and no limit holds after it. Nothing was "
        "charged or drawn. Without a limit (`limit_nano`), a release is still possible",
        of, account);
}

static hrr_status refuse(const hrr_spend *spent, const hrr_spend *spend, const char *account,
                         uint64_t limit_nano, hrr_error *err)
{
    const char *of = account && *account ? "account " : "this input";
    char before[HRR_EPS_TEXT_SIZE], more[HRR_EPS_TEXT_SIZE], limit[HRR_EPS_TEXT_SIZE];
    char features[HRR_EPS_TEXT_SIZE], edges[HRR_EPS_TEXT_SIZE], labels[HRR_EPS_TEXT_SIZE];
    if (!account) account = "";
    if (spent->unbounded || spend->unbounded) return refuse_unbounded(spend, of, account, err);
    hrr_eps_format(before, total(spent));
    hrr_eps_format(more, total(spend));
    hrr_eps_format(limit, limit_nano);
    hrr_eps_format(features, spent->features_nano);
    hrr_eps_format(edges, spent->edges_nano);
    hrr_eps_format(labels, spent->labels_nano);
    return hrr_fail(
        err, HRR_EBUDGET,
        "the budget of %s%s does not allow this release: spent %s + requested %s > limit %s "
        "(spent: features %s, edges %s, labels %s). Nothing was charged or drawn; request less, "
        "use the existing release, or raise the limit (`limit_nano`)",
        of, account, before, more, limit, features, edges, labels);
}

static hrr_status check_limit(const hrr_ledger_list *list, const hrr_fingerprint *input,
                              const char *account, const hrr_spend *spend, uint64_t limit_nano,
                              hrr_error *err)
{
    if (!limit_nano) return HRR_OK;
    const hrr_spend spent = hrr_ledger_list_spent(list, input, account);
    const bool unbounded = spent.unbounded || spend->unbounded;
    if (!unbounded && add(total(&spent), total(spend)) <= limit_nano) return HRR_OK;
    return refuse(&spent, spend, account, limit_nano, err);
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
    return hrr_fail(err, HRR_EINVAL, "cannot charge an epsilon above 20 or a delta outside 0 to 1");
}

hrr_status hrr_account_name_check(const char *name, hrr_error *err)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                  "._:/-";
    const size_t length = strlen(name);
    if (length > 0 && length < HRR_ACCOUNT_NAME_SIZE && strspn(name, letters) == length &&
        !strchr("._:/-", name[0]))
        return HRR_OK;
    return hrr_fail(err, HRR_EINVAL,
                    "'%.70s' is not a valid account name (`account`): a name has 1 to %d letters, "
                    "digits and . _ : / -, and begins with a letter or digit",
                    name, HRR_ACCOUNT_NAME_SIZE - 1);
}

static hrr_status check_request(const hrr_spend *spend, const char *account, hrr_error *err)
{
    hrr_status status = check_spend(spend, err);
    return status || !account || !*account ? status : hrr_account_name_check(account, err);
}

hrr_status hrr_ledger_charge_check(hrr_ledger *ledger, const hrr_fingerprint *input,
                                   const char *account, const hrr_spend *spend, uint64_t limit_nano,
                                   hrr_error *err)
{
    hrr_ledger_list list = {0};
    hrr_status status = check_request(spend, account, err);
    if (!status && ledger) status = hrr_ledger_read(&list, ledger, err);
    if (!status) status = check_limit(&list, input, account, spend, limit_nano, err);
    hrr_ledger_list_clear(&list);
    return status;
}

hrr_status hrr_ledger_charge(hrr_ledger_entry *out, hrr_ledger *ledger,
                             const hrr_fingerprint *input, const char *account,
                             const hrr_spend *spend, const uint8_t request[HRR_FINGERPRINT_SIZE],
                             const char *name, uint64_t limit_nano, hrr_error *err)
{
    assert(ledger->has_key);
    hrr_ledger_list list = {0};
    hrr_chain chain;
    hrr_entry entry = {.kind = HRR_ENTRY_CHARGE,
                       .account = account ? account : "",
                       .input = *input,
                       .spend = *spend,
                       .text = name ? name : ""};
    memcpy(entry.request, request, sizeof entry.request);
    hrr_status status = check_request(spend, account, err);
    if (!status) status = hrr_ledger_run(ledger, "BEGIN IMMEDIATE", err);
    if (status) return status;
    status = hrr_chain_read(&chain, &list, ledger, err);
    if (!status) status = check_limit(&list, input, account, spend, limit_nano, err);
    if (!status) status = append(&chain, &entry, ledger, err);
    const uint64_t n_before = list.n_rows;
    hrr_ledger_list_clear(&list);
    if ((status = hrr_ledger_end(ledger, status, err))) return status;

    *out = (hrr_ledger_entry){.number = entry.number, .charge = n_before + 1};
    snprintf(out->account, sizeof out->account, "%s", entry.account);
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
        if (list->rows[i].number == number)
            return !list->rows[i].bundle && !list->rows[i].in_memory;
    return false;
}

hrr_status hrr_ledger_released(hrr_ledger *ledger, const hrr_ledger_entry *charge,
                               const char *bundle, const char *certificate_sha256, hrr_error *err)
{
    assert(ledger->has_key);
    hrr_ledger_list list = {0};
    hrr_chain chain;
    hrr_entry entry = {.kind = HRR_ENTRY_RELEASE, .charge = charge->number};
    if (bundle && !parse_sha256(entry.certificate, certificate_sha256))
        return hrr_fail(err, HRR_EINVAL, "\"%.70s\" is not a SHA-256", certificate_sha256);
    char *absolute = bundle ? realpath(bundle, NULL) : NULL; /* good in every working directory */
    entry.text = absolute ? absolute : bundle ? bundle : "";
    hrr_status status = hrr_ledger_run(ledger, "BEGIN IMMEDIATE", err);
    if (!status) {
        status = hrr_chain_read(&chain, &list, ledger, err);
        if (!status && !is_open(&list, charge->number))
            status = hrr_fail(err, HRR_EINVAL, "%s: there is no open charge %llu", ledger->path,
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
                            const char *account, hrr_error *err)
{
    hrr_ledger_list list;
    hrr_status status = hrr_ledger_read(&list, ledger, err);
    if (status) return status;
    *spent = hrr_ledger_list_spent(&list, input, account);
    hrr_ledger_list_clear(&list);
    return HRR_OK;
}

hrr_status hrr_ledger_find_release(hrr_ledger_release *found, hrr_ledger *ledger,
                                   const uint8_t graph[HRR_FINGERPRINT_SIZE], const char *account,
                                   const uint8_t request[HRR_FINGERPRINT_SIZE], hrr_error *err)
{
    hrr_ledger_list list;
    *found = (hrr_ledger_release){0};
    hrr_status status = hrr_ledger_read(&list, ledger, err);
    if (status) return status;
    for (size_t i = list.n_rows; i-- > 0;) {
        hrr_ledger_row *row = &list.rows[i];
        if (!row->bundle || !same(row->input.graph, graph) || !same(row->request, request) ||
            strcmp(row->account, account ? account : "") != 0)
            continue;
        if (row->spend.unbounded) continue; /* it protects nothing: nobody asks for it again */
        found->charge = i + 1;
        found->bundle = row->bundle;
        row->bundle = NULL;
        memcpy(found->certificate_sha256, row->certificate_sha256, HRR_DIGEST_TEXT_SIZE);
        break;
    }
    hrr_ledger_list_clear(&list);
    return HRR_OK;
}

void hrr_ledger_release_clear(hrr_ledger_release *found)
{
    hrr_free(found->bundle);
    *found = (hrr_ledger_release){0};
}
