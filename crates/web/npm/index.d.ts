/// <reference lib="esnext.disposable" />

// The types of `Player` come from Rust: page/maxout.d.ts.

import { Player } from './page/maxout.js';

export { Place, Player } from './page/maxout.js';

/** The folder of the page with everything that `<maxout-player>` needs, to be served as it is. */
export const page: URL;

/** Loads the module, once, and returns the class of players. `plain` takes the one without SIMD. */
export function load(options?: { plain?: boolean }): Promise<typeof Player>;

/** The picture of the last frame: red, green, blue and 255 of each pixel, row by row. */
export function picture(player: Player): { width: number; height: number; pixels: Uint8ClampedArray };

/** The sound of the last frame, at the rate that the player was made with. */
export function sound(player: Player): Float32Array;

/** Gives a player the nets, by which computer, review and puzzles evaluate. */
export function nets(player: Player): Promise<void>;
