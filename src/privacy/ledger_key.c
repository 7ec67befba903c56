/* ledger_key.c: the key that names secrets, in a file of its own beside the ledger.
 *
 * Apart, so that the ledger can be shown to an auditor: without the key its fingerprints confirm no
 * guess about the data. Who has both files can try guesses, as can whoever has the data. The file
 * is two lines of text, readable by its owner alone, and appears whole or not at all. */
#include "privacy/ledger.h"
#include "base/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/crypto.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

static const char first_line[] = "heterorr ledger key 1\n";
enum {
    first_length = sizeof first_line - 1,
    file_size = first_length + 2 * hrr_ledger_key_size + 1,
};

static int hex_value(char digit)
{
    if (digit >= '0' && digit <= '9') return digit - '0';
    if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
    return -1;
}

static bool parse(uint8_t key[hrr_ledger_key_size], const char *text, ssize_t size)
{
    if (size != file_size || memcmp(text, first_line, first_length) != 0) return false;
    const char *digits = text + first_length;
    for (int i = 0; i < hrr_ledger_key_size; i++) {
        int high = hex_value(digits[2 * i]), low = hex_value(digits[2 * i + 1]);
        if (high < 0 || low < 0) return false;
        key[i] = (uint8_t)(16 * high + low);
    }
    return text[file_size - 1] == '\n';
}

hrr_status hrr_ledger_key_read(uint8_t key[hrr_ledger_key_size], bool *found, const char *path,
                               hrr_error *err)
{
    char text[file_size + 1]; /* one more: a longer file is not ours */
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    *found = fd >= 0;
    if (fd < 0 && errno == ENOENT) return HRR_OK;
    ssize_t size = fd >= 0 ? read(fd, text, sizeof text) : -1;
    int reason = errno;
    if (fd >= 0) close(fd);
    if (size < 0)
        return hrr_fail(err, HRR_EIO, "%s: cannot read the key of the ledger: %s", path,
                        strerror(reason));
    if (parse(key, text, size)) return HRR_OK;
    return hrr_fail(err, HRR_EDATA,
                    "%s: is not the key of a ledger, or is damaged; restore it from a backup. "
                    "Without it, the ledger cannot recognise any input",
                    path);
}

hrr_status hrr_ledger_key_make(uint8_t key[hrr_ledger_key_size], const char *path, hrr_error *err)
{
    /* Up to 256 bytes come whole or not at all. */
    if (getrandom(key, hrr_ledger_key_size, 0) != hrr_ledger_key_size)
        return hrr_fail(err, HRR_EIO,
                        "the operating system provides no entropy for the key of the ledger");
    char digits[HRR_SHA256_TEXT_SIZE], text[file_size + 1];
    hrr_sha256_text(digits, key);
    snprintf(text, sizeof text, "%s%s\n", first_line, digits);

    bool was_there;
    hrr_status status =
        hrr_new_file_put(&was_there, path, text, file_size, "the key of the ledger", err);
    OPENSSL_cleanse(text, sizeof text);
    OPENSSL_cleanse(digits, sizeof digits);
    if (!status && was_there)
        status =
            hrr_fail(err, HRR_EIO,
                     "%s: another process created this file at the same time; try again", path);
    return status;
}
