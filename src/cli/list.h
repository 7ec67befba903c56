/* list.h: lists with commas between their items. */
#ifndef CLI_LIST_H
#define CLI_LIST_H

enum { CLI_MOST_ITEMS = 32 };

/* "a,b" in place; the number of items, or -1 if there are too many or one is empty. */
int cli_split_list(char *text, const char *items[CLI_MOST_ITEMS]);

#endif
