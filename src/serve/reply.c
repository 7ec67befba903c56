/* reply.c: see reply.h. Inferences are written as they are computed, without a tree between: most
 * answers are a few numbers, and should cost no more than that. */
#include "serve/reply.h"
#include "learn/head.h"
#include "serve/real_digits.h"

#include <inttypes.h>
#include <math.h>
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

static void put_integer(hrr_text *text, uint64_t value)
{
    char digits[24];
    char *at = digits + sizeof digits;
    do
        *--at = (char)('0' + value % 10);
    while (value /= 10);
    hrr_text_put_bytes(text, at, (size_t)(digits + sizeof digits - at));
}

static void put_little(hrr_text *text, uint64_t bits, size_t bytes)
{
    uint8_t out[8];
    for (size_t i = 0; i < bytes; i++)
        out[i] = (uint8_t)(bits >> (8 * i));
    hrr_text_put_bytes(text, out, bytes);
}

/* 17 digits are read as the same number again; one that was rounded needs no more than 15. */
static void put_real(hrr_text *text, double value, bool rounded, bool binary)
{
    char digits[HRR_REAL_DIGITS];
    uint64_t bits;
    if (binary) {
        memcpy(&bits, &value, sizeof bits);
        put_little(text, bits, sizeof bits);
        return;
    }
    hrr_text_put_bytes(text, digits, hrr_real_digits(digits, value, rounded ? 15 : 17));
}

/* One label a node, or 0 and 1 for each of several. */
static void put_labels(hrr_text *text, const double *logits, uint64_t n, uint64_t n_classes,
                       bool several, bool binary)
{
    for (uint64_t i = 0; i < n; i++) {
        const double *row = logits + i * n_classes;
        uint64_t best = 0;
        for (uint64_t c = 0; c < n_classes; c++) {
            if (row[c] > row[best]) best = c;
            if (!several) continue;
            if (binary)
                put_little(text, row[c] > 0, 1);
            else
                hrr_text_put(text, row[c] > 0 ? i + c ? ",1" : "1" : i + c ? ",0" : "0");
        }
        if (several) continue;
        if (!binary && i) hrr_text_put_bytes(text, ",", 1);
        if (binary)
            put_little(text, best, 8);
        else
            put_integer(text, best);
    }
}

static void put_reals(hrr_text *text, const double *values, uint64_t n, bool rounded, bool binary)
{
    for (uint64_t i = 0; i < n; i++) {
        if (!binary && i) hrr_text_put_bytes(text, ",", 1);
        put_real(text, values[i], rounded, binary);
    }
}

static void put_data(hrr_text *text, hrr_served_output output, const double *values,
                     const hrr_served *served, uint64_t n, bool binary)
{
    const uint64_t n_classes = hrr_served_n_classes(served);
    if (output == HRR_SERVED_LABELS)
        put_labels(text, values, n, n_classes, hrr_served_is_multilabel(served), binary);
    else
        put_reals(text, values, n * n_classes, served->returns == HRR_RETURNS_ROUNDED, binary);
}

static void put_output(hrr_reply *out, hrr_text *binary, hrr_served_output output,
                       const double *values, const hrr_served *served, const hrr_asking *asking)
{
    const uint64_t n_classes = hrr_served_n_classes(served), n = asking->n_asked;
    const bool one = output == HRR_SERVED_LABELS && !hrr_served_is_multilabel(served);
    const char *type = one ? "INT64" : output == HRR_SERVED_LABELS ? "UINT8" : "FP64";
    hrr_text_printf(&out->body, "{\"name\":\"%s\",\"datatype\":\"%s\",\"shape\":[%" PRIu64,
                    hrr_served_output_name(output), type, n);
    if (!one) hrr_text_printf(&out->body, ",%" PRIu64, n_classes);
    if (asking->binary[output]) {
        const size_t before = binary->size;
        put_data(binary, output, values, served, n, true);
        hrr_text_printf(&out->body, "],\"parameters\":{\"binary_data_size\":%zu}}",
                        binary->size - before);
        return;
    }
    hrr_text_put(&out->body, "],\"data\":[");
    put_data(&out->body, output, values, served, n, false);
    hrr_text_put(&out->body, "]}");
}

static void to_probabilities(double *values, const hrr_served *served, uint64_t n)
{
    const uint32_t n_classes = hrr_served_n_classes(served);
    const double unit = pow(10, served->decimals);
    hrr_output_apply(values, hrr_model_get_shape(served->model)->output, n, n_classes);
    for (uint64_t i = 0; i < n * n_classes && served->returns == HRR_RETURNS_ROUNDED; i++)
        values[i] = round(values[i] * unit) / unit;
}

void hrr_reply_inference(hrr_reply *out, const hrr_served *served, const hrr_asking *asking,
                         const char *id, double *logits)
{
    /* Probabilities take the place of the logits: they come last. */
    static const hrr_served_output order[] = {HRR_SERVED_LABELS, HRR_SERVED_LOGITS,
                                              HRR_SERVED_PROBABILITIES};
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
        if (order[k] == HRR_SERVED_PROBABILITIES) to_probabilities(logits, served, asking->n_asked);
        put_output(out, &binary, order[k], logits, served, asking);
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
