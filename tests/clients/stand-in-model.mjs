import { serveLoopback } from "./loopback.mjs";

/**
 * Models without a mind: they speak the streaming protocols of the real services and say what a test wants them to.
 * `decide` gets a request's body and answers with one block (Messages) or one item (Responses). Every body is kept, for
 * it is exactly what a model would have seen.
 */

/** The Messages protocol, as Claude Code speaks it. */
export const startMessagesModel = (decide) =>
  startModel("/v1/messages", async (body) => {
    const block = await decide(body);
    const isText = block.type === "text";
    const delta = isText
      ? { type: "text_delta", text: block.text }
      : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = { id: "msg_1", type: "message", role: "assistant", model: body.model, content: [], usage };
    return [
      { type: "message_start", message: { ...message, stop_reason: null, stop_sequence: null } },
      {
        type: "content_block_start",
        index: 0,
        content_block: { ...block, ...(isText ? { text: "" } : { input: {} }) },
      },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: isText ? "end_turn" : "tool_use", stop_sequence: null }, usage },
      { type: "message_stop" },
    ];
  });

/** The Responses protocol, as Codex speaks it. */
export const startResponsesModel = (decide) =>
  startModel("/v1/responses", async (body) => [
    { type: "response.created", response: { id: "resp_1" } },
    { type: "response.output_item.done", output_index: 0, item: await decide(body) },
    {
      type: "response.completed",
      response: { id: "resp_1", usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } },
    },
  ]);

async function startModel(path, answer) {
  const bodies = [];
  const { url, close } = await serveLoopback(async (request, response, text) => {
    if (request.method !== "POST" || new URL(request.url, url).pathname !== path) {
      response.writeHead(404, { "content-type": "application/json" });
      response.end(JSON.stringify({ type: "error", error: { type: "not_found_error", message: "not here" } }));
      return;
    }
    const body = JSON.parse(text);
    bodies.push(body);
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of await answer(body)) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end();
  });
  return { url, bodies, close };
}
