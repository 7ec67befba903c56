/* reply.c: see reply.h. Inferences are written as they are computed, without a tree between: most
 * answers are a few numbers, and should cost no more than that. */
#include "serve/reply.h"
#include "serve/decimal.h"
#include "serve/real_digits.h"

#include <endian.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char as_json[] = "application/json";

void hrr_text_json(hrr_text *text, const char *words, bool ascii)
{
    hrr_text_put_bytes(text, "\"", 1);
    for (const char *at = words; *at; at++) {
        const unsigned char c = (unsigned char)*at;
        if (c == '"' || c == '\\')
            hrr_text_printf(text, "\\%c", c);
        else if (c < 0x20)
            hrr_text_printf(text, "\\u%04x", c);
        else if (c >= 0x7f && ascii)
            hrr_text_put_bytes(text, "?", 1);
        else
            hrr_text_put_bytes(text, at, 1);
    }
    hrr_text_put_bytes(text, "\"", 1);
}

void hrr_reply_error(hrr_reply *out, unsigned status, const char *message)
{
    hrr_text_clear(&out->body);
    out->status = status;
    out->type = as_json;
    out->json_size = 0;
    hrr_text_put(&out->body, "{\"error\":");
    hrr_text_json(&out->body, message, true);
    hrr_text_put(&out->body, "}\n");
    if (out->body.failed) hrr_text_clear(&out->body);
}

void hrr_reply_failure(hrr_reply *out, const hrr_error *err)
{
    const bool asked_wrong = err->status == HRR_EINVAL || err->status == HRR_EDATA;
    hrr_reply_error(out, asked_wrong ? 400 : 503, err->message);
}

static void check_memory(hrr_reply *out)
{
    if (out->body.failed) hrr_reply_error(out, 503, "out of memory");
}

void hrr_reply_json(hrr_reply *out, unsigned status, json_t *json)
{
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    json_decref(json);
    out->status = status;
    out->type = as_json;
    if (text) {
        hrr_text_put(&out->body, text);
        hrr_text_put(&out->body, "\n");
        check_memory(out);
    } else {
        hrr_reply_error(out, 503, "out of memory");
    }
    free(text);
}

void hrr_reply_text(hrr_reply *out, const char *type, const char *text)
{
    out->status = 200;
    out->type = type;
    hrr_text_put(&out->body, text);
    check_memory(out);
}

/* ---- inferences ------------------------------------------------------------------------------ */

/* Where an answer's numbers are: in rows of its own, or in those of the nodes in the table. */
typedef struct answer {
    const hrr_served *served;
    const hrr_asking *asking;
    const double *rows; /* NULL: the table's */
    uint64_t n, n_classes;
} answer;

static const double *row_of(const answer *a, uint64_t i)
{
    return a->rows ? a->rows + i * a->n_classes
                   : (const double *)a->served->table.data + a->asking->nodes[i] * a->n_classes;
}

static char *write_decimal(char *to, uint32_t value)
{
    if (value < 10) {
        *to = (char)('0' + value);
        return to + 1;
    }
    char digits[2 * HRR_EIGHT_DIGITS];
    hrr_eight_digits(digits, value / 100000000);
    hrr_eight_digits(digits + HRR_EIGHT_DIGITS, value % 100000000);
    const char *first = digits;
    while (*first == '0')
        first++;
    const size_t n = (size_t)(digits + sizeof digits - first);
    memcpy(to, first, n);
    return to + n;
}

static char *write_little(char *to, uint64_t bits)
{
    const uint64_t little = htole64(bits);
    memcpy(to, &little, sizeof little);
    return to + sizeof little;
}

static void put_labels(hrr_text *text, const answer *a, bool binary)
{
    enum { most_digits = 11 }; /* with a comma */
    char *const start = hrr_text_room(text, a->n * most_digits), *at = start;
    const uint32_t *known = a->asking->computed ? NULL : a->served->labels;
    if (!start) return;
    for (uint64_t i = 0; i < a->n; i++) {
        const uint32_t label =
            known ? known[a->asking->nodes[i]] : hrr_largest(row_of(a, i), a->n_classes);
        if (binary) {
            at = write_little(at, label);
        } else {
            if (i) *at++ = ',';
            at = write_decimal(at, label);
        }
    }
    hrr_text_added(text, (size_t)(at - start));
}

