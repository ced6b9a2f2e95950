import type { listingStates, OneOf, partStates, trustStates } from "../../contract/words.ts";
import type { Client, ClientName, Place } from "../clients/client.ts";
import type { Step } from "../setup/plan.ts";
import type { Listing } from "./own-listing.ts";

type PartState = OneOf<typeof partStates>;

/** How a client is set up in a repository, in names and states: no path, no content, nothing that it printed. */
export interface ClientState {
  readonly client: ClientName;
  /** Null where the client has no such part. */
  readonly entry: PartState | null;
  readonly hooks: PartState | null;
  readonly instructions: PartState | null;
  /** Null where nobody has to say yes. */
  readonly trust: OneOf<typeof trustStates> | null;
  /** Null where it can't be asked. */
  readonly listing: OneOf<typeof listingStates> | null;
}

export function stateOf(
  client: Client,
  steps: readonly Step[],
  { trust, listing }: { trust: ClientState["trust"]; listing: Listing | undefined },
): ClientState {
  const partOf = (...purposes: readonly string[]): PartState | null => {
    const step = steps.find(({ part }) => purposes.includes(part.purpose));
    return step === undefined ? null : partStateOf(step);
  };
  return {
    client: client.name,
    entry: partOf("MCP server", "MCP server and hooks"),
    hooks: partOf("hooks", "MCP server and hooks", "plugin"),
    instructions: partOf("instructions"),
    trust,
    listing: listing === undefined ? null : listing.problem === undefined ? "named" : "unnamed",
  };
}

/** Found on this machine, and setup was never run for it here. */
export const missingState = ({ name, parts }: Client, place: Place): ClientState => {
  const purposes = new Set<string>(parts(place).map(({ purpose }) => purpose));
  const partOf = (...names: readonly string[]) => (names.some((one) => purposes.has(one)) ? "missing" : null);
  return {
    client: name,
    entry: "missing",
    hooks: partOf("hooks", "MCP server and hooks", "plugin"),
    instructions: partOf("instructions"),
    trust: null,
    listing: null,
  };
};

const partStateOf = ({ action }: Step): PartState => {
  if (action === "refused") return "broken";
  if (action === "kept") return "taken";
  if (action === "create") return "missing";
  return action === "none" ? "set_up" : "changed";
};
