/* The row of one call: when, which tool, and a bar as long as its time. */

import {argumentsOf, durationsOf, statusOf, toolOf} from "./calls.js";
import {count, element, timeOf} from "./elements.js";

/** Return the milliseconds that a call has taken so far in all. */
export function lengthOf(call, now) {
  const [server, summary] = durationsOf(call, now);
  return server + summary;
}

/** Return the row of a call, a link below `address`; `longest` is the length of the longest bar, `opened` the call whose details are shown. */
export function rowOf(call, {address, now, longest, opened}) {
  const status = statusOf(call);
  const [server, summary] = durationsOf(call, now);
  const {tokens_before: before, tokens_after: after, handed_over: handed} = call.call.metadata;
  const doing = call.isSummarizing ? "summarizing ..." : (handed ?? status);
  const row = element(
    `a.call.${status}`,
    {href: `${address}/${call.call.id}`, title: call.call.metadata.arguments},
    element("span.time", {}, timeOf(call.call.created_at)),
    element("span.tool", {}, toolOf(call)),
    element("span.arguments", {}, argumentsOf(call)),
    element("span.track", {}, bar("at-server", server / longest), bar("at-summary", summary / longest)),
    element("span.ms", {}, `${count(Math.round(server + summary))} ms`),
    element("span.tokens", {}, after === undefined ? "" : before === after ? count(after) : `${count(before)} to ${count(after)}`),
    element("span.state", {}, status === "failed" ? "failed" : doing),
  );
  row.classList.toggle("opened", call === opened);
  return row;
}

function bar(kind, share) {
  const drawn = element(`span.bar.${kind}`);
  drawn.style.width = `${100 * share}%`;
  return drawn;
}
