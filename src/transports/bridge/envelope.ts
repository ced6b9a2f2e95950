import { firstModernRevision } from "../../contract/versions.ts";
import { isObject, type Params } from "./message.ts";

/** The keys under which every request of the stateless era says who sends it and in which revision. */
export const envelopeKeys = {
  version: "io.modelcontextprotocol/protocolVersion",
  clientInfo: "io.modelcontextprotocol/clientInfo",
  capabilities: "io.modelcontextprotocol/clientCapabilities",
  serverInfo: "io.modelcontextprotocol/serverInfo",
  subscription: "io.modelcontextprotocol/subscriptionId",
} as const;

export type Envelope =
  | { readonly kind: "none" }
  | { readonly kind: "invalid"; readonly issue: { readonly key: string; readonly problem: string } }
  | { readonly kind: "unsupported"; readonly version: string }
  | { readonly kind: "modern"; readonly clientName: string | undefined };

/** A message that names a revision in its `_meta` claims the stateless era; the claim is checked, never ignored. */
export function readEnvelope(params: Params | undefined): Envelope {
  const meta = params?.["_meta"];
  if (!isObject(meta) || !(envelopeKeys.version in meta)) return { kind: "none" };
  const { [envelopeKeys.version]: version, [envelopeKeys.capabilities]: capabilities } = meta;
  const info = meta[envelopeKeys.clientInfo];
  if (!(envelopeKeys.capabilities in meta)) return invalid(envelopeKeys.capabilities, "missing");
  if (typeof version !== "string") return invalid(envelopeKeys.version, "Invalid input: expected string");
  if (!isObject(capabilities)) return invalid(envelopeKeys.capabilities, "Invalid input: expected object");
  if (info !== undefined && !isClientInfo(info))
    return invalid(envelopeKeys.clientInfo, "Invalid input: expected object");
  if (version !== firstModernRevision) return { kind: "unsupported", version };
  return { kind: "modern", clientName: info?.name };
}

interface ClientInfo {
  readonly name: string;
  readonly version: string;
}

export const isClientInfo = (value: unknown): value is ClientInfo & Params =>
  isObject(value) && typeof value["name"] === "string" && typeof value["version"] === "string";

const invalid = (key: string, problem: string): Envelope => ({ kind: "invalid", issue: { key, problem } });
