import { z } from "zod";
import { Refusal } from "../../../contract/refusal.ts";

const Value = z.union([z.string().max(500), z.number(), z.boolean()]);

/** Keys and values as an object, a list of `key=value`, or one such text. */
export const Meta = z.union([
  z.record(z.string().min(1).max(100), Value),
  z.array(z.string().min(1).max(601)).max(50),
  z.string().min(1).max(601),
]);

export function metaFrom(meta: z.infer<typeof Meta> | undefined): Record<string, string> {
  if (meta === undefined) return {};
  const pairs = typeof meta === "string" ? [meta] : Array.isArray(meta) ? meta : undefined;
  const entries = pairs?.map(pairOf) ?? Object.entries(meta).map(([key, value]) => [key, String(value)] as const);
  if (entries.length > 50) throw new Refusal("INVALID_REQUEST", "meta has at most 50 keys.", "Leave some out.");
  return Object.fromEntries(entries);
}

function pairOf(text: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  throw new Refusal(
    "INVALID_REQUEST",
    "Each entry of meta is key=value.",
    "Write the key, an equals sign and the value.",
  );
}
