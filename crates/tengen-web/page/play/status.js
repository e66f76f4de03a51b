// The texts beside the board: who plays, who moves, the result, the comment.

import { button, el } from "../dom.js";
import { nodeOf } from "./line.js";
import { canMark, isOver, outcome, playerName, searches, showsArea } from "./state.js";
import { colorName, deadInWords, inWords, scoreInWords } from "./text.js";

/** @import { Action, Player, State } from "./types.js" */

/** Result or turn, with the conditions or the score.
 * @param {State} state
 */
export function statusLines(state) {
  const result = outcome(state);
  const turn = `${colorName(state.position.to_play)} to play`;
  const known = result !== "" ? inWords(result) : turn;
  const conditions = `komi ${state.position.komi}, rules ${state.rules}`;
  const remark =
    state.remark === "" ? conditions : `${state.moves[state.place - 1]}: ${state.remark}`;
  const score = showsArea(state) ? scoreInWords(state) : remark;
  const lines = [el("strong", {}, known), el("span", {}, score)];
  const dead = canMark(state) ? el("span", { class: "dead" }, deadInWords(state, result)) : null;
  return dead === null ? lines : [...lines, dead];
}

/** Draws who plays with one colour.
 * @param {HTMLElement} box
 * @param {State} state
 * @param {Player} player
 */
export function drawPlayer(box, state, player) {
  const { position } = state;
  const isTurn = position?.to_play === player && !isOver(state);
  const isThinking = isTurn && searches(state)[0]?.purpose === "move";
  const taken = position?.captures[player === "black" ? 0 : 1] ?? 0;
  const name = playerName(state, player);
  box.classList.toggle("turn", isTurn);
  box.classList.toggle("thinking", isThinking);
  const key = `${name} ${taken}`;
  if (box.dataset.shown === key) return;
  box.dataset.shown = key;
  box.replaceChildren(
    el("span", { class: `bowl ${player}`, "aria-hidden": "true" }),
    el("span", { class: "name", title: name }, `${colorName(player)}: `, name),
    el("span", { class: "taken" }, `${taken} captured`),
  );
}

/** The comment on the shown position, which the person can edit. */
export class CommentBox {
  /** @param {(action: Action) => Promise<void>} dispatch */
  constructor(dispatch) {
    this.dispatch = dispatch;
    this.text = el("p", { class: "comment", hidden: true });
    this.edit = button("Comment", () => this.open(), { "aria-expanded": "false" });
    this.field = /** @type {HTMLTextAreaElement} */ (
      el("textarea", { rows: "3", "aria-label": "Comment on this position" })
    );
    this.submit = el("button", { type: "submit", class: "primary" }, "Keep the comment");
    this.form = el(
      "form",
      { class: "comment-form", hidden: true, onsubmit: (event) => this.keep(event) },
      this.field,
      this.submit,
      button("Cancel", () => this.close()),
    );
    /** @type {State | null} what is shown */
    this.state = null;
    /** The node whose comment the form has, and the moves to it. */
    this.node = 0;
    this.moves = "";
  }

  open() {
    const isOpen = this.form.hidden;
    this.form.hidden = !isOpen;
    this.edit.setAttribute("aria-expanded", String(isOpen));
    if (!isOpen) return;
    this.node = nodeOf(this.state);
    this.moves = movesTo(this.state.tree, this.node);
    this.field.value = this.text.textContent;
    this.name();
    this.field.focus();
  }

  close() {
    if (!this.form.hidden) this.open();
  }

  /** @param {SubmitEvent} event */
  async keep(event) {
    event.preventDefault();
    await this.dispatch({ type: "comment", text: this.field.value, node: this.node });
    this.close();
    this.edit.focus();
  }

  /** @param {State} state */
  show(state) {
    this.state = state;
    const comment = state.comments[state.place] ?? "";
    this.text.hidden = comment === "";
    this.text.textContent = comment;
    if (this.form.hidden) return;
    // A comment belongs to the position in which the person began to write it, also when a bot has
    // moved since.
    const isChanged = this.field.value !== (state.tree[this.node]?.comment ?? "");
    const isThere = movesTo(state.tree, this.node) === this.moves;
    if (this.node !== nodeOf(state) && !(isChanged && isThere)) this.close();
    this.name();
  }

  /** Names the position of the form, if it is not the shown one. */
  name() {
    const isShown = this.node === nodeOf(this.state);
    const number = this.moves.split(" ").length - 1;
    const where = isShown ? "" : number === 0 ? " on the start" : ` on move ${number}`;
    this.submit.textContent = `Keep the comment${where}`;
    this.field.setAttribute("aria-label", `Comment${where || " on this position"}`);
  }
}

/** The moves from the root to a node, each after a space; none if there is no such node.
 * @param {State["tree"]} tree
 * @param {number} id
 * @returns {string}
 */
function movesTo(tree, id) {
  if (id === 0 || tree[id] === undefined) return "";
  return `${movesTo(tree, tree[id].parent)} ${tree[id].move}`;
}
