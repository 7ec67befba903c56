/* ledger_chain.c: the entries of a ledger, each bound to all before it.
 *
 *     link_0 = SHA-256(id of the ledger),   link_i = SHA-256(link_{i-1}, entry i)
 *
 * An entry that is changed, removed or put between others breaks the chain, and anyone can see it.
 * Whoever changes the file on purpose can also compute the hashes anew; what he cannot compute
 * without the key is the seal, HMAC(key, number of entries, last link), which also shows when
 * entries are missing at the end. What nothing inside a file can show is that the whole of it, key
 * and all, is an older copy: certificates outside name the entries that a ledger must hold.
 *
 * A ledger is read from its first entry to its last before anything is charged: a damaged one is
 * found before it is trusted, and sums are those of entries that were checked. It has an entry or
 * two for every release, so that is a matter of milliseconds (2 microseconds an entry). */
#include "base/memory.h"
#include "base/size.h"
#include "privacy/ledger.h"

#include <math.h>
#include <string.h>

/* ---- hashes --------------------------------------------------------------------------------- */

static void hash_real(hrr_hash *hash, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    hrr_hash_u64(hash, bits);
}

static hrr_status next_link(uint8_t link[hrr_sha256_size], const hrr_entry *entry, hrr_error *err)
{
    hrr_hash hash;
    hrr_hash_init(&hash);
    hrr_hash_add(&hash, link, hrr_sha256_size);
    hrr_hash_u64(&hash, entry->number);
    hrr_hash_u64(&hash, (uint64_t)entry->time);
    hrr_hash_u64(&hash, (uint64_t)entry->kind);
    hrr_hash_text(&hash, entry->text);
    hrr_hash_text(&hash, entry->account);
    hrr_hash_add(&hash, &entry->input, sizeof entry->input);
    hrr_hash_add(&hash, entry->request, sizeof entry->request);
    hrr_hash_u64(&hash, entry->spend.features_nano);
    hrr_hash_u64(&hash, entry->spend.edges_nano);
    hrr_hash_u64(&hash, entry->spend.labels_nano);
    hash_real(&hash, entry->spend.delta);
    hrr_hash_u64(&hash, entry->spend.unbounded);
    hrr_hash_u64(&hash, entry->charge);
    hrr_hash_add(&hash, entry->certificate, sizeof entry->certificate);
    return hrr_hash_finish(link, &hash, err);
}

static hrr_status make_seal(uint8_t seal[HRR_FINGERPRINT_SIZE], const hrr_ledger *ledger,
                            const hrr_chain *chain, hrr_error *err)
{
    uint8_t digest[hrr_sha256_size];
    hrr_hash hash;
    hrr_hash_init(&hash);
    hrr_hash_u64(&hash, chain->n_entries);
    hrr_hash_add(&hash, chain->link, sizeof chain->link);
    hrr_status status = hrr_hash_finish(digest, &hash, err);
    return status ? status : hrr_keyed(seal, ledger->key, "end of the chain", digest, err);
}

hrr_status hrr_chain_begin(hrr_chain *out, const hrr_ledger *ledger, hrr_error *err)
{
    hrr_hash hash;
    out->n_entries = 0;
    hrr_hash_init(&hash);
    hrr_hash_text(&hash, "heterorr ledger");
    hrr_hash_add(&hash, ledger->id, sizeof ledger->id);
    return hrr_hash_finish(out->link, &hash, err);
}

/* ---- reading -------------------------------------------------------------------------------- */

#define COLUMNS                                                                                    \
    "number, time, kind, text, account, graph, features, clipped, edges, pairs, labels, request, " \
    "eps_features, eps_edges, eps_labels, delta, unbounded, charge, certificate, link"
enum { /* in the order of COLUMNS */
       c_number,
       c_time,
       c_kind,
       c_text,
       c_account,
       c_graph,
       c_features,
       c_clipped,
       c_edges,
       c_pairs,
       c_labels,
       c_request,
       c_eps_features,
       c_eps_edges,
       c_eps_labels,
       c_delta,
       c_unbounded,
       c_charge,
       c_certificate,
       c_link
};

static bool read_digest(uint8_t out[hrr_sha256_size], sqlite3_stmt *row, int column)
{
    const void *bytes = sqlite3_column_blob(row, column);
    if (!bytes || sqlite3_column_bytes(row, column) != hrr_sha256_size) return false;
    memcpy(out, bytes, hrr_sha256_size);
    return true;
}

