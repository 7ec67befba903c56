/* advise_tell.c: see advise.h. */
#include "cli/advise.h"
#include "cli/figures.h"
#include "cli/graph_input.h"
#include "cli/json.h"
#include "cli/message.h"
#include "cli/printed_command.h"
#include "cli/progress.h"
#include "cli/training_table.h"

#include <heterorr/certificate.h>

#include <stdlib.h>
#include <string.h>

/* ---- what to do ------------------------------------------------------------------------------ */

static const hrr_training_mean *edge_choice(const cli_advice *self)
{
    return self->edges.choice < 0 ? NULL : &self->edges.rows[self->edges.choice];
}

static const hrr_training_mean *head_choice(const cli_advice *self)
{
    return self->head.choice < 0 ? NULL : &self->head.rows[self->head.choice];
}

void cli_advice_add_input(cli_command *to, const cli_advise_args *a)
{
    hrr_read_options usual;
    hrr_read_options_init(&usual);
    cli_command_add_operand(to, a->graph);
    cli_command_add_given(to, cli_graph_options, &a->read, &usual);
}

void cli_advice_add_features(cli_command *to, const cli_advice *self, const cli_advise_args *a)
{
    char eps[32];
    if (self->n_features && self->features_are_public) {
        cli_command_add(to, "--feature-mechanism",
                        hrr_feature_mechanism_with(HRR_EFFECT_KEEP)->name, NULL);
    } else if (head_choice(self) && a->head) {
        cli_command_add(to, "--feature-mechanism", head_choice(self)->features, "--eps-features",
                        head_choice(self)->eps_features, NULL);
    } else if (self->feature_choice && !self->head.n_rows) {
        snprintf(eps, sizeof eps, "%.9g", self->feature_choice->eps);
        cli_command_add(to, "--eps-features", eps, NULL); /* the mechanism: what measured best */
    } else if (self->n_features) {
        cli_command_add(to, "--feature-mechanism",
                        hrr_feature_mechanism_with(HRR_EFFECT_LEAVE_OUT)->name, "--propagate", "4",
                        NULL);
    }
}

static void add_protect(cli_command *to, const cli_advice *self, const cli_advise_args *a)
{
    const cli_advise_args nothing = {0};
    const hrr_training_mean *edges = edge_choice(self);
    cli_command_add(to, "protect", NULL);
    cli_advice_add_input(to, a);
    cli_command_add(to, "-o", "BUNDLE", NULL);
    cli_command_add_given(to, cli_advise_passed_on, a, &nothing);
    cli_advice_add_features(to, self, a);
    if (edges)
        cli_command_add(to, "--edge-mechanism", edges->edges, "--eps-edges", edges->eps_edges,
                        NULL);
}

/* "edgerr,edgerr-node": what would have been rehearsed. */
static void list_mechanisms(char *text, size_t size, bool with_counts)
{
    size_t used = 0;
    for (const hrr_edge_mechanism *const *row = hrr_advised_mechanisms(); *row && used < size;
         row++)
        if (with_counts || !(*row)->has_counts)
            used +=
                (size_t)snprintf(text + used, size - used, "%s%s", used ? "," : "", (*row)->name);
}

/* What the owner can look at where the public part tells nothing. */
static void add_compare(cli_command *to, const cli_advice *self, const cli_advise_args *a)
{
    char mechanisms[128];
    const bool trains = self->n_features && self->has_labels;
    cli_command_add(to, "compare", trains ? "learning" : "structure", NULL);
    cli_advice_add_input(to, a);
    list_mechanisms(mechanisms, sizeof mechanisms, trains && !self->is_multilabel);
    cli_command_add(to, "--mechanisms", mechanisms, NULL);
    cli_command_add_option(to, "eps-edges", a->eps_edges);
    if (trains && a->bounds) cli_command_add_option(to, "bounds", a->bounds);
    cli_command_add(to, "-o", "results.csv", NULL);
}

