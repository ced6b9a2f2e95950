import { type Catalogue, parseSelection, type Selection } from "../../contract/listing.ts";
import { Refusal } from "../../contract/refusal.ts";
import { CallQueue } from "../../engine/call-queue.ts";
import { Cancellations } from "./cancellations.ts";
import type { Connection } from "./gate.ts";

/** What a client asked to see, before it is checked. */
export interface SelectionRequest {
  readonly tools?: string | undefined;
  readonly exclude?: string | undefined;
  readonly readOnly?: boolean | undefined;
}

export function selectionOf(catalogue: Catalogue, ask: SelectionRequest): Selection {
  try {
    return parseSelection(
      ask.tools,
      { ...(ask.exclude === undefined ? {} : { exclude: ask.exclude }), readOnly: ask.readOnly ?? false },
      catalogue,
    );
  } catch (error) {
    throw new Refusal(
      "INVALID_REQUEST",
      error instanceof Error ? error.message : "That selection of tools is unknown.",
    );
  }
}

/** A connection with a queue of its own. */
export const openConnection = (
  parts: Pick<
    Connection,
    "house" | "catalogue" | "selection" | "developerId" | "identify" | "folder" | "seat" | "revision" | "open" | "way"
  >,
): Connection => ({ ...parts, queue: new CallQueue(), cancellations: new Cancellations() });