static bool read_eps(uint64_t *out, sqlite3_stmt *row, int column)
{
    int64_t eps = sqlite3_column_int64(row, column);
    *out = (uint64_t)eps;
    return sqlite3_column_type(row, column) == SQLITE_INTEGER && *out <= HRR_EPS_MAX;
}

static bool read_charge(hrr_entry *out, sqlite3_stmt *row)
{
    out->account = (const char *)sqlite3_column_text(row, c_account);
    out->spend.delta = sqlite3_column_double(row, c_delta);
    out->spend.unbounded = sqlite3_column_int(row, c_unbounded) != 0;
    return out->account && read_digest(out->input.graph, row, c_graph) &&
           read_digest(out->input.features, row, c_features) &&
           read_digest(out->input.clipped, row, c_clipped) &&
           read_digest(out->input.edges, row, c_edges) &&
           read_digest(out->input.pairs, row, c_pairs) &&
           read_digest(out->input.labels, row, c_labels) &&
           read_digest(out->request, row, c_request) &&
           read_eps(&out->spend.features_nano, row, c_eps_features) &&
           read_eps(&out->spend.edges_nano, row, c_eps_edges) &&
           read_eps(&out->spend.labels_nano, row, c_eps_labels);
}

static bool read_release(hrr_entry *out, sqlite3_stmt *row)
{
    out->charge = (uint64_t)sqlite3_column_int64(row, c_charge);
    return read_digest(out->certificate, row, c_certificate);
}

/* False: not what an entry looks like. Its texts are SQLite's until the next row. */
static bool read_entry(hrr_entry *out, uint8_t link[hrr_sha256_size], sqlite3_stmt *row)
{
    *out = (hrr_entry){.number = (uint64_t)sqlite3_column_int64(row, c_number),
                       .time = sqlite3_column_int64(row, c_time),
                       .kind = (hrr_entry_kind)sqlite3_column_int(row, c_kind),
                       .text = (const char *)sqlite3_column_text(row, c_text)};
    if (!out->text || !read_digest(link, row, c_link)) return false;
    if (out->kind == HRR_ENTRY_CHARGE) return read_charge(out, row);
    return out->kind == HRR_ENTRY_RELEASE && read_release(out, row);
}

static hrr_status add_charge(hrr_ledger_list *list, size_t *room, const hrr_entry *entry,
                             hrr_error *err)
{
    if (list->n_rows == *room) {
        size_t more = *room ? 2 * *room : 16;
        hrr_ledger_row *rows = hrr_resize(list->rows, more, sizeof *rows);
        if (!rows) return hrr_no_memory(err);
        list->rows = rows;
        *room = more;
    }
    hrr_ledger_row *row = &list->rows[list->n_rows];
    *row = (hrr_ledger_row){.number = entry->number,
                            .time = entry->time,
                            .input = entry->input,
                            .spend = entry->spend,
                            .name = hrr_copy_text(entry->text),
                            .account = hrr_copy_text(entry->account)};
    memcpy(row->request, entry->request, sizeof row->request);
    list->n_rows++; /* the list frees it, whole or not */
    if (!row->name || !row->account) return hrr_no_memory(err);
    return HRR_OK;
}

static hrr_ledger_row *find_row(const hrr_ledger_list *list, uint64_t number)
{
    /* Releases follow their charges closely, so the search begins at the end. */
    for (size_t i = list->n_rows; i-- > 0 && list->rows[i].number >= number;)
        if (list->rows[i].number == number) return &list->rows[i];
    return NULL;
}

static hrr_status add_release(bool *fits, hrr_ledger_list *list, const hrr_entry *entry,
                              hrr_error *err)
{
    hrr_ledger_row *row = find_row(list, entry->charge);
    *fits = row && !row->bundle && !row->in_memory;
    if (!*fits) return HRR_OK;
    row->in_memory = !entry->text[0];
    if (row->in_memory) return HRR_OK;
    row->bundle = hrr_copy_text(entry->text);
    hrr_sha256_text(row->certificate_sha256, entry->certificate);
    return row->bundle ? HRR_OK : hrr_no_memory(err);
}

