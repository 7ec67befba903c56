/* attack_verdict.c: does the model leak? In one sentence, and as JSON. */
#include "cli/attack.h"
#include "cli/json.h"

static void show_line(const char *title, const struct hrr_beside_public *figure)
{
    printf("%-22s %.4f, and %.4f without the model (%s): %+.4f (%.4f)\n", title, figure->auc,
           figure->public_auc, figure->guess, figure->difference, figure->half_width);
}

void cli_attack_verdict_show(const hrr_link_verdict *v)
{
    static const char *const sentences[] = {
        [HRR_LEAK_UNDECIDED] = "Undecided: the model may reveal more than public knowledge does; "
                               "use more --runs or --samples",
        [HRR_LEAKS] =
            "The model leaks: it reveals more about private edges than public knowledge does",
        [HRR_LEAK_PUBLIC_KNOWLEDGE] =
            "No leak found: the model reveals no more to LinkTeller than public knowledge does"};
    const bool by_alone = v->alone.difference - v->alone.half_width > 0;
    const struct hrr_beside_public *why =
        v->verdict == HRR_LEAKS && by_alone ? &v->alone : &v->together;
    printf("Comparison with guesses from public edges and features, AUC (half-widths of 99 %% "
           "intervals in brackets):\n");
    show_line("LinkTeller", &v->alone);
    show_line("guess and LinkTeller", &v->together);
    printf("%s (AUC %+.3f, between %+.3f and %+.3f).\n", sentences[v->verdict], why->difference,
           why->difference - why->half_width, why->difference + why->half_width);
}

static json_t *figure_json(const struct hrr_beside_public *figure)
{
    return json_pack("{s:s, s:f, s:f, s:f, s:f}", "guess", figure->guess, "auc", figure->auc,
                     "public_auc", figure->public_auc, "excess", figure->difference,
                     "excess_half_width", figure->half_width);
}

json_t *cli_attack_verdict_json(json_t *result, const hrr_link_verdict *v)
{
    json_t *more = json_pack("{s:s, s:f, s:o, s:o}", "verdict", hrr_leak_name(v->verdict),
                             "public_auc", v->alone.public_auc, "beside_public",
                             figure_json(&v->alone), "with_public", figure_json(&v->together));
    if (result && more && json_object_update(result, more) == 0) {
        json_decref(more);
        return result;
    }
    json_decref(result);
    json_decref(more);
    return NULL;
}
