import type { z } from "zod";
import type { CallerKind } from "./caller.ts";
import type { ErrorCode } from "./errors.ts";

export const families = ["team", "review", "workflow", "mission", "index"] as const;
export type Family = (typeof families)[number];

/** What a call does to the world. Safety hints, HTTP verbs, confirm prompts and read-only mode follow from it. */
export type Effect = "read" | "create" | "change" | "destroy";

/** A call that is known to work, executed by the tests over every transport. `given` names the records it needs. */
export interface Example {
  readonly title: string;
  readonly input: Record<string, unknown>;
}

export interface ToolLimits {
  /** The tool's own default; settings and `MCP_TOOL_TIMEOUT` come first (C7). */
  readonly timeoutMs?: number;
}

/**
 * The single definition of a tool (C1). MCP entry, HTTP route, OpenAPI, CLI command, documentation and tests are
 * derived from it. A surface that needs something this lacks asks for a new field here, never for a second table.
 */
export interface ToolSpec<
  Work = never,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
  Look = never,
  Facts = unknown,
> {
  readonly name: string;
  /** Older names that still work; a rename never breaks a configuration. */
  readonly aliases?: readonly string[];
  /** `person` tools are for people, and administer Crewdeck itself: reached by CLI and HTTP, never part of the published 81. */
  readonly family: Family | "person";
  readonly title: string;
  /** One sentence: what it does. */
  readonly summary: string;
  /** When to use it and what to do next. */
  readonly guidance?: string;
  readonly effect: Effect;
  /** Calling twice with the same arguments leaves the same state. */
  readonly isRepeatable?: boolean;
  /** The argument that names the agent who acts; a call that is granted is linked to it (I1). */
  readonly actorKey?: string;
  readonly callers: readonly CallerKind[];
  readonly input: Input;
  readonly output: Output;
  readonly refusals: readonly ErrorCode[];
  readonly examples: readonly Example[];
  readonly limits?: ToolLimits;
  /** What is kept of an answer for a repeated call (C11), where it holds a secret that is shown once and never stored. */
  withoutSecrets?(answer: z.input<Output>): z.input<Output>;
  /** The operations of a door, each a full definition; the door itself publishes one flat object. */
  readonly operations?: Readonly<Record<string, ToolSpec<Work>>>;
  /** Gathers facts from outside (files, git) before the transaction, which then only reads and writes rows. */
  observe?(input: z.output<Input>, look: Look): Promise<Facts>;
  handle(input: z.output<Input>, work: Work, facts: Facts): Promise<z.input<Output>>;
  /** For calls whose outside work the caller should not have to ask about again. */
  readonly afterwards?: Afterwards<Work, Output>;
}

export interface Afterwards<Work, Output extends z.ZodType> {
  /** Waits at most this long after the commit for the outside work the call asked for. */
  readonly waitMs: number;
  /** Answers what is true then; `answer` is what `handle` answered, now or when the call came for the first time. */
  read(answer: z.input<Output>, work: Work): Promise<z.input<Output>>;
}

// biome-ignore lint/suspicious/noExplicitAny: a catalogue holds tools of every input and output; the schemas check them.
export type AnyTool = ToolSpec<any, any, any, any, any>;
