import type { z } from "zod";
import type { Feedback } from "./told.ts";

/**
 * The three streams of the ledger: what changed (`work`), who called what (`usage`), and what an agent was
 * warned about or refused (`feedback`).
 */
export type Stream = "work" | "usage" | "feedback";

/** One thing that has happened, before it has a place in the ledger. */
export interface HouseEvent {
  readonly stream: Stream;
  /** `noun.pastTense`, for example `agent.registered`. */
  readonly kind: string;
  /** The name the contracts give it on the wire, for example `agent:registered`. */
  readonly announced: string;
  /** The id of the record it is about. */
  readonly subject: string;
  /** Further channels a subscriber may have named, for example the recipient's `agent:ID`. */
  readonly channels: readonly string[];
  /** Small: what a reader of the ledger needs, never a whole row. */
  readonly data: Record<string, unknown>;
}

/** An event with its place in the ledger. */
export interface LedgerEntry extends HouseEvent {
  readonly seq: number;
  readonly at: number;
  readonly developerId: string | null;
  readonly callId: string | null;
  readonly hash: string;
}

export interface EventShape<Data extends z.ZodObject = z.ZodObject> {
  readonly announced: string;
  readonly data: Data;
}

type EventMakers<Shapes extends Record<string, EventShape>> = {
  readonly [Name in keyof Shapes]: (
    subject: string,
    data: z.input<Shapes[Name]["data"]>,
    channels?: readonly string[],
  ) => HouseEvent;
};

/** Every kind ever defined, so that the documentation and the pins can list them. */
export const knownEvents = new Map<string, EventShape>();

/** Declares what can have happened to a noun. Kinds and data shapes are pinned by a test; changing one is a public act. */
export function defineEvents<const Shapes extends Record<string, EventShape>>(
  noun: string,
  shapes: Shapes,
): EventMakers<Shapes> {
  const makers: Record<string, unknown> = {};
  for (const [name, shape] of Object.entries(shapes)) {
    const kind = `${noun}.${name}`;
    knownEvents.set(kind, shape);
    makers[name] = (subject: string, data: Record<string, unknown>, channels: readonly string[] = []): HouseEvent => ({
      stream: "work",
      kind,
      announced: shape.announced,
      subject,
      channels: [`${noun}:${subject}`, ...channels],
      data,
    });
  }
  return makers as EventMakers<Shapes>;
}

/** What an agent was warned about or kept from; kept, so that it can be read back later (TW2). */
export const feedbackEvent = ({ type, subject, message, requiredAction, code }: Feedback): HouseEvent => ({
  stream: "feedback",
  kind: `feedback.${type}`,
  announced: `feedback.${type}`,
  subject,
  channels: [],
  data: { type, message, required_action: requiredAction, code },
});
