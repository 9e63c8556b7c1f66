// Colours of the blocks, our own: a pair for each last digit of the level.

/** By the level's last digit: the colour of J and S and of the frame of T, O and I; the colour of Z and L. */
const PAIRS = [
  ["#3f7cff", "#5fd0ff"],
  ["#2fae5c", "#b4e34a"],
  ["#c13fd8", "#f29cff"],
  ["#3a63e0", "#4fe39a"],
  ["#e0447a", "#56e0c0"],
  ["#4fc98a", "#7fa4ff"],
  ["#e2543a", "#a8a8b4"],
  ["#7a4fe6", "#c2364f"],
  ["#3d6be8", "#ef6a45"],
  ["#ef7f3a", "#f2b84a"],
];
const LIGHT = "#f4f6fb";
const GREY = ["#8b93a7", "#c3c9d6"];
const OTHER = "#5a6072";

/**
 * The colours of a level.
 * @param {string | null} theme `level`, `grey`, or the number of a level that is kept
 * @param {number} level
 * @returns {{one: string, two: string, three: string, other: string, light: string}}
 */
export function colours(theme, level) {
  const fixed = theme !== null && /^\d+$/.test(theme) ? Number(theme) : level;
  const [two, three] = theme === "grey" ? GREY : PAIRS[fixed % 10];
  return { one: two, two, three, other: OTHER, light: LIGHT };
}