hrr_status cli_advice_try(hrr_error *refusal, const cli_command *command, cli_task *task,
                          hrr_error *err)
{
    const char *words[CLI_MOST_WORDS + 3];
    cli_task dry = {.progress = task->progress, .talk = stderr, .json = true};
    size_t n = 0;
    for (; n < command->n; n++)
        words[n] = command->words[n];
    words[n++] = "--dry-run";
    words[n++] = "--json";
    words[n] = NULL;
    *refusal = (hrr_error){0};
    hrr_status status = cli_dispatch(words, &dry, refusal);
    json_decref(dry.result);
    if (status != HRR_ECANCEL && status != HRR_ENOMEM) return HRR_OK;
    return hrr_fail(err, status, "%s", refusal->message);
}

/* ---- for people ------------------------------------------------------------------------------ */

/* What was measured elsewhere (docs/reproducing.md#private-edges-eight-graphs), by the share of
 * private edges that is publicly known. */
static void print_evidence(const cli_advise_args *a, FILE *to)
{
    static const double most = .75; /* measured at .6 and .9 */
    fprintf(
        to,
        a->private_share > most
            ? "   On other graphs with 90 %% of the edges private, counts (edgerr-node) beat every "
              "free baseline at eps 1 on seven of\n   eight graphs, because there are too few "
              "public edges. They did not where all edges together say little (Twitch RU).\n"
            : "   On other graphs with 60 %% of the edges private, counts (edgerr-node) beat every "
              "free baseline at eps 1 on five of\n   eight graphs: public edges already say most "
              "of it. With fewer private edges, they say even more.\n   (--private-share gives the "
              "share of private edges, as far as it is publicly known.)\n");
}

static void print_blind(const cli_advice *self, const cli_advise_args *a, FILE *to)
{
    char why[160];
    if (self->blind == CLI_ADVICE_NO_LABELS)
        snprintf(
            why, sizeof why,
            "the labels are to be protected (--eps-labels), so nothing may be learned from them");
    else if (self->n_public_edges == 0)
        snprintf(why, sizeof why, "there is no public edge to rehearse with");
    else
        snprintf(why, sizeof why, "%s %s too few to rehearse with",
                 cli_count(self->n_public_edges, "public edge", "public edges").text,
                 hrr_plural(self->n_public_edges, "is", "are"));
    fprintf(to,
            "Edges: public data cannot show which mechanism and budget are worth it: %s.\n-> "
            "rehearse on a similar public graph, if there is one;\n-> or choose the budget by its "
            "guarantee alone (docs/privacy.md), and evaluate the release itself;\n-> or use the "
            "private graph, with the command below. Its output is private, and a choice that "
            "depends\n   on it reveals something about the graph: no budget accounts for that.\n",
            why);
    print_evidence(a, to);
    fputc('\n', to);
}

static void print_edges(const cli_advice *self, const cli_advise_args *a, FILE *to)
{
    const hrr_training_mean *choice = edge_choice(self);
    fprintf(to,
            "Edges: %s of the public edges were hidden as if they were private, and mechanisms "
            "released them again.\nNetworks learned from the labels. If the labels are to be "
            "protected, add --eps-labels E, and do not publish this output.\n",
            cli_percent(a->private_share).text);
    cli_training_print(self->edges.rows, self->edges.n_rows, to);
    if (!choice)
        fprintf(to, "-> leave private edges out: no setting that was tried is shown to be better, "
                    "and this costs nothing\n\n");
    else
        fprintf(to,
                "-> %s with eps %s is the cheapest setting that is shown to be better than leaving "
                "them out\n\n",
                choice->edges, choice->eps_edges);
}

/* What made the reports. */
static const char *rehearsed_mechanism(const cli_advice *self)
{
    size_t i = 0;
    while (i + 1 < self->head.n_rows && !self->head.rows[i].spends)
        i++;
    return self->head.rows[i].features;
}

