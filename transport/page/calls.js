/* The calls of a session, put together from its events. No elements here. docs/timeline.md describes the events. */

/* Of a long argument so many letters are shown in a row. */
const FIRST_LETTERS = 8;
const LAST_LETTERS = 23;
const PARTS = {mcp_tool_call: "call", tool_result: "result", mcp_tool_summary: "summary"};

/** The calls of a session, each with the events that belong to it. */
export class Calls {
  #calls = new Map();

  /** Take an event, unless it is known in a later state already. */
  put(event) {
    const part = PARTS[event.event_type];
    if (!part) return;
    const call = this.of(event.call_id);
    if (!call[part] || call[part].change <= event.change) call[part] = event;
    if (part === "summary") call.isSummarizing = false;
  }

  /** Return a call by its id; a new one, of which nothing is known yet, where there is none. */
  of(id) {
    if (!this.#calls.has(id)) this.#calls.set(id, {id, call: null, result: null, summary: null, isSummarizing: false, answer: ""});
    return this.#calls.get(id);
  }

  /** Return the call that an event belongs to. */
  ofEvent(eventId) {
    return this.known.find((call) => eventsOf(call).some((event) => event.id === eventId));
  }

  /** The calls whose beginning is known, in the order of their beginnings. */
  get known() {
    return [...this.#calls.values()].filter((call) => call.call).sort((one, other) => one.call.sequence - other.call.sequence);
  }

  /** Return the calls that a reader looks for: `text` in their tools and arguments, of one `tool`, only those that `failed`. */
  matching({text = "", tool = "", failed = false}) {
    const wanted = text.toLowerCase();
    return this.known.filter(
      (call) =>
        (!tool || toolOf(call) === tool) &&
        (!failed || statusOf(call) === "failed") &&
        `${toolOf(call)} ${call.call.metadata.arguments}`.toLowerCase().includes(wanted),
    );
  }

  /** The tools that were called, in alphabetical order. */
  get tools() {
    return [...new Set(this.known.map(toolOf))].sort();
  }
}

/** Return the events of a call, in their order. */
export function eventsOf(call) {
  return [call.call, call.result, call.summary].filter(Boolean);
}

/** Return the name of a call's tool. */
export function toolOf(call) {
  const {server_name: server, tool_name: tool} = call.call.metadata;
  return `${server}.${tool}`;
}

/** Return the arguments of a call for its row: names and values, without the signs of JSON. */
export function argumentsOf(call) {
  const {arguments: text} = call.call.metadata;
  const known = parsed(text);
  if (!known) return text;
  return Object.entries(known).map(([name, value]) => `${name}: ${shortened(typeof value === "string" ? value : JSON.stringify(value))}`).join(", ");
}

/* The list has their beginning alone, which may end within a string. */
function parsed(text) {
  for (const end of ["", '"}', "}"]) {
    try {
      return JSON.parse(text + end);
    } catch {
      // The next end may fit.
    }
  }
  return null;
}

/* Of a long value its beginning and its end: paths and addresses differ there. */
function shortened(value) {
  const letters = [...value];
  if (letters.length <= FIRST_LETTERS + 1 + LAST_LETTERS) return value;
  return `${letters.slice(0, FIRST_LETTERS).join("")}…${letters.slice(-LAST_LETTERS).join("")}`;
}

/** Return how a call stands as a whole: `failed`, `streaming`, `cancelled` or `completed`. */
export function statusOf(call) {
  const states = eventsOf(call).map((event) => event.status);
  return ["failed", "streaming", "cancelled"].find((status) => states.includes(status)) ?? "completed";
}

/** Return the milliseconds that a call has taken so far: of its server, and of its summary. */
export function durationsOf(call, now) {
  return [call.call, call.summary].map((event) => {
    if (!event) return 0;
    return event.duration_ms ?? (event.status === "streaming" ? Math.max(0, now - Date.parse(event.created_at)) : 0);
  });
}

/** Return the tokens that a call has kept out of its caller's context. */
export function savedBy(call) {
  const {tokens_before: before = 0, tokens_after: after = 0} = call.call.metadata;
  return Math.max(0, before - after);
}
