/* One session as it is shown: a row for each call, live; the details of the call that the address names. It is read in session_reader.js. */

import {lengthOf, rowOf} from "./call_row.js";
import {savedBy, statusOf} from "./calls.js";
import {savedChart} from "./chart.js";
import {coalesced} from "./coalesce.js";
import {detailElements} from "./details.js";
import {count, element, timeOf} from "./elements.js";
import {Rows} from "./rows.js";
import {SessionReader} from "./session_reader.js";

const TICK_MS = 500;

/** One session as it is shown. */
export class SessionView {
  #opened = "";
  #showSums = coalesced(() => this.#drawSums());
  #showDetails = coalesced(() => this.#drawDetails());

  constructor(view, id, signal, attempt) {
    this.reader = new SessionReader(id, signal);
    this.address = `#/sessions/${encodeURIComponent(id)}`;
    this.signal = signal;
    this.attempt = attempt;
    this.text = element("input", {type: "search", placeholder: "tool, argument"});
    this.tool = element("select", {}, element("option", {value: ""}, "all tools"));
    this.failed = element("input", {type: "checkbox"});
    this.summary = element("p");
    this.chart = element("div");
    this.list = element("div.calls");
    this.details = element("div.details");
    const filter = element("form.filter", {}, element("label", {}, "Find ", this.text), this.tool, element("label", {}, this.failed, " failed"));
    filter.addEventListener("input", () => this.#draw());
    filter.addEventListener("submit", (event) => event.preventDefault());
    const legend = element("p.legend.of-bars", {}, "A bar is as long as the call: the server's time, and lighter that of the summary.");
    view.replaceChildren(element("p", {}, element("a", {href: "#/sessions"}, "All sessions")), this.summary, this.chart, filter, legend, this.list, this.details);
    this.rows = new Rows(this.list, (call) => rowOf(call, this.drawn));
  }

  /** Show the session and what happens in it, until its signal ends it. */
  async run() {
    const ticking = setInterval(() => this.#tick(), TICK_MS);
    this.signal.addEventListener("abort", () => clearInterval(ticking));
    await this.reader.readEvents(() => this.#draw());
    // What happens is followed even where these fail, as the connection may have broken off.
    this.attempt(() => this.#showDetails());
    this.attempt(() => this.#showSums());
    await this.reader.follow((callId, isEvent) => this.#showNews(callId, isEvent));
  }

  /** Show the details of an event, and of the others of its call; "": of none. */
  open(eventId) {
    this.#opened = eventId;
    this.attempt(async () => {
      await this.#showDetails();
      if (eventId) this.details.scrollIntoView({block: "nearest"});
    });
    this.#draw();
  }

  get #openedCall() {
    return this.reader.calls.ofEvent(this.#opened);
  }

  #showNews(callId, isEvent) {
    if (isEvent) this.attempt(() => this.#showSums());
    this.#draw();
    if (this.#openedCall?.id === callId) this.attempt(() => this.#showDetails());
  }

  /* While a call is under way, its bar grows. */
  #tick() {
    if (this.reader.calls.known.some((call) => statusOf(call) === "streaming")) this.#draw();
  }

  #draw() {
    const shown = this.reader.calls.matching({text: this.text.value, tool: this.tool.value, failed: this.failed.checked});
    const now = Date.now();
    const longest = Math.max(1, ...shown.map((call) => lengthOf(call, now)));
    this.drawn = {address: this.address, now, longest, opened: this.#openedCall};
    this.rows.show(shown);
    this.chart.replaceChildren(...[savedChart(shown.map(savedPoint))].filter(Boolean));
    const known = [...this.tool.options].map((option) => option.value);
    this.tool.append(...this.reader.calls.tools.filter((tool) => !known.includes(tool)).map((tool) => element("option", {value: tool}, tool)));
  }

  async #drawSums() {
    const {name, id, created_at: begun, selection, sums} = await this.reader.sums();
    const parts = [
      name || id,
      `since ${timeOf(begun)}`,
      `calls: ${count(sums.calls)}, failed: ${count(sums.failed_calls)}`,
      `${count(sums.tokens_before)} to ${count(sums.tokens_after)} tokens`,
      `answers of the model: ${count(sums.interactions)}`,
      `$${sums.cost_usd.toFixed(4)}`,
      `servers: ${(selection.servers ?? []).map((server) => server.name).join(", ") || "all"}`,
    ];
    this.summary.textContent = parts.join(" · ");
  }

  async #drawDetails() {
    const [call, opened] = [this.#openedCall, this.#opened];
    this.details.replaceChildren(...(call ? await detailElements(call, (event) => this.reader.body(event), this.address, opened) : []));
  }
}

function savedPoint(call) {
  return {at: Date.parse(call.call.created_at), saved: savedBy(call)};
}
