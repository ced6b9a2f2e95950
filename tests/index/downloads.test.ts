import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { getLoadablePath } from "sqlite-vec";
import { describe, expect, test } from "vitest";
import { isPrivateAddress } from "../../src/adapters/artifacts/download/address.ts";
import { downloadLimits } from "../../src/adapters/artifacts/download/ports.ts";
import { recoverInstallations } from "../../src/adapters/artifacts/download/put-in-place.ts";
import { artifactPorts } from "../../src/adapters/artifacts/ports.ts";
import { dispatch } from "../../src/engine/dispatch.ts";
import { indexCopies } from "../../src/storage/index-copy/write-copy.ts";
import { openTestHouse } from "../../src/testing/house.ts";
import { until } from "../../src/testing/waiting.ts";
import { makeFolder } from "../git/scratch.ts";
import { tar, tgz, zip } from "./archives.ts";
import { pinned, sha256, startLyingServer } from "./lying-server.ts";

const words = Buffer.from("apple\nbanana\ncherry\n");

interface Settings {
  allow?: boolean;
  hosts?: string[];
  files?: Record<string, { url: string; sha256: string }>;
}

/** Small, so that passing them takes no time. */
const limits = { mostBytes: 2_000_000, mostEntryBytes: 500_000, mostEntries: 20 };

async function openScene({ allow = true, hosts = ["127.0.0.1"], files = {} }: Settings = {}, patienceMs = 30_000) {
  const home = makeFolder();
  const artifact = artifactPorts({
    homeDir: home,
    downloads: { allow, hosts, files },
    patienceMs,
    limits,
    copies: indexCopies,
  });
  const house = await openTestHouse("sqlite", { ports: { artifact } });
  const list = (): string[] => readdirSync(home, { recursive: true, encoding: "utf8" }).sort();
  return { home, house, list };
}

test("[DL1] download_models, download_dictionaries and download_extensions are FORBIDDEN unless allowed, and nothing is asked", async () => {
  const server = await startLyingServer({ "/en.txt": words });
  const { house, list } = await openScene({ allow: false });
  const address = pinned(server.origin, "/en.txt", words);
  const reply = await house.reply("download_models", {});
  expect(reply).toMatchObject({ failure: { code: "FORBIDDEN", hint: expect.stringContaining('"downloads"') } });
  expect(await house.refusal("download_dictionaries", { url: `en=${address}` })).toBe("FORBIDDEN");
  expect(await house.refusal("download_extensions", { url: address })).toBe("FORBIDDEN");
  expect(server.asked).toEqual([]);
  expect(list()).toEqual([]);
});

test("[DL2] other hosts and unencrypted addresses are FORBIDDEN before a connection is made", async () => {
  const server = await startLyingServer({ "/en.txt": words });
  const { house } = await openScene({ hosts: ["example.com"] });
  const hash = `#sha256=${sha256(words)}`;
  for (const address of [
    `${server.origin}/en.txt`,
    "http://example.com/en.txt",
    "ftp://example.com/en.txt",
    "file:///etc/passwd",
    "https://user:secret@example.com/en.txt",
    "https://example.com.evil.test/en.txt",
  ]) {
    expect(await house.refusal("download_dictionaries", { url: `en=${address}${hash}` })).toBe("FORBIDDEN");
  }
  expect(server.asked).toEqual([]);
});

test("[DL3, DL9, DL11] a file with the right hash is kept once, and the ledger has it", async () => {
  const server = await startLyingServer({ "/en.txt": words });
  const { house, home } = await openScene();
  const url = `en=${pinned(server.origin, "/en.txt", words)}`;
  const kinds = await house.eventsOf(() => house.call("download_dictionaries", { url }));
  expect(kinds).toEqual(["artifact.downloaded"]);
  expect(readFileSync(join(home, "index", "dictionaries", "en.txt"))).toEqual(words);
  expect(await house.eventsOf(() => house.call("download_dictionaries", { url }))).toEqual([]);
  expect(server.asked).toHaveLength(1);
  expect(await house.call("download_dictionaries", { url, force: true })).toMatchObject({ downloaded: 1, skipped: 0 });
  expect(server.asked).toHaveLength(2);
  expect(readdirSync(join(home, "index", "dictionaries")).sort()).toEqual([".installed.json", "en.txt"]);
});

