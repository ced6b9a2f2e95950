import type { z } from "zod";
import type { CallerKind } from "./caller.ts";
import type { ErrorCode } from "./errors.ts";
import type { NextStepWords } from "./next-step.ts";
import type { Told } from "./told.ts";

export const families = ["team", "review", "workflow", "mission", "index"] as const;
type Family = (typeof families)[number];

/** What a call does to the world. Safety hints, HTTP verbs, confirm prompts and read-only mode follow from it. */
export type Effect = "read" | "create" | "change" | "destroy";

/** A call that is known to work, executed by the tests over every transport. `given` names the records it needs. */
export interface Example {
  readonly title: string;
  readonly input: Record<string, unknown>;
  /** The type of instance that alone can make this call; who else tries it is refused. */
  readonly from?: "coding" | "review" | "planning";
  /** It works only where agents' programs can be started. */
  readonly needs?: "launcher";
}

interface ToolLimits {
  /** The tool's own default; settings and `MCP_TOOL_TIMEOUT` come first (MC60). */
  readonly timeoutMs?: number;
}

/** Another address of a tool. What is read is asked for with GET, the arguments in the query; the rest with a POST of them. */
export interface Route {
  readonly method: "GET" | "POST";
  /** `/api/tasks/:id`, where `:id` is the argument that `key` names. */
  readonly path: string;
  readonly key?: string;
  /** What this address asks for of its own accord. */
  readonly args?: Readonly<Record<string, unknown>>;
}

/**
 * The single definition of a tool. MCP entry, HTTP route, OpenAPI, CLI command, documentation and tests are
 * derived from it. A surface that needs something this lacks asks for a new field here, never for a second table.
 */
export interface ToolSpec<
  Work,
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Look,
  Facts,
  Name extends string = string,
  Routes extends readonly Route[] = readonly Route[],
> {
  readonly name: Name;
  /** Older names that still work; a rename never breaks a configuration. */
  readonly aliases?: readonly string[];
  /** `person` tools are for people, and administer Crewdeck itself: reached by CLI and HTTP, never part of the published 81. */
  readonly family: Family | "person";
  readonly title: string;
  /** One sentence: what it does. */
  readonly summary: string;
  /** When to use it and what to do next. */
  readonly guidance?: string;
  /** Other words that people use for it, by which find_tools finds it. */
  readonly keywords?: string;
  readonly effect: Effect;
  /** Calling twice with the same arguments leaves the same state. */
  readonly isRepeatable?: boolean;
  /** The argument that names the agent who acts; a call that is granted is linked to it (ID18). */
  readonly actor?: Actor;
  readonly callers: readonly CallerKind[];
  readonly input: Input;
  readonly output: Output;
  /** Further addresses of it over HTTP, beside the one that every tool has. */
  readonly routes?: Routes;
  readonly refusals: readonly ErrorCode[];
  /** Its refusals name the tool and, where it is known, the instance that called (IN8). */
  readonly isNamedInRefusals?: boolean;
  /** How it words the next steps that refusals give. */
  readonly nextSteps?: NextStepWords;
  readonly examples: readonly Example[];
  readonly limits?: ToolLimits;
  /** How an answer says that it went, where it says so in a word: the usage log keeps it. A refusal counts as an error. */
  statusOf?(answer: z.input<Output>): string;
  /** What is kept of an answer for a repeated call (ID6), where it holds a secret that is shown once and never stored. */
  withoutSecrets?(answer: z.input<Output>): z.input<Output>;
  /** The operations of a door, each a full definition; the door itself publishes one flat object. */
  readonly operations?: Readonly<Record<string, AnyTool>>;
  /** Gathers facts from outside (files, git) before the transaction, which then only reads and writes rows. */
  observe?(input: z.output<Input>, look: Look): Promise<Facts>;
  /** Notes what is true because the call came, even if it is then refused; committed before `handle`. */
  enter?(input: z.output<Input>, work: Work, facts: Facts): Promise<void>;
  /** Answers, with what is to be kept of it where it warns or blocks. */
  handle(input: z.output<Input>, work: Work, facts: Facts): Promise<z.input<Output> | Told<z.input<Output>>>;
  /** For calls whose outside work the caller should not have to ask about again. */
  readonly afterwards?: Afterwards<Work, Output>;
}

export interface Actor {
  readonly key: string;
  /** A person looks at the agent: that is no sign of its life (AG22). */
  readonly isOnlyLookedAt?: boolean;
  /** What events and the usage log call it as well, where the family has a word of its own for who acts. */
  readonly alsoCalled?: string;
}

interface Afterwards<Work, Output extends z.ZodType> {
  /** Waits at most this long after the commit for the outside work the call asked for. */
  readonly waitMs: number;
  /** Answers what is true then; `answer` is what `handle` answered, now or when the call came for the first time. */
  read(answer: z.input<Output>, work: Work): Promise<z.input<Output>>;
}

/**
 * A tool of which only its schemas know what it takes and answers: what lists, surfaces and the engine hold. Its
 * methods are called with what those schemas have checked.
 */
export type AnyTool = ToolSpec<unknown, z.ZodObject, z.ZodType, unknown, unknown>;

/** What a door with this output may do: each operation answers something that the door may answer. */
export type OperationsOf<Output extends z.ZodType> = Readonly<
  Record<string, ToolSpec<unknown, z.ZodObject, z.ZodType<unknown, z.input<Output>>, unknown, unknown>>
>;

/** A tool with operations, each of which is known by its own type. */
export interface Door<Name extends string, Output extends z.ZodType, Operations extends OperationsOf<Output>>
  extends ToolSpec<unknown, z.ZodObject, Output, unknown, unknown, Name> {
  readonly operations: Operations;
}

/** What a caller sends to a tool: `Input<typeof taskList>`. Of a door it is what one of its operations takes. */
export type Input<Tool extends AnyTool> =
  Tool extends Door<string, z.ZodType, infer Operations>
    ? {
        [Name in keyof Operations & string]: { readonly operation: Name } & Unchanging<
          z.input<Operations[Name]["input"]>
        >;
      }[keyof Operations & string]
    : Unchanging<z.input<Tool["input"]>>;

/** What a tool answers, as it travels: `Output<typeof taskList>`. */
export type Output<Tool extends AnyTool> = Unchanging<z.input<Tool["output"]>>;

/** What one call is answered with. A door answers as the operation does that the call names. */
export type OutputFor<Tool extends AnyTool, Args> =
  Tool extends Door<string, z.ZodType, infer Operations>
    ? Args extends { operation: infer Name extends keyof Operations }
      ? Output<Operations[Name]>
      : Output<Tool>
    : Output<Tool>;

/** What goes over a wire is somebody else's copy. Ids are plain text in it: their brands are the server's own. */
type Unchanging<Value> = Value extends string & z.core.$brand
  ? string
  : Value extends object
    ? { readonly [Key in keyof Value]: Unchanging<Value[Key]> }
    : Value;
