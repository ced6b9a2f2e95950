import { type Finding, ok, warning } from "./finding.ts";

const limitMs = 5_000;
/** Ends of claims and sessions are told by the server's clock; a minute of them is noticed. */
const mostMs = 30_000;

/** This machine's clock against the server's; undefined where the server does not say its time. */
export async function checkClock(origin: string): Promise<Finding | undefined> {
  try {
    const asked = Date.now();
    const response = await fetch(new URL("/health", origin), { signal: AbortSignal.timeout(limitMs) });
    const between = (asked + Date.now()) / 2;
    await response.body?.cancel();
    // It says whole seconds.
    const said = Date.parse(response.headers.get("date") ?? "") + 500;
    if (Number.isNaN(said)) return undefined;
    const apart = Math.abs(said - between);
    if (apart <= mostMs) return ok("clock", "as the server's", { check: "clock", state: "right" });
    const seconds = Math.round(apart / 1_000);
    const way = said > between ? "behind" : "ahead of";
    return warning(
      "clock",
      `${seconds} s ${way} the server's`,
      "Set this machine's clock, or turn on time synchronization.",
      { check: "clock", state: "off", count: seconds },
    );
  } catch {
    return undefined;
  }
}
