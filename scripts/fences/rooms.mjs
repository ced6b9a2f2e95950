/**
 * Who may see whom. A room is a folder of src; what a row does not name is closed. `types` may be imported only as
 * types, `folderTypes` by one folder of the room; `packages` and `node` are the npm packages and Node modules, where
 * `true` means any.
 */
const rooms = {
  contract: { sees: [], packages: ["zod"], node: [] },
  // Postings, vocabularies and typed arrays: what any index is made of, whatever it is an index of.
  search: { sees: [], packages: [], node: [] },
  storage: { sees: ["contract"], packages: ["kysely", "pg", "@photostructure/sqlite"], node: true },
  // The tokenizer is a pure function, like a hash: it reads nothing and decides nothing.
  domain: {
    sees: ["contract", "storage", "search"],
    packages: ["zod", "gpt-tokenizer"],
    node: ["node:crypto", "node:path"],
  },
  tools: { sees: ["contract", "domain"], packages: ["zod"], node: [] },
  engine: { sees: ["contract", "domain", "storage", "tools"], packages: ["zod"], node: true },
  adapters: { sees: ["contract"], types: ["domain"], packages: true, node: true },
  // Threads, WASM and files, behind a port of the domain; main brings the two together.
  codeindex: { sees: ["contract", "search"], types: ["domain"], packages: true, node: true },
  // What runs on a person's machine beside their clients: configurations, hooks, transcripts, working copies.
  companion: { sees: ["contract", "adapters"], packages: [], node: true },
  transports: {
    sees: ["contract", "engine", "adapters", "companion"],
    // The command line calls tools over HTTP like any client, and is held to what they answer.
    folderTypes: { cli: ["tools"] },
    packages: true,
    node: true,
  },
  dashboard: { sees: ["contract"], types: ["tools", "domain"], packages: true, node: [] },
};

/** Databases are spoken to in one room only. */
const databasePackages = rooms.storage.packages;

/** Doors into the domain: the files of it that a room outside may use. Rooms not named here may use any. */
const doors = {
  tools: {
    pattern: /^src\/domain\/([a-z-]+\.ts|[^/]+\/([a-z-]+-)?(operations|queries|model|port)\.ts)$/,
    fence: "tools may see only operations, queries, models and ports of domain",
  },
  adapters: {
    pattern: /^src\/domain\/([^/]+\/)?([a-z-]+-)?(errand|port)\.ts$/,
    fence: "adapters may see only errand and port types of domain",
  },
  codeindex: {
    pattern: /^src\/domain\/([^/]+\/)?([a-z-]+-)?(model|port)\.ts$/,
    fence: "codeindex may see only model and port types of domain",
  },
  // The ledger's entries are written by a hook of every transaction and by the sealer: both are the engine's.
  engine: { pattern: /(?<![/-]store\.ts)$|\/ledger\/store\.ts$/, fence: "engine may use no store but the ledger's" },
};

export const roomOf = (path) =>
  /^src\/main(\.ts$|\/)/.test(path) ? "main" : (/^src\/([^/]+)\//.exec(path)?.[1] ?? undefined);

/** Why this import breaks a fence between rooms, or undefined. */
export function judgeRoom(path, wanted) {
  const room = roomOf(path);
  if (room === "testing") return undefined;
  if (wanted.target === undefined) return "an import must be a plain string, so that it can be followed";
  if (room === "main") return toTesting(wanted);
  const rule = rooms[room];
  if (!rule) return `src/${room ?? ""} is no room; the rooms are ${Object.keys(rooms).join(", ")}`;
  return isFile(wanted) ? judgeFile(path, room, rule, wanted) : judgePackage(room, rule, wanted);
}

const isFile = (wanted) => wanted.specifier.startsWith(".");

const toTesting = (wanted) => (roomOf(wanted.target) === "testing" ? "only tests may use src/testing" : undefined);

function judgeFile(path, room, rule, wanted) {
  const other = roomOf(wanted.target);
  if (other === room) return undefined;
  if (!wanted.target.startsWith("src/")) return `${room} may not reach outside src`;
  const isSeen = rule.sees.includes(other);
  const folder = path.split("/")[2];
  const isSeenAsType = [...(rule.types ?? []), ...(rule.folderTypes?.[folder] ?? [])].includes(other);
  if (!isSeen && !isSeenAsType) return `${room} may not see ${other}`;
  if (!isSeen && !wanted.isType) return `${room} may see only types of ${other}`;
  const door = other === "domain" ? doors[room] : undefined;
  if (door && !door.pattern.test(wanted.target)) return door.fence;
  return undefined;
}

function judgePackage(room, rule, wanted) {
  const isBuiltIn = wanted.target.startsWith("node:");
  const allowed = isBuiltIn ? rule.node : rule.packages;
  if (Array.isArray(allowed) && !allowed.includes(wanted.target)) {
    const list = allowed.length === 0 ? "none" : allowed.join(", ");
    return `${room} may not use ${wanted.target} (allowed here: ${list})`;
  }
  if (room !== "storage" && databasePackages.includes(wanted.target)) return `only storage may use ${wanted.target}`;
  return undefined;
}
