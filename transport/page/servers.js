/* The servers behind the gateway, as GET /health has them: how each is, which of its tools are left out or withheld, and what they
   have changed of their tools' definitions, the old beside the new. All of it is the servers' own text: shown, and never run. */

import {count, element} from "./elements.js";
import {KeyNeeded, request} from "./service.js";

/** Show the servers as they are now. */
export async function openServers(view, attempt) {
  const again = element("button", {type: "button"}, "Look again");
  again.addEventListener("click", () => attempt(() => openServers(view, attempt)));
  const {servers} = await (await request("health")).json();
  if (!servers) throw new KeyNeeded(401, "This service tells of its servers with a key alone: enter one of MCP_SUMMARIZER_API_KEYS.");
  const shown = Object.entries(servers).map(([name, server]) => serverElement(name, server));
  view.replaceChildren(again, ...(shown.length ? shown : [element("p", {}, "No server is configured.")]));
}

function serverElement(name, server) {
  const {status, era, version, start_seconds: start, tools, error, withheld = [], left_out: leftOut = {}, changed = {}} = server;
  const about = [status, era && `${era} era, ${version}`, start !== undefined && `started in ${start} s`, `tools: ${count(tools)}`];
  return element(
    status === "ready" ? "section.server" : "section.server.failed",
    {},
    element("h2", {}, name),
    element("p.about", {}, about.filter(Boolean).join(", ")),
    ...(error ? [element("p.error", {}, error)] : []),
    ...(withheld.length ? [element("p.withheld", {}, `Withheld until accepted (app.py --accept-tools ${name}, then SIGHUP): ${withheld.join(", ")}`)] : []),
    ...Object.entries(leftOut).map(([tool, reason]) => element("p.left-out", {}, `Left out: ${tool}: ${reason}`)),
    ...Object.entries(changed).map(([tool, change]) => changeElement(tool, change)),
  );
}

/* Of a very long definition nothing but the hash is known. */
function changeElement(tool, {accepted_sha256: accepted, sha256, changes}) {
  const known = Object.entries(changes);
  const members = known.length ? known : [["SHA-256", {old: accepted, new: sha256}]];
  return element(
    "div.change",
    {},
    element("h3", {}, `Changed: ${tool}`),
    ...members.map(([member, sides]) => element("div.beside", {}, side(`${member}, as accepted`, sides.old), side(`${member}, now`, sides.new))),
  );
}

function side(title, text) {
  return element("section", {}, element("p.legend", {}, title), element("pre", {}, text || "(none)"));
}
