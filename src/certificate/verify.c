/* verify.c: is a bundle what its certificate says?
 *
 * From the outside in: the certificate can be read; every file is the one it names; what it
 * promises follows from the parameters it records; the graph is a graph, of the sizes it states.
 * Each finding stands for itself, so that a reader sees all that is wrong at once. */
#include "certificate/verify.h"
#include "certificate/file.h"
#include "certificate/page.h"
#include "base/memory.h"
#include "base/paths.h"

#include <heterorr/io.h>

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

void hrr_find(hrr_findings *findings, const char *format, ...)
{
    char text[HRR_FINDING_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (char *at = text; *at; at++)
        if (iscntrl((unsigned char)*at)) *at = '?';
    for (int i = 0; i < findings->count && i < HRR_MOST_FINDINGS; i++)
        if (strcmp(findings->text[i], text) == 0) return;
    if (findings->count < HRR_MOST_FINDINGS)
        memcpy(findings->text[findings->count], text, sizeof text);
    findings->count++;
}

/* ---- the certificate ------------------------------------------------------------------------ */

/* NULL with a finding if it cannot be read or is none that we know. */
static hrr_status load(json_t **out, hrr_findings *findings, const char *bundle, hrr_error *err)
{
    json_error_t wrong;
    hrr_error why = {0};
    bool plain = true;
    hrr_status status = hrr_certificate_load(out, &wrong, bundle, err);
    if (status) return status;
    if (*out) status = hrr_certificate_is_plain(&plain, *out, bundle, err);
    if (!*out) hrr_find(findings, "certificate.json cannot be read: %.200s", wrong.text);
    if (!plain) hrr_find(findings, "certificate.json is not in the form that heterorr writes");
    if (*out && !hrr_certificate_is_known(*out, &why)) {
        hrr_find(findings, "%s", why.message);
        json_decref(*out);
        *out = NULL;
    }
    return status;
}

/* ---- CERTIFICATE.txt ------------------------------------------------------------------------ */

/* The line in which the page is first another than it would have to be. */
static void find_line(hrr_findings *findings, const char *page, const char *expected)
{
    int number = 1;
    const char *line = expected;
    for (size_t i = 0; expected[i] && page[i] == expected[i]; i++)
        if (page[i] == '\n') {
            number++;
            line = &expected[i + 1];
        }
    if (*line)
        hrr_find(findings,
                 "CERTIFICATE.txt does not match certificate.json: line %d should be \"%.*s\"",
                 number, (int)strcspn(line, "\n"), line);
    else
        hrr_find(
            findings,
            "CERTIFICATE.txt has more text than certificate.json accounts for, from line %d on",
            number);
}

/* What certificate.json says to programs, CERTIFICATE.txt says to people: all of it, in the words
 * that it is written in, and nothing else. */
static hrr_status check_page(hrr_findings *findings, const json_t *certificate, const char *bundle,
                             hrr_error *err)
{
    char *path = hrr_path_join(bundle, "CERTIFICATE.txt"), *expected = NULL;
    if (path) (void)hrr_certificate_page(&expected, certificate, err);
    const size_t length = expected ? strlen(expected) : 0;
    /* One byte more than there should be is enough to see. */
    char *page = expected ? hrr_alloc_zero(length + 2, 1) : NULL;
    FILE *file = page ? fopen(path, "rb") : NULL;
    if (file) {
        const size_t size = fread(page, 1, length + 1, file);
        if (size != length || memcmp(page, expected, length) != 0)
            find_line(findings, page, expected);
        fclose(file);
    }
    const hrr_status status = page ? HRR_OK : hrr_no_memory(err);
    hrr_free(path);
    hrr_free(expected);
    hrr_free(page);
    return status;
}

/* ---- the graph ------------------------------------------------------------------------------ */

static json_int_t recorded(const json_t *certificate, const char *object, const char *name)
{
    return json_integer_value(json_object_get(json_object_get(certificate, object), name));
}

static void compare_size(hrr_findings *findings, const char *what, uint64_t found,
                         json_int_t certified)
{
    if (certified < 0 || found != (uint64_t)certified)
        hrr_find(findings, "the bundle has %llu %s, but the certificate says %lld",
                 (unsigned long long)found, what, (long long)certified);
}

static hrr_status check_graph(hrr_findings *findings, const json_t *certificate, const char *bundle,
                              hrr_progress *progress, hrr_error *err)
{
    hrr_graph *graph;
    hrr_read_options options;
    hrr_error wrong = {0};
    hrr_read_options_init(&options);
    options.format = "native";
    hrr_status status = hrr_graph_read(&graph, bundle, &options, progress, &wrong);
    if (status == HRR_ENOMEM || status == HRR_ECANCEL)
        return hrr_fail(err, status, "%s", wrong.message);
    if (status) {
        hrr_find(findings, "the graph cannot be read: %.300s", wrong.message);
        return HRR_OK;
    }
    const hrr_dense *features = hrr_graph_features(graph);
    compare_size(findings, "nodes", hrr_graph_n_nodes(graph),
                 recorded(certificate, "input", "nodes"));
    compare_size(findings, "edges", hrr_graph_n_edges(graph),
                 recorded(certificate, "edges", "edges"));
    compare_size(findings, "features", features ? features->cols : 0,
                 recorded(certificate, "features", "n_features"));
    if (json_object_get(json_object_get(certificate, "labels"), "classes"))
        compare_size(findings, "classes", hrr_graph_n_classes(graph),
                     recorded(certificate, "labels", "classes"));
    status = hrr_verify_reports(findings, certificate, features, err);
    if (hrr_graph_is_private(graph) || hrr_graph_masked_features(graph))
        hrr_find(findings,
                 "the bundle contains private marks or masked features, which a release never has");
    hrr_graph_free(graph);
    return status;
}

/* ---- together ------------------------------------------------------------------------------- */

hrr_status hrr_verify_bundle(hrr_findings *findings, const char *bundle, hrr_progress *progress,
                             hrr_error *err)
{
    struct stat there;
    json_t *certificate = NULL;
    *findings = (hrr_findings){0};
    if (stat(bundle, &there) != 0)
        return hrr_fail(err, HRR_EIO, "%s: cannot be read: %s", bundle, strerror(errno));
    if (!S_ISDIR(there.st_mode))
        return hrr_fail(err, HRR_EIO, "%s: is not a directory, so it is not a bundle", bundle);
    hrr_status status = load(&certificate, findings, bundle, err);
    if (!status && certificate) {
        status = hrr_verify_files(findings, certificate, bundle, progress, err);
        if (!status) status = hrr_verify_signer(findings, certificate, bundle, err);
        if (!status) status = hrr_verify_claims(findings, certificate, err);
        if (!status) status = hrr_verify_features(findings, certificate, err);
        if (!status) status = hrr_verify_edges(findings, certificate, err);
        if (!status) status = check_page(findings, certificate, bundle, err);
        if (!status) status = check_graph(findings, certificate, bundle, progress, err);
        if (!status) status = hrr_verify_counts(findings, certificate, bundle, err);
    }
    json_decref(certificate);
    return status;
}
