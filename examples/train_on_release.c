/* train_on_release.c: a graph network on a released graph, and how well it does on its test nodes.
 *
 *     cc train_on_release.c $(pkg-config --cflags --libs heterorr) -o train_on_release
 *     ./train_on_release released
 *
 * Learning from a release spends nothing: what it promises holds for the model. How features are
 * scaled, what randomised labels need and counts of neighbours come from the release itself. */
#include <heterorr/heterorr.h>

#include <stdio.h>

int main(int count, char **words)
{
    hrr_release *release = NULL;
    hrr_model *network = NULL, *control = NULL;
    hrr_train_summary with_edges, without;
    hrr_train_options options;
    hrr_error err = {0};
    if (count != 2) {
        fprintf(stderr, "usage: train_on_release BUNDLE\n");
        return 2;
    }
    hrr_train_options_init(&options);
    hrr_status status = hrr_release_open(&release, words[1], NULL, NULL, &err);
    if (!status) status = hrr_model_train(&network, &with_edges, release, &options, NULL, &err);
    options.arch = HRR_ARCH_MLP; /* the control that looks at no edge */
    options.ignore_counts = true;
    if (!status) status = hrr_model_train(&control, &without, release, &options, NULL, &err);
    if (status)
        fprintf(stderr, "%s\n", err.message);
    else
        printf("%s\ntest accuracy %.3f with edges, %.3f without\n",
               hrr_model_provenance(network).statement, with_edges.parts[HRR_TEST].accuracy,
               without.parts[HRR_TEST].accuracy);
    hrr_model_free(network);
    hrr_model_free(control);
    hrr_release_free(release);
    return status ? 1 : 0;
}