test("[DL3] a name is looked up in the configured table", async () => {
  const model = tgz([{ name: "model.onnx", content: "weights" }]);
  const server = await startLyingServer({ "/en.txt": words, "/m.tgz": model });
  const files = {
    en: { url: `${server.origin}/en.txt`, sha256: sha256(words) },
    "all-MiniLM-L12-v2": { url: `${server.origin}/m.tgz`, sha256: sha256(model).toUpperCase() },
  };
  const { house, home } = await openScene({ files });
  expect(await house.call("download_dictionaries", {})).toMatchObject({ downloaded: 1 });
  expect(await house.call("download_models", {})).toMatchObject({
    model: "all-MiniLM-L12-v2",
    path: join(home, "index", "models", "all-MiniLM-L12-v2"),
  });
  expect(readFileSync(join(home, "index", "models", "all-MiniLM-L12-v2", "model.onnx"), "utf8")).toBe("weights");
});

test("[DL3] download_models, download_dictionaries and download_extensions answer DOWNLOAD_VERIFY_FAILED without the right hash, and keep nothing", async () => {
  const server = await startLyingServer({ "/en.txt": words, "/e.zip": words });
  const { house, list } = await openScene();
  const wrong = "0".repeat(64);
  expect(await house.refusal("download_models", { model: "unknown" })).toBe("DOWNLOAD_VERIFY_FAILED");
  expect(await house.refusal("download_models", { model: `${server.origin}/en.txt#sha256=short` })).toBe(
    "DOWNLOAD_VERIFY_FAILED",
  );
  expect(server.asked).toEqual([]);
  for (const path of ["/en.txt", "/gone.txt"]) {
    const url = `${server.origin}${path}#sha256=${wrong}`;
    expect(await house.refusal("download_models", { model: url })).toBe("DOWNLOAD_VERIFY_FAILED");
    expect(await house.refusal("download_dictionaries", { url: `en=${url}` })).toBe("DOWNLOAD_VERIFY_FAILED");
    expect(await house.refusal("download_extensions", { url })).toBe("DOWNLOAD_VERIFY_FAILED");
  }
  expect(list().filter((name) => !["index"].includes(name))).toEqual([]);
});

test("[DL3] download_models, download_dictionaries and download_extensions refuse what is no address with INVALID_REQUEST", async () => {
  const { house } = await openScene();
  expect(await house.refusal("download_models", { model: "https://" })).toBe("INVALID_REQUEST");
  expect(await house.refusal("download_dictionaries", { url: "no pair" })).toBe("INVALID_REQUEST");
  expect(await house.refusal("download_extensions", { url: "http://[" })).toBe("INVALID_REQUEST");
});

test("[DL4] a download that was cut short goes on where it stopped", async () => {
  const content = Buffer.alloc(100_000, "abcdefg");
  let cut: ServerResponse | undefined;
  const server = await startLyingServer({
    "/big.txt": (request, response) => {
      const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
      response.writeHead(from > 0 ? 206 : 200, {
        "content-length": content.length - from,
        ...(from > 0 ? { "content-range": `bytes ${from}-${content.length - 1}/${content.length}` } : {}),
      });
      if (cut) response.end(content.subarray(from));
      else {
        cut = response;
        response.write(content.subarray(0, 40_000));
      }
    },
  });
  const { house, home } = await openScene();
  const url = `big=${pinned(server.origin, "/big.txt", content)}`;
  const refusal = house.refusal("download_dictionaries", { url });
  const part = join(home, "index", "dictionaries", ".partial", `${sha256(content)}.part`);
  await until(() => existsSync(part) && statSync(part).size === 40_000);
  cut?.destroy();
  expect(await refusal).toBe("DOWNLOAD_VERIFY_FAILED");
  await house.call("download_dictionaries", { url });
  expect(server.asked).toEqual(["/big.txt", "/big.txt bytes=40000-"]);
  expect(readFileSync(join(home, "index", "dictionaries", "big.txt"))).toEqual(content);
});

