import { execFile } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { type Client, hasProgram, type Place } from "../clients/client.ts";

const limitMs = 30_000;

/** What a client says of the server when it is asked by its own command. */
export interface Listing {
  readonly command: string;
  /** Undefined where it knows the server. */
  readonly problem: string | undefined;
}

/** Undefined where its program is not on this machine, or has no such command. */
export async function askClient({ listing }: Client, place: Place): Promise<Listing | undefined> {
  if (listing === undefined || !hasProgram(place, listing[0])) return undefined;
  const command = listing.join(" ");
  const lines = await run(listing, place);
  const line = lines?.find((text) => text.includes("crewdeck"));
  if (lines === undefined) return { command, problem: `\`${command}\` does not end` };
  if (line === undefined) return { command, problem: `\`${command}\` does not name the server` };
  // One that is asked about the server alone says how it is on a line of its own.
  const bad = lines.find(
    (text) => /crewdeck|^status:/i.test(text) && /fail|error|not found|no mcp server|[✗✘]/i.test(text),
  );
  return { command, problem: bad === undefined ? undefined : `\`${command}\` says: ${bad.slice(0, 200)}` };
}

/** What a client calls its own version; undefined where its program is not on this machine or does not say. */
export async function askVersion({ listing }: Client, place: Place): Promise<string | undefined> {
  if (listing === undefined || !hasProgram(place, listing[0])) return undefined;
  const lines = await run([listing[0], "--version"], place);
  return lines?.map((line) => /\b\d+\.\d+\.\d+\b/.exec(line)?.[0]).find((version) => version !== undefined);
}

/** In the repository, as the person would type it; undefined where it takes too long. */
function run([program, ...args]: readonly [string, ...string[]], place: Place): Promise<string[] | undefined> {
  const options = { cwd: place.repository, env: place.env, timeout: limitMs, maxBuffer: 4 * 1024 * 1024 };
  return new Promise((resolve) => {
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      const lines = stripVTControlCharacters(`${stdout}\n${stderr}`).split("\n");
      resolve(error?.killed === true ? undefined : lines.map((line) => line.trim()));
    });
    child.stdin?.end();
  });
}