/* What reports of a head would be worth, at most. */
static void print_head(const cli_advice *self, const cli_advise_args *a, FILE *to)
{
    const hrr_training_mean *choice = head_choice(self);
    const int64_t control = self->head.control;
    char free_reaches[48] = "the same";
    if (control >= 0)
        snprintf(free_reaches, sizeof free_reaches, "%s",
                 cli_percent(self->head.rows[control].mean).text);
    if (!self->head.n_rows) {
        fprintf(to,
                "   At eps 1 and 2, the reports of a public head have paid where labels and edges "
                "say little. The head is trained\n   on other people with the same features: "
                "heterorr head makes one, and advise --head-right P rehearses it\n\n");
        return;
    }
    fprintf(to,
            "A public head that is right for %s of other people (mean over classes): its answers "
            "were drawn from the public labels,\nreported by %s, and used for training. A real "
            "head also errs where neighbours mislead, so this is an upper limit.\n",
            cli_percent(a->head_right).text, rehearsed_mechanism(self));
    cli_training_print(self->head.rows, self->head.n_rows, to);
    if (choice)
        fprintf(to,
                "-> from eps %s on, such a head can say more than labels and public edges, which "
                "cost nothing and reach %s%s\n\n",
                choice->eps_features, free_reaches,
                a->head ? "" : "; name the head with --head for the command");
    else
        fprintf(to,
                "-> spend nothing on features: at these budgets, not even such a head is shown to "
                "say more than labels and\n   public edges, which cost nothing and reach %s\n\n",
                free_reaches);
}

/* Why features can or cannot pay: what labels and public edges leave. */
static void print_what_is_left(const cli_advice *self, const cli_advise_args *a, FILE *to)
{
    if (!self->has_reports) return;
    fprintf(to,
            "Labels (%s of the nodes) and public edges predict %s of the other nodes correctly at "
            "no cost (mean over classes).\n",
            a->label_rate ? a->label_rate : "half", cli_percent(self->reports[0].free_right).text);
    for (size_t i = 0; i < self->n_features_rows; i++) {
        const hrr_report_advice *row = &self->reports[i];
        fprintf(to,
                "   eps %g: labels and public edges already decide the guess for %s of the nodes, "
                "whatever a report says. Over all nodes,\n   reports add at most %.1f points, even "
                "if features determine the class without error%s\n",
                row->eps, cli_percent(row->settled).text, 100 * (row->most_right - row->free_right),
                hrr_report_can_pay(row) ? "."
                                        : ":\n   features cannot pay here, because labels and "
                                          "edges already determine the class.");
    }
}

void cli_advice_print_features(const cli_advice *self, const cli_advise_args *a, FILE *to)
{
    if (!self->n_features) return;
    if (self->features_are_public) {
        fprintf(to,
                "Features: no budget is needed, because they are public or already released.\n\n");
        return;
    }
    fprintf(to,
            "Features: there are %s. For any mechanism without a delta, the released features of a "
            "node determine at most\nthis share of its label. The last columns show the noise of "
            "one feature (multibit, for a range of 1).\n",
            cli_grouped(self->n_features).text);
    fprintf(to, "%8s %16s %12s %24s\n", "eps", "of the label", "noise", "mean over neighbours");
    for (size_t i = 0; i < self->n_features_rows; i++)
        fprintf(to, "%8g %16s %12.3g %24.3g\n", self->features[i].eps,
                cli_percent(self->features[i].information).text, self->features[i].noise,
                self->features[i].noise_averaged);
    print_what_is_left(self, a, to);
    if (self->feature_choice)
        fprintf(to,
                "-> from eps %g on, they may say more than random features; compare with featfree "
                "before you spend it\n",
                self->feature_choice->eps);
    else
        fprintf(to, "-> at these budgets, noise hides even a mean over neighbours. Try random "
                    "features (featfree) first, which cost\n   nothing; fewer features, or "
                    "featurerr-projected with a public sample, need less budget\n");
    if (!self->structural) print_head(self, a, to); /* a head tells of labels */
}

static void print_for_release(const cli_advice *self, const cli_advise_args *a, FILE *to)
{
    const hrr_training_mean *choice = edge_choice(self);
    if (choice)
        fprintf(
            to,
            "Protect the graph that %s was made from, with --edge-mechanism %s --eps-edges %s\n",
            a->graph, choice->edges, choice->eps_edges);
    else
        fprintf(to, "There is no reason for another release of the graph that %s was made from\n",
                a->graph);
}

