/* A ball that bounces, as a program to be debugged: C in three banks of a UxROM board. */

#include "cartridge.h"

unsigned char score;

void main(void) {
    unsigned char speed = 1;
    unsigned char bounces = 0;

    while (1) {
        wait_for_frame();
        use_bank(0);
        if (move_ball(speed)) {
            ++bounces;
            use_bank(1);
            add_points(bounces, 3);
        }
    }
}
