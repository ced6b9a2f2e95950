/** An object with so many levels below it; made without recursion, so that there may be very many. */
export function nestedTo(levels: number): Record<string, unknown> {
  let value: Record<string, unknown> = {};
  for (let level = 0; level < levels; level += 1) value = { in: value };
  return value;
}
