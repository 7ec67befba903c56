/* verify.c: is a bundle what its certificate says?
 *
 * From the outside in: the certificate can be read; every file is the one it names; what it
 * promises follows from the parameters it records; the graph is a graph, of the sizes it states.
 * Each finding stands for itself, so that a reader sees all that is wrong at once. */
#include "certificate/verify.h"
#include "certificate/file.h"
#include "certificate/page.h"
#include "edge/traits.h"
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
    if (!plain) hrr_find(findings, "certificate.json was not written like this by heterorr");
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
                 "CERTIFICATE.txt does not say what certificate.json says: line %d would have to "
                 "be \"%.*s\"",
                 number, (int)strcspn(line, "\n"), line);
    else
        hrr_find(findings, "CERTIFICATE.txt says more than certificate.json says, from line %d on",
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
        hrr_find(findings, "the bundle has %llu %s, and the certificate says %lld",
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
    if (hrr_graph_is_private(graph) || hrr_graph_masked_features(graph))
        hrr_find(findings,
                 "the bundle holds private marks or masked features, which no release has");
    hrr_graph_free(graph);
    return HRR_OK;
}

/* An array of the bundle; *lacks: there is none that can be read. */
static hrr_status read_part(hrr_array *out, bool *lacks, const char *bundle, const char *name,
                            hrr_error *err)
{
    hrr_error wrong = {0};
    char *path = hrr_path_join(bundle, name);
    hrr_status status = path ? hrr_array_read(out, path, &wrong) : hrr_no_memory(&wrong);
    hrr_free(path);
    *lacks |= status != HRR_OK;
    return status == HRR_ENOMEM ? hrr_fail(err, status, "%s", wrong.message) : HRR_OK;
}

static bool is_number_a_node(const hrr_array *array, json_int_t n_nodes)
{
    return array->type == HRR_ARRAY_U32 && array->n_dims == 1 &&
           (json_int_t)array->shape[0] == n_nodes;
}

/* blocks.npy says which of so many blocks each node is in, block_counts.npy has a count for each;
 * need.npy says which end of a pair was to count it. */
static hrr_status check_blocks(hrr_findings *findings, const json_t *certificate,
                               const char *bundle, hrr_error *err)
{
    const json_int_t n_blocks = recorded(certificate, "edges", "blocks");
    const json_int_t n_nodes = recorded(certificate, "input", "nodes");
    const json_t *edges = json_object_get(certificate, "edges");
    if (!hrr_edge_traits(hrr_json_word(edges, "mechanism"))->has_counts) return HRR_OK;
    const bool by_need = json_object_get(edges, "need_is") != NULL;
    const bool opposes = json_object_get(json_object_get(certificate, "files"), "rivals.npy");
    hrr_array blocks = {0}, counts = {0}, need = {0}, rivals = {0};
    bool lacks = false, lacks_need = false, lacks_rivals = false;
    hrr_status status = read_part(&blocks, &lacks, bundle, "blocks.npy", err);
    if (!status) status = read_part(&counts, &lacks, bundle, "block_counts.npy", err);
    if (!status && by_need) status = read_part(&need, &lacks_need, bundle, "need.npy", err);
    if (!status && opposes) status = read_part(&rivals, &lacks_rivals, bundle, "rivals.npy", err);
    bool fits = !lacks && is_number_a_node(&blocks, n_nodes) && counts.n_dims == 2 &&
                (json_int_t)counts.shape[0] == n_nodes && (json_int_t)counts.shape[1] == n_blocks;
    for (uint64_t i = 0; fits && i < blocks.n_items; i++)
        fits = ((const uint32_t *)blocks.data)[i] < n_blocks;
    if (!status && !fits)
        hrr_find(findings, "blocks.npy and block_counts.npy are not %lld nodes in %lld blocks",
                 (long long)n_nodes, (long long)n_blocks);
    if (!status && by_need && (lacks_need || !is_number_a_node(&need, n_nodes)))
        hrr_find(findings, "need.npy is not a number for each of %lld nodes", (long long)n_nodes);
    bool are_rivals = !lacks_rivals && rivals.type == HRR_ARRAY_U32 && rivals.n_dims == 2 &&
                      (json_int_t)rivals.shape[0] == n_nodes && rivals.shape[1] == 2;
    for (uint64_t i = 0; opposes && are_rivals && i < rivals.n_items; i++)
        are_rivals = ((const uint32_t *)rivals.data)[i] < n_blocks;
    /* The second of two rivals has no count of its own, and so no noise: anything there but 0 would
     * have been paid for by nobody. */
    for (uint64_t i = 0; opposes && fits && are_rivals && i < (uint64_t)n_nodes; i++) {
        const uint32_t *pair = (const uint32_t *)rivals.data + 2 * i;
        are_rivals = pair[0] == pair[1] || counts.type != HRR_ARRAY_I64 ||
                     ((const int64_t *)counts.data)[i * (uint64_t)n_blocks + pair[1]] == 0;
    }
    if (!status && opposes && !are_rivals)
        hrr_find(findings,
                 "rivals.npy is not two blocks for each of %lld nodes that share one count",
                 (long long)n_nodes);
    hrr_array_clear(&blocks);
    hrr_array_clear(&counts);
    hrr_array_clear(&need);
    hrr_array_clear(&rivals);
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
        return hrr_fail(err, HRR_EIO, "%s: is not a directory; a bundle is", bundle);
    hrr_status status = load(&certificate, findings, bundle, err);
    if (!status && certificate) {
        status = hrr_verify_files(findings, certificate, bundle, progress, err);
        if (!status) status = hrr_verify_signer(findings, certificate, bundle, err);
        if (!status) status = hrr_verify_claims(findings, certificate, err);
        if (!status) status = hrr_verify_features(findings, certificate, err);
        if (!status) status = hrr_verify_edges(findings, certificate, err);
        if (!status) status = check_page(findings, certificate, bundle, err);
        if (!status) status = check_graph(findings, certificate, bundle, progress, err);
        if (!status) status = check_blocks(findings, certificate, bundle, err);
    }
    json_decref(certificate);
    return status;
}
