// A playfield and the next piece. Only cells that changed are drawn.

const ROWS = 20;
const COLUMNS = 10;
const EMPTY = ".".repeat(COLUMNS);
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

/** Makes a canvas of so many device pixels, shown without any scaling, which would cost at every change. */
function fit(canvas, width, height) {
  [canvas.width, canvas.height] = [width, height];
  [canvas.style.width, canvas.style.height] = [`${width / devicePixelRatio}px`, `${height / devicePixelRatio}px`];
}

/** The size of a cell in device pixels, of so many in a part of the page. */
function cellOf(part, columns) {
  return Math.max(2, Math.floor((part.clientWidth * devicePixelRatio) / columns));
}

/** A playfield. */
export class Field {
  /**
   * @param {HTMLElement} part of the page, half as wide as high
   * @param {boolean} direct whether the canvas is drawn outside the page's own frames
   */
  constructor(part, direct) {
    this.part = part;
    this.canvas = part.appendChild(document.createElement("canvas"));
    // Drawn directly, a change of the field does not make the browser go through the whole page.
    this.context = this.canvas.getContext("2d", { desynchronized: direct });
    /** The tiles that are drawn, a text for each row. */
    this.drawn = [];
    this.theme = null;
    this.cell = 0;
  }

  /** The page has another size. */
  resize() {
    this.cell = 0;
  }

  /** Shows a `state`; out: how many cells were drawn. */
  show(state, theme) {
    if (this.cell === 0 || theme !== this.theme) {
      this.cell = cellOf(this.part, COLUMNS);
      this.theme = theme;
      fit(this.canvas, this.cell * COLUMNS, this.cell * ROWS);
      this.drawn = new Array(ROWS).fill(EMPTY);
    }
    const rows = rowsOf(state);
    let count = 0;
    for (let row = 0; row < ROWS; row += 1) {
      if (rows[row] !== this.drawn[row]) count += this.draw(row, rows[row]);
    }
    return count;
  }

  draw(row, tiles) {
    const { cell, context } = this;
    const before = this.drawn[row];
    this.drawn[row] = tiles;
    let count = 0;
    for (let column = 0; column < COLUMNS; column += 1) {
      const tile = tiles[column];
      if (tile === before[column]) continue;
      count += 1;
      const [x, y] = [column * cell, row * cell];
      context.clearRect(x, y, cell, cell);
      if (tile !== ".") block(context, x, y, cell, tile, this.theme);
    }
    return count;
  }
}

/** The rows of a state with the piece in play in them. */
function rowsOf({ field, cells, piece }) {
  if (cells.length === 0) return field;
  const rows = field.slice();
  const tile = TILE[piece] ?? "#";
  for (const [row, column] of cells) {
    const text = rows[row];
    rows[row] = text.slice(0, column) + tile + text.slice(column + 1);
  }
  return rows;
}

export class Next {
  /** @param {HTMLElement} part of the page, twice as wide as high */
  constructor(part) {
    this.part = part;
    this.canvas = part.appendChild(document.createElement("canvas"));
    this.context = this.canvas.getContext("2d");
    this.drawn = null;
    this.theme = null;
  }

  /** The page has another size. */
  resize() {
    this.drawn = null;
  }

  /** Shows the next piece of a `state`. */
  show(state, theme) {
    const piece = state.next_hidden ? "?" : state.next;
    if (piece === this.drawn && theme === this.theme) return;
    [this.drawn, this.theme] = [piece, theme];
    const cell = cellOf(this.part, 4);
    fit(this.canvas, 4 * cell, 2 * cell);
    for (const [x, y] of SHAPES[piece] ?? []) {
      block(this.context, Math.round(x * cell), Math.round(y * cell), cell, TILE[piece], theme);
    }
  }
}
