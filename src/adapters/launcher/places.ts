import { createHmac, randomBytes } from "node:crypto";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InstanceId } from "../../contract/ids.ts";
import { readOwnBytes, readOwnFile } from "../regular-file.ts";

/** What we keep of an instance's program, in a folder of its own that nobody else can read. */
export interface Places {
  readonly folder: string;
  readonly launchFile: string;
  readonly promptFile: string;
  readonly logFile: string;
  readonly processFile: string;
  readonly exitFile: string;
}

export class AgentFolders {
  readonly root: string;
  readonly #worktrees: string;
  #key: Buffer | undefined;

  constructor(dataDir: string) {
    this.root = join(dataDir, "agents");
    this.#worktrees = join(dataDir, "worktrees");
  }

  of(id: InstanceId): Places {
    const folder = join(this.root, id);
    const file = (name: string): string => join(folder, name);
    return {
      folder,
      launchFile: file("launch.json"),
      promptFile: file("prompt.md"),
      logFile: file("output.log"),
      processFile: file("process.json"),
      exitFile: file("exit.json"),
    };
  }

  worktreeOf = (id: InstanceId): string => join(this.#worktrees, id);

  newId(word: string): InstanceId {
    const letters = "0123456789abcdefghjkmnpqrstvwxyz";
    return InstanceId.parse(`${word}-${[...randomBytes(8)].map((byte) => letters[byte % 32]).join("")}`);
  }

  /** What an instance's token is made of: never stored, and made again from its id by this machine alone. */
  secretOf(id: InstanceId): Buffer {
    return createHmac("sha256", this.#readKey()).update(`instance ${id}`).digest();
  }

  /** An id for the program's own conversation, so that the next turn can go on with it. */
  conversationOf(id: InstanceId): string {
    const hex = createHmac("sha256", this.#readKey()).update(`conversation ${id}`).digest("hex");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  }

  #readKey(): Buffer {
    if (this.#key) return this.#key;
    mkdirSync(this.root, { recursive: true, mode: 0o700 });
    const file = join(this.root, "key");
    try {
      writeFileSync(file, randomBytes(32), { flag: "wx", mode: 0o600 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const key = readOwnBytes(file);
    if (key === undefined) throw new Error(`${file} cannot be read`);
    this.#key = key;
    return key;
  }
}

/** Writes a file that only we can read, in one step. */
export function writeOwn(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

export function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readOwnFile(file) ?? "") as T;
  } catch {
    return undefined;
  }
}

export const removeFile = (file: string): void => rmSync(file, { force: true });
