/**
 * `<maxout-player>`: the console in a frame of your page. Attributes: `src`, `mode`, `level`, `seed`, `pieces`, `game`,
 * `controls`. Events: `maxout-ready`, `maxout-status`, `maxout-event`, `maxout-over`.
 */
export class MaxoutPlayer extends HTMLElement {
  /** The last state of the game; `null` before there is one. */
  status: any;
  /** Begins a game at once. */
  play(wanted?: { mode?: string; options?: string; pieces?: string; position?: string }): void;
  /** Pauses, or goes on with `false`. */
  pause(on?: boolean): void;
  /** Lets the computer play, or no longer. */
  computer(): void;
  /** Opens a ROM, a movie, a kept game or a saved state. */
  open(name: string, bytes: Uint8Array): void;
  /** The game so far as a kept game. */
  file(): Promise<Uint8Array>;
}

declare global {
  interface HTMLElementTagNameMap {
    'maxout-player': MaxoutPlayer;
  }
}