test("[DL4] what lies there of another file is thrown away, and a server that can't go on sends the whole", async () => {
  const server = await startLyingServer({ "/en.txt": words });
  const { house, home } = await openScene();
  const partial = join(home, "index", "dictionaries", ".partial");
  mkdirSync(partial, { recursive: true });
  writeFileSync(join(partial, `${sha256(words)}.part`), "something else");
  await house.call("download_dictionaries", { url: `en=${pinned(server.origin, "/en.txt", words)}` });
  expect(readFileSync(join(home, "index", "dictionaries", "en.txt"))).toEqual(words);
  expect(existsSync(partial)).toBe(false);
});

describe("redirects", () => {
  test("[DL5] lead to allowed hosts only, and not on for ever", async () => {
    const to =
      (location: string) => (_request: unknown, response: { writeHead: (...args: never[]) => void; end(): void }) => {
        (response.writeHead as (status: number, headers: object) => void)(302, { location });
        response.end();
      };
    const server = await startLyingServer({
      "/here": to("/en.txt"),
      "/away": to("https://evil.test/en.txt"),
      "/inside": to("http://169.254.169.254/latest/meta-data"),
      "/down": to("http://example.com/en.txt"),
      "/round": to("/round"),
      "/file": to("file:///etc/passwd"),
      "/en.txt": words,
    });
    const { house, home } = await openScene();
    const ask = (path: string) => ({ url: `en=${pinned(server.origin, path, words)}` });
    for (const path of ["/away", "/inside", "/down", "/file"]) {
      expect(await house.refusal("download_dictionaries", ask(path))).toBe("FORBIDDEN");
    }
    expect(await house.refusal("download_dictionaries", ask("/round"))).toBe("DOWNLOAD_VERIFY_FAILED");
    await house.call("download_dictionaries", ask("/here"));
    expect(readFileSync(join(home, "index", "dictionaries", "en"))).toEqual(words);
  });

  test("[DL5] private addresses are known in every spelling", () => {
    const inside = ["10.1.2.3", "127.0.0.1", "169.254.169.254", "172.31.0.1", "192.168.1.1", "100.64.0.1", "0.0.0.0"];
    const inside6 = ["::1", "fe80::1", "fd00::1", "::ffff:10.0.0.1", "[::1]", "224.0.0.1"];
    expect([...inside, ...inside6].filter((address) => !isPrivateAddress(address))).toEqual([]);
    expect(["1.1.1.1", "8.8.8.8", "2606:4700::1111"].filter(isPrivateAddress)).toEqual([]);
  });
});

const evil = [
  { what: "a link", tar: [{ name: "a.so", type: "2", link: "/etc/passwd" }] },
  { what: "a hard link", tar: [{ name: "a.so", type: "1", link: "b" }] },
  { what: "a device", tar: [{ name: "a.so", type: "3" }] },
  { what: "a way up", tar: [{ name: "../a.so", content: "x" }], zip: [{ name: "../a.so", content: "x" }] },
  { what: "a way up inside", tar: [{ name: "a/../../b", content: "x" }], zip: [{ name: "a/../../b", content: "x" }] },
  { what: "an absolute name", tar: [{ name: "/tmp/a", content: "x" }], zip: [{ name: "/tmp/a", content: "x" }] },
  { what: "a drive", tar: [{ name: "C:a", content: "x" }], zip: [{ name: "C:/a", content: "x" }] },
  { what: "backslashes", tar: [{ name: "..\\a", content: "x" }], zip: [{ name: "..\\a", content: "x" }] },
  {
    what: "names that differ in case",
    tar: [
      { name: "A.so", content: "x" },
      { name: "a.so", content: "y" },
    ],
    zip: [
      { name: "A.so", content: "x" },
      { name: "a.so", content: "y" },
    ],
  },
  {
    what: "a file that is a folder too",
    tar: [
      { name: "a", content: "x" },
      { name: "a/b", content: "y" },
    ],
    zip: [
      { name: "a", content: "x" },
      { name: "a/b", content: "y" },
    ],
  },
  { what: "a link in a zip", zip: [{ name: "a.so", mode: 0o120777, content: "/etc/passwd" }] },
  { what: "two names", zip: [{ name: "a.so", localName: "b.so", content: "x" }] },
  { what: "a wrong size", zip: [{ name: "a.so", content: "x", size: 2 }] },
  { what: "a password", zip: [{ name: "a.so", content: "x", isEncrypted: true }] },
  { what: "an end too early", tar: [{ name: "a.so", content: "x", size: 5_000 }] },
].flatMap(({ what, tar: inTar, zip: inZip }) => [
  ...(inTar
    ? [
        { what, path: "/e.tgz", archive: tgz(inTar) },
        { what, path: "/e.tar", archive: tar(inTar) },
      ]
    : []),
  ...(inZip ? [{ what, path: "/e.zip", archive: zip(inZip) }] : []),
]);

