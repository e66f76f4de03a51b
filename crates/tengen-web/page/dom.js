// Elements, and numbers as text.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

/** An element of HTML with attributes; those that begin with `on` are listeners. */
export function el(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** An element of SVG. */
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/** A button; `keys` is the shortcut that its title names. */
export function button(label, onclick, attributes = {}) {
  return el("button", { type: "button", onclick, ...attributes }, label);
}

/** A number with this many decimals, rounded from its exact value and halves to even, as the
 * program rounds; `toFixed` rounds halves up. Only an odd multiple of 2^-(digits + 1) is a half.
 * @param {number} number
 * @param {number} digits
 */
function rounded(number, digits) {
  const isHalf = Math.abs((number * 2 ** (digits + 1)) % 2) === 1;
  const even = (2 * Math.round((number * 10 ** digits) / 2)) / 10 ** digits;
  return (isHalf ? even : number).toFixed(digits).replace(/^-(?=[0.]*$)/, "");
}

/** A share of 1 as a percentage. */
export function percent(share, digits = 0) {
  return `${rounded(100 * share, digits)} %`;
}

/** A whole number with separators of thousands. */
export function whole(number) {
  return Math.round(number).toLocaleString("en");
}

/** A number in few characters: 950, 1.2k, 35k, 4.1M. */
export function short(number) {
  const scaled = (by, unit) => {
    const value = number / by;
    return `${value < 10 ? value.toFixed(1) : Math.round(value)}${unit}`;
  };
  if (number < 1000) return `${Math.round(number)}`;
  return number < 999_500 ? scaled(1e3, "k") : scaled(1e6, "M");
}

/** Milliseconds for which a message is shown. */
const SHOWN = 6000;

let hiding = 0;

/** Shows a message to everyone; screen readers read it. */
export function say(text, isFault = false) {
  const said = document.getElementById("said");
  said.textContent = text;
  said.classList.toggle("fault", isFault);
  clearTimeout(hiding);
  hiding = setTimeout(() => (said.textContent = ""), isFault ? 2 * SHOWN : SHOWN);
}

/** Shows an error as a message, unless something was only stopped. */
export function sayFault(fault) {
  if (fault.name !== "AbortError") say(fault.message, true);
}
