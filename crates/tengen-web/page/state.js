// The state of the page in its address, so that a link leads to the same position.

/** What the address says where it says nothing. */
const DEFAULTS = {
  size: "5x5",
  komi: "",
  rules: "tengen",
  handicap: "0",
  setup: "",
  first: "black",
  moves: "",
  at: "",
  black: "person",
  white: "two-ply",
  resigned: "",
  run: "",
  game: "",
  a: "uct",
  b: "",
};

/** The view and the state that the address holds. */
export function readAddress() {
  const [path, query = ""] = location.hash.replace(/^#/, "").split("?");
  const given = Object.fromEntries(new URLSearchParams(query));
  const view = path.replace(/^\//, "") || "play";
  return { view, given, state: { ...DEFAULTS, ...given } };
}

/** The address of `view` with `state`, without what is as it is by default. */
export function address(view, state) {
  const kept = Object.entries(state).filter(
    ([key, value]) => value !== "" && value !== null && String(value) !== DEFAULTS[key],
  );
  const query = new URLSearchParams(kept).toString();
  return `#/${view}${query ? `?${query}` : ""}`;
}

/** Writes the state to the address, without an entry in the history. */
export function writeAddress(view, state) {
  const hash = address(view, state);
  if (hash !== location.hash) history.replaceState(null, "", hash);
}

/** The moves of the state as a list. */
export function tokens(moves) {
  return moves.split(".").filter((token) => token !== "");
}