test("[DL6] download_models, download_dictionaries and download_extensions answer ARCHIVE_UNSAFE for hostile archives, and leave no trace", async () => {
  const server = await startLyingServer(
    Object.fromEntries(evil.map(({ path, archive }, at) => [`/${at}${path}`, archive])),
  );
  const { house, home, list } = await openScene();
  for (const [at, { what, path, archive }] of evil.entries()) {
    const url = pinned(server.origin, `/${at}${path}`, archive);
    const code = await house.refusal("download_extensions", { url });
    expect({ what, path, code }).toEqual({ what, path, code: "ARCHIVE_UNSAFE" });
  }
  const first = evil[0];
  const url = pinned(server.origin, `/0${first?.path}`, first?.archive ?? words);
  expect(await house.refusal("download_models", { model: url })).toBe("ARCHIVE_UNSAFE");
  expect(await house.refusal("download_dictionaries", { url: `a=${url}` })).toBe("ARCHIVE_UNSAFE");
  expect(list().filter((name) => name !== "index")).toEqual([]);
  expect(existsSync(join(home, "..", "a.so"))).toBe(false);
});

test("[DL7] download_models, download_dictionaries and download_extensions answer ARCHIVE_TOO_LARGE for bombs and floods, and leave no trace", async () => {
  expect(downloadLimits).toEqual({ mostBytes: 200_000_000, mostEntryBytes: 50_000_000, mostEntries: 2_048 });
  const zeros = Buffer.alloc(limits.mostEntryBytes + 1);
  const many = Array.from({ length: limits.mostEntries + 1 }, (_, at) => ({ name: `f${at}`, content: "" }));
  const bombs = {
    "/entry.tgz": tgz([{ name: "a.so", content: zeros }]),
    "/entry.zip": zip([{ name: "a.so", content: zeros }]),
    "/lie.zip": zip([{ name: "a.so", content: zeros, size: 10 }]),
    "/many.tgz": tgz(many),
    "/many.zip": zip(many),
  };
  const flood = Buffer.alloc(100_000);
  const server = await startLyingServer({
    ...bombs,
    "/said.txt": (_request, response) => {
      response.writeHead(200, { "content-length": limits.mostBytes + 1 });
      response.write("x");
    },
    "/flood.txt": (_request, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(flood));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    },
  });
  const { house, list } = await openScene();
  for (const [path, archive] of Object.entries(bombs)) {
    const code = await house.refusal("download_extensions", { url: pinned(server.origin, path, archive) });
    expect({ path, code }).toEqual({ path, code: "ARCHIVE_TOO_LARGE" });
  }
  for (const path of ["/said.txt", "/flood.txt"]) {
    const url = pinned(server.origin, path, words);
    expect(await house.refusal("download_models", { model: url })).toBe("ARCHIVE_TOO_LARGE");
  }
  expect(await house.refusal("download_dictionaries", { url: `a=${pinned(server.origin, "/said.txt", words)}` })).toBe(
    "ARCHIVE_TOO_LARGE",
  );
  expect(list().filter((name) => name !== "index")).toEqual([]);
});

