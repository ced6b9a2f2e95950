const mostLines = 40;
const mostBytes = 4_000;

/** The end of an output of any length. */
export class Tail {
  #kept: Buffer = Buffer.alloc(0);

  add(chunk: Buffer): void {
    const both = Buffer.concat([this.#kept, chunk]);
    this.#kept = both.subarray(Math.max(0, both.length - mostBytes));
  }

  /** Without what could steer a terminal; a letter or line that was cut in two at the front is left out. */
  text(): string {
    const text = this.#kept
      .toString("utf8")
      .replace(/^\uFFFD+/, "")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to go.
      .replace(/\u001b\[[0-9;?]*[ -/]*[@-~]|[\u0000-\u0008\u000b-\u001f\u007f]/g, "");
    return text.split("\n").slice(-mostLines).join("\n").trim();
  }
}
