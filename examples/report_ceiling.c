/* report_ceiling.c: how much a report of a node's features can add to what labels and edges tell
 * for nothing, at eps 1 and 2. Features are not looked at.
 *
 *     cc report_ceiling.c $(pkg-config --cflags --libs heterorr) -o report_ceiling
 *     ./report_ceiling graph 0.1 3          # a tenth of the nodes is labelled, three runs */
#include <heterorr/heterorr.h>

#include <stdio.h>
#include <stdlib.h>

int main(int count, char **words)
{
    static const uint64_t eps[] = {HRR_EPS_UNIT, 2 * HRR_EPS_UNIT};
    hrr_report_advice found[2];
    hrr_graph *graph = NULL, *known = NULL;
    hrr_advise_options options;
    hrr_error err = {.message = "usage: report_ceiling GRAPH LABEL_RATE RUNS"};
    hrr_advise_options_init(&options);
    options.eps_features_nano = eps;
    options.n_eps_features = 2;
    options.label_rate = count == 4 ? atof(words[2]) : 0;
    options.runs = count == 4 ? (uint32_t)atoi(words[3]) : 0;
    const bool failed = count != 4 || hrr_graph_read(&graph, words[1], NULL, NULL, &err) ||
                        hrr_public_view(&known, graph, false, true, &err) ||
                        hrr_advise_reports(found, known, &options, NULL, &err);
    if (failed) puts(err.message);
    for (int i = 0; i < 2 && !failed; i++)
        printf("eps %g: %.1f %% right for nothing, %.1f %% settled, a report reaches %.1f %% at "
               "most\n",
               found[i].eps, 100 * found[i].free_right, 100 * found[i].settled,
               100 * found[i].most_right);
    hrr_graph_free(known);
    hrr_graph_free(graph);
    return failed;
}
