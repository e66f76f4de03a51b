// What the keys do, as a window.

import { button, el } from "../dom.js";

/** Shows what the keys do.
 * @param {{names: string[], text: string}[]} keys
 * @param {boolean} hasLetters whether those of a single letter are on
 */
export function showKeys(keys, hasLetters) {
  const row = ({ names, text }) => {
    const shown = names.flatMap((name, at) => [at > 0 ? " " : null, el("kbd", {}, name)]);
    return el("tr", {}, el("th", { scope: "row" }, shown), el("td", {}, text));
  };
  const off = "Keys of a single letter, space and ? are switched off, beside Keys on the page.";
  const dialog = /** @type {HTMLDialogElement} */ (
    el(
      "dialog",
      { "aria-labelledby": "keys-title", class: "help" },
      el("h2", { id: "keys-title" }, "Keys"),
      hasLetters ? null : el("p", { class: "note" }, off),
      el("table", {}, el("tbody", {}, keys.map(row))),
      el("div", { class: "buttons" }, button("Close", () => dialog.close(), { class: "primary" })),
    )
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
