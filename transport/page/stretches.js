/* How a text is cut for display: into what a summary kept of it and what it left out, with its facts. No elements here.

   The service counts Unicode characters, JavaScript counts UTF-16 units: a Text translates. */

/** A text whose offsets are the service's. */
export class Text {
  constructor(text) {
    this.text = text;
    this.units = /[\ud800-\udbff]/.test(text) ? unitsOf(text) : null;
  }

  /** Return the text from one character to another. */
  slice(start, end) {
    return this.units ? this.text.slice(this.units[start], this.units[end]) : this.text.slice(start, end);
  }

  /** How many characters it has. */
  get length() {
    return this.units ? this.units.length - 1 : this.text.length;
  }
}

/* For each character where it begins in UTF-16 units, and where the text ends. */
function unitsOf(text) {
  const units = [];
  let at = 0;
  for (const character of text) {
    units.push(at);
    at += character.length;
  }
  units.push(at);
  return units;
}

/** Cut a length at spans ({start, end}): returns them and what is between them ({start, end, span: null}), in order.
    A span that begins within an earlier one is left out. */
export function cut(start, end, spans) {
  const pieces = [];
  let at = start;
  for (const span of [...spans].sort((one, other) => one.start - other.start)) {
    if (span.start < at || span.end > end) continue;
    if (span.start > at) pieces.push({start: at, end: span.start, span: null});
    pieces.push({start: span.start, end: span.end, span});
    at = span.end;
  }
  if (at < end) pieces.push({start: at, end, span: null});
  return pieces;
}

/** Return how many lines a text has that are not blank. */
export function lineCount(text) {
  return text.split("\n").filter((line) => line.trim()).length;
}

/* A line with text in columns: far apart, or between bars. */
const IN_COLUMNS = /\S(?: {3,}|\t)\S|^\s*\|.*\|/;
const SAMPLE_LINES = 200;
const MIN_ROWS = 3;

/** Whether most lines of a text are rows, which nobody can read once they are wrapped: columns of a listing, of Markdown, of CSV. */
export function hasColumns(text) {
  const lines = text.split("\n").filter((line) => line.trim()).slice(0, SAMPLE_LINES);
  const areMost = (rows) => rows.length >= MIN_ROWS && rows.length * 2 > lines.length;
  const cells = (line) => line.split(/[,;]/).length;
  return areMost(lines.filter((line) => IN_COLUMNS.test(line))) || areMost(lines.filter((line) => cells(line) > 2 && cells(line) === cells(lines[0])));
}
