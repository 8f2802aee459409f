/* Shows the view that the address names (#/, #/sessions, #/sessions/ID, #/sessions/ID/EVENT, #/servers, #/about), the first one where it
   names none, asks for a key where the service wants one, and says what went wrong. */

import {openServers} from "./servers.js";
import {KeyNeeded, useKey} from "./service.js";
import {SessionView} from "./session.js";
import {openSessions} from "./sessions.js";
import {openTry} from "./try_form.js";

const VIEWS = {"": "try", sessions: "sessions", servers: "servers", about: "about"};
const keyForm = document.getElementById("key");
const trouble = document.getElementById("trouble");
/* What the sessions' view shows: the id of one, or null for the list, and how its stream is ended. */
let watched = {id: undefined, session: null, ending: new AbortController()};

/* Run what may fail. Where a key is missing, it runs again once there is one. */
async function attempt(work) {
  trouble.hidden = true;
  try {
    await work();
  } catch (problem) {
    if (problem.name === "AbortError") return;
    trouble.textContent = problem.message;
    trouble.hidden = false;
    if (!(problem instanceof KeyNeeded)) return;
    keyForm.hidden = false;
    keyForm.onsubmit = (event) => {
      event.preventDefault();
      useKey(keyForm.key.value);
      keyForm.hidden = true;
      attempt(work);
    };
  }
}

function route() {
  const [first, id, event = ""] = location.hash.replace(/^#\/?/, "").split("/").map(decoded);
  const name = first in VIEWS ? first : "";
  trouble.hidden = true;
  for (const [each, view] of Object.entries(VIEWS)) document.getElementById(view).hidden = each !== name;
  if (name === "servers") attempt(() => openServers(document.getElementById("servers"), attempt));
  if (name === "sessions") watch(id ?? null, event);
  else watched.ending.abort();
}

/* An address that somebody has typed may have a percent sign that stands for nothing. */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function watch(id, event) {
  if (watched.id !== id || watched.ending.signal.aborted) {
    watched.ending.abort();
    const ending = new AbortController();
    const view = document.getElementById("sessions");
    const session = id === null ? null : new SessionView(view, id, ending.signal, attempt);
    watched = {id, session, ending};
    attempt(() => (session ? session.run() : openSessions(view, ending.signal, attempt)));
  }
  watched.session?.open(event);
}

openTry(document.getElementById("try"), attempt);
document.querySelector("nav").hidden = false;
addEventListener("hashchange", route);
route();
