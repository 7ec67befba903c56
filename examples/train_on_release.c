/* train_on_release.c: a graph network on a released graph, and how well it does on its test nodes.
 *
 *     cc train_on_release.c $(pkg-config --cflags --libs heterorr) -o train_on_release
 *     ./train_on_release released
 *
 * Learning from a release spends nothing: what the release promises holds for the model. A graph
 * that still has private edges is refused. */
#include <heterorr/heterorr.h>

#include <inttypes.h>
#include <stdio.h>

static void say_loss(void *user, uint32_t epoch, double train_loss, double valid_loss)
{
    (void)user;
    if (epoch % 50 == 0)
        printf("epoch %3" PRIu32 ": loss %.3f in training, %.3f in validation\n", epoch, train_loss,
               valid_loss);
}

int main(int count, char **words)
{
    hrr_graph *graph = NULL;
    hrr_model *network = NULL, *control = NULL;
    hrr_train_summary with_edges, without;
    hrr_train_options options;
    hrr_error err = {0};
    if (count != 2) {
        fprintf(stderr, "usage: train_on_release BUNDLE\n");
        return 2;
    }
    hrr_train_options_init(&options);
    options.n_hidden = 64;
    options.seen = say_loss;

    hrr_status status = hrr_graph_read(&graph, words[1], NULL, NULL, &err);
    if (!status) status = hrr_model_train(&network, &with_edges, graph, &options, NULL, &err);
    options.arch = HRR_ARCH_MLP; /* the control that looks at no edge */
    options.seen = NULL;
    if (!status) status = hrr_model_train(&control, &without, graph, &options, NULL, &err);
    if (status)
        fprintf(stderr, "%s\n", err.message);
    else
        printf("test accuracy %.3f with edges, %.3f without\n", with_edges.parts[HRR_TEST].accuracy,
               without.parts[HRR_TEST].accuracy);
    hrr_model_free(network);
    hrr_model_free(control);
    hrr_graph_free(graph);
    return status ? 1 : 0;
}