/* ---- for scripts ----------------------------------------------------------------------------- */

json_t *cli_advice_features_json(const cli_advice *self)
{
    json_t *list = json_array();
    for (size_t i = 0; i < self->n_features_rows; i++) {
        json_t *row =
            json_pack("{s:f, s:o, s:f, s:f}", "eps", self->features[i].eps, "information",
                      cli_json_real(self->features[i].information), "noise",
                      self->features[i].noise, "noise_averaged", self->features[i].noise_averaged);
        if (self->has_reports && row)
            json_object_update_new(
                row, json_pack("{s:f, s:f, s:f, s:b}", "free_right", self->reports[i].free_right,
                               "settled", self->reports[i].settled, "most_right",
                               self->reports[i].most_right, "can_pay", cli_advice_leaves(self, i)));
        json_array_append_new(list, row);
    }
    return list;
}

/* A command that is not UTF-8 has no place in JSON; half of one would be wrong. */
static json_t *command_json(const char *command)
{
    json_t *text = command ? json_string(command) : NULL;
    return text ? text : json_null();
}

static json_t *advice_json(const cli_advice *self, const char *metric, const char *command,
                           const hrr_error *refusal)
{
    static const char *const reasons[] = {[CLI_ADVICE_NO_LABELS] = "labels are to be protected",
                                          [CLI_ADVICE_FEW_EDGES] =
                                              "there are too few public edges to rehearse with"};
    const hrr_training_mean *choice = edge_choice(self);
    return json_pack("{s:s, s:s?, s:o, s:s?, s:s?, s:o, s:o, s:o, s:s?, s:o, s:o}", "metric",
                     metric, "cannot_know", reasons[self->blind], "edges",
                     cli_training_json(self->edges.rows, self->edges.n_rows), "edge_mechanism",
                     choice        ? choice->edges
                     : self->blind ? NULL
                                   : hrr_edge_mechanism_with(HRR_EFFECT_LEAVE_OUT)->name,
                     "eps_edges", choice ? choice->eps_edges : NULL, "features",
                     cli_advice_features_json(self), "eps_features",
                     self->feature_choice ? json_real(self->feature_choice->eps) : json_null(),
                     "head", cli_training_json(self->head.rows, self->head.n_rows), "eps_head",
                     head_choice(self) ? head_choice(self)->eps_features : NULL, "command",
                     command_json(command), "refused", cli_json_text(refusal->message));
}

/* ---- together -------------------------------------------------------------------------------- */

hrr_status cli_advice_tell(const cli_advice *self, const cli_advise_args *a, cli_task *task,
                           hrr_error *err)
{
    if (self->structural) return cli_advice_tell_structure(self, a, task, err);
    const char *metric = self->is_multilabel ? "f1_micro" : "accuracy";
    const bool is_release = hrr_path_is_bundle(a->graph); /* its own graph is not known here */
    cli_command command = {0};
    hrr_error refusal = {0};
    hrr_status status = HRR_OK;
    if (self->blind)
        add_compare(&command, self, a);
    else
        add_protect(&command, self, a);
    char *text = cli_command_text(&command);
    if (!text)
        status = hrr_fail(err, HRR_ENOMEM, "out of memory");
    else if (!self->blind && !is_release)
        status = cli_advice_try(&refusal, &command, task, err);
    cli_progress_erase();
    if (status) goto done;
    if (task->json) {
        task->result = advice_json(self, metric, is_release ? NULL : text, &refusal);
        if (!task->result) status = hrr_fail(err, HRR_ENOMEM, "out of memory");
        goto done;
    }
    if (self->blind)
        print_blind(self, a, task->talk);
    else
        print_edges(self, a, task->talk);
    cli_advice_print_features(self, a, task->talk);
    if (is_release)
        print_for_release(self, a, task->talk);
    else
        fprintf(task->talk, "%s\n", text);
    if (refusal.status) cli_note("protect refuses this command: %s", refusal.message);
done:
    free(text);
    cli_command_clear(&command);
    return status;
}
