/** A file of a work tree, as it was when it was read last. Never changed: one that was read again is a new entry. */
export interface Entry {
  /** Relative to the work tree, with `/`, as text. */
  readonly path: string;
  /** The same, one character for each byte, as the disk and git have it. */
  readonly raw: string;
  /** What git's index said the file was, where git found it unchanged. */
  readonly oid: string | undefined;
  /** Size and times of the file when it was read: with the same ones it has the same content. */
  readonly stamp: string | undefined;
  /** Which content it has; undefined where it was skipped. */
  readonly key: string | undefined;
  readonly skipped: string | undefined;
}

/** Bytes that the language of another name would read differently are another content. */
export const keyOf = (oid: string, language: string): string => `${oid} ${language}`;

export const oidOf = (key: string): string => key.slice(0, key.indexOf(" "));
