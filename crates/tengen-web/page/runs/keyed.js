// Updates the page without disturbing its reader: parts that have the focus, are selected, open or
// scrolled stay as they are.

/** Whether the reader has the focus in `node`, or has selected part of it.
 * @param {Node} node
 */
export function isRead(node) {
  return node.contains(document.activeElement) || isSelected(node);
}

/** @param {Node} node */
function isSelected(node) {
  const selection = document.getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(node, true);
}

/** Texts that wait until their node is no longer selected.
 * @type {Map<Node, string>}
 */
const late = new Map();

document.addEventListener("selectionchange", () => {
  for (const [node, text] of [...late]) {
    if (isSelected(node)) continue;
    late.delete(node);
    node.textContent = text;
  }
});

/** Writes a text into `node`, later if it is selected.
 * @param {Node} node
 * @param {string | number} value
 */
export function write(node, value) {
  const text = String(value);
  late.delete(node);
  if (node.textContent === text) return;
  if (node.isConnected && isSelected(node)) late.set(node, text);
  else node.textContent = text;
}

/** The children that `keep` has made, by parent.
 * @type {WeakMap<Element, Map<string | number, Element>>}
 */
const children = new WeakMap();

/** Gives `parent` a child for each of `items`, in their order. A child stays as long as an item has
 * its key, and `update` changes it; a child that somebody reads stays in its place.
 * @template T
 * @param {Element} parent
 * @param {T[]} items
 * @param {(item: T) => string | number} keyOf
 * @param {(item: T) => Element} create
 * @param {(node: any, item: T) => void} update
 */
export function keep(parent, items, keyOf, create, update = () => {}) {
  /** @type {Map<string | number, Element>} */
  const known = children.get(parent) ?? new Map();
  children.set(parent, known);
  const wanted = new Set(items.map(keyOf));
  for (const [key, node] of known) {
    if (wanted.has(key) || isRead(node)) continue;
    node.remove();
    known.delete(key);
  }
  let place = parent.firstElementChild;
  for (const item of items) {
    const old = known.get(keyOf(item));
    const node = old ?? create(item);
    // A new child is written before it joins the document: asking for the selection costs a layout.
    update(node, item);
    if (old && (node === place || isRead(node))) {
      place = node.nextElementSibling;
      continue;
    }
    known.set(keyOf(item), node);
    parent.insertBefore(node, place);
  }
}

/** A cell may cut off a text of more characters: its title then has the whole text. */
const LONG = 30;

/** Writes texts into the cells of a row, which has one for each.
 * @param {Element} row
 * @param {(string | number)[]} texts
 */
export function writeCells(row, texts) {
  texts.forEach((text, at) => {
    const cell = /** @type {HTMLElement} */ (row.children[at]);
    write(cell, text);
    if (String(text).length > LONG) cell.title = String(text);
  });
}
