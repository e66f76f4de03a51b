// Records that are dropped on the page or pasted: files, in any charset, or text.

import { openRecord, readRecord } from "./record.js";

/** @import { Action } from "./types.js" */

/** Takes records until `signal`.
 * @param {(action: Action) => Promise<void>} dispatch
 * @param {AbortSignal} signal
 */
export function takeRecords(dispatch, signal) {
  const take = async (/** @type {DataTransfer} */ data, /** @type {string} */ how) => {
    const [file] = data.files;
    const text = data.getData("text/plain");
    if (file) await openRecord(dispatch, file);
    else if (text.trim() !== "") await readRecord(dispatch, `what was ${how}`, text);
  };
  const isOver = (/** @type {boolean} */ is) => document.body.classList.toggle("dropping", is);
  document.addEventListener(
    "dragover",
    (event) => {
      if (!event.dataTransfer) return;
      // Without this the browser would leave the page for the file.
      event.preventDefault();
      isOver(true);
    },
    { signal },
  );
  const leave = (/** @type {DragEvent} */ event) => event.relatedTarget ?? isOver(false);
  document.addEventListener("dragleave", leave, { signal });
  document.addEventListener(
    "drop",
    (event) => {
      event.preventDefault();
      isOver(false);
      if (event.dataTransfer) take(event.dataTransfer, "dropped");
    },
    { signal },
  );
  document.addEventListener(
    "paste",
    (event) => {
      const target = /** @type {Element} */ (event.target);
      if (target.closest?.("input, select, textarea, dialog") || !event.clipboardData) return;
      event.preventDefault();
      take(event.clipboardData, "pasted");
    },
    { signal },
  );
  signal.addEventListener("abort", () => isOver(false));
}
