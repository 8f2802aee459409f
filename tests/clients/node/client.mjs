// The official TypeScript client, in the era that the order asks for; ../order.py says what it does.
//
//     node client.mjs '{"url": "http://127.0.0.1:8007/mcp", "mode": "auto", "content": "the text to shorten"}'

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

import { call, giveUp, headers, order, refusal, say, shown } from "./order.mjs";

// A mode is `auto` or `legacy`; anything else is a version, and the only one that will do.
const mode = ["auto", "legacy"].includes(order.mode) ? order.mode : { pin: order.mode };
const client = new Client({ name: "client", version: "0" }, { versionNegotiation: { mode } });
const transport = new StreamableHTTPClientTransport(new URL(order.url), { requestInit: { headers } });
await client.connect(transport);

const progress = [];
const onprogress = (heard) => progress.push(heard.progress);
const { tools } = await client.listTools();
const summary = await client.callTool(call("summarize", order.content), { onprogress });
const facts = await client.callTool(
  call("summarize_for_extraction", order.content, { schema_hint: "boats" }),
);
const refused = await client.callTool(call("summarize", "x", { max_output_tokens: 3 }));
say({
  version: client.getNegotiatedProtocolVersion(),
  server: client.getServerVersion()?.name,
  instructions: client.getInstructions(),
  session: transport.sessionId,
  tools: tools.map((tool) => tool.name),
  progress,
  summary: shown(summary),
  facts: shown(facts),
  refused: refused.isError,
  unknown_tool: await refusal(client.callTool(call("burn", ""))),
});
if (order.held) {
  await giveUp((signal) => client.callTool(call("summarize", order.held), { signal }));
}
await client.close();
process.stdin.destroy();
