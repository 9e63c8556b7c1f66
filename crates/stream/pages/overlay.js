// The overlay: what it shows is chosen by the address, see the page `/`.

import { connect } from "./connection.js";
import { Field, Next } from "./field.js";
import { Replays } from "./replay.js";
import { colours } from "./theme.js";

const options = new URLSearchParams(location.search);
const asked = options.get("layout") ?? "one";
/** What is shown now; with `layout=scene` the host of a match chooses. */
let layout = asked === "scene" ? "one" : asked;
/** Until somebody has seen it there: an embedded browser may not show a canvas that is drawn directly. */
const direct = options.has("canvas") ? options.get("canvas") === "direct" : !("obsstudio" in window);
const theme = options.get("theme") ?? "level";
const replays = options.get("replay") === "on";
const first = Number(options.get("player") ?? 1);
const names = [options.get("name"), options.get("name2")];
document.body.dataset.background = options.get("background") ?? "transparent";

/** Rows of the statistics column: label, and what it shows of the figures and the state. */
const STATISTICS = [
  ["TRT", (figures) => percent(figures.tetris_rate)],
  ["EFF", (figures) => whole(figures.efficiency)],
  ["BURN", (figures) => figures.burn],
  ["DROUGHT", (figures) => figures.drought],
  ["LONGEST", (figures) => figures.longest_drought],
  ["TETRISES", (figures) => figures.clears[3]],
  ["TRIPLES", (figures) => figures.clears[2]],
  ["DOUBLES", (figures) => figures.clears[1]],
  ["SINGLES", (figures) => figures.clears[0]],
  ["DAS", (figures) => (figures.das_mean === null ? "–" : figures.das_mean.toFixed(1))],
  ["DAS LOSSES", (figures) => figures.das_losses],
  ["TRANSITION", (figures) => score(figures.transition)],
  ["RUNWAY", (figures) => score(figures.runway)],
  ["PROJECTION", (figures) => score(figures.projection)],
];
/** The same of the commentator's page. */
const COMMENTARY = [
  ["SCORE", (figures, state) => score(state.score)],
  ["LEVEL", (figures, state) => state.level],
  ["LINES", (figures, state) => state.lines],
  ["TRT", (figures) => percent(figures.tetris_rate)],
  ["EFF", (figures) => whole(figures.efficiency)],
  ["TETRISES", (figures) => figures.clears[3]],
  ["BURN", (figures) => figures.burn],
  ["DROUGHT", (figures) => figures.drought],
  ["LONGEST", (figures) => figures.longest_drought],
  ["TRANSITION", (figures) => score(figures.transition)],
  ["RUNWAY TO 19", (figures) => score(figures.runways["19"])],
  ["RUNWAY TO 29", (figures) => score(figures.runways["29"])],
  ["RUNWAY TO 39", (figures) => score(figures.runways["39"])],
  ["PROJECTION", (figures) => score(figures.projection)],
];
/** Points of a tetris at level 0, and the points of the curve of the tetris rate, at most. */
const TETRIS = 1_200;
const CURVE = 400;
const PIECES = ["T", "J", "Z", "O", "S", "L", "I"];
/** Names of a state whose change shows beside the playfield. */
const SHOWN = ["score", "lines", "level", "phase", "paused", "next", "next_hidden"];

const whole = (value) => (value === null ? "–" : Math.round(value));
const percent = (value) => (value === null ? "–" : `${Math.round(value)} %`);
const score = (value) => (value === null ? "–" : value.toLocaleString("en-US"));

/** Sets a text, and touches the page only if it is another. */
function write(element, text) {
  const value = String(text);
  if (element.textContent !== value) element.textContent = value;
}

function element(parent, kind, name, text = "") {
  const made = document.createElement(kind);
  made.className = name;
  made.textContent = text;
  parent.append(made);
  return made;
}

/** A labelled number. */
function box(parent, label, name) {
  const made = element(parent, "div", `box ${name}`);
  element(made, "div", "label", label);
  return element(made, "div", "value", "–");
}

