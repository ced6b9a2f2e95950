import { z } from "zod";
import { Refusal } from "../../../contract/refusal.ts";
import type { ReadableRecord } from "../../../domain/context/record-operations.ts";

const Value = z.union([z.string().max(2_000), z.number(), z.boolean(), z.null()]);

/** What is asked of the fields of records. */
export const metaInputs = {
  meta: z
    .union([z.string().min(1).max(2_000), z.array(z.string().min(1).max(2_000)).max(50), z.record(z.string(), Value)])
    .optional()
    .describe(
      "key=value, a list of them, or an object: records whose field has the value in it; a key alone must exist.",
    ),
  metaJson: z
    .union([z.string().min(2).max(10_000), z.record(z.string(), Value)])
    .optional()
    .describe("The same as an object or as JSON text."),
};

interface MetaInput {
  readonly meta?: z.output<typeof metaInputs.meta>;
  readonly metaJson?: z.output<typeof metaInputs.metaJson>;
}

export interface MetaTest {
  readonly key: string;
  /** In small letters; undefined where the field only has to exist. */
  readonly value: string | undefined;
}

export function listMetaTests({ meta, metaJson }: MetaInput): MetaTest[] {
  return [...readMeta(meta), ...readMeta(typeof metaJson === "string" ? parseObject(metaJson) : metaJson)];
}

function readMeta(meta: MetaInput["meta"]): MetaTest[] {
  if (meta === undefined) return [];
  if (typeof meta === "string") return splitEntries(meta).map(readEntry);
  if (Array.isArray(meta)) return meta.map(readEntry);
  return Object.entries(meta).map(([key, value]) => ({
    key,
    value: value === null ? undefined : String(value).toLowerCase(),
  }));
}

const splitEntries = (text: string): string[] => text.split(/[\s,]+/).filter((entry) => entry !== "");

function readEntry(entry: string): MetaTest {
  const sign = entry.indexOf("=");
  if (sign === -1) return { key: entry.trim(), value: undefined };
  return {
    key: entry.slice(0, sign).trim(),
    value: entry
      .slice(sign + 1)
      .trim()
      .toLowerCase(),
  };
}

function parseObject(text: string): Record<string, z.output<typeof Value>> {
  try {
    return z.record(z.string(), Value).parse(JSON.parse(text));
  } catch {
    throw new Refusal(
      "INVALID_REQUEST",
      "metaJson is no JSON object of plain values.",
      'Write it like {"status": "done"}.',
    );
  }
}

/** Whether a record has all the fields; a dotted key goes into objects. */
export const fitsMeta = ({ meta }: Pick<ReadableRecord, "meta">, tests: readonly MetaTest[]): boolean =>
  tests.every(({ key, value }) => {
    const found = readKey(meta, key);
    if (found === undefined || found === null) return false;
    const text = typeof found === "object" ? JSON.stringify(found) : String(found);
    return value === undefined || text.toLowerCase().includes(value);
  });

function readKey(meta: Readonly<Record<string, unknown>>, key: string): unknown {
  if (Object.hasOwn(meta, key)) return meta[key];
  return key.split(".").reduce<unknown>((at, part) => {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, part)) return undefined;
    return (at as Record<string, unknown>)[part];
  }, meta);
}
