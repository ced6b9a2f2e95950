/** What a command may assume of whoever looks at its output. */
export interface Screen {
  /** Columns that fit; what is read by a program is never cut. */
  readonly width: number;
  readonly isColoured: boolean;
}

/** For programs and tests: nothing is cut, nothing is coloured. */
export const plainScreen: Screen = { width: Number.POSITIVE_INFINITY, isColoured: false };

/** As the terminal says; in a pipe as `COLUMNS` says. `NO_COLOR` and `--no-color` win over everything. */
export function screenOf(
  stream: { readonly isTTY?: boolean; readonly columns?: number },
  env: NodeJS.ProcessEnv,
  isPlain: boolean,
): Screen {
  const isTerminal = stream.isTTY === true;
  const width = Number((isTerminal && stream.columns) || env["COLUMNS"]);
  const isForced = Boolean(env["FORCE_COLOR"]) && env["FORCE_COLOR"] !== "0";
  return {
    width: Number.isInteger(width) && width > 0 ? Math.max(narrowest, width) : Number.POSITIVE_INFINITY,
    isColoured: !isPlain && !env["NO_COLOR"] && (isForced || (isTerminal && env["TERM"] !== "dumb")),
  };
}

/** Below this nothing can be laid out. */
const narrowest = 40;

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, cyan: 36 } as const;

export type Style = keyof typeof codes;

export const paint = ({ isColoured }: Screen, style: Style, text: string): string =>
  isColoured && text !== "" ? `\u001b[${codes[style]}m${text}\u001b[0m` : text;

/** The colour of a status, wherever one is shown; unknown ones have none. */
export function styleOf(status: string): Style | undefined {
  const word = status.toLowerCase();
  return Object.hasOwn(statusStyles, word) ? statusStyles[word] : undefined;
}

const statusStyles: Readonly<Record<string, Style>> = {
  active: "green",
  working: "green",
  in_progress: "green",
  online: "green",
  live: "green",
  ok: "green",
  done: "blue",
  completed: "blue",
  success: "blue",
  approved: "blue",
  blocked: "yellow",
  stale: "yellow",
  paused: "yellow",
  pending: "yellow",
  partial_success: "yellow",
  warning: "yellow",
  failed: "red",
  denied: "red",
  revoked: "red",
  exceeded: "red",
  cancelled: "dim",
  skipped: "dim",
  ended: "dim",
  offline: "dim",
  expired: "dim",
};
