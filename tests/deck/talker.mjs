/** Plays an agent's program in a terminal: it shows colours, asks what the terminal is, and repeats what it is told. */
import { createInterface } from "node:readline";

// Device attributes, cursor position, a mode, the background's colour and the clipboard: a careless terminal would answer.
process.stdout.write("\u001b[c\u001b[6n\u001b[?2004$p\u001b]11;?\u0007\u001b]52;c;cHduZWQ=\u0007");
process.stdout.write(
  "\u001b]8;;javascript:window.pwned=1\u0007a link\u001b]8;;\u0007\n<img src=x onerror=window.pwned=1>\n",
);
const hello = `hello from ${process.env.INSTANCE_ID}`;
process.stdout.write(`\u001b[38;2;240;180;101m${hello}\u001b[0m \u001b[1;32mready\u001b[0m\n`);
for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`heard ${JSON.stringify(line)}\n`);
