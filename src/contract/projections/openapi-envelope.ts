import { type ErrorCode, errorCodes, errors } from "../errors.ts";
import type { JsonSchema } from "../json-schema.ts";

/** The envelope of every HTTP answer (HT1), as OpenAPI writes it. */

type Refable = JsonSchema | { readonly $ref: string };

export const metaSchema: JsonSchema = {
  type: "object",
  properties: {
    schemaVersion: { type: "string" },
    toolVersion: { type: "string" },
    ts: { type: "string", format: "date-time" },
    requestId: { type: "string" },
    durationMs: { type: "number" },
  },
  required: ["schemaVersion", "toolVersion", "ts", "requestId", "durationMs"],
};

const metaRef = { $ref: "#/components/schemas/Meta" };

export const failureSchema: Record<string, unknown> = {
  type: "object",
  properties: {
    ok: { const: false },
    error: {
      type: "object",
      properties: {
        code: { type: "string", enum: [...errorCodes].sort() },
        namespaceCode: { type: "string", description: "The general class, for example crewdeck.not_found." },
        message: { type: "string", description: "What is wrong." },
        hint: { type: "string", description: "What to do next." },
        details: {
          description: "Facts for programs; for INVALID_REQUEST one entry for each violation, in Ajv's shape.",
        },
      },
      required: ["code", "namespaceCode", "message", "hint"],
    },
    _meta: metaRef,
  },
  required: ["ok", "error", "_meta"],
};

export const okSchema = (result: Refable): Record<string, unknown> => ({
  type: "object",
  properties: { ok: { const: true }, result, _meta: metaRef },
  required: ["ok", "result", "_meta"],
});

/** Any route that asks who calls can be refused with these, whatever else it declares. */
const commonCodes = [
  "INVALID_REQUEST",
  "UNAUTHORIZED",
  "FORBIDDEN",
  "TOOL_TIMEOUT",
  "TOO_LARGE",
  "RATE_LIMITED",
  "INTERNAL",
] as const satisfies readonly ErrorCode[];

/** The shared responses, by the name they are referred to. */
export const commonResponses = (): Record<string, unknown> =>
  Object.fromEntries(
    [...byStatus(commonCodes)].map(([status, codes]) => [`Refused${status}`, responseOf(status, codes)]),
  );

/** One response for each status that the common codes and these can have. */
export function refused(codes: readonly ErrorCode[] = []): Record<string, unknown> {
  const common = byStatus(commonCodes);
  return Object.fromEntries(
    [...byStatus([...commonCodes, ...codes])].map(([status, its]) => [
      String(status),
      its.length === common.get(status)?.length
        ? { $ref: `#/components/responses/Refused${status}` }
        : responseOf(status, its),
    ]),
  );
}

function byStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const grouped = new Map<number, ErrorCode[]>();
  for (const code of [...new Set(codes)].sort()) {
    const { http } = errors[code];
    grouped.set(http, [...(grouped.get(http) ?? []), code]);
  }
  return grouped;
}

const responseOf = (status: number, codes: readonly ErrorCode[]): Record<string, unknown> => ({
  description: codes.join(", "),
  ...(status === errors.RATE_LIMITED.http ? { headers: { "Retry-After": { schema: { type: "integer" } } } } : {}),
  content: { "application/json": { schema: { $ref: "#/components/schemas/Failure" } } },
});
