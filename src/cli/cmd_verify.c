/* cmd_verify.c: heterorr verify: is a bundle what its certificate says? */
#include "cli/fields.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/verb.h"

#include <heterorr/release.h>

#include <string.h>

typedef struct verify_args {
    cli_common common;
    const char *bundle, *signer;
} verify_args;

static const cli_option operands[] = {
    {.argument = "BUNDLE",
     .kind = CLI_DIRECTORY,
     .required = true,
     .at = offsetof(verify_args, bundle),
     .help = "the directory written by protect"},
    {0},
};

static const cli_option options[] = {
    {.name = "signer",
     .kind = CLI_PATH,
     .argument = "PUB",
     .at = offsetof(verify_args, signer),
     .help = "check the signature with this public key, which you must have from the issuer and "
             "not from the bundle; the bundle is refused unless this key signed it"},
    {0},
};

static const cli_option_set sets[] = {
    {"Signature", options, 0},
    {"Options", cli_common_options, offsetof(verify_args, common)},
    {0},
};

static const cli_example examples[] = {
    {"heterorr verify released", "Check every file and the guarantee of a bundle."},
    {"heterorr verify released --signer hospital.pub", "Also check who signed it."},
    {"heterorr verify released --json",
     "The same for a script; the exit code is 5 if a check fails."},
    {0},
};

/* What is known of the signature. */
typedef struct signature {
    bool there;
    const hrr_signer *by; /* NULL: it was not checked */
    const char *path;     /* of that key */
} signature;

/* A bundle that is whole may still be NOT PRIVATE: whoever receives it reads that here. */
static hrr_status say_promise(const char *bundle, const signature *found, cli_task *task,
                              hrr_error *err)
{
    hrr_terms *promise = NULL;
    hrr_status status = hrr_terms_read(&promise, bundle, err);
    if (!status && task->json) {
        task->result = json_pack(
            "{s:b, s:o, s:b, s:s, s:s, s:b, s:o}", "whole", true, "bundle", cli_json_text(bundle),
            "private", hrr_terms_are_private(promise), "badge", hrr_terms_badge(promise),
            "statement", hrr_terms_statement(promise), "signed", found->there, "signer",
            cli_json_text(found->by ? hrr_signer_fingerprint(found->by) : NULL));
        if (!task->result) status = hrr_fail(err, HRR_ENOMEM, "out of memory");
    } else if (!status) {
        if (hrr_terms_are_private(promise)) printf("%s\n", hrr_terms_badge(promise));
        printf("%s\nThe bundle matches its certificate; CERTIFICATE.txt explains the guarantee.\n",
               hrr_terms_statement(promise));
        if (found->by)
            printf("Its certificate was signed with the key %s (%s).\n",
                   hrr_signer_fingerprint(found->by), found->path);
        else if (found->there)
            printf("There is a signature, but it was not checked: give the public key of the "
                   "issuer (--signer PUB).\n");
    }
    hrr_terms_free(promise);
    return status;
}

/* What a mechanism says of recorded parameters names its options, which this verb has none of. */
static void translate(hrr_findings *findings)
{
    char told[HRR_FINDING_SIZE];
    for (int i = 0; i < findings->count && i < HRR_MOST_FINDINGS; i++) {
        cli_in_users_words(told, sizeof told, findings->text[i]);
        memcpy(findings->text[i], told, sizeof told);
    }
}

/* They are what was asked for; the error itself names the first alone. */
static void print_findings(const hrr_findings *findings)
{
    for (int i = 0; i < findings->count && i < HRR_MOST_FINDINGS; i++)
        printf("%s\n", findings->text[i]);
    if (findings->count > HRR_MOST_FINDINGS)
        printf("and %d more\n", findings->count - HRR_MOST_FINDINGS);
}

static hrr_status run(const void *args, cli_task *task, hrr_error *err)
{
    const verify_args *a = args;
    hrr_findings findings;
    hrr_signer *signer = NULL;
    signature found = {.path = a->signer};
    hrr_status status = a->signer ? hrr_signer_read(&signer, a->signer, err) : HRR_OK;
    if (status == HRR_EDATA) cli_add_advice(err, " (heterorr keys new makes a pair)");
    if (!status) status = hrr_verify_bundle(&findings, a->bundle, task->progress, err);
    if (!status) status = hrr_verify_signature(&findings, &found.there, a->bundle, signer, err);
    if (status) goto done;
    cli_progress_erase();
    translate(&findings);
    found.by = signer;
    if (findings.count > 0) {
        if (!task->json) print_findings(&findings);
        status = hrr_fail(err, HRR_ECHECK, "%s: do not rely on this bundle: %s%s", a->bundle,
                          findings.text[0], findings.count > 1 ? " (and more)" : "");
    } else {
        status = say_promise(a->bundle, &found, task, err);
    }
done:
    hrr_signer_free(signer);
    return status;
}

const cli_verb cli_verb_verify = {
    .name = "verify",
    .summary = "check a bundle against its certificate",
    .description =
        "Hashes every file of a bundle and compares it with the certificate, derives the guarantee "
        "again from the recorded parameters with the epsilons that the mechanisms compute for "
        "them, and reads the graph. The exit code is 5 if anything differs from the certificate, "
        "and the reasons are printed. Only a signature shows whether a bundle and its certificate "
        "were forged together: give the public key of the issuer.",
    .examples = examples,
    .operands = operands,
    .sets = sets,
    .args_size = sizeof(verify_args),
    .run = run,
};
