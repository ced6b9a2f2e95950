import { serveLoopback } from "./loopback.mjs";

/**
 * A model without a mind for every protocol that clients speak: Messages, Responses, chat completions and
 * generateContent. `decide` gets `{ body, results }`, where `results` counts the tool results that the model was shown,
 * and answers `{ text }` or `{ tool, input }`. What each request used is different, and is written down.
 */
export async function startScriptedModel(decide) {
  const served = [];
  const bodies = [];
  const { url, close } = await serveLoopback(async (request, response, text) => {
    const path = new URL(request.url, url).pathname;
    const protocol = protocols.find(({ fits }) => request.method === "POST" && fits.test(path));
    if (protocol === undefined) return answerAside(request, response, path);
    const body = JSON.parse(text);
    bodies.push(body);
    const isWork = protocol.hasTools(body);
    const said = isWork ? await decide({ body, results: protocol.results(body) }) : { text: aside };
    const n = served.length + 1;
    // No two requests use the same, so that none can stand for another.
    const use = { n, input: 1_000 + n, cached: 3_000 + n, output: 100 + n, reasoning: 10 + n };
    served.push({ ...use, isWork, model: body.model ?? path, total: use.input + use.cached + use.output });
    protocol.answer(response, { body, said, use, path });
  });
  return { url, served, bodies, close };
}

/** What clients ask for themselves: a title, or in Gemini CLI who speaks next and which model should, as JSON. */
const aside = JSON.stringify({
  reasoning: "fine",
  next_speaker: "user",
  model_choice: "flash",
  complexity_reasoning: "fine",
  complexity_score: 10,
});

function answerAside(request, response, path) {
  const known = /models$/.test(path)
    ? { object: "list", data: [{ id: "stand-in", object: "model" }], models: [] }
    : /count_?tokens$/i.test(path)
      ? { input_tokens: 100, totalTokens: 100 }
      : undefined;
  response.writeHead(known === undefined ? 404 : 200, { "content-type": "application/json" });
  response.end(JSON.stringify(known ?? { type: "error", error: { type: "not_found_error", message: request.url } }));
}

const count = (value, word) => JSON.stringify(value ?? []).split(word).length - 1;

function stream(response, events, { isNamed = true, n } = {}) {
  response.writeHead(200, { "content-type": "text/event-stream", "request-id": `req_${n}` });
  for (const event of events) {
    if (isNamed) response.write(`event: ${event.type}\n`);
    response.write(`data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`);
  }
  response.end();
}

function sendJson(response, value) {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

const messages = {
  fits: /\/v1\/messages$/,
  hasTools: ({ tools = [] }) => tools.length > 0,
  results: (body) => count(body.messages, '"type":"tool_result"'),
  answer(response, { body, said, use }) {
    const isText = said.text !== undefined;
    const block = isText
      ? { type: "text", text: said.text }
      : { type: "tool_use", id: `toolu_${use.n}`, name: said.tool, input: said.input };
    const usage = {
      input_tokens: use.input,
      cache_read_input_tokens: use.cached,
      cache_creation_input_tokens: 0,
      output_tokens: use.output,
    };
    const message = { id: `msg_${use.n}`, type: "message", role: "assistant", model: body.model, stop_sequence: null };
    const stop_reason = isText ? "end_turn" : "tool_use";
    if (!body.stream) return sendJson(response, { ...message, content: [block], stop_reason, usage });
    const delta = isText
      ? { type: "text_delta", text: said.text }
      : { type: "input_json_delta", partial_json: JSON.stringify(said.input) };
    const start = { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } };
    const empty = { ...block, ...(isText ? { text: "" } : { input: {} }) };
    stream(
      response,
      [
        { type: "message_start", message: start },
        { type: "content_block_start", index: 0, content_block: empty },
        { type: "content_block_delta", index: 0, delta },
        { type: "content_block_stop", index: 0 },
        { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage },
        { type: "message_stop" },
      ],
      use,
    );
  },
};

const responses = {
  fits: /\/responses$/,
  // Codex brings them as a part of the input.
  hasTools: ({ tools = [], input = [] }) => tools.length > 0 || input.some(({ type }) => type === "additional_tools"),
  results: ({ input = [] }) => input.filter(({ type }) => /_output$/.test(type ?? "")).length,
  answer(response, { said, use }) {
    const id = `resp_${use.n}`;
    const call = { id: `item_${use.n}`, call_id: `call_${use.n}`, name: said.tool };
    const item =
      said.text !== undefined
        ? { type: "message", role: "assistant", id: call.id, content: [{ type: "output_text", text: said.text }] }
        : typeof said.input === "string"
          ? { type: "custom_tool_call", ...call, input: said.input }
          : { type: "function_call", ...call, arguments: JSON.stringify(said.input) };
    const usage = {
      input_tokens: use.input + use.cached,
      input_tokens_details: { cached_tokens: use.cached },
      output_tokens: use.output,
      output_tokens_details: { reasoning_tokens: use.reasoning },
      total_tokens: use.input + use.cached + use.output,
    };
    stream(response, [
      { type: "response.created", response: { id } },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: { id, usage } },
    ]);
  },
};

const chat = {
  fits: /\/chat\/completions$/,
  hasTools: ({ tools = [] }) => tools.length > 0,
  results: (body) => body.messages.filter(({ role }) => role === "tool").length,
  answer(response, { body, said, use }) {
    const base = { id: `chat_${use.n}`, object: "chat.completion.chunk", created: 1_700_000_000, model: body.model };
    const calls = said.text === undefined && [
      {
        index: 0,
        id: `call_${use.n}`,
        type: "function",
        function: { name: said.tool, arguments: JSON.stringify(said.input) },
      },
    ];
    const finish_reason = calls ? "tool_calls" : "stop";
    const usage = {
      prompt_tokens: use.input + use.cached,
      prompt_tokens_details: { cached_tokens: use.cached },
      completion_tokens: use.output,
      completion_tokens_details: { reasoning_tokens: use.reasoning },
      total_tokens: use.input + use.cached + use.output,
    };
    const said1 = { role: "assistant", content: said.text ?? null, ...(calls ? { tool_calls: calls } : {}) };
    if (!body.stream)
      return sendJson(response, {
        ...base,
        object: "chat.completion",
        choices: [{ index: 0, message: said1, finish_reason }],
        usage,
      });
    const chunks = [
      { ...base, choices: [{ index: 0, delta: said1, finish_reason: null }] },
      { ...base, choices: [{ index: 0, delta: {}, finish_reason }] },
      { ...base, choices: [], usage },
      "[DONE]",
    ];
    stream(response, chunks, { isNamed: false, n: use.n });
  },
};

const generateContent = {
  fits: /:(stream)?generateContent$/i,
  hasTools: ({ tools = [] }) => tools.length > 0,
  results: (body) => count(body.contents, '"functionResponse"'),
  answer(response, { said, use, path }) {
    const part =
      said.text !== undefined
        ? { text: said.text }
        : { functionCall: { name: said.tool, args: said.input, id: `call_${use.n}` } };
    const chunk = {
      candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }],
      usageMetadata: {
        promptTokenCount: use.input + use.cached,
        cachedContentTokenCount: use.cached,
        candidatesTokenCount: use.output - use.reasoning,
        thoughtsTokenCount: use.reasoning,
        totalTokenCount: use.input + use.cached + use.output,
      },
      modelVersion: "stand-in",
      responseId: `r_${use.n}`,
    };
    if (/stream/i.test(path)) stream(response, [chunk], { isNamed: false, n: use.n });
    else sendJson(response, chunk);
  },
};

const protocols = [messages, responses, chat, generateContent];
