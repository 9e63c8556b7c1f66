/* Where the ball is. The code lies in bank 0. */

#include "cartridge.h"

#define LEFT 16
#define RIGHT 240

#pragma code-name (push, "BANK0")

unsigned char ball_x = 200;
unsigned char ball_y = 100;
static unsigned char leftwards;

/* Returns 1 where the ball met a wall. */
unsigned char move_ball(unsigned char speed) {
    unsigned char old = ball_x;
    unsigned char met = 0;

    if (leftwards) {
        ball_x = old - speed;
        met = ball_x < LEFT;
    } else {
        ball_x = old + speed;
        met = ball_x > RIGHT;
    }
    if (met) {
        leftwards ^= 1;
    }
    return met;
}

#pragma code-name (pop)
