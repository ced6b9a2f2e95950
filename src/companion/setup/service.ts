import { execFile } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolders, writeBytes } from "../files.ts";
import type { Companion } from "../places.ts";

export type ServiceState = "installed" | "removed" | "unavailable";

interface Manager {
  readonly file: string;
  readonly text: string;
  readonly probe: readonly string[];
  readonly start: readonly (readonly string[])[];
  readonly stop: readonly (readonly string[])[];
}

const unit = "covibe-watch.service";
const label = "dev.crewdeck.covibe-watch";

/** What starts the watcher with the person's own session; undefined on systems of which we know none. */
function managerOf(companion: Companion, userHome: string): Manager | undefined {
  if (process.platform === "linux") {
    const file = join(userHome, ".config", "systemd", "user", unit);
    return {
      file,
      text: systemdText(companion),
      probe: ["systemctl", "--user", "show-environment"],
      start: [
        ["systemctl", "--user", "daemon-reload"],
        ["systemctl", "--user", "enable", "--now", unit],
      ],
      stop: [["systemctl", "--user", "disable", "--now", unit]],
    };
  }
  if (process.platform !== "darwin") return undefined;
  const file = join(userHome, "Library", "LaunchAgents", `${label}.plist`);
  const domain = `gui/${process.getuid?.() ?? 0}`;
  return {
    file,
    text: launchdText(companion),
    probe: ["launchctl", "print", domain],
    start: [["launchctl", "bootstrap", domain, file]],
    stop: [["launchctl", "bootout", `${domain}/${label}`]],
  };
}

/** Installs the watcher for this person, or says that nothing here would start it. */
export async function installService(companion: Companion, userHome: string): Promise<ServiceState> {
  const manager = managerOf(companion, userHome);
  if (manager === undefined || !(await run(manager.probe))) return "unavailable";
  makeFolders(dirname(manager.file));
  writeBytes(manager.file, manager.text, 0o644);
  for (const command of manager.start) await run(command);
  return "installed";
}

export async function removeService(companion: Companion, userHome: string): Promise<ServiceState> {
  const manager = managerOf(companion, userHome);
  if (manager === undefined || !existsSync(manager.file)) return "unavailable";
  for (const command of manager.stop) await run(command);
  rmSync(manager.file, { force: true });
  return "removed";
}

/** Whether the watcher starts with the person's session; `unsupported` on systems of which we know no manager. */
export function readService(companion: Companion, userHome: string): "installed" | "absent" | "unsupported" {
  const manager = managerOf(companion, userHome);
  if (manager === undefined) return "unsupported";
  return existsSync(manager.file) ? "installed" : "absent";
}

const systemdText = ({ watchShim }: Companion): string =>
  [
    "[Unit]",
    "Description=Crewdeck companion",
    "",
    "[Service]",
    `ExecStart="${watchShim.replaceAll(/(["\\%])/g, (sign) => (sign === "%" ? "%%" : `\\${sign}`))}" --quiet`,
    "Restart=on-failure",
    "RestartSec=10",
    "Nice=10",
    "",
    "[Install]",
    "WantedBy=default.target",
    "",
  ].join("\n");

const launchdText = ({ watchShim }: Companion): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
<key>Label</key><string>${label}</string>
<key>ProgramArguments</key><array><string>${escapeMarkup(watchShim)}</string><string>--quiet</string></array>
<key>RunAtLoad</key><true/>
<key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
</dict></plist>
`;

const escapeMarkup = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

function run([program = "", ...args]: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: 10_000 }, (error) => resolve(error === null));
  });
}
