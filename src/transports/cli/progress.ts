import { ensureServer, stopServer } from "../../adapters/server-process.ts";
import { amountText } from "./text.ts";

const patienceMs = 1_000;
const frames = ["|", "/", "-", "\\"];
const clearLine = "\r\u001b[K";

/** Tells somebody at a terminal what is going on once it takes more than a second; the line is gone when it is done. */
export async function withProgress<T>(label: string, work: Promise<T>): Promise<T> {
  if (process.stderr.isTTY !== true) return work;
  let shown = 0;
  let timer: NodeJS.Timeout | undefined;
  const waiting = setTimeout(() => {
    timer = setInterval(() => {
      process.stderr.write(`${clearLine}${frames[shown % frames.length]} ${label}`);
      shown += 1;
    }, 100);
  }, patienceMs);
  try {
    return await work;
  } finally {
    clearTimeout(waiting);
    clearInterval(timer);
    if (shown > 0) process.stderr.write(clearLine);
  }
}

/** Starting takes a moment; a home's first start creates its store. */
export const awaitServer: typeof ensureServer = (home, options) =>
  withProgress("Starting the server…", ensureServer(home, options));

export const awaitStop: typeof stopServer = (home) => withProgress("Stopping the server…", stopServer(home));

/** The same with a bar for work that tells how far it is. */
export async function withBar<T>(
  label: string,
  work: (tell: (progress: number, total: number) => void) => Promise<T>,
): Promise<T> {
  if (process.stderr.isTTY !== true) return work(() => undefined);
  let isShown = false;
  try {
    return await work((progress, total) => {
      isShown = true;
      process.stderr.write(`${clearLine}${barLine(label, progress, total)}`);
    });
  } finally {
    if (isShown) process.stderr.write(clearLine);
  }
}

const barWidth = 24;

export function barLine(label: string, progress: number, total: number): string {
  const share = total > 0 ? Math.min(1, Math.max(0, progress / total)) : 0;
  const full = Math.round(share * barWidth);
  const bar = `${"█".repeat(full)}${"░".repeat(barWidth - full)}`;
  return `${label} ${bar} ${Math.floor(share * 100)}% (${amountText(progress)} of ${amountText(total)})`;
}
