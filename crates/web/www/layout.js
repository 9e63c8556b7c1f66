// @ts-check
// How large the picture is: whole steps of its rows on the display's own pixels, so that all rows are alike.

/** Rows of the picture. */
const ROWS = 240;
/** Share of the room that whole steps may leave, before the picture is scaled freely. */
const LOST = 0.15;

/**
 * Returns the size of one picture in CSS pixels.
 * @param {{ width: number, height: number }} room in CSS pixels
 * @param {{ ratio: number, aspect: number, pictures: number, whole: boolean }} how `ratio` is the display's pixels of a CSS
 * pixel, `aspect` the picture's width by its height, `pictures` how many stand side by side
 */
export function place(room, { ratio, aspect, pictures, whole }) {
  const width = Math.max(1, room.width / pictures);
  const most = (Math.min(room.height, width / aspect) * ratio) / ROWS;
  const steps = Math.floor(most + 1e-6);
  const scale = whole && steps >= 1 && steps / most >= 1 - LOST ? steps : Math.max(most, 0.1);
  const height = (scale * ROWS) / ratio;
  return { scale, width: height * aspect, height };
}