static hrr_status damaged(const hrr_ledger *ledger, uint64_t number, const char *what,
                          hrr_error *err)
{
    return hrr_fail(err, HRR_EDATA,
                    "%s: the ledger is damaged or was changed: entry %llu %s; restore it from a "
                    "backup, and do not protect the same data again before you know what was spent",
                    ledger->path, (unsigned long long)number, what);
}

/* One row of the table: it must be the next of the chain. */
static hrr_status read_next(hrr_chain *chain, hrr_ledger_list *list, size_t *room,
                            const hrr_ledger *ledger, sqlite3_stmt *row, hrr_error *err)
{
    hrr_entry entry;
    uint8_t link[hrr_sha256_size];
    bool fits = read_entry(&entry, link, row);
    const uint64_t expected = chain->n_entries + 1;
    if (entry.number != expected) return damaged(ledger, expected, "is missing", err);
    if (!fits) return damaged(ledger, expected, "cannot be read", err);
    hrr_status status = next_link(chain->link, &entry, err);
    if (status) return status;
    if (memcmp(chain->link, link, sizeof link) != 0)
        return damaged(ledger, expected, "does not match the hash that was written with it", err);
    chain->n_entries = expected;
    if (entry.kind == HRR_ENTRY_CHARGE) return add_charge(list, room, &entry, err);
    status = add_release(&fits, list, &entry, err);
    return status || fits
               ? status
               : damaged(ledger, expected,
                         "refers to no charge, or to a charge that another release has used", err);
}

static hrr_status read_entries(hrr_chain *chain, hrr_ledger_list *list, hrr_ledger *ledger,
                               hrr_error *err)
{
    sqlite3_stmt *statement = NULL;
    size_t room = 0;
    bool row = true;
    hrr_status status = hrr_ledger_prepare(&statement, ledger,
                                           "SELECT " COLUMNS " FROM entry ORDER BY number", err);
    while (!status && row) {
        status = hrr_ledger_step(&row, ledger, statement, err);
        if (!status && row) status = read_next(chain, list, &room, ledger, statement, err);
    }
    sqlite3_finalize(statement);
    return status;
}

static hrr_status check_end(const hrr_chain *chain, hrr_ledger *ledger, hrr_error *err)
{
    static const char elsewhere[] =
        "%s: the ledger is damaged or was changed: it ends with entry %llu, which is not the last "
        "one that was written; restore it from a backup, and do not protect the same data again "
        "before you know what was spent";
    uint8_t link[hrr_sha256_size], seal[HRR_FINGERPRINT_SIZE], found[HRR_FINGERPRINT_SIZE];
    sqlite3_stmt *statement = NULL;
    bool row = false, fits = false;
    hrr_status status =
        hrr_ledger_prepare(&statement, ledger, "SELECT n_entries, link, seal FROM ledger", err);
    if (!status) status = hrr_ledger_step(&row, ledger, statement, err);
    if (!status && ledger->has_key) status = make_seal(seal, ledger, chain, err);
    if (!status && row)
        fits = sqlite3_column_int64(statement, 0) == (int64_t)chain->n_entries &&
               read_digest(link, statement, 1) && memcmp(link, chain->link, sizeof link) == 0 &&
               (!ledger->has_key ||
                (read_digest(found, statement, 2) && memcmp(found, seal, sizeof seal) == 0));
    sqlite3_finalize(statement);
    if (status || fits) return status;
    return hrr_fail(err, HRR_EDATA, elsewhere, ledger->path, (unsigned long long)chain->n_entries);
}

hrr_status hrr_chain_read(hrr_chain *out, hrr_ledger_list *list, hrr_ledger *ledger, hrr_error *err)
{
    *list = (hrr_ledger_list){0};
    hrr_status status = hrr_chain_begin(out, ledger, err);
    if (!status) status = read_entries(out, list, ledger, err);
    if (!status) status = check_end(out, ledger, err);
    if (status) hrr_ledger_list_clear(list);
    return status;
}

void hrr_ledger_list_clear(hrr_ledger_list *list)
{
    for (size_t i = 0; i < list->n_rows; i++) {
        hrr_free(list->rows[i].name);
        hrr_free(list->rows[i].account);
        hrr_free(list->rows[i].bundle);
    }
    hrr_free(list->rows);
    *list = (hrr_ledger_list){0};
}

/* ---- writing -------------------------------------------------------------------------------- */

