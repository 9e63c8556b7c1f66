/* What the files of the program know of each other. */

extern unsigned char frames;
extern unsigned char score;
extern unsigned char ball_x;
extern unsigned char ball_y;

/* start.s */
void wait_for_frame(void);
void __fastcall__ use_bank(unsigned char bank);

/* ball.c, in bank 0 */
unsigned char move_ball(unsigned char speed);

/* score.c, in bank 1 */
void add_points(unsigned char points, unsigned char times);
