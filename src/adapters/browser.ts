import { spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Home, readServerInfo, writeSecretText } from "./home.ts";
import { linkProofOf } from "./server-proof.ts";

/** Whether somebody sits in front of a screen on which a browser could open. */
export function hasDesktop(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): boolean {
  if (platform === "darwin" || platform === "win32") return true;
  return Boolean(env["DISPLAY"]) || Boolean(env["WAYLAND_DISPLAY"]);
}

/**
 * Opens a link in the user's browser through a page that only this user can read: every account sees the arguments of
 * every process, and the link signs in whoever is first. A desktop without an opener is no error: the link was printed.
 */
export function openInBrowser(link: string, home: Home, platform: NodeJS.Platform = process.platform): void {
  const file = join(home.dir, "open-deck.html");
  writeSecretText(file, redirectTo(withProof(new URL(link), home)));
  const [program, ...args] = openerOf(platform);
  const child = spawn(program, [...args, pathToFileURL(file).href], {
    detached: true,
    stdio: "ignore",
    windowsHide: true,
  });
  child.once("error", () => undefined);
  child.unref();
}

/** A browser takes the page for another site's, from which nobody is signed in unasked; the proof says that it is ours. */
function withProof(link: URL, home: Home): URL {
  const secret = readServerInfo(home)?.secret;
  const code = link.searchParams.get("code");
  if (secret !== undefined && code !== null) link.searchParams.set("here", linkProofOf(secret, code));
  return link;
}

/** An address as `URL` writes it has neither quotes nor angle brackets. */
const redirectTo = ({ href }: URL): string =>
  `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0; url=${href.replaceAll("&", "&amp;")}"><title>Crewdeck</title>\n`;

function openerOf(platform: NodeJS.Platform): [string, ...string[]] {
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return ["xdg-open"];
}
