// The wheel over a board, which walks through the game.

/** Pixels that a wheel is turned by for one move, and what its other units are in pixels. */
const NOTCH = 60;
const WHEEL_UNITS = [1, 30, 400];

/** Calls `walk` with 1 or -1 where the wheel is turned over `element` by a move, unless there is
 * no game to walk through.
 * @param {Element} element
 * @param {() => boolean} hasGame
 * @param {(by: number) => void} walk
 */
export function listenToWheel(element, hasGame, walk) {
  let turned = 0;
  const turn = (/** @type {WheelEvent} */ event) => {
    if (event.ctrlKey || event.deltaY === 0 || !hasGame()) return;
    event.preventDefault();
    if (Math.sign(turned) !== Math.sign(event.deltaY)) turned = 0;
    turned += event.deltaY * (WHEEL_UNITS[event.deltaMode] ?? 1);
    if (Math.abs(turned) < NOTCH) return;
    // A notch of a wheel is more than this in some browsers, and still one move.
    walk(Math.sign(turned));
    turned = 0;
  };
  // Only a listener that is not passive can keep the page from scrolling.
  element.addEventListener("wheel", turn, { passive: false });
}
