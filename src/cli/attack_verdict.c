/* attack_verdict.c: does the model leak? In one sentence, and as JSON. */
#include "cli/attack.h"
#include "cli/json.h"

static bool is_above(const struct hrr_beside_public *figure)
{
    return figure->difference - figure->reach > 0;
}

void cli_attack_verdict_show(const hrr_link_verdict *v)
{
    const struct hrr_beside_public *auc = &v->auc, *top = &v->precision_at_k;
    const bool by_auc = is_above(auc);
    if (v->verdict == HRR_LEAKS && !by_auc)
        printf("It leaks: of as many pairs as there are private edges, %.3f of LinkTeller's are "
               "some, and of those that\npublic knowledge names without the model %.3f (%s): "
               "%+.3f (%.3f).\n",
               top->value, top->public_value, top->guess, top->difference, top->reach);
    else
        printf("%s: LinkTeller's AUC is %.3f, and public knowledge without the model has\n%.3f "
               "(%s): %+.3f (%.3f).%s\n",
               v->verdict == HRR_LEAKS                   ? "It leaks"
               : v->verdict == HRR_LEAK_PUBLIC_KNOWLEDGE ? "It tells no more than is public"
                                                         : "Undecided",
               auc->value, auc->public_value, auc->guess, auc->difference, auc->reach,
               v->verdict == HRR_LEAK_UNDECIDED ? " Take more --runs or --samples." : "");
    printf(
        "In brackets the reach of a 99 %% interval; a leak is seen where there is none in at most "
        "1 %% of cases.\n");
}

json_t *cli_attack_verdict_json(json_t *result, const hrr_link_verdict *v)
{
    const struct hrr_beside_public *auc = &v->auc, *top = &v->precision_at_k;
    json_t *more = json_pack(
        "{s:s, s:f, s:s, s:f, s:f, s:f, s:s, s:f, s:f}", "verdict", hrr_leak_name(v->verdict),
        "public_auc", auc->public_value, "public_auc_guess", auc->guess, "auc_excess",
        auc->difference, "auc_excess_reach", auc->reach, "public_precision_at_k", top->public_value,
        "public_precision_at_k_guess", top->guess, "precision_at_k_excess", top->difference,
        "precision_at_k_excess_reach", top->reach);
    if (result && more && json_object_update(result, more) == 0) {
        json_decref(more);
        return result;
    }
    json_decref(result);
    json_decref(more);
    return NULL;
}
