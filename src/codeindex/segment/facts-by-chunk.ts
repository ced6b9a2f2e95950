import { eachIn, type FrozenLists } from "./frozen-lists.ts";
import { countChunks, type Segment } from "./segment.ts";

interface FactsByChunk {
  /** Places in `facts` that are true of a chunk. */
  factsOf(chunk: number): number[];
  /** Places in `imports` of what a content imports. */
  importsOf(content: number): number[];
}

const known = new WeakMap<Segment, FactsByChunk>();

/** A segment says which chunks a fact is true of. This is the other way round, made when somebody asks for it first. */
export function factsByChunk(segment: Segment): FactsByChunk {
  const { facts, imports, importLists, contents } = segment;
  const made = known.get(segment) ?? {
    factsOf: invert(facts.lists, facts.fact.length, countChunks(segment)),
    importsOf: invert(importLists, imports.length, contents.keys.length),
  };
  known.set(segment, made);
  return made;
}

/** For each number the lists it is in. */
function invert(lists: FrozenLists, count: number, numbers: number): (number: number) => number[] {
  const starts = new Uint32Array(numbers + 1);
  for (let list = 0; list < count; list += 1) {
    eachIn(lists, list, (number) => {
      starts[number + 1] = (starts[number + 1] ?? 0) + 1;
    });
  }
  for (let number = 0; number < numbers; number += 1) {
    starts[number + 1] = (starts[number + 1] ?? 0) + (starts[number] ?? 0);
  }
  const next = starts.slice();
  const inverted = new Uint32Array(starts[numbers] ?? 0);
  for (let list = 0; list < count; list += 1) {
    eachIn(lists, list, (number) => {
      const place = next[number] ?? 0;
      inverted[place] = list;
      next[number] = place + 1;
    });
  }
  return (number) => [...inverted.subarray(starts[number], starts[number + 1])];
}
