// The board as an SVG file that needs no style sheet.

/** The properties that style sheets set, with the default values, which are not written. */
const SHAPE = {
  fill: "",
  "fill-opacity": "1",
  stroke: "none",
  "stroke-width": "1px",
  "stroke-dasharray": "none",
  opacity: "1",
};
const TEXT = {
  "font-family": "",
  "font-size": "",
  "font-weight": "400",
  "text-anchor": "start",
  "dominant-baseline": "auto",
  "paint-order": "normal",
};

/** The parts of the board that a picture leaves out. */
const LEFT_OUT = ".points, .ghost";

/** The board as it is seen, as SVG with the colours of this page.
 * @param {SVGSVGElement} board
 */
export function toPicture(board) {
  const picture = /** @type {SVGSVGElement} */ (board.cloneNode(true));
  const shapes = picture.querySelectorAll("*");
  board.querySelectorAll("*").forEach((shown, at) => {
    if (!shown.closest(LEFT_OUT)) dress(/** @type {SVGElement} */ (shapes[at]), shown);
  });
  for (const part of picture.querySelectorAll(LEFT_OUT)) part.remove();
  const label = board.getAttribute("aria-label");
  const { width, height } = board.viewBox.baseVal;
  for (const { name } of [...picture.attributes]) {
    if (name !== "viewBox") picture.removeAttribute(name);
  }
  picture.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  picture.setAttribute("width", String(width));
  picture.setAttribute("height", String(height));
  const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
  title.textContent = label;
  picture.prepend(title);
  return `${new XMLSerializer().serializeToString(picture)}\n`;
}

/** Writes the style of `shown` into `shape`.
 * @param {SVGElement} shape
 * @param {Element} shown
 */
function dress(shape, shown) {
  const style = getComputedStyle(shown);
  const isGroup = ["g", "defs", "radialGradient", "stop"].includes(shape.localName);
  const usual = isGroup ? { opacity: "1" } : SHAPE;
  const all = shape.localName === "text" ? { ...usual, ...TEXT } : usual;
  for (const [name, plain] of Object.entries(all)) {
    const value = style.getPropertyValue(name);
    if (value !== plain) shape.setAttribute(name, value.replaceAll('"', ""));
  }
  for (const name of ["class", "aria-hidden"]) shape.removeAttribute(name);
}
