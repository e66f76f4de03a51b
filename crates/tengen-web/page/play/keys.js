// The keys of the board. Those of a single letter can be switched off, since they are in the
// way of people who speak to their computer.

/** Where the browser keeps whether they are off. */
const KEPT = "tengen-letter-keys";

export class Keys {
  /** @param {any} view */
  constructor(view) {
    this.view = view;
    this.isOn = read() !== "off";
  }

  /** Switches the keys of a single letter on or off.
   * @param {boolean} isOn
   */
  turn(isOn) {
    this.isOn = isOn;
    try {
      localStorage.setItem(KEPT, isOn ? "on" : "off");
    } catch {
      // A browser that keeps nothing forgets it.
    }
  }

  /** @param {KeyboardEvent} event */
  take(event) {
    const target = /** @type {Element} */ (event.target);
    const typing = target.closest?.("input, select, textarea, dialog");
    if (typing || event.ctrlKey || event.altKey || event.metaKey) return;
    const { view } = this;
    if (event.key.startsWith("Arrow") && !target.closest?.(".goban")) {
      if (target.closest?.(".scroll, summary")) return;
      view.boards[0].element.focus();
      view.boards[0].key(event);
      return;
    }
    if (!this.isOn) return;
    const onButton = target.closest?.("button, a, summary");
    const keys = {
      p: () => view.dispatch({ type: "play", move: "pass" }),
      u: () => view.dispatch({ type: "undo" }),
      r: () => view.dispatch({ type: "redo" }),
      n: () => view.newGame(),
      " ": onButton ? null : () => view.dispatch({ type: "analyse" }),
    };
    const done = Object.hasOwn(keys, event.key) && keys[event.key];
    if (!done) return;
    event.preventDefault();
    done();
  }
}

function read() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}
