/* cmd_keys.c: heterorr keys: make a pair of keys to sign certificates and to check them with. */
#include "cli/json.h"
#include "cli/verb.h"

#include <heterorr/certificate.h>

#include <stdlib.h>

typedef struct keys_args {
    cli_common common;
    const char *action, *name;
} keys_args;

static const char *const *actions(void)
{
    static const char *const names[] = {"new", NULL};
    return names;
}

static void init(void *args)
{
    ((keys_args *)args)->name = "heterorr";
}

static const cli_option operands[] = {
    {.argument = "ACTION",
     .kind = CLI_CHOICE,
     .choices = actions,
     .required = true,
     .at = offsetof(keys_args, action),
     .help = "new: make a pair"},
    {0},
};

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CLI_PATH,
     .argument = "NAME",
     .at = offsetof(keys_args, name),
     .help = "the files are NAME.key, which you keep secret, and NAME.pub, which you give to "
             "receivers"},
    {0},
};

static const cli_option_set sets[] = {
    {"Keys", options, 0},
    {"Options", cli_common_options, offsetof(keys_args, common)},
    {0},
};

static const cli_example examples[] = {
    {"heterorr keys new -o hospital", "Makes hospital.key and hospital.pub."},
    {"heterorr protect graph -o bundle --eps-features 2 --sign hospital.key", "A signed release."},
    {"How the receiver checks it.", "How its receiver checks it."},
    {0},
};

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const keys_args *a = args;
    char fingerprint[HRR_KEY_TEXT_SIZE];
    char *private_path = NULL, *public_path = NULL;
    hrr_status status = HRR_OK;
    if (asprintf(&private_path, "%s.key", a->name) < 0) private_path = NULL;
    if (asprintf(&public_path, "%s.pub", a->name) < 0) public_path = NULL;
    if (!private_path || !public_path) status = hrr_fail(err, HRR_ENOMEM, "out of memory");
    if (!status) status = hrr_signing_key_make(fingerprint, private_path, public_path, err);
    if (!status && task->json) {
        task->result = json_pack("{s:o, s:o, s:s}", "private_key", cli_json_text(private_path),
                                 "public_key", cli_json_text(public_path), "key", fingerprint);
        if (!task->result) status = hrr_fail(err, HRR_ENOMEM, "out of memory");
    } else if (!status) {
        printf("%s   signs; keep it secret, and keep a backup: it has no passphrase\n%s   checks; "
               "give it to the receivers of your releases\nkey %s\n",
               private_path, public_path, fingerprint);
    }
    free(private_path);
    free(public_path);
    return status;
}

const cli_verb cli_verb_keys = {
    .name = "keys",
    .summary = "make keys for signing certificates",
    .description =
        "Makes a pair of Ed25519 keys in PEM files, which openssl also reads. protect --sign takes "
        "the private key, verify --signer the public key. Existing files are never replaced, and "
        "keys with a passphrase are not supported. Receivers of a bundle must get the public key, "
        "or its fingerprint, through another channel than the bundle.",
    .examples = examples,
    .operands = operands,
    .sets = sets,
    .args_size = sizeof(keys_args),
    .init = init,
    .run = run,
};
