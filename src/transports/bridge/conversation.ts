import { failureOf } from "../../contract/envelope.ts";
import type { ErrorCode } from "../../contract/errors.ts";
import { type Catalogue, listTools, type Selection } from "../../contract/listing.ts";
import { Refusal } from "../../contract/refusal.ts";
import { firstModernRevision, protocolVersions } from "../../contract/versions.ts";
import { cacheHint, serverCapabilities, serverInfo } from "../mcp/identity.ts";
import { type Envelope, envelopeKeys, isClientInfo, readEnvelope } from "./envelope.ts";
import {
  type ClientRequest,
  errorFrame,
  isObject,
  type Notice,
  type Params,
  type RequestId,
  resultFrame,
  rpcErrors,
} from "./message.ts";

/** What a server that joins later must hear first, so that it knows what the client was told. */
export interface Handshake {
  readonly method: string;
  readonly params: Params;
  readonly notices: readonly Notice[];
}

type Era = "undecided" | "legacy" | "modern";

const [, newestLegacy, ...olderLegacy] = protocolVersions;
const legacyVersions: readonly string[] = [newestLegacy, ...olderLegacy];

/** As many as the server would hold. */
const mostSubscriptions = 1024;

/** Clients ask for these to see whether they exist; we announce none of them. */
const unannounced = new Set([
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "resources/subscribe",
  "resources/unsubscribe",
  "prompts/list",
  "prompts/get",
  "completion/complete",
  "logging/setLevel",
  "tasks/get",
  "tasks/list",
  "tasks/result",
  "tasks/cancel",
]);

/**
 * The part of MCP that needs no server (BR1): the opening of either era and the lists, answered from generated data.
 * It answers as the server itself would, byte for byte where the request is well formed.
 */
export class Conversation {
  readonly #catalogue: Catalogue;
  readonly #selection: Selection;
  #era: Era = "undecided";
  #clientName: string | undefined;
  #handshake: Handshake | undefined;
  readonly #subscriptions = new Set<RequestId>();

  constructor(catalogue: Catalogue, selection: Selection) {
    this.#catalogue = catalogue;
    this.#selection = selection;
  }

  get isModern(): boolean {
    return this.#era === "modern";
  }

  get handshake(): Handshake | undefined {
    return this.#handshake;
  }

  /** The frame that answers a request, or undefined when only the server can. */
  answer(request: ClientRequest): string | undefined {
    const envelope = readEnvelope(request.params);
    if (this.#era === "undecided") {
      const refusal = this.#decideEra(request, envelope);
      if (refusal !== undefined) return refusal;
    }
    return this.#era === "legacy" ? this.#answerLegacy(request) : this.#answerModern(request, envelope);
  }

  /** Takes note of a notification; answers whether the server should hear it too. */
  hear(notice: Notice): boolean {
    if (notice.method === "notifications/initialized" && this.#handshake && !this.isModern) {
      this.#handshake = { ...this.#handshake, notices: [notice] };
    }
    const cancelled = notice.method === "notifications/cancelled" ? notice.params?.["requestId"] : undefined;
    return !(isRequestId(cancelled) && this.#subscriptions.delete(cancelled));
  }

  /** The first message decides the era of the connection, except a mere look (`server/discover`) or a broken claim. */
  #decideEra(request: ClientRequest, envelope: Envelope): string | undefined {
    const { id, method, params } = request;
    if (envelope.kind === "none" || (method === "initialize" && envelope.kind !== "modern")) {
      this.#era = "legacy";
    } else if (envelope.kind === "invalid") {
      const { key, problem } = envelope.issue;
      const message = `Invalid _meta envelope for protocol revision ${firstModernRevision}: ${key}: ${problem}`;
      return errorFrame(id, rpcErrors.invalidParams, message, { envelope: envelope.issue });
    } else if (envelope.kind === "unsupported") {
      return unsupportedVersion(id, envelope.version);
    } else if (method !== "server/discover") {
      this.#era = "modern";
      // Any request pins the server to this era; this one asks for nothing.
      this.#handshake = { method: "ping", params: { _meta: params?.["_meta"] }, notices: [] };
    }
    return undefined;
  }

