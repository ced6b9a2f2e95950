import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { clientNames, OneOf } from "../../contract/words.ts";
import type { BlockMarks } from "../edit/block.ts";
import type { JsonEntry } from "../edit/json-edit.ts";

export type ClientName = OneOf<typeof clientNames>;

/** For whom, where and with which server a client is set up. */
export interface Place {
  readonly repository: string;
  readonly userHome: string;
  readonly env: NodeJS.ProcessEnv;
  /** Undefined for this machine's own server. */
  readonly baseUrl: string | undefined;
}

/** One file that setup writes to. */
export type ConfigPart = JsonPart | OwnPart | BlockPart;

interface Common {
  readonly file: string;
  /** What it is good for, in a word or two. */
  readonly purpose: "MCP server" | "hooks" | "MCP server and hooks" | "plugin" | "instructions";
}

export interface JsonPart extends Common {
  readonly kind: "json";
  readonly entries: readonly JsonEntry[];
}

/** A file of our own, whole. */
export interface OwnPart extends Common {
  readonly kind: "own";
  readonly text: string;
}

/** A few lines at the end of somebody else's file. */
export interface BlockPart extends Common {
  readonly kind: "block";
  readonly marks: BlockMarks;
  readonly body: string;
  /** Throws where the file is broken, and answers what stands in the way of the block. */
  readonly obstacleIn?: (foreign: string) => string | undefined;
}

export interface Client {
  readonly name: ClientName;
  readonly title: string;
  /** Whether this machine, or this repository, uses it. */
  isFound(place: Place): boolean;
  parts(place: Place): readonly ConfigPart[];
  /** The command by which it says itself whether it knows the server. */
  readonly listing?: readonly [program: string, ...args: string[]];
  /** What only a person can do afterwards. */
  readonly todo: readonly string[];
}

export const hasProgram = ({ env }: Place, ...names: readonly string[]): boolean =>
  (env["PATH"] ?? "")
    .split(delimiter)
    .some((folder) => folder !== "" && names.some((name) => isExecutable(join(folder, name))));

export const hasFolder = (...paths: readonly string[]): boolean => paths.some((path) => existsSync(path));

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
