/* The details of one call side by side: its arguments, what the server answered, the summary, and what the model was asked for it. */

import {eventsOf} from "./calls.js";
import {element} from "./elements.js";

const TITLES = {mcp_tool_call: "Arguments", tool_result: "Original", mcp_tool_summary: "Summary"};

/** Return the details of a call as elements; `read(event)` fetches those of an event, `opened` is the one that the address names. */
export async function detailElements(call, read, address, opened) {
  const events = await Promise.all(eventsOf(call).map(read));
  return events.map((event) => section(event, call, address, event.id === opened));
}

function section(event, call, address, isOpened) {
  const {details, metadata, ...rest} = event;
  const text = textOf(event) || (event.status === "streaming" ? call.answer : "");
  const isCut = details.content_truncated || details.arguments_truncated;
  const shown = element("pre", {}, text);
  const json = element("pre", {hidden: true}, JSON.stringify({...rest, metadata, details}, null, 2));
  const toggle = element("button", {type: "button"}, "JSON");
  toggle.addEventListener("click", () => {
    json.hidden = !json.hidden;
    shown.hidden = !json.hidden;
  });
  const heading = element("h2", {}, element("a", {href: `${address}/${event.id}`}, TITLES[event.event_type]), " ", toggle, ...copyButton(() => (json.hidden ? text : json.textContent)));
  const notes = [event.status, metadata.error, metadata.reason, isCut && `shown up to 8,000 tokens${metadata.result_id ? `; all of it: read_original, result_id ${metadata.result_id}` : ""}`];
  return element(
    isOpened ? "section.opened" : "section",
    {},
    heading,
    element("p.legend", {}, notes.filter(Boolean).join("; ")),
    shown,
    json,
    ...(details.interactions ?? []).map(interaction),
  );
}

function textOf({event_type: type, details}) {
  if (type !== "mcp_tool_call") return details.content ?? "";
  try {
    return JSON.stringify(JSON.parse(details.arguments), null, 2);
  } catch {
    return details.arguments ?? "";
  }
}

/* Only a page from https or from this machine may write to the clipboard. */
function copyButton(text) {
  if (!navigator.clipboard) return [];
  const button = element("button", {type: "button"}, "Copy");
  button.addEventListener("click", () => navigator.clipboard.writeText(text()));
  return [button];
}

function interaction({model, status, prompts, answer, error, prompt_tokens: asked, completion_tokens: written, duration_ms: ms}) {
  const title = `${model ?? "model"}: ${status}, ${asked ?? "?"} + ${written ?? "?"} tokens, ${Math.round(ms)} ms`;
  const parts = {System: prompts?.system, User: prompts?.user, Answer: answer, Error: error};
  const texts = Object.entries(parts).filter(([, text]) => text);
  return element("details", {}, element("summary", {}, title), ...texts.flatMap(([name, text]) => [element("h3", {}, name), element("pre", {}, text)]));
}
