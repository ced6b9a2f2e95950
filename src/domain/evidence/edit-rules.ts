/** A run of lines that gives way to another; either may be empty. */
export interface Edit {
  readonly before: number;
  readonly deleted: number;
  readonly after: number;
  readonly added: number;
}

/** A path through more single edits than these takes too long to find; all between first and last then counts as one. */
const mostSteps = 2_000;

/** The fewest edits that make one list of lines of another, in order (E. W. Myers, 1986). */
export function findEdits(before: readonly string[], after: readonly string[]): Edit[] {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const deleted = before.length - head - tail;
  const added = after.length - head - tail;
  if (deleted + added === 0) return [];
  const whole: Edit = { before: head, deleted, after: head, added };
  if (deleted === 0 || added === 0) return [whole];
  const numbers = new Map<string, number>();
  const numbered = (lines: readonly string[]): Int32Array =>
    Int32Array.from(lines, (line) => numbers.get(line) ?? numbers.set(line, numbers.size).size - 1);
  const one = numbered(before.slice(head, before.length - tail));
  const other = numbered(after.slice(head, after.length - tail));
  const rounds = search(one, other);
  return rounds ? joinSteps(walkBack(rounds, one.length, other.length), head) : [whole];
}

/** How far each diagonal gets with each number of edits, up to the round that reaches the end. */
function search(one: Int32Array, other: Int32Array): Int32Array[] | undefined {
  const most = Math.min(one.length + other.length, mostSteps);
  const reach = new Int32Array(2 * most + 3);
  const middle = most + 1;
  const rounds: Int32Array[] = [];
  for (let steps = 0; steps <= most; steps += 1) {
    for (let diagonal = -steps; diagonal <= steps; diagonal += 2) {
      const at = middle + diagonal;
      let x = isFromAbove(reach, at, diagonal, steps) ? (reach[at + 1] ?? 0) : (reach[at - 1] ?? 0) + 1;
      while (x < one.length && x - diagonal < other.length && one[x] === other[x - diagonal]) x += 1;
      reach[at] = x;
      if (x >= one.length && x - diagonal >= other.length) return rounds;
    }
    rounds.push(reach.slice(middle - steps, middle + steps + 1));
  }
  return undefined;
}

/** Whether the way to a diagonal is an addition, from the one above, or a deletion, from the one below. */
const isFromAbove = (reach: Int32Array, at: number, diagonal: number, steps: number): boolean =>
  diagonal === -steps || (diagonal !== steps && (reach[at - 1] ?? 0) < (reach[at + 1] ?? 0));

interface Step {
  readonly x: number;
  readonly y: number;
  readonly isAddition: boolean;
}

function walkBack(rounds: readonly Int32Array[], width: number, height: number): Step[] {
  const steps: Step[] = [];
  let diagonal = width - height;
  for (let round = rounds.length; round > 0; round -= 1) {
    const reach = rounds[round - 1] ?? new Int32Array();
    const isAddition = isFromAbove(reach, diagonal + round - 1, diagonal, round);
    diagonal += isAddition ? 1 : -1;
    const x = reach[diagonal + round - 1] ?? 0;
    steps.push({ x, y: x - diagonal, isAddition });
  }
  return steps.reverse();
}

function joinSteps(steps: readonly Step[], offset: number): Edit[] {
  const edits: Edit[] = [];
  for (const { x, y, isAddition } of steps) {
    const last = edits.at(-1);
    const touches = last && last.before + last.deleted === x + offset && last.after + last.added === y + offset;
    const edit = touches ? last : { before: x + offset, deleted: 0, after: y + offset, added: 0 };
    if (touches) edits.pop();
    edits.push(isAddition ? { ...edit, added: edit.added + 1 } : { ...edit, deleted: edit.deleted + 1 });
  }
  return edits;
}
