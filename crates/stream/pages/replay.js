// Replays after a game: each tetris of the last ones, and the end, from five pieces before, at half speed.

/** Pieces before the moment that a replay shows. */
const BEFORE = 5;
/** Replays of a game, at most: the newest. */
const MOST = 4;
/** How much slower than the game they run, and milliseconds that the last state of one stays. */
const SLOWER = 2;
const STAYS = 1_500;

const pieces = (state) => Object.values(state.counts).reduce((all, count) => all + count, 0);

/** The moments of a game that are worth another look. */
export class Replays {
  constructor() {
    this.begin();
  }

  /** Another game begins, or the game goes on elsewhere. */
  begin() {
    /** States since five pieces before, and those of each replay. */
    this.states = [];
    this.replays = [];
    this.over = false;
  }

  /** Takes in a state. Out: whether the game is over with it. */
  take(state) {
    const last = this.states.at(-1);
    const count = pieces(state);
    if (last && (count < pieces(last) || state.ms < last.ms)) this.begin();
    if (this.over || state.mode !== "game" && state.phase === "none") return false;
    this.states.push(state);
    while (pieces(this.states[0]) + BEFORE < count) this.states.shift();
    if (last && state.lines - last.lines === 4) this.keep();
    if (state.phase !== "ended" || last?.phase === "ended") return false;
    this.over = true;
    this.keep();
    return true;
  }

  keep() {
    this.replays.push([...this.states]);
    if (this.replays.length > MOST) this.replays.shift();
  }

  /** What is shown: states, each with the milliseconds that it stays and which replay of how many it is of. */
  plan() {
    const all = this.replays.length;
    return this.replays.flatMap((states, number) =>
      states.map((state, index) => {
        const next = states[index + 1];
        const stays = next ? SLOWER * Math.max(0, next.ms - state.ms) : STAYS;
        return { state, stays, label: `REPLAY ${number + 1} OF ${all}` };
      }),
    );
  }
}