/** A player's part of the page. */
class Panel {
  constructor(parent, number) {
    this.number = number;
    this.state = null;
    this.figures = null;
    const panel = element(parent, "section", "panel");
    panel.dataset.player = number;
    this.panel = panel;
    const head = element(panel, "div", "head");
    this.name = element(head, "div", "name");
    this.wins = element(head, "div", "wins");
    this.winner = element(head, "div", "winner");
    this.replay = element(head, "div", "replay");
    const middle = element(panel, "div", "middle");
    const shows = layout === "one" || layout === "two";
    if (shows) {
      const frame = element(middle, "div", "frame");
      this.field = new Field(element(frame, "div", "field"), direct);
      this.replays = replays ? new Replays() : null;
      /** The state of a replay that is shown in place of the game's, and what comes after it. */
      this.past = null;
      this.timer = 0;
      this.cover = element(frame, "div", "cover");
    }
    const side = element(middle, "div", "side");
    if (layout === "commentator") {
      this.lead = element(side, "div", "lead");
      this.rows = COMMENTARY.map(([label, value]) => [box(side, label, "row"), value]);
      this.counts = [];
      this.rates = [];
      side.insertAdjacentHTML(
        "beforeend",
        '<svg class="curve" viewBox="0 0 100 100" preserveAspectRatio="none"><polyline points=""/></svg>',
      );
      this.curve = side.querySelector("polyline");
    } else if (shows) {
      this.score = box(side, "SCORE", "score");
      this.lead = layout === "two" ? element(side, "div", "lead") : null;
      this.lines = box(side, "LINES", "lines");
      this.level = box(side, "LEVEL", "level");
      const next = element(side, "div", "box next");
      element(next, "div", "label", "NEXT");
      this.next = new Next(element(next, "div", "piece"));
      this.drought = box(side, "DROUGHT", "drought");
      this.rate = box(side, "TRT", "rate");
    } else {
      this.rows = STATISTICS.map(([label, value]) => [box(side, label, "row"), value]);
      this.counts = PIECES.map((piece) => [piece, box(side, piece, "row count")]);
    }
  }

  /** Takes in a state. After a game its replays begin, and with the next one they end. */
  follow(state) {
    this.state = state;
    if (!this.replays) return;
    if (this.replays.take(state)) this.play(this.replays.plan(), 0);
    else if (this.past && state.phase === "active" && !this.replays.over) this.stop();
  }

  /** Shows a step of the replays, and then the next. */
  play(plan, step) {
    if (step === plan.length) return this.stop();
    const { state, stays, label } = plan[step];
    this.past = state;
    write(this.replay, label);
    later();
    this.timer = setTimeout(() => this.play(plan, step + 1), stays);
  }

  stop() {
    clearTimeout(this.timer);
    this.past = null;
    write(this.replay, "");
    later();
  }

  /** Is there anything beside the playfield to show that is not shown? A frame of the page costs more than all of this. */
  differs() {
    const { state, shown } = this;
    if (!state || this.past) return false;
    if (!shown || shown.figures !== this.figures) return true;
    const before = shown.state;
    return (
      SHOWN.some((name) => state[name] !== before[name]) ||
      PIECES.some((piece) => state.counts[piece] !== before.counts[piece])
    );
  }

  /** Draws what changed of the playfield, outside the page's own frames; out: how many cells. */
  draw() {
    const ready = this.field && this.state && !this.past && this.theme && this.field.cell > 0;
    return ready ? this.field.show(this.state, this.theme) : 0;
  }

  /** Shows how a match stands. */
  tell(board) {
    const wins = board?.wins[this.number - 1] ?? 0;
    const needed = board?.best_of ? Math.floor(board.best_of / 2) + 1 : 0;
    const hearts = needed > 0 && needed <= 5 ? "♥".repeat(wins) + "♡".repeat(Math.max(0, needed - wins)) : null;
    write(this.wins, hearts ?? (wins > 0 || needed > 0 ? `${wins}${needed ? ` of ${needed}` : ""}` : ""));
    write(this.winner, board?.winner === this.number ? "WINNER" : "");
  }

  /** Takes in figures: the curve of the tetris rate grows by a point with each piece. */
  count(figures) {
    this.figures = figures;
    if (!this.curve || figures.tetris_rate === null) return;
    if (figures.pieces < this.pieces) this.rates = [];
    this.pieces = figures.pieces;
    this.rates.push(figures.tetris_rate);
    if (this.rates.length > CURVE) this.rates = this.rates.filter((_, index) => index % 2 === 0);
    const step = 100 / Math.max(1, this.rates.length - 1);
    const points = this.rates.map((rate, index) => `${(index * step).toFixed(1)},${(98 - rate * 0.96).toFixed(1)}`);
    this.curve.setAttribute("points", points.join(" "));
  }

  /** Another stream begins: the figures of the last one are none of its own. */
  begin() {
    if (this.past) this.stop();
    this.replays?.begin();
    this.figures = null;
    this.pieces = 0;
    this.rates &&= [];
    this.curve?.setAttribute("points", "");
    for (const value of this.rows?.map(([value]) => value) ?? [this.drought, this.rate]) write(value, "–");
    this.panel.classList.remove("dry");
  }

  /** The page has another size. */
  resize() {
    this.field?.resize();
    this.next?.resize();
  }

