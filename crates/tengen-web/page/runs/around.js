// Links from a game of a run to its neighbours, and back to the run.

import { address } from "../address.js";
import { el } from "../dom.js";
import { filterOf, gameAddress } from "./games.js";

/** Which link was followed, so that it has the focus again in the next game. */
let followed = "";

/** The links around a game of a run. */
export class AroundGame {
  /** @param {{run: string, game: string, filter: string}} place */
  constructor(place) {
    const { run, game, filter } = place;
    this.place = place;
    this.run = run;
    this.filter = filterOf(Object.fromEntries(new URLSearchParams(filter)));
    const back = address("run", { name: run, ...this.filter });
    this.here = el("span", {}, `game ${game}`);
    this.back = el("a", { href: gameAddress(run, Number(game), this.filter), hidden: true }, `Game ${game} as it was played`);
    this.previous = this.link("Previous game");
    this.next = this.link("Next game");
    this.element = el(
      "nav",
      { class: "around", "aria-label": "Games of the run" },
      el("a", { href: back }, `Back to ${run}`),
      this.here,
      this.back,
      this.previous,
      this.next,
    );
  }

  /** @param {string} label */
  link(label) {
    const link = el("a", { "aria-disabled": "true", role: "link" }, label);
    link.addEventListener("click", () => {
      followed = label;
    });
    return link;
  }

  /** Shows the links as long as the shown line began in this game.
   * @param {{run: string, game: string} | null} origin of the line
   * @param {boolean} isPlayed whether it is the game itself
   */
  follow(origin, isPlayed) {
    this.element.hidden = origin?.run !== this.place.run || origin.game !== this.place.game;
    this.here.hidden = !isPlayed;
    this.back.hidden = isPlayed;
  }

  /** @param {{previous: number | null, next: number | null}} neighbours */
  show({ previous, next }) {
    for (const [link, game] of /** @type {[HTMLElement, number | null][]} */ ([
      [this.previous, previous],
      [this.next, next],
    ])) {
      if (game === null) continue;
      link.setAttribute("href", gameAddress(this.run, game, this.filter));
      link.removeAttribute("aria-disabled");
      link.removeAttribute("role");
      if (link.textContent === followed) link.focus();
    }
    followed = "";
  }
}
