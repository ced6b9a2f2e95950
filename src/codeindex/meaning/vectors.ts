import type { FoundModel } from "../../domain/codeindex/port.ts";

/** What turns texts into vectors that lie close together where the texts mean the same. */
export interface Vectors {
  /** The model that is installed: its name, and what tells it from every other. Undefined where there is none. */
  findModel(): Promise<(FoundModel & { readonly id: string }) | undefined>;
  /** So long a search waits for them; 3 s unless given. */
  readonly patienceMs?: number;
  /** One vector of length 1 for each text, in their order. */
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>;
}
