import { execFile } from "node:child_process";
import { userInfo } from "node:os";

interface Identity {
  readonly name: string;
  readonly email: string | null;
}

/** Who works here, as git knows it in `dir`; the name of the account where git knows nobody or is not installed. */
export async function readGitIdentity(dir: string = process.cwd()): Promise<Identity> {
  const [name, email] = await Promise.all([readSetting("user.name", dir), readSetting("user.email", dir)]);
  return { name: name ?? accountName(), email: email ?? null };
}

const longestWaitMs = 3_000;

function readSetting(key: string, cwd: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile("git", ["config", "--get", key], { cwd, timeout: longestWaitMs, windowsHide: true }, (error, stdout) => {
      const value = stdout.trim();
      resolve(error || value === "" ? undefined : value);
    });
  });
}

/** A container may run under a number that no account has. */
function accountName(): string {
  try {
    return userInfo().username || "developer";
  } catch {
    return "developer";
  }
}
