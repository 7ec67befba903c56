/* file.c: see file.h. */
#include "certificate/file.h"
#include "certificate/fields.h"
#include "certificate/page.h"
#include "base/memory.h"
#include "base/paths.h"
#include "io/json_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char hrr_certificate_name[] = "certificate.json";

const hrr_dir_kind hrr_bundle_directory = {
    .what = "bundle", .file = hrr_certificate_name, .text = "\"statement\""};

hrr_status hrr_certificate_load(json_t **out, json_error_t *wrong, const char *bundle,
                                hrr_error *err)
{
    *out = NULL;
    char *path = hrr_path_join(bundle, hrr_certificate_name);
    if (!path) return hrr_no_memory(err);
    struct stat there;
    if (lstat(path, &there) == 0 && !S_ISREG(there.st_mode)) {
        *wrong = (json_error_t){.text = "it is not a regular file"};
        hrr_free(path);
        return HRR_OK;
    }
    *out = json_load_file(path, JSON_REJECT_DUPLICATES, wrong);
    hrr_free(path);
    if (!*out && json_error_code(wrong) == json_error_out_of_memory) return hrr_no_memory(err);
    return HRR_OK;
}

bool hrr_certificate_is_known(const json_t *certificate, hrr_error *err)
{
    const json_int_t version = json_integer_value(json_object_get(certificate, "format_version"));
    if (strcmp(hrr_json_word(certificate, "format"), "heterorr certificate") != 0)
        hrr_fail(err, HRR_EDATA, "certificate.json is not a heterorr certificate");
    else if (version < HRR_CERTIFICATE_OLDEST || version > HRR_CERTIFICATE_VERSION)
        hrr_fail(err, HRR_EDATA,
                 "certificate.json has version %lld, but this program reads versions %d to %d; use "
                 "the program that made it (%.60s)",
                 (long long)version, HRR_CERTIFICATE_OLDEST, HRR_CERTIFICATE_VERSION,
                 hrr_json_word(certificate, "program"));
    else
        return true;
    return false;
}

bool hrr_certificate_is_since(const json_t *certificate, int version)
{
    return json_integer_value(json_object_get(certificate, "format_version")) >= version;
}

hrr_status hrr_certificate_hash(char sha256[HRR_SHA256_TEXT_SIZE], const char *bundle,
                                hrr_progress *progress, hrr_error *err)
{
    uint64_t size;
    char *path = hrr_path_join(bundle, hrr_certificate_name);
    if (!path) return hrr_no_memory(err);
    hrr_status status = hrr_sha256_file(sha256, &size, path, progress, err);
    hrr_free(path);
    return status;
}

hrr_status hrr_certificate_save(const json_t *certificate, const char *directory, hrr_error *err)
{
    return hrr_json_write(certificate, directory, hrr_certificate_name, err);
}

hrr_status hrr_certificate_is_plain(bool *plain, const json_t *certificate, const char *bundle,
                                    hrr_error *err)
{
    char *path = hrr_path_join(bundle, hrr_certificate_name);
    char *again = path ? json_dumps(certificate, JSON_INDENT(2)) : NULL;
    const size_t length = again ? strlen(again) : 0;
    char *found = again ? hrr_alloc(length + 2, 1) : NULL;
    FILE *file = found ? fopen(path, "rb") : NULL;
    const hrr_status status = found ? HRR_OK : hrr_no_memory(err);
    /* One byte more than there should be is enough to see. */
    *plain = file && fread(found, 1, length + 2, file) == length + 1 &&
             memcmp(found, again, length) == 0 && found[length] == '\n';
    if (file) fclose(file);
    hrr_free(found);
    hrr_free(path);
    free(again); /* jansson's */
    return status;
}

hrr_status hrr_certificate_save_page(const json_t *certificate, const char *directory,
                                     hrr_error *err)
{
    hrr_output *output = NULL;
    char *text = NULL, *path = NULL;
    hrr_status status = hrr_certificate_page(&text, certificate, err);
    if (!status && !(path = hrr_path_join(directory, "CERTIFICATE.txt")))
        status = hrr_no_memory(err);
    if (!status) status = hrr_output_open(&output, path, err);
    if (!status) status = hrr_output_write(output, text, strlen(text), err);
    if (!status) status = hrr_output_commit(output, err);
    hrr_output_free(output);
    hrr_free(path);
    hrr_free(text);
    return status;
}