/* 0 or 1 for each of several labels. */
static void put_indicators(hrr_text *text, const answer *a, bool binary)
{
    for (uint64_t i = 0; i < a->n; i++)
        for (uint64_t c = 0; c < a->n_classes; c++) {
            const bool has = row_of(a, i)[c] > 0;
            if (binary)
                hrr_text_put_bytes(text, has ? "\1" : "\0", 1);
            else
                hrr_text_put(text, has ? i + c ? ",1" : "1" : i + c ? ",0" : "0");
        }
}

/* 17 digits are read as the same number again; one that was rounded needs no more than 15. */
static void put_reals(hrr_text *text, const answer *a, bool binary)
{
    const int most = a->served->returns == HRR_RETURNS_ROUNDED ? 15 : 17;
    for (uint64_t i = 0; i < a->n; i++) {
        const double *row = row_of(a, i);
        char *const start = hrr_text_room(text, a->n_classes * (HRR_REAL_DIGITS + 1)), *at = start;
        if (!start) return;
        for (uint64_t c = 0; c < a->n_classes; c++) {
            uint64_t bits;
            memcpy(&bits, &row[c], sizeof bits);
            if (!binary && i + c) *at++ = ',';
            at = binary ? write_little(at, bits) : at + hrr_real_digits(at, row[c], most);
        }
        hrr_text_added(text, (size_t)(at - start));
    }
}

static void put_data(hrr_text *text, hrr_served_output output, const answer *a, bool binary)
{
    if (output != HRR_SERVED_LABELS)
        put_reals(text, a, binary);
    else if (hrr_served_is_multilabel(a->served))
        put_indicators(text, a, binary);
    else
        put_labels(text, a, binary);
}

static void put_output(hrr_reply *out, hrr_text *binary, hrr_served_output output, const answer *a)
{
    const bool one = output == HRR_SERVED_LABELS && !hrr_served_is_multilabel(a->served);
    const char *type = one ? "INT64" : output == HRR_SERVED_LABELS ? "UINT8" : "FP64";
    hrr_text_printf(&out->body, "{\"name\":\"%s\",\"datatype\":\"%s\",\"shape\":[%" PRIu64,
                    hrr_served_output_name(output), type, a->n);
    if (!one) hrr_text_printf(&out->body, ",%" PRIu64, a->n_classes);
    if (a->asking->binary[output]) {
        const size_t before = binary->size;
        put_data(binary, output, a, true);
        hrr_text_printf(&out->body, "],\"parameters\":{\"binary_data_size\":%zu}}",
                        binary->size - before);
        return;
    }
    hrr_text_put(&out->body, "],\"data\":[");
    put_data(&out->body, output, a, false);
    hrr_text_put(&out->body, "]}");
}

void hrr_reply_inference(hrr_reply *out, const hrr_served *served, const hrr_asking *asking,
                         const char *id, double *logits)
{
    /* Probabilities take the place of the logits: they come last. */
    static const hrr_served_output order[] = {HRR_SERVED_LABELS, HRR_SERVED_LOGITS,
                                              HRR_SERVED_PROBABILITIES};
    const answer a = {.served = served,
                      .asking = asking,
                      .rows = logits,
                      .n = asking->n_asked,
                      .n_classes = hrr_served_n_classes(served)};
    hrr_text binary = {0};
    bool first = true;
    out->status = 200;
    out->type = as_json;
    hrr_text_printf(&out->body, "{\"model_name\":\"%s\",\"model_version\":\"1\"", served->name);
    if (id[0]) {
        hrr_text_put(&out->body, ",\"id\":");
        hrr_text_json(&out->body, id, false);
    }
    hrr_text_put(&out->body, ",\"outputs\":[");
    for (size_t k = 0; k < sizeof order / sizeof order[0]; k++) {
        if (!asking->wanted[order[k]]) continue;
        if (!first) hrr_text_put_bytes(&out->body, ",", 1);
        first = false;
        if (order[k] == HRR_SERVED_PROBABILITIES && logits)
            hrr_served_to_probabilities(logits, served, a.n);
        put_output(out, &binary, order[k], &a);
    }
    hrr_text_put(&out->body, "]}");
    if (binary.size) {
        out->type = "application/octet-stream";
        out->json_size = out->body.size;
        hrr_text_put_bytes(&out->body, binary.bytes, binary.size);
    }
    out->body.failed = out->body.failed || binary.failed;
    hrr_text_clear(&binary);
    check_memory(out);
}