/* SQLite's codes, or-ed: 0 if every value was bound. It counts parameters from 1. */
static int bind_digest(sqlite3_stmt *to, int parameter, const uint8_t digest[hrr_sha256_size])
{
    return sqlite3_bind_blob(to, parameter, digest, hrr_sha256_size, SQLITE_STATIC);
}

static int bind_charge(sqlite3_stmt *to, const hrr_entry *entry)
{
    const hrr_fingerprint *input = &entry->input;
    int bad = 0;
    bad |= sqlite3_bind_text(to, 1 + c_account, entry->account, -1, SQLITE_STATIC);
    bad |= bind_digest(to, 1 + c_graph, input->graph);
    bad |= bind_digest(to, 1 + c_features, input->features);
    bad |= bind_digest(to, 1 + c_clipped, input->clipped);
    bad |= bind_digest(to, 1 + c_edges, input->edges);
    bad |= bind_digest(to, 1 + c_pairs, input->pairs);
    bad |= bind_digest(to, 1 + c_labels, input->labels);
    bad |= bind_digest(to, 1 + c_request, entry->request);
    bad |= sqlite3_bind_int64(to, 1 + c_eps_features, (sqlite3_int64)entry->spend.features_nano);
    bad |= sqlite3_bind_int64(to, 1 + c_eps_edges, (sqlite3_int64)entry->spend.edges_nano);
    bad |= sqlite3_bind_int64(to, 1 + c_eps_labels, (sqlite3_int64)entry->spend.labels_nano);
    bad |= sqlite3_bind_double(to, 1 + c_delta, entry->spend.delta);
    bad |= sqlite3_bind_int(to, 1 + c_unbounded, entry->spend.unbounded);
    return bad;
}

static hrr_status insert(hrr_ledger *ledger, const hrr_entry *entry,
                         const uint8_t link[hrr_sha256_size], hrr_error *err)
{
    sqlite3_stmt *to = NULL;
    bool row;
    hrr_status status = hrr_ledger_prepare(&to, ledger,
                                           "INSERT INTO entry (" COLUMNS ") VALUES "
                                           "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                                           err);
    if (status) return status;
    int bad = sqlite3_bind_int64(to, 1 + c_number, (sqlite3_int64)entry->number);
    bad |= sqlite3_bind_int64(to, 1 + c_time, entry->time);
    bad |= sqlite3_bind_int(to, 1 + c_kind, (int)entry->kind);
    bad |= sqlite3_bind_text(to, 1 + c_text, entry->text, -1, SQLITE_STATIC);
    if (entry->kind == HRR_ENTRY_CHARGE) {
        bad |= bind_charge(to, entry);
    } else {
        bad |= sqlite3_bind_int64(to, 1 + c_charge, (sqlite3_int64)entry->charge);
        bad |= bind_digest(to, 1 + c_certificate, entry->certificate);
    }
    bad |= bind_digest(to, 1 + c_link, link);
    status = bad ? hrr_ledger_sql_fail(ledger, err) : hrr_ledger_step(&row, ledger, to, err);
    sqlite3_finalize(to);
    return status;
}

hrr_status hrr_chain_set_end(hrr_ledger *ledger, const hrr_chain *chain, hrr_error *err)
{
    uint8_t seal[HRR_FINGERPRINT_SIZE];
    sqlite3_stmt *to = NULL;
    bool row;
    hrr_status status = HRR_OK;
    if (ledger->has_key) status = make_seal(seal, ledger, chain, err);
    if (!status)
        status = hrr_ledger_prepare(&to, ledger,
                                    "UPDATE ledger SET n_entries = ?, link = ?, seal = ?", err);
    if (status) return status;
    int bad = sqlite3_bind_int64(to, 1, (sqlite3_int64)chain->n_entries);
    bad |= bind_digest(to, 2, chain->link);
    if (ledger->has_key) bad |= bind_digest(to, 3, seal);
    status = bad ? hrr_ledger_sql_fail(ledger, err) : hrr_ledger_step(&row, ledger, to, err);
    sqlite3_finalize(to);
    return status;
}

hrr_status hrr_chain_append(hrr_chain *chain, hrr_entry *entry, hrr_ledger *ledger, hrr_error *err)
{
    entry->number = chain->n_entries + 1;
    hrr_status status = next_link(chain->link, entry, err);
    if (status) return status;
    chain->n_entries = entry->number;
    status = insert(ledger, entry, chain->link, err);
    if (!status) status = hrr_chain_set_end(ledger, chain, err);
    return status;
}
