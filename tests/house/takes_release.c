/* takes_release.c: one call of whatever learns from released data, predicts on it or attacks it.
 * test_types.py compiles it with CONSUMER naming one of them and GIVEN naming what it is handed. */
#include <heterorr/heterorr.h>

#include "attack/influence.h"
#include "attack/local_service.h"

#define NONE NULL, NULL /* progress, err */
#define hrr_model_train_(given) hrr_model_train(&model, NULL, given, &training, NONE)
#define hrr_model_predict_(given) hrr_model_predict(&out, model, given, &predicting, NONE)
#define hrr_linkteller_(given) hrr_linkteller(&found, NULL, model, given, truth, &attacking, NONE)
#define hrr_links_(given)                                                                          \
    hrr_links(&quality, &quality, &verdict, &n, model, given, truth, &attacking, NONE)
#define hrr_membership_(given) hrr_membership(&members, model, given, &predicting, NONE)
#define hrr_local_service_new_(given) hrr_local_service_new(&local, model, given, &serving, NONE)
#define hrr_influence_exact_(given)                                                                \
    hrr_influence_exact(&out, model, given, &node, 1, false, 1, NONE)

hrr_model *model;
hrr_dense out;
hrr_train_options training;
hrr_predict_options predicting;
hrr_linkteller_options attacking;
hrr_serve_options serving;
hrr_linkteller_result found;
hrr_membership_result members;
hrr_local_service *local;
hrr_link_quality quality;
hrr_link_verdict verdict;
const hrr_graph *truth;
uint32_t node;
uint64_t n;

hrr_status consume(GIVEN *given);
hrr_status consume(GIVEN *given)
{
    return CONSUMER(given);
}
