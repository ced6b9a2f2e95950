import type { ServerResponse } from "node:http";

/** Answers that are still being written, by the token they are written for: an event stream can last for days. */
export class OpenAnswers {
  readonly #answers = new Map<string, Set<ServerResponse>>();

  add(tokenId: string, answer: ServerResponse): void {
    const answers = this.#answers.get(tokenId) ?? new Set();
    this.#answers.set(tokenId, answers.add(answer));
    answer.once("close", () => {
      answers.delete(answer);
      if (answers.size === 0 && this.#answers.get(tokenId) === answers) this.#answers.delete(tokenId);
    });
  }

  endAllOf(tokenId: string): void {
    for (const answer of this.#answers.get(tokenId) ?? []) answer.destroy();
  }
}
