/* statement.c: the promise in one sentence and in three words.
 *
 * The statement follows a fixed form: epsilon of one node's feature vector, of one private pair, of
 * one label, and what is not protected. A release is NOT PRIVATE if any single reason says so; then
 * the statement begins with these words, wherever it is shown. What is published as it is has no
 * epsilon. */
#include "certificate/terms.h"
#include "certificate/fields.h"
#include "certificate/words.h"
#include "base/memory.h"
#include "base/number.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct sentence {
    char *text; /* NULL: out of memory */
} sentence;

static void add(sentence *s, const char *format, ...) HRR_PRINTF(2, 3);
static void add(sentence *s, const char *format, ...)
{
    char more[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(more, sizeof more, format, arguments);
    va_end(arguments);
    char *joined = s->text ? hrr_format_text("%s%s", s->text, more) : NULL;
    hrr_free(s->text);
    s->text = joined;
}

static void state_features(sentence *s, const hrr_terms *terms)
{
    const hrr_term *term = &terms->part[HRR_PART_FEATURES];
    const char *eps = hrr_json_word(hrr_terms_record(terms, HRR_PART_FEATURES), "requested_eps");
    if (term->treatment == HRR_NOT_THERE)
        add(s, "no features are released");
    else if (term->treatment == HRR_UNPROTECTED)
        add(s, "eps_f = infinity per node feature vector");
    else if (term->delta > 0) {
        char delta[HRR_REAL_TEXT_SIZE];
        hrr_real_text(delta, term->delta);
        add(s, "(eps_f, delta) = (%s, %s) per node feature vector", eps, delta);
    } else
        add(s, "eps_f = %s per node feature vector", eps);
}

static void state_edges(sentence *s, const hrr_terms *terms)
{
    const json_t *edges = hrr_terms_record(terms, HRR_PART_EDGES);
    const char *eps = hrr_json_word(edges, "requested_eps");
    const char *pair = terms->all_pairs ? "pair of nodes" : "private candidate pair";
    switch (terms->part[HRR_PART_EDGES].treatment) {
    case HRR_PUBLISHED:
        add(s, "; %s", hrr_terms_why_published(terms->certificate));
        break;
    case HRR_LEFT_OUT:
        add(s, "; eps_e = 0 per %s (private edges are left out)", pair);
        break;
    case HRR_PROTECTED:
        add(s, "; eps_e = %s per %s (central)", eps, pair);
        break;
    case HRR_NOT_THERE:
    case HRR_UNPROTECTED:
        if (strcmp(eps, "0") == 0)
            add(s, "; eps_e = infinity per %s", pair);
        else
            add(s, "; eps_e = %s per %s, as published, not certified", eps, pair);
    }
}

/* "labels, public edges and the candidate set are not protected" */
static void state_rest(sentence *s, const hrr_terms *terms)
{
    const json_t *labels = hrr_terms_record(terms, HRR_PART_LABELS);
    const bool edges_published = terms->part[HRR_PART_EDGES].treatment == HRR_PUBLISHED;
    const bool labels_published =
        json_is_object(labels) && terms->part[HRR_PART_LABELS].treatment != HRR_PROTECTED;
    const hrr_label_mechanism mechanism =
        hrr_label_mechanism_find(hrr_json_word(labels, "mechanism"));
    const char *open[3];
    int n = 0;
    if (terms->part[HRR_PART_LABELS].treatment == HRR_PROTECTED)
        add(s, "; eps_y = %s per node %s", hrr_json_word(labels, "requested_eps"),
            mechanism == HRR_LABELS_EVERY_BIT ? "label vector" : "label");
    else if (labels_published)
        open[n++] = "labels";
    if (!edges_published && !terms->all_pairs) open[n++] = "public edges";
    if (!edges_published) open[n++] = "the candidate set";
    for (int i = 0; i < n; i++)
        add(s, "%s%s", i == 0 ? "; " : i + 1 < n ? ", " : " and ", open[i]);
    if (n) add(s, " %s not protected", n > 1 || labels_published ? "are" : "is");
    add(s, "; one stored release.");
}

char *hrr_terms_state(const hrr_terms *terms)
{
    const json_t *why = json_object_get(terms->certificate, "not_private_because");
    sentence s = {hrr_copy_text("")};
    for (size_t i = 0; i < json_array_size(why); i++) {
        const char *reason = json_string_value(json_array_get(why, i));
        add(&s, "%s%s", i == 0 ? "NOT PRIVATE: " : "; ", reason ? reason : "");
    }
    if (json_array_size(why)) add(&s, ". What was asked for: ");
    state_features(&s, terms);
    state_edges(&s, terms);
    state_rest(&s, terms);
    return s.text;
}

void hrr_terms_name_badge(hrr_terms *terms)
{
    static const char *const names[HRR_N_PARTS] = {"FEATURES", "EDGES", "LABELS"};
    const char *covered[HRR_N_PARTS];
    int n = 0, n_there = 0;
    for (int part = 0; part < HRR_N_PARTS; part++) {
        const hrr_treatment treatment = terms->part[part].treatment;
        n_there += treatment != HRR_NOT_THERE;
        if (treatment == HRR_PROTECTED || treatment == HRR_LEFT_OUT) covered[n++] = names[part];
    }
    if (!terms->is_private || n == 0)
        snprintf(terms->badge, sizeof terms->badge, "NOT PRIVATE");
    else if (n == n_there)
        snprintf(terms->badge, sizeof terms->badge, "PRIVATE");
    else
        snprintf(terms->badge, sizeof terms->badge, "%s%s%s ONLY", covered[0], n > 1 ? " AND " : "",
                 n > 1 ? covered[1] : "");
}
