/* The list of sessions, the newest first. */

import {savedChart} from "./chart.js";
import {count, element, timeOf} from "./elements.js";
import {follow} from "./event_stream.js";
import {request} from "./service.js";

/* Many events at once are one reason to look again. */
const LOOK_AGAIN_MS = 500;

/** Show the sessions until `signal` ends it. */
export async function openSessions(view, signal, attempt) {
  const text = element("input", {name: "text", type: "search", placeholder: "session, server, tool, argument"});
  const failed = element("input", {name: "failed", type: "checkbox"});
  const form = element("form.filter", {}, element("label", {}, "Find ", text), element("label", {}, failed, " with failed calls"));
  const chart = element("div");
  const list = element("div.sessions");
  const more = element("button", {type: "button", hidden: true}, "More");
  view.replaceChildren(form, chart, list, more);

  let shown = [];
  const look = async (cursor = "") => {
    const query = new URLSearchParams({text: text.value, ...(failed.checked && {failed: "true"}), ...(cursor && {cursor})});
    const page = await (await request(`api/v1/sessions?${query}`, {signal})).json();
    shown = cursor ? [...shown, ...page.sessions] : page.sessions;
    list.replaceChildren(...(shown.length ? shown.map(row) : [emptyNote(text.value || failed.checked)]));
    chart.replaceChildren(...[savedChart(shown.map(savedIn))].filter(Boolean));
    more.hidden = !page.next_cursor;
    more.onclick = () => attempt(() => look(page.next_cursor));
  };
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => attempt(look));
  await look();
  let waiting;
  const lookSoon = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => attempt(look), LOOK_AGAIN_MS);
  };
  await follow("api/v1/stream", {signal, take: lookSoon, opened: lookSoon});
}

function emptyNote(isFiltered) {
  return element("p", {}, isFiltered ? "No session has this." : "No calls yet: connect a client to /gateway/mcp.");
}

function row(session) {
  const {calls, failed_calls: failed, tokens_before: before, tokens_after: after, cost_usd: cost} = session.sums;
  return element(
    failed ? "a.session.failed" : "a.session",
    {href: `#/sessions/${encodeURIComponent(session.id)}`},
    element("span.name", {}, session.name || session.id),
    element("span", {}, timeOf(session.updated_at)),
    element("span", {}, `calls: ${count(calls)}${failed ? `, failed: ${count(failed)}` : ""}`),
    element("span", {}, `${count(before)} to ${count(after)} tokens`),
    element("span", {}, cost ? `$${cost.toFixed(4)}` : ""),
  );
}

function savedIn(session) {
  return {at: Date.parse(session.updated_at), saved: session.sums.tokens_before - session.sums.tokens_after};
}
