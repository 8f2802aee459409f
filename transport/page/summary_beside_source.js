/* A summary beside its source: each line of the summary leads to its place, facts are marked, what was left out is folded. */

import {count, element} from "./elements.js";
import {Text, cut, lineCount} from "./stretches.js";

/* What was left out is folded if it has more lines than this. */
const SHOWN_LINES = 2;

/** Return a summary as elements; `lead(number)` is called when the reader asks for the place of a line. */
export function summaryElements(summary, lines, lead) {
  const text = new Text(summary);
  const numbered = lines.map((line, number) => ({...line, number}));
  return cut(0, text.length, numbered).map(({start, end, span}) => {
    const written = text.slice(start, end);
    if (!span) return written;
    const title = span.verbatim ? "Word for word from the source" : "The place that says most of this";
    const line = element(span.verbatim ? "a.line" : "a.line.reworded", {href: "#", title}, written);
    line.addEventListener("click", (event) => {
      event.preventDefault();
      lead(span.number);
    });
    return line;
  });
}

/** Return a source as elements: what a summary's lines come from, marked, and the rest, folded where it is long. */
export function sourceElements(source, lines, facts) {
  const text = new Text(source);
  const places = lines.map((line) => ({start: line.source_start, end: line.source_end}));
  return cut(0, text.length, places).map(({start, end, span}) => {
    const content = withFacts(text, start, end, facts);
    if (span) return placeElement(start, content);
    const left = lineCount(text.slice(start, end));
    if (left <= SHOWN_LINES) return element("span.left-out", {}, ...content);
    return element("details", {}, element("summary", {}, `${count(left)} lines left out`), element("span.left-out", {}, ...content));
  });
}

function placeElement(start, content) {
  const mark = element("mark", {}, ...content);
  mark.dataset.start = start;
  return mark;
}

function withFacts(text, start, end, facts) {
  const inside = facts.filter((fact) => fact.start >= start && fact.end <= end);
  return cut(start, end, inside).map((piece) => {
    const written = text.slice(piece.start, piece.end);
    if (!piece.span) return written;
    const [name, title] = piece.span.kept ? ["span.fact.kept", "The summary has this"] : ["span.fact.lost", "The summary has lost this"];
    return element(name, {title}, written);
  });
}
