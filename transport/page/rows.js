/* A long list of which only the rows that are seen are drawn. */

import {element} from "./elements.js";

const ROW_PX = 36;
/* Above and below what is seen, so that a scroll finds rows already there. */
const SPARE_ROWS = 10;

/** Rows of one height in an element that scrolls; `draw(item)` returns the element of an item. */
export class Rows {
  #items = [];

  constructor(container, draw) {
    this.container = container;
    this.draw = draw;
    this.sheet = element("div.sheet");
    container.replaceChildren(this.sheet);
    container.addEventListener("scroll", () => this.#drawVisible());
  }

  /** Show these items in place of those before. */
  show(items) {
    this.#items = items;
    this.sheet.style.height = `${items.length * ROW_PX}px`;
    this.#drawVisible();
  }

  #drawVisible() {
    const first = Math.max(0, Math.floor(this.container.scrollTop / ROW_PX) - SPARE_ROWS);
    const count = Math.ceil(this.container.clientHeight / ROW_PX) + 2 * SPARE_ROWS;
    const rows = this.#items.slice(first, first + count).map((item, at) => {
      const row = this.draw(item);
      row.style.top = `${(first + at) * ROW_PX}px`;
      return row;
    });
    this.sheet.replaceChildren(...rows);
  }
}
