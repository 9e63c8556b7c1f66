/* Points. The code lies in bank 1, at the addresses of bank 0. */

#include "cartridge.h"

#pragma code-name (push, "BANK1")

static unsigned int total;

static unsigned char doubled(unsigned char points) {
    return points + points;
}

void add_points(unsigned char points, unsigned char times) {
    unsigned char i;
    unsigned int sum = 0;

    for (i = 0; i < times; ++i) {
        sum += doubled(points);
    }
    total += sum;
    score = total;
}

#pragma code-name (pop)
