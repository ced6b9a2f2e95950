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
