import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { ensureBuilt, openHome, programFile, type TestHome } from "../cli/program.ts";

beforeAll(ensureBuilt);

const localFile = join(programFile, "..", "covibe-local.js");

/** `covibe-local` in a repository of the home's own person. */
function local(home: TestHome, args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const cwd = join(home.env["HOME"] ?? "", "shop");
  mkdirSync(cwd, { recursive: true });
  return new Promise((resolve) => {
    execFile(process.execPath, [localFile, ...args], { cwd, env: home.env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

test("[SU10, SU14, SU16, SU17] a dry run shows what would be written, setup writes it, and --remove takes it back", async () => {
  const home = openHome();
  const repository = join(home.env["HOME"] ?? "", "shop");
  // Of this machine's own server, and none of the other's business.
  mkdirSync(home.dir);
  writeFileSync(join(home.dir, "crewdeck.db"), "");
  writeFileSync(join(home.dir, "credentials.json"), '{"default":"cdk_mine"}', { mode: 0o600 });
  const dry = await local(home, ["setup", "--dry-run", "--base-url", "https://deck.example"]);
  expect(dry.code).toBe(0);
  expect(dry.stdout).toContain("Dry run: nothing was changed.");
  expect(existsSync(join(repository, ".mcp.json"))).toBe(false);

  const { code, stdout } = await local(home, ["setup", "--no-service", "--base-url", "https://deck.example", "--json"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    applied: true,
    base_url: "https://deck.example",
    signed_in: false,
    service: null,
    clients: [{ client: "claude-code" }],
  });
  expect(readFileSync(join(repository, ".mcp.json"), "utf8")).toContain("https://deck.example");
  expect(existsSync(join(repository, ".covibe", "telemetry"))).toBe(true);

  expect((await local(home, ["setup", "--remove"])).stdout).toContain("Removed.");
  expect(existsSync(join(repository, ".mcp.json"))).toBe(false);
  expect(existsSync(join(repository, ".covibe"))).toBe(false);
});

test.each([
  "https://user:secret@deck.example",
  "https://deck.example/callback",
  "https://deck.example/?token=x",
  "https://deck.example/#x",
  "file:///etc",
  "deck.example",
])("[SU8] %s is no origin, and nothing is written", async (address) => {
  const home = openHome();
  const { code, stderr } = await local(home, ["setup", "--yes", "--base-url", address]);
  expect(code).toBe(2);
  expect(stderr).toContain("--base-url is not the plain address of a server.");
  expect(existsSync(join(home.env["HOME"] ?? "", ".covibe"))).toBe(false);
});

test("[SU13] covibe-local runs the companion's commands and nothing else, and its help names itself", async () => {
  const home = openHome();
  const help = await local(home, ["--help"]);
  expect(help.code).toBe(0);
  expect(help.stdout).toContain("Usage: covibe-local <command> [options]");
  expect([...help.stdout.matchAll(/^ {2}([a-z]+) \[/gm)].map(([, name]) => name)).toEqual([
    "setup",
    "doctor",
    "watch",
    "telemetry",
    "help",
  ]);
  const { stdout } = await local(home, ["help", "setup"]);
  expect(stdout).toContain("Usage: covibe-local setup [options]");
  expect(stdout).toContain("$ covibe-local setup --dry-run");
  for (const args of [[], ["serve"], ["--json"]]) {
    const { code, stdout: said, stderr } = await local(home, args);
    expect({ code, said }).toEqual({ code: 2, said: "" });
    expect(stderr).toMatch(/Usage: covibe-local|unknown command 'serve'/);
  }
  expect((await local(home, ["setup", "--bogus"])).stderr).toContain("See: covibe-local setup --help");
});

test("[DO4] right after setup nothing is wrong, though no server has run yet; one elsewhere is asked for", async () => {
  const home = openHome();
  await local(home, ["setup", "--no-service", "--yes"]);
  const fresh = await local(home, ["doctor", "--json"]);
  expect(fresh.code).toBe(0);
  expect(JSON.parse(fresh.stdout)).toMatchObject({
    healthy: true,
    checks: expect.arrayContaining([expect.objectContaining({ check: "home", status: "warning" })]),
  });
  await local(home, ["setup", "--no-service", "--yes", "--base-url", "http://127.0.0.1:9"]);
  const away = await local(home, ["doctor", "--json"]);
  expect(away.code).toBe(1);
  expect(away.stdout).toContain("The server at http://127.0.0.1:9 cannot be reached");
});
