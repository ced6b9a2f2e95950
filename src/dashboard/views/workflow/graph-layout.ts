import { isOver, type Step } from "./workflow-model.ts";

/** One box of the drawing: a task, or several that are drawn as one because there are too many. */
export interface Box {
  readonly key: string;
  readonly steps: readonly Step[];
  /** How far from the beginning it stands, and its place among those beside it. */
  readonly layer: number;
  readonly place: number;
  readonly dependsOn: readonly string[];
  /** On the longest chain of work that is not done yet. */
  readonly isCritical: boolean;
}

/** More boxes than this cannot be read; then neighbours in sequence share one. */
const mostBoxes = 200;
const sweeps = 4;

/** Longest-path layers, ordered within a layer by the middle of what each box is connected to. */
export function layOut(steps: readonly Step[]): readonly Box[] {
  const groups = gather(steps);
  const layers = layersOf(groups);
  const critical = criticalKeys(groups, layers);
  const order = orderWithin(groups, layers);
  return groups.map((group) => ({
    ...group,
    layer: layers.get(group.key) ?? 0,
    place: order.get(group.key) ?? 0,
    isCritical: critical.has(group.key),
  }));
}

interface Group {
  readonly key: string;
  readonly steps: readonly Step[];
  readonly dependsOn: readonly string[];
}

function gather(steps: readonly Step[]): Group[] {
  const keyOf = keyMaker(steps);
  const keyByName = new Map(steps.map((step) => [step.name, keyOf(step)]));
  const groups = new Map<string, { steps: Step[]; dependsOn: Set<string> }>();
  for (const step of steps) {
    const key = keyOf(step);
    const group = groups.get(key) ?? { steps: [], dependsOn: new Set() };
    group.steps.push(step);
    for (const name of step.depends_on) {
      const other = keyByName.get(name);
      if (other !== undefined && other !== key) group.dependsOn.add(other);
    }
    groups.set(key, group);
  }
  return [...groups].map(([key, group]) => ({ key, steps: group.steps, dependsOn: [...group.dependsOn] }));
}

/** A box for each task; above the limit one for each run of neighbouring sequences. */
function keyMaker(steps: readonly Step[]): (step: Step) => string {
  if (steps.length <= mostBoxes) return (step) => step.id;
  const sequences = [...new Set(steps.map((step) => step.sequence))].sort((one, other) => one - other);
  const run = Math.ceil(sequences.length / (mostBoxes / 4));
  const runOf = new Map(sequences.map((sequence, place) => [sequence, Math.floor(place / run)]));
  return (step) => {
    const first = (runOf.get(step.sequence) ?? 0) * run;
    const last = Math.min(first + run - 1, sequences.length - 1);
    return `${sequences[first]}-${sequences[last]}`;
  };
}

/** The longest way from a beginning. Boxes of gathered tasks may wait for each other; such an edge does not push. */
function layersOf(groups: readonly Group[]): Map<string, number> {
  const byKey = new Map(groups.map((group) => [group.key, group]));
  const layers = new Map<string, number>();
  const onTheWay = new Set<string>();
  for (const group of groups) settle(group.key);
  return layers;

  /** Without recursion: chains may be as long as the plan. */
  function settle(start: string): void {
    const stack = [start];
    while (stack.length > 0) {
      const key = stack.at(-1) as string;
      const waits = byKey.get(key)?.dependsOn ?? [];
      const open = waits.find((other) => !layers.has(other) && !onTheWay.has(other));
      if (open !== undefined && !layers.has(key)) {
        onTheWay.add(key);
        stack.push(open);
        continue;
      }
      stack.pop();
      onTheWay.delete(key);
      if (!layers.has(key)) layers.set(key, Math.max(-1, ...waits.map((other) => layers.get(other) ?? -1)) + 1);
    }
  }
}

function orderWithin(groups: readonly Group[], layers: ReadonlyMap<string, number>): Map<string, number> {
  const rows: string[][] = [];
  for (const { key } of groups) {
    const layer = layers.get(key) ?? 0;
    rows[layer] ??= [];
    rows[layer].push(key);
  }
  const neighbours = neighboursOf(groups);
  const places = new Map<string, number>();
  const number = (row: readonly string[]): void => {
    for (const [place, key] of row.entries()) places.set(key, place);
  };
  for (const row of rows) number(row);
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    for (const row of sweep % 2 === 0 ? rows : rows.toReversed()) {
      const middles = new Map(
        row.map((key) => [key, middleOf(neighbours.get(key) ?? [], places, places.get(key) ?? 0)]),
      );
      row.sort((one, other) => (middles.get(one) ?? 0) - (middles.get(other) ?? 0));
      number(row);
    }
  }
  return places;
}

function neighboursOf(groups: readonly Group[]): Map<string, string[]> {
  const neighbours = new Map<string, string[]>(groups.map(({ key }) => [key, []]));
  for (const { key, dependsOn } of groups) {
    for (const other of dependsOn) {
      neighbours.get(key)?.push(other);
      neighbours.get(other)?.push(key);
    }
  }
  return neighbours;
}

const middleOf = (keys: readonly string[], places: ReadonlyMap<string, number>, own: number): number =>
  keys.length === 0 ? own : keys.reduce((sum, key) => sum + (places.get(key) ?? 0), 0) / keys.length;

/** The longest chain of boxes that still hold open work: finishing the whole cannot take fewer steps than it has. */
function criticalKeys(groups: readonly Group[], layers: ReadonlyMap<string, number>): Set<string> {
  const open = groups.filter((group) => !group.steps.every(isOver));
  const chain = new Map<string, { length: number; before: string | undefined }>();
  for (const group of open.toSorted((one, other) => (layers.get(one.key) ?? 0) - (layers.get(other.key) ?? 0))) {
    const before = group.dependsOn
      .filter((key) => chain.has(key))
      .sort((one, other) => (chain.get(other)?.length ?? 0) - (chain.get(one)?.length ?? 0))[0];
    chain.set(group.key, { length: (before === undefined ? 0 : (chain.get(before)?.length ?? 0)) + 1, before });
  }
  let longest: string | undefined;
  for (const [key, { length }] of chain)
    if (length > (longest === undefined ? 0 : (chain.get(longest)?.length ?? 0))) longest = key;
  const keys = new Set<string>();
  for (let key = longest; key !== undefined; key = chain.get(key)?.before) keys.add(key);
  return keys.size > 1 ? keys : new Set();
}