  /** Shows what it knows. Out: the score. */
  show() {
    const { figures } = this;
    const state = this.past ?? this.state;
    if (!state) return 0;
    this.shown = { state, figures };
    // Styles and layout are touched only when they change: this runs sixty times a second.
    if (this.themed !== state.level) {
      this.themed = state.level;
      this.theme = colours(theme, state.level);
      this.panel.style.setProperty("--one", this.theme.two);
      this.panel.style.setProperty("--two", this.theme.three);
    }
    const theme_ = this.theme;
    if (this.rows) {
      if (figures) this.rows.forEach(([value, of]) => write(value, of(figures, state)));
      this.counts.forEach(([piece, value]) => write(value, state.counts[piece]));
      return state.score;
    }
    this.field.show(state, theme_);
    this.next.show(state, theme_);
    const cover = state.paused ? "PAUSE" : state.phase === "none" ? "" : null;
    if (this.cover.hidden !== (cover === null)) this.cover.hidden = cover === null;
    write(this.cover, cover ?? "");
    write(this.score, score(state.score));
    write(this.lines, state.lines);
    write(this.level, state.level);
    if (figures) {
      write(this.drought, figures.drought);
      this.panel.classList.toggle("dry", figures.drought >= 13);
      write(this.rate, percent(figures.tetris_rate));
    }
    return state.score;
  }
}

const root = document.getElementById("overlay");
let panels = [];
/** The last line of each kind that holds for the whole page. */
let hello = null;
let board = null;
let waiting = false;

/** How many lines have come, and how often something was drawn, for tests. */
globalThis.updates = 0;
globalThis.drawn = 0;

/** Makes the page of `layout`, which takes over what the last one knew. */
function build() {
  const known = new Map(panels.map((panel) => [panel.number, panel]));
  document.body.dataset.layout = layout;
  root.replaceChildren();
  const count = layout === "two" || layout === "commentator" ? 2 : 1;
  panels = Array.from({ length: count }, (_, index) => new Panel(root, first + index));
  for (const panel of panels) {
    panel.state = known.get(panel.number)?.state ?? null;
    panel.figures = known.get(panel.number)?.figures ?? null;
  }
  greet();
}

/** Shows names and how a match stands. */
function greet() {
  panels.forEach((panel, index) => {
    const player = hello?.players.find((player) => player.player === panel.number);
    const ofBoard = board?.names[panel.number - 1];
    write(panel.name, names[index] || ofBoard || player?.name || "");
    panel.tell(board);
  });
}

/** Shows by how much a player is ahead, in points and in tetrises at the level that comes next. */
function compare(panel, other) {
  const lead = panel.state.score - other.state.score;
  const text = lead > 0 ? `+${score(lead)}` : lead < 0 ? `−${score(-lead)}` : "=";
  const tetris = TETRIS * (Math.max(panel.state.level, other.state.level) + 1);
  const tetrises = lead === 0 ? "" : `${(Math.abs(lead) / tetris).toFixed(1)} tetrises`;
  if (panel.lead.dataset.text === text + tetrises) return;
  panel.lead.dataset.text = text + tetrises;
  panel.lead.textContent = text;
  element(panel.lead, "span", "tetrises", tetrises);
  panel.lead.classList.toggle("ahead", lead > 0);
}

/** Has the page show what it knows in its next frame. */
function later() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(show);
}

function show() {
  waiting = false;
  globalThis.drawn += 1;
  panels.forEach((panel) => panel.show());
  const [one, two] = panels;
  if (one?.lead && one.state && two?.state) {
    compare(one, two);
    compare(two, one);
  }
}

function take(line) {
  if (line.event === "hello") {
    hello = line;
    panels.forEach((panel) => panel.begin());
    greet();
    return;
  }
  if (line.event === "match") {
    board = line;
    const scene = line.scene ?? "one";
    if (asked === "scene" && scene !== layout) {
      layout = scene;
      build();
      requestAnimationFrame(show);
    } else {
      greet();
    }
    return;
  }
  const panel = panels.find((panel) => panel.number === line.player);
  if (!panel) return;
  if (line.event === "state") panel.follow(line);
  else if (line.event === "statistics") panel.count(line);
  else if (line.event === "seek") {
    panel.figures = null;
    panel.replays?.begin();
  }
  globalThis.updates += 1;
  if (panel.draw() > 0) globalThis.drawn += 1;
  if (panel.differs()) later();
}
/** For tests. */
globalThis.take = take;
globalThis.planned = (number) => panels.find((panel) => panel.number === number).replays.plan();

build();
addEventListener("resize", () => {
  panels.forEach((panel) => panel.resize());
  requestAnimationFrame(show);
});
connect(options, take, (connected) => {
  document.body.dataset.connected = connected;
});
