/* public_names.c: what may be declared public, by name, and why it has to be. */
#include <heterorr/certificate.h>

#include <stddef.h>

static const char *const names[] = {"nodes",      "edges",  "classes",    "columns", "bounds",
                                    "directions", "blocks", "candidates", "head",    NULL};
enum { n_names = sizeof names / sizeof names[0] - 1 };

static const char *const reasons[n_names] = {
    "the nodes are those that rows of the edge list name, private rows too",
    "nothing says which edges are private",
    "the classes are those that the private labels name",
    "the number of features is as large as the private features need",
    "the bounds of the features were given, and no program can see what they were made from",
    "the directions may have been computed from the private features",
    "the blocks of the nodes may have been computed from the private edges",
    "the candidate set comes from a file that may have been made from the private edges",
    "the head may have been trained on the private features",
};

const char *const *hrr_public_names(void)
{
    return names;
}

const char *hrr_public_reason(unsigned bit)
{
    for (int i = 0; i < n_names; i++)
        if (bit == 1u << i) return reasons[i];
    return "";
}
