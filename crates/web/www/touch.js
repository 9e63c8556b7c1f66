// @ts-check
// The cross of the touch controls: eight directions by the angle of the finger.

/** Share of the cross around its middle where a finger presses nothing yet. */
const MIDDLE = 0.08;
/** Half of the angle, in degrees, in which two directions are held. */
const DIAGONAL = 17;

/**
 * Returns the directions that a finger holds. @param {number} x from the middle of the cross, right is positive
 * @param {number} y from the middle, down is positive @param {number} size of the cross @returns {string[]}
 */
export function directions(x, y, size) {
  if (Math.hypot(x, y) < MIDDLE * size) return [];
  const angle = (Math.atan2(y, x) * 180) / Math.PI;
  const held = [];
  const near = (/** @type {number} */ at) => Math.abs(((angle - at + 540) % 360) - 180) <= 45 + DIAGONAL;
  if (near(0)) held.push('right');
  if (near(180)) held.push('left');
  if (near(90)) held.push('down');
  if (near(-90)) held.push('up');
  return held;
}
