import type { JsonSchema } from "../json-schema.ts";
import type { AnyTool } from "../tool.ts";
import { isRead, routesOf } from "../tool-routes.ts";
import { schemaVersion } from "../versions.ts";
import { commonResponses, failureSchema, metaSchema, okSchema, refused } from "./openapi-envelope.ts";
import { otherRoutes } from "./openapi-routes.ts";
import { inputSchemaOf, outputSchemaOf } from "./schema.ts";

/** The HTTP surface as OpenAPI 3.1: every tool as a route of its own, and the other routes beside them (CT15). */
export function toOpenApi(tools: readonly AnyTool[]): Record<string, unknown> {
  return {
    openapi: "3.1.0",
    info: {
      title: "Crewdeck",
      version: schemaVersion,
      description:
        "Every answer is an envelope: `ok`, then `result` or `error`, and `_meta`. Errors are listed with their status; their meanings are in docs/errors.md.",
    },
    // Wherever the document was read from: the port is the user's choice.
    servers: [{ url: "/" }],
    security: [{ token: [] }],
    tags: [...new Set(tools.map((tool) => tool.family))].map((name) => ({ name })),
    paths: withWrites({ ...otherRoutes(tools), ...toolRoutes(tools) }, tools),
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: { Meta: metaSchema, Failure: failureSchema },
      responses: commonResponses(),
    },
  };
}

const toolRoutes = (tools: readonly AnyTool[]): Record<string, unknown> =>
  Object.fromEntries(tools.map((tool) => [`/api/tools/${tool.name}`, { post: toolRoute(tool) }]));

/** A route may be read and written: the second verb joins the first. */
function withWrites(paths: Record<string, unknown>, tools: readonly AnyTool[]): Record<string, unknown> {
  const all = { ...paths };
  for (const { tool, route } of routesOf(tools).filter((one) => !isRead(one))) {
    const { operationId: _name, ...post } = toolRoute(tool, route.key);
    const path = route.path.replace(":id", "{id}");
    const known = all[path] as object | undefined;
    all[path] = { ...known, post: { ...post, description: `What ${tool.name} does.` } };
  }
  return all;
}

/** An argument that the address names is a parameter of it, and none of the body. */
function toolRoute(tool: AnyTool, key?: string): Record<string, unknown> {
  const schema = inputSchemaOf(tool.input);
  const { [key ?? ""]: named, ...properties } = schema.properties ?? {};
  const inPath = named === undefined ? [] : [{ name: "id", in: "path", required: true, schema: named }];
  const required = (schema.required ?? []).filter((name) => name !== key);
  const parameters = [...inPath, ...(tool.effect === "read" ? [] : [idempotencyKey])];
  return {
    operationId: tool.name,
    tags: [tool.family],
    summary: tool.title,
    description: [tool.summary, tool.guidance].filter(Boolean).join("\n\n"),
    ...(parameters.length === 0 ? {} : { parameters }),
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: named === undefined ? schema : { ...schema, properties, required },
          examples: examplesOf(tool, key),
        },
      },
    },
    responses: {
      "200": {
        description: "Done.",
        content: { "application/json": { schema: okSchema(outputSchemaOf(tool.output)) } },
      },
      ...refused(tool.refusals),
    },
  };
}

const examplesOf = (tool: AnyTool, key = ""): Record<string, unknown> =>
  Object.fromEntries(tool.examples.map(({ title, input: { [key]: _named, ...input } }) => [title, { value: input }]));

const idempotencyKey: { name: string; in: string; description: string; schema: JsonSchema } = {
  name: "Idempotency-Key",
  in: "header",
  description: "The same key from the same caller has effect once and is answered as the first time.",
  schema: { type: "string" },
};
