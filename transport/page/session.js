/* One session: a row for each call with a bar as long as its time, live; the details of the call that the address names. */

import {Calls, durationsOf, savedBy, statusOf, toolOf} from "./calls.js";
import {savedChart} from "./chart.js";
import {coalesced} from "./coalesce.js";
import {detailElements} from "./details.js";
import {count, element, timeOf} from "./elements.js";
import {follow} from "./event_stream.js";
import {Rows} from "./rows.js";
import {request} from "./service.js";

const TICK_MS = 500;

/** One session as it is shown. */
export class SessionView {
  #calls = new Calls();
  #opened = "";
  #bodies = new Map();
  #readSums = coalesced(() => this.#showSums());
  #showDetails = coalesced(() => this.#drawDetails());

  constructor(view, id, signal, attempt) {
    this.path = `api/v1/sessions/${encodeURIComponent(id)}`;
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
    const legend = element("p.legend", {}, "A bar is as long as the call: the server's time, and lighter that of the summary.");
    view.replaceChildren(element("p", {}, element("a", {href: "#/sessions"}, "All sessions")), this.summary, this.chart, filter, legend, this.list, this.details);
    this.rows = new Rows(this.list, (call) => this.#row(call));
  }

  /** Show the session and what happens in it, until its signal ends it. */
  async run() {
    const ticking = setInterval(() => this.#tick(), TICK_MS);
    this.signal.addEventListener("abort", () => clearInterval(ticking));
    const last = await this.#readEvents();
    await this.#readSums();
    await follow(`${this.path}/stream`, {last, signal: this.signal, take: (name, data) => this.#take(name, data)});
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

  /* Returns the last change that was read: each page is read after the number, so nothing is missed between them and the stream. */
  async #readEvents() {
    let last = null;
    for (let after = 0; after !== undefined; ) {
      const page = await (await request(`${this.path}/timeline?limit=1000&after=${after}`, {signal: this.signal})).json();
      for (const event of page.events) this.#calls.put(event);
      last ??= page.last_change;
      after = page.next_after;
      this.#draw();
    }
    await this.#showDetails();
    return last;
  }

  async #showSums() {
    const {name, id, created_at: begun, selection, sums} = await (await request(this.path, {signal: this.signal})).json();
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

  /* While a call is under way, its bar grows. */
  #tick() {
    if (this.#calls.known.some((call) => statusOf(call) === "streaming")) this.#draw();
  }

  #take(name, data) {
    if (name === "mcp_tool_call.summarizing") this.#calls.of(data.call_id).isSummarizing = true;
    else if (name === "stream.chunk") this.#calls.of(data.call_id).answer += data.delta;
    else {
      this.#calls.put(data);
      this.attempt(() => this.#readSums());
    }
    this.#draw();
    if (this.#calls.ofEvent(this.#opened)?.id === data.call_id) this.attempt(() => this.#showDetails());
  }

  #draw() {
    const shown = this.#calls.matching({text: this.text.value, tool: this.tool.value, failed: this.failed.checked});
    this.now = Date.now();
    this.openedCall = this.#calls.ofEvent(this.#opened);
    this.longest = Math.max(1, ...shown.map((call) => sum(durationsOf(call, this.now))));
    this.rows.show(shown);
    this.chart.replaceChildren(...[savedChart(shown.map(savedPoint))].filter(Boolean));
    const known = [...this.tool.options].map((option) => option.value);
    this.tool.append(...this.#calls.tools.filter((tool) => !known.includes(tool)).map((tool) => element("option", {value: tool}, tool)));
  }

  #row(call) {
    const status = statusOf(call);
    const [server, summary] = durationsOf(call, this.now);
    const {tokens_before: before, tokens_after: after, handed_over: handed} = call.call.metadata;
    const doing = call.isSummarizing ? "summarizing ..." : (handed ?? status);
    const row = element(
      `a.call.${status}`,
      {href: `${this.address}/${call.call.id}`, title: call.call.metadata.arguments},
      element("span.time", {}, timeOf(call.call.created_at)),
      element("span.tool", {}, toolOf(call)),
      element("span.arguments", {}, call.call.metadata.arguments),
      element("span.track", {}, this.#bar("at-server", server), this.#bar("at-summary", summary)),
      element("span.ms", {}, `${count(Math.round(server + summary))} ms`),
      element("span.tokens", {}, after === undefined ? "" : before === after ? count(after) : `${count(before)} to ${count(after)}`),
      element("span.state", {}, status === "failed" ? "failed" : doing),
    );
    row.classList.toggle("opened", this.openedCall === call);
    return row;
  }

  #bar(kind, milliseconds) {
    const bar = element(`span.bar.${kind}`);
    bar.style.width = `${(100 * milliseconds) / this.longest}%`;
    return bar;
  }

  async #drawDetails() {
    const [call, opened] = [this.#calls.ofEvent(this.#opened), this.#opened];
    this.details.replaceChildren(...(call ? await detailElements(call, (event) => this.#body(event), this.address, opened) : []));
  }

  /* Returns an event with its details, which are read anew only when it has changed: not for each answer of the model. */
  async #body(event) {
    const known = this.#bodies.get(event.id);
    if (known?.change >= event.change) return known;
    const body = await (await request(`${this.path}/events/${event.id}`, {signal: this.signal})).json();
    this.#bodies.set(event.id, body);
    return body;
  }
}

function savedPoint(call) {
  return {at: Date.parse(call.call.created_at), saved: savedBy(call)};
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
