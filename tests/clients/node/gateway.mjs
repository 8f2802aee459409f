// The official TypeScript SDK of the handshake against the gateway: lists the tools, calls one, and gives up a call of another.
//
//     node gateway.mjs '{"url": "http://127.0.0.1:8007/gateway/mcp", "tool": "k8s__pods", "held": "k8s__logs"}'

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

import { giveUp, order, say, shown } from "./order.mjs";

const client = new Client({ name: "gateway", version: "0" });
await client.connect(new StreamableHTTPClientTransport(new URL(order.url)));
const { tools } = await client.listTools();
const result = await client.callTool({ name: order.tool, arguments: {} });
say({ tools: tools.map((tool) => tool.name), result: shown(result) });
await giveUp((signal) => client.callTool({ name: order.held, arguments: {} }, undefined, { signal }));
await client.close();
process.stdin.destroy();
