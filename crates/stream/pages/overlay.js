// The overlay: what it shows is chosen by the address, see the page `/`.

import { connect } from "./connection.js";
import { Field, Next } from "./field.js";
import { colours } from "./theme.js";

const options = new URLSearchParams(location.search);
const layout = options.get("layout") ?? "one";
const theme = options.get("theme") ?? "level";
const first = Number(options.get("player") ?? 1);
const names = [options.get("name"), options.get("name2")];
document.body.dataset.layout = layout;
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
    this.name = element(panel, "div", "name");
    const middle = element(panel, "div", "middle");
    if (layout !== "stats") {
      const frame = element(middle, "div", "frame");
      this.field = new Field(element(frame, "div", "field"));
      this.cover = element(frame, "div", "cover");
    }
    const side = element(middle, "div", "side");
    if (layout !== "stats") {
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

  /** Is there anything beside the playfield to show that is not shown? A frame of the page costs more than all of this. */
  differs() {
    const { state, shown } = this;
    if (!state) return false;
    if (!shown || shown.figures !== this.figures) return true;
    const before = shown.state;
    return (
      SHOWN.some((name) => state[name] !== before[name]) ||
      PIECES.some((piece) => state.counts[piece] !== before.counts[piece])
    );
  }

  /** Draws what changed of the playfield, outside the page's own frames; out: how many cells. */
  draw() {
    const ready = this.field && this.state && this.theme && this.field.cell > 0;
    return ready ? this.field.show(this.state, this.theme) : 0;
  }

  /** The page has another size. */
  resize() {
    this.field?.resize();
    this.next?.resize();
  }

  /** Shows what it knows. Out: the score. */
  show() {
    const { state, figures } = this;
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
    if (layout === "stats") {
      if (figures) this.rows.forEach(([value, of]) => write(value, of(figures)));
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
const count = layout === "two" ? 2 : 1;
const panels = Array.from({ length: count }, (_, index) => new Panel(root, first + index));
let waiting = false;

/** How many lines have come, and how often something was drawn, for tests. */
globalThis.updates = 0;
globalThis.drawn = 0;

function show() {
  waiting = false;
  globalThis.drawn += 1;
  const scores = panels.map((panel) => panel.show());
  panels.forEach((panel, index) => {
    if (!panel.lead || !panel.state) return;
    const lead = scores[index] - scores[1 - index];
    write(panel.lead, lead > 0 ? `+${score(lead)}` : lead < 0 ? `−${score(-lead)}` : "=");
    panel.lead.classList.toggle("ahead", lead > 0);
  });
}

function take(line) {
  if (line.event === "hello") {
    panels.forEach((panel, index) => {
      const player = line.players.find((player) => player.player === panel.number);
      write(panel.name, names[index] ?? player?.name ?? "");
    });
    return;
  }
  const panel = panels.find((panel) => panel.number === line.player);
  if (!panel) return;
  if (line.event === "state") panel.state = line;
  else if (line.event === "statistics") panel.figures = line;
  else if (line.event === "seek") panel.figures = null;
  globalThis.updates += 1;
  if (panel.draw() > 0) globalThis.drawn += 1;
  if (!waiting && panel.differs()) {
    waiting = true;
    requestAnimationFrame(show);
  }
}

addEventListener("resize", () => {
  panels.forEach((panel) => panel.resize());
  requestAnimationFrame(show);
});
connect(options, take, (connected) => {
  document.body.dataset.connected = connected;
});
