// The MCP client of the AI SDK; ../order.py says how it is told what to do.
//
//     node ai_sdk.mjs '{"url": "http://127.0.0.1:8007/mcp", "content": "the text to shorten"}'

import { createMCPClient } from "@ai-sdk/mcp";

import { call, headers, order, say } from "../node/order.mjs";

const client = await createMCPClient({ transport: { type: "http", url: order.url, headers } });
const tools = await client.tools();
const input = call("summarize", order.content).arguments;
const output = await tools.summarize.execute(input, { toolCallId: "a-call", messages: [] });
// What the AI SDK hands to a model is not the result, but what it makes of it.
const shown = await tools.summarize.toModelOutput({ toolCallId: "a-call", input, output });
const [block] = shown.value;
say({ tools: Object.keys(tools), shown: block.text });
await client.close();
process.stdin.destroy();
