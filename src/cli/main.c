/* main.c: the heterorr command. */
#include <heterorr/heterorr.h>

#include <stdio.h>

int main(void)
{
    printf("heterorr %s\n", hrr_version());
    return 0;
}
