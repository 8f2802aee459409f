/* Shows the view that the address names (#/, #/sessions, #/about), asks for a key where the service wants one, and says what went wrong. */

import {KeyNeeded, useKey} from "./service.js";
import {openTry} from "./try.js";

const views = {"": "try", sessions: "sessions", about: "about"};
const keyForm = document.getElementById("key");
const trouble = document.getElementById("trouble");

/* Run what may fail. Where a key is missing, it runs again once there is one. */
async function attempt(work) {
  trouble.hidden = true;
  try {
    await work();
  } catch (problem) {
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
  const [name] = location.hash.replace(/^#\/?/, "").split("/");
  for (const [each, id] of Object.entries(views)) document.getElementById(id).hidden = each !== name;
}

openTry(document.getElementById("try"), attempt);
document.querySelector("nav").hidden = false;
addEventListener("hashchange", route);
route();
