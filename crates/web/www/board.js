// @ts-check
// A playfield on a canvas: its rows, and pieces that are marked.

export const COLUMNS = 10, ROWS = 20;

/** @typedef {{ cells: number[][] | null | undefined, colour: string, sign?: string, ghost?: boolean }} Mark */

/** The value of a colour of the style sheet. @param {string} name */
export const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim() || '#888';

/**
 * Draws a playfield. @param {HTMLCanvasElement} canvas @param {number[]} rows bit 0 of each is the leftmost cell
 * @param {Mark[]} marks @param {number} side pixels of a cell
 */
export function draw(canvas, rows, marks, side) {
  canvas.width = COLUMNS * side;
  canvas.height = ROWS * side;
  const brush = canvas.getContext('2d', { alpha: false });
  if (!brush) return;
  brush.fillStyle = '#000';
  brush.fillRect(0, 0, canvas.width, canvas.height);
  const gap = side > 8 ? 1 : 0;
  const cell = (/** @type {number} */ x, /** @type {number} */ y) => brush.fillRect(x * side + gap, y * side + gap, side - 2 * gap || 1, side - 2 * gap || 1);
  brush.fillStyle = '#8f9bb0';
  rows.forEach((row, y) => {
    for (let x = 0; x < COLUMNS; x++) if ((row >> x) & 1) cell(x, y);
  });
  for (const { cells, colour: of, sign, ghost } of marks) {
    if (!cells) continue;
    brush.fillStyle = of;
    brush.strokeStyle = of;
    brush.lineWidth = 2;
    for (const [x, y] of cells) {
      if (ghost) brush.strokeRect(x * side + 2, y * side + 2, side - 4, side - 4);
      else cell(x, y);
      if (sign && side >= 14) {
        brush.fillStyle = ghost ? of : '#000';
        brush.font = `600 ${Math.round(side * 0.6)}px sans-serif`;
        brush.textAlign = 'center';
        brush.textBaseline = 'middle';
        brush.fillText(sign, (x + 0.5) * side, (y + 0.55) * side);
        brush.fillStyle = of;
      }
    }
  }
}

/** The cell under a pointer. @param {HTMLCanvasElement} canvas @param {{ clientX: number, clientY: number }} event */
export function cellAt(canvas, event) {
  const area = canvas.getBoundingClientRect();
  const column = Math.floor(((event.clientX - area.left) / area.width) * COLUMNS);
  const row = Math.floor(((event.clientY - area.top) / area.height) * ROWS);
  return [Math.max(0, Math.min(COLUMNS - 1, column)), Math.max(0, Math.min(ROWS - 1, row))];
}
