import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { homeAt } from "../../src/adapters/home.ts";
import { programLine } from "../../src/adapters/program-line.ts";
import { makeFolder } from "../git/scratch.ts";

/** An installation and a folder of commands, with nothing else around them. */
function install(folder = "program"): { bin: string; root: string; env: NodeJS.ProcessEnv } {
  const root = makeFolder();
  const bin = join(root, folder, "bin", "crewdeck.js");
  mkdirSync(join(root, folder, "bin"), { recursive: true });
  writeFileSync(bin, "");
  chmodSync(bin, 0o755);
  return { bin, root, env: { XDG_DATA_HOME: join(root, "data"), PATH: "" } };
}

const linkIn = (folder: string, bin: string): string => {
  mkdirSync(folder, { recursive: true });
  symlinkSync(bin, join(folder, "crewdeck"));
  return folder;
};

test.runIf(process.platform === "linux")("[CL97] an empty or relative data directory counts as unset", () => {
  const usual = homeAt(undefined, {}).dir;
  expect(usual).toMatch(/\.local\/share\/crewdeck$/);
  for (const XDG_DATA_HOME of ["", "data", "./x"]) expect(homeAt(undefined, { XDG_DATA_HOME }).dir).toBe(usual);
  expect(homeAt(undefined, { XDG_DATA_HOME: "/srv/data" }).dir).toBe("/srv/data/crewdeck");
});

test("[CL73] a program that is not installed is called by its path", () => {
  const { bin, env } = install();
  expect(programLine(homeAt(undefined, env), env, bin)).toEqual({
    command: `node ${bin}`,
    options: "",
    bridge: ["node", bin, "mcp"],
  });
});

test("[CL73] an installed program is called by its name, wherever the link to it is on the path", () => {
  const { bin, root, env } = install();
  const PATH = ["/nowhere", linkIn(join(root, "commands"), bin)].join(delimiter);
  expect(programLine(homeAt(undefined, env), { ...env, PATH }, bin).command).toBe("crewdeck");
});

test("[CL73] another program of that name, or one that only a package runner sees, is not believed", () => {
  const { bin, root, env } = install();
  const foreign = linkIn(join(root, "foreign"), install().bin);
  const runner = linkIn(join(root, "project", "node_modules", ".bin"), bin);
  const line = programLine(homeAt(undefined, env), { ...env, PATH: [foreign, runner].join(delimiter) }, bin);
  expect(line.command).toBe(`node ${bin}`);
});

test("[CL73] another home than the usual one is named, even where a variable names it for now", () => {
  const { bin, root, env } = install();
  const dir = join(root, "elsewhere");
  const named = { ...env, CREWDECK_HOME: dir };
  expect(programLine(homeAt(dir, env), env, bin).options).toBe(`--home ${dir}`);
  expect(programLine(homeAt(undefined, named), named, bin)).toMatchObject({
    options: `--home ${dir}`,
    bridge: ["node", bin, "mcp", "--home", dir],
  });
});

test("[CL73] a path with blanks, quotes and worse is one word of a shell, and itself for a client", () => {
  const { bin, env } = install("it's $HOME; `here`");
  const { command, bridge } = programLine(homeAt(undefined, env), env, bin);
  expect(command).toBe(`node '${bin.replace("'", "'\\''")}'`);
  expect(bridge[1]).toBe(bin);
});
