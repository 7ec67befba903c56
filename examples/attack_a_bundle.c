/* attack_a_bundle.c: what a model of a release tells about private edges, found out by their owner.
 *
 *     cc attack_a_bundle.c $(pkg-config --cflags --libs heterorr) -o attack_a_bundle
 *     ./attack_a_bundle released graph
 *
 * The model sees the release alone; the original says which edges there were, to score the attack.
 */
#include <heterorr/heterorr.h>

#include <stdio.h>

int main(int count, char **words)
{
    hrr_release *release = NULL;
    hrr_graph *truth = NULL;
    hrr_model *model = NULL;
    hrr_train_options training;
    hrr_linkteller_options options;
    hrr_linkteller_result found;
    hrr_error err = {0};
    if (count != 3) {
        fprintf(stderr, "usage: attack_a_bundle BUNDLE ORIGINAL\n");
        return 2;
    }
    hrr_train_options_init(&training);
    hrr_linkteller_options_init(&options);
    hrr_status status = hrr_release_open(&release, words[1], NULL, NULL, &err);
    if (!status) status = hrr_graph_read(&truth, words[2], NULL, NULL, &err);
    if (!status) status = hrr_model_train(&model, NULL, release, &training, NULL, &err);
    if (!status) status = hrr_linkteller(&found, NULL, model, release, truth, &options, NULL, &err);
    if (status)
        fprintf(stderr, "%s\n", err.message);
    else
        printf("AUC %.3f, of a guess from public data %.3f: %s\n", found.mean.auc,
               found.verdict.alone.public_auc, hrr_leak_name(found.verdict.verdict));
    hrr_model_free(model);
    hrr_graph_free(truth);
    hrr_release_free(release);
    return status ? 1 : 0;
}
