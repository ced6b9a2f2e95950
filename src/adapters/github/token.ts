import { execFile } from "node:child_process";

/** What proves us to GitHub: the variable, else what GitHub's own program holds for the host. */
export function readGitHubToken(host: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const given = env["GITHUB_TOKEN"]?.trim();
  if (given) return Promise.resolve(given);
  return new Promise((resolve) => {
    const options = { timeout: 10_000, windowsHide: true, env, maxBuffer: 64 * 1024 };
    execFile("gh", ["auth", "token", "--hostname", host], options, (error, stdout) => {
      const token = error ? "" : stdout.trim();
      resolve(/^[\x21-\x7e]{1,500}$/.test(token) ? token : undefined);
    });
  });
}
