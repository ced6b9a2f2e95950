/** Clients that call the hook. Which one it is stands in their configuration; it is never guessed from what they send. */
export type HookClient = "claude-code" | "codex" | "cursor" | "gemini" | "opencode" | "copilot";

/** What happened in a client, in our words. */
export type Moment =
  | "start"
  | "prompt"
  | "before-edit"
  | "after-edit"
  | "waiting"
  | "stop"
  | "end"
  | "own-session"
  | "usage";

export interface Signal {
  readonly client: HookClient;
  readonly moment: Moment;
  /** The client's own name for its session. */
  readonly session: string;
  readonly cwd: string;
  /** Files of an edit, as the client wrote them. */
  readonly files: readonly string[];
  readonly model?: string | undefined;
  readonly transcript?: string | undefined;
  /** The session goes on after its context was shortened. */
  readonly isCompacted?: boolean;
  /** What the agent was answered when it started a session by itself. */
  readonly answer?: string;
  readonly usage?: Readonly<Record<string, unknown>>;
}

export type Payload = Readonly<Record<string, unknown>>;

export const textAt = (value: unknown, ...path: readonly string[]): string | undefined => {
  const found = path.reduce<unknown>((at, key) => recordOf(at)?.[key], value);
  return typeof found === "string" && found !== "" ? found : undefined;
};

export const recordOf = (value: unknown): Payload | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Payload) : undefined;
