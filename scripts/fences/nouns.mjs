/** Lowest first: a noun may use what stands before it, never what stands after it. */
const order = [
  "ledger",
  "person",
  "project",
  "agent",
  "workflow",
  "task",
  "worktree",
  "note",
  "message",
  "overlap",
  "usage",
  "review",
  "context",
];

/** Stands beside the order, on top of one noun of it; nothing in the order may use it. */
const beside = { codeindex: "project" };

/**
 * What the role of a file lets it touch inside the domain: `own` roles of its own noun, `lower` roles of nouns below,
 * and whether it may use storage (`types` for its types only).
 */
const roles = {
  model: { own: ["model"], lower: [], storage: false },
  events: { own: ["model"], lower: [], storage: false },
  rules: { own: ["model", "rules", "other"], lower: ["model"], storage: false },
  other: { own: ["model", "other"], lower: ["model"], storage: false },
  store: { own: ["model", "other", "store"], lower: [], storage: true },
  operations: { own: true, lower: ["operations", "model"], storage: "types" },
};

const roleWords = {
  model: "model",
  events: "events",
  rules: "rules",
  plan: "rules",
  score: "rules",
  store: "store",
  operations: "operations",
};

/** The last word of a file's name is its role: `rules.ts`, `claim-rules.ts`. Any other name is a pure part of the noun. */
function placeOf(path) {
  const match = /^src\/domain\/([^/]+)\/(?:.*\/)?(?:[a-z0-9-]+-)?([a-z0-9]+)\.ts$/.exec(path);
  return match ? { noun: match[1], role: roleWords[match[2]] ?? "other" } : undefined;
}

/** Why this import breaks a fence inside the domain, or undefined. */
export function judgeNoun(path, wanted) {
  if (!path.startsWith("src/domain/") || wanted.target === undefined) return undefined;
  const here = placeOf(path);
  const there = placeOf(wanted.target);
  if (!here) return there && `${path} belongs to all nouns and may see none of them`;
  const { own, lower, storage } = roles[here.role];
  const name = here.role === "other" ? "a pure file" : `a file of role ${here.role}`;
  if (wanted.target.startsWith("src/storage/")) {
    if (storage === false) return `${name} may not touch storage`;
    return storage === "types" && !wanted.isType ? `${name} may see only types of storage` : undefined;
  }
  if (!there) {
    const isShared = wanted.target.startsWith("src/domain/");
    return isShared && here.role !== "operations" ? `${name} may not see ${wanted.target}` : undefined;
  }
  if (there.noun === here.noun) {
    return own === true || own.includes(there.role) ? undefined : `${name} may not see its noun's ${there.role}`;
  }
  if (!isBelow(there.noun, here.noun)) return `${here.noun} may not see ${there.noun}: it does not stand below it`;
  return lower.includes(there.role) ? undefined : `${name} may not see the ${there.role} of another noun`;
}

/** Why a file stands in no noun that is known, or undefined. */
export function judgePlace(path) {
  const noun = placeOf(path)?.noun;
  if (noun === undefined || order.includes(noun) || noun in beside) return undefined;
  return `${noun} has no place in the order of nouns; add it to scripts/fences/nouns.mjs`;
}

function isBelow(lower, upper) {
  const limit = upper in beside ? order.indexOf(beside[upper]) + 1 : order.indexOf(upper);
  const place = order.indexOf(lower);
  return place !== -1 && place < limit;
}
