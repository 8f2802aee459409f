/* Server-sent events over fetch: EventSource cannot send a key. (HTML standard, 9.2, "Server-sent events") */

import {Refused, request} from "./service.js";

const RETRY_MS = 2000;

/** Follow a stream until `signal` ends it, connected again where it breaks off, without a gap. `take(name, data)` gets each message.

    `last` is the id after which it begins, absent: what comes from now on; `opened()` is called with each connection. Throws Refused for what would
    be refused again, such as a missing key or a session that is gone. */
export async function follow(path, {last, signal, take, opened = () => {}}) {
  while (!signal.aborted) {
    try {
      const known = last === undefined || last === null ? {} : {"Last-Event-ID": String(last)};
      const response = await request(path, {signal, headers: {Accept: "text/event-stream", ...known}});
      opened();
      for await (const {id, event, data} of messages(response.body)) {
        if (id) last = id;
        take(event, JSON.parse(data));
      }
    } catch (problem) {
      if (problem instanceof Refused && problem.isFinal) throw problem;
    }
    await new Promise((done) => setTimeout(done, RETRY_MS));
  }
}

/** Yield the messages of a stream of bytes: their id, event and data. */
export async function* messages(body) {
  let text = "";
  for await (const part of chunksOf(body.pipeThrough(new TextDecoderStream()))) {
    const blocks = (text + part).split(/\r?\n\r?\n/);
    text = blocks.pop();
    for (const block of blocks) {
      const message = read(block);
      if (message.data) yield message;
    }
  }
}

async function* chunksOf(stream) {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    reader.cancel().catch(() => {}); // else the connection stays open; of one that has failed, the failure is known
  }
}

/* A line without a field's name is a comment. */
function read(block) {
  const message = {id: "", event: "message", data: ""};
  for (const line of block.split(/\r?\n/)) {
    const [, field, value] = line.match(/^([a-z]+): ?(.*)$/) ?? [];
    if (field === "data") message.data += message.data ? `\n${value}` : value;
    else if (field in message) message[field] = value;
  }
  return message;
}
