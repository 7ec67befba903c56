/* death.h: calls that must stop the process. */
#ifndef TESTS_SUPPORT_DEATH_H
#define TESTS_SUPPORT_DEATH_H

#include <stdbool.h>

/* Run call(user) in a child; true if it ended in abort() with `text` on standard error. */
bool aborts_saying(const char *text, void (*call)(void *user), void *user);

#endif