test("[DL9] an installation is replaced in one step, and stays when its successor is bad", async () => {
  const first = tgz([{ name: "v1/vec0.so", content: "one" }]);
  const second = zip([{ name: "vec0.so", content: "two" }]);
  const bad = tgz([
    { name: "vec0.so", content: "x" },
    { name: "../x", content: "y" },
  ]);
  const server = await startLyingServer({ "/1.tgz": first, "/2.zip": second, "/3.tgz": bad });
  const { house, home } = await openScene();
  const ask = (path: string, content: Buffer) => ({ url: pinned(server.origin, path, content), platform: "linux" });
  const one = await house.call<{ extensionPath: string }>("download_extensions", ask("/1.tgz", first));
  expect(one).toMatchObject({
    entries: 1,
    extensionPath: join(home, "index", "extensions", "sqlite-vec", "v1", "vec0.so"),
  });
  expect(await house.refusal("download_extensions", ask("/3.tgz", bad))).toBe("ARCHIVE_UNSAFE");
  expect(readFileSync(one.extensionPath, "utf8")).toBe("one");
  const two = await house.call<{ extensionPath: string }>("download_extensions", ask("/2.zip", second));
  expect(readFileSync(two.extensionPath, "utf8")).toBe("two");
  expect(existsSync(one.extensionPath)).toBe(false);
  expect(readdirSync(join(home, "index", "extensions")).sort()).toEqual([".installed.json", "sqlite-vec"]);
});

test("[DL13] what a server that was killed left of an installation is mended when the next one starts", async () => {
  const first = tgz([{ name: "vec0.so", content: "one" }]);
  const server = await startLyingServer({ "/1.tgz": first });
  const { house, home } = await openScene();
  const ask = { url: pinned(server.origin, "/1.tgz", first), platform: "linux" };
  const { extensionPath } = await house.call<{ extensionPath: string }>("download_extensions", ask);
  const folder = join(home, "index", "extensions");
  const list = () => readdirSync(folder).sort();
  mkdirSync(join(folder, ".new-0123456789ab"));
  renameSync(join(folder, "sqlite-vec"), join(folder, ".old-sqlite-vec"));
  await recoverInstallations(home);
  expect(list()).toEqual([".installed.json", "sqlite-vec"]);
  expect(readFileSync(extensionPath, "utf8")).toBe("one");
  expect(await house.call("download_extensions", ask)).toMatchObject({ downloaded: 0, skipped: 1 });
  mkdirSync(join(folder, ".old-sqlite-vec"));
  await recoverInstallations(home);
  expect(list()).toEqual([".installed.json", "sqlite-vec"]);
  expect(readFileSync(extensionPath, "utf8")).toBe("one");
});

test("[DL10] dir, cacheDir and out stay below the home and off its own files", async () => {
  const extension = tgz([{ name: "vec0.so", content: "one" }]);
  const server = await startLyingServer({ "/en.txt": words, "/e.tgz": extension });
  const { house, home } = await openScene();
  const url = pinned(server.origin, "/en.txt", words);
  const archive = pinned(server.origin, "/e.tgz", extension);
  for (const dir of [makeFolder(), "..", "logs", "index", "index/repositories", "config.json", "vault/x"]) {
    expect(await house.refusal("download_models", { model: url, cacheDir: dir })).toBe("FORBIDDEN");
    expect(await house.refusal("download_dictionaries", { url: `en=${url}`, dir })).toBe("FORBIDDEN");
    expect(await house.refusal("download_extensions", { url: archive, dir })).toBe("FORBIDDEN");
    expect(await house.refusal("download_extensions", { url: archive, out: dir })).toBe("FORBIDDEN");
  }
  expect(server.asked).toEqual([]);
  const elsewhere = await house.call("download_dictionaries", {
    url: `en=${pinned(server.origin, "/en.txt", words)}`,
    dir: "words",
  });
  expect(elsewhere).toMatchObject({ output: expect.stringContaining("search doesn't use it") });
  await house.call("download_extensions", { url: archive, out: "libs/vec0.so" });
  expect(readFileSync(join(home, "libs", "vec0.so"), "utf8")).toBe("one");
});

test("[DL12] a server that says nothing is given up, and a cancelled download ends", async () => {
  const server = await startLyingServer({
    "/silent.txt": () => undefined,
    "/stall.txt": (_request, response) => void response.writeHead(200, { "content-length": 100 }).write("x"),
  });
  const { house } = await openScene({}, 300);
  for (const path of ["/silent.txt", "/stall.txt"]) {
    const url = `a=${pinned(server.origin, path, words)}`;
    expect(await house.refusal("download_dictionaries", { url })).toBe("DOWNLOAD_VERIFY_FAILED");
  }
  const cancel = new AbortController();
  const args = { url: `a=${pinned(server.origin, "/silent.txt", words)}` };
  const { owner: caller } = house;
  const call = dispatch(house.house, {
    tool: "download_dictionaries",
    args,
    caller,
    transport: "http",
    signal: cancel.signal,
  });
  cancel.abort();
  expect(await call).toMatchObject({ ok: false, failure: { code: "CANCELLED" } });
});

