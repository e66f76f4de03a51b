// A window with the keys and their actions.

import { button, el } from "../dom.js";

/** Shows what the keys do.
 * @param {{names: string[], text: string}[]} keys
 * @param {boolean} hasLetters whether keys of a single letter are on
 */
export function showKeys(keys, hasLetters) {
  const row = ({ names, text }) => {
    const shown = names.flatMap((name, at) => [at > 0 ? " " : null, el("kbd", {}, name)]);
    return el("tr", {}, el("th", { scope: "row" }, shown), el("td", {}, text));
  };
  const off = "Keys of a single letter, space and ? are off: a checkbox on the page turns them on.";
  const dialog = /** @type {HTMLDialogElement} */ (
    el(
      "dialog",
      { "aria-labelledby": "keys-title", class: "help" },
      // The focus is at the top, so that a low window shows the table from its beginning.
      el("h2", { id: "keys-title", tabindex: "-1", autofocus: true }, "Keys"),
      hasLetters ? null : el("p", { class: "note" }, off),
      el("table", {}, el("tbody", {}, keys.map(row))),
      el("div", { class: "buttons" }, button("Close", () => dialog.close(), { class: "primary" })),
    )
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
