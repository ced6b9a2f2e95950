import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { ensureBuilt } from "../cli/program.ts";

const root = process.env["CREWDECK_TEST_PACKAGE"] ?? fileURLToPath(new URL("../..", import.meta.url));
const dir = join(root, "dist", "dashboard");
const packed = (path: string): number => gzipSync(readFileSync(join(dir, path))).length;
const kib = 1_024;

beforeAll(ensureBuilt);

test("[DK7] what a browser loads first is small, and so is every later part", () => {
  const page = readFileSync(join(dir, "index.html"), "utf8");
  const first = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map((match) => match[1] ?? "");
  expect(first.length).toBeGreaterThanOrEqual(2);
  const entry = first.reduce((sum, path) => sum + packed(path), 0);
  const parts = readdirSync(join(dir, "assets")).map((name) => ({ name, size: packed(`assets/${name}`) }));
  const later = parts
    .filter(({ name }) => !first.includes(`assets/${name}`))
    .sort((one, other) => other.size - one.size);
  process.stdout.write(
    `deck: first load ${(entry / kib).toFixed(1)} KiB, ${later.length} later parts, the largest ${later[0]?.name} ${((later[0]?.size ?? 0) / kib).toFixed(1)} KiB\n`,
  );
  expect(entry).toBeLessThanOrEqual(110 * kib);
  expect(later.filter(({ size }) => size > 100 * kib)).toEqual([]);
});

test("[DK7] no script and no style stands in the page, and nothing comes from elsewhere", () => {
  const page = readFileSync(join(dir, "index.html"), "utf8");
  expect(page).not.toMatch(/<script(?![^>]*\bsrc="\/)|<style|\sstyle=|\son\w+=|https?:/);
  expect(page.match(/<script[^>]*>/g)).toHaveLength(1);
});
