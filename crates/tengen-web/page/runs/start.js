// The form that starts a run, made from the JSON Schemas of its settings.

import { address } from "../address.js";
import { ask, experiments } from "../backend.js";
import { button, el, sayFault } from "../dom.js";
import { BotField, field } from "../play/setup.js";
import { write } from "./keyed.js";

/** @import { Offer } from "../play/setup.js"
 *
 * @typedef {{key: string, element: HTMLElement, read: () => any}} Input the field of a setting; its value is
 *   undefined where it is left empty
 *
 * @typedef {object} Kind a kind of run
 * @property {string} name
 * @property {{properties: Record<string, any>}} schema
 * @property {Record<string, any>} first the default settings
 * @property {string[]} main the settings that matter most
 */

/** The bots of a new tournament in the form; the command's default has many more. */
const BOTS = ["uct", "two-ply"];

/** Milliseconds after the last change until the form asks how much the run plays. */
const CALM = 300;

/** A free name for a new run of `kind`, not among `taken`: the date and the kind.
 * @param {string} kind
 * @param {string[]} taken
 */
export function freeName(kind, taken, now = new Date()) {
  const name = `${now.toISOString().slice(0, 10)}-${kind}`;
  let free = name;
  for (let number = 2; taken.includes(free); number += 1) free = `${name}-${number}`;
  return free;
}

/** The key of a setting as a label.
 * @param {string} key
 */
export function labelOf(key) {
  return (key[0].toUpperCase() + key.slice(1)).replaceAll("_", " ");
}

/** The meaning and the default in a description.
 * @param {string} description
 */
export function helpOf(description) {
  const [, meaning, standard = ""] = /^(.*?)(?: \[default: (.*)\])?$/s.exec(description);
  return { meaning, standard };
}

/** A text as a value of `type`; unchanged if it is no such value, so that the program refuses it.
 * @param {string | undefined} type
 * @param {string} text
 */
export function valueOf(type, text) {
  if (type === "boolean") return text === "true";
  const number = Number(text);
  const isWanted = type === "integer" ? Number.isSafeInteger(number) : type === "number" && Number.isFinite(number);
  return isWanted ? number : text;
}

/** The table of lines NAME=VALUE.
 * @param {string[]} lines
 */
export function tableOf(lines) {
  return Object.fromEntries(lines.map((line) => {
    const [name, ...value] = line.split("=");
    return [name.trim(), value.join("=").trim()];
  }));
}

/** The range of a number in words. */
function rangeOf({ minimum, maximum, exclusiveMinimum }) {
  const least = minimum ?? (exclusiveMinimum === undefined ? null : `above ${exclusiveMinimum}`);
  if (least === null) return "";
  return maximum === undefined ? ` (at least ${least})` : ` (${least} to ${maximum})`;
}

/** Several bots, each in a field of its own.
 * @param {Offer[]} offers
 * @param {string[]} first
 * @param {() => void} onChange
 * @returns {Input}
 */
function botList(offers, first, onChange) {
  /** @type {Set<BotField>} */
  const bots = new Set();
  const list = el("div");
  let added = 0;
  const add = (/** @type {string} */ spec) => {
    const label = `Bot ${(added += 1)}`;
    const bot = new BotField(label, offers, spec, { withAll: true, onChange });
    const remove = () => {
      bots.delete(bot);
      bot.element.remove();
      onChange();
    };
    bots.add(bot);
    bot.element.append(button("Remove", remove, { "aria-label": `Remove ${label}` }));
    list.append(bot.element);
    onChange();
  };
  first.forEach(add);
  const more = button("Add a bot", () => add("uct"));
  const element = el("fieldset", { class: "bots" }, el("legend", {}, "Bots"), list, more);
  return { key: "bot", element, read: () => [...bots].map(({ value }) => value) };
}

/** The field of the setting `key`, with the initial value `first`; its help is below it unless it
 * `isMain`.
 * @param {string} key
 * @param {any} schema
 * @param {any} first
 * @param {boolean} isMain
 * @param {Offer[]} offers
 * @param {() => void} onChange
 * @returns {Input}
 */
function inputOf(key, schema, first, isMain, offers, onChange) {
  const { anyOf: isList, description } = schema;
  const single = isList?.[0] ?? schema;
  const { meaning, standard } = helpOf(description);
  if (key === "bot" && isList) return botList(offers, first, onChange);
  if (key === "bot") {
    const bot = new BotField("Bot", offers, first ?? standard, { onChange });
    return { key, element: bot.element, read: () => bot.value || undefined };
  }
  const { type, enum: names = type === "boolean" ? ["true", "false"] : null } = single;
  const isTable = type === "object";
  const isLong = isTable || isList && !names && type !== "integer";
  const tag = names ? "select" : isLong ? "textarea" : "input";
  const options = names?.map((/** @type {string} */ name) => el("option", { value: name }, name)) ?? [];
  if (names) options.unshift(el("option", { value: "" }, `default: ${standard || "none"}`));
  const placeholder = names ? null : standard;
  const input = /** @type {HTMLInputElement} */ (
    el(tag, { placeholder, autocomplete: "off", spellcheck: "false", onchange: onChange }, options)
  );
  const lines = isTable ? Object.entries(first ?? {}).map((pair) => pair.join("=")) : [first ?? ""];
  input.value = lines.join("\n");
  const element = field(labelOf(key), input);
  const help = meaning + rangeOf(single);
  if (isMain && !isLong) {
    input.title = help;
  } else {
    const note = el("p", { class: "note", id: `${input.id}-help` }, help);
    input.setAttribute("aria-describedby", note.id);
    element.append(note);
  }
  const read = () => {
    const given = input.value.split("\n").map((line) => line.trim()).filter((line) => line !== "");
    if (given.length === 0) return undefined;
    if (isTable) return tableOf(given);
    const values = given.map((line) => valueOf(type, line));
    return values.length > 1 ? values : values[0];
  };
  return { key, element, read };
}

