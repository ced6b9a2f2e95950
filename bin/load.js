"use strict";
/**
 * Loads the built program, with what the engine made of its text the last time: making it anew takes a third of a
 * start. A file's name has a hash of its text, so what was kept belongs to what is read, and it lies beside the text:
 * whoever can write there could write the program, too. Where nobody can, nothing is kept.
 */
const fs = require("node:fs");
const { createRequire } = require("node:module");
const { basename, join } = require("node:path");
const { Script } = require("node:vm");

const program = join(__dirname, "..", "dist", "program");
const kept = join(program, "compiled", `${process.version}-${process.arch}`);
const requireOther = createRequire(join(program, "main.js"));
/** Below this, compiling is as fast as reading what was kept. */
const leastKept = 50_000;
/** By then a server has called what every start calls. */
const keepAfterMs = 3_000;

const modules = new Map();
let fresh = [];

/** A part of the program, with all that it requires. They lie in one folder, so the last word of a path is enough. */
function load(path) {
  const name = basename(path, ".js");
  const known = modules.get(name);
  if (known) return known.exports;
  const filename = join(program, `${name}.js`);
  const module = { exports: {}, filename };
  const start = compile(name, filename).runInThisContext();
  modules.set(name, module);
  const find = (id) => (id.startsWith("./") ? load(id) : requireOther(id));
  start(module.exports, find, module, filename, program);
  return module.exports;
}

function compile(name, filename) {
  const text = fs.readFileSync(filename, "utf8");
  const isKept = text.length >= leastKept && /-[\w-]{8}$/.test(name);
  const cachedData = isKept ? readKept(name) : undefined;
  const script = new Script(`(function (exports, require, module, __filename, __dirname) { ${text}\n})`, {
    filename,
    cachedData,
  });
  if (isKept && !cachedData) keepLater(name, script);
  return script;
}

/** The engine believes what it is given; a damaged disk must not end every start. */
function readKept(name) {
  try {
    const file = fs.readFileSync(join(kept, name));
    const data = file.subarray(0, -4);
    return sumOf(data) === file.readUInt32LE(data.length) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** What a hook loads is too small to be kept, so it does not load this either. */
const sumOf = (data) => require("node:zlib").crc32(data);

function keepLater(name, script) {
  if (fresh.length === 0) {
    setTimeout(keepFresh, keepAfterMs).unref();
    process.once("exit", keepFresh);
  }
  fresh.push({ name, script });
}

function keepFresh() {
  process.off("exit", keepFresh);
  const scripts = fresh;
  fresh = [];
  try {
    fs.mkdirSync(kept, { recursive: true });
    for (const { name, script } of scripts) {
      const draft = join(kept, `${name}.${process.pid}`);
      const data = script.createCachedData();
      const sum = Buffer.alloc(4);
      sum.writeUInt32LE(sumOf(data));
      fs.writeFileSync(draft, Buffer.concat([data, sum]));
      fs.renameSync(draft, join(kept, name));
    }
  } catch {
    // Somebody else's folder, or a full disk: the next start compiles again.
  }
}

module.exports = { load };
