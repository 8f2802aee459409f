/* One session as the service has it: what is read of it, and kept. No elements here. docs/timeline.md describes what comes. */

import {Calls} from "./calls.js";
import {follow} from "./event_stream.js";
import {request} from "./service.js";

const PAGE_EVENTS = 1000;

/** Reads one session until its signal ends that, and keeps its calls. */
export class SessionReader {
  calls = new Calls();
  #bodies = new Map();
  #last = null;

  constructor(id, signal) {
    this.path = `api/v1/sessions/${encodeURIComponent(id)}`;
    this.signal = signal;
  }

  /** Read what has happened, a page at a time; `onPage()` is called after each.

      Each page is read after the number of the one before, so nothing is missed between them and the stream. */
  async readEvents(onPage) {
    this.#last = null;
    for (let after = 0; after !== undefined; ) {
      const page = await this.#read(`/timeline?limit=${PAGE_EVENTS}&after=${after}`);
      for (const event of page.events) this.calls.put(event);
      this.#last ??= page.last_change;
      after = page.next_after;
      onPage();
    }
  }

  /** Follow what happens from then on; `onNews(callId, isEvent)` is called after each message: it has an event's new state, or tells of a summary. */
  async follow(onNews) {
    const take = (name, data) => onNews(data.call_id, this.#take(name, data));
    await follow(`${this.path}/stream`, {last: this.#last, signal: this.signal, take});
  }

  #take(name, data) {
    if (name === "mcp_tool_call.summarizing") this.calls.of(data.call_id).isSummarizing = true;
    else if (name === "stream.chunk") this.calls.of(data.call_id).answer += data.delta;
    else {
      this.calls.put(data);
      return true;
    }
    return false;
  }

  /** Return the session with its sums. */
  async sums() {
    return this.#read("");
  }

  /** Return an event with its details, which are read anew only when it has changed: not for each answer of the model. */
  async body(event) {
    const known = this.#bodies.get(event.id);
    if (known?.change >= event.change) return known;
    const body = await this.#read(`/events/${event.id}`);
    this.#bodies.set(event.id, body);
    return body;
  }

  async #read(rest) {
    return (await request(`${this.path}${rest}`, {signal: this.signal})).json();
  }
}
