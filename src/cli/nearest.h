/* nearest.h: what a mistyped word was probably meant to be. */
#ifndef CLI_NEAREST_H
#define CLI_NEAREST_H

#include <stddef.h>

/* How far apart two words are: insertions, deletions, changes and swaps of neighbouring letters;
 * a word that was only begun is at distance 1. */
size_t cli_word_distance(const char *typed, const char *meant);

/* The largest distance at which `typed` is still taken for a slip and not for another word. */
size_t cli_slip_distance(const char *typed);

#endif
