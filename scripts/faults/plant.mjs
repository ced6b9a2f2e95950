/** A share for each file by its size, at least one, the same for the same seed; no two faults overlap. */
export function chooseSites(sites, { most, seed }) {
  const draw = dice(seed);
  const byFile = Map.groupBy ? Map.groupBy(sites, ({ path }) => path) : groupByPath(sites);
  const chosen = [...byFile.values()].flatMap((own) => {
    const share = Math.max(1, Math.round((most * own.length) / sites.length));
    const mixed = own.map((site) => ({ site, at: draw() })).sort((one, other) => one.at - other.at);
    const taken = [];
    for (const { site } of mixed) {
      if (taken.length < share && !taken.some((other) => overlap(site, other))) taken.push(site);
    }
    return taken;
  });
  return chosen.map((site, at) => ({ ...site, id: at + 1 }));
}

/** The text of a file with all its faults in it, each behind a switch. */
export function plant(text, faults) {
  let planted = text;
  for (const { id, start, end, wrong, isStatement } of [...faults].sort((one, other) => other.start - one.start)) {
    const right = planted.slice(start, end);
    const put = isStatement
      ? `if (!globalThis.hasFault(${id})) { ${right} }`
      : `(globalThis.hasFault(${id}) ? (${wrong}) : (${right}))`;
    planted = planted.slice(0, start) + put + planted.slice(end);
  }
  return planted;
}

const overlap = (one, other) => one.start < other.end && other.start < one.end;

function groupByPath(sites) {
  const groups = new Map();
  for (const site of sites) groups.set(site.path, [...(groups.get(site.path) ?? []), site]);
  return groups;
}

/** A small generator of our own: the same round can be run again. */
function dice(seed) {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
