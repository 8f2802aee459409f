/* The list of sessions, the newest first. */

import {savedChart} from "./chart.js";
import {coalesced} from "./coalesce.js";
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

  let pages = 1;
  const look = coalesced(async () => {
    const filter = {text: text.value, ...(failed.checked && {failed: "true"})};
    const {sessions, hasMore} = await readSessions(filter, pages, signal);
    list.replaceChildren(...(sessions.length ? sessions.map(row) : [emptyNote(text.value || failed.checked)]));
    chart.replaceChildren(...[savedChart(sessions.map(savedIn))].filter(Boolean));
    more.hidden = !hasMore;
  });
  const lookAt = (number) => {
    pages = number;
    attempt(look);
  };
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => lookAt(1));
  more.addEventListener("click", () => lookAt(pages + 1));
  await look();
  let waiting = null;
  /* Not put off by the next event: a service that is never silent would never be looked at again. */
  const lookSoon = () => {
    waiting ??= setTimeout(() => {
      waiting = null;
      attempt(look);
    }, LOOK_AGAIN_MS);
  };
  await follow("api/v1/stream", {signal, take: lookSoon, opened: lookSoon});
}

/* Returns the sessions of so many pages, and whether there are more. */
async function readSessions(filter, pages, signal) {
  const sessions = [];
  let cursor = "";
  for (let page = 0; page < pages && cursor !== undefined; page++) {
    const query = new URLSearchParams({...filter, ...(cursor && {cursor})});
    const read = await (await request(`api/v1/sessions?${query}`, {signal})).json();
    sessions.push(...read.sessions);
    cursor = read.next_cursor;
  }
  return {sessions, hasMore: cursor !== undefined};
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