test("[DL11] what was fetched before a call was cancelled is in the ledger all the same", async () => {
  const cancel = new AbortController();
  const server = await startLyingServer({ "/en.txt": words, "/silent.txt": () => cancel.abort() });
  const { house, list } = await openScene();
  const url = ["en=/en.txt", "de=/silent.txt"].map((one) => {
    const [name, path = ""] = one.split("=");
    return `${name}=${pinned(server.origin, path, words)}`;
  });
  const ask = { tool: "download_dictionaries", args: { url }, caller: house.owner, transport: "http" } as const;
  const kinds = await house.eventsOf(async () => {
    expect(await dispatch(house.house, { ...ask, signal: cancel.signal })).toMatchObject({
      failure: { code: "CANCELLED" },
    });
  });
  expect(kinds).toEqual(["artifact.downloaded"]);
  expect(list()).toContain(join("index", "dictionaries", "en.txt"));
});

describe("an extension", () => {
  test("[DL8] verify_extensions says whether it is there, and answers CAPABILITY_MISSING where it is not", async () => {
    const { house } = await openScene();
    expect(await house.call("verify_extensions", { load: false })).toMatchObject({
      exists: false,
      load: { attempted: false },
      smoke: null,
    });
    expect(await house.refusal("verify_extensions", {})).toBe("CAPABILITY_MISSING");
    expect(await house.refusal("verify_extensions", { module: "vec0; drop" })).toBe("INVALID_REQUEST");
  });

  test("[DL8] what is no library does not load, and verify_extensions never loads what was not installed: FORBIDDEN", async () => {
    const extension = tgz([{ name: "vec0.so", content: "no library at all" }]);
    const server = await startLyingServer({ "/e.tgz": extension });
    const { house, home } = await openScene();
    const ask = { url: pinned(server.origin, "/e.tgz", extension), platform: "linux" };
    const { extensionPath } = await house.call<{ extensionPath: string }>("download_extensions", ask);
    expect(await house.reply("verify_extensions", { platform: "linux" })).toMatchObject({
      failure: { code: "CAPABILITY_MISSING", load: { attempted: true, ok: false, reason: expect.any(String) } },
    });
    writeFileSync(extensionPath, "changed");
    expect(await house.refusal("verify_extensions", { platform: "linux" })).toBe("FORBIDDEN");
    writeFileSync(join(home, "planted.so"), "planted");
    expect(await house.refusal("verify_extensions", { path: "planted.so" })).toBe("FORBIDDEN");
    expect(await house.refusal("verify_extensions", { path: "/lib/libc.so.6" })).toBe("FORBIDDEN");
  });

  test("[DL8] a real one is loaded apart, keeps a vector and finds it again", async () => {
    const extension = tgz([{ name: "package/vec0.so", content: readFileSync(getLoadablePath()) }]);
    const server = await startLyingServer({ "/e.tgz": extension });
    const { house, home } = await openScene();
    const ask = { url: pinned(server.origin, "/e.tgz", extension), platform: "linux" };
    expect(await house.call("download_extensions", ask)).toMatchObject({ downloaded: 1 });
    for (const encoding of ["float32", "json"]) {
      expect(await house.call("verify_extensions", { platform: "linux", encoding })).toMatchObject({
        path: join(home, "index", "extensions", "sqlite-vec", "package", "vec0.so"),
        exists: true,
        load: { attempted: true, ok: true, reason: null },
        smoke: { ok: true, reason: null },
      });
    }
    const wrong = await house.reply("verify_extensions", { platform: "linux", module: "vec9" });
    expect(wrong).toMatchObject({
      failure: { code: "CAPABILITY_MISSING", load: { ok: true }, smoke: { ok: false, reason: expect.any(String) } },
    });
  });
});
