import { expect, test } from "vitest";
import { errors } from "../../src/contract/errors.ts";
import { toOpenApi } from "../../src/contract/projections/openapi.ts";
import { inputSchemaOf, outputSchemaOf } from "../../src/contract/projections/schema.ts";
import { schemaVersion } from "../../src/contract/versions.ts";
import { parts } from "./parts.ts";

interface Operation {
  operationId?: string;
  summary: string;
  security?: unknown[];
  parameters?: { name: string; in: string; required?: boolean }[];
  requestBody?: { content: { "application/json": { schema: unknown; examples?: Record<string, unknown> } } };
  responses: Record<string, { $ref?: string; description?: string; content?: Record<string, { schema?: unknown }> }>;
}

interface OpenApi {
  openapi: string;
  info: { title: string; version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown>; responses: Record<string, { description: string }> };
}

const tools = [...parts.tools, ...parts.person];
const api = toOpenApi(tools) as unknown as OpenApi;

test("[CT15] the document is OpenAPI 3.1 of this schema version, and every reference leads somewhere", () => {
  expect(api.openapi).toBe("3.1.0");
  expect(api.info.version).toBe(schemaVersion);
  expect(api.servers).toEqual([{ url: "/" }]);
  const references = [...JSON.stringify(api).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
  expect(references.length).toBeGreaterThan(0);
  for (const [, section = "", name = ""] of references) {
    expect(Object.keys((api.components as Record<string, object>)[section] ?? {})).toContain(name);
  }
});

test("[CT15] every tool is a route, and so are the others", () => {
  const routes = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  expect(routes.sort()).toEqual(
    [
      ...tools.map((tool) => `post /api/tools/${tool.name}`),
      ...["/search", "/search/stream"].map((path) => `post ${path}`),
      ...["/health", "/status", "/status/stream", "/metrics"].map((path) => `get ${path}`),
      ...["tools", "agents", "messages", "events", "usage"].map((name) => `get /api/${name}`),
      ...["workflows", "missions", "tasks", "findings", "instances"].flatMap((name) => [
        `get /api/${name}`,
        `get /api/${name}/{id}`,
      ]),
      ...["tasks/{id}/diff", "instances/{id}/diff", "findings/{id}/evidence"].map((name) => `get /api/${name}`),
      ...["instance-tails", "programs"].map((name) => `get /api/${name}`),
      ...["pulls", "pulls/{id}", "pulls/{id}/diff"].map((name) => `get /api/${name}`),
      ...["comments", "send-back", "merge", "close"].map((name) => `post /api/pulls/{id}/${name}`),
      ...["report", "report.csv"].map((name) => `get /api/usage/${name}`),
      ...["device", "device/poll"].map((name) => `post /api/setup/${name}`),
      "get /api/workflows/{id}/notes",
      "get /api/claims/conflicts",
      "get /api/find",
      "get /api/similar/{id}",
      "get /api/handoffs/{id}",
      ...["state", "inbox", "summary", "sessions", "overlap", "overlap/{id}", "crew"].map((name) => `get /api/${name}`),
      ...["mcp", "audit", "summary", "tasks", "workstreams"].map((name) => `post /api/${name}`),
    ].sort(),
  );
});

test.each(tools.map((tool) => ({ name: tool.name, tool })))("[CT15] the route of $name is its definition", ({
  tool,
}) => {
  const route = api.paths[`/api/tools/${tool.name}`]?.["post"];
  if (!route) throw new Error("no route");
  expect(route.operationId).toBe(tool.name);
  expect(route.requestBody?.content["application/json"].schema).toEqual(inputSchemaOf(tool.input));
  expect(Object.keys(route.requestBody?.content["application/json"].examples ?? {})).toHaveLength(tool.examples.length);
  expect(route.responses["200"]?.content?.["application/json"]?.schema).toEqual({
    type: "object",
    properties: {
      ok: { const: true },
      result: outputSchemaOf(tool.output),
      _meta: { $ref: "#/components/schemas/Meta" },
    },
    required: ["ok", "result", "_meta"],
  });
  for (const code of [...tool.refusals, "INVALID_REQUEST", "UNAUTHORIZED", "INTERNAL"] as const) {
    const response = route.responses[String(errors[code].http)];
    const shared =
      response?.$ref === undefined ? response : api.components.responses[response.$ref.split("/").at(-1) ?? ""];
    expect(shared?.description?.split(", ")).toContain(code);
  }
  const takesKey = route.parameters?.some((parameter) => parameter.name === "Idempotency-Key") ?? false;
  expect(takesKey).toBe(tool.effect !== "read");
});

test("[CT15] only the health of the server and the device flow can be asked without a token", () => {
  const open = Object.entries(api.paths).filter(([, methods]) =>
    Object.values(methods).some((operation) => operation.security?.length === 0),
  );
  expect(open.map(([path]) => path).sort()).toEqual(["/api/setup/device", "/api/setup/device/poll", "/health"]);
});

test("[CT15] a read takes the arguments of its tool as query parameters", () => {
  const { parameters } = api.paths["/api/messages"]?.["get"] ?? {};
  expect(parameters?.map(({ name, required }) => [name, required])).toEqual([
    ["agent_id", false],
    ["status", false],
    ["message_type", false],
    ["priority", false],
    ["workflow_id", false],
    ["thread_id", false],
    ["limit", false],
    ["since", false],
    ["offset", false],
  ]);
});