/** The form of one kind of run. */
class Form {
  /** @param {Kind} kind
   * @param {Offer[]} offers
   * @param {() => void} onChange
   */
  constructor({ name, schema: { properties }, first, main }, offers, onChange) {
    // A setting that is a table of several values does not fit one field.
    const isLine = (key) => !properties[key].anyOf?.[0].title?.startsWith("a table of");
    const others = Object.keys(properties).filter((key) => !main.includes(key) && isLine(key));
    const [shown, hidden] = [main, others].map((keys) => keys.map((/** @type {string} */ key) => {
      const own = key === "bot" && name === "tournament" ? BOTS : first[key];
      return inputOf(key, properties[key], own, keys === main, offers, onChange);
    }));
    /** @type {Input[]} */
    this.inputs = [...shown, ...hidden];
    const elements = (/** @type {Input[]} */ inputs) => inputs.map(({ element }) => element);
    const more = el("div", { class: "settings" }, elements(hidden));
    this.more = el("details", { open: shown.length === 0 }, el("summary", {}, "More settings"), more);
    this.element = el("div", { class: "settings" }, elements(shown), this.more);
  }

  /** The settings that are given. */
  read() {
    const given = this.inputs.map(({ key, read }) => [key, read()]);
    return Object.fromEntries(given.filter(([, value]) => value !== undefined));
  }

  /** Marks the field that `fault` names, and moves the focus there if `isWanted`.
   * @param {string} fault
   * @param {boolean} isWanted
   */
  mark(fault, isWanted) {
    for (const { key, element } of this.inputs) {
      const isWrong = fault.includes(`\`${key}\``);
      const input = /** @type {HTMLElement} */ (element.querySelector("input:not([hidden]), select, textarea"));
      input?.setAttribute("aria-invalid", String(isWrong));
      if (!isWrong || !isWanted) continue;
      if (this.more.contains(element)) this.more.setAttribute("open", "");
      input?.focus();
    }
  }
}

/** Shows the form of a new run.
 * @param {Kind[]} kinds
 * @param {() => string[]} names of the runs that there are
 */
async function showStart(kinds, names) {
  /** @type {Offer[]} */
  const offers = await ask("bots");
  const options = kinds.map((own) => el("option", { value: own.name }, own.name));
  const kind = /** @type {HTMLSelectElement} */ (el("select", { onchange: () => choose() }, options));
  const name = /** @type {HTMLInputElement} */ (
    el("input", { autocomplete: "off", spellcheck: "false", onchange: () => change() })
  );
  const plan = el("p", { class: "note plan", role: "status" });
  const fault = el("p", { class: "fault", role: "alert" });
  const place = el("div");
  /** @type {Map<string, Form>} what was typed stays when another kind is looked at */
  const forms = new Map();
  const form = () => forms.get(kind.value);
  let last = 0;
  let waiting = 0;
  /** Sends the form by `request`, and shows its answer or error unless a later request was sent. */
  const send = async (request, onAnswer, isWanted) => {
    clearTimeout(waiting);
    last += 1;
    const own = last;
    const say = (text, why) => {
      if (own !== last) return;
      write(plan, text);
      write(fault, why);
      form().mark(why, isWanted);
    };
    try {
      say(onAnswer(await request(kind.value, { name: name.value.trim(), ...form().read() })), "");
    } catch (why) {
      say("", why.message);
    }
  };
  const told = (answer) => `This run has ${answer.plan}. Its page tells the time that is left.`;
  const change = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => send(experiments.plan, told, false), CALM);
  };
  const choose = () => {
    const own = kinds.find((one) => one.name === kind.value);
    if (!form()) forms.set(kind.value, new Form(own, offers, change));
    name.value = freeName(kind.value, names());
    place.replaceChildren(form().element);
    change();
  };
  const begun = (answer) => {
    dialog.close();
    location.hash = address("run", answer);
    return "";
  };
  const onsubmit = async (event) => {
    event.preventDefault();
    start.disabled = true;
    write(plan, "Starting…");
    await send(experiments.start, begun, true);
    start.disabled = false;
  };
  const start = /** @type {HTMLButtonElement} */ (el("button", { type: "submit", class: "primary" }, "Start"));
  const dialog = /** @type {HTMLDialogElement} */ (
    el(
      "dialog",
      { "aria-labelledby": "start-title", class: "start" },
      el(
        "form",
        { method: "dialog", onsubmit },
        el("h2", { id: "start-title" }, "New run"),
        el("div", { class: "pair" }, field("Kind", kind), field("Name", name)),
        place,
        plan,
        fault,
        el("div", { class: "buttons" }, start, button("Cancel", () => dialog.close())),
      ),
    )
  );
  dialog.addEventListener("close", () => dialog.remove());
  // Going back closes the form too.
  addEventListener("hashchange", () => dialog.close(), { once: true });
  choose();
  document.body.append(dialog);
  dialog.showModal();
}

/** A button that shows the form; it appears if the server allows starting runs.
 * @param {() => string[]} names of the runs that there are
 */
export function startButton(names) {
  /** @type {Kind[]} */
  let kinds = [];
  const open = () => showStart(kinds, names).catch(sayFault);
  const element = button("New run", open, { class: "primary", hidden: true });
  experiments?.list().then((answer) => {
    kinds = answer.kinds;
    element.hidden = !answer.allowed;
  }).catch(sayFault);
  return element;
}
