/** A name that one side of a collision counts on and the other takes away or changes, or that both add. */
export interface SymbolClash {
  readonly name: string;
  /** Removed or renamed; called with other parameters; added by both; a file that is no longer there. */
  readonly why: SymbolClashReason;
  /** Where it was defined and is no more, or not as before. */
  readonly definedIn: string;
}

/** As they are stored and on the wire. */
export const symbolClashReasons = ["removed", "parameters", "twice", "file-gone"] as const;
type SymbolClashReason = (typeof symbolClashReasons)[number];

/** What is wrong with a name, after the file in which it is: `uses total, removed or renamed in src/sum.ts`. */
export const saySymbolClash = ({ name, why, definedIn }: SymbolClash): string => sayings[why](name, definedIn);

const sayings: Readonly<Record<SymbolClashReason, (name: string, at: string) => string>> = {
  removed: (name, at) => `uses ${name}, removed or renamed in ${at}`,
  parameters: (name, at) => `calls ${name}, whose parameters change in ${at}`,
  twice: (name, at) => `adds ${name}, which is also added in ${at}`,
  "file-gone": (name) => `imports ${name}, which is deleted or renamed`,
};
