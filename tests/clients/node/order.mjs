// How a client here is told what to do, and how it tells what it saw: ../order.py in the other language, which explains it.

import { createInterface } from "node:readline";

export const order = JSON.parse(process.argv.at(-1));

export const headers = order.key ? { Authorization: `Bearer ${order.key}` } : {};

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

/** Return what a tool is called with; `more` are further arguments. */
export function call(name, content, more = {}) {
  return { name, arguments: { content, max_output_tokens: 200, ...more } };
}

/** Return of a result what a caller looks at. */
export function shown({ content: [block], _meta, isError }) {
  return { text: block.text, meta: _meta, error: isError ?? false };
}

/** Print one line of what was seen. */
export function say(seen) {
  console.log(JSON.stringify(seen));
}

/** Return the code that a call is refused with, 0 if it is not. */
export async function refusal(calling) {
  return await calling.then(() => 0, (error) => error.code);
}

/** Make a call, give it up when a line comes on stdin, say so, and return when stdin ends. */
export async function giveUp(makeCall) {
  const enough = new AbortController();
  const ended = makeCall(enough.signal).then(() => false, () => enough.signal.aborted);
  await lines.next();
  enough.abort();
  say({ given_up: await ended });
  await lines.next();
}