  #answerLegacy(request: ClientRequest): string | undefined {
    const { id, method } = request;
    switch (method) {
      case "initialize":
        return this.#initialize(request);
      case "ping":
        return resultFrame(id, {});
      case "tools/list":
        return this.#list(request, this.#clientName, {});
      case "server/discover":
      case "subscriptions/listen":
        return methodNotFound(id);
      default:
        return unannounced.has(method) ? methodNotFound(id) : undefined;
    }
  }

  #answerModern(request: ClientRequest, envelope: Envelope): string | undefined {
    const { id, method, params } = request;
    switch (method) {
      case "server/discover": {
        const { instructions } = this.#catalogue;
        const found = { supportedVersions: [firstModernRevision], capabilities: serverCapabilities, instructions };
        return refuseEnvelope(id, envelope) ?? resultFrame(id, { ...found, ...modernMarks });
      }
      case "tools/list": {
        const clientName = envelope.kind === "modern" ? envelope.clientName : undefined;
        return refuseEnvelope(id, envelope) ?? this.#list(request, clientName, modernMarks);
      }
      case "subscriptions/listen":
        return refuseEnvelope(id, envelope) ?? this.#listen(request);
      case "initialize":
        return envelope.kind === "modern"
          ? methodNotFound(id)
          : unsupportedVersion(id, String(params?.["protocolVersion"] ?? "unknown"));
      case "ping":
        return methodNotFound(id);
      default:
        return unannounced.has(method) ? methodNotFound(id) : undefined;
    }
  }

  #initialize({ id, params }: ClientRequest): string {
    const { protocolVersion: asked, capabilities, clientInfo } = params ?? {};
    if (typeof asked !== "string" || !isObject(capabilities) || !isClientInfo(clientInfo)) {
      return unfit(id, "initialize");
    }
    const protocolVersion = legacyVersions.includes(asked) ? asked : newestLegacy;
    this.#clientName = clientInfo.name;
    this.#handshake = { method: "initialize", params: { ...params, protocolVersion }, notices: [] };
    const { instructions } = this.#catalogue;
    return resultFrame(id, { protocolVersion, capabilities: serverCapabilities, serverInfo, instructions });
  }

  #list({ id, params }: ClientRequest, clientName: string | undefined, marks: object): string {
    const cursor = params?.["cursor"];
    if (cursor !== undefined && typeof cursor !== "string") return unfit(id, "tools/list");
    return resultFrame(id, { tools: listTools(this.#catalogue, this.#selection, clientName), ...marks });
  }

  /** Nothing we announce ever changes, so a subscription is acknowledged with nothing in it, as the server would. */
  #listen({ id, params }: ClientRequest): string {
    if (!isObject(params?.["notifications"])) {
      const message = "Invalid params: 'notifications' is required and must be a valid SubscriptionFilter";
      return errorFrame(id, rpcErrors.invalidParams, message);
    }
    if (this.#subscriptions.size >= mostSubscriptions) {
      return errorFrame(id, rpcErrors.internal, "Subscription limit reached");
    }
    this.#subscriptions.add(id);
    return JSON.stringify({
      jsonrpc: "2.0",
      method: "notifications/subscriptions/acknowledged",
      params: { notifications: {}, _meta: { [envelopeKeys.subscription]: id } },
    });
  }
}

/** What every result of the stateless era carries. */
export const modernResult = { resultType: "complete" } as const;
export const modernMeta = { [envelopeKeys.serverInfo]: serverInfo };
const modernMarks = { ...modernResult, ...cacheHint, _meta: modernMeta };

/** Once the era is settled the server no longer minds which revision an envelope names, only that there is one. */
function refuseEnvelope(id: RequestId, envelope: Envelope): string | undefined {
  if (envelope.kind === "none") {
    const keys = `${envelopeKeys.version}, ${envelopeKeys.capabilities}`;
    const message = `Request is missing the required _meta envelope for protocol revision ${firstModernRevision} (${keys})`;
    return refuse(id, rpcErrors.invalidParams, "INVALID_REQUEST", message);
  }
  if (envelope.kind !== "invalid") return undefined;
  const message = `Invalid _meta envelope for protocol revision ${firstModernRevision}: ${envelope.issue.problem}`;
  return refuse(id, rpcErrors.invalidParams, "INVALID_REQUEST", message);
}

/** Programs tell errors apart by `data.code`. */
const refuse = (id: RequestId, rpcCode: number, code: ErrorCode, message: string): string =>
  errorFrame(id, rpcCode, message, { code, message });

const methodNotFound = (id: RequestId): string => refuse(id, rpcErrors.methodNotFound, "NOT_FOUND", "Method not found");

function unfit(id: RequestId, method: string): string {
  const failure = failureOf(new Refusal("INVALID_REQUEST", `The params do not fit ${method}.`), "");
  return errorFrame(id, rpcErrors.invalidParams, failure.message, failure);
}

const unsupportedVersion = (id: RequestId, requested: string): string =>
  errorFrame(id, rpcErrors.unsupportedVersion, `Unsupported protocol version: ${requested}`, {
    supported: [firstModernRevision],
    requested,
  });

const isRequestId = (id: unknown): id is RequestId => typeof id === "string" || typeof id === "number";
