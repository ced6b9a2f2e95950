/**
 * File names are bytes, not text. Inside this folder they are strings of one character for each byte, so that a name in
 * no known encoding comes through unharmed; only at the disk and at git do they become bytes again.
 */
export type RawName = string;

export const rawName = (bytes: Buffer): RawName => bytes.toString("latin1");

export const bytesOf = (name: RawName): Buffer => Buffer.from(name, "latin1");

/** The names in a list that ends each with NUL. */
export const readNames = (output: Buffer): RawName[] => rawName(output).split("\0").slice(0, -1);

/** A path on the disk. */
export const placeIn = (folder: string, name: RawName): Buffer =>
  Buffer.concat([Buffer.from(`${folder}/`), bytesOf(name)]);

/** A name as git's line-wise inputs take it: quoted, whatever is in it. */
export const quoteName = (name: RawName): string =>
  `"${name.replace(/[^\x20-\x7e]|["\\]/g, (symbol) => `\\${symbol.charCodeAt(0).toString(8).padStart(3, "0")}`)}"`;
