import { setTimeout as pause } from "node:timers/promises";
import { type Context, print } from "./context.ts";

const lookEveryMs = 2_000;
const clearScreen = "\u001b[2J\u001b[H";

/** Shows something once, or with `--watch` again whenever it has changed, until Ctrl-C. */
export async function showOrWatch(context: Context, isWatching: boolean, look: () => Promise<string[]>): Promise<void> {
  for (let shown = ""; ; await pause(lookEveryMs)) {
    const text = (await look()).join("\n");
    if (text !== shown) {
      const isScreen = isWatching && !context.isJson && process.stdout.isTTY;
      print(isScreen ? `${clearScreen}${text}` : text);
      shown = text;
    }
    if (!isWatching) return;
  }
}
