// The wheel over a board, which walks through the game.

/** Pixels of wheel movement for one move, and the wheel's other units in pixels. */
const NOTCH = 60;
const WHEEL_UNITS = [1, 30, 400];

/** Calls `walk` with 1 or -1 for each move that the wheel turns over `element`, unless there is no
 * game to walk through.
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
    // In some browsers a notch of the wheel is more than NOTCH pixels; it still is one move.
    walk(Math.sign(turned));
    turned = 0;
  };
  // Only a listener that is not passive can prevent scrolling.
  element.addEventListener("wheel", turn, { passive: false });
}
