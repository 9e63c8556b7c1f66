// A playfield on a canvas. Only cells that changed are drawn.

const ROWS = 20;
const COLUMNS = 10;
/** The tile that the cells of a piece leave. */
const TILE = { T: "1", O: "1", I: "1", J: "2", S: "2", Z: "3", L: "3" };
/** The next piece as it comes in: columns and rows in a box of four by two. */
const SHAPES = {
  T: [[0.5, 0], [1.5, 0], [2.5, 0], [1.5, 1]],
  J: [[0.5, 0], [1.5, 0], [2.5, 0], [2.5, 1]],
  Z: [[0.5, 0], [1.5, 0], [1.5, 1], [2.5, 1]],
  O: [[1, 0], [2, 0], [1, 1], [2, 1]],
  S: [[1.5, 0], [2.5, 0], [0.5, 1], [1.5, 1]],
  L: [[0.5, 0], [1.5, 0], [2.5, 0], [0.5, 1]],
  I: [[0, 0.5], [1, 0.5], [2, 0.5], [3, 0.5]],
};

/** Draws a block of `size` pixels. */
function block(context, x, y, size, tile, theme) {
  const edge = Math.max(1, Math.round(size / 10));
  const inner = size - edge;
  const colour = { 1: theme.one, 2: theme.two, 3: theme.three }[tile] ?? theme.other;
  context.fillStyle = colour;
  context.fillRect(x, y, inner, inner);
  if (tile === "1") {
    context.fillStyle = theme.light;
    context.fillRect(x + edge, y + edge, inner - 2 * edge, inner - 2 * edge);
  } else {
    context.fillStyle = "rgb(255 255 255 / 30%)";
    context.fillRect(x, y, inner, edge);
    context.fillRect(x, y, edge, inner);
  }
}

/** Makes a canvas as large as it is shown; out: the size of a cell in device pixels. */
function fit(canvas, columns, rows) {
  const cell = Math.max(2, Math.floor((canvas.clientWidth * devicePixelRatio) / columns));
  [canvas.width, canvas.height] = [Math.ceil(cell * columns), Math.ceil(cell * rows)];
  return cell;
}

export class Field {
  /** @param {HTMLCanvasElement} canvas ten by twenty cells */
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.drawn = new Array(ROWS * COLUMNS).fill(null);
    this.theme = null;
    this.cell = 0;
  }

  /** The canvas has another size. */
  resize() {
    this.cell = 0;
  }

  /** Shows a `state`; out: how many cells were drawn. */
  show(state, theme) {
    if (this.cell === 0 || theme !== this.theme) {
      this.cell = fit(this.canvas, COLUMNS, ROWS);
      this.theme = theme;
      this.drawn.fill(null);
      this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    }
    const cell = this.cell;
    const cells = state.field.join("").split("");
    for (const [row, column] of state.cells) cells[row * COLUMNS + column] = TILE[state.piece] ?? "#";
    let count = 0;
    cells.forEach((tile, index) => {
      if (this.drawn[index] === tile) return;
      this.drawn[index] = tile;
      count += 1;
      const [x, y] = [(index % COLUMNS) * cell, Math.floor(index / COLUMNS) * cell];
      this.context.clearRect(x, y, cell, cell);
      if (tile !== ".") block(this.context, x, y, cell, tile, theme);
    });
    return count;
  }
}

export class Next {
  /** @param {HTMLCanvasElement} canvas four by two cells */
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.drawn = null;
    this.theme = null;
  }

  /** The canvas has another size. */
  resize() {
    this.drawn = null;
  }

  /** Shows the next piece of a `state`. */
  show(state, theme) {
    const piece = state.next_hidden ? "?" : state.next;
    if (piece === this.drawn && theme === this.theme) return;
    [this.drawn, this.theme] = [piece, theme];
    const cell = fit(this.canvas, 4, 2);
    this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    for (const [x, y] of SHAPES[piece] ?? []) {
      block(this.context, Math.round(x * cell), Math.round(y * cell), cell, TILE[piece], theme);
    }
  }
}
