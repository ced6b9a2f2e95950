import { spawn } from "node:child_process";

/** Whether somebody sits in front of a screen on which a browser could open. */
export function hasDesktop(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): boolean {
  if (platform === "darwin" || platform === "win32") return true;
  return Boolean(env["DISPLAY"]) || Boolean(env["WAYLAND_DISPLAY"]);
}

/** Opens an address in the user's browser. A desktop without an opener is no error: the address was printed too. */
export function openInBrowser(url: string, platform: NodeJS.Platform = process.platform): void {
  const [program, ...args] = openerOf(platform);
  const child = spawn(program, [...args, url], { detached: true, stdio: "ignore", windowsHide: true });
  child.once("error", () => undefined);
  child.unref();
}

function openerOf(platform: NodeJS.Platform): [string, ...string[]] {
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return ["xdg-open"];
}
