/** Lowest first: a noun may use what stands before it, never what stands after it. */
export const order = [
  "ledger",
  "person",
  "project",
  "codeindex",
  "artifact",
  "agent",
  "workflow",
  "task",
  "worktree",
  "evidence",
  "forecast",
  "note",
  "finding",
  "template",
  "message",
  "exchange",
  "claim",
  "intent",
  "ending",
  "overlap",
  "usage",
  "instance",
  "review",
  "pull",
  "context",
];

/**
 * What the role of a file lets it touch inside the domain: `own` roles of its own noun, `lower` roles of nouns below,
 * and whether it may use storage (`types` for its types only).
 */
const roles = {
  model: { own: ["model"], lower: [], storage: false },
  events: { own: ["model"], lower: [], storage: false },
  rules: { own: ["model", "rules", "other"], lower: ["model"], storage: false },
  other: { own: ["model", "other"], lower: ["model"], storage: "types" },
  queries: { own: ["model", "other", "queries"], lower: [], storage: true },
  store: { own: ["model", "other", "queries", "store"], lower: [], storage: true },
  operations: { own: true, lower: ["operations", "queries", "model"], storage: "types" },
};

const roleWords = {
  model: "model",
  events: "events",
  rules: "rules",
  plan: "rules",
  score: "rules",
  queries: "queries",
  store: "store",
  operations: "operations",
};

/** The last word of a file's name is its role: `rules.ts`, `claim-rules.ts`. Any other name is a pure part of the noun. */
export function placeOf(path) {
  const match = /^src\/domain\/([^/]+)\/(?:.*\/)?(?:[a-z0-9-]+-)?([a-z0-9]+)\.ts$/.exec(path);
  if (!match) return undefined;
  const role = roleWords[match[2]] ?? "other";
  return { noun: match[1], role, name: role === "other" ? "a pure file" : `a file of role ${role}` };
}

/** The role of a file inside a noun, or undefined. */
export const roleOf = (path) => placeOf(path)?.role;

const sharedPlaceOf = (path) => ({ role: isForOperations(path) ? "operations" : "model", name: path });

/** Files of no noun: `work.ts`, `errand.ts` and `port.ts` are what operations work with, any other holds words that all nouns share. */
const isShared = (path) => /^src\/domain\/[^/]+\.ts$/.test(path);
const isForOperations = (path) => /^src\/domain\/(work|errand|port)\.ts$/.test(path);

/** The one shared file that names nouns: it gathers what each of them asks of the outside. */
const portList = "src/domain/port.ts";
const isPort = (path) => /^src\/domain\/[^/]+\/port\.ts$/.test(path);

/** Why this import breaks a fence inside the domain, or undefined. */
export function judgeNoun(path, wanted) {
  if (!path.startsWith("src/domain/") || wanted.target === undefined) return undefined;
  const here = isShared(path) ? sharedPlaceOf(path) : placeOf(path);
  if (!here) return undefined;
  const { target, isType } = wanted;
  if (target.startsWith("src/storage/")) return judgeStorage(here, isType);
  if (isForOperations(target)) return here.role === "operations" ? undefined : `${here.name} may not see ${target}`;
  const there = placeOf(target);
  if (path === portList && isType && isPort(target)) return undefined;
  return there && judgeOther(here, there);
}

function judgeStorage({ role, name }, isType) {
  const { storage } = roles[role];
  if (storage === false) return `${name} may not touch storage`;
  return storage === "types" && !isType ? `${name} may see only types of storage` : undefined;
}

function judgeOther(here, there) {
  const { own, lower } = roles[here.role];
  if (here.noun === undefined) return `${here.name} belongs to all nouns and may see none of them`;
  if (there.noun === here.noun) {
    return own === true || own.includes(there.role) ? undefined : `${here.name} may not see its noun's ${there.role}`;
  }
  if (!isBelow(there.noun, here.noun)) return `${here.noun} may not see ${there.noun}: it does not stand below it`;
  return lower.includes(there.role) ? undefined : `${here.name} may not see the ${there.role} of another noun`;
}

/** Why a file stands in no noun that is known, or undefined. */
export function judgePlace(path) {
  const noun = placeOf(path)?.noun;
  if (noun === undefined || order.includes(noun)) return undefined;
  return `${noun} has no place in the order of nouns; add it to scripts/fences/nouns.mjs`;
}

function isBelow(lower, upper) {
  const place = order.indexOf(lower);
  return place !== -1 && place < order.indexOf(upper);
}
