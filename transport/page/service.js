/* Calls of the service that this page comes from: MCP's tools, and the pages' own data. Addresses are relative, so that it also works
   behind a proxy that serves it under a path. */

const REVISION = "2025-06-18";
const KEY = "mcp-summarizer/key";

/** The service refuses a request; the message is its own. */
export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }

  /** Whether the same request would be refused again. */
  get isFinal() {
    return this.status < 500;
  }
}

/** The service wants a key, or another one. */
export class KeyNeeded extends Refused {}

/** Keep a key until the browser's tab is closed. */
export function useKey(key) {
  sessionStorage.setItem(KEY, key);
}

/** Return the result of a tool; an Error has what the tool or the service said. */
export async function callTool(name, args, meta = {}) {
  const message = {jsonrpc: "2.0", id: 1, method: "tools/call", params: {name, arguments: args, _meta: meta}};
  const response = await request("mcp", {
    method: "POST",
    body: JSON.stringify(message),
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": REVISION,
    },
  });
  const {result, error} = await response.json();
  if (error) throw new Error(error.message);
  if (result.isError) throw new Error(result.content[0].text);
  return result;
}

/** Return a response to a request with the key, if there is one. Throws KeyNeeded, Refused, or an Error if the service cannot be reached. */
export async function request(path, options = {}) {
  const key = sessionStorage.getItem(KEY);
  const headers = {...options.headers, ...(key && {Authorization: `Bearer ${key}`})};
  const response = await fetch(path, {...options, headers}).catch(unreachable);
  if (response.status === 401) {
    const problem = key ? "This key is wrong" : "This service wants a key";
    throw new KeyNeeded(response.status, `${problem}: enter one of MCP_SUMMARIZER_API_KEYS.`);
  }
  if (!response.ok) throw new Refused(response.status, await messageOf(response));
  return response;
}

/* A browser says only that it could not fetch. */
function unreachable(problem) {
  if (problem.name === "AbortError") throw problem;
  throw new Error("The service cannot be reached: see whether it still runs, then try again.");
}

/* What /mcp refuses is told as JSON-RPC tells it, what /api refuses as a text. */
async function messageOf(response) {
  const text = await response.text();
  try {
    const {error} = JSON.parse(text);
    return error.message ?? String(error);
  } catch {
    return `${response.status}: ${text.slice(0, 500)}`;
  }
}
