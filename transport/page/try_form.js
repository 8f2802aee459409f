/* The form where a text is summarized by hand. */

import {sourceElements, summaryElements} from "./summary_beside_source.js";
import {count} from "./elements.js";
import {hasColumns} from "./stretches.js";
import {callTool} from "./service.js";

const OUTCOME = "mcp-summarizer/outcome";
const PROVENANCE = "mcp-summarizer/provenance";

/** Make the form work. `attempt(work)` runs what may fail, and shows why it did. */
export function openTry(view, attempt) {
  const form = view.querySelector("form");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(() => summarize(view, form));
  });
  /* What was wrong with one text is not said of the next one. */
  form.addEventListener("input", () => attempt(() => {}));
  form.file.addEventListener("change", () => attempt(() => read(form, form.file.files[0])));
  view.addEventListener("dragover", (event) => event.preventDefault());
  view.addEventListener("drop", (event) => {
    event.preventDefault();
    attempt(() => read(form, event.dataTransfer.files[0]));
  });
  view.querySelector(".unfold").addEventListener("click", () => {
    for (const folded of view.querySelectorAll("details")) folded.open = true;
  });
  view.querySelector("[name=wrap]").addEventListener("change", (event) => setWrapped(view, event.target.checked));
}

function setWrapped(view, isWrapped) {
  view.querySelector("[name=wrap]").checked = isWrapped;
  view.querySelector(".beside").classList.toggle("unwrapped", !isWrapped);
}

async function read(form, file) {
  if (file) form.content.value = textOf(file.name, await file.arrayBuffer());
}

/* The text of a file; an error where it has none, or another encoding. */
function textOf(name, bytes) {
  const problem = new Error(
    `${name}: expected a text in UTF-8, got binary data or another encoding: save it as UTF-8, or get its text out first (pdftotext, pandoc)`);
  let text;
  try {
    text = new TextDecoder("utf-8", {fatal: true}).decode(bytes);
  } catch {
    throw problem;
  }
  if (text.includes("\0")) throw problem;
  return text;
}

async function summarize(view, form) {
  const status = view.querySelector(".outcome");
  const button = form.querySelector("button");
  const content = form.content.value;
  status.textContent = "Summarizing ...";
  button.disabled = true;
  try {
    const wanted = {content, max_output_tokens: form.size.valueAsNumber, focus_areas: form.question.value};
    const result = await callTool("summarize", wanted, {[PROVENANCE]: true});
    status.textContent = sentenceOf(result._meta[OUTCOME]);
    show(view, content, result.content[0].text, result._meta[PROVENANCE]);
  } catch (problem) {
    status.textContent = "";
    view.querySelector(".beside").hidden = true;
    throw problem;
  } finally {
    button.disabled = false;
  }
}

const STATES = {
  passthrough: "It fits already, and comes back as it is",
  summarized: "Summarized",
  partial: "Summarized in part, or without the model",
  unsummarized: "Not summarized: the text as it was",
};

/* What happened, in one line. */
function sentenceOf(outcome) {
  const parts = [`${STATES[outcome.status] ?? outcome.status}: ${count(outcome.input_tokens)} to ${count(outcome.output_tokens)} tokens in ${count(outcome.duration_ms)} ms`];
  if (outcome.facts?.had) parts.push(`${count(outcome.facts.kept)} of ${count(outcome.facts.had)} facts kept`);
  parts.push(outcome.model ?? "without a model");
  if (outcome.cost_usd) parts.push(`$${outcome.cost_usd.toFixed(4)}`);
  if (outcome.missing_words) parts.push(`nowhere in the text: ${outcome.missing_words.join(", ")}`);
  if (outcome.reason) parts.push(outcome.reason);
  return parts.join("; ");
}

function show(view, source, summary, provenance) {
  const {lines = [], facts = [], error} = provenance;
  const lead = (number) => leadTo(view.querySelectorAll(".source mark"), lines[number].source_start);
  view.querySelector(".summary").replaceChildren(...summaryElements(summary, lines, lead));
  view.querySelector(".source").replaceChildren(...(error ? [error] : sourceElements(source, lines, facts)));
  setWrapped(view, !hasColumns(source));
  view.querySelector(".beside").hidden = false;
  view.querySelector(".outcome").scrollIntoView({block: "start"});
}

/* Show the place of a line: the last mark that begins where the line does, or before, since a place within another has no mark of its own. */
function leadTo(marks, start) {
  const place = [...marks].findLast((mark) => Number(mark.dataset.start) <= start);
  for (const mark of marks) mark.classList.toggle("led-to", mark === place);
  place?.scrollIntoView({block: "center"});
}
