// The official TypeScript SDK before it, which knows the handshake alone; ../order.py says what it does.
//
//     node sdk.mjs '{"url": "http://127.0.0.1:8007/mcp", "content": "the text to shorten"}'

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

import { call, giveUp, headers, order, refusal, say, shown } from "./order.mjs";

const client = new Client({ name: "sdk", version: "0" });
const transport = new StreamableHTTPClientTransport(new URL(order.url), { requestInit: { headers } });
await client.connect(transport);

const progress = [];
const onprogress = (heard) => progress.push(heard.progress);
await client.ping();
const { tools } = await client.listTools();
const summary = await client.callTool(call("summarize", order.content), undefined, { onprogress });
const facts = await client.callTool(
  call("summarize_for_extraction", order.content, { schema_hint: "boats" }),
);
const refused = await client.callTool(call("summarize", "x", { max_output_tokens: 3 }));
say({
  version: transport.protocolVersion,
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
  await giveUp((signal) => client.callTool(call("summarize", order.held), undefined, { signal }));
}
await client.close();
process.stdin.destroy();
