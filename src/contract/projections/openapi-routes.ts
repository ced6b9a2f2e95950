import type { z } from "zod";
import { DeviceAnswer, DeviceRequest, PollAnswer, PollRequest } from "../device.ts";
import type { JsonSchema } from "../json-schema.ts";
import type { AnyTool } from "../tool.ts";
import { isRead, routesOf, type ToolRoute } from "../tool-routes.ts";
import { okSchema, refused } from "./openapi-envelope.ts";
import { inputSchemaOf, outputSchemaOf } from "./schema.ts";

/** The routes that are no tool: the MCP-shaped call, the catalogue, health, status, reads for the deck and scripts. */
export const otherRoutes = (tools: readonly AnyTool[]): Record<string, unknown> => ({
  "/health": {
    get: {
      ...read("Whether the server is alive", okObject({ uptimeMs: { type: "number" } })),
      security: [],
    },
  },
  "/status": { get: read("How the server is", okObject(statusProperties)) },
  "/status/stream": {
    get: {
      summary: "How the server is, as server-sent events",
      description: "Events start, result, error and done; the data of each is an envelope.",
      responses: { "200": { description: "A stream.", content: { "text/event-stream": {} } }, ...readRefusals },
    },
  },
  ...searchRoutes(tools.find(({ name }) => name === "search")),
  "/metrics": {
    get: {
      summary: "Counters in the Prometheus text format",
      responses: { "200": { description: "Text.", content: { "text/plain": {} } }, ...readRefusals },
    },
  },
  "/api/tools": { get: read("The catalogue", okObject({ tools: { type: "array", items: { type: "object" } } })) },
  "/api/mcp": { post: plainCall },
  ...Object.fromEntries(
    routesOf(tools)
      .filter(isRead)
      .map((one) => [one.route.path.replace(":id", "{id}"), readRoute(one)] as const),
  ),
  "/api/setup/device": {
    post: openPost("Ask for tokens, with a code that a person approves", DeviceRequest, DeviceAnswer),
  },
  "/api/setup/device/poll": { post: openPost("Ask whether a person has approved", PollRequest, PollAnswer) },
  "/api/usage/report.csv": {
    get: {
      summary: "Usage and cost as a table",
      description: "What usage_report answers to the same filters, as CSV with a heading.",
      parameters: readParameters(tools.find(({ name }) => name === "usage_report")),
      responses: { "200": { description: "A table.", content: { "text/csv": {} } }, ...readRefusals },
    },
  },
  "/api/events": {
    get: { ...read("What changed, page by page", okObject(pageProperties)), parameters: pageParameters },
  },
  "/api/usage": {
    get: { ...read("Who called what, page by page", okObject(pageProperties)), parameters: pageParameters },
  },
});

const readRefusals = refused();

const read = (summary: string, schema: Record<string, unknown>): Record<string, unknown> => ({
  summary,
  responses: { "200": { description: "Done.", content: { "application/json": { schema } } }, ...readRefusals },
});

/** The search tool under the addresses that its contract gives it. */
function searchRoutes(tool: AnyTool | undefined): Record<string, unknown> {
  if (!tool) return {};
  const requestBody = { required: true, content: { "application/json": { schema: inputSchemaOf(tool.input) } } };
  const found = okObject({ repo: { type: "string" }, search: outputSchemaOf(tool.output) });
  const stream = { description: "A stream.", content: { "text/event-stream": {} } };
  return {
    "/search": { post: { ...read(tool.summary, found), requestBody } },
    "/search/stream": {
      post: {
        summary: `${tool.title}, as server-sent events`,
        description: "Events start, progress, result, error and done; the data of each is an envelope.",
        requestBody,
        responses: { "200": stream, ...readRefusals },
      },
    },
  };
}

/** For machines that have no token yet. */
const openPost = (summary: string, body: z.ZodObject, result: z.ZodObject): Record<string, unknown> => ({
  ...read(summary, okSchema(outputSchemaOf(result))),
  security: [],
  requestBody: { required: true, content: { "application/json": { schema: inputSchemaOf(body) } } },
});

const okObject = (properties: Record<string, JsonSchema>): Record<string, unknown> =>
  okSchema({ type: "object", properties, required: Object.keys(properties) });

const statusProperties: Record<string, JsonSchema> = { repo: { type: "string" }, status: { type: "object" } };

const pageProperties: Record<string, JsonSchema> = {
  events: {
    type: "array",
    items: {
      type: "object",
      properties: {
        event: { type: "string", description: "Its name on the wire." },
        kind: { type: "string" },
        subject: { type: "string", description: "The id of the record it is about." },
        data: { type: "object" },
        cursor: { type: "string" },
        ts: { type: "string", format: "date-time" },
      },
      required: ["event", "data", "cursor", "ts"],
    },
  },
  next: { type: "string", description: "The cursor to go on from." },
};

const pageParameters = [
  { name: "after", in: "query", description: "A cursor; from the start if left out.", schema: { type: "string" } },
  { name: "limit", in: "query", description: "At most this many.", schema: { type: "integer", default: 100 } },
  { name: "kind", in: "query", description: "Only this kind.", schema: { type: "string" } },
  { name: "subject", in: "query", description: "Only about this record.", schema: { type: "string" } },
  { name: "about", in: "query", description: "Only of this noun, task.", schema: { type: "string" } },
  { name: "without", in: "query", description: "Everything but this kind of ours.", schema: { type: "string" } },
  { name: "newest", in: "query", description: "From the end backwards.", schema: { type: "boolean" } },
  { name: "before", in: "query", description: "With newest: go on from a cursor.", schema: { type: "string" } },
];

/** The arguments of a read tool as query parameters, one of them in the path; lists are separated by commas. */
function readRoute({ tool, route: { key, args } }: ToolRoute): Record<string, unknown> {
  return {
    get: {
      ...read(tool.title, okSchema(outputSchemaOf(tool.output))),
      description: `What ${tool.name} answers.`,
      parameters: readParameters(tool, key, args),
    },
  };
}

function readParameters(
  tool: AnyTool | undefined,
  inPath?: string,
  args: Readonly<Record<string, unknown>> = {},
): Record<string, unknown>[] {
  const { properties = {}, required = [] } = tool ? inputSchemaOf(tool.input) : {};
  return Object.entries(properties).map(([key, { description, ...schema }]) => ({
    name: key === inPath ? "id" : key,
    in: key === inPath ? "path" : "query",
    required: required.includes(key) && !(key in args),
    description,
    schema,
    ...(schema.type === "array" ? { explode: false } : {}),
  }));
}

const plainCall = {
  summary: "One call, answered with what the MCP text would be",
  requestBody: {
    required: true,
    content: {
      "application/json": {
        schema: {
          type: "object",
          properties: {
            tool: { type: "string" },
            arguments: { type: "object" },
            token: { type: "string", description: "Instead of the Authorization header." },
          },
          required: ["tool"],
        },
      },
    },
  },
  responses: {
    "200": { description: "The tool's answer without an envelope.", content: { "application/json": {} } },
    "4XX": {
      description: "The refusal without an envelope.",
      content: {
        "application/json": {
          schema: {
            type: "object",
            properties: { code: { type: "string" }, message: { type: "string" }, hint: { type: "string" } },
            required: ["code", "message", "hint"],
          },
        },
      },
    },
  },
};
