// @ts-check
// Elements of the page: found by their id, or made.

/** @template {HTMLElement} T @param {string} id @param {new () => T} kind @returns {T} */
export function element(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${kind.name} ${id}`);
  return found;
}

/**
 * Makes an element with attributes and children. @template {keyof HTMLElementTagNameMap} K @param {K} tag
 * @param {Record<string, string | boolean | ((event: Event) => unknown)>} [attributes] `on…` names are listeners
 * @param {...(Node | string)} children @returns {HTMLElementTagNameMap[K]}
 */
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name.slice(2), value);
    else if (typeof value === 'boolean') made.toggleAttribute(name, value);
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

/** Terms and their values, for a list of definitions. @param {[string, unknown][]} pairs @returns {HTMLElement[]} */
export const pairs = (pairs) => pairs.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, String(value))]);

/** A label begins with a capital. @param {string} text */
export const sentence = (text) => text.replace(/^./, (letter) => letter.toUpperCase());

/** Writes a text where it differs. @param {HTMLElement} into @param {string} text */
export function write(into, text) {
  if (into.textContent !== text) into.textContent = text;
}

/** Makes a node equal to another, and leaves what is equal already: it stays laid out. @param {ChildNode} there @param {ChildNode} wanted */
function become(there, wanted) {
  if (there.isEqualNode(wanted)) return;
  if (there.nodeName !== wanted.nodeName || there.childNodes.length !== wanted.childNodes.length) return there.replaceWith(wanted);
  if (!(there instanceof Element && wanted instanceof Element)) {
    there.nodeValue = wanted.nodeValue;
    return;
  }
  for (const name of there.getAttributeNames()) if (!wanted.hasAttribute(name)) there.removeAttribute(name);
  for (const { name, value } of wanted.attributes) {
    if (there.getAttribute(name) === value) continue;
    // The page's policy refuses the attribute.
    if (name === 'style' && there instanceof HTMLElement && wanted instanceof HTMLElement) there.style.cssText = wanted.style.cssText;
    else there.setAttribute(name, value);
  }
  const children = [...wanted.childNodes];
  [...there.childNodes].forEach((child, at) => become(child, children[at]));
}

/** Gives an element children without listeners, and leaves those that it has already. @param {HTMLElement} into @param {HTMLElement[]} wanted */
export function renew(into, wanted) {
  const there = [...into.children];
  there.slice(wanted.length).forEach((child) => child.remove());
  wanted.forEach((child, at) => (at < there.length ? become(there[at], child) : into.append(child)));
}

/** A number with its thousands. @param {number} value */
export const thousands = (value) => Math.round(value).toLocaleString('en');

/** A number, or a dash. @param {number | null | undefined} value */
export const figure = (value, digits = 0) => (value === null || value === undefined ? '–' : value.toFixed(digits));

/** Frames as minutes and seconds. @param {number} frames */
export function time(frames, rate = 60.0988) {
  const seconds = Math.floor(frames / rate);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
