/**
 * One line of the table: a figure, what it is held against in the same run, and the aim if there is one. An aim is for
 * reading; nothing ever fails by missing it.
 */
export function row({ what, value, best, unit, peer, peerValue, ratio = value / peerValue, aim }) {
  const hasPeer = peer !== undefined;
  return {
    what,
    value: round(value),
    ...(best === undefined ? {} : { best: round(best) }),
    unit,
    ...(hasPeer ? { peer, peerValue: round(peerValue), ratio: round(ratio) } : {}),
    ...(aim === undefined ? {} : { aim: textOf(aim), isMet: isMet(aim, value, ratio) }),
  };
}

const conditions = {
  ratioAtMost: { text: (limit) => `≤ ${limit}×`, holds: (limit, _value, ratio) => ratio <= limit },
  atMost: { text: (limit) => `≤ ${limit.toLocaleString("en")}`, holds: (limit, value) => value <= limit },
  below: { text: (limit) => `< ${limit.toLocaleString("en")}`, holds: (limit, value) => value < limit },
  atLeast: { text: (limit) => `≥ ${limit.toLocaleString("en")}`, holds: (limit, value) => value >= limit },
};

const textOf = (aim) =>
  Object.entries(aim)
    .map(([name, limit]) => conditions[name].text(limit))
    .join(" and ");

const isMet = (aim, value, ratio) =>
  Object.entries(aim).every(([name, limit]) => conditions[name].holds(limit, value, ratio));

/** Three digits say all that a measurement of this kind can. */
const round = (value) => (Number.isFinite(value) ? Number(value.toPrecision(value >= 1_000 ? 4 : 3)) : null);
